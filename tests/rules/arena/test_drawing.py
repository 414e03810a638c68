"""The drawing, from the description alone."""

from __future__ import annotations

import math
import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from tests.rules.arena.spoiling import GONE, SMALL, spoiled
from tests.rules.arena.strategies import descriptions, plans

from tablee.rules.arena.board import Board
from tablee.rules.arena.description import Description, Plan
from tablee.rules.arena.drawing import (
    Measures,
    computed,
    draw,
    frame,
    measures_of,
    paints_of,
    picture,
    svg_of,
)
from tablee.rules.arena.loading import description_names, load, load_ours
from tablee.rules.arena.outline import BadPath, farthest, is_path, outline

SVG = "{http://www.w3.org/2000/svg}"
STANDARD = Measures(
    center=(985, 985),
    rings=((184, 276), (279, 368), (372, 466)),
    gap=0.5,
    arc=471,
    edge=530,
    fill_from=531,
    left=-177,
    cell=(90, 89),
)
"""The sizes that the spec gives for the standard board."""


def squares(text: str) -> dict[str, ElementTree.Element]:
    """The squares of a drawing by their ids."""
    root = ElementTree.fromstring(text)
    return {each.attrib["id"]: each for each in root.iter() if "id" in each.attrib}


@given(descriptions())
def test_any_description_is_drawn_with_every_square_in_its_colour(description: Description) -> None:
    board = Board(description)
    drawn = squares(draw(description, "mine & yours <svg>"))
    assert set(drawn) == {f"square-{x}-{y}" for y in range(board.rows) for x in range(board.W)}
    for name, element in drawn.items():
        x, y = map(int, name.split("-")[1:])
        color = board.color_of[board.square(x, y)]
        assert element.find(f"{SVG}title").text == f"{x},{y} {color}"  # type: ignore[union-attr]
        assert element.attrib["class"] == f"square c{description.colors.index(color)}"


@given(plans())
def test_computed_drawings_lie_within_their_frame_and_squares_apart(plan: Plan) -> None:
    svg = svg_of(plan)
    left, top, width, height = frame(svg, plan)
    x, y = svg.rotation_center
    assert (left + width / 2, top + height / 2) == (x, y)
    for row in svg.lines:
        assert len(row) == plan.arms_width
        for data in row:
            assert farthest(data, x, y) < width / 2
    assert len(svg.lines) == plan.rows - plan.arms_length
    # An arm keeps to its part of the plane: half of the angle between two arms on either side.
    half = math.pi / plan.number_arms + 0.001
    for row in svg.lines:
        for data in row:
            for point in outline(data):
                assert abs(math.atan2(point.x - x, point.y - y)) < half
    sizes = measures_of(plan)
    if plan.arms_length < len(plan.arm_rows):
        for data in svg.lines[len(plan.circle_rows)]:
            corners = outline(data)
            for one, other in (corners[:2], corners[2:4]):
                middle = math.hypot((one.x + other.x) / 2 - x, (one.y + other.y) / 2 - y)
                assert middle > sizes.arc - 0.5
    if plan.arms_length:
        assert abs(math.atan2(sizes.left, sizes.fill_from)) < half


def test_the_standard_drawing_is_computed_from_its_sizes() -> None:
    plan = load_ours("standard").board
    assert plan.svg == computed(plan, STANDARD)


def test_the_standard_squares_are_where_the_spec_has_them() -> None:
    drawn = squares(draw(load_ours("standard"), "standard"))
    straight = drawn["square-2-5"].attrib
    assert [straight[key] for key in ("x", "y", "width", "height")] == ["988", "1605", "90", "89"]
    for column in range(4):
        points = outline(drawn[f"square-{column}-1"].attrib["d"])
        degrees = [math.degrees(math.atan2(each.x - 985, each.y - 985)) for each in points]
        first = -22.5 + 11.25 * column
        assert min(degrees) == pytest.approx(first + 0.25, abs=0.01)
        assert max(degrees) == pytest.approx(first + 11.0, abs=0.01)
        assert {round(math.hypot(each.x - 985, each.y - 985)) for each in points} == {279, 368}
        neck = outline(drawn[f"square-{column}-3"].attrib["d"])
        assert max(each.y for each in neck) == 985 + 530


