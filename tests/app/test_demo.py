"""The lobby always has a table against a robot, and what nobody saw is forgotten."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator

import pytest
from tests.kit.waiting import as_time_passes

from tablee.clock import HandClock
from tablee.club import Club
from tablee.demo import KEPT, Demo, demo_tables
from tablee.rules import GAMES
from tablee.store import Store
from tablee.tables import LobbyFilter, Tables
from tablee.tables.robots import HUMAN


@pytest.fixture
async def club(store: Store, clock: HandClock) -> AsyncIterator[Club]:
    club = Club(store, clock)
    yield club
    await club.stop()


@pytest.fixture
async def tables(store: Store, club: Club, clock: HandClock) -> AsyncIterator[Tables]:
    tables = Tables(store, club, clock, random.Random(7), GAMES)
    await tables.start()
    yield tables
    await tables.stop()


def test_every_wished_table_fits_its_game() -> None:
    for wish in demo_tables():
        rules = GAMES[wish.game, wish.variant]
        assert set(wish.robots) <= set(rules.robots)


async def test_missing_tables_are_laid_and_those_that_are_there_are_left(
    store: Store, tables: Tables, clock: HandClock
) -> None:
    demo = Demo(store, tables, clock)
    await demo.lay()
    laid = await tables.lobby.listing(LobbyFilter(door="demo"))
    assert sorted(info.name for info in laid) == sorted(wish.name for wish in demo_tables())
    assert all(info.robots for info in laid)
    await demo.lay()
    assert len(await tables.lobby.listing(LobbyFilter(door="demo"))) == len(laid)


async def test_a_table_for_two_that_is_taken_is_followed_by_another_for_the_next_who_comes(
    store: Store, club: Club, tables: Tables, clock: HandClock
) -> None:
    demo = Demo(store, tables, clock)
    await demo.lay()
    [info] = await tables.lobby.listing(LobbyFilter(door="demo", game="chess", variant="alice"))
    assert (info.status, await store.events(info.id)) == ("open", []), "it costs nothing while nobody plays"
    visitor = await club.accounts.create_visitor()
    seat = await tables.sitting.join(info.id, visitor.id)
    assert (await tables.open(info.id)).view(seat.seat).you == "white"
    await demo.lay()
    others = await tables.lobby.listing(LobbyFilter(door="demo", game="chess", variant="alice"))
    assert sorted(other.status for other in others) == ["open", "running"]


async def test_robots_wait_for_company_and_then_play_at_a_human_pace(
    store: Store, club: Club, tables: Tables, clock: HandClock
) -> None:
    await Demo(store, tables, clock).lay()
    info = (await tables.lobby.listing(LobbyFilter(door="demo", game="mines", variant="classic")))[0]
    live = await tables.open(info.id)
    before = live.seq
    await clock.advance(HUMAN.most)
    await asyncio.sleep(0.05)
    assert live.seq == before, "nobody waits for it"
    visitor = await club.accounts.create_visitor()
    await tables.sitting.join(info.id, visitor.id)
    joined = live.seq
    start = clock.now()
    await as_time_passes(clock, lambda: live.seq > joined, step=100)
    assert clock.now() - start <= HUMAN.most + 3000


async def test_a_table_that_is_over_is_followed_by_the_next_and_forgotten_if_nobody_sat_there(
    store: Store, tables: Tables, clock: HandClock
) -> None:
    demo = Demo(store, tables, clock)
    await demo.start()
    laid = {info.id for info in await tables.lobby.listing(LobbyFilter(door="demo"))}
    small = next(i for i in await tables.lobby.listing(LobbyFilter(door="demo")) if i.variant == "custom")
    live = await tables.open(small.id)
    await as_time_passes(clock, lambda: live.is_over, step=5_000)

    seen: set[int] = set()

    async def is_followed() -> bool:
        seen.update(info.id for info in await tables.lobby.listing(LobbyFilter(door="demo")))
        return bool(seen - laid)

    async def is_forgotten() -> bool:
        return not await store.events(small.id)

    await as_time_passes(clock, is_followed, step=5_000, what="the next table")
    await clock.advance(KEPT)
    await as_time_passes(clock, is_forgotten, step=5_000, what="the log to be forgotten")
    await demo.stop()


async def test_newcomers_find_every_table_also_after_those_of_visitors_who_went_were_swept(
    store: Store, club: Club, tables: Tables, clock: HandClock
) -> None:
    demo = Demo(store, tables, clock)
    await demo.lay()
    visitor = await club.accounts.create_visitor()
    free = LobbyFilter(door="demo", with_free_seat=True, limit=200)
    laid = next(info for info in await tables.lobby.listing(free) if info.seats_least > 0)
    await tables.sitting.join(laid.id, visitor.id)
    for _ in range(3):
        await clock.advance(40 * 60_000)
        await tables.sweeping.sweep()
    while (await tables.read_info(laid.id)).status != "over":  # a sweep of the rounds may have it in hand
        await tables.sweeping.sweep()
    await demo.lay()
    there = {info.name for info in await tables.lobby.listing(free)}
    assert there == {wish.name for wish in demo_tables()}
