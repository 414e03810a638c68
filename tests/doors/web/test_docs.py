"""docs/protocols/web.md tells the truth: its examples run, and nothing is left out of it."""

from __future__ import annotations

import types
import typing
from typing import Any

import msgspec
import pytest
from tests.doors.web.examples import DOCUMENT, Player, blocks
from tests.kit.web import House

from tablee.club import errors as club_errors
from tablee.doors.web.api.errors import WORDS
from tablee.doors.web.api.registry import PREFIX, Route
from tablee.doors.web.live import messages
from tablee.doors.web.routes import ALL
from tablee.tables import errors as table_errors
from tablee.tournaments import errors as tournament_errors

TOURNAMENT_CODES = [code for code in tournament_errors.words("en") if "." not in code]
TEXT = DOCUMENT.read_text("utf-8")


async def test_every_example_is_played_as_it_is_printed(house: House) -> None:
    await house.club.roles.name_super("Cheffe", "clef de la maison")
    player = Player(house)
    for block in blocks():
        await player.play(block)
    assert len(blocks()) >= 10


def route_row(route: Route) -> str:
    """The line of the documentation's table for a route."""
    return f"| `{route.method} {PREFIX}{route.path}` | {route.who.value} | {route.summary} |"


@pytest.mark.parametrize("route", ALL, ids=lambda route: route.name)
def test_every_route_is_documented(route: Route) -> None:
    assert route_row(route) in TEXT, f"write this line into docs/protocols/web.md:\n{route_row(route)}"


def fields_of(kind: Any) -> list[str]:
    return [field.encode_name for field in msgspec.structs.fields(kind)]


def _members(union: Any) -> list[Any]:
    return list(typing.get_args(union)) if isinstance(union, types.UnionType) else [union]


@pytest.mark.parametrize(
    "kind",
    [
        *_members(messages.AnyTopic),
        *_members(messages.AnyFromClient),
        *_members(messages.AnyFromServer),
    ],
    ids=lambda kind: str(kind.__struct_config__.tag),
)
def test_every_message_is_documented_with_all_its_fields(kind: Any) -> None:
    tag = kind.__struct_config__.tag
    rows = [line for line in TEXT.splitlines() if line.startswith(f"| `{tag}` |")]
    wanted = {f"`{name}`" for name in fields_of(kind)}
    assert any(wanted <= set(_quoted(row)) for row in rows), f"`{tag}` with {sorted(wanted)} is not in {rows}"


def _quoted(row: str) -> list[str]:
    return [f"`{part}`" for part in row.split("`")[1::2]]


@pytest.mark.parametrize(
    "code", sorted({*WORDS, *club_errors.words("en"), *table_errors.words("en"), *TOURNAMENT_CODES}), ids=str
)
def test_every_code_of_an_error_is_documented(code: str) -> None:
    assert f"| `{code}` |" in TEXT


@pytest.mark.parametrize("code", messages.CLOSE_CODES)
def test_every_code_of_a_closed_websocket_is_documented(code: int) -> None:
    assert f"| {code} | {messages.CLOSE_CODES[code]} |" in TEXT
