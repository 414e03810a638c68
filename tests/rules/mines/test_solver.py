"""Chances beside counting every layout by hand, and what follows from them."""

from __future__ import annotations

from itertools import combinations
from math import exp
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablee.rules.mines import counting
from tablee.rules.mines.board import (
    HIDDEN,
    MINE,
    around,
    beside,
    mines_of,
    numbered,
    opening,
    random_mines,
)
from tablee.rules.mines.counting import count_parts
from tablee.rules.mines.endgame import best_square, layouts
from tablee.rules.mines.guess import best_guess
from tablee.rules.mines.position import Contradiction, Position, read_position, settle
from tablee.rules.mines.solver import chances, random_layout


@st.composite
def boards(draw: st.DrawFn) -> tuple[bytes, bytes, int, int, int]:
    """A small board, what is shown of it, its size and its mines."""
    width, height = draw(st.integers(2, 4)), draw(st.integers(2, 4))
    size = width * height
    mines = draw(st.sets(st.integers(0, size - 1), min_size=1, max_size=size // 2))
    truth = numbered(width, height, mines)
    opened = draw(st.sets(st.integers(0, size - 1), max_size=size))
    shown = bytes(truth[square] if square in opened else HIDDEN for square in range(size))
    return truth, shown, width, height, len(mines)


def every_layout(position: Position) -> list[set[int]]:
    return [
        set(laid)
        for laid in combinations(sorted(position.hidden), position.mines)
        if all(sum(square in laid for square in squares) == n for squares, n in position.constraints)
    ]


@settings(deadline=None, max_examples=150)
@given(boards())
def test_chances_are_those_of_counting_every_layout(board: tuple[bytes, bytes, int, int, int]) -> None:
    _, shown, width, height, mines = board
    position = read_position(shown, width, height, mines)
    fitting = every_layout(position)
    known = chances(position)
    assert known.mine.keys() == position.hidden
    assert exp(known.log_layouts) == pytest.approx(len(fitting))
    for square, chance in known.mine.items():
        times = sum(square in laid for laid in fitting)
        assert chance == pytest.approx(times / len(fitting))
        assert (chance == 0.0) == (times == 0)
        assert (chance == 1.0) == (times == len(fitting))


@settings(deadline=None, max_examples=150)
@given(boards())
def test_what_is_settled_is_certain(board: tuple[bytes, bytes, int, int, int]) -> None:
    truth, shown, width, height, mines = board
    settled = settle(read_position(shown, width, height, mines))
    assert all(truth[square] != MINE for square in settled.safe)
    assert all(truth[square] == MINE for square in settled.mined)


@settings(deadline=None, max_examples=150)
@given(boards(), st.integers(0, 2**32))
def test_a_random_layout_fits_every_number(board: tuple[bytes, bytes, int, int, int], seed: int) -> None:
    truth, shown, width, height, mines = board
    position = read_position(shown, width, height, mines)
    laid = random_layout(position, mines_of(truth), Random(seed))
    assert set(laid) in every_layout(position)


@settings(deadline=None, max_examples=100)
@given(boards())
def test_the_layouts_that_are_listed_are_all_there_are(board: tuple[bytes, bytes, int, int, int]) -> None:
    _, shown, width, height, mines = board
    position = read_position(shown, width, height, mines)
    fitting = every_layout(position)
    listed = layouts(position, 100_000)
    assert listed is not None
    assert sorted(map(sorted, listed)) == sorted(map(sorted, fitting))
    assert layouts(position, len(fitting) - 1) is None


@settings(deadline=None, max_examples=60)
@given(boards())
def test_where_counting_is_too_much_certainty_stays_certain(
    board: tuple[bytes, bytes, int, int, int],
) -> None:
    truth, shown, width, height, mines = board
    position = read_position(shown, width, height, mines)
    count_parts.cache_clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counting, "MOST_WORK", 6)
        known = chances(position)
        laid = random_layout(position, mines_of(truth), Random(1))
    count_parts.cache_clear()
    assert known.mine.keys() == position.hidden
    assert all(truth[square] != MINE for square in known.safe)
    assert all(truth[square] == MINE for square, chance in known.mine.items() if chance == 1.0)
    assert set(laid) in every_layout(position)


def test_scattered_clicks_on_a_large_board_are_answered() -> None:
    rng = Random(3)
    width, height, mines = 60, 40, 700
    truth = numbered(width, height, random_mines(width, height, mines, rng))
    shown = bytearray(b"X" * (width * height))
    for square in rng.sample(range(width * height), 480):
        if shown[square] == HIDDEN:
            for opened in opening(truth, bytes(shown), [square], width, height):
                shown[opened] = truth[opened]
    known = chances(read_position(bytes(shown), width, height, mines))
    assert known.work < 200_000
    assert all(truth[square] != MINE for square in known.safe)


def test_diagonal_neighbours_of_an_open_empty_square_are_safe() -> None:
    position = read_position(b"00X01XXXX", 3, 3, 1)
    assert chances(position).mine[6] == 0.0
    assert 2 in settle(read_position(b"00XX0XXXXXXX", 4, 3, 2)).safe


def test_flags_say_nothing_and_hit_mines_are_known() -> None:
    position = read_position(b"F2*XX", 5, 1, 3)
    assert position.mines == 2
    assert position.hidden == {0, 3, 4}
    assert chances(position).mine == {0: 1.0, 3: 0.5, 4: 0.5}


def test_numbers_that_cannot_be_right_are_a_contradiction() -> None:
    for shown, mines in [(b"3XX", 3), (b"X1X", 2), (b"1XX1", 1), (b"0X", 1)]:
        with pytest.raises(Contradiction):
            chances(read_position(shown, len(shown), 1, mines))


def test_the_last_squares_are_searched_to_the_end() -> None:
    # One mine in three squares beside a 1: the middle one, if safe, tells the other two apart by its number.
    found = [frozenset({0}), frozenset({1}), frozenset({2})]
    square, chance = best_square(found, [0, 1, 2], around(3, 1))
    assert square in (0, 2)
    assert chance == pytest.approx(2 / 3)


def test_a_guess_is_one_of_the_hidden_squares() -> None:
    rng = Random(11)
    near = around(9, 9)
    for _ in range(20):
        truth = numbered(9, 9, random_mines(9, 9, 16, rng))
        shown = bytes(truth[s] if truth[s] != MINE and rng.random() < 0.3 else HIDDEN for s in range(81))
        position = read_position(shown, 9, 9, 16)
        assert best_guess(position, chances(position), near) in position.hidden


@given(st.integers(1, 12), st.integers(1, 12))
def test_neighbours_are_mutual(width: int, height: int) -> None:
    near, sides = around(width, height), beside(width, height)
    for square, neighbours in enumerate(near):
        assert all(square in near[neighbour] for neighbour in neighbours)
        assert set(sides[square]) <= set(neighbours)


@settings(deadline=None)
@given(boards(), st.data())
def test_opening_reaches_all_empty_squares_that_share_edges_and_their_border(
    board: tuple[bytes, bytes, int, int, int], data: st.DataObject
) -> None:
    truth, _, width, height, _ = board
    square = data.draw(st.integers(0, width * height - 1))
    opened = opening(truth, bytes([HIDDEN]) * (width * height), [square], width, height)
    assert opened[0] == square
    assert len(set(opened)) == len(opened)
    sides = beside(width, height)
    for each in opened:
        if truth[each] == ord("0"):
            assert set(sides[each]) <= set(opened)
        if each != square:
            assert truth[each] != MINE
            assert any(truth[side] == ord("0") and side in opened for side in sides[each])
