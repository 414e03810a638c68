"""The served OpenAPI is what is served."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.schemas import BaseSchema
from schemathesis.specs.openapi.checks import response_schema_conformance, status_code_conformance
from tests.kit.web import House

import tablee.doors.web
from tablee.doors.web.api.errors import WORDS
from tablee.doors.web.api.registry import PREFIX, Route, Who
from tablee.doors.web.routes import ALL

Json = Any


async def test_every_route_is_described_once_and_nothing_else(house: House) -> None:
    document = await house.nobody().get("/openapi.json")
    assert document["openapi"].startswith("3.1")
    described = {
        (method.upper(), path) for path, operations in document["paths"].items() for method in operations
    }
    assert described == {(route.method, PREFIX + route.path) for route in ALL}
    names = [
        operation["operationId"]
        for operations in document["paths"].values()
        for operation in operations.values()
    ]
    assert len(names) == len(set(names))


def test_every_route_has_a_sentence_and_a_place() -> None:
    for route in ALL:
        assert route.summary.endswith("."), route.name
        assert 200 <= route.status < 300


def test_every_word_of_the_door_is_used_somewhere() -> None:
    folder = Path(tablee.doors.web.__file__).parent
    source = "".join(path.read_text("utf-8") for path in folder.rglob("*.py"))
    for code in WORDS:
        assert f'"{code}"' in source, code


@pytest.mark.parametrize("examples", [3, pytest.param(25, marks=pytest.mark.long)])
@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE], ids=str)
async def test_no_generated_request_brings_the_house_to_fall(
    house: House, mode: GenerationMode, examples: int
) -> None:
    """Schemathesis makes requests from the served description, good and bad ones, as every kind of caller."""
    chief = await house.administrator()
    member = await house.member()
    await member.post("/tables", {"game": "mines", "variant": "classic"}, status=201)
    schema = schemathesis.openapi.from_dict(await house.nobody().get("/openapi.json"))
    skipped = {"bot_stream", "log_out", "end_session", "end_other_sessions", "delete_account", "admin_role"}
    for route in ALL:
        if route.handler.__name__ in skipped:
            continue
        # What is generated may ban the one and end the session of the other: somebody goes on.
        if (await member.ask("GET", "/session")).status_code == 401:
            member = await house.member()
        if (await chief.ask("GET", "/session")).status_code == 401:
            chief = await house.administrator()
        caller = chief if route.who in (Who.ADMINISTRATOR, Who.SUPER) else member
        await asyncio.to_thread(_attack, house.url, schema, route, caller.access, mode, examples)
    last = await house.member()
    assert (await last.get("/session"))["account"] == last.id


def _attack(
    url: str, schema: BaseSchema, route: Route, token: str, mode: GenerationMode, examples: int
) -> None:
    operation = schema[PREFIX + route.path][route.method]
    if mode is GenerationMode.NEGATIVE and not (route.body_type or route.query_type):
        return  # nothing about the form of this request could be wrong

    @seed(1)
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def attack(case: Any) -> None:
        response = case.call(base_url=url, headers={"Authorization": f"Bearer {token}"})
        case.validate_response(
            response, checks=(not_a_server_error, status_code_conformance, response_schema_conformance)
        )

    attack()
