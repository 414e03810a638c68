"""Alarms, player clocks and deadlines, live and after a restart."""

import asyncio
from collections.abc import Callable

from structlog.testing import capture_logs
from tests.kit.playing import play
from tests.kit.waiting import until
from tests.tables.conftest import Node, Opener
from tests.tables.nim import Take

from tablee.clock import HandClock
from tablee.rules.contract import CLOCK, Illegal, TimeGivenBack
from tablee.rules.mines.model import Click
from tablee.store.nodes import Arrival
from tablee.tables import Outcome
from tablee.tables.clocks import AFTER_RESTART, DAY


async def pass_time(clock: HandClock, milliseconds: int, step: int = 500) -> None:
    """Let time go by, with the real time that threads and servers need in between."""
    for _ in range(0, milliseconds, step):
        await clock.advance(step)
        await asyncio.sleep(0.002)


async def passes_until(clock: HandClock, condition: Callable[[], object], most: int = 600_000) -> None:
    """Let time go by until something is so, no more than `most` of it.

    What has begun by then has all the real time that it needs: a busy machine may be long in writing.
    """
    began = clock.now()
    while not condition() and clock.now() - began < most:
        await clock.advance(250)
        await asyncio.sleep(0.003)
    await until(condition)


async def test_an_alarm_of_the_game_is_played_when_it_is_due(node: Node, clock: HandClock) -> None:
    live = await node.mines(*await node.people(1))
    await pass_time(clock, 29_000)
    assert live.view(1).players["1"].active is True
    await passes_until(clock, lambda: live.view(1).players["1"].active is False, 1_500)
    last = (await node.store.events(live.info.id))[-1]
    assert (last.seat, last.action) == (CLOCK, '{"do":"alarm","name":"afk:1"}')


async def test_an_alarm_moves_with_what_is_played(node: Node, clock: HandClock) -> None:
    live = await node.mines(*await node.people(1))
    await pass_time(clock, 20_000)
    await play(node.tables, live.info.id, 1, Click(0, 0))
    await pass_time(clock, 28_000)
    assert live.view(1).players["1"].active is True
    await passes_until(clock, lambda: live.view(1).players["1"].active is False)


async def test_a_match_that_nobody_joined_ends_by_its_alarm(node: Node, clock: HandClock) -> None:
    live = await node.mines()
    await passes_until(clock, lambda: live.is_over, 70_000)
    assert live.info.status == "over"
    assert live.result is not None
    assert live.result.reason == "abandoned"


async def test_tables_that_no_node_has_in_memory_are_swept(open_node: Opener, clock: HandClock) -> None:
    node = await open_node()
    info = (await node.mines(*await node.people(1))).info
    await node.crash()
    again = await open_node()
    assert again.tables.loaded == {}
    await pass_time(clock, 31_000)
    await passes_until(clock, lambda: info.id in again.tables.loaded)
    live = again.tables.loaded[info.id]
    await passes_until(clock, lambda: live.view(1).players["1"].active is False)


async def test_a_deadline_passed_between_two_nodes_lives_is_played_by_the_next(
    open_node: Opener, clock: HandClock
) -> None:
    node = await open_node()
    info = await node.nim(*await node.people(2), time_control={"kind": "move", "seconds": 60})
    await node.crash()
    await clock.advance(120_000)
    again = await open_node()
    await until(lambda: info.id in again.tables.loaded and again.tables.loaded[info.id].is_over)
    assert again.tables.loaded[info.id].view(1).lost == 1


async def test_a_player_whose_time_is_up_loses_by_timeout(node: Node, clock: HandClock) -> None:
    info = await node.nim(
        *await node.people(2), time_control={"kind": "budget", "seconds": 30, "increment": 2}
    )
    live = await node.tables.open(info.id)
    await pass_time(clock, 10_000)
    assert live.clock_faces()[1].left == 20_000
    await play(node.tables, info.id, 1, Take(1))
    assert live.clock_faces()[1].left == 22_000
    assert live.clock_faces()[1].until is None
    await pass_time(clock, 5_000)
    await play(node.tables, info.id, 2, Take(1))
    await pass_time(clock, 21_000)
    assert not live.is_over
    await passes_until(clock, lambda: live.is_over, 5_000)
    assert live.result is not None
    assert (live.result.reason, live.result.ranks) == ("time", {1: 2, 2: 1})


async def test_a_move_that_comes_too_late_finds_the_flag_fallen(node: Node, clock: HandClock) -> None:
    info = await node.nim(*await node.people(2), time_control={"kind": "move", "seconds": 10})
    live = await node.tables.open(info.id)
    answers: list[Outcome] = []
    clock._now += 10_000  # the timer has not rung yet
    live.submit(1, Take(1), None, answers.append)
    await until(lambda: answers)
    assert answers[0].error is not None
    assert live.result is not None
    assert live.result.reason == "time"


