"""Who leaves a rated game has lost it, whoever goes on in his seat."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from sqlalchemy import select
from tests.kit.playing import play
from tests.kit.waiting import until
from tests.tables.conftest import Node, Opener
from tests.tables.test_race import drive, place, race

from tablee.clock import HandClock
from tablee.club.ratings import Gone, parts_of
from tablee.rules import GAMES
from tablee.rules.arena.model import ArenaState
from tablee.rules.contract import Result
from tablee.rules.diplomacy.game import Stop, Vote
from tablee.store import Query
from tablee.store.schema import outcome
from tablee.tables import HouseTable, LoadedTable, TablePlan, Terms, rows
from tablee.tables.admission import Way
from tablee.tables.info import Former

_OUTCOMES = Query(select(outcome).order_by(outcome.c.seat, outcome.c.rank))


@pytest.fixture
async def node(open_node: Opener) -> Node:
    return await open_node(games=GAMES)


async def members(node: Node, count: int) -> list[int]:
    made = [await node.club.accounts.create(f"Membre{n}", "un mot de passe") for n in range(count)]
    return [account.id for account in made]


async def outcomes(node: Node, info: HouseTable) -> dict[tuple[int, int], Any]:
    """What the table meant, by seat and account."""
    found = await node.store.rows(_OUTCOMES)
    return {(row.seat, row.account_id): row for row in found if row.table_id == info.id}


async def test_a_robot_in_ones_own_seat_does_not_save_one_from_a_defeat(node: Node) -> None:
    lea, max_, eve = await members(node, 3)
    info = await race(node, lea, max_, eve)
    live = await node.tables.open(info.id)
    await place(node, live)
    robot = await node.tables.replacing.replace(info.id, 2, "pilot", Way(by=max_))
    await drive(node, live, 1, 3)
    assert live.is_over
    found = await outcomes(node, info)
    assert set(found) == {(1, lea), (2, max_), (2, robot.account_id), (3, eve)}
    lost = found[2, max_]
    assert lost.rank == 4
    assert lost.rating_after < lost.rating_before
    standing = await node.club.ratings.standing(max_, "robots", "race")
    assert (standing.played, standing.lost) == (1, 1)
    [notice] = await node.club.notices.list(max_)
    assert (notice.kind, notice.about["rank"]) == ("game_over", 4)


async def test_who_left_has_lost_whoever_goes_on_in_his_seat(node: Node) -> None:
    lea, max_, eve, zoe = await members(node, 4)
    info = await race(node, lea, max_, eve)
    live = await node.tables.open(info.id)
    await place(node, live)
    await node.tables.sitting.leave(info.id, max_)
    await node.tables.replacing.replace(info.id, 2, zoe, Way())
    await drive(node, live, 1, 2, 3)
    found = await outcomes(node, info)
    assert found[2, max_].rating_after < found[2, max_].rating_before
    assert found[2, max_].rank == 4
    assert found[2, zoe].rank <= 3


async def test_who_comes_back_to_his_seat_has_its_result(node: Node) -> None:
    lea, max_, eve = await members(node, 3)
    info = await race(node, lea, max_, eve)
    live = await node.tables.open(info.id)
    await place(node, live)
    await node.tables.sitting.leave(info.id, max_)
    await node.tables.replacing.replace(info.id, 2, max_, Way())
    await drive(node, live, 1, 2, 3)
    found = await outcomes(node, info)
    assert set(found) == {(1, lea), (2, max_), (3, eve)}
    result = (await node.tables.info(info.id)).result
    assert result is not None
    assert found[2, max_].rank == result.ranks[2]


async def diplomacy(
    node: Node, *people: int, master: int | None = None, anonymous: bool = False
) -> HouseTable:
    terms = Terms(mastered=True, anonymous=anonymous) if master is not None else Terms()
    host = people[0] if master is None else master
    info = await node.tables.creating.create(TablePlan("diplomacy", "lagune", {}, host, terms=terms))
    for each in people:
        await node.tables.sitting.join(info.id, each, Way(by=master))
    if master is not None:
        await node.tables.creating.start(info.id, host)  # without a master it begins once it is full
    return await node.tables.info(info.id)


async def draw(node: Node, info: HouseTable, *seats: int) -> None:
    for seat in seats:
        await play(node.tables, info.id, seat, Vote(True))
    assert (await node.tables.info(info.id)).status == "over"


async def test_who_left_does_not_share_the_draw_of_those_who_stayed(node: Node) -> None:
    lea, max_, eve = await members(node, 3)
    info = await diplomacy(node, lea, max_, eve)
    await node.tables.sitting.leave(info.id, max_)
    await draw(node, info, 1, 3)
    found = await outcomes(node, info)
    assert {key: row.rank for key, row in found.items()} == {(1, lea): 1, (2, max_): 3, (3, eve): 1}
    assert found[2, max_].rating_after < found[2, max_].rating_before


async def test_whom_the_master_replaces_has_not_resigned(node: Node) -> None:
    master, lea, max_, eve, zoe = await members(node, 5)
    info = await diplomacy(node, lea, max_, eve, master=master)
    newcomer = await node.club.accounts.by_id(zoe)
    await node.tables.mastering.put_in(info.id, master, newcomer, 2, None)
    await draw(node, info, 1, 2, 3)
    ranks = {key: row.rank for key, row in (await outcomes(node, info)).items()}
    assert ranks == {(1, lea): 1, (2, max_): 1, (2, zoe): 1, (3, eve): 1}


async def test_a_game_that_its_master_stops_is_nobodys_defeat(node: Node) -> None:
    master, lea, max_, eve, zoe = await members(node, 5)
    info = await diplomacy(node, lea, max_, eve, master=master)
    await node.tables.sitting.leave(info.id, max_)
    await node.tables.mastering.put_in(info.id, master, await node.club.accounts.by_id(zoe), 2, None)
    await play(node.tables, info.id, 0, Stop())
    assert max_ not in {account_id for _, account_id in await outcomes(node, info)}


async def test_who_resigns_at_chess_has_lost_once(node: Node) -> None:
    lea, max_ = await members(node, 2)
    info = await node.tables.creating.create(TablePlan("chess", "classic", {}, lea))
    await node.tables.sitting.join(info.id, max_)
    await node.tables.sitting.leave(info.id, max_)
    found = await outcomes(node, info)
    assert {key: row.rank for key, row in found.items()} == {(1, lea): 1, (2, max_): 2}


async def test_who_leaves_the_arena_has_lost_once(node: Node) -> None:
    lea, max_ = await members(node, 2)
    info = await node.tables.creating.create(TablePlan("arena", "standard", {}, lea, seats=2))
    await node.tables.sitting.join(info.id, max_)
    await node.tables.sitting.leave(info.id, max_)
    found = await outcomes(node, info)
    assert {key: row.rank for key, row in found.items()} == {(1, lea): 1, (2, max_): 2}


def _has_moved_on(live: LoadedTable, seq: int) -> bool:
    return live.seq > seq


async def test_an_absent_titan_for_whom_a_robot_stands_in_has_left_nothing(
    node: Node, clock: HandClock
) -> None:
    lea, max_ = await members(node, 2)
    control = {"kind": "move", "seconds": 10}
    info = await node.tables.creating.create(
        TablePlan("arena", "standard", {}, lea, seats=2, time_control=control)
    )
    await node.tables.sitting.join(info.id, max_)
    live = await node.tables.open(info.id)

    def stood_in() -> set[int]:
        assert isinstance(live.state, ArenaState)
        return {player.seat for player in live.state.players if player.stood_in}

    while not stood_in() and not live.is_over:
        before = live.seq
        await clock.advance(10_000)
        await until(partial(_has_moved_on, live, before))
    assert stood_in()
    assert {taken.account_id for taken in live.info.taken} == {lea, max_}
    assert await node.store.rows(rows.DEPARTURES, b_id=info.id) == []


async def test_coming_and_going_at_the_minefield_loses_nothing(node: Node) -> None:
    lea, max_ = await members(node, 2)
    live = await node.mines(lea, max_)
    await node.tables.sitting.leave(live.info.id, max_)
    assert await node.store.rows(rows.DEPARTURES, b_id=live.info.id) == []


def test_parts_are_those_who_sit_and_behind_them_those_who_resigned() -> None:
    result = Result(ranks={1: 1, 2: 2, 3: 3}, reason="cycles", scores={1: 5, 2: 4, 3: 1})
    accounts = {1: 11, 2: 12, 3: 13}
    by = [(part.account_id, part.rank, part.score) for part in parts_of(result, accounts)]
    assert by == [(11, 1, 5), (12, 2, 4), (13, 3, 1)]
    resigned = parts_of(result, accounts, [Gone(1, 11, True)])  # nobody went on in his seat
    assert [(part.account_id, part.rank, part.score) for part in resigned] == [
        (11, 3, 5),
        (12, 1, 4),
        (13, 2, 1),
    ]
    replaced = parts_of(result, {**accounts, 1: 99}, [Gone(1, 11, True), Gone(2, 77, False)])
    assert sorted((part.account_id, part.rank, part.score) for part in replaced) == [
        (11, 4, None),
        (12, 2, 4),
        (13, 3, 1),
        (77, 2, None),
        (99, 1, 5),
    ]


async def test_what_happened_in_a_seat_is_told_of_who_sat_there_then(node: Node, clock: HandClock) -> None:
    lea, max_, eve, zoe, tom = await members(node, 5)
    info = await race(node, lea, max_, eve)
    await place(node, await node.tables.open(info.id))
    await clock.advance(1_000)
    await node.tables.sitting.leave(info.id, max_)
    assert (await node.tables.read_info(info.id)).former == ()
    until = []
    for newcomer in (zoe, tom):
        await clock.advance(60_000)
        until.append(clock.now())
        await node.tables.replacing.replace(info.id, 2, newcomer, Way())
        await clock.advance(1_000)
        await node.tables.sitting.leave(info.id, newcomer)
    max_now = await node.club.accounts.by_id(max_)
    await node.club.accounts.change(max_now, pseudo="Maxime")
    known = await node.tables.read_info(info.id)
    assert known.former == (Former(2, max_, "Maxime", until[0]), Former(2, zoe, "Membre3", until[1]))
    held = await node.tables.info(info.id)
    assert [(each.account_id, each.until) for each in held.former] == list(
        zip((max_, zoe), until, strict=True)
    )


async def test_who_sat_somewhere_in_an_anonymous_game_is_named_to_himself_and_the_master(
    node: Node, clock: HandClock
) -> None:
    master, lea, max_, eve, zoe = await members(node, 5)
    info = await diplomacy(node, lea, max_, eve, master=master, anonymous=True)
    await clock.advance(1_000)
    await node.tables.mastering.put_in(info.id, master, await node.club.accounts.by_id(zoe), 2, None)
    known = await node.tables.info(info.id)
    assert [each.name for each in known.seen_by(master).former] == ["Membre2"]
    assert [each.name for each in known.seen_by(max_).former] == ["Membre2"]
    for other in (lea, zoe, None):
        assert known.seen_by(other).former == (Former(2, 0, "", known.former[0].until),)
