"""Somebody sets the clock of the machine, or puts it to sleep: nobody who plays loses or gains by it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import select
from tests.kit.playing import play
from tests.kit.waiting import as_time_passes, until
from tests.tables.conftest import Node, Opener
from tests.tables.nim import Take

from tablee.clock import HandClock
from tablee.club import TooMany
from tablee.club.limits import Bucket, Limits, Window
from tablee.rules.mines.model import Click
from tablee.store import Nodes, Query, TimeOwed, Unavailable, open_store
from tablee.store.nodes import OWED
from tablee.store.schema import counter
from tablee.tables import LoadedTable
from tablee.tables.matchmaking import Wish

HOUR = 3_600_000
BUDGET = {"kind": "budget", "seconds": 300}
STEPS = pytest.mark.parametrize("step", [HOUR, -HOUR, 5_000, -5_000])


async def set_clock(node: Node, clock: HandClock, step: int) -> None:
    """The clock of the machine is set, and the next beat of the node's heart notices."""
    clock.step(step)
    await node.nodes.look_at_clock(node.tables.stepped)
    await node.tables.quiet()


async def passes(clock: HandClock, condition: Callable[[], object]) -> None:
    """Let time pass until something is so; threads are given their time too."""
    await as_time_passes(clock, condition, step=1_000)


async def a_game(node: Node, **choices: Any) -> LoadedTable:
    info = await node.nim(*await node.people(2), **choices)
    live = await node.tables.open(info.id)
    live.subscribe(lambda news: None)  # who looks on keeps it in memory
    return live


def left(live: LoadedTable, seat: int) -> int | None:
    face = live.clock_faces().get(seat)
    return None if face is None else face.left


@STEPS
async def test_a_clock_that_is_set_changes_no_player_clock(node: Node, clock: HandClock, step: int) -> None:
    await node.nodes.register()
    live = await a_game(node, time_control=BUDGET)
    await clock.advance(10_000)
    before = clock.now()
    await set_clock(node, clock, step)
    assert clock.now() == before + step, "the house follows"
    assert left(live, 1) == 290_000
    await clock.advance(20_000)
    await play(node.tables, live.info.id, 1, Take(1))
    assert left(live, 1) == 270_000
    assert not live.is_over
    await passes(clock, lambda: live.is_over)


@STEPS
async def test_a_game_that_is_not_in_memory_is_given_the_step_back_too(
    open_node: Opener, clock: HandClock, step: int
) -> None:
    node = await open_node()
    await node.nodes.register()
    live = await a_game(node, time_control=BUDGET)
    await clock.advance(10_000)
    node.tables.drop(live)
    await set_clock(node, clock, step)
    again = await node.tables.open(live.info.id)
    assert again is not live
    await until(lambda: left(again, 1) == 290_000)


async def test_until_the_heart_beats_nothing_has_happened(node: Node, clock: HandClock) -> None:
    await node.nodes.register()
    live = await a_game(node, time_control=BUDGET)
    clock.step(HOUR)
    await clock.advance(1_000)
    await node.tables.deadlines.sweep()
    assert left(live, 1) == 299_000
    await play(node.tables, live.info.id, 1, Take(1))
    assert not live.is_over


async def test_the_heart_notices_by_itself(node: Node, clock: HandClock) -> None:
    await node.nodes.register()

    async def nobody(left_behind: object) -> None:
        raise AssertionError

    node.nodes.start(nobody, node.tables.stepped)
    live = await a_game(node, time_control=BUDGET)
    for step in (HOUR, -2 * HOUR):
        last = live.seq
        clock.step(step)
        await passes(clock, lambda last=last: live.seq > last)  # type: ignore[misc]
        assert clock.astray() == 0
    assert not live.is_over
    await node.nodes.stop()


@STEPS
async def test_deadlines_in_days_stay_dates(node: Node, clock: HandClock, step: int) -> None:
    await node.nodes.register()
    live = await a_game(node, time_control={"kind": "days", "days": 2})
    before = live.clocks.until
    await set_clock(node, clock, step)
    assert live.clocks.until == before


async def test_an_alarm_rings_in_time_after_the_clock_was_set_back(node: Node, clock: HandClock) -> None:
    await node.nodes.register()
    live = await node.mines(*await node.people(1))
    await node.tables.presence.arrive(live.info.id, 1, live.info.taken[0].account_id)
    await play(node.tables, live.info.id, 1, Click(0, 0))
    due = live.due()
    assert due is not None
    wait = due - clock.now()
    await set_clock(node, clock, -HOUR)
    assert live.due() == clock.now() + wait
    seq = live.seq
    await passes(clock, lambda: live.seq > seq)
    assert live.at <= due - HOUR + 60_000


async def test_what_is_played_after_the_clock_was_set_back_is_dated_as_it_is_now(
    node: Node, clock: HandClock
) -> None:
    await node.nodes.register()
    live = await a_game(node)
    await set_clock(node, clock, -HOUR)
    await play(node.tables, live.info.id, 1, Take(1))
    assert live.at == clock.now()


@pytest.mark.parametrize("rule", [Bucket(2, 60), Window(2, 60)])
@pytest.mark.parametrize("step", [HOUR, -HOUR])
async def test_limits_neither_stop_nor_open_when_the_clock_is_set(
    clock: HandClock, rule: Bucket | Window, step: int
) -> None:
    limits = Limits(clock, {"say": rule})
    limits.take("say", 1)
    limits.take("say", 1)
    clock.step(step)
    clock.follow()
    with pytest.raises(TooMany):
        limits.take("say", 1)
    await clock.advance(60_000)
    limits.take("say", 1)


