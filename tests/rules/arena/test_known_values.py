"""The known values of the standard board."""

from __future__ import annotations

import pytest

from tablee.rules.arena.board import LINE_OR_DIAGONAL, TYPES, Board, squares_of
from tablee.rules.arena.cards import card_reach, deck
from tablee.rules.arena.loading import load_ours
from tablee.rules.arena.reach import reach

STANDARD = load_ours("standard")
BOARD = Board(STANDARD)
CARDS = {card.name: card for card in STANDARD.cards}
COLORS = ("BLACK", "BLUE", "RED", "YELLOW")


def reached(card: str, color: str, x: int, y: int) -> set[tuple[int, int]]:
    """Where a card brings a pawn on the empty board."""
    found = card_reach(BOARD, CARDS[card], color, BOARD.square(x, y), BOARD.masks)
    return {BOARD.place(square) for square in squares_of(found)}


def test_the_standard_board_has_72_squares_of_each_colour() -> None:
    assert (BOARD.W, BOARD.rows, BOARD.circle_rows, BOARD.squares) == (32, 9, 3, 288)
    assert {color: mask.bit_count() for color, mask in BOARD.masks.items()} == dict.fromkeys(COLORS, 72)


def test_a_row_repeats_its_colours_all_the_way_round() -> None:
    assert [BOARD.color_of[BOARD.square(x, 2)] for x in (0, 1, 2, 3, 8, 31)] == [
        "BLUE", "BLACK", "RED", "YELLOW", "BLUE", "YELLOW",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("card", "color", "at", "expected"),
    [
        ("Wizard", "BLACK", (0, 3), {(31, 2), (0, 2), (1, 2), (1, 3), (0, 4), (1, 4)}),
        ("Knight", "RED", (4, 1), {(2, 2), (6, 2), (3, 3)}),
        ("Knight", "BLACK", (3, 2), {(2, 0), (4, 0), (4, 4)}),
        ("Knight", "YELLOW", (1, 3), {(3, 2), (31, 2)}),
        ("Queen", "BLUE", (0, 7), {(0, 6), (0, 5), (1, 7), (1, 8)}),
        ("King", "YELLOW", (0, 0), {(1, 0), (31, 0), (30, 0)}),
    ],
)
def test_a_card_reaches_just_these_squares(
    card: str, color: str, at: tuple[int, int], expected: set[tuple[int, int]]
) -> None:
    assert reached(card, color, *at) == expected


@pytest.mark.parametrize(
    ("card", "sums"),
    [
        ("Queen", (784, 808, 940, 664)),
        ("Assassin", (784, 808, 940, 664)),
        ("King", (368, 544, 460, 448)),
        ("Knight", (344, 376, 376, 344)),
        ("Wizard", (1856, 1856, 1856, 1856)),
        ("Warrior", (232, 264, 248, 248)),
        ("Bishop", (840, 984, 888, 840)),
    ],
)
def test_the_reach_of_a_card_over_the_whole_board_adds_up(card: str, sums: tuple[int, ...]) -> None:
    found = tuple(
        sum(
            card_reach(BOARD, CARDS[card], color, square, BOARD.masks).bit_count()
            for square in range(BOARD.squares)
        )
        for color in COLORS
    )
    assert found == sums


def test_32_jumps_of_a_knight_have_no_way_back() -> None:
    near = BOARD.near[TYPES["knight"]]
    one_way = [
        (start, end)
        for start in range(BOARD.squares)
        for end in squares_of(near[start])
        if not near[end] >> start & 1
    ]
    assert len(one_way) == 32


def test_a_pawn_is_passed_over_but_not_landed_on() -> None:
    start, between, beyond = BOARD.square(0, 7), BOARD.square(0, 6), BOARD.square(0, 5)
    blue = BOARD.masks["BLUE"]
    found = reach(BOARD, start, 2, LINE_OR_DIAGONAL, blue, occupied=1 << between)
    assert not found >> between & 1
    assert found >> beyond & 1


def test_a_deck_has_each_card_in_each_colour() -> None:
    cards = deck(STANDARD)
    assert len(cards) == len(set(cards)) == 28


def test_seats_start_on_their_arms_and_aim_at_the_opposite_ones() -> None:
    assert [BOARD.arm_of_seat(seat, 3) for seat in range(3)] == [0, 2, 5]
    assert BOARD.place(BOARD.starts[5]) == (20, 8)
    assert [BOARD.place(square) for square in squares_of(BOARD.aims(5))] == [(4, 8), (5, 8), (6, 8), (7, 8)]
