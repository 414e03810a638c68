"""The drawing of a board, from its description alone (spec, chapter 6)."""

from __future__ import annotations

import colorsys
import math
from collections.abc import Iterator
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

import msgspec

from tablee.rules.arena.board import colors_by_square
from tablee.rules.arena.description import Description, Fill, Plan, Svg
from tablee.rules.arena.outline import farthest
from tablee.rules.arena.spelling import FILL_TAG, LINE_TAG

PAINTS = {
    "BLACK": "#4d4d59", "BLUE": "#3f7fc4", "BROWN": "#8a5a36", "CYAN": "#47b5c4", "GOLD": "#d9a520",
    "GRAY": "#9a9aa2", "GREEN": "#4c9a54", "GREY": "#9a9aa2", "ORANGE": "#e5893a", "PINK": "#e58fb1",
    "PURPLE": "#8a5bb5", "RED": "#c8463f", "SILVER": "#c3c7cf", "TURQUOISE": "#3fb8a5", "VIOLET": "#8a5bb5",
    "WHITE": "#f2eee3", "YELLOW": "#f0cf4a",
}  # fmt: skip
CELL = 90.0
"""The side of a square in a drawing that we compute."""
MARGIN = 8.0


class Measures(NamedTuple):
    """The sizes from which the drawing of one arm is computed."""

    center: tuple[float, float]
    rings: tuple[tuple[float, float], ...]
    """Inner and outer radius of each circle row."""
    gap: float
    """Degrees between two squares of a ring."""
    arc: float
    """Radius where the first arm row begins."""
    edge: float
    """How far from the centre it ends, in a straight line."""
    fill_from: float
    """How far from the centre the straight rows begin."""
    left: float
    """Where an arm's first column is, across."""
    cell: tuple[float, float]
    """Width and height of a square of the straight rows."""


class DrawnSquare(msgspec.Struct, frozen=True):
    """A square of the first arm, as SVG draws it."""

    column: int
    y: int
    tag: str
    attributes: dict[str, str]


class Picture(msgspec.Struct, frozen=True):
    """All that a page needs to draw a board; arm `k` is the elements under its transformation."""

    view_box: str
    arms_width: int
    turns: tuple[str, ...]
    """By arm."""
    elements: tuple[DrawnSquare, ...]
    colors: tuple[str, ...]
    """By square, `y * W + x`."""
    paints: dict[str, str]


def picture(description: Description) -> Picture:
    """The drawing of a description, in parts."""
    plan = description.board
    svg = svg_of(plan)
    return Picture(
        view_box=" ".join(map(written, frame(svg, plan))),
        arms_width=plan.arms_width,
        turns=tuple(turn(svg, plan, arm) for arm in range(plan.number_arms)),
        elements=tuple(arm_elements(svg, plan)),
        colors=colors_by_square(plan),
        paints=paints_of(description.colors),
    )


def draw(description: Description, name: str) -> str:
    """The board as an SVG document; the square (X, Y) has the id `square-X-Y`."""
    shown = picture(description)
    width = description.board.width
    number = {color: place for place, color in enumerate(shown.paints)}
    shapes = [
        (each, each.tag + "".join(f" {key}={quoteattr(value)}" for key, value in each.attributes.items()))
        for each in shown.elements
    ]
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{shown.view_box}" role="img">',
        f"<title>{escape(name)}</title>",
        "<style>"
        + "".join(f".c{number[color]}{{fill:{paint}}}" for color, paint in shown.paints.items())
        + ".square{stroke:#1d1a22;stroke-width:2}</style>",
    ]
    for arm, turned in enumerate(shown.turns):
        lines.append(f'<g transform="{turned}">')
        for each, shape in shapes:
            x = arm * shown.arms_width + each.column
            color = shown.colors[each.y * width + x]
            lines.append(
                f'<{shape} id="square-{x}-{each.y}" class="square c{number[color]}">'
                f"<title>{x},{each.y} {escape(color)}</title></{each.tag}>"
            )
        lines.append("</g>")
    lines.append("</svg>")
    return "\n".join(lines) + "\n"


def svg_of(plan: Plan) -> Svg:
    """How a board is drawn: as its description says, or else as we compute it."""
    return plan.svg or computed(plan, measures_of(plan))


def arm_elements(svg: Svg, plan: Plan) -> Iterator[DrawnSquare]:
    """The squares of the first arm."""
    for y, row in enumerate(svg.lines):
        for column, data in enumerate(row):
            yield DrawnSquare(column, y, LINE_TAG, {"d": data})
    (left, top), fill = svg.fill_origin, svg.fill
    size = {"width": written(fill.width), "height": written(fill.height)}
    for place in range(plan.arms_length):
        for column in range(plan.arms_width):
            corner = {
                "x": written(left + column * fill.width),
                "y": written(top + place * fill.height),
            }
            yield DrawnSquare(column, len(svg.lines) + place, FILL_TAG, corner | size)


def turn(svg: Svg, plan: Plan, arm: int) -> str:
    """The transformation that brings the first arm's drawing to another's place."""
    angle = -360 * arm / plan.number_arms
    return f"rotate({' '.join(map(written, (angle, *svg.rotation_center)))})"


def frame(svg: Svg, plan: Plan) -> tuple[float, float, float, float]:
    """A square about the centre that holds the whole drawing, however its arms are turned."""
    x, y = svg.rotation_center
    radius = max((farthest(data, x, y) for row in svg.lines for data in row), default=0.0)
    if plan.arms_length:
        (left, top), fill = svg.fill_origin, svg.fill
        right, bottom = left + fill.width * plan.arms_width, top + fill.height * plan.arms_length
        radius = max(radius, *(math.hypot(a - x, b - y) for a in (left, right) for b in (top, bottom)))
    radius = math.ceil(radius + MARGIN)
    return x - radius, y - radius, 2 * radius, 2 * radius


