"""Cells for a board that cannot be laid on a sheet without crossings: each region gets what is nearest to it.

Regions are spread so that their distances on the sheet follow those on the board; neighbours may lie apart.
"""

from __future__ import annotations

import math
from collections import deque
from typing import NamedTuple

from tablee.atlas.drawing import Cycle, Line, Step
from tablee.atlas.geometry import Point

ROOM = 150.0
"""From a region to its neighbour, more or less."""
NEAREST = 0.72
"""Of that, how near two regions may be at least."""
EMPTY = 0.86
"""Of that, how far from every region the sheet belongs to nobody."""
MARGIN = 95.0
ROUNDS = 120
CLOSE = 2.0
"""Corners nearer than this become one."""


class Sheet(NamedTuple):
    """Lines, the cycles of each region and of the ground of nobody, and the size."""

    lines: dict[str, Line]
    cells: dict[str, tuple[Cycle, ...]]
    void: tuple[tuple[Cycle, ...], ...]
    width: float
    height: float


class _Cell(NamedTuple):
    """The ground of a region: its corners, and beyond the side after each corner another region, or -1."""

    corners: tuple[Point, ...]
    beyond: tuple[int, ...]


def scatter(codes: list[str], joined: list[set[int]]) -> Sheet:
    """Cells for regions with these neighbours."""
    sites, width, height = _on_sheet(_apart(_spread(_distances(joined))))
    voids = _voids(sites, width, height)
    names = [*codes, *(f"void{number}" for number in range(len(voids)))]
    lines, cycles = _lines(names, _cells([*sites, *voids], width, height))
    cells: dict[str, tuple[Cycle, ...]] = {code: (cycle,) for code, cycle in zip(codes, cycles, strict=False)}
    return Sheet(lines, cells, tuple((cycle,) for cycle in cycles[len(codes) :]), width, height)


def _distances(joined: list[set[int]]) -> list[list[int]]:
    """Steps from each region to each; to what cannot be reached, one more than the longest way."""
    found = []
    for start in range(len(joined)):
        steps = [-1] * len(joined)
        steps[start] = 0
        waiting = deque([start])
        while waiting:
            here = waiting.popleft()
            for there in sorted(joined[here]):
                if steps[there] < 0:
                    steps[there] = steps[here] + 1
                    waiting.append(there)
        found.append(steps)
    longest = max(max(row) for row in found) + 1
    return [[longest if step < 0 else step for step in row] for row in found]


def _spread(steps: list[list[int]]) -> list[Point]:
    """Points whose distances follow the steps: main directions first, then where the others want each."""
    count = range(len(steps))
    squares = [[step * step for step in row] for row in steps]
    means = [sum(row) / len(row) for row in squares]
    whole = sum(means) / len(means)
    table = [
        [-(squares[one][other] - means[one] - means[other] + whole) / 2 for other in count] for one in count
    ]
    across = _main_direction(table, 1.0, [])
    along = _main_direction(table, 2.0, across)
    points = [Point(across[one], along[one]) for one in count]
    for _ in range(ROUNDS):
        points = [_wanted_place(one, points, steps[one]) for one in count]
    return points


def _main_direction(table: list[list[float]], seed: float, apart_from: list[float]) -> list[float]:
    """The strongest direction of a symmetric table, square to another one, by repeated multiplication."""
    vector = [math.sin(seed * (number + 1)) for number in range(len(table))]
    length = 1.0
    for _ in range(ROUNDS):
        if apart_from:
            norm = sum(value * value for value in apart_from) or 1.0
            shade = sum(a * b for a, b in zip(vector, apart_from, strict=True)) / norm
            vector = [a - shade * b for a, b in zip(vector, apart_from, strict=True)]
        vector = [sum(a * b for a, b in zip(row, vector, strict=True)) for row in table]
        length = math.sqrt(sum(value * value for value in vector)) or 1.0
        vector = [value / length for value in vector]
    return [value * math.sqrt(length) for value in vector]


def _wanted_place(one: int, points: list[Point], steps: list[int]) -> Point:
    x = y = total = 0.0
    here = points[one]
    for other, there in enumerate(points):
        if other == one:
            continue
        weight = 1 / steps[other] ** 2
        apart = math.dist(here, there) or 1e-9
        x += weight * (there.x + steps[other] * (here.x - there.x) / apart)
        y += weight * (there.y + steps[other] * (here.y - there.y) / apart)
        total += weight
    return Point(x / total, y / total) if total else here


def _apart(points: list[Point]) -> list[Point]:
    """The points pushed from each other where two are too near for a name and a unit each."""
    moved = [Point(point.x * ROOM, point.y * ROOM) for point in points]
    for _ in range(ROUNDS):
        push = [[0.0, 0.0] for _ in moved]
        for one, here in enumerate(moved):
            for other in range(one):
                there = moved[other]
                apart = math.dist(here, there) or 1e-9
                if apart < ROOM * NEAREST:
                    part = (ROOM * NEAREST - apart) / apart * 0.25
                    for who, sign in ((one, 1), (other, -1)):
                        push[who][0] += sign * (here.x - there.x) * part
                        push[who][1] += sign * (here.y - there.y) * part
        moved = [Point(point.x + x, point.y + y) for point, (x, y) in zip(moved, push, strict=True)]
    return moved


