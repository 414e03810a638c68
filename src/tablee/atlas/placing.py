"""Finds places for the pieces and the name of a region, where the room is, without overlaps."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from tablee.atlas.drawing import Places
from tablee.atlas.geometry import Box, Point, Ring, area, clearance, contains
from tablee.atlas.lettering import NAME_SIZE, centre_box, code_box, name_box, unit_box

SPOTS = 42
"""Candidates kept for each of unit, centre and name."""
GAP = 1.5


class Wanted(NamedTuple):
    """What is to be placed in a region."""

    code: str
    names: tuple[str, str]
    has_centre: bool
    coasts: tuple[tuple[str, Point], ...] = ()
    """Special coasts, each with a point of its shore."""


class _Spot(NamedTuple):
    cost: float
    at: Point
    boxes: tuple[Box, ...]


class _Room:
    """The inside of a region in squares of three units, quick to ask."""

    SIDE = 3.0

    def __init__(self, rings: Sequence[Ring]) -> None:
        self._rings = rings
        self._known: dict[tuple[int, int], bool] = {}

    def __contains__(self, point: Point) -> bool:
        square = (round(point.x / self.SIDE), round(point.y / self.SIDE))
        if square not in self._known:
            middle = Point(square[0] * self.SIDE, square[1] * self.SIDE)
            self._known[square] = contains(self._rings, middle)
        return self._known[square]


def place(rings: Sequence[Ring], wanted: Wanted, taken: Sequence[Box]) -> dict[str, Places]:
    """Places by zone for a region and its coasts, clear of the boxes taken already."""
    grid, room = _grid(rings), _Room(rings)
    beside = [box for box in taken if box.meets(_around(rings))]
    middle = max(grid, key=lambda point: clearance(rings, point))

    size = min(21.0, max(NAME_SIZE, math.sqrt(sum(abs(area(ring)) for ring in rings[:1])) / 6.8))
    while size > NAME_SIZE:
        width, height = (name_box(middle, wanted.names, size)[2] - middle.x) * 2, size * 6
        if width * 1.5 < _span(rings, middle) and height < clearance(rings, middle) * 3.2:
            break
        size -= 1
    size = max(NAME_SIZE, round(size)) if size > NAME_SIZE else NAME_SIZE

    def spots(boxes_at: Callable[[Point], tuple[Box, ...]], weight: float, home: Point) -> list[_Spot]:
        found = []
        for point in grid:
            boxes = boxes_at(point)
            out = sum(
                (sample not in room) / (1 + number)
                for number, box in enumerate(boxes)
                for sample in box.samples()
            )
            hit = sum(box.meets(other) for box in boxes for other in beside)
            far = math.dist(point, home) * 0.02
            found.append(_Spot(out * weight + hit * 60 + far, point, boxes))
        return _spread(sorted(found))

    names = spots(
        lambda at: (code_box(at, wanted.code, size), name_box(at, wanted.names, size)),
        1.0,
        Point(middle.x, middle.y - size * 0.7),
    )
    units = spots(lambda at: (unit_box(at),), 2.2, Point(middle.x, middle.y + 6 + size))
    centres = spots(lambda at: (centre_box(at),), 2.0, Point(middle.x - 24, middle.y + 6 + size))
    name, unit, centre = _best(names, units, centres if wanted.has_centre else [])
    own = [*name.boxes, *unit.boxes, *(centre.boxes if centre else ())]
    found = {
        wanted.code: Places(
            unit.at, _dislodged(grid, room, unit.at, own), name.at, centre.at if centre else None, size
        )
    }
    for code, shore in wanted.coasts:
        near = spots(lambda at: (unit_box(at),), 1.6, shore)
        free = [
            spot for spot in near if not any(spot.boxes[0].meets(box) for box in own if box not in unit.boxes)
        ] or near
        best = min(free, key=lambda spot: spot.cost + math.dist(spot.at, shore) * 0.25)
        found[code] = Places(best.at, _dislodged(grid, room, best.at, own))
    return found


def boxes_of(places: Places, wanted: Wanted) -> list[Box]:
    """The room that the pieces and the name of a zone take."""
    boxes = [unit_box(places.unit)]
    if places.centre is not None:
        boxes.append(centre_box(places.centre))
    if places.label is not None:
        boxes += [
            name_box(places.label, wanted.names, places.size),
            code_box(places.label, wanted.code, places.size),
        ]
    return boxes


def _around(rings: Sequence[Ring]) -> Box:
    """The region with as much more on each side as half of a long name."""
    xs = [point.x for ring in rings for point in ring]
    ys = [point.y for ring in rings for point in ring]
    return Box(min(xs) - 150, min(ys) - 60, max(xs) + 150, max(ys) + 60)


def _span(rings: Sequence[Ring], point: Point) -> float:
    """How wide the region is at a point, from side to side."""
    reach = [0.0, 0.0]
    for side, step in enumerate((-8.0, 8.0)):
        while contains(rings, Point(point.x + reach[side] + step, point.y)):
            reach[side] += step
    return reach[1] - reach[0]


def _grid(rings: Sequence[Ring]) -> list[Point]:
    """Points inside, some hundreds of them; at least one."""
    xs = [point.x for ring in rings for point in ring]
    ys = [point.y for ring in rings for point in ring]
    step = max(3.0, math.sqrt((max(xs) - min(xs)) * (max(ys) - min(ys)) / 600))
    while True:
        found = [
            Point(round(min(xs) + column * step), round(min(ys) + row * step))
            for row in range(int((max(ys) - min(ys)) / step) + 1)
            for column in range(int((max(xs) - min(xs)) / step) + 1)
        ]
        inside = [point for point in found if contains(rings, point)]
        if inside:
            return inside
        step /= 2


def _spread(ordered: list[_Spot]) -> list[_Spot]:
    """The best spots that are not all next to each other."""
    kept: list[_Spot] = []
    for spot in ordered:
        if all(math.dist(spot.at, other.at) > 5 for other in kept):
            kept.append(spot)
            if len(kept) == SPOTS:
                break
    return kept


def _best(names: list[_Spot], units: list[_Spot], centres: list[_Spot]) -> tuple[_Spot, _Spot, _Spot | None]:
    """The cheapest three that do not overlap; the lists are in order, so dearer ones need no look."""
    best: tuple[float, _Spot, _Spot, _Spot | None] = (math.inf, names[0], units[0], None)
    for name in names:
        for unit in units:
            if name.cost + unit.cost >= best[0]:
                break
            both = name.cost + unit.cost + 30 * _overlap(name, unit)
            if not centres and both < best[0]:
                best = (both, name, unit, None)
            for centre in centres:
                if both + centre.cost >= best[0]:
                    break
                cost = both + centre.cost + math.dist(unit.at, centre.at) * 0.01
                cost += 30 * (_overlap(name, centre) + _overlap(unit, centre))
                if cost < best[0]:
                    best = (cost, name, unit, centre)
    return best[1:]


def _overlap(one: _Spot, other: _Spot) -> int:
    return sum(
        box.meets(Box(second.left - GAP, second.top - GAP, second.right + GAP, second.bottom + GAP))
        for box in one.boxes
        for second in other.boxes
    )


def _dislodged(grid: Sequence[Point], room: _Room, unit: Point, own: Sequence[Box]) -> Point:
    """Beside the unit, rather over the name than over the unit."""
    standing = unit_box(unit)

    def cost(point: Point) -> float:
        box = unit_box(point)
        wide = max(0.0, min(box.right, standing.right) - max(box.left, standing.left))
        high = max(0.0, min(box.bottom, standing.bottom) - max(box.top, standing.top))
        out = sum(sample not in room for sample in box.samples())
        hit = sum(box.meets(other) for other in own if other != standing)
        return out + hit * 2 + wide * high / 20 + math.dist(point, unit) * 0.08

    far = [point for point in grid if math.dist(point, unit) >= 16]
    return min(far or grid, key=cost)
