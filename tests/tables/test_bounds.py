"""What one account writes and keeps is bounded, and paced."""

from __future__ import annotations

import itertools
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select
from tests.tables.conftest import Node

from tablee.clock import HandClock
from tablee.club import ClubError, Invalid
from tablee.club import bounds as limits_of_one
from tablee.club.bounds import (
    BOTS_MOST,
    DESCRIPTION_MOST,
    NOTEBOOKS_MOST,
    NOTEBOOKS_TEXT_MOST,
    NOTES_MOST,
    TABLE_NAME_MOST,
    TABLES_OF_VISITOR_MOST,
)
from tablee.club.messages import private_channel
from tablee.store import Query
from tablee.store.schema import notebook, reading
from tablee.tables import BadOptions, TableError, Terms, TooManyTables

MINUTE = 60_000


async def attempted(work: Callable[[], Awaitable[Any]]) -> ClubError | None:
    """Do something; answers how it was refused, if it was."""
    try:
        await work()
    except ClubError as error:
        return error
    return None


async def refused(code: str, work: Callable[[], Awaitable[Any]], most: int) -> int:
    """Do something again and again until it is refused; answers how often it went."""
    for done in range(most + 1):
        error = await attempted(work)
        if error is not None:
            assert error.code == code
            assert error.sentence("fr") != error.sentence("en")
            return done
    raise AssertionError(f"never refused in {most} times")


async def written(node: Node) -> tuple[int, int]:
    row = await node.store.one(
        Query(
            select(
                func.count().label("n"), func.coalesce(func.sum(func.length(notebook.c.text)), 0).label("s")
            )
        )
    )
    assert row is not None
    return row.n, row.s


async def test_notebooks_are_bounded_in_number_and_in_size_and_may_still_be_changed(
    node: Node, clock: HandClock
) -> None:
    (visitor,) = await node.people(1)
    keep = node.tables.notebooks.keep_notes
    for table_id in range(1, NOTEBOOKS_MOST + 1):
        await keep(table_id, visitor, "une note")
    with pytest.raises(TableError) as full:
        await keep(NOTEBOOKS_MOST + 1, visitor, "une note de trop")
    assert full.value.code == "notebooks_full"
    for table_id in range(1, NOTEBOOKS_TEXT_MOST // NOTES_MOST):
        await clock.advance(MINUTE)
        await keep(table_id, visitor, "x" * NOTES_MOST)
    await clock.advance(MINUTE)
    with pytest.raises(TableError) as long:
        await keep(100, visitor, "x" * NOTES_MOST)
    assert long.value.code == "notebooks_too_long"
    assert (await written(node))[1] <= NOTEBOOKS_TEXT_MOST
    await keep(1, visitor, "plus court")
    await keep(2, visitor, "")
    await keep(NOTEBOOKS_MOST + 1, visitor, "il y a de la place")
    other = (await node.people(1))[0]
    await keep(1, other, "à chacun les siens")


async def test_who_writes_without_end_is_slowed_down(node: Node, clock: HandClock) -> None:
    (visitor,) = await node.people(1)

    async def keep() -> None:
        await node.tables.notebooks.keep_notes(1, visitor, "x" * NOTES_MOST)

    assert await refused("too_many", keep, 50) == 6
    await clock.advance(10_000)
    assert await refused("too_many", keep, 50) == 1


async def test_what_is_said_is_paced_by_its_length_whatever_the_channel(node: Node, clock: HandClock) -> None:
    lea = await node.club.accounts.create("Lea", "motdepasse")
    max_ = await node.club.accounts.create("Max", "motdepasse")
    channels = ["global", private_channel(lea.id, max_.id)]
    turns = itertools.count()

    async def say() -> None:
        await clock.advance(2_500)
        await node.club.messages.say(lea, channels[next(turns) % 2], "x" * 1000)

    # What comes back meanwhile is what lies above the 300.
    assert 300 <= await refused("too_many", say, 400) <= 310
    await node.club.messages.say(max_, "global", "Et moi ?")


async def test_messages_of_one_author_are_bounded_in_number(
    node: Node, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tablee.club.messages.MESSAGES_MOST", 5)
    lea = await node.club.accounts.create("Lea", "motdepasse")
    assert await refused("messages_full", lambda: node.club.messages.say(lea, "global", "Bonjour"), 20) == 5


async def test_a_mark_of_reading_is_kept_only_where_something_was_said(node: Node) -> None:
    (visitor,) = await node.people(1)
    for table_id in range(1, 50):
        await node.club.messages.read(visitor, f"table:{table_id}", 10)
    assert await node.store.rows(Query(select(reading.c.channel))) == []


async def test_a_visitor_hosts_a_bounded_number_of_tables_at_once(node: Node) -> None:
    visitor, other = await node.people(2)
    infos = [await node.nim(visitor) for _ in range(TABLES_OF_VISITOR_MOST)]
    with pytest.raises(TooManyTables):
        await node.nim(visitor)
    await node.nim(other)
    await node.tables.creating.close(infos[0].id, visitor)
    await node.nim(visitor)


async def test_names_and_descriptions_of_tables_are_bounded_on_every_door(node: Node) -> None:
    (visitor,) = await node.people(1)
    with pytest.raises(BadOptions) as name:
        await node.nim(visitor, name="x" * (TABLE_NAME_MOST + 1))
    assert name.value.code == "name_too_long"
    with pytest.raises(BadOptions) as about:
        await node.nim(visitor, terms=Terms(description="x" * (DESCRIPTION_MOST + 1)))
    assert about.value.code == "description_too_long"
    with pytest.raises(Invalid):
        await node.tables.notebooks.keep_draft(1, visitor, 1, 0, (), "x" * 10_001)


async def test_requests_blocks_bots_and_challenges_are_bounded(
    node: Node, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    club = node.club
    lea = await club.accounts.create("Lea", "motdepasse")
    others = [await club.accounts.create(f"Ami{n}", "motdepasse") for n in range(4)]
    for name in ("friends.REQUESTS_MOST", "blocks.BLOCKS_MOST"):
        monkeypatch.setattr(f"tablee.club.{name}", 2)
    monkeypatch.setattr("tablee.tables.challenges.CHALLENGES_MOST", 2)
    people = iter(others)
    assert await refused("friend_requests_full", lambda: club.friends.ask(lea, next(people)), 4) == 2
    for other in others[:2]:
        await club.friends.accept(other, lea)
    await club.friends.ask(lea, others[2])
    await club.friends.accept(others[2], lea)
    people = iter(others[:3])

    async def challenge() -> None:
        await node.tables.challenges.challenge(lea, next(people), "nim", "plain", {})

    assert await refused("challenges_full", challenge, 3) == 2
    people = iter(others)
    assert await refused("blocks_full", lambda: club.blocks.block(lea, next(people)), 4) == 2
    await club.blocks.block(lea, others[0])
    assert await refused("bots_full", lambda: club.sessions.open(lea, kind="bot"), 50) == BOTS_MOST


async def test_who_changes_his_profile_without_end_is_slowed_down(node: Node) -> None:
    lea = await node.club.accounts.create("Lea", "motdepasse")

    async def change() -> None:
        await node.club.accounts.change(lea, settings={"theme": "x" * 10_000})

    assert await refused("too_many", change, 50) == 11


def test_every_bound_is_documented() -> None:
    page = Path(__file__).parents[2].joinpath("docs", "limits.md").read_text("utf-8")
    for name, most in vars(limits_of_one).items():
        if name.isupper():
            assert f"`{name}` | {most:,} |" in page, f"docs/limits.md does not say that {name} is {most:,}"
