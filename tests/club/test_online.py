"""Who is online is known by account and door, and written in the end whatever the database does."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from sqlalchemy import select

from tablee.clock import HandClock
from tablee.club import Account, Club
from tablee.club.online import AGAIN_AFTER, HINT
from tablee.store import Query, Store, Unavailable, Unit, Write
from tablee.store.batch import Done
from tablee.store.schema import presence

Member = Callable[[str], Awaitable[Account]]
_ROWS = Query(select(presence.c.place, presence.c.account_id))


async def places(store: Store) -> set[tuple[str, int]]:
    await store.commit(Unit(writes=[]))
    return {(row.place, row.account_id) for row in await store.rows(_ROWS)}


async def test_somebody_is_online_until_he_has_left_by_every_door(
    club: Club, store: Store, member: Member
) -> None:
    anne = (await member("Anne")).id
    told: list[int | str] = []
    store.bus.subscribe(HINT, lambda key, value: told.append(value))
    club.online.arrive("web", anne)
    await club.online.arrived("minehive", anne)
    assert await places(store) == {("web", anne), ("minehive", anne)}
    assert await club.online.shown([anne, anne + 1]) == {anne}
    assert await club.online.is_elsewhere("web", anne)
    club.online.depart("web", anne)
    await club.online.departed("minehive", anne)
    assert await club.online.shown([anne]) == frozenset()
    assert list(dict.fromkeys(told)) == ["here", "gone"]


async def test_who_must_be_alone_is_refused_while_another_node_has_him(
    club: Club, store: Store, member: Member
) -> None:
    anne = (await member("Anne")).id
    row = club.online.row("pawnhub", anne)
    elsewhere = Write(row.query, {**row.params, "node_id": "another"})
    await store.commit(Unit(writes=[elsewhere]))
    assert await club.online.is_at_another_node("pawnhub", anne)
    assert not await club.online.arrive_alone("pawnhub", anne)
    assert await club.online.arrive_alone("web", anne)
    assert await places(store) == {("pawnhub", anne), ("web", anne)}


async def test_what_the_database_does_not_take_is_written_when_it_is_back(
    club: Club, store: Store, clock: HandClock, member: Member, monkeypatch: pytest.MonkeyPatch
) -> None:
    anne, bruno = (await member("Anne")).id, (await member("Bruno")).id
    club.online.arrive("web", anne)

    def away(unit: Unit, done: Done) -> None:
        asyncio.get_running_loop().call_soon(done, Unavailable("away"))

    with monkeypatch.context() as broken:
        broken.setattr(store, "submit", away)
        club.online.depart("web", anne)
        club.online.arrive("web", bruno)
        await asyncio.sleep(0.01)
    assert await places(store) == {("web", anne)}
    await clock.advance(AGAIN_AFTER)
    assert await places(store) == {("web", bruno)}


async def test_a_node_that_was_taken_for_dead_says_again_who_is_connected_to_it(
    club: Club, store: Store, member: Member
) -> None:
    anne = (await member("Anne")).id
    club.online.arrive("web", anne)
    assert await places(store) == {("web", anne)}
    await store.change(Query(presence.delete()))
    assert await places(store) == set()
    club.online.enter_again()
    assert await places(store) == {("web", anne)}
