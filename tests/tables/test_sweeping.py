"""Tables to which nobody comes any more are closed, and those who have a part in them are told before."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import func, select
from tests.kit.playing import play
from tests.tables.conftest import Node, Opener
from tests.tables.nim import NimRules, Take

from tablee.clock import HandClock
from tablee.club.sweeping import sweep as sweep_club
from tablee.rules.contract import SPECTATOR, Result
from tablee.rules.diplomacy.rules import DiplomacyRules
from tablee.store import Query, TimeOwed
from tablee.store.schema import account, event, game_table
from tablee.tables import HouseTable, NoSuchTable, Over, TablePlan, Terms
from tablee.tables.sweeping import CLAIMED_AT_ONCE

MINUTE = 60_000
HOUR = 60 * MINUTE
DAY = 24 * HOUR
DAYS: dict[str, Any] = {"kind": "days", "days": 3}


@pytest.fixture
async def node(open_node: Opener) -> Node:
    """A node that sweeps only when it is told to."""
    return await still(await open_node())


async def still(node: Node) -> Node:
    for repeating in node.tables._rounds:
        await repeating.stop()
    return node


async def member(node: Node, pseudo: str) -> int:
    return (await node.club.accounts.create(pseudo, "motdepasse")).id


async def after(node: Node, *waits: int) -> None:
    """Time passes, and after each while the house looks around."""
    assert isinstance(node.clock, HandClock)
    for wait in waits:
        await node.clock.advance(wait)
        await node.tables.sweeping.sweep()


async def status(node: Node, info: HouseTable) -> str:
    return (await node.tables.read_info(info.id)).status


async def told(node: Node, account_id: int) -> list[tuple[str, str]]:
    """What somebody was told about his tables, the oldest first."""
    notices = await node.club.notices.list(account_id)
    return [(each.kind, each.about["reason"]) for each in reversed(notices)]


async def test_a_game_against_a_robot_that_nobody_has_looked_at_for_an_hour_is_void(node: Node) -> None:
    lea = await member(node, "Lea")
    info = await node.nim(lea, seats=2, robots=["one"])
    await after(node, 50 * MINUTE)
    assert (await status(node, info), await told(node, lea)) == ("running", [("closing_soon", "unattended")])
    await after(node, 14 * MINUTE)
    assert await status(node, info) == "running"
    await after(node, 2 * MINUTE)
    over = await node.tables.read_info(info.id)
    assert (over.status, over.result) == ("over", Result({}, "unattended", rated=False))
    standing = await node.club.ratings.standing(lea, "nim", "plain")
    assert (standing.rating, standing.played) == (1500, 0)
    with pytest.raises(Over):
        await play(node.tables, info.id, 1, Take(1))


async def test_the_end_by_the_house_is_in_the_log_and_holds_after_a_restart(
    node: Node, open_node: Opener
) -> None:
    info = await node.nim(*await node.people(1), seats=2, robots=["one"])
    await after(node, 50 * MINUTE, 16 * MINUTE)
    last = (await node.store.events(info.id))[-1]
    void = '{"do":"void","reason":"unattended","by":null}'
    assert (last.seat, last.action, last.facts) == (-1, void, "[]")
    live = await node.tables.open(info.id)
    assert live.result == Result({}, "unattended", rated=False)
    live.close()
    del node.tables.loaded[info.id]
    again = await node.tables.open(info.id)
    assert again is not live
    assert (again.is_over, again.result, again.due()) == (True, live.result, None)
    assert again.state == live.state
    assert (await node.tables.history.page(info.id)).view == live.view(SPECTATOR)


async def test_in_a_void_game_no_clock_runs_and_nobody_is_waited_for(node: Node) -> None:
    budget = {"kind": "budget", "seconds": 7_200}
    info = await node.nim(*await node.people(1), seats=2, robots=["one"], time_control=budget)
    await after(node, 50 * MINUTE, 16 * MINUTE)
    live = await node.tables.open(info.id)
    assert live.info.is_void
    assert live.waiting() == frozenset()
    assert not any(face.until for face in live.clock_faces().values())
    live.close()
    del node.tables.loaded[info.id]
    again = await node.tables.open(info.id)
    assert again.clock_faces() == live.clock_faces()
    assert again.waiting() == frozenset()


async def test_who_looks_in_keeps_his_table(node: Node) -> None:
    (visitor,) = await node.people(1)
    info = await node.nim(visitor, seats=2, robots=["one"])
    await after(node, 50 * MINUTE)
    node.tables.looks.note(info.id)
    await after(node, 16 * MINUTE, 30 * MINUTE)
    assert await status(node, info) == "running"
    await after(node, 20 * MINUTE, 16 * MINUTE)
    assert await status(node, info) == "over"
    assert await told(node, visitor) == [("closing_soon", "unattended")] * 2


async def test_a_table_is_kept_while_somebody_is_connected_or_looks_on(node: Node) -> None:
    (visitor,) = await node.people(1)
    played, watched = [await node.nim(visitor, seats=2, robots=["one"]) for _ in range(2)]
    await node.tables.presence.arrive(played.id, 1, visitor)
    gone = node.tables.looks.watch(watched.id)
    await after(node, *[40 * MINUTE] * 5)
    assert (await status(node, played), await status(node, watched)) == ("running", "running")
    assert await told(node, visitor) == []
    await node.tables.presence.depart(played.id, 1, visitor)
    gone()
    await after(node, 50 * MINUTE, 50 * MINUTE, 16 * MINUTE)
    assert (await status(node, played), await status(node, watched)) == ("over", "over")


async def test_an_open_table_of_a_visitor_who_has_gone_is_closed_and_a_members_stays(node: Node) -> None:
    (visitor,) = await node.people(1)
    deserted, waiting = await node.nim(visitor), await node.nim(await member(node, "Lea"))
    await after(node, 50 * MINUTE, 16 * MINUTE)
    closed = await node.tables.read_info(deserted.id)
    assert (closed.status, closed.result) == ("closed", Result({}, "unattended", rated=False))
    assert await status(node, waiting) == "open"


async def test_a_table_that_never_began_is_closed_after_a_week_and_its_host_told_a_day_before(
    node: Node,
) -> None:
    lea = await member(node, "Lea")
    info = await node.nim(lea)
    await after(node, 5 * DAY)
    assert await told(node, lea) == []
    await after(node, DAY + HOUR)
    assert (await status(node, info), await told(node, lea)) == ("open", [("closing_soon", "never_begun")])
    await after(node, DAY)
    assert await status(node, info) == "closed"
    assert await told(node, lea) == [("closing_soon", "never_begun"), ("table_swept", "never_begun")]


async def test_a_table_by_days_that_never_began_has_sixty_days_and_a_week_of_warning(node: Node) -> None:
    lea = await member(node, "Lea")
    info = await node.nim(lea, time_control=DAYS)
    await after(node, 50 * DAY)
    assert await told(node, lea) == []
    await after(node, 4 * DAY)
    assert await told(node, lea) == [("closing_soon", "never_begun")]
    await after(node, 6 * DAY)
    assert await status(node, info) == "open"
    await after(node, 2 * DAY)
    assert await status(node, info) == "closed"


async def test_a_live_game_that_all_its_people_have_left_alone_for_a_day_is_void(node: Node) -> None:
    lea, max_ = await member(node, "Lea"), await member(node, "Max")
    info = await node.nim(lea, max_)
    await after(node, 17 * HOUR)
    assert await told(node, max_) == []
    await after(node, 2 * HOUR, 6 * HOUR)
    assert (await node.tables.read_info(info.id)).result == Result({}, "deserted", rated=False)
    for player in (lea, max_):
        assert await told(node, player) == [("closing_soon", "deserted"), ("table_swept", "deserted")]
        assert (await node.club.ratings.standing(player, "nim", "plain")).played == 0


async def test_a_game_by_days_and_one_with_a_master_are_left_to_their_terms(open_node: Opener) -> None:
    games = {("nim", "plain"): NimRules(), ("diplomacy", "standard"): DiplomacyRules("standard")}
    node = await still(await open_node(games=games))
    lea, max_, nora = [await member(node, name) for name in ("Lea", "Max", "Nora")]
    by_days = await node.nim(lea, max_, time_control=DAYS)
    mastered = await node.tables.creating.create(
        TablePlan("diplomacy", "standard", {"minutes": 1_439}, nora, terms=Terms(mastered=True))
    )
    for player in (lea, max_):
        await node.tables.sitting.join(mastered.id, player)
    await node.tables.creating.start(mastered.id, nora)
    await after(node, 19 * HOUR, 6 * HOUR, DAY)
    assert (await status(node, by_days), await status(node, mastered)) == ("running", "running")
    assert await told(node, lea) == []


async def test_a_table_that_the_house_has_laid_waits_for_whoever_comes_first(node: Node) -> None:
    laid = await node.tables.creating.create(
        TablePlan("nim", "plain", {}, None, robots=["one"], seats=2, door="demo")
    )
    await after(node, DAY, DAY, DAY)
    assert await status(node, laid) == "open"
    (visitor,) = await node.people(1)
    await node.tables.sitting.join(laid.id, visitor)
    node.tables.looks.note(laid.id)
    await after(node, HOUR, 50 * MINUTE, 16 * MINUTE)
    assert await status(node, laid) == "over"


async def test_time_in_which_no_node_ran_does_not_count(node: Node, clock: HandClock) -> None:
    info = await node.nim(*await node.people(1), seats=2, robots=["one"])
    await after(node, 40 * MINUTE)
    await clock.advance(DAY)
    await node.tables.sweeping.give_back(TimeOwed("pause", DAY, is_kept=False))
    await after(node, 4 * MINUTE)
    assert await status(node, info) == "running"
    row = await node.store.one(Query(select(game_table.c.warned_at).where(game_table.c.id == info.id)))
    assert row is not None
    assert row.warned_at is None


async def test_a_round_sees_to_a_bounded_number_of_tables(node: Node) -> None:
    for visitor in await node.people(CLAIMED_AT_ONCE + 5):
        await node.nim(visitor)
    assert isinstance(node.clock, HandClock)
    await node.clock.advance(HOUR)
    assert [await node.tables.sweeping.sweep() for _ in range(3)] == [CLAIMED_AT_ONCE, 5, 0]


async def test_what_visitors_left_is_forgotten_and_then_the_visitors_too(node: Node) -> None:
    lea = await member(node, "Lea")
    visitors = await node.people(2)
    alone, opened = await node.nim(visitors[0], seats=2, robots=["one"]), await node.nim(visitors[1])
    with_lea = await node.nim(lea, seats=2, robots=["one"])
    finished = await node.nim(visitors[0], seats=2, robots=["one"], options={"matches": 1})
    await play(node.tables, finished.id, 1, Take(1))
    await after(node, 50 * MINUTE, 16 * MINUTE, MINUTE, 29 * DAY)
    assert await status(node, alone) == "over"
    await after(node, 2 * DAY)
    for gone in (alone, opened):
        with pytest.raises(NoSuchTable):
            await node.tables.read_info(gone.id)
    counted = Query(select(func.count().label("n")).where(event.c.table_id == alone.id))
    row = await node.store.one(counted)
    assert row is not None
    assert row.n == 0
    assert (await status(node, with_lea), await status(node, finished)) == ("over", "over")
    assert isinstance(node.clock, HandClock)
    await node.clock.advance(90 * DAY)
    await sweep_club(node.store, node.clock)
    left = await node.store.rows(Query(select(account.c.id).where(account.c.kind == "visitor")))
    assert [row.id for row in left] == [visitors[0]], "who has played a game to its end stays with it"
