"""Where the middle of each square of a drawing is: pawns stand there."""

from __future__ import annotations

import math
from itertools import pairwise

from tablee.rules.arena.description import Plan, Svg
from tablee.rules.arena.outline import Arc, outline

Point = tuple[float, float]
PIECES = 8
"""Straight pieces that an arc is taken for."""


def centers_of(svg: Svg, plan: Plan) -> list[Point]:
    """By square, `y * W + x`: a point well inside its shape."""
    (left, top), fill = svg.fill_origin, svg.fill
    rows = [[middle_of(data) for data in row] for row in svg.lines]
    rows += [
        [
            (left + (column + 0.5) * fill.width, top + (place + 0.5) * fill.height)
            for column in range(plan.arms_width)
        ]
        for place in range(plan.arms_length)
    ]
    turns = [-2 * math.pi * arm / plan.number_arms for arm in range(plan.number_arms)]
    about = svg.rotation_center
    return [_turned(point, about, angle) for row in rows for angle in turns for point in row]


def middle_of(data: str) -> Point:
    """A point inside a path: its centre of gravity or, where that is outside, what is nearest to it."""
    shape = _polygon(data)
    x, y = _gravity(shape)
    if _is_inside(shape, x, y):
        return x, y
    across = [(middle, y) for middle in _cuts(shape, y)]
    down = [(x, middle) for middle in _cuts([(b, a) for a, b in shape], x)]
    return min(across + down, key=lambda point: math.dist(point, (x, y)), default=(x, y))


def _turned(point: Point, about: Point, angle: float) -> Point:
    dx, dy = point[0] - about[0], point[1] - about[1]
    cos, sin = math.cos(angle), math.sin(angle)
    return round(about[0] + dx * cos - dy * sin, 1), round(about[1] + dx * sin + dy * cos, 1)


def _polygon(data: str) -> list[Point]:
    """The largest outline of a path, in straight pieces; where it is bent by control points, with those."""
    shapes: list[list[Point]] = []
    for each in outline(data):
        if each.begins or not shapes:
            shapes.append([])
        if each.arc is not None and shapes[-1]:
            shapes[-1] += _pieces(shapes[-1][-1], (each.x, each.y), each.arc)
        shapes[-1].append((each.x, each.y))
    return max(shapes, key=lambda shape: abs(_area(shape)))


def _pieces(start: Point, end: Point, arc: Arc) -> list[Point]:
    """Points on an arc between its ends (SVG 2, appendix B.2.4)."""
    if arc.rx == 0 or arc.ry == 0 or start == end:
        return []
    tilt = math.radians(arc.rotation)
    cos, sin = math.cos(tilt), math.sin(tilt)
    half_x, half_y = (start[0] - end[0]) / 2, (start[1] - end[1]) / 2
    x, y = cos * half_x + sin * half_y, cos * half_y - sin * half_x
    grown = math.sqrt(max(1.0, (x / arc.rx) ** 2 + (y / arc.ry) ** 2))
    rx, ry = arc.rx * grown, arc.ry * grown
    u, v = x / rx, y / ry
    away = math.sqrt(max(0.0, 1 / (u * u + v * v) - 1))
    if arc.is_large == arc.is_clockwise:
        away = -away
    # On the circle of radius 1 that the ellipse is when it is straightened: its centre, then both ends.
    center_u, center_v = away * v, -away * u
    first = math.atan2(v - center_v, u - center_u)
    span = (math.atan2(-v - center_v, -u - center_u) - first) % (2 * math.pi)
    if not arc.is_clockwise:
        span -= 2 * math.pi
    found = []
    for piece in range(1, PIECES):
        angle = first + span * piece / PIECES
        a, b = rx * (center_u + math.cos(angle)), ry * (center_v + math.sin(angle))
        found.append(
            ((start[0] + end[0]) / 2 + cos * a - sin * b, (start[1] + end[1]) / 2 + sin * a + cos * b)
        )
    return found


def _area(shape: list[Point]) -> float:
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in pairwise([*shape, shape[0]])) / 2


def _gravity(shape: list[Point]) -> Point:
    origin_x, origin_y = shape[0]
    moved = [(x - origin_x, y - origin_y) for x, y in shape]
    area = _area(moved)
    if abs(area) < 1e-9:
        return sum(x for x, _ in shape) / len(shape), sum(y for _, y in shape) / len(shape)
    x = y = 0.0
    for a, b in pairwise([*moved, moved[0]]):
        cross = a[0] * b[1] - b[0] * a[1]
        x += (a[0] + b[0]) * cross
        y += (a[1] + b[1]) * cross
    return origin_x + x / (6 * area), origin_y + y / (6 * area)


def _crossings(shape: list[Point], y: float) -> list[float]:
    """Where a horizontal line meets the outline, from left to right."""
    return sorted(
        a[0] + (y - a[1]) * (b[0] - a[0]) / (b[1] - a[1])
        for a, b in pairwise([*shape, shape[0]])
        if (a[1] > y) != (b[1] > y)
    )


def _is_inside(shape: list[Point], x: float, y: float) -> bool:
    return sum(crossing > x for crossing in _crossings(shape, y)) % 2 == 1


def _cuts(shape: list[Point], y: float) -> list[float]:
    """The middles of the pieces of a horizontal line that are inside."""
    crossings = _crossings(shape, y)
    return [(first + last) / 2 for first, last in zip(crossings[::2], crossings[1::2], strict=True)]
