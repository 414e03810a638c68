"""Those who have much to be thought out take turns with those who have little."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable
from random import Random
from typing import Any

import pytest
from tests.kit.playing import play
from tests.kit.waiting import until
from tests.tables.conftest import Node, Opener
from tests.tables.nim import NimRules, Take
from tests.tables.test_robots import thinks_until

from tablee.clock import HandClock
from tablee.club import TooMany
from tablee.club.workroom import Workroom
from tablee.rules.contract import Fact
from tablee.rules.mines.rules import MinesRules
from tablee.tables import TablePlan
from tablee.tables.hall import MAKING_WAIT_MOST


async def test_whoever_brings_much_work_takes_turns_with_the_others() -> None:
    room = Workroom("test", workers=1)
    order: list[str] = []
    first = threading.Event()
    begun: list[asyncio.Future[Any]] = [asyncio.ensure_future(room.do("greedy", first.wait))]
    begun += [asyncio.ensure_future(room.do("greedy", order.append, f"greedy {n}")) for n in range(3)]
    begun += [asyncio.ensure_future(room.do(name, order.append, name)) for name in ("Ada", "Bob")]
    await asyncio.sleep(0)
    first.set()
    await asyncio.gather(*begun)
    assert order == ["greedy 0", "Ada", "Bob", "greedy 1", "greedy 2"]
    room.close()


async def test_nobody_has_two_pieces_worked_at_at_once() -> None:
    room = Workroom("test", workers=2)
    held, began = threading.Event(), threading.Event()

    def hold() -> None:
        began.set()
        held.wait()

    slow = [asyncio.ensure_future(room.do("greedy", hold)) for _ in range(2)]
    await asyncio.to_thread(began.wait)
    assert await room.do("Ada", lambda: "done") == "done", "one worker is left for the others"
    held.set()
    await asyncio.gather(*slow)
    room.close()


async def test_work_that_nobody_waits_for_any_more_is_not_begun() -> None:
    room = Workroom("test", workers=1)
    held, done = threading.Event(), list[str]()
    first = asyncio.ensure_future(room.do("Ada", held.wait))
    given_up = asyncio.ensure_future(room.do("Ada", done.append, "given up"))
    wanted = asyncio.ensure_future(room.do("Ada", done.append, "wanted"))
    await asyncio.sleep(0)
    given_up.cancel()
    held.set()
    await asyncio.gather(first, wanted)
    assert done == ["wanted"]
    room.close()


async def test_what_fails_fails_for_whoever_asked_alone() -> None:
    room = Workroom("test", workers=1)
    with pytest.raises(ZeroDivisionError):
        await room.do("Ada", lambda: 1 // 0)
    assert await room.do("Ada", lambda: 1) == 1
    room.close()


class SlowMines(MinesRules):
    """Its boards are made when the test says so."""

    let_go = threading.Event()

    def setup_is_slow(self, options: Any) -> bool:
        return True

    def setup(self, options: Any, seats: Any, at: int, rng: Random) -> list[Fact]:
        self.let_go.wait()
        return super().setup(options, seats, at, rng)


GAMES = {("mines", "slow"): SlowMines(), ("nim", "plain"): NimRules()}


def makes(node: Node, host: int, count: int) -> list[Awaitable[Any]]:
    return [
        asyncio.ensure_future(node.tables.creating.create(TablePlan("mines", "slow", {}, host)))
        for _ in range(count)
    ]


async def test_boards_that_take_long_to_make_do_not_keep_a_robot_waiting(
    open_node: Opener, clock: HandClock
) -> None:
    SlowMines.let_go.clear()
    node = await open_node(games=GAMES)
    greedy, player = await node.people(2)
    boards = makes(node, greedy, MAKING_WAIT_MOST)
    info = await node.nim(player, seats=2, robots=["one"])
    live = await node.tables.open(info.id)
    try:
        await play(node.tables, info.id, 1, Take(1))
        await thinks_until(clock, lambda: live.view(1).turn == 1)
    finally:
        SlowMines.let_go.set()
    await asyncio.gather(*boards)


async def test_one_host_may_have_only_a_few_slow_boards_waiting(open_node: Opener) -> None:
    SlowMines.let_go.clear()
    node = await open_node(games=GAMES)
    greedy, other = await node.people(2)
    boards = makes(node, greedy, 1 + MAKING_WAIT_MOST)
    await until(lambda: len(node.tables.making._waiting.get(greedy, ())) == MAKING_WAIT_MOST)
    try:
        with pytest.raises(TooMany):
            await node.tables.creating.create(TablePlan("mines", "slow", {}, greedy))
        boards += makes(node, other, 1)
    finally:
        SlowMines.let_go.set()
    await asyncio.gather(*boards)


async def test_where_one_has_as_much_waiting_as_he_may_he_comes_again_later() -> None:
    room, go_on = Workroom("test", 1, waiting_each=2), threading.Event()
    waiting = [asyncio.ensure_future(room.do("greedy", go_on.wait)) for _ in range(3)]
    await asyncio.sleep(0)
    with pytest.raises(TooMany):
        room.must_have_room("greedy")
    room.must_have_room("Ada")
    go_on.set()
    assert await asyncio.gather(*waiting) == [True, True, True]
    room.must_have_room("greedy")
    room.close()


async def test_what_goes_wrong_in_a_workroom_is_raised_to_who_asked() -> None:
    room = Workroom("test", 1)
    with pytest.raises(ZeroDivisionError):
        await room.do("Ada", lambda: 1 // 0)
    room.close()
