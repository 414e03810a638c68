"""Chess at a table: its usual clocks, lag, a lost connection, colours in the statistics."""

from __future__ import annotations

from typing import Any

import pytest
from tests.kit.playing import play
from tests.kit.waiting import until
from tests.tables.conftest import Node, Opener

from tablee.clock import HandClock
from tablee.rules.chess import Move
from tablee.rules.chess.model import CameBack
from tablee.rules.chess.rules import ChessRules
from tablee.rules.chess.views import ToldWentAway
from tablee.tables import BadOptions, HouseTable, TablePlan, Wish
from tablee.tables.clocks import Budget, Days, NoClock

GAMES: dict[tuple[str, str], Any] = {("chess", each): ChessRules(each) for each in ("classic", "dark")}


@pytest.fixture
async def node(open_node: Opener) -> Node:
    return await open_node(games=GAMES)


async def chess(node: Node, *people: int, options: Any = None, **choices: Any) -> HouseTable:
    info = await node.tables.creating.create(
        TablePlan("chess", "classic", options or {}, people[0], **choices)
    )
    await node.tables.sitting.join(info.id, people[1])
    return await node.tables.info(info.id)


async def test_a_table_that_names_no_clock_has_45_minutes_and_ten_for_a_turn(node: Node) -> None:
    info = await chess(node, *await node.people(2), time_control=None)
    assert (info.time_control, info.options["turn_minutes"]) == (Budget(2700), 10)
    live = await node.tables.open(info.id)
    assert live.view(1).turn_until == live.at + 600_000


@pytest.mark.parametrize(
    "control",
    [Budget(300, 3), Budget(600), Budget(900, 10), Days(3), NoClock()],
    ids=["5+3", "10+0", "15+10", "days", "none"],
)
async def test_every_clock_of_the_house_can_be_had(node: Node, control: Any) -> None:
    info = await chess(node, *await node.people(2), time_control=control)
    assert info.time_control == control
    assert info.options["pace"] == ("days" if isinstance(control, Days) else "live")
    with pytest.raises(BadOptions):
        await chess(node, *await node.people(2), time_control={"kind": "budget", "seconds": -1})


async def test_those_who_wait_for_anything_meet_those_who_named_the_usual_clock(node: Node) -> None:
    first, second = await node.people(2)
    await node.tables.matchmaking.enter(first, "chess", "dark", Wish())
    await node.tables.matchmaking.enter(second, "chess", "dark", Wish(time_control=Budget(2700)))
    [info] = await node.tables.lobby.of_account(first)
    assert [taken.account_id for taken in info.seats] == [first, second]
    assert (await node.tables.open(info.id)).view(1).you == "white"


async def test_queues_of_different_times_do_not_meet(node: Node) -> None:
    first, second, third = await node.members(3)
    queue = node.tables.matchmaking
    await queue.enter(first, "chess", "classic", Wish(time_control=Budget(180, 2)))
    await queue.enter(second, "chess", "classic", Wish(time_control=Budget(300, 3)))
    assert await queue.waiting(first) is not None
    await queue.enter(third, "chess", "classic", Wish(time_control=Budget(180, 2)))
    [info] = await node.tables.lobby.of_account(first)
    assert (info.time_control, info.rated, info.unrated) == (Budget(180, 2), True, None)
    assert await queue.waiting(second) is not None


@pytest.mark.parametrize("side", ["white", "black"])
async def test_who_waits_for_a_colour_has_it_whoever_came_first(node: Node, side: str) -> None:
    first, second = await node.members(2)
    await node.tables.matchmaking.enter(first, "chess", "classic", Wish(side="lot"))
    await node.tables.matchmaking.enter(second, "chess", "classic", Wish(side=side))
    [info] = await node.tables.lobby.of_account(second)
    mine = info.seat_of(second)
    assert mine is not None
    assert (await node.tables.open(info.id)).view(mine.seat).you == side
    with pytest.raises(BadOptions):
        await node.tables.matchmaking.enter(first, "chess", "classic", Wish(side="grey"))


