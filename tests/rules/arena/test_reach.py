"""What holds for reach on every board."""

from __future__ import annotations

from functools import reduce
from itertools import pairwise
from operator import or_

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rules.arena.plain import field_of, plain_reach
from tests.rules.arena.strategies import COLORS, plans

from tablee.rules.arena import board as boards
from tablee.rules.arena.board import TYPES, Board, squares_of, types_of
from tablee.rules.arena.description import MOVEMENTS, Card, Description, Plan
from tablee.rules.arena.loading import description_names, load_ours
from tablee.rules.arena.reach import distances, path, reach

SYMMETRIC = st.sampled_from([("line",), ("diagonal",), ("line", "diagonal")])
ANY_TYPES = st.sets(st.sampled_from(MOVEMENTS), min_size=1).map(sorted)
STEPS = st.integers(1, 4)


def board_of(plan: Plan) -> Board:
    """A board alone: reach knows nothing of cards and trumps."""
    card = Card("Pawn", 1, ("line",), {color: (color,) for color in COLORS})
    return Board(Description(2, COLORS, plan, 5, (card,), ()))


def squares(board: Board) -> st.SearchStrategy[int]:
    return st.integers(0, board.squares - 1)


def mask_of(board: Board, colors: set[str]) -> int:
    return reduce(or_, (board.masks[color] for color in colors), 0)


@given(plans(), st.data(), STEPS, ANY_TYPES, st.sets(st.sampled_from(COLORS)))
def test_reach_is_what_a_plain_search_finds(
    plan: Plan, data: st.DataObject, steps: int, types: list[str], colors: set[str]
) -> None:
    board = board_of(plan)
    start = data.draw(squares(board))
    occupied = data.draw(st.sets(squares(board), max_size=8))
    found = reach(
        board, start, steps, types_of(types), mask_of(board, colors), sum(1 << square for square in occupied)
    )
    plain = plain_reach(
        field_of(plan), board.place(start), steps, types, colors, {board.place(each) for each in occupied}
    )
    assert {board.place(square) for square in squares_of(found)} == plain


@given(plans(), st.data(), STEPS, SYMMETRIC, st.sets(st.sampled_from(COLORS)))
def test_line_and_diagonal_reach_goes_both_ways(
    plan: Plan, data: st.DataObject, steps: int, types: tuple[str, ...], colors: set[str]
) -> None:
    board = board_of(plan)
    # A start's own colour does not matter, its end's does: both are of an allowed one.
    allowed = mask_of(board, colors)
    start = data.draw(squares(board))
    for end in squares_of(reach(board, start, steps, types_of(types), allowed | 1 << start)):
        back = reach(board, end, steps, types_of(types), allowed | 1 << start)
        assert back >> start & 1


def test_a_knight_may_jump_where_it_cannot_come_back_from() -> None:
    board = Board(load_ours("standard"))
    start, end = board.square(1, 3), board.square(31, 2)
    everywhere = (1 << board.squares) - 1
    assert reach(board, start, 1, TYPES["knight"], everywhere) >> end & 1
    assert not reach(board, end, 1, TYPES["knight"], everywhere) >> start & 1


@given(plans(), st.data(), STEPS, SYMMETRIC)
def test_no_way_in_the_arm_rows_leads_through_a_wall(
    plan: Plan, data: st.DataObject, steps: int, types: tuple[str, ...]
) -> None:
    board = board_of(plan)
    first_arm_square = board.circle_rows * board.W
    arms_only = (1 << board.squares) - (1 << first_arm_square)
    start = data.draw(st.integers(first_arm_square, board.squares - 1))
    arm = board.place(start).x // plan.arms_width
    for end in squares_of(reach(board, start, steps, types_of(types), arms_only)):
        assert board.place(end).x // plan.arms_width == arm


@given(plans(), st.data(), STEPS, ANY_TYPES, st.sets(st.sampled_from(COLORS)))
def test_a_step_or_a_colour_more_never_takes_a_square_away(
    plan: Plan, data: st.DataObject, steps: int, types: list[str], colors: set[str]
) -> None:
    board = board_of(plan)
    start = data.draw(squares(board))
    found = reach(board, start, steps, types_of(types), mask_of(board, colors))
    more_steps = reach(board, start, steps + 1, types_of(types), mask_of(board, colors))
    more_colors = reach(board, start, steps, types_of(types), mask_of(board, {*COLORS}))
    assert found & ~more_steps == 0
    assert found & ~more_colors == 0
    assert not found >> start & 1


@given(plans(), st.data(), ANY_TYPES)
def test_distances_are_the_steps_at_which_reach_first_has_a_square(
    plan: Plan, data: st.DataObject, types: list[str]
) -> None:
    board = board_of(plan)
    start = data.draw(squares(board))
    everywhere = (1 << board.squares) - 1
    counted = distances(board, types_of(types), 1 << start)
    assert counted.pop(start) == 0
    for steps in (1, 2, 3):
        found = reach(board, start, steps, types_of(types), everywhere)
        within = {square for square, away in counted.items() if away <= steps}
        assert set(squares_of(found)) == within
    near = distances(board, types_of(types), 1 << start, most=2)
    assert near == {start: 0} | {square: away for square, away in counted.items() if away <= 2}


@given(plans(), st.data(), STEPS, ANY_TYPES, st.sets(st.sampled_from(COLORS)))
def test_a_path_goes_step_by_step_over_allowed_squares(
    plan: Plan, data: st.DataObject, steps: int, types: list[str], colors: set[str]
) -> None:
    board = board_of(plan)
    start, end = data.draw(squares(board)), data.draw(squares(board))
    allowed = mask_of(board, colors)
    way = path(board, start, end, steps, types_of(types), allowed)
    reached = reach(board, start, steps, types_of(types), allowed) >> end & 1
    assert bool(way) == bool(reached)
    if way:
        assert (way[0], way[-1]) == (start, end)
        assert len(way) - 1 <= steps
        for one, other in pairwise(way):
            assert board.near[types_of(types)][one] >> other & 1
            assert allowed >> other & 1


@given(plans())
def test_a_large_board_keeps_its_tables_otherwise_and_they_say_the_same(plan: Plan) -> None:
    whole = board_of(plan)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(boards, "WIDE_TABLES", 0)
        sliding = board_of(plan)
    for one, other in zip(whole.near, sliding.near, strict=True):
        assert not isinstance(other, tuple)
        assert list(one) == list(other)


@pytest.mark.parametrize("name", description_names())
def test_on_our_boards_every_aim_can_be_reached(name: str) -> None:
    description = load_ours(name)
    board = Board(description)
    types = types_of([each for card in description.cards for each in card.types])
    for arm, start in enumerate(board.starts):
        counted = distances(board, types, 1 << start)
        assert all(square in counted for square in squares_of(board.aims(arm)))


@given(plans(), st.integers(2, 7))
def test_seats_have_arms_of_their_own_and_aims_of_an_arms_width(plan: Plan, seats: int) -> None:
    board = board_of(plan)
    if seats <= plan.number_arms:
        arms = [board.arm_of_seat(seat, seats) for seat in range(seats)]
        assert len(set(arms)) == seats
        assert arms == sorted(arms)
        assert arms[0] == 0
    for arm in range(plan.number_arms):
        aims = [board.place(square) for square in squares_of(board.aims(arm))]
        opposite = (arm + plan.number_arms // 2) % plan.number_arms
        assert {(x // plan.arms_width, y) for x, y in aims} == {(opposite, board.rows - 1)}
        assert len(aims) == plan.arms_width
        assert board.place(board.starts[arm]) == (arm * plan.arms_width, board.rows - 1)
