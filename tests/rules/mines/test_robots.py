"""Robots on real boards, and boards that need no guess."""

from __future__ import annotations

from random import Random

import pytest
from tests.rules.mines.matches import NOON, Match

from tablee.rules.contract import Join
from tablee.rules.mines import Click, CustomMinesRules, CustomOptions, Flag, Unflag
from tablee.rules.mines.board import around, numbered
from tablee.rules.mines.noguess import Effort, NoBoard, generate, is_solvable, most_mines
from tablee.rules.mines.robot import ExactRobot, NoviceRobot
from tablee.rules.mines.solo import play_alone
from tablee.rules.mines.text import BadBoard, read_board, write_board

RULES = CustomMinesRules()


def no_time() -> float:
    return 0.0


def test_the_exact_robot_comes_through_a_good_part_of_the_classic_boards() -> None:
    games = [play_alone(seed, ExactRobot(), no_time) for seed in range(1, 13)]
    assert sum(game.won for game in games) >= 3
    assert all(len(game.seconds) == game.clicks for game in games)


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_the_exact_robot_clears_a_third_of_a_thousand_boards_without_a_mine() -> None:
    assert sum(play_alone(seed, ExactRobot(), no_time).won for seed in range(1, 1001)) >= 330


def test_the_same_seed_plays_the_same_board_the_same_way() -> None:
    assert play_alone(5, ExactRobot(), no_time) == play_alone(5, ExactRobot(), no_time)


def test_the_novice_is_no_match_for_the_exact_robot() -> None:
    assert sum(play_alone(seed, NoviceRobot(), no_time).won for seed in range(1, 31)) <= 2


def test_a_robot_begins_where_the_board_says() -> None:
    match = Match(".....\n....*\n*....", start=(2, 0)).join("Robot")
    for robot in RULES.robots.values():
        view, legal = RULES.view(match.state, 1), RULES.legal(match.state, 1)
        assert robot.choose(view, legal, Random(1)) == Click(2, 0)


def test_a_robot_takes_a_flag_away_before_it_opens_the_square() -> None:
    match = Match(".....\n....*\n*....").join("Robot")
    match.play(1, Flag(0, 0))
    view, legal = RULES.view(match.state, 1), RULES.legal(match.state, 1)
    assert ExactRobot().choose(view, legal, Random(1)) == Unflag(0, 0)


def test_a_robot_without_a_part_in_the_match_waits() -> None:
    match = Match(".....\n....*\n*....").join("Ada")
    for robot in RULES.robots.values():
        assert robot.choose(RULES.view(match.state, 2), RULES.legal(match.state, 2), Random(1)) is None


def test_the_exact_robot_needs_no_luck_where_none_is_needed() -> None:
    options = CustomOptions(width=16, height=16, mines=45, no_guess=True)
    for seed in range(3):
        rng = Random(seed)
        state = None
        for fact in RULES.setup(options, (), NOON, rng):
            state = RULES.evolve(state, fact)
        assert state is not None
        for fact in RULES.decide(state, 1, Join("Robot", robot=True), NOON, rng):
            state = RULES.evolve(state, fact)
        while state.ended is None:
            action = ExactRobot().choose(RULES.view(state, 1), RULES.legal(state, 1), rng)
            assert action is not None
            for fact in RULES.decide(state, 1, action, NOON, rng):
                state = RULES.evolve(state, fact)
        assert state.players[0].mines == 0


@pytest.mark.parametrize(
    ("width", "height", "mines"), [(5, 5, 6), (9, 9, 20), (30, 16, 99), (30, 16, 120), (5, 20, 20)]
)
def test_boards_without_guessing_are_made_from_any_starting_square(
    width: int, height: int, mines: int
) -> None:
    for seed in range(3):
        rng = Random(seed)
        start = rng.randrange(width * height)
        laid = generate(width, height, mines, start, rng)
        assert len(laid) == len(set(laid)) == mines
        assert not {start, *around(width, height)[start]} & set(laid)
        assert is_solvable(numbered(width, height, laid), start, width, height)


def test_the_same_seed_makes_the_same_board_without_guessing() -> None:
    effort = Effort()
    assert generate(16, 16, 50, 0, Random(9), effort) == generate(16, 16, 50, 0, Random(9))
    assert effort.boards >= 1


def test_too_many_mines_for_a_board_without_guessing_are_refused() -> None:
    with pytest.raises(NoBoard, match="20 mines at most"):
        generate(9, 9, most_mines(9, 9) + 1, 0, Random(1))


def test_a_board_with_a_fifty_fifty_needs_a_guess() -> None:
    truth = numbered(4, 3, [7, 11])
    assert is_solvable(truth, 0, 4, 3)
    assert not is_solvable(numbered(5, 2, [3]), 0, 5, 2)


def test_a_board_can_be_typed() -> None:
    board = read_board("mines 3\n\nXx?\n.1*\n#F8\n")
    assert (board.width, board.height, board.mines) == (3, 3, 3)
    assert write_board(board.shown, 3) == "XXX\n01*\nXF8"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "no board"),
        ("XX\nXXX", "Line 2 has 3 squares, the first row has 2"),
        ("XY", "Line 1: “Y” is no square"),
        ("mines many\nX", "Line 1: after “mines” comes how many"),
    ],
)
def test_a_text_that_is_no_board_is_refused_with_the_line(text: str, sentence: str) -> None:
    with pytest.raises(BadBoard, match=sentence):
        read_board(text)
