import asyncio
import pickle
import threading
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from structlog.testing import capture_logs
from tests.kit.playing import play
from tests.kit.waiting import as_time_passes
from tests.tables.conftest import Node, Opener
from tests.tables.nim import NimRules, OneByOne, Take

from tablee.clock import HandClock
from tablee.rules.contract import Action, Fact, Join, Json
from tablee.rules.mines.model import ClassicOptions
from tablee.rules.mines.rules import MinesRules
from tablee.tables import TablePlan
from tablee.tables.admission import BY_HOUSE
from tablee.tables.robots import think


async def thinks_until(clock: HandClock, condition: Callable[[], object]) -> None:
    await as_time_passes(clock, condition, step=50)


async def test_a_robot_answers_at_a_human_pace(node: Node, clock: HandClock) -> None:
    info = await node.nim((await node.people(1))[0], seats=2, robots=["one"])
    live = await node.tables.open(info.id)
    await play(node.tables, info.id, 1, Take(3))
    assert live.view(1).turn == 2, "not at once"
    await thinks_until(clock, lambda: live.view(1).turn == 1)
    assert live.view(1).matches == 17


async def test_two_robots_play_a_whole_game_by_themselves(node: Node, clock: HandClock) -> None:
    info = await node.tables.creating.create(
        TablePlan("nim", "plain", {"matches": 6}, seats=2, robots=["one", "one"])
    )
    live = await node.tables.open(info.id)
    assert len({taken.name for taken in live.info.seats}) == 2
    await thinks_until(clock, lambda: live.is_over)
    assert len(await node.store.events(info.id)) == 7


async def test_a_robot_thinks_beside_the_event_loop(open_node: Opener, clock: HandClock) -> None:
    threads: list[str] = []

    class Watched(OneByOne):
        def choose(self, view: Json, legal: Any, rng: Any) -> Action | None:
            threads.append(threading.current_thread().name)
            return super().choose(view, legal, rng)

    class WatchedNim(NimRules):
        robots = {"one": Watched()}  # noqa: RUF012

    node = await open_node(games={("nim", "plain"): WatchedNim()})
    info = await node.nim((await node.people(1))[0], seats=2, robots=["one"])
    live = await node.tables.open(info.id)
    await play(node.tables, info.id, 1, Take(1))
    await thinks_until(clock, lambda: live.view(1).turn == 1)
    assert threads
    assert threading.main_thread().name not in threads


async def test_a_robot_goes_on_after_a_restart(open_node: Opener, clock: HandClock) -> None:
    node = await open_node()
    info = await node.nim((await node.people(1))[0], seats=2, robots=["one"])
    await play(node.tables, info.id, 1, Take(1))
    await node.crash()
    again = await open_node()
    assert info.id in again.tables.loaded
    live = again.tables.loaded[info.id]
    await thinks_until(clock, lambda: live.view(1).turn == 1)


async def test_a_robot_that_waits_is_asked_again_when_something_has_happened(
    node: Node, clock: HandClock
) -> None:
    info = await node.nim(*await node.people(2))
    await node.tables.replacing.replace(info.id, 1, "dreamer", BY_HOUSE)
    for _ in range(20):
        await clock.advance(50)
        await asyncio.sleep(0.003)
    await node.tables.replacing.replace(info.id, 1, "one", BY_HOUSE)
    live = await node.tables.open(info.id)
    await thinks_until(clock, lambda: live.view(2).turn == 2)


async def test_a_robot_out_of_order_is_reported_and_harms_nothing(node: Node, clock: HandClock) -> None:
    info = await node.nim((await node.people(1))[0], seats=2, robots=["faulty"])
    await play(node.tables, info.id, 1, Take(1))
    with capture_logs() as logs:
        await thinks_until(clock, lambda: any(line["event"] == "robot_failed" for line in logs))
    await node.tables.replacing.replace(info.id, 2, "one", BY_HOUSE)
    live = await node.tables.open(info.id)
    await thinks_until(clock, lambda: live.view(1).turn == 1)


async def test_a_table_with_a_robot_to_move_is_not_put_away(node: Node, clock: HandClock) -> None:
    info = await node.nim((await node.people(1))[0], seats=2, robots=["dreamer"])
    await play(node.tables, info.id, 1, Take(1))
    for _ in range(100):
        await clock.advance(1_000)
        await asyncio.sleep(0.002)
    await node.tables.put_away()
    assert info.id in node.tables.loaded


@pytest.mark.parametrize("strength", sorted(MinesRules().robots))
def test_what_a_robot_of_mines_needs_to_think_can_go_to_another_process(strength: str) -> None:
    rules = MinesRules()
    state = None
    for fact in rules.setup(ClassicOptions(), (), 0, Random(1)):
        state = rules.evolve(state, fact)
    assert state is not None
    for fact in rules.decide(state, 1, Join("a"), 0, Random(1)):
        state = rules.evolve(state, fact)
    legal = rules.legal(state, 1)
    robot, view, sent = pickle.loads(pickle.dumps((rules.robots[strength], rules.view(state, 1), legal)))
    action = think(robot, view, sent, seed=1)
    assert action is not None
    assert legal.allows(action)


async def test_a_robot_whose_move_breaks_the_rules_tries_again(open_node: Opener, clock: HandClock) -> None:
    failures: list[Action] = []

    class BrokenOnce(NimRules):
        def decide(self, state: Any, seat: int, action: Action, at: int, rng: Any) -> list[Fact]:
            if seat == 2 and not failures:
                failures.append(action)
                raise RuntimeError("out of order")
            return super().decide(state, seat, action, at, rng)

    node = await open_node(games={("nim", "plain"): BrokenOnce()})
    info = await node.nim((await node.people(1))[0], seats=2, robots=["one"])
    live = await node.tables.open(info.id)
    await play(node.tables, info.id, 1, Take(1))
    await thinks_until(clock, lambda: live.view(1).turn == 1)
    assert len(failures) == 1
