"""Tournaments from the first announcement to the last place, on real tables, in both databases."""

from __future__ import annotations

import asyncio
from collections import Counter
from fractions import Fraction
from typing import Any

import msgspec
import pytest
from tests.kit.playing import play
from tests.tables.nim import Take
from tests.tournaments.conftest import Club, OpenClub

from tablee.rules.diplomacy.game import DiplomacyState, Vote
from tablee.tournaments import acts
from tablee.tournaments.boards import BoardResult
from tablee.tournaments.errors import BadPlan, BadTournament, NoSuchTournament, NotNow, TournamentError
from tablee.tournaments.plan import Plan


async def refused(what: Any) -> str:
    """The code with which something is refused."""
    with pytest.raises(TournamentError) as refusal:
        await what
    for language in ("fr", "en"):
        assert refusal.value.sentence(language)
    return refusal.value.code


async def test_a_swiss_tournament_is_played_at_tables_from_its_announcement_to_the_places(club: Club) -> None:
    organiser, *players = await club.members(6)
    number = await club.running(organiser, players, rounds=3)
    for each in range(1, 4):
        state = await club.next_round(organiser, number)
        assert (len(state.published), state.draft) == (each, None)
        boards = await club.boards(number)
        seated = [account for board in boards for account in board.seats]
        assert sorted([*seated, *state.published[-1].byes]) == sorted(player.id for player in players)
        for board in boards:
            info = await club.node.tables.read_info(board.table_id or 0)
            assert (info.status, info.name) == ("running", f"Coupe_R{each}_{board.board:02}")
            assert tuple(taken.account_id for taken in info.taken) == board.seats
        assert await refused(club.office.pair(organiser, number)) == "round_open"
        await club.played(number)
    assert await refused(club.office.pair(organiser, number)) == "no_more_rounds"
    lines = await club.office.standings(number)
    assert sum(line.points for line in lines) == 9, "two games and a bye in each of three rounds"
    await club.office.end(organiser, number)
    assert (await club.office.state(number)).status == "over"
    best = lines[0].entrant
    told = [each.about for each in await club.node.club.notices.list(best) if each.kind == "tournament"]
    assert told[0]["what"] == "place"
    assert told[0]["place"] == lines[0].place
    assert {"paired", "entered"} <= {about["what"] for about in told}


async def test_a_round_is_published_once_whoever_asks_again(open_club: OpenClub, database_url: str) -> None:
    club = await open_club()
    organiser, *players = await club.members(9)
    number = await club.running(organiser, players)
    state = await club.office.pair(organiser, number)
    houses = [club] if database_url.startswith("sqlite") else [club, await open_club()]
    offices = [house.office for house in houses for _ in range(3)]
    found = await asyncio.gather(
        *(office.publish(organiser, number, state.draft_version) for office in offices),
        return_exceptions=True,
    )
    assert any(isinstance(each, acts.TournamentState) for each in found)
    assert all(isinstance(each, acts.TournamentState | NotNow) for each in found), found
    boards = await club.office.boards(number)
    assert [(board.round, board.attempt, board.board) for board in boards] == [(1, 1, n) for n in range(1, 5)]
    tables = await club.node.tables.store.rows(_tables(), door="tournament")
    assert sorted(row.id for row in tables) == sorted(board.table_id or 0 for board in boards)
    for player in players:
        told = [
            each
            for each in await club.node.club.notices.list(player.id)
            if each.about.get("what") == "paired"
        ]
        assert len(told) == 1


def _tables() -> Any:
    from sqlalchemy import bindparam, select

    from tablee.store import Query
    from tablee.store.schema import game_table

    return Query(select(game_table.c.id).where(game_table.c.door == bindparam("door")))


async def test_many_games_that_end_at_once_are_each_counted_once(
    open_club: OpenClub, database_url: str
) -> None:
    club = await open_club()
    organiser, *players = await club.members(25)
    number = await club.running(organiser, players, rounds=2)
    await club.next_round(organiser, number)
    houses = [club] if database_url.startswith("sqlite") else [club, await open_club()]
    boards = await club.boards(number)
    await asyncio.gather(
        *(
            play(houses[board.board % len(houses)].node.tables, board.table_id or 0, 1, Take(1))
            for board in boards
        )
    )
    after = await club.boards(number)
    assert [board.version for board in after] == [1] * 12
    assert Counter(line.points for line in await club.office.standings(number)) == {1: 12, 0: 12}