async def test_clocks_go_on_where_they_were_after_a_restart(open_node: Opener, clock: HandClock) -> None:
    node = await open_node()
    info = await node.nim(
        *await node.people(2),
        options={"matches": 3000},
        time_control={"kind": "budget", "seconds": 3600, "increment": 1},
    )
    for i in range(300):
        clock._now += 1_500
        await play(node.tables, info.id, 1 + i % 2, Take(1))
    live = await node.tables.open(info.id)
    shown = live.clock_faces()
    assert shown[1].left == 3_600_000 - 150 * 500
    await node.crash()
    again = await open_node()
    reloaded = await again.tables.open(info.id)
    assert reloaded.clock_faces() == shown
    assert reloaded.clocks == live.clocks
    await pass_time(clock, 5_000, 5_000)
    assert reloaded.clock_faces()[1].left == shown[1].left - 5_000


async def test_time_in_which_no_node_ran_is_given_back_to_live_clocks(
    open_node: Opener, clock: HandClock
) -> None:
    node = await open_node()
    info = await node.nim(*await node.people(2), time_control={"kind": "budget", "seconds": 60})
    mines = (await node.mines(*await node.people(1))).info
    await clock.advance(10_000)
    since = clock.now()
    await node.crash()
    await clock.advance(300_000)
    again = await open_node(arrival=Arrival(clock.now(), since))
    live = await again.tables.open(info.id)
    field = await again.tables.open(mines.id)
    await until(lambda: live.seq == 2 and not field.is_busy)
    assert live.clock_faces()[1].left == 50_000
    assert field.view(1).players["1"].active is True
    await pass_time(clock, 19_000)
    assert field.view(1).players["1"].active is True
    await passes_until(clock, lambda: field.view(1).players["1"].active is False, 5_000)
    # A second node that starts at the same time gives nothing back a second time.
    again.tables.loaded[info.id].give_back(300_000, f"given-back:{since}")
    await again.tables.quiet()
    log = await again.store.events(info.id)
    assert sum('"time_given_back"' in event.action for event in log) == 1
    action = live.codec.action(log[1].action, 2)
    assert action == TimeGivenBack(300_000)


async def test_a_deadline_in_days_that_passed_meanwhile_waits_a_quarter_of_an_hour(
    open_node: Opener, clock: HandClock
) -> None:
    node = await open_node()
    info = await node.nim(*await node.people(2), time_control={"kind": "days", "days": 1})
    since = clock.now()
    await node.crash()
    await clock.advance(2 * DAY)
    again = await open_node(arrival=Arrival(clock.now(), since))
    live = await again.tables.open(info.id)
    await until(lambda: live.seq == 2)
    assert not live.is_over
    await pass_time(clock, AFTER_RESTART - 60_000, 60_000)
    # Nobody listens, so it was put away meanwhile; the sweep brings it back when its time has come.
    assert (await again.tables.read_info(info.id)).status == "running"
    await pass_time(clock, 50_000, 1_000)
    assert (await again.tables.read_info(info.id)).status == "running"

    def is_over() -> bool:
        return info.id in again.tables.loaded and again.tables.loaded[info.id].is_over

    await passes_until(clock, is_over, 30_000)


async def test_an_alarm_that_the_game_does_not_answer_is_rung_once_and_harms_nothing(
    node: Node, clock: HandClock
) -> None:
    with capture_logs() as logs:
        info = await node.nim(*await node.people(2), options={"stuck": True})
        live = await node.tables.open(info.id)
        await pass_time(clock, 60_000)
    assert [line["event"] for line in logs].count("alarm_unanswered") == 1
    await play(node.tables, info.id, 1, Take(1))
    assert live.view(1).matches == 20


async def test_the_stored_time_is_moved_only_when_it_must_be(node: Node, clock: HandClock) -> None:
    live = await node.mines(*await node.people(1))
    stored = (await node.tables.read_info(live.info.id)).due_at
    for i in range(10):
        await clock.advance(1_000)
        await play(node.tables, live.info.id, 1, Click(i, 0)) if i % 2 else None
    assert (await node.tables.read_info(live.info.id)).due_at == stored
    assert stored is not None
    await pass_time(clock, stored - clock.now() + 2_000)

    async def is_moved() -> bool:
        after = (await node.tables.read_info(live.info.id)).due_at
        return after is not None and after > clock.now()

    await until(is_moved, "the stored time to be moved, which is written on the side")


async def test_a_refusal_never_stops_a_clock(node: Node, clock: HandClock) -> None:
    info = await node.nim(*await node.people(2), time_control={"kind": "move", "seconds": 10})
    live = await node.tables.open(info.id)
    until_then = live.clock_faces()[1].until
    await clock.advance(3_000)
    for seat in (1, 2):
        try:
            await play(node.tables, info.id, seat, Take(7))
        except Illegal:
            continue
    assert live.clock_faces()[1].until == until_then
