"""Whole tournaments through the real house, one of each format and kind of game; the places reckoned anew.

Everybody plays from his own chair, by what his seat may see and do. In chess nobody waits for a mate: after
a few moves somebody resigns.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from tests.kit.playing import play
from tests.tables.conftest import Opener
from tests.tables.conftest import open_node as open_node
from tests.tournaments.conftest import Club
from tests.tournaments.plain_standings import places

from tablee.cli.rehearsal import Choose, play_round
from tablee.clock import HandClock
from tablee.club.people import Account
from tablee.rules import GAMES
from tablee.rules.chess.model import Move, OfferDraw
from tablee.rules.contract import Leave
from tablee.rules.diplomacy.game import Vote
from tablee.tables.chair import Chair
from tablee.tournaments import files
from tablee.tournaments.boards import BoardResult, entrants_of, is_closed, matches_of, standing
from tablee.tournaments.championship.acts import ChampionshipPlan
from tablee.tournaments.championship.counting import contenders, counting_of

CHESS = {"game": "chess", "variant": "classic", "options": None}


@pytest.fixture
async def club(open_node: Opener) -> Club:
    return Club(await open_node(games=GAMES))


class Hasty:
    """Chess by chance: a few legal moves, then who is to move resigns, or both agree on a draw."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)

    async def play(self, club: Club, number: int) -> None:
        """The last round, with the games that follow in a match."""
        while True:
            for board in await club.boards(number):
                if board.result is None and board.table_id is not None:
                    await self._game(club, board.table_id, board.seats)
            await club.office.matches.play_on(number)
            if is_closed(await club.office.state(number), await club.office.boards(number)):
                return

    async def _game(self, club: Club, table: int, seats: Sequence[int]) -> None:
        tables = club.node.tables
        for move in range(self.rng.randint(2, 5)):
            loaded = await tables.open(table)
            seat = move % 2 + 1
            chair = Chair(tables, loaded, seat, seats[seat - 1])
            moves = [action for _ in range(40) if isinstance(action := chair.legal().sample(self.rng), Move)]
            await chair.play(moves[0])
        loser = self.rng.choice((0, 1, 2))
        if loser:
            await play(tables, table, loser, Leave())
        else:
            await play(tables, table, 1, OfferDraw())
            await play(tables, table, 2, OfferDraw())
        assert (await tables.read_info(table)).status == "over"


def robot_of(club: Club, game: str, variant: str, name: str) -> Choose:
    robot = club.node.tables.rules(game, variant).robots[name]
    return lambda account, view, legal, rng: robot.choose(view, legal, rng)


async def exported(club: Club, number: int) -> str:
    """All public facts, as the house gives them out; its places are those of the plain program."""
    office, state = club.office, await club.office.state(number)
    boards = await office.boards(number)
    rules = club.node.tables.rules(state.plan.game, state.plan.variant)
    names = {account: f"Élodie {account}" for account in state.entries}
    lines = office.lines(state, boards)
    entrants, counting = entrants_of(state, rules, boards), state.plan.counting(rules)
    text = files.facts(number, state, entrants, lines, counting, names).decode()
    assert places(text) == {line.entrant: line.place for line in lines}
    table = files.spreadsheet(lines, names, len(state.published))
    assert table.startswith("\ufeff")
    rows = list(csv.reader(io.StringIO(table[1:]), delimiter=";"))
    assert len(rows) == len(lines) + 1
    return text


async def rounds(club: Club, organiser: Account, number: int, players: Hasty | Choose) -> None:
    """All that are left, to the end."""
    state = await club.office.state(number)
    for _ in range(len(state.published), state.rounds):
        await club.next_round(organiser, number)
        if isinstance(players, Hasty):
            await players.play(club, number)
        else:
            clock = club.node.clock
            assert isinstance(clock, HandClock)
            await play_round(club.office, club.node.tables, clock, number, players, Random(number))
    await club.office.end(organiser, number)
    await exported(club, number)


@pytest.mark.parametrize(
    ("players", "number_of_rounds"), [(8, 4), pytest.param(16, 7, marks=pytest.mark.long)]
)
async def test_a_swiss_tournament_with_a_withdrawal_a_late_entry_and_a_round_undone(
    club: Club, players: int, number_of_rounds: int
) -> None:
    organiser, late, *members = await club.members(players + 2)
    plan = {**CHESS, "format": "swiss", "rounds": number_of_rounds}
    number = await club.running(organiser, members, **plan)
    hasty = Hasty(players)
    await club.next_round(organiser, number)
    await club.office.undo(organiser, number, "un oubli")
    await club.office.enter(late, number)
    await club.next_round(organiser, number)
    assert {board.attempt for board in await club.boards(number)} == {2}
    await hasty.play(club, number)
    await club.office.leave(members[0], number)
    await club.office.go_away(members[1], number, 2, half=True)
    await rounds(club, organiser, number, hasty)
    lines = {line.entrant: line for line in await club.office.standings(number)}
    assert len(lines) == players + 1
    assert lines[members[1].id].rounds[1].points == Fraction(1, 2)
    state, boards = await club.office.state(number), await club.office.boards(number)
    met = [frozenset(board.seats) for board in standing(state, boards)]
    assert len(set(met)) == len(met), "nobody meets twice"


