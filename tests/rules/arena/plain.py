"""Reach once more, as one would first write it: coordinates, steps and walls worked out on the way."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from tablee.rules.arena.description import Plan

STEPS = {
    "line": ((1, 0), (-1, 0), (0, 1), (0, -1)),
    "diagonal": ((1, 1), (1, -1), (-1, 1), (-1, -1)),
    "knight": ((2, 1), (2, -1), (-2, 1), (-2, -1), (1, 2), (1, -2), (-1, 2), (-1, -2)),
}

Place = tuple[int, int]


class Field(NamedTuple):
    """A board as its rows."""

    width: int
    height: int
    arm: int
    circle: int
    colors: Sequence[Sequence[str]]
    """By row, then by column."""


def field_of(plan: Plan) -> Field:
    rows = [row * (plan.width // len(row)) for row in (*plan.circle_rows, *plan.arm_rows)]
    return Field(plan.width, plan.rows, plan.arms_width, len(plan.circle_rows), rows)


def plain_reach(
    field: Field,
    start: Place,
    steps: int,
    types: Sequence[str],
    allowed: Collection[str],
    occupied: Collection[Place] = (),
) -> set[Place]:
    """Where a pawn may land: breadth first, square by square."""
    width, height, arm, circle, colors = field
    found: set[Place] = set()
    seen = {start}
    edge = [start]
    for _ in range(steps):
        beyond: list[Place] = []
        for x, y in edge:
            for kind in types:
                for dx, dy in STEPS[kind]:
                    to_y = y + dy
                    if not 0 <= to_y < height:
                        continue
                    to_x = (x + dx) % width
                    if to_y >= circle and to_x // arm != x // arm and (y >= circle or dx in (2, -2)):
                        continue
                    place = (to_x, to_y)
                    if place in seen or colors[to_y][to_x] not in allowed:
                        continue
                    seen.add(place)
                    beyond.append(place)
                    if place not in occupied:
                        found.add(place)
        edge = beyond
    return found