async def test_a_round_is_undone_while_nobody_has_moved_and_published_anew(club: Club) -> None:
    organiser, *players = await club.members(7)
    number = await club.running(organiser, players)
    await club.next_round(organiser, number)
    first = await club.boards(number)
    await club.office.undo(organiser, number, "une faute de frappe")
    assert (await club.office.state(number)).published == ()
    for board in first:
        info = await club.node.tables.read_info(board.table_id or 0)
        assert info.is_void
        assert (info.result and info.result.reason) == "round_undone"
    await club.next_round(organiser, number)
    second = await club.boards(number)
    assert {board.attempt for board in second} == {2}
    assert not {board.table_id for board in first} & {board.table_id for board in second}
    await play(club.node.tables, second[0].table_id or 0, 1, Take(1))
    assert await refused(club.office.undo(organiser, number, "trop tard")) == "moved_already"


async def test_organisers_move_people_in_a_draft_and_everybody_stands_once(club: Club) -> None:
    organiser, *players = await club.members(5)
    number = await club.running(organiser, players)
    state = await club.office.pair(organiser, number)
    draft, version = state.draft, state.draft_version
    assert draft is not None
    (a, b), (c, d) = draft.boards
    wrong = acts.Drafted(1, ((a, b), (c, c, 999)))
    with pytest.raises(BadTournament) as refusal:
        await club.office.move(organiser, number, wrong, version)
    assert refusal.value.parts["missing"] == str(d)
    assert refusal.value.parts["twice"] == str(c)
    assert refusal.value.parts["unknown"] == "999"
    assert refusal.value.parts["sizes"] == "2"
    moved = await club.office.move(organiser, number, acts.Drafted(1, ((a, c), (b, d))), version)
    assert await refused(club.office.publish(organiser, number, version)) == "stale_draft"
    await club.office.publish(organiser, number, moved.draft_version)
    assert [board.seats for board in await club.boards(number)] == [(a, c), (b, d)]
    await club.played(number)
    again = await club.office.pair(organiser, number)
    same = await club.office.move(organiser, number, acts.Drafted(2, ((a, c), (b, d))), again.draft_version)
    warned = club.office.warnings(same, await club.office.boards(number))
    assert ("rematch", (a, c)) in warned


async def test_who_comes_too_late_waits_and_moves_up(club: Club) -> None:
    organiser, first, second, third = await club.members(4)
    number = await club.announced(organiser, limit=2, code="sésame")
    assert await refused(club.office.enter(first, number, code="ouvre-toi")) == "wrong_code"
    assert await club.office.enter(first, number, code="sésame")
    assert await refused(club.office.enter(first, number, code="sésame")) == "entered_already"
    assert await club.office.enter(organiser, number, second.id), "an organiser enters anybody"
    assert not await club.office.enter(third, number, code="sésame")
    assert (await club.office.state(number)).waiting == [third.id]
    await club.office.leave(first, number)
    assert (await club.office.state(number)).waiting == []
    told = await club.node.club.notices.list(third.id)
    assert [each.about["what"] for each in told] == ["moved_up", "waiting"]


async def test_a_request_that_is_sent_again_is_done_once(club: Club) -> None:
    organiser, first, *_ = await club.members(3)
    number = await club.announced(organiser)
    for _ in range(3):
        assert await club.office.enter(first, number, request_id="one")
    assert list((await club.office.state(number)).entries) == [first.id]


async def test_what_an_organiser_sends_again_is_done_once(club: Club) -> None:
    organiser, *players = await club.members(3)
    office = club.office
    number = await office.create(
        organiser, Plan("Coupe", "nim", "plain", "round_robin", options={"matches": 1}, in_room=True)
    )

    async def twice(name: str, *given: Any) -> None:
        """Sent again at once, and later: a second act would be refused, or be there twice."""
        before = (await office.state(number)).seq
        act = getattr(office, name)
        await asyncio.gather(*(act(organiser, number, *given, f"the {name}") for _ in range(2)))
        await act(organiser, number, *given, f"the {name}")
        assert (await office.state(number)).seq == before + 1, name

    await twice("announce")
    for player in (organiser, *players):
        await office.enter(player, number)
    await twice("open_check_in")
    for player in players:
        await office.check_in(player, number)
    await twice("check_in", organiser.id)
    await twice("begin")
    await club.next_round(organiser, number)
    await twice("penalise", players[0].id, Fraction(1, 2), "Téléphone")
    (board, *_) = await club.boards(number)
    await twice("set_result", board.round, board.board, BoardResult(marks=("1", "0")), "")
    await twice("end")
    number = await club.announced(organiser, name="Autre coupe")
    await twice("cancel", "Coupure")


async def test_many_enter_at_once_and_each_has_one_place(open_club: OpenClub, database_url: str) -> None:
    club = await open_club()
    organiser, *players = await club.members(13)
    number = await club.announced(organiser, limit=8)
    houses = [club] if database_url.startswith("sqlite") else [club, await open_club()]
    placed = await asyncio.gather(
        *(houses[index % len(houses)].office.enter(player, number) for index, player in enumerate(players))
    )
    assert sum(placed) == 8
    state = await club.office.state(number)
    assert len(state.entries) == 12
    assert state.seq == 14


