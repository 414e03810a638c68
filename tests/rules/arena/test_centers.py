"""Where the middle of each square of a drawing is."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from tests.rules.arena.strategies import plans

from tablee.rules.arena.centers import centers_of, middle_of
from tablee.rules.arena.description import Plan
from tablee.rules.arena.drawing import frame, svg_of
from tablee.rules.arena.loading import load_ours


def test_a_rectangle_has_its_middle_and_a_ring_its_own() -> None:
    assert middle_of("M0 0H10V4H0Z") == pytest.approx((5, 2))
    # Half a ring about the origin: its centre of gravity is in the hole.
    half = "M-10 0A10 10 0 0 0 10 0H8A8 8 0 0 1 -8 0Z"
    x, y = middle_of(half)
    assert x == pytest.approx(0, abs=0.1)
    assert 8 < y < 10
    # The same by the other sweep lies above, and with small letters in the same place.
    assert middle_of("M-10 0A10 10 0 0 1 10 0H8A8 8 0 0 0 -8 0Z")[1] < -8
    assert middle_of("m-10 0a10 10 0 0 0 20 0h-2a8 8 0 0 1 -16 0z") == pytest.approx((x, y))


@pytest.mark.parametrize("data", ["M3 4", "M0 0L5 5", "M1 1A0 0 0 0 0 5 5", "M2 2A5 5 0 1 1 2 2Z"])
def test_a_path_without_an_inside_still_has_a_middle(data: str) -> None:
    assert all(map(math.isfinite, middle_of(data)))


def test_of_several_outlines_the_largest_counts() -> None:
    assert middle_of("M0 0H1V1H0ZM100 100H120V120H100Z") == pytest.approx((110, 110))


def test_the_squares_of_the_standard_board_are_where_the_spec_draws_them() -> None:
    plan = load_ours("standard").board
    centers = centers_of(svg_of(plan), plan)
    assert len(centers) == 288
    # Column 0 of the last row: 177 to the left, 531 + 89 · 4 down; the opposite arm mirrors it.
    assert centers[8 * 32] == pytest.approx((985 - 177 + 45, 985 + 531 + 89 * 4.5), abs=1)
    assert centers[8 * 32 + 16] == pytest.approx((985 + 177 - 45, 985 - 531 - 89 * 4.5), abs=1)
    for y, (inner, outer) in enumerate(((184, 276), (279, 368), (372, 466))):
        for x in range(32):
            cx, cy = centers[y * 32 + x]
            assert inner < math.hypot(cx - 985, cy - 985) < outer
            angle = math.degrees(math.atan2(cx - 985, cy - 985))
            assert angle == pytest.approx((-22.5 + 11.25 * (x + 0.5) + 180) % 360 - 180, abs=0.2)


@given(plans())
def test_every_square_of_any_board_has_its_own_middle_within_the_frame(plan: Plan) -> None:
    svg = svg_of(plan)
    centers = centers_of(svg, plan)
    assert len(centers) == plan.width * plan.rows
    left, top, width, height = frame(svg, plan)
    assert all(left <= x <= left + width and top <= y <= top + height for x, y in centers)
    if plan.svg is None:
        assert len(set(centers)) == len(centers)
