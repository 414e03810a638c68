"""A drawing of a board: border lines that neighbours share, regions as cycles of them, places for pieces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from msgspec import Struct

from tablee.atlas.geometry import Bend, Point, Segment, backwards, path, smooth
from tablee.atlas.lettering import NAME_SIZE


class DrawingError(ValueError):
    """A drawing that does not hold together, with where."""


class Line(NamedTuple):
    """A border from one named point to another, or round an island to itself."""

    name: str
    start: str
    end: str
    points: tuple[Point, ...]
    """From end to end, both included."""

    @property
    def closed(self) -> bool:
        return self.start == self.end

    def segments(self) -> Iterator[Segment]:
        for here, there in zip(self.points[:-1], self.points[1:], strict=True):
            yield Segment(here, there, self.name)

    def bends(self) -> list[Bend]:
        return smooth(self.points, self.closed)


class Step(NamedTuple):
    """A line on the way round a region, as it is written or turned round."""

    line: str
    turned: bool


Cycle = tuple[Step, ...]


def ring_of(lines: Mapping[str, Line], cycle: Cycle) -> tuple[Point, ...]:
    """The points round a cycle."""
    points: list[Point] = []
    for step in cycle:
        line = lines[step.line].points
        points += (line[::-1] if step.turned else line)[:-1]
    return tuple(points)


class Places(NamedTuple):
    """Where the pieces of a zone stand and its name is written; a special coast has the first two only."""

    unit: Point
    dislodged: Point
    label: Point | None = None
    centre: Point | None = None
    size: float = NAME_SIZE
    """Of the name."""


class Outside(NamedTuple):
    """Land that is no region: nothing ever stands there."""

    code: str
    names: tuple[str, str]
    """French, English; empty where nothing is written."""
    cycles: tuple[Cycle, ...]
    label: Point | None


class Drawing(Struct, frozen=True):
    """A whole map. Regions and coasts are named by their codes in the variant."""

    name: str
    width: float
    height: float
    lines: Mapping[str, Line]
    regions: Mapping[str, tuple[Cycle, ...]]
    places: Mapping[str, Places]
    coasts: Mapping[str, tuple[str, ...]] = {}
    """The lines of each special coast."""
    outside: tuple[Outside, ...] = ()
    lakes: tuple[tuple[Point, ...], ...] = ()
    straits: tuple[tuple[Point, ...], ...] = ()
    links: tuple[tuple[str, str], ...] = ()
    """Neighbours that do not touch on this map and are joined by a stroke: in automatic layouts only."""
    walls: tuple[str, ...] = ()
    """Lines between regions that touch here and are no neighbours: in automatic layouts only."""
    drawn: bool = True
    """By hand, not by the automatic layout."""

    def ring(self, cycle: Cycle) -> tuple[Point, ...]:
        return ring_of(self.lines, cycle)

    def rings(self, cycles: tuple[Cycle, ...]) -> list[tuple[Point, ...]]:
        return [self.ring(cycle) for cycle in cycles]

    def outline(self, cycles: tuple[Cycle, ...]) -> str:
        """The smooth outline of a region as an SVG path; rings within rings are holes."""
        return "".join(self._cycle_path(cycle) for cycle in cycles)

    def _cycle_path(self, cycle: Cycle) -> str:
        first: Point | None = None
        pieces: list[Bend] = []
        for step in cycle:
            line = self.lines[step.line]
            start, bends = line.points[0], line.bends()
            if step.turned:
                start, bends = backwards(start, bends)
            first = start if first is None else first
            pieces += bends
        assert first is not None, "a cycle has a line"
        return path(first, pieces) + "Z"

    def line_path(self, name: str) -> str:
        line = self.lines[name]
        return path(line.points[0], line.bends())


def lake_path(points: tuple[Point, ...]) -> str:
    """The smooth shore of a lake."""
    round_ = (*points, points[0])
    return path(round_[0], smooth(round_, closed=True)) + "Z"


def strait_path(points: tuple[Point, ...]) -> str:
    return path(points[0], smooth(points))