def measures_of(plan: Plan) -> Measures:
    """Sizes for any board: squares of one size, arms that touch no other."""
    circles, half = len(plan.circle_rows), math.pi / plan.number_arms
    # The arms are as wide as their part of the circle, measured straight across.
    radius = max(plan.arms_width * CELL / (2 * math.sin(half)), (circles + 2) * CELL)
    width = CELL if plan.number_arms > 2 else 2 * radius / plan.arms_width
    edge = radius + 0.65 * CELL
    if plan.number_arms > 2:
        # No side of the neck between circle and arm cuts into the circle, however narrow the arm.
        edge = max(edge, (radius + 1 - plan.arms_width * width / 2 * math.sin(half)) / math.cos(half))
    curved_arm_rows = len(plan.arm_rows) - plan.arms_length
    fill_from = edge + 1 + (curved_arm_rows - 1) * CELL if curved_arm_rows else radius + 4
    size = fill_from + CELL * plan.arms_length + MARGIN
    return Measures(
        center=(round(size), round(size)),
        rings=tuple(
            (radius - (circles - y) * CELL, radius - (circles - y - 1) * CELL - 3) for y in range(circles)
        ),
        gap=min(0.5, 16 / plan.width),
        arc=radius + 1,
        edge=edge,
        fill_from=fill_from,
        left=-plan.arms_width * width / 2,
        cell=(round(width, 2), CELL),
    )


def computed(plan: Plan, sizes: Measures) -> Svg:
    """The drawing of a board's first arm in these sizes."""
    lines = [
        tuple(_ring_square(plan, sizes, column, *ring) for column in range(plan.arms_width))
        for ring in sizes.rings
    ]
    for place in range(len(plan.arm_rows) - plan.arms_length):
        shape = _neck_square if place == 0 else _straight_square
        lines.append(tuple(shape(plan, sizes, column, place) for column in range(plan.arms_width)))
    (x, y), (width, height) = sizes.center, sizes.cell
    return Svg(
        rotation_center=sizes.center,
        fill_origin=(round(x + sizes.left, 2), round(y + sizes.fill_from, 2)),
        fill=Fill(width=width, height=height),
        lines=tuple(lines),
    )


def _ring_square(plan: Plan, sizes: Measures, column: int, inner: float, outer: float) -> str:
    first, last = _angles(plan, sizes, column)
    return (
        f"M{_at(sizes, first, inner)}L{_at(sizes, first, outer)}{_arc(outer, 0)}{_at(sizes, last, outer)}"
        f"L{_at(sizes, last, inner)}{_arc(inner, 1)}{_at(sizes, first, inner)}Z"
    )


def _neck_square(plan: Plan, sizes: Measures, column: int, place: int) -> str:
    """A square of the first arm row: from the circle to a straight line."""
    first, last = _angles(plan, sizes, column)
    left, right = _sides(sizes, column)
    edge = sizes.center[1] + sizes.edge
    return (
        f"M{_at(sizes, first, sizes.arc)}L{_pair(left, edge)}L{_pair(right, edge)}"
        f"L{_at(sizes, last, sizes.arc)}{_arc(sizes.arc, 1)}{_at(sizes, first, sizes.arc)}Z"
    )


def _straight_square(plan: Plan, sizes: Measures, column: int, place: int) -> str:
    left, right = _sides(sizes, column)
    top = sizes.center[1] + sizes.edge + 1 + (place - 1) * sizes.cell[1]
    return f"M{_pair(left, top)}H{written(right)}V{written(top + sizes.cell[1])}H{written(left)}Z"


def _angles(plan: Plan, sizes: Measures, column: int) -> tuple[float, float]:
    """Where a column of a ring begins and ends: degrees from straight down, to the right."""
    square = 360 / plan.width
    first = -180 / plan.number_arms + square * column
    return first + sizes.gap / 2, first + square - sizes.gap / 2


def _sides(sizes: Measures, column: int) -> tuple[float, float]:
    left = sizes.center[0] + sizes.left + sizes.cell[0] * column
    return left, left + sizes.cell[0] - 1


def _at(sizes: Measures, degrees: float, radius: float) -> str:
    angle = math.radians(degrees)
    return _pair(sizes.center[0] + radius * math.sin(angle), sizes.center[1] + radius * math.cos(angle))


def _arc(radius: float, sweep: int) -> str:
    return f"A{written(radius)},{written(radius)} 0 0 {sweep} "


def _pair(x: float, y: float) -> str:
    return f"{written(x)},{written(y)}"


def written(number: float) -> str:
    """A number with two decimals at most."""
    return f"{number:.2f}".rstrip("0").rstrip(".") if number % 1 else str(int(number))


def paints_of(colors: tuple[str, ...]) -> dict[str, str]:
    """A paint for each colour, whatever it is called; no two have the same."""
    paints: dict[str, str] = {}
    for place, color in enumerate(colors):
        paint = PAINTS.get(color)
        if paint is None or paint in paints.values():
            # Hues by the golden ratio: however many there are, neighbours in the list are far apart.
            rgb = colorsys.hls_to_rgb(0.13 + 0.618034 * place, 0.45 + 0.15 * (place % 3), 0.55)
            paint = "#" + "".join(f"{round(255 * part):02x}" for part in rgb)
        paints[color] = paint
    return paints
