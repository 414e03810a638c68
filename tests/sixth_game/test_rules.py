"""The sixth game keeps the contract, and its robots play it."""

from __future__ import annotations

from random import Random

import pytest
from tests.conformance.kit import GameCase, assert_conforms
from tests.sixth_game.puissance4 import RULES
from tests.sixth_game.puissance4.model import Began, Drop, Dropped, Ended, GridState, Options, has_four

from tablee.rules.contract import Illegal, Leave, Replace, Timeout

(GAME,) = RULES


def grid(*rows: str, turn: int = 1) -> GridState:
    return GridState(rows, turn)


def play(state: GridState, seat: int, column: int) -> GridState:
    for fact in GAME.decide(state, seat, Drop(column), 0, Random(1)):
        state = GAME.evolve(state, fact)
    return state


def test_it_conforms() -> None:
    reports = assert_conforms(GameCase(GAME, games=20, secret=False))
    assert {report.ended for report in reports} >= {"four", "left"}


def test_a_disc_falls_on_what_lies_there() -> None:
    state = grid("....", "....", "....", "X...", turn=2)
    assert play(state, 2, 1).rows == ("....", "....", "O...", "X...")


@pytest.mark.parametrize(
    "rows",
    [
        ("....", "....", "....", "XXXX"),
        ("X...", "X...", "X...", "X..."),
        ("X...", ".X..", "..X.", "...X"),
        ("...X", "..X.", ".X..", "X..."),
    ],
)
def test_four_in_a_line_are_seen_in_every_direction(rows: tuple[str, ...]) -> None:
    assert has_four(rows, "X")
    assert not has_four(rows, "O")


def test_four_in_a_line_win() -> None:
    state = play(grid("....", "....", "....", "XXX."), 1, 4)
    assert state.ended == Ended(1, "four")
    result = GAME.result(state)
    assert result is not None
    assert result.ranks == {1: 1, 2: 2}


def test_a_full_grid_is_a_draw() -> None:
    state = play(grid(".XOX", "OXOX", "OXOX", "XOXO", turn=2), 2, 1)
    assert state.ended == Ended(0, "full")
    result = GAME.result(state)
    assert result is not None
    assert result.ranks == {1: 1, 2: 1}


@pytest.mark.parametrize(
    ("seat", "column", "code"), [(2, 2, "not_your_turn"), (1, 9, "no_such_column"), (1, 1, "column_full")]
)
def test_what_cannot_be_played_is_refused(seat: int, column: int, code: str) -> None:
    with pytest.raises(Illegal) as refusal:
        play(grid("X...", "O...", "X...", "O..."), seat, column)
    assert refusal.value.code == code


def test_who_leaves_or_is_late_has_lost_and_a_seat_can_be_taken_over() -> None:
    state = GAME.evolve(None, Began(7, 6))
    assert GAME.decide(state, 1, Leave(), 0, Random(1)) == [Ended(2, "left")]
    assert GAME.decide(state, -1, Timeout(2), 0, Random(1)) == [Ended(1, "time")]
    (taken,) = GAME.decide(state, 2, Replace("Zoé"), 0, Random(1))
    assert GAME.evolve(state, taken) == state


@pytest.mark.parametrize(
    ("rows", "column"), [(("....", "....", "....", "XXX."), 4), (("....", "O...", "O...", "O..."), 1)]
)
def test_the_thinker_wins_and_prevents(rows: tuple[str, ...], column: int) -> None:
    state = grid(*rows)
    view = GAME.view(state, 1)
    assert GAME.robots["thinker"].choose(view, GAME.legal(state, 1), Random(3)) == Drop(column)


def test_the_thinker_beats_the_novice() -> None:
    state = GAME.evolve(None, GAME.setup(Options(), (1, 2), 0, Random(1))[0])
    rng = Random(7)
    while state.ended is None:
        robot = GAME.robots["thinker" if state.turn == 1 else "novice"]
        action = robot.choose(GAME.view(state, state.turn), GAME.legal(state, state.turn), rng)
        assert isinstance(action, Drop)
        facts = GAME.decide(state, state.turn, action, 0, rng)
        assert isinstance(facts[0], Dropped)
        for fact in facts:
            state = GAME.evolve(state, fact)
    assert state.ended == Ended(1, "four")
