"""What the house does in tournaments by itself, at its hours: check-in, rounds, people who are not there."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from tests.kit.playing import play
from tests.tables.nim import NimRules, Take
from tests.tournaments.conftest import Club, OpenClub

from tablee.clock import HandClock
from tablee.club.calling.calls import Call
from tablee.club.calling.composing import words
from tablee.club.errors import TooMany
from tablee.club.people import Account
from tablee.rules.chess import ChessRules
from tablee.store import Query
from tablee.store.schema import call
from tablee.tournaments import drafting, office, rows
from tablee.tournaments.boards import BoardResult, standing
from tablee.tournaments.errors import TournamentError
from tablee.tournaments.plan import Plan
from tablee.tournaments.seating import word_of_seat

MINUTE = 60_000
DAY = 24 * 60 * MINUTE


@pytest.fixture(autouse=True)
def quick_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drafting, "SECONDS", 0.05)


async def told(club: Club, account: int) -> list[str]:
    """What somebody was told of tournaments, the first first."""
    found = await club.node.club.notices.list(account)
    return [each.about["what"] for each in reversed(found) if each.kind == "tournament"]


def by_hand(club: Club) -> HandClock:
    assert isinstance(club.node.clock, HandClock)
    return club.node.clock


async def later(club: Club, minutes: int) -> None:
    """So much later, everything that is due is done."""
    clock = by_hand(club)
    if minutes < 24 * 60:
        await clock.advance(minutes * MINUTE)
    else:  # days in one step: thousands of rounds of everything else would be run for nothing
        clock.step(minutes * MINUTE)
        clock.follow()
    await settled(club)


async def settled(club: Club) -> None:
    while await club.office.timekeeping.sweep():
        pass


async def live(club: Club, players: int, **plan: Any) -> tuple[Account, list[Account], int]:
    """A tournament at one sitting, announced for an hour from now, with entrants."""
    organiser, *entrants = await club.members(players + 1)
    starts = club.node.clock.now() + 60 * MINUTE
    plan = {"timing": "live", "starts": (starts,), "rounds": 2, "options": {"matches": 2}, **plan}
    number = await club.announced(organiser, **plan)
    for entrant in entrants:
        await club.office.enter(entrant, number)
    return organiser, entrants, number


async def test_an_evening_runs_by_itself_from_the_check_in_to_the_last_round(club: Club) -> None:
    _organiser, players, number = await live(club, 6)
    await settled(club)
    assert (await club.office.state(number)).status == "announced"
    await later(club, 30)
    assert (await club.office.state(number)).status == "check_in"
    assert "check_in" in await told(club, players[0].id)
    for player in players[:5]:
        await club.office.check_in(player, number)
    await later(club, 30)
    state = await club.office.state(number)
    assert (state.status, len(state.published)) == ("running", 1)
    assert set(state.entries) == {player.id for player in players[:5]}, "who did not check in is out"
    for board in await club.boards(number):
        info = await club.node.tables.read_info(board.table_id or 0)
        assert info.status == "running"
        await play(club.node.tables, info.id, 1, Take(1))
        await play(club.node.tables, info.id, 2, Take(1))
    await later(club, 1)
    state = await club.office.state(number)
    assert state.published[0].closed_at
    await later(club, 11)
    assert len((await club.office.state(number)).published) == 2


async def test_who_waits_and_is_there_has_the_place_of_who_is_not(club: Club) -> None:
    _, players, number = await live(club, 5, limit=3)
    await later(club, 30)
    for index in (0, 1, 4):
        await club.office.check_in(players[index], number)
    await later(club, 30)
    state = await club.office.state(number)
    assert {entry.account for entry in state.active} == {players[index].id for index in (0, 1, 4)}
    assert "moved_up" in await told(club, players[4].id)


async def test_too_few_are_not_paired_and_the_organiser_is_told_once(club: Club) -> None:
    organiser, _players, number = await live(club, 4)
    await later(club, 60)
    state = await club.office.state(number)
    assert state.stuck == "too_few"
    assert state.status == "check_in"
    await later(club, 10)
    assert (await told(club, organiser.id)).count("stuck") == 1


async def test_who_is_not_there_after_ten_minutes_has_lost(club: Club) -> None:
    _organiser, _players, number = await live(club, 6, check_in=0)
    await later(club, 60)
    one, both, other = await club.boards(number)
    await play(club.node.tables, one.table_id or 0, 1, Take(1))
    await play(club.node.tables, other.table_id or 0, 1, Take(1))
    await club.node.tables.presence.arrive(other.table_id or 0, 2, other.seats[1])
    await later(club, 9)
    assert all(board.result is None for board in await club.boards(number))
    await later(club, 1)
    after: dict[int, Any] = {board.board: board.result for board in await club.boards(number)}
    assert after[one.board] is not None
    assert after[one.board].marks == ("+", "-")
    assert after[both.board] is not None
    assert after[both.board].marks == ("-", "-")
    assert after[other.board] is None, "who is connected is there"
    for board in (one, both):
        info = await club.node.tables.read_info(board.table_id or 0)
        assert info.is_void
        assert (info.result and info.result.reason) == "board_forfeited"
    assert (await told(club, one.seats[1]))[-1] == "forfeited"
    assert "forfeited" not in await told(club, one.seats[0])


async def test_tables_that_stand_before_their_hour_begin_at_it(club: Club) -> None:
    organiser, _, number = await live(club, 4, check_in=0, review=-1)
    await club.office.begin(organiser, number)
    await club.next_round(organiser, number)
    boards = await club.boards(number)
    infos = [await club.node.tables.read_info(board.table_id or 0) for board in boards]
    assert [info.status for info in infos] == ["open", "open"]
    assert [len(info.taken) for info in infos] == [2, 2]
    await later(club, 60)
    infos = [await club.node.tables.read_info(board.table_id or 0) for board in boards]
    assert [info.status for info in infos] == ["running", "running"]


async def test_at_a_board_of_several_a_robot_plays_on_for_nobody(club: Club) -> None:
    _, _players, number = await live(club, 3, check_in=0, format="boards", seats=3, rounds=1)
    await later(club, 60)
    (board,) = await club.boards(number)
    table = board.table_id or 0
    await play(club.node.tables, table, 1, Take(1))
    await club.node.tables.presence.arrive(table, 2, board.seats[1])
    await later(club, 10)
    info = await club.node.tables.read_info(table)
    sitting = {taken.seat: taken.robot for taken in info.taken}
    assert sitting[3] is not None
    assert (sitting[1], sitting[2]) == (None, None)
    state = await club.office.state(number)
    assert state.published[0].scorers == {"1.3": 0}
    await by_hand(club).advance(MINUTE)
    if info.status == "running":
        await play(club.node.tables, table, 2, Take(1))
    line = next(line for line in await club.office.standings(number) if line.entrant == board.seats[2])
    assert line.points == 0


async def test_a_round_by_days_is_overdue_then_drawn_and_the_next_is_looked_at_for_a_day(club: Club) -> None:
    organiser, *players = await club.members(5)
    number = await club.announced(organiser, timing="days", round_days=7, rounds=2, options={"matches": 9})
    for player in players:
        await club.office.enter(player, number)
    await club.office.begin(organiser, number)
    await settled(club)
    state = await club.office.state(number)
    assert state.draft is not None
    assert not state.published
    await later(club, 24 * 60)
    assert len((await club.office.state(number)).published) == 1
    await later(club, 7 * 24 * 60)
    assert (await told(club, organiser.id)).count("round_overdue") == 1
    assert all(board.result is None for board in await club.boards(number))
    await later(club, 3 * 24 * 60)
    assert [board.result.marks for board in await club.boards(number) if board.result] == [("=", "=")] * 2
    await settled(club)
    await later(club, 24 * 60)
    assert len((await club.office.state(number)).published) == 2


async def test_two_nodes_do_what_is_due_once(open_club: OpenClub, database_url: str) -> None:
    club = await open_club()
    _, players, number = await live(club, 6, check_in=0)
    houses = [club] if database_url.startswith("sqlite") else [club, await open_club()]
    await by_hand(club).advance(60 * MINUTE)
    for _ in range(4):
        await asyncio.gather(*(house.office.timekeeping.sweep() for house in houses for _ in range(3)))
    state = await club.office.state(number)
    assert len(state.published) == 1
    assert len(standing(state, await club.office.boards(number))) == 3
    for player in players:
        assert (await told(club, player.id)).count("paired") == 1


async def test_what_a_node_that_was_killed_has_claimed_is_taken_up_by_another(
    open_club: OpenClub, database_url: str
) -> None:
    club = await open_club()
    _, _, number = await live(club, 4, check_in=0)
    await by_hand(club).advance(60 * MINUTE)
    now = club.node.clock.now()
    claimed = await club.node.tables.store.change(rows.CLAIM_DUE, b_now=now, b_until=now + 30_000, b_most=20)
    assert [row.id for row in claimed] == [number]
    assert await club.office.timekeeping.sweep() == 0, "another node has it"
    await later(club, 1)
    assert len((await club.office.state(number)).published) == 1


async def test_a_table_that_is_void_leaves_its_board_to_the_organisers(club: Club) -> None:
    organiser, *players = await club.members(5)
    number = await club.running(organiser, players)
    await club.next_round(organiser, number)
    board = (await club.boards(number))[0]
    await club.node.tables.calling_off.call_off(board.table_id or 0, "unattended")
    assert (await told(club, organiser.id)).count("board_left") == 1
    await club.office.set_result(organiser, number, 1, board.board, BoardResult(marks=("1", "0")), "vu")


async def test_boards_by_days_begin_together_where_they_need_not_wait(club: Club) -> None:
    organiser, *players = await club.members(7)
    number = await club.running(
        organiser, players[:6], format="boards", seats=3, rounds=2, concurrent=True,
        timing="days", review=0, options={"matches": 9},
    )  # fmt: skip
    await settled(club)
    state = await club.office.state(number)
    assert len(state.published) == 2
    assert all(board.result is None for board in standing(state, await club.office.boards(number)))


async def test_five_wrong_codes_a_minute_are_enough(club: Club) -> None:
    organiser, member = await club.members(2)
    number = await club.announced(organiser, code="sésame")
    for _ in range(5):
        with pytest.raises(TournamentError) as refusal:
            await club.office.enter(member, number, code="raté")
        assert refusal.value.code == "wrong_code"
    with pytest.raises(TooMany):
        await club.office.enter(member, number, code="raté")


async def test_letters_say_what_happens_and_lead_to_the_tournament(club: Club) -> None:
    organiser, one, other = await club.members(3)
    number = await club.running(organiser, [one, other], rounds=1, format="boards", seats=2)
    await club.next_round(organiser, number)
    found = await club.node.club.notices.list(one.id)
    asked = [
        Call(one.id, 0, "tournament", "", {"notice": each.id, "kind": "tournament", **each.about}, 0)
        for each in found
    ]
    said = await club.node.club.own_words.word(one, 0, asked)
    paired, entered = said
    assert paired is not None
    assert entered is not None
    assert "ronde 1" in paired.headline
    assert other.pseudo in paired.headline
    assert paired.path == f"/tournaments/{number}"
    assert "Coupe" in entered.headline
    due = await club.node.tables.store.rows(_CALLS)
    assert [row.account_id for row in due].count(one.id) == 2


async def test_a_letter_names_the_power_or_the_colour_where_the_game_has_them(club: Club) -> None:
    organiser, *players = await club.members(8)
    number = await club.running(
        organiser, players, game="diplomacy", variant="standard", format="boards", rounds=1
    )
    await club.next_round(organiser, number)
    (board,) = await club.boards(number)
    own_words = club.node.club.own_words
    powers = club.node.tables.rules("diplomacy", "standard").words("fr")
    for player in players:
        about = (await club.node.club.notices.list(player.id))[0].about
        asked = Call(player.id, 0, "tournament", "", {"kind": "tournament", **about}, 0)
        (said,) = await own_words.word(player, 0, [asked])
        assert said is not None
        power = powers[f"role.{board.seats.index(player.id) + 1}"]
        assert f"table 1 ({power}), avec" in said.headline
        gone = Call(player.id, 0, "tournament", "", {"kind": "tournament", **about, "variant": "burnt"}, 0)
        (said,) = await own_words.word(player, 0, [gone])
        assert said is not None
        assert f"place {board.seats.index(player.id) + 1}, avec" in said.headline


@pytest.mark.parametrize(
    ("options", "sides"),
    [({}, ["white", "black"]), ({"sides": "second"}, ["black", "white"]), ({"sides": "random"}, [])],
)
def test_a_seat_is_called_by_its_side_unless_that_is_by_lot(options: Any, sides: list[str]) -> None:
    plan = Plan("Coupe", "chess", "classic", "swiss", options=options)
    called = [word_of_seat(plan, ChessRules("classic"), seat) for seat in (1, 2)]
    assert called == ([f"side.{side}" for side in sides] or ["", ""])
    assert all(each in ChessRules("classic").words("fr") for each in called if each)
    assert word_of_seat(Plan("Coupe", "nim", "plain", "swiss"), NimRules(), 1) == ""


_CALLS = Query(select(call.c.account_id).where(call.c.kind == "tournament", call.c.mail_at.is_not(None)))


def test_every_notice_of_a_tournament_has_its_words() -> None:
    said = "".join(path.read_text("utf-8") for path in Path(office.__file__).parent.glob("*.py"))
    for what in (
        "entered", "waiting", "moved_up", "check_in", "paired", "bye", "forfeited", "result_set",
        "substituted", "cancelled", "place", "board_left", "round_overdue", "stuck",
    ):  # fmt: skip
        assert f'"{what}"' in said
        for language in ("fr", "en"):
            assert f"tournament.{what}" in words(language)