async def test_nobody_does_what_is_the_organisers(club: Club) -> None:
    organiser, stranger, entrant, other = await club.members(4)
    number = await club.running(organiser, [stranger, entrant, other], rounds=2)
    office = club.office
    state = await office.pair(organiser, number)
    result = BoardResult(marks=("1", "0"))
    for call in (
        office.pair(entrant, number),
        office.publish(entrant, number, state.draft_version),
        office.move(entrant, number, acts.Drafted(1, ()), state.draft_version),
        office.undo(entrant, number, ""),
        office.set_result(entrant, number, 1, 1, result, ""),
        office.penalise(entrant, number, other.id, Fraction(1), ""),
        office.begin(entrant, number),
        office.end(entrant, number),
        office.enter(entrant, number, organiser.id),
        office.leave(entrant, number, other.id),
        office.go_away(entrant, number, 1, other.id),
        office.change(entrant, number, state.plan),
    ):
        assert await refused(call) == "not_organiser"
    assert await refused(office.cancel(entrant, number, "")) == "not_first_organiser"
    await office.name_organiser(organiser, number, entrant.id)
    assert await refused(office.cancel(entrant, number, "")) == "not_first_organiser"
    assert await refused(office.name_organiser(entrant, number, other.id)) == "not_first_organiser"
    assert (await office.seen(number, stranger)).draft is None, "a draft is for organisers' eyes"
    assert (await office.seen(number, entrant)).draft is not None
    secret = await office.create(organiser, Plan("Secret", "nim", "plain", "swiss", 2))
    with pytest.raises(NoSuchTournament):
        await office.seen(secret, stranger)
    visitor = await club.node.club.accounts.create_visitor()
    assert await refused(office.enter(visitor, number)) == "members_only"


async def test_a_plan_is_refused_with_all_its_faults_at_once(club: Club) -> None:
    (organiser,) = await club.members(1)
    plan = Plan(
        "Coupe", "nim", "plain", "swiss", 20, ties=("solos", "wins"), points="golf", robots=("genius",)
    )
    with pytest.raises(BadPlan) as refusal:
        await club.office.create(organiser, plan)
    codes = [code for code, _ in refusal.value.faults]
    assert codes == ["unknown_points", "unknown_tie", "bad_rounds", "unknown_robot"]
    assert "golf" in refusal.value.sentence("fr")
    await club.office.create(organiser, Plan("Coupe", "nim", "plain", "swiss", 3))
    assert (
        await refused(club.office.create(organiser, Plan("  coupe ", "nim", "plain", "swiss", 3)))
        == "name_taken"
    )


async def test_results_in_the_room_are_entered_and_corrected_until_the_next_round(club: Club) -> None:
    organiser, *players = await club.members(5)
    number = await club.running(organiser, players, in_room=True, rounds=2)
    await club.next_round(organiser, number)
    assert all(board.table_id is None for board in await club.boards(number))
    office = club.office
    for marks in (("1",), ("1", "1"), ("x", "y"), ("+", "=")):
        code = await refused(office.set_result(organiser, number, 1, 1, BoardResult(marks=marks), ""))
        assert code == "bad_result"
    assert (
        await refused(office.set_result(organiser, number, 1, 9, BoardResult(marks=("1", "0")), ""))
        == "no_board"
    )
    await office.set_result(organiser, number, 1, 1, BoardResult(marks=("1", "0")), "")
    await office.set_result(organiser, number, 1, 2, BoardResult(marks=("+", "-")), "absent")
    await office.set_result(organiser, number, 1, 1, BoardResult(marks=("=", "=")), "mal noté")
    points = Counter(line.points for line in await office.standings(number))
    assert points == {1: 1, Fraction(1, 2): 2, 0: 1}
    await club.next_round(organiser, number)
    late = office.set_result(organiser, number, 1, 1, BoardResult(marks=("1", "0")), "")
    assert await refused(late) == "result_settled"


async def test_the_result_of_a_running_game_is_not_the_organisers(club: Club) -> None:
    organiser, *players = await club.members(3)
    number = await club.running(organiser, [organiser, *players], format="round_robin")
    await club.next_round(organiser, number)
    code = await refused(club.office.set_result(organiser, number, 1, 1, BoardResult(marks=("1", "0")), ""))
    assert code == "board_running"


async def test_a_round_robin_gives_everybody_a_game_with_everybody(club: Club) -> None:
    players = await club.members(5)
    number = await club.running(players[0], players, format="round_robin")
    met: Counter[frozenset[int]] = Counter()
    for _ in range(5):
        await club.next_round(players[0], number)
        met.update(frozenset(board.seats) for board in await club.boards(number))
        await club.played(number)
    assert len(met) == 10
    assert set(met.values()) == {1}


