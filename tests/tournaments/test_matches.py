"""Knockouts on real tables: game after game, a result that is put right, who leaves, the last place."""

from __future__ import annotations

import asyncio

from tests.kit.playing import play
from tests.kit.waiting import until
from tests.tables.nim import Take
from tests.tournaments.conftest import Club, OpenClub
from tests.tournaments.test_office import refused

from tablee.club.people import Account
from tablee.tournaments.boards import BoardResult, BoardRow, matches_of, standing
from tablee.tournaments.office import Tournaments

PLAN = {"format": "knockout"}


async def knockout(club: Club, count: int, **plan: object) -> tuple[Account, list[Account], int]:
    organiser, *players = await club.members(count + 1)
    return organiser, players, await club.running(organiser, players, **PLAN, **plan)


async def all_boards(club: Club, number: int) -> list[BoardRow]:
    return standing(await club.office.state(number), await club.office.boards(number))


async def round_played(club: Club, organiser: Account, number: int) -> None:
    """A round with all the games of its matches: the first seat takes the last match."""
    await club.next_round(organiser, number)
    for _ in range(12):
        await club.played(number)
        await club.office.matches.play_on(number)
        if all(board.result for board in await club.boards(number)):
            return
    raise AssertionError("the matches come to no end")


async def test_matches_of_three_games_are_played_at_one_table_after_the_other(club: Club) -> None:
    organiser, players, number = await knockout(club, 5, best_of=3, third_place=True)
    seeds = [player.id for player in players]  # all have the same rating: who came first
    state = await club.next_round(organiser, number)
    assert list(state.published[0].byes) == seeds[:3]
    (first,) = await club.boards(number)
    assert first.seats == (seeds[3], seeds[4])
    await play(club.node.tables, first.table_id or 0, 1, Take(1))

    async def second() -> bool:
        return len(await club.boards(number)) == 2

    await until(second)
    board = (await club.boards(number))[1]
    assert (board.board, board.seats) == (2, (seeds[4], seeds[3])), "colours alternate"
    info = await club.node.tables.read_info(board.table_id or 0)
    assert (info.name, info.status) == ("Coupe_R1_02", "running")
    assert await refused(club.office.pair(organiser, number)) == "round_open"
    told = [each.about for each in await club.node.club.notices.list(seeds[3])]
    assert [about["table"] for about in told if about.get("what") == "paired"] == [
        board.table_id,
        first.table_id,
    ]


async def test_a_knockout_of_eleven_with_byes_and_level_matches_comes_to_its_places(club: Club) -> None:
    organiser, _players, number = await knockout(club, 11, best_of=2, third_place=True)
    for expected in (5, 0, 0, 0):
        await round_played(club, organiser, number)  # White wins, so each has a game: level
        state = await club.office.state(number)
        assert len(state.published[-1].byes) == expected
    assert await refused(club.office.pair(organiser, number)) == "no_more_rounds"
    matches = matches_of(state, await club.office.boards(number))
    assert [len(row) for row in matches] == [8, 4, 2, 2]
    played = [each for row in matches for each in row if len(each.pair) == 2]
    assert len(played) == 11
    assert all(each.by_lot and len(each.games) == 6 for each in played), "two pairs more, then a lot"
    lines = await club.office.standings(number)
    assert [line.place for line in lines] == [1, 2, 3, 4, 5, 5, 5, 5, 9, 9, 9]
    assert lines[0].entrant == matches[-1][0].match.winner
    await club.office.end(organiser, number)


async def test_a_game_that_follows_is_made_once_whichever_node_is_first(
    open_club: OpenClub, database_url: str
) -> None:
    club = await open_club()
    organiser, _, number = await knockout(club, 8, best_of=2)
    await club.next_round(organiser, number)
    houses = [club] if database_url.startswith("sqlite") else [club, await open_club()]
    for index, board in enumerate(await club.boards(number)):
        await play(houses[index % len(houses)].node.tables, board.table_id or 0, 1, Take(1))
    await asyncio.gather(*(house.office.matches.play_on(number) for house in houses for _ in range(3)))
    boards = await club.boards(number)
    assert [board.board for board in boards] == list(range(1, 9))
    assert len({frozenset(board.seats) for board in boards}) == 4


