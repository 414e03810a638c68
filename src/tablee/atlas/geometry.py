"""The little plane geometry that a map needs: rings, crossings, boxes, smooth curves."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

BEND = 0.28
"""How far the handles of a curve reach, of the way to the next point: 0 is straight, 1/3 a round bend."""


class Point(NamedTuple):
    x: float
    y: float


Ring = Sequence[Point]
"""A closed line, its first point not repeated at the end."""


class Segment(NamedTuple):
    """From one point of a line to the next."""

    start: Point
    end: Point
    line: str


class Box(NamedTuple):
    """An upright rectangle."""

    left: float
    top: float
    right: float
    bottom: float

    @classmethod
    def around(cls, middle: Point, width: float, height: float) -> Box:
        return cls(middle.x - width / 2, middle.y - height / 2, middle.x + width / 2, middle.y + height / 2)

    def meets(self, other: Box) -> bool:
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )

    def within(self, other: Box) -> bool:
        return (
            self.left >= other.left
            and self.right <= other.right
            and self.top >= other.top
            and self.bottom <= other.bottom
        )

    def samples(self) -> list[Point]:
        """Fifteen points spread over the box, its corners among them."""
        wide, high = (self.right - self.left) / 4, (self.bottom - self.top) / 2
        return [
            Point(self.left + wide * column, self.top + high * row) for row in range(3) for column in range(5)
        ]


def sides(ring: Ring) -> Iterable[tuple[Point, Point]]:
    """The sides of a ring, the last to the first point too."""
    return pairwise((*ring, ring[0]))


def area(ring: Ring) -> float:
    """Of a ring; negative where it turns to the left on a screen."""
    return sum(a.x * b.y - a.y * b.x for a, b in sides(ring)) / 2


def contains(rings: Iterable[Ring], point: Point) -> bool:
    """Whether a point is inside, where rings within a ring are holes."""
    within = False
    for ring in rings:
        for a, b in sides(ring):
            if (a.y > point.y) != (b.y > point.y) and point.x < (b.x - a.x) * (point.y - a.y) / (
                b.y - a.y
            ) + a.x:
                within = not within
    return within


def distance(point: Point, a: Point, b: Point) -> float:
    """From a point to a segment."""
    along, across = b.x - a.x, b.y - a.y
    length = along * along + across * across
    part = ((point.x - a.x) * along + (point.y - a.y) * across) / length if length else 0.0
    part = min(1.0, max(0.0, part))
    return math.hypot(point.x - a.x - part * along, point.y - a.y - part * across)


def clearance(rings: Iterable[Ring], point: Point) -> float:
    """From a point to the nearest side of the rings."""
    return min(distance(point, a, b) for ring in rings for a, b in sides(ring))


def crossings(segments: Iterable[Segment]) -> list[tuple[Segment, Segment]]:
    """Pairs of segments that meet elsewhere than at an end that they share."""
    ordered = sorted(segments, key=lambda each: min(each.start.x, each.end.x))
    found = []
    for number, one in enumerate(ordered):
        furthest = max(one.start.x, one.end.x)
        for other in ordered[number + 1 :]:
            if min(other.start.x, other.end.x) > furthest:
                break
            if _meet(one, other):
                found.append((one, other))
    return found


def _meet(one: Segment, other: Segment) -> bool:
    a, b, c, d = one.start, one.end, other.start, other.end
    if max(a.y, b.y) < min(c.y, d.y) or max(c.y, d.y) < min(a.y, b.y):
        return False
    shared = {a, b} & {c, d}
    if len(shared) == 2:
        return True
    if shared:
        (at,) = shared
        one_end, other_end = (b if a == at else a), (d if c == at else c)
        return _turn(at, one_end, other_end) == 0 and _ahead(at, one_end, other_end)
    first, second = _turn(a, b, c), _turn(a, b, d)
    third, fourth = _turn(c, d, a), _turn(c, d, b)
    if first * second < 0 and third * fourth < 0:
        return True
    return any(
        turned == 0 and distance(point, start, end) == 0
        for turned, point, start, end in (
            (first, c, a, b),
            (second, d, a, b),
            (third, a, c, d),
            (fourth, b, c, d),
        )
    )


def _turn(a: Point, b: Point, c: Point) -> float:
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)


def _ahead(at: Point, one: Point, other: Point) -> bool:
    return (one.x - at.x) * (other.x - at.x) + (one.y - at.y) * (other.y - at.y) > 0


class Bend(NamedTuple):
    """One piece of a smooth curve: two handles and where it ends."""

    first: Point
    second: Point
    end: Point


def smooth(points: Sequence[Point], closed: bool = False) -> list[Bend]:
    """The pieces of a smooth curve through points, the same from either end."""
    count = len(points)
    bends = []
    for number in range(count - 1):
        here, there = points[number], points[number + 1]
        before = points[number - 1] if number else points[-2] if closed else here
        after = points[number + 2] if number + 2 < count else points[1] if closed else there
        reach = math.dist(here, there) * BEND
        bends.append(Bend(_toward(here, before, there, reach), _toward(there, after, here, reach), there))
    return bends


def _toward(point: Point, back: Point, ahead: Point, reach: float) -> Point:
    """A handle of a point, parallel to the way from the point behind it to the point ahead."""
    long = math.dist(back, ahead)
    if not long:
        return point
    return Point(point.x + (ahead.x - back.x) / long * reach, point.y + (ahead.y - back.y) / long * reach)


def backwards(start: Point, bends: Sequence[Bend]) -> tuple[Point, list[Bend]]:
    """The same curve from its end: where it starts then, and its pieces."""
    starts = [start, *(bend.end for bend in bends)]
    turned = [Bend(bend.second, bend.first, begin) for begin, bend in zip(starts[:-1], bends, strict=True)]
    return starts[-1], turned[::-1]


def written(value: float) -> str:
    """A coordinate with one decimal at most."""
    return (
        f"{value:.1f}".removesuffix(".0").replace("-0", "0")
        if abs(value) < 0.05
        else f"{value:.1f}".removesuffix(".0")
    )


def path(start: Point, bends: Iterable[Bend]) -> str:
    """A curve as SVG has it; straight pieces as straight lines."""
    parts = [f"M{written(start.x)} {written(start.y)}"]
    for bend in bends:
        parts.append(_piece(start, bend))
        start = bend.end
    return "".join(parts)


def _piece(start: Point, bend: Bend) -> str:
    numbers = " ".join(f"{written(each.x)} {written(each.y)}" for each in bend)
    if abs(_turn(start, bend.end, bend.first)) + abs(_turn(start, bend.end, bend.second)) < 0.01:
        return f"L{written(bend.end.x)} {written(bend.end.y)}"
    return f"C{numbers}"