async def test_who_leaves_a_round_robin_early_is_struck_and_later_forfeits(club: Club) -> None:
    players = await club.members(6)
    number = await club.running(players[0], players, format="round_robin")
    await club.next_round(players[0], number)
    await club.played(number)
    await club.office.leave(players[5], number)
    struck = {line.entrant: line.points for line in await club.office.standings(number)}
    assert sum(struck.values()) == 2, "his game of the first round counts no more"
    for _ in range(2):
        await club.next_round(players[0], number)
        await club.played(number)
    await club.office.leave(players[4], number)
    before = {line.entrant: line.points for line in await club.office.standings(number)}
    await club.next_round(players[0], number)
    forfeited = [board for board in await club.boards(number) if players[4].id in board.seats]
    for board in forfeited:
        assert board.table_id is None
        other = next(account for account in board.seats if account != players[4].id)
        after = {line.entrant: line.points for line in await club.office.standings(number)}
        assert after[other] == before[other] + 1


async def test_late_and_absent_players_of_a_swiss_tournament(club: Club) -> None:
    organiser, *players = await club.members(9)
    late = players.pop()
    number = await club.running(organiser, players, rounds=4)
    await club.next_round(organiser, number)
    await club.played(number)
    assert await club.office.enter(late, number)
    await club.office.go_away(players[0], number, 2, half=True)
    await club.office.go_away(players[0], number, 3, half=True)
    assert await refused(club.office.go_away(players[1], number, 1)) == "round_paired"
    await club.next_round(organiser, number)
    await club.played(number)
    lines = {line.entrant: line for line in await club.office.standings(number)}
    assert lines[late.id].rounds[0].points == Fraction(1, 2)
    assert lines[players[0].id].rounds[1].points == Fraction(1, 2)
    await club.next_round(organiser, number)
    await club.played(number)
    lines = {line.entrant: line for line in await club.office.standings(number)}
    assert lines[players[0].id].rounds[2].points == 0, "half a point is given once"
    newcomer = await club.member("Retard")
    assert await refused(club.office.enter(newcomer, number)) == "entries_closed"


async def test_boards_of_seven_are_dealt_by_the_pairing_and_scored_by_the_game(club: Club) -> None:
    organiser, *players = await club.members(16)
    plan = {"game": "diplomacy", "variant": "standard", "format": "boards", "rounds": 2, "points": "cdiplo"}
    number = await club.running(organiser, players, **plan)
    state = await club.next_round(organiser, number)
    boards = await club.boards(number)
    assert [len(board.seats) for board in boards] == [7, 7]
    assert len(state.published[0].byes) == 1
    for board in boards:
        loaded = await club.node.tables.open(board.table_id or 0)
        assert isinstance(loaded.state, DiplomacyState)
        assert loaded.state.holders == (1, 2, 3, 4, 5, 6, 7)
        for seat in range(1, 8):
            await play(club.node.tables, board.table_id or 0, seat, Vote(True))
    lines = {line.entrant: line for line in await club.office.standings(number)}
    russia = boards[0].seats[5]
    assert lines[russia].points > 0
    total = sum(lines[account].points for account in boards[0].seats)
    assert total == 22 + 7 + 59, "the centres of the beginning, one each, and the places"
    bye = state.published[0].byes[0]
    assert lines[bye].points == 0, "the mean of no round at all"
    await club.next_round(organiser, number)
    for board in await club.boards(number):
        for seat, account in enumerate(board.seats):
            assert all(each.seats[seat] != account for each in boards), "nobody plays a power twice"


async def test_a_cancelled_tournament_closes_its_tables_and_tells_everybody(club: Club) -> None:
    organiser, *players = await club.members(5)
    number = await club.running(organiser, players)
    await club.next_round(organiser, number)
    boards = await club.boards(number)
    await club.office.cancel(organiser, number, "la salle est fermée")
    assert (await club.office.state(number)).status == "cancelled"
    for board in boards:
        assert (await club.node.tables.read_info(board.table_id or 0)).is_void
    told = (await club.node.club.notices.list(players[0].id))[0]
    assert told.about["what"] == "cancelled"


async def test_the_log_says_all_again(club: Club) -> None:
    organiser, *players = await club.members(5)
    number = await club.running(organiser, players)
    await club.next_round(organiser, number)
    await club.office.penalise(organiser, number, players[0].id, Fraction(1, 2), "en retard")
    state = await club.office.state(number)
    text = msgspec.json.encode(state)
    assert msgspec.json.decode(text, type=acts.TournamentState) == state
    line = next(line for line in await club.office.standings(number) if line.entrant == players[0].id)
    assert line.penalties == (("en retard", Fraction(1, 2)),)
    assert line.points == Fraction(-1, 2)