async def test_a_result_is_put_right_until_the_next_match_has_begun(club: Club) -> None:
    organiser, _players, number = await knockout(club, 4, in_room=False)
    await round_played(club, organiser, number)
    first, *_ = await club.boards(number)
    await club.next_round(organiser, number)
    (final,) = await club.boards(number)
    assert first.seats[0] in final.seats
    wrong = BoardResult(marks=("0", "1"))
    await club.office.set_result(organiser, number, 1, first.board, wrong, "mal noté")
    assert (await club.node.tables.read_info(final.table_id or 0)).is_void

    async def drawn_anew() -> bool:
        return [board.board for board in await club.boards(number)] == [2]

    await until(drawn_anew)
    (again,) = await club.boards(number)
    assert first.seats[1] in again.seats
    assert first.seats[0] not in again.seats
    await play(club.node.tables, again.table_id or 0, 1, Take(1))
    right = club.office.set_result(organiser, number, 1, first.board, BoardResult(marks=("1", "0")), "")
    assert await refused(right) == "result_settled"


async def test_who_leaves_a_knockout_lets_the_other_go_on(club: Club) -> None:
    organiser, players, number = await knockout(club, 4, best_of=3)
    await club.next_round(organiser, number)
    boards = await club.boards(number)
    await club.office.leave(players[0], number)
    for board in boards:
        await play(club.node.tables, board.table_id or 0, 1, Take(1))
    for _ in range(3):
        await club.office.matches.play_on(number)
        await club.played(number)
    first, second = matches_of(await club.office.state(number), await club.office.boards(number))[0]
    assert (first.walkover, len(first.games), first.match.winner) == (True, 1, boards[0].seats[1])
    assert len(second.games) == 3


async def test_seeds_are_the_organisers_until_the_first_round(club: Club) -> None:
    organiser, players, number = await knockout(club, 4)
    ids = [player.id for player in players]
    seed = club.office.matches.seed
    assert await refused(seed(players[0], number, ids)) == "not_organiser"
    assert await refused(seed(organiser, number, [ids[0], ids[0], organiser.id])) == "bad_seeds"
    await seed(organiser, number, ids[::-1])
    state = await club.next_round(organiser, number)
    assert [board.seats for board in await club.boards(number)] == [(ids[3], ids[0]), (ids[2], ids[1])]
    assert await refused(seed(organiser, number, ids)) == "bracket_fixed"
    assert await refused(club.office.enter(organiser, number)) == "entries_closed"
    assert await refused(club.office.go_away(players[0], number, 2)) == "away_not_here"
    assert state.rounds == 2


async def test_the_bracket_is_not_moved_and_a_stale_one_not_published(club: Club) -> None:
    organiser, players, number = await knockout(club, 4, in_room=True)
    await club.next_round(organiser, number)
    for board in (1, 2):
        await club.office.set_result(organiser, number, 1, board, BoardResult(marks=("1", "0")), "")
    state = await club.office.pair(organiser, number)
    assert state.draft is not None
    moved = club.office.move(organiser, number, state.draft, state.draft_version)
    assert await refused(moved) == "bracket_fixed"
    await club.office.set_result(organiser, number, 1, 1, BoardResult(marks=("0", "1")), "mal noté")
    stale = await club.office.state(number)
    assert await refused(club.office.publish(organiser, number, stale.draft_version)) == "stale_draft"
    await club.next_round(organiser, number)
    (final,) = await club.boards(number)
    assert players[3].id in final.seats


async def test_a_house_that_opens_again_makes_the_games_that_follow(club: Club) -> None:
    organiser, _, number = await knockout(club, 2, best_of=2)
    await club.next_round(organiser, number)
    club.office.matches._looking.add(number)  # as if the node fell as soon as the game was over
    await club.played(number)
    assert len(await club.boards(number)) == 1
    await Tournaments(club.node.tables).matches.catch_up()
    assert len(await club.boards(number)) == 2