async def test_a_visitor_is_put_together_with_who_does_not_ask_for_a_rated_game(node: Node) -> None:
    member, other = await node.members(2)
    visitor = (await node.club.accounts.create_visitor()).id
    queue = node.tables.matchmaking
    await queue.enter(visitor, "chess", "classic", Wish())
    await queue.enter(member, "chess", "classic", Wish())
    assert await queue.waiting(visitor) is not None
    await queue.enter(other, "chess", "classic", Wish(rated=False))
    [info] = await node.tables.lobby.of_account(visitor)
    assert (info.rated, info.unrated) == (False, "chosen")
    assert info.seat_of(other) is not None


async def test_lag_is_spared_and_a_restart_changes_nothing(open_node: Opener, clock: HandClock) -> None:
    node = await open_node(games=GAMES)
    info = await chess(node, *await node.people(2), time_control=Budget(300, 3))
    await clock.advance(10_000)
    await play(node.tables, info.id, 1, Move("e2e4"), lag=400)
    await clock.advance(10_000)
    await play(node.tables, info.id, 2, Move("e7e5"), lag=60_000)
    live = await node.tables.open(info.id)
    faces = live.clock_faces()
    assert [faces[seat].left for seat in (1, 2)] == [300_000 - 9_600 + 3_000, 300_000 - 9_500 + 3_000]
    await play(node.tables, info.id, 1, Move("g1f3"))
    faces = (await node.tables.open(info.id)).clock_faces()
    await node.crash()
    again = await open_node(games=GAMES)
    assert (await again.tables.open(info.id)).clock_faces() == faces
    page = await again.tables.history.page(info.id)
    assert "lag" not in str(page)


async def test_a_lost_connection_is_told_at_once_and_loses_after_a_minute(
    node: Node, clock: HandClock
) -> None:
    white, black = await node.people(2)
    info = await chess(node, white, black)
    live = await node.tables.open(info.id)
    told: list[Any] = []
    live.subscribe(lambda news: told.extend(fact for each in news for fact in each.told(1) or []))
    for seat, who in ((1, white), (2, black), (2, black)):
        await node.tables.presence.arrive(info.id, seat, who)
    await node.tables.presence.depart(info.id, 2, black)
    assert told == [], "he has another connection"
    await node.tables.presence.depart(info.id, 2, black)
    await until(lambda: [type(fact) for fact in told] == [ToldWentAway])
    assert live.view(1).away == {2: clock.now() + 60_000}
    await clock.advance(59_000)
    await node.tables.presence.arrive(info.id, 2, black)
    await until(lambda: [type(fact) for fact in told] == [ToldWentAway, CameBack])
    await clock.advance(120_000)
    assert not live.is_over
    await node.tables.presence.depart(info.id, 2, black)
    await until(lambda: isinstance(told[-1], ToldWentAway))
    await clock.advance(60_000)
    await until(lambda: live.is_over)
    assert (live.view(1).ended, live.view(1).winner) == ("absent", "white")


async def test_a_game_by_days_is_not_lost_by_going_away(node: Node, clock: HandClock) -> None:
    white, black = await node.people(2)
    info = await chess(node, white, black, time_control=Days(2))
    await node.tables.presence.arrive(info.id, 2, black)
    await node.tables.presence.depart(info.id, 2, black)
    await clock.advance(3_600_000)
    assert not (await node.tables.open(info.id)).is_over


async def test_results_are_counted_by_colour_with_the_end_of_the_game(node: Node) -> None:
    lea, max_ = await node.people(2)
    for options in ({}, {"sides": "second"}):
        info = await chess(node, lea, max_, options=options)
        await node.tables.sitting.leave(info.id, max_)
    for who, expected in (
        (lea, [("black", 1, 1, 0), ("white", 1, 1, 0)]),
        (max_, [("black", 1, 0, 1), ("white", 1, 0, 1)]),
    ):
        counted = await node.club.ratings.by_side(who, "chess", "classic")
        assert [(each.place, each.played, each.won, each.lost) for each in counted] == expected