async def test_who_waits_for_an_opponent_has_waited_as_long_as_before(node: Node, clock: HandClock) -> None:
    await node.nodes.register()
    (ada,) = await node.people(1)
    await node.tables.matchmaking.enter(ada, "nim", "plain", Wish())
    await clock.advance(5_000)
    await set_clock(node, clock, HOUR)
    waiting = await node.tables.matchmaking.waiting(ada)
    assert waiting is not None
    assert clock.now() - waiting.since == 5_000


async def test_a_house_that_starts_after_its_clock_was_set_back_goes_on(
    open_node: Opener, clock: HandClock
) -> None:
    node = await open_node()
    await node.nodes.register()
    live = await a_game(node, time_control=BUDGET)
    await clock.advance(10_000)
    await node.nodes.beat()
    await node.crash()
    clock.step(-HOUR)
    clock.follow()
    again = await open_node()
    arrival = await again.nodes.register()
    assert arrival.downtime == -HOUR
    await again.tables.deadlines.give_back(arrival.pause)
    table = await again.tables.open(live.info.id)
    await until(lambda: left(table, 1) == 290_000)


@STEPS
async def test_no_look_shows_a_clock_by_the_wrong_time(node: Node, clock: HandClock, step: int) -> None:
    await node.nodes.register()
    games = [await a_game(node, time_control=BUDGET) for _ in range(3)]
    await clock.advance(10_000)
    clock.step(step)
    noticing = asyncio.create_task(node.nodes.look_at_clock(node.tables.stepped))
    looks = 0
    while not noticing.done():
        for live in games:
            face = live.clock_faces()[1]
            assert face.until is not None
            assert (face.left, face.until - live.now()) == (290_000, 290_000)
        looks += 1
        await asyncio.sleep(0)
    await noticing
    assert looks > 3
    assert all(live.now() == clock.now() for live in games)


@STEPS
async def test_who_is_killed_while_he_gives_a_step_back_leaves_the_rest_to_the_next(
    open_node: Opener, clock: HandClock, database_url: str, step: int
) -> None:
    node = await open_node()
    await node.nodes.register()
    games = [await a_game(node, time_control=BUDGET) for _ in range(4)]
    await clock.advance(10_000)
    clock.step(step)

    async def killed(owed: TimeOwed) -> None:
        """Two tables have it, the others never will from this node."""
        for live in games[:2]:
            taken = live.give_back(owed.milliseconds, owed.name)
            assert taken is not None
            await taken
        raise ConnectionAbortedError

    with pytest.raises(ConnectionAbortedError):
        await node.nodes.look_at_clock(killed)
    await node.crash()
    await clock.advance(60_000)
    store = await open_store(database_url)
    arrival = await Nodes(store, clock).register()
    await store.close()
    assert arrival.downtime == 60_000, "the step is no time in which nobody ran"
    assert [owed.milliseconds for owed in arrival.earlier] == [step]
    again = await open_node(arrival=arrival)
    for live in games:
        table = await again.tables.open(live.info.id)
        assert left(table, 1) == 290_000
    still = Query(select(counter.c.name).where(counter.c.name.startswith(OWED)))
    assert await again.store.rows(still) == []


async def test_a_step_that_the_database_did_not_take_is_given_at_the_next_beat(
    node: Node, clock: HandClock
) -> None:
    await node.nodes.register()
    live = await a_game(node, time_control=BUDGET)
    clock.step(HOUR)

    async def gone(owed: TimeOwed) -> None:
        raise Unavailable("gone")

    with pytest.raises(Unavailable):
        await node.nodes.look_at_clock(gone)
    await node.nodes.look_at_clock(node.tables.stepped)
    assert (left(live, 1), clock.astray()) == (300_000, 0)
    seq = live.seq
    await node.nodes.look_at_clock(node.tables.stepped)
    await node.tables.quiet()
    assert live.seq == seq, "once is enough"


class TestSeveralNodes:
    """On PostgreSQL, each node with a clock of its own."""

    async def _nodes(self, open_node: Opener, url: str) -> list[tuple[Node, HandClock]]:
        found = []
        for _ in range(2):
            clock = HandClock()
            node = await open_node(clock=clock, url=url)
            await node.nodes.register()
            found.append((node, clock))
        return found

    async def test_a_node_whose_clock_is_set_does_not_leave_the_others(
        self, open_node: Opener, postgres_url: str
    ) -> None:
        (node, clock), (other, _) = await self._nodes(open_node, postgres_url)
        live = await a_game(node, time_control=BUDGET)
        before = clock.now()
        await set_clock(node, clock, HOUR)
        await node.nodes.beat()
        assert clock.now() == before
        assert left(live, 1) == 300_000
        assert len(await other.nodes.alive()) == 2

    async def test_a_node_that_was_asleep_comes_back_to_the_time_of_the_others(
        self, open_node: Opener, postgres_url: str
    ) -> None:
        (node, clock), (other, awake) = await self._nodes(open_node, postgres_url)
        live = await a_game(node, time_control=BUDGET)
        seq = live.seq
        await awake.advance(60_000)
        await other.nodes.beat()
        await set_clock(node, clock, 60_000)
        assert clock.now() == awake.now()
        assert live.seq == seq, "the others ran: nothing is given back"
        assert left(live, 1) == 240_000