async def test_a_round_robin_of_chess(club: Club) -> None:
    organiser, *members = await club.members(5)
    number = await club.running(organiser, members, **CHESS, format="round_robin")
    await rounds(club, organiser, number, Hasty(2))


async def test_a_knockout_of_eleven_at_chess(club: Club) -> None:
    organiser, *members = await club.members(12)
    number = await club.running(organiser, members, **CHESS, format="knockout", best_of=2, third_place=True)
    await rounds(club, organiser, number, Hasty(11))
    matches = matches_of(await club.office.state(number), await club.office.boards(number))
    assert len([each for each in matches[0] if each.match.is_bye]) == 5
    assert [line.place for line in await club.office.standings(number)][:4] == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("game", "variant", "robot", "options", "seats", "players"),
    [
        ("arena", "crossroads", "greedy", None, 4, 8),
        ("robots", "race", "apprentice", {"seats": 4}, 4, 8),
        ("mines", "classic", "exact", None, 10, 10),
        pytest.param("arena", "crown", "greedy", None, 6, 17, marks=pytest.mark.long),
        pytest.param("robots", "race", "pilot", {"seats": 6}, 6, 11, marks=pytest.mark.long),
    ],
)
async def test_boards_of_every_kind_of_game(
    club: Club, game: str, variant: str, robot: str, options: Any, seats: int, players: int
) -> None:
    organiser, *members = await club.members(players + 1)
    plan = {"game": game, "variant": variant, "options": options, "seats": seats, "points": "places"}
    number = await club.running(organiser, members, **plan, format="boards", rounds=1)
    await rounds(club, organiser, number, robot_of(club, game, variant, robot))


@pytest.mark.parametrize(
    ("players", "number_of_rounds"), [(14, 1), pytest.param(28, 4, marks=pytest.mark.long)]
)
async def test_boards_of_seven_that_end_in_draws(club: Club, players: int, number_of_rounds: int) -> None:
    organiser, *members = await club.members(players + 1)
    plan = {"game": "diplomacy", "variant": "standard", "options": None, "points": "cdiplo"}
    number = await club.running(organiser, members, **plan, format="boards", rounds=number_of_rounds)
    for _ in range(number_of_rounds):
        await club.next_round(organiser, number)
        for board in await club.boards(number):
            for seat in range(1, 8):
                await play(club.node.tables, board.table_id or 0, seat, Vote(True))
    await club.office.end(organiser, number)
    await exported(club, number)
    lines = await club.office.standings(number)
    assert sum(line.points for line in lines) == number_of_rounds * players // 7 * (22 + 7 + 59)


async def test_a_tournament_in_the_room(club: Club) -> None:
    organiser, *members = await club.members(10)
    plan = {"game": "diplomacy", "variant": "standard", "options": None, "in_room": True}
    number = await club.running(organiser, members, **plan, format="boards", rounds=3, best=2)
    rng = Random(1)
    for each in range(1, 4):
        await club.next_round(organiser, number)
        for board in await club.boards(number):
            await club.office.set_result(organiser, number, each, board.board, _end(rng), "")
    await club.office.end(organiser, number)
    await exported(club, number)


def _end(rng: Random) -> BoardResult:
    """What the sheet of a board says at the end of an evening."""
    cuts = sorted(rng.randint(0, 34) for _ in range(6))
    centres: Sequence[int] = [high - low for low, high in zip([0, *cuts], [*cuts, 34], strict=True)]
    out = [None if number else rng.randint(1902, 1907) for number in centres]
    return BoardResult(tally={"centres": centres, "out": out, "last_year": 1907})


async def test_a_championship_over_three_games_played_through_the_house(club: Club) -> None:
    organiser, *members = await club.members(5)
    championships = club.office.championships
    season = await championships.open(organiser, ChampionshipPlan("Saison", best=2))
    arena = {"game": "arena", "variant": "crossroads", "options": None, "points": "places"}
    mines = {"game": "mines", "variant": "classic", "options": None, "seats": 4}
    once: dict[str, Any] = {"format": "boards", "rounds": 1}
    for name, plan, players in (
        ("Échecs", {**CHESS, "format": "knockout"}, Hasty(5)),
        ("Arène", {**arena, **once}, robot_of(club, "arena", "crossroads", "greedy")),
        ("Mines", {**mines, **once}, robot_of(club, "mines", "classic", "exact")),
    ):
        number = await club.running(organiser, members[:4], name=name, **plan)
        await championships.add(organiser, season, number, Fraction(1))
        assert len(await championships.played(await championships.state(season))) < 3
        await rounds(club, organiser, number, players)
    await championships.close(organiser, season)
    state = await championships.state(season)
    played = await championships.played(state)
    assert len(played) == 3
    lines = await championships.standings(state)
    entrants, counting = contenders(state, played), counting_of(state, played)
    names = {line.entrant: f"Élodie {line.entrant}" for line in lines}
    text = files.championship_facts(season, state, played, entrants, lines, counting, names).decode()
    assert places(text) == {line.entrant: line.place for line in lines}
    assert {line.entrant for line in lines} == {member.id for member in members[:4]}