@pytest.mark.parametrize("name", description_names())
def test_arms_are_the_same_drawing_turned(name: str) -> None:
    description = load_ours(name)
    plan = description.board
    root = ElementTree.fromstring(draw(description, name))
    groups = root.findall(f"{SVG}g")
    angles = [float(re.findall(r"rotate\((\S+)", group.attrib["transform"])[0]) for group in groups]
    assert angles == [-360 * arm / plan.number_arms for arm in range(plan.number_arms)]
    shapes = [[(each.tag, each.get("d"), each.get("x"), each.get("y")) for each in group] for group in groups]
    assert all(shape == shapes[0] for shape in shapes)


def test_a_given_drawing_is_drawn_as_it_is() -> None:
    description = load(SMALL, "mine")["mine"]
    drawn = squares(draw(description, "mine"))
    assert drawn["square-3-1"].attrib["d"] == "M 1 2 L 3 4"
    rectangle = drawn["square-3-2"].attrib
    assert [rectangle[key] for key in ("x", "y", "width", "height")] == ["50", "80.5", "10", "12"]


def test_the_picture_in_parts_has_all_that_the_drawing_has() -> None:
    description = load_ours("crossroads")
    shown = picture(description)
    assert len(shown.elements) * len(shown.turns) == len(shown.colors) == 84
    assert set(shown.paints) == set(description.colors)


def test_every_colour_has_a_paint_of_its_own_whatever_it_is_called() -> None:
    colors = ("TEINTE", "BLACK", "GREY", "GRAY", *(f"TEINTE {number}" for number in range(30)))
    paints = paints_of(colors)
    assert tuple(paints) == colors
    assert len(set(paints.values())) == len(colors)
    assert all(re.fullmatch(r"#[0-9a-f]{6}", paint) for paint in paints.values())


@pytest.mark.parametrize(
    ("data", "points"),
    [
        ("M1 2L3,4", [(1, 2), (3, 4)]),
        ("m1 2 3 4 5 6z", [(1, 2), (4, 6), (9, 12)]),
        ("M1 2h3v-4H0V0Z l1 1", [(1, 2), (4, 2), (4, -2), (0, -2), (0, 0), (2, 3)]),
        ("M0 0C1 1 2 2 3 3s1 1 2 2", [(0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (5, 5)]),
        ("M0 0Q1 1 2 2T4 4", [(0, 0), (1, 1), (2, 2), (4, 4)]),
        ("M-1.5.5a1 1 0 012 0", [(-1.5, 0.5), (0.5, 0.5)]),
    ],
)
def test_a_path_is_read(data: str, points: list[tuple[float, float]]) -> None:
    assert [(each.x, each.y) for each in outline(data)] == points


@pytest.mark.parametrize(
    "data",
    [
        "",
        " ",
        "Z",
        "L1 2",
        "M1",
        "M1 2 3",
        "M1 2 X",
        "M1 2Z3 4",
        "M1 2A1 1 0 2 0 3 4",
        "M1 2 L1e999 2",
        "M0 0<",
    ],
)
def test_what_is_no_path_is_refused(data: str) -> None:
    assert not is_path(data)
    with pytest.raises(BadPath):
        outline(data)


def test_the_bulge_of_an_arc_counts() -> None:
    assert farthest("M-10 0A10 10 0 0 1 10 0", 0, 0) == pytest.approx(20)
    assert farthest("M-10 0A10 10 0 1 1 -10 0.001", 0, 0) >= 20
    assert farthest("M-1 0A10 10 0 0 1 1 0", 0, 0) == pytest.approx(1 + 10 - math.sqrt(99))


@pytest.mark.parametrize(("arms", "rows"), [(25_000, 2), (50_000, 1), (2, 25_000)])
def test_the_widest_and_the_longest_boards_are_drawn(arms: int, rows: int) -> None:
    made = spoiled(
        ("board.svg", GONE),
        ("board.number_arms", arms),
        ("board.arms_length", 0),
        ("board.inner_circle_colors", ["RED"] * (rows - 1)),
        ("board.arms_colors", ["RED"]),
        ("number_players", 2),
    )
    shown = picture(load(made, "wide")["wide"])
    assert len(shown.turns) == arms
    assert len(shown.colors) == 2 * arms * rows