def _on_sheet(points: list[Point]) -> tuple[list[Point], float, float]:
    """The points turned so that they are wide rather than high, on a sheet with a margin, and its size."""
    middle = _mean(points)
    xx = sum((point.x - middle.x) ** 2 for point in points)
    yy = sum((point.y - middle.y) ** 2 for point in points)
    xy = sum((point.x - middle.x) * (point.y - middle.y) for point in points)
    turn = math.atan2(2 * xy, xx - yy) / 2
    turned = [
        Point(
            (point.x - middle.x) * math.cos(turn) + (point.y - middle.y) * math.sin(turn),
            (point.y - middle.y) * math.cos(turn) - (point.x - middle.x) * math.sin(turn),
        )
        for point in points
    ]
    left, top = min(point.x for point in turned), min(point.y for point in turned)
    width = max(point.x for point in turned) - left + 2 * MARGIN
    height = max(point.y for point in turned) - top + 2 * MARGIN
    placed = [Point(point.x - left + MARGIN, point.y - top + MARGIN) for point in turned]
    return placed, float(math.ceil(width)), float(math.ceil(height))


def _voids(sites: list[Point], width: float, height: float) -> list[Point]:
    """Sites of nobody where the sheet is empty, so that regions end there instead of reaching across."""
    step = ROOM * 0.5
    found: list[Point] = []
    for row in range(int(height / step) + 2):
        for column in range(int(width / step) + 2):
            point = Point((column + 0.25 + row % 2 / 2) * step, (row + 0.4) * step * 0.87)
            if (
                point.x < width - 9
                and point.y < height - 9
                and min(math.dist(point, site) for site in sites) > ROOM * EMPTY
            ):
                found.append(point)
    return found


def _mean(points: list[Point]) -> Point:
    return Point(
        sum(point.x for point in points) / len(points), sum(point.y for point in points) / len(points)
    )


def _cells(sites: list[Point], width: float, height: float) -> list[_Cell]:
    """The part of the sheet that is nearest to each site."""
    sheet = (Point(0, 0), Point(width, 0), Point(width, height), Point(0, height))
    found = []
    for number, site in enumerate(sites):
        cell = _Cell(sheet, (-1, -1, -1, -1))
        order = sorted(range(len(sites)), key=lambda other: math.dist(site, sites[other]))
        for other in order:
            if other != number:
                cell = _cut(cell, site, sites[other], other)
        found.append(cell)
    return found


def _cut(cell: _Cell, site: Point, other: Point, name: int) -> _Cell:
    """What is left of a cell when another site takes its half."""
    across = Point(other.x - site.x, other.y - site.y)
    limit = (other.x**2 - site.x**2 + other.y**2 - site.y**2) / 2
    values = [corner.x * across.x + corner.y * across.y - limit for corner in cell.corners]
    if all(value <= 0 for value in values):
        return cell
    corners: list[Point] = []
    beyond: list[int] = []
    count = len(values)
    for number, value in enumerate(values):
        after = values[(number + 1) % count]
        here, there = cell.corners[number], cell.corners[(number + 1) % count]
        if value <= 0:
            corners.append(here)
            beyond.append(cell.beyond[number])
        if (value <= 0) != (after <= 0):
            part = value / (value - after)
            corners.append(Point(here.x + (there.x - here.x) * part, here.y + (there.y - here.y) * part))
            beyond.append(name if value <= 0 else cell.beyond[number])
    return _Cell(tuple(corners), tuple(beyond))


def _lines(codes: list[str], cells: list[_Cell]) -> tuple[dict[str, Line], list[Cycle]]:
    """Borders that cells share, each cell as a cycle of them; corners that nearly meet are made to meet."""
    corners: list[Point] = []

    def corner(point: Point) -> int:
        for number, known in enumerate(corners):
            if math.dist(point, known) < CLOSE:
                return number
        corners.append(Point(round(point.x, 1), round(point.y, 1)))
        return len(corners) - 1

    lines: dict[str, Line] = {}
    cycles: list[Cycle] = []
    for number, cell in enumerate(cells):
        names = [corner(point) for point in cell.corners]
        steps = []
        for here, there, other in zip(names, (*names[1:], names[0]), cell.beyond, strict=True):
            if here == there:
                continue
            sides = sorted((codes[number], codes[other] if other >= 0 else "frame"))
            name = f"{'-'.join(sides)}-{min(here, there)}-{max(here, there)}"
            if name not in lines:
                points = (corners[here], corners[there])
                lines[name] = Line(name, str(here), str(there), points)
            steps.append(Step(name, lines[name].start != str(here)))
        cycles.append(tuple(steps))
    return lines, cycles
