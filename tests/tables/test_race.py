"""Robots at a table: boards, deadlines, robots of the house, seats that are left, ratings, the log."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import msgspec
import pytest
from tests.kit.patching import apply_patch
from tests.kit.playing import play
from tests.kit.waiting import until
from tests.rules.robots.races import FIELD, field
from tests.tables.conftest import QUICK, Node, Opener

from tablee.clock import HandClock
from tablee.rules.contract import SPECTATOR, Illegal
from tablee.rules.robots import Feature, Place, PracticeRules, Program, RaceRules
from tablee.rules.robots.robot import STRENGTHS
from tablee.tables import BadOptions, HouseTable, LoadedTable, RobotStays, TablePlan, Wish
from tablee.tables.admission import BY_HOUSE
from tablee.tables.patch import plain

GAMES: dict[tuple[str, str], Any] = {
    ("robots", each.variant): each for each in (RaceRules(), PracticeRules())
}


@pytest.fixture
async def node(open_node: Opener) -> Node:
    return await open_node(games=GAMES)


async def race(node: Node, *people: int, robots: tuple[str, ...] = (), **options: Any) -> HouseTable:
    """A running race of these people, and of robots of the house."""
    options = {"seats": max(2, len(people) + len(robots)), **options}
    info = await node.tables.creating.create(TablePlan("robots", "race", options, people[0], robots=robots))
    for who in people[1:]:
        await node.tables.sitting.join(info.id, who)
    return await node.tables.info(info.id)


async def place(node: Node, live: LoadedTable) -> None:
    """Everybody who is asked takes the proposed tile."""
    for seat in sorted(live.rules.waiting(live.state)):
        spot = live.view(seat).you.proposed
        await play(node.tables, live.info.id, seat, Place(spot.x, spot.y, spot.azimuth))


async def drive(node: Node, live: LoadedTable, *seats: int, rounds: int = 99) -> None:
    """People in these seats play as pilots do."""
    rng, last = Random(1), live.view(SPECTATOR).round + rounds
    while not live.is_over and live.view(SPECTATOR).round < last:
        waiting = [seat for seat in seats if seat in live.rules.waiting(live.state)]
        for seat in waiting:
            view = msgspec.json.decode(msgspec.json.encode(live.view(seat)), type=live.rules.view_type)
            action = STRENGTHS["pilot"].choose(view, live.rules.legal(live.state, seat), rng)
            assert action is not None
            await play(node.tables, live.info.id, seat, action)
        if not waiting:
            assert isinstance(node.clock, HandClock)
            await node.clock.advance(QUICK.most)  # the robots of the house think
            await asyncio.sleep(0.005)


async def test_two_people_race_to_the_end_and_are_rated(node: Node) -> None:
    lea, max_ = await node.people(2)
    info = await race(node, lea, max_)
    live = await node.tables.open(info.id)
    await drive(node, live, 1, 2)
    assert live.is_over
    after = await node.tables.info(info.id)
    assert after.result is not None
    assert after.result.reason in ("quest", "rounds")
    assert sorted(after.result.ranks.values()) in ([1, 2], [1, 1])
    for who in (lea, max_):
        assert (await node.club.ratings.standing(who, "robots", "race")).played == 1


async def test_practice_is_played_alone_and_changes_no_rating(node: Node) -> None:
    [lea] = await node.people(1)
    info = await node.tables.creating.create(TablePlan("robots", "practice", {}, lea))
    live = await node.tables.open(info.id)
    assert live.state is not None, "one seat, taken: it has begun"
    before = await node.club.ratings.standing(lea, "robots", "practice")
    await drive(node, live, 1)
    assert live.view(1).ended == "quest"
    after = await node.club.ratings.standing(lea, "robots", "practice")
    assert (after.mu, after.sigma) == (before.mu, before.sigma)


@pytest.mark.parametrize(
    ("boards", "said"),
    [
        (["no-such-board"], "no_such_board"),
        ([msgspec.to_builtins(field(("presse", 5, 5)))], "bad_boards"),
        ([msgspec.to_builtins(field(("action", 5, 5)))] * 2, "bad_boards"),
    ],
)
async def test_boards_that_do_not_fit_are_refused_with_the_table(node: Node, boards: Any, said: str) -> None:
    [lea] = await node.people(1)
    with pytest.raises(Illegal, match=said):
        await node.tables.creating.create(TablePlan("robots", "race", {"boards": boards}, lea))
    assert await node.tables.lobby.listing() == []


@pytest.mark.parametrize(
    "options",
    [
        {"boards": []},
        {"boards": ["cour"] * 5},
        {"boards": [{"boardIdx": "x"}]},
        {"boards": [5]},
        {"seats": 1},
        {"seats": 9},
        {"cartouche_seconds": -1},
        {"rounds": 0},
        {"lasers": True},
    ],
)
async def test_options_of_the_wrong_form_are_refused(node: Node, options: Any) -> None:
    [lea] = await node.people(1)
    with pytest.raises(BadOptions):
        await node.tables.creating.create(TablePlan("robots", "race", options, lea))


async def test_a_board_of_ones_own_is_raced_on(node: Node) -> None:
    document = msgspec.to_builtins(FIELD)
    info = await race(node, *await node.people(2), boards=[document])
    live = await node.tables.open(info.id)
    view = live.view(SPECTATOR)
    assert (view.names, view.laws[0]) == ((None,), (11, 2))
    assert msgspec.to_builtins(view.boards[0])["boardActiveTiles"] == tuple(document["boardActiveTiles"])


async def test_who_is_late_is_not_waited_for(node: Node, clock: HandClock) -> None:
    info = await race(node, *await node.people(2), cartouche_seconds=30, localization_seconds=20)
    live = await node.tables.open(info.id)
    assert live.view(1).until == live.at + 20_000
    await clock.advance(20_000)
    await until(lambda: live.view(1).phase == "programming")
    await play(node.tables, info.id, 1, Program((("Move_Ahead",),)))
    await clock.advance(29_000)
    assert live.view(1).round == 1
    await clock.advance(1_000)
    await until(lambda: live.view(1).round == 2)
    assert live.view(1).until == live.at + 30_000


async def test_a_killed_node_loses_neither_a_cartouche_nor_the_time(
    open_node: Opener, clock: HandClock
) -> None:
    node = await open_node(games=GAMES)
    info = await race(node, *await node.people(3))
    live = await node.tables.open(info.id)
    await play(node.tables, info.id, 2, Feature("Gort", "#FF336699"))
    await place(node, live)
    await play(node.tables, info.id, 1, Program((("Move_Ahead",), ("Enrichment_Standby",))))
    views = {seat: live.view(seat) for seat in (1, 2, 3, SPECTATOR)}
    await node.crash()
    again = await open_node(games=GAMES)
    live = await again.tables.open(info.id)
    assert {seat: live.view(seat) for seat in views} == views
    for seat in (2, 3):
        await play(again.tables, info.id, seat, Program(()))
    assert live.view(1).round == 2


async def test_a_history_leads_to_the_present_view_and_keeps_every_secret(node: Node) -> None:
    info = await race(node, *await node.people(2), boards=["usine", "entrepot"])
    live = await node.tables.open(info.id)
    await drive(node, live, 1, 2, rounds=4)
    await play(node.tables, info.id, 1, Program((("Move_180Left",),) * 2))
    for seat in (1, 2, SPECTATOR):
        page = await node.tables.history.page(info.id, seat)
        view = plain({} if page.view is None else page.view)
        for step in page.steps:
            view = apply_patch(view, plain(step.patch))
        # What is null in the view is missing after a patch.
        assert view == apply_patch({}, plain(live.view(seat)))
        last = page.steps[-1]
        assert ("Move_180Left" in str(last)) == (seat == 1)


async def test_a_robot_of_the_house_or_somebody_goes_on_for_who_has_left(
    node: Node, clock: HandClock
) -> None:
    lea, max_, eve, zoe = await node.people(4)
    info = await race(node, lea, max_, eve)
    live = await node.tables.open(info.id)
    await place(node, live)
    await node.tables.sitting.leave(info.id, max_)
    assert live.view(1).robots[2].status == "left"
    assert not live.is_over
    await node.tables.replacing.replace(info.id, 2, "pilot", BY_HOUSE)
    await clock.advance(QUICK.most)
    await until(lambda: live.view(1).robots[2].ready)
    await drive(node, live, 1, 3, rounds=2)
    await node.tables.sitting.leave(info.id, eve)
    await node.tables.replacing.replace(info.id, 3, zoe, BY_HOUSE)
    assert live.view(1).robots[3].status == "racing"
    await drive(node, live, 1, 3)
    assert live.is_over


async def test_a_race_against_robots_of_the_house_comes_to_its_end(node: Node) -> None:
    [lea] = await node.people(1)
    info = await race(node, lea, robots=("pilot", "apprentice", "pilot"))
    live = await node.tables.open(info.id)
    await drive(node, live, 1)
    assert live.is_over
    assert live.view(1).ranks.keys() == {1, 2, 3, 4}


async def test_who_leaves_a_race_of_two_has_lost_it(node: Node) -> None:
    lea, max_ = await node.people(2)
    info = await race(node, lea, max_)
    await node.tables.sitting.leave(info.id, lea)
    result = (await node.tables.info(info.id)).result
    assert result is not None
    assert (result.reason, result.ranks) == ("left", {1: 2, 2: 1})


async def test_a_table_of_eight_begins_with_those_who_are_there(node: Node) -> None:
    lea, max_, eve = await node.people(3)
    info = await race(node, lea, max_, eve, seats=8)
    assert info.status == "open"
    await node.tables.sitting.leave(info.id, max_)
    await node.tables.creating.start(info.id, lea)
    live = await node.tables.open(info.id)
    assert {seat: robot.number for seat, robot in live.view(1).robots.items()} == {1: "01", 3: "02"}
    await drive(node, live, 1, 3, rounds=3)
    assert live.view(1).round == 3


async def test_two_who_look_for_a_race_find_each_other(node: Node) -> None:
    lea, max_ = await node.people(2)
    for who in (lea, max_):
        await node.tables.matchmaking.enter(who, "robots", "race", Wish())
    [info] = await node.tables.lobby.of_account(lea)
    assert (info.status, info.seats_most) == ("running", 2)
    with pytest.raises(BadOptions):
        await node.tables.matchmaking.enter(lea, "robots", "practice", Wish())


async def test_who_goes_away_is_shown_and_comes_back_to_his_robot(node: Node) -> None:
    lea, max_ = await node.people(2)
    info = await race(node, lea, max_)
    live = await node.tables.open(info.id)
    await place(node, live)
    await node.tables.presence.arrive(info.id, 2, max_)
    await node.tables.presence.depart(info.id, 2, max_)
    await until(lambda: live.view(1).robots[2].away)
    await node.tables.presence.arrive(info.id, 2, max_)
    await until(lambda: not live.view(1).robots[2].away)
    assert not live.is_over


async def test_nobody_takes_the_seat_of_a_robot_that_is_about_to_win(node: Node) -> None:
    lea, max_ = await node.people(2)
    info = await race(node, lea, robots=("pilot",))
    with pytest.raises(RobotStays):
        await node.tables.replacing.replace(info.id, 2, max_, BY_HOUSE)


async def test_a_rematch_is_run_on_the_same_boards(node: Node) -> None:
    lea, max_ = [await node.club.accounts.create_visitor() for _ in range(2)]
    info = await race(node, lea.id, max_.id, boards=[msgspec.to_builtins(FIELD)], rounds=7)
    await node.tables.sitting.leave(info.id, max_.id)
    await node.tables.challenges.rematch(lea, info.id)
    agreed = await node.tables.challenges.rematch(max_, info.id)
    again = await node.tables.info(agreed.table_id or 0)
    assert (again.status, again.options) == ("running", info.options)
