"""What no map can draw of a round: the order of play over many rounds, odd callers, odd boards."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest

from tablee.rules.robots.board import Board, number_of
from tablee.rules.robots.floor import Mecha, placed
from tablee.rules.robots.motion import order_of_play
from tablee.rules.robots.reactions import REACTIONS
from tablee.rules.robots.turn import play_register, play_round

EMPTY = Board(("neutre",) * 144)


def test_the_board_reacts_in_the_order_that_is_written_down() -> None:
    assert [stage for stage, _ in REACTIONS] == ["conveyors", "turntables", "pushers", "lasers"]


@pytest.mark.parametrize("count", range(1, 9))
def test_every_robot_begins_as_often_as_another_over_as_many_rounds_as_there_are_robots(count: int) -> None:
    orders = [
        order_of_play(round, register, count) for round in range(1, count + 1) for register in range(1, 6)
    ]
    assert all(sorted(order) == list(range(1, count + 1)) for order in orders)
    for position in range(count):
        assert Counter(order[position] for order in orders) == dict.fromkeys(range(1, count + 1), 5)


def test_the_order_of_play_of_three_robots_is_as_the_rules_count_it() -> None:
    assert order_of_play(1, 1, 3) == [1, 2, 3]
    assert order_of_play(1, 2, 3) == [2, 3, 1]
    assert order_of_play(2, 1, 3) == [2, 3, 1]
    assert order_of_play(2, 5, 3) == [3, 1, 2]


def test_a_register_for_a_robot_that_is_not_there_is_nobody_s() -> None:
    mechas = (placed(1, 3, 3, "East"), placed(4, 5, 5, "East"))
    after, steps = play_register(EMPTY, mechas, {2: ("Move_Ahead",), 4: ("Move_Ahead",)}, 1, 1, 4)
    assert [(step.seat, step.code) for step in steps] == [(4, "Move_Ahead")]
    assert (after[1].x, after[1].y) == (6, 5)


def test_a_round_without_cartouches_is_stood_through() -> None:
    mechas = (placed(1, 3, 3, "East"), placed(2, 5, 5, "East"))
    played = play_round([EMPTY], 0, mechas, {}, 1)
    assert played.registers == ((),) * 5
    assert played.mechas == mechas
    assert played.swap is None


def test_a_start_that_is_walled_in_and_taken_gives_the_first_free_tile() -> None:
    names = ["neutre"] * 144
    names[number_of(5, 5)] = "mur_NESO"
    frozen = Mecha(2, 5, 5, "West", 0, 1, "frozen", (5, 5, "West"), frozen_in=1)
    mechas = (placed(1, 5, 5, "East"), frozen, placed(3, 1, 1, "North"))
    woken = play_round([Board(tuple(names))], 0, mechas, {}, 2).mechas[1]
    assert woken == msgspec.structs.replace(frozen, x=2, y=1, energy=4, status="racing", frozen_in=0)


def test_what_went_in_is_not_changed() -> None:
    mechas = (placed(1, 3, 3, "East"), placed(2, 4, 3, "East"))
    cartouches = {1: (("Move_Ahead",),) * 5}
    before = msgspec.json.encode(mechas)
    first = play_round([EMPTY], 0, mechas, cartouches, 1)
    assert msgspec.json.encode(mechas) == before
    assert play_round([EMPTY], 0, mechas, cartouches, 1) == first
