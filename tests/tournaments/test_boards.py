"""Boards of several: filled with robots, entered from the room, adopted from elsewhere; teams and prizes."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from tests.kit.playing import play
from tests.tournaments.conftest import Club
from tests.tournaments.test_office import refused

from tablee.rules.diplomacy.game import DiplomacyState, Vote
from tablee.tables import TablePlan
from tablee.tournaments.boards import BoardResult
from tablee.tournaments.errors import BadBoard
from tablee.tournaments.plan import Plan

BOARDS = {"game": "diplomacy", "variant": "standard", "format": "boards", "rounds": 2}
END = {
    "centres": [10, 8, 6, 5, 5, 0, 0],
    "out": [None, None, None, None, None, 1904, 1906],
    "last_year": 1908,
}


async def test_robots_fill_a_board_and_score_nothing(club: Club) -> None:
    organiser, *players = await club.members(9)
    number = await club.running(organiser, players[:8], fill="strategist", **BOARDS)
    state = await club.next_round(organiser, number)
    assert state.published[0].byes == ()
    boards = await club.boards(number)
    people = [[account for account in board.seats if account] for board in boards]
    assert sorted(len(each) for each in people) == [4, 4] or sorted(len(each) for each in people) == [1, 7]
    assert sorted(account for each in people for account in each) == [player.id for player in players[:8]]
    for board in boards:
        info = await club.node.tables.read_info(board.table_id or 0)
        robots = [taken.robot is not None for taken in info.taken]
        assert robots == [account == 0 for account in board.seats]
        for seat, account in enumerate(board.seats, 1):
            if account:
                await play(club.node.tables, board.table_id or 0, seat, Vote(True))
    state = await club.office.state(number)
    assert {line.entrant for line in await club.office.standings(number)} == {p.id for p in players[:8]}


async def test_the_centres_of_a_game_in_the_room_make_its_points_and_ranks(club: Club) -> None:
    organiser, *players = await club.members(8)
    number = await club.running(organiser, players, in_room=True, points="cdiplo", **BOARDS)
    await club.next_round(organiser, number)
    await club.office.set_result(organiser, number, 1, 1, BoardResult(tally=END), "")
    (board,) = await club.boards(number)
    assert board.result is not None
    assert board.result.ranks == (1, 2, 3, 4, 4, 6, 6)
    assert board.result.scores == (10, 8, 6, 5, 5, 0, 0)
    points = {line.entrant: line.points for line in await club.office.standings(number)}
    assert [points[account] for account in board.seats] == [49, 23, 14, 6, 6, 1, 1]
    solo = {**END, "centres": [18, 7, 5, 4, 0, 0, 0], "out": [None] * 4 + [1903, 1905, 1907]}
    await club.office.set_result(organiser, number, 1, 1, BoardResult(tally=solo), "mal noté")
    points = {line.entrant: line.points for line in await club.office.standings(number)}
    assert [points[account] for account in board.seats] == [73, 0, 0, 0, 0, 0, 0]


async def test_what_cannot_be_in_the_room_is_said_all_at_once(club: Club) -> None:
    organiser, *players = await club.members(8)
    number = await club.running(organiser, players, in_room=True, **BOARDS)
    await club.next_round(organiser, number)
    wrong = {"centres": [20, 20, 6, 0, 5, 1, 0], "out": [1902, None, None, None, None, None, 1999]}
    given = BoardResult(tally={**wrong, "last_year": 1908})
    with pytest.raises(BadBoard) as refusal:
        await club.office.set_result(organiser, number, 1, 1, given, "")
    said = refusal.value.sentence("fr")
    words = club.node.tables.rules("diplomacy", "standard").words("fr")
    for part in ("52 centres", *(words[f"role.{role}"] for role in (1, 4, 7)), "1902", "1999"):
        assert part in said, said
    for given in (
        BoardResult(ranks=(1, 2, 3, 4, 5, 6, 7)),
        BoardResult(ranks=(7, 6, 5, 4, 3, 2, 1), tally=END),
        BoardResult(tally={**END, "centres": [34]}),
        BoardResult(tally=["nothing"]),
        BoardResult(marks=("1", "0")),
    ):
        assert await refused(club.office.set_result(organiser, number, 1, 1, given, "")) == "bad_result"


async def test_impossible_ranks_are_said_all_at_once(club: Club) -> None:
    organiser, *players = await club.members(4)
    plan: dict[str, Any] = {"format": "boards", "rounds": 2, "in_room": True, "points": "points"}
    number = await club.running(organiser, players, **plan)
    await club.next_round(organiser, number)
    given = BoardResult(ranks=(1, 2, 2, 3), scores=(1,), marks=("1", "0"))
    with pytest.raises(BadBoard) as refusal:
        await club.office.set_result(organiser, number, 1, 1, given, "")
    assert refusal.value.sentence("en").count(";") >= 2


async def played_elsewhere(club: Club, accounts: list[int], **plan: Any) -> int:
    """A game of Diplomacy that ended in a draw, over another door, dealt from the last seat on."""
    options = {"deal": [7, 6, 5, 4, 3, 2, 1]}
    info = await club.node.tables.creating.create(
        TablePlan("diplomacy", "standard", options, door="afjd", people=accounts, seats=7, **plan)
    )
    for seat in range(1, 8):
        await play(club.node.tables, info.id, seat, Vote(True))
    assert (await club.node.tables.read_info(info.id)).status == "over"
    return info.id


async def test_a_game_made_over_another_door_becomes_a_board(club: Club) -> None:
    organiser, *players = await club.members(16)
    ids = [player.id for player in players]
    number = await club.running(organiser, players[:14], points="cdiplo", **BOARDS)
    office = club.office
    state = await office.pair(organiser, number)
    assert state.draft is not None
    nobody = type(state.draft)(1, (), (), tuple(ids[:14]))
    state = await office.move(organiser, number, nobody, state.draft_version)
    await office.publish(organiser, number, state.draft_version)
    table = await played_elsewhere(club, ids[:7])
    adopt = office.adopting.adopt
    assert await refused(adopt(players[0], number, 1, 1, table, "")) == "not_organiser"
    assert await refused(adopt(organiser, number, 2, 1, table, "")) == "no_round"
    await adopt(organiser, number, 1, 1, table, "partie de l’AFJD")
    (board,) = await club.boards(number)
    loaded = await club.node.tables.open(table)
    assert isinstance(loaded.state, DiplomacyState)
    assert board.seats == tuple(ids[6::-1]), "by power: who sat in the first seat played Turkey"
    points = {line.entrant: line.points for line in await office.standings(number)}
    assert sum(points.values()) == 22 + 7 + 59
    assert points[ids[1]] > points[ids[0]] > 0, "Russia begins with a centre more than Turkey"
    assert await refused(adopt(organiser, number, 1, 1, table, "")) == "board_taken"
    assert await refused(adopt(organiser, number, 1, 2, table, "")) == "seated_already"
    strangers = await played_elsewhere(club, [*ids[7:13], ids[14]])
    assert await refused(adopt(organiser, number, 1, 2, strangers, "")) == "strangers"
    again = await played_elsewhere(club, ids[7:14])
    await adopt(organiser, number, 1, 2, again, "")
    assert len(await club.boards(number)) == 2
    nim = await club.node.nim(ids[0], ids[1])
    assert await refused(adopt(organiser, number, 1, 3, nim.id, "")) == "other_game"
    second = await club.running(organiser, players[:7], name="Autre", **BOARDS)
    await club.next_round(organiser, second)
    other = await played_elsewhere(club, ids[:7])
    assert await refused(adopt(organiser, second, 1, 1, other, "")) == "board_taken"


async def test_a_table_counts_once_only_and_fills_a_board_of_its_people(club: Club) -> None:
    organiser, *players = await club.members(8)
    ids = [player.id for player in players]
    one = await club.running(organiser, players, in_room=True, **BOARDS)
    two = await club.running(organiser, players, name="Autre", in_room=True, **BOARDS)
    await club.next_round(organiser, one)
    await club.next_round(organiser, two)
    table = await played_elsewhere(club, ids)
    await club.office.adopting.adopt(organiser, one, 1, 1, table, "")
    (board,) = await club.boards(one)
    assert (board.table_id, board.result is not None) == (table, True)
    assert await refused(club.office.adopting.adopt(organiser, two, 1, 1, table, "")) == "adopted_already"


async def test_teams_and_prizes_follow_from_the_standings(club: Club) -> None:
    organiser, *players = await club.members(8)
    plan = {"in_room": True, "points": "cdiplo", "team_best": 2, "prize_places": 2, "prize_roles": True}
    number = await club.announced(organiser, **BOARDS, **plan)
    for index, player in enumerate(players):
        await club.office.enter(player, number, team=("Lyon", "Paris")[index % 2])
    await club.office.begin(organiser, number)
    await club.next_round(organiser, number)
    await club.office.set_result(organiser, number, 1, 1, BoardResult(tally=END), "")
    (board,) = await club.boards(number)
    state, boards = await club.office.state(number), await club.office.boards(number)
    lines = club.office.lines(state, boards)
    points = {line.entrant: line.points for line in lines}
    teams = {line.team: line.points for line in club.office.prizes.teams(state, boards, lines)}
    for team, start in (("Lyon", 0), ("Paris", 1)):
        best = sorted((points[player.id] for player in players[start::2]), reverse=True)[:2]
        assert teams[team] == sum(best, Fraction())
    give = club.office.prizes.give
    assert await refused(give(players[0], number, "Fair-play", players[1].id)) == "not_organiser"
    await give(organiser, number, "Fair-play", players[1].id)
    after = await club.office.state(number)
    won = {prize.name: prize.winners for prize in club.office.prizes.won(after, boards, lines)}
    assert won["place.1"] == (board.seats[0],)
    assert won["place.2"] == (board.seats[1],)
    assert [won[f"role.{role}"] for role in range(1, 8)] == [(account,) for account in board.seats]
    assert won["Fair-play"] == (players[1].id,)
    await club.office.prizes.take_back(organiser, number, "Fair-play", players[1].id)
    assert (await club.office.state(number)).gifts == ()


async def test_what_does_not_go_with_a_format_is_a_fault_of_the_plan(club: Club) -> None:
    rules = club.node.tables.rules("nim", "plain")
    plan = Plan("C", "nim", "plain", "swiss", 3, best_of=3, third_place=True, seeding="lot", fill="x")
    assert [parts.get("what") for _, parts in plan.faults(rules)] == [
        "best_of", "third_place", "seeding", "fill", None,
    ]  # fmt: skip
    plan = Plan("C", "nim", "plain", "knockout", ties=("wins",), best=2, points="three")
    assert [code for code, _ in plan.faults(rules)] == ["unfit", "unfit", "unknown_tie"]
