"""Somebody goes on for another at a board, and has what it is worth."""

from __future__ import annotations

import pytest
from tests.kit.playing import play
from tests.tables.nim import Take
from tests.tournaments.conftest import Club

from tablee.tournaments.errors import NotNow


async def test_who_sits_at_the_end_scores_and_a_robot_for_nobody(club: Club) -> None:
    organiser, other, *players = await club.members(7)
    number = await club.running(organiser, players[:4], options={"matches": 2})
    await club.next_round(organiser, number)
    one, two = await club.boards(number)
    for _ in range(2):
        await club.office.substitute(organiser, number, 1, one.board, 1, other.id, request_id="once")
    await club.office.substitute(organiser, number, 1, two.board, 1, "one")
    with pytest.raises(NotNow) as refusal:
        await club.office.substitute(organiser, number, 1, two.board, 2, other.id)
    assert refusal.value.code == "plays_already"
    for board in (one, two):
        info = await club.node.tables.read_info(board.table_id or 0)
        assert [taken.account_id for taken in info.taken][1] == board.seats[1]
        if info.status == "running":
            await play(club.node.tables, info.id, 1, Take(2))
    points = {line.entrant: line.points for line in await club.office.standings(number)}
    assert points[other.id] == 1
    assert points[one.seats[0]] == points[one.seats[1]] == 0
    assert points[two.seats[0]] == 0
    state = await club.office.state(number)
    assert other.id not in {entry.account for entry in state.active}, "he came for this board alone"
    told = [each.about.get("what") for each in await club.node.club.notices.list(one.seats[0])]
    assert told.count("substituted") == 1


async def test_organisers_may_leave_the_points_to_who_was_paired(club: Club) -> None:
    organiser, other, *players = await club.members(4)
    number = await club.running(
        organiser, players, rounds=1, format="boards", options={"matches": 2}, seats=2
    )
    await club.next_round(organiser, number)
    (board, *_) = await club.boards(number)
    await club.office.substitute(organiser, number, 1, board.board, 1, other.id, for_paired=True)
    await play(club.node.tables, board.table_id or 0, 1, Take(2))
    points = {line.entrant: line.points for line in await club.office.standings(number)}
    assert points[board.seats[0]] == 100
    assert other.id not in points
