"""At a tournament's table nobody sits down, goes or is replaced by himself, and nobody sweeps it away."""

from __future__ import annotations

from collections.abc import Awaitable

import pytest
from tests.tables.conftest import Node, Opener
from tests.tables.nim import NimRules
from tests.tables.test_chess import GAMES as CHESS
from tests.tables.test_sweeping import DAY, HOUR, after, still, told

from tablee.rules.diplomacy.rules import DiplomacyRules
from tablee.tables import HouseTable, NotAdmitted, TableError, TablePlan
from tablee.tables.admission import BY_HOUSE, Way

GAMES = {**CHESS, ("diplomacy", "standard"): DiplomacyRules(), ("nim", "plain"): NimRules()}


@pytest.fixture
async def node(open_node: Opener) -> Node:
    return await still(await open_node(games=GAMES))


async def board(node: Node, game: str, *people: int | str, seats: int, waits: bool = False) -> HouseTable:
    """A table as a tournament makes it, with a host so that being none is not what is refused."""
    variant = {"chess": "classic", "nim": "plain", "diplomacy": "standard"}[game]
    plan = TablePlan(
        game, variant, {}, host=int(people[0]), access="open", door="tournament", seats=seats,
        waits=waits, people=people,
    )  # fmt: skip
    return await node.tables.creating.create(plan)


async def refused(work: Awaitable[object]) -> str:
    with pytest.raises(TableError) as refusal:
        await work
    return refusal.value.code


async def test_its_seats_are_given_by_the_tournament_alone(node: Node) -> None:
    lea, max_, eve = await node.members(3)
    tables = node.tables
    open_, running = [await board(node, "nim", lea, max_, seats=seats) for seats in (3, 2)]
    assert (open_.status, running.status) == ("open", "running")
    for info in (open_, running):
        assert await refused(tables.sitting.join(info.id, eve)) == "seats_of_tournament"
        assert await refused(tables.sitting.add_robot(info.id, "one")) == "seats_of_tournament"
        assert await refused(tables.sitting.invite(info.id, lea, eve)) == "seats_of_tournament"
        assert (await tables.sitting.join(info.id, max_)).seat == 2, "who sits there finds his seat"
    for newcomer, by in (("one", max_), (eve, eve), (eve, lea)):
        work = tables.replacing.replace(running.id, 2, newcomer, Way(by=by))
        assert await refused(work) == "seats_of_tournament"
    for account in (lea, max_, eve):
        assert all(each.kind != "invitation" for each in await node.club.notices.list(account))
    await tables.replacing.replace(running.id, 2, eve, BY_HOUSE)
    assert [taken.account_id for taken in (await tables.read_info(running.id)).taken] == [lea, eve]


async def test_nobody_votes_for_somebody_else_there(node: Node) -> None:
    people = await node.members(8)
    info = await board(node, "diplomacy", *people[:7], seats=7)
    candidate = await node.club.accounts.by_id(people[7])
    standing_in = node.tables.standing_in
    with pytest.raises(NotAdmitted, match="organisers"):
        await standing_in.ask(info.id, people[0], 2, candidate)
    with pytest.raises(NotAdmitted, match="organisers"):
        await standing_in.accept(info.id, people[7], 2)


async def test_one_resigns_where_the_game_has_it_and_leaves_nowhere(node: Node) -> None:
    people = await node.members(7)
    tables = node.tables
    for game, status in (("diplomacy", "running"), ("diplomacy", "open"), ("chess", "open")):
        sitting = people if game == "diplomacy" else people[:2]
        info = await board(node, game, *sitting, seats=len(sitting), waits=status == "open")
        assert info.status == status
        assert await refused(tables.sitting.leave(info.id, people[1])) == "stays_in_tournament"
        assert (await tables.read_info(info.id)).seat_of(people[1]) is not None
        await tables.sitting.depart(info.id, people[1])
        assert (await tables.read_info(info.id)).seat_of(people[1]) is None, "who leaves the club goes"
    info = await board(node, "chess", *people[:2], seats=2)
    await tables.sitting.leave(info.id, people[1])
    over = await tables.read_info(info.id)
    assert over.result is not None
    assert (over.status, over.result.ranks) == ("over", {1: 1, 2: 2})


async def test_its_games_have_no_rematch(node: Node) -> None:
    lea, max_ = [await node.club.accounts.by_id(each) for each in await node.members(2)]
    info = await board(node, "chess", lea.id, max_.id, seats=2)
    await node.tables.sitting.leave(info.id, lea.id)
    assert await refused(node.tables.challenges.rematch(max_, info.id)) == "no_rematch_in_tournament"
    with_robot = await board(node, "nim", lea.id, "one", seats=2)
    assert await refused(node.tables.challenges.rematch(lea, with_robot.id)) == "no_rematch_in_tournament"


async def test_the_house_neither_warns_of_it_nor_closes_it(node: Node) -> None:
    lea, max_ = await node.members(2)
    (visitor,) = await node.people(1)
    kept = [
        await board(node, "nim", lea, max_, seats=2),  # a live game: deserted after a day
        await board(node, "nim", lea, max_, seats=2, waits=True),  # its hour is not there: a week
        await board(node, "nim", lea, "one", seats=2),  # one person against a robot: an hour
    ]
    swept = await node.nim(visitor, seats=2, robots=["one"])
    await after(node, HOUR, HOUR)
    assert (await node.tables.read_info(swept.id)).is_void, "the sweep was there"
    await after(node, DAY, DAY, 60 * DAY, DAY)
    found = [(await node.tables.read_info(info.id)).status for info in kept]
    assert found == ["running", "open", "running"]
    assert await told(node, lea) == await told(node, max_) == []
