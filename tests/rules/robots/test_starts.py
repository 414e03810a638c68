"""Where a race begins, and how far it is from there."""

from __future__ import annotations

from itertools import pairwise

import pytest
from tests.rules.robots.plain import board

from tablee.rules.robots.board import Board, BoardDocument, compile_board, number_of, place_of
from tablee.rules.robots.boards import shipped_boards
from tablee.rules.robots.checking import read_board
from tablee.rules.robots.starts import proposed_start, starting_tiles
from tablee.rules.robots.turn import placed, play_register
from tablee.rules.robots.ways import TOWARD, ways_of


def compiled(*tiles: tuple[str, int, int]) -> Board:
    return compile_board(read_board(board(*tiles)))


@pytest.fixture(params=list(shipped_boards()))
def ours(request: pytest.FixtureRequest) -> Board:
    document: BoardDocument = shipped_boards()[request.param].document
    return compile_board(document)


def test_a_race_begins_on_neutral_tiles_out_of_every_beam_and_equally_far_from_the_first_law(
    ours: Board,
) -> None:
    tiles = starting_tiles(ours)
    lit = {number for beam in ours.beams for number in beam.tiles}
    away = [ways_of(ours).registers[0][number] for number in tiles]
    assert len(set(tiles)) == len(tiles) >= 16
    assert list(tiles) == sorted(tiles)
    assert all(ours.names[number] == "neutre" for number in tiles)
    assert not lit & set(tiles)
    known = [registers for registers in away if registers is not None]
    assert len(known) == len(away)
    assert min(known) >= 8
    assert max(known) - min(known) <= 3


def test_eight_robots_are_proposed_eight_different_tiles_among_those_available(ours: Board) -> None:
    tiles = list(starting_tiles(ours))
    for count in range(1, 9):
        proposed = [proposed_start(ours, tiles, index, count) for index in range(count)]
        numbers = {number_of(x, y) for x, y, _ in proposed}
        assert len(numbers) == count
        assert numbers <= set(tiles)


def test_a_proposed_robot_looks_where_it_will_go(ours: Board) -> None:
    tiles = list(starting_tiles(ours))
    for index in range(8):
        robot = placed(1, *proposed_start(ours, tiles, index, 8))
        (after,), _ = play_register(ours, (robot,), {1: ("Move_Ahead",)}, 1, 1, 1)
        left = ways_of(ours).registers[0]
        here, there = left[number_of(robot.x, robot.y)], left[number_of(after.x, after.y)]
        assert here is not None
        assert there == here - 1


def test_more_robots_than_tiles_are_not_placed(ours: Board) -> None:
    with pytest.raises(IndexError):
        proposed_start(ours, list(starting_tiles(ours))[:3], 0, 4)


# --- ways -----------------------------------------------------------------------------------------------


def test_on_an_empty_board_a_register_is_a_step() -> None:
    left = ways_of(compiled()).registers[0]
    assert [left[number_of(x, y)] for x, y in ((12, 1), (11, 1), (1, 1), (1, 12))] == [0, 1, 11, 22]


def test_a_belt_doubles_the_pace_one_way_and_closes_the_other() -> None:
    belt = compiled(*[("conv_eOsE", x, 1) for x in range(2, 12)])
    left, back = ways_of(belt).registers[:2]
    assert left[number_of(1, 1)] == 6
    assert back[number_of(12, 1)] == 13


def test_a_wall_makes_a_way_longer() -> None:
    assert ways_of(compiled(("mur_O", 2, 1), ("mur_O", 2, 2))).registers[0][0] == 15


def test_a_register_that_costs_energy_says_how_much() -> None:
    ways = ways_of(compiled(("murLaser_OE", 1, 6), ("murLaser_NS", 6, 1), ("nid2poule", 3, 3)))
    crossing, pothole = number_of(6, 6), number_of(3, 3)
    assert ways.lit[crossing] == 2
    assert ways.losses[crossing] == (1, 1, 1, 1, 2)
    assert ways.losses[pothole] == (0, 0, 0, 0, 0)
    assert ways.losses[number_of(2, 3)][1] == 1


def test_the_shortest_way_is_a_way_that_a_robot_can_go(ours: Board) -> None:
    ways = ways_of(ours)
    for start in starting_tiles(ours):
        path = ways.walk(start, 1)
        assert len(path) == 1 + (ways.registers[0][start] or 0)
        for here, there in pairwise(path):
            robot = placed(1, *place_of(here), "North")
            ends = [play_register(ours, (robot,), {1: toward}, 1, 1, 1)[0][0] for toward in TOWARD]
            assert there in [number_of(end.x, end.y) for end in ends]
