"""An oval world from faces without crossings: every two neighbours share a border, and nobody else does."""

from __future__ import annotations

import math
from collections import defaultdict

from tablee.atlas.drawing import Cycle, Line, Step, ring_of
from tablee.atlas.embedding import Embedded, tighten
from tablee.atlas.geometry import Point, clearance, contains
from tablee.atlas.scatter import Sheet

ROOM = 165.0
"""A region has about the room of a square with this side."""
SHAPE = 1.25
"""Width of the oval by its height."""
SHORE = 0.5
"""How far regions of the rim reach beyond their site, by ROOM."""
ROUNDS = 80
MARGIN = 24.0
ISLE = 0.34
"""The radius of an island at most, by ROOM."""

Triangle = tuple[int, int, int]


def oval(codes: list[str], board: Embedded) -> Sheet:
    """Cells of regions: round each, the middles of its borders and of the faces that it is in."""
    return _Oval(codes, board).sheet()


class _Oval:
    def __init__(self, codes: list[str], board: Embedded) -> None:
        self.codes, self.board = codes, board
        count = len(codes)
        self.height = math.sqrt(count * ROOM * ROOM / math.pi / SHAPE)
        """Half of it, as the width too, at the sites of the rim."""
        self.width = self.height * SHAPE
        reach = SHORE * ROOM + MARGIN
        self.middle = Point(round(self.width + reach), round(self.height + reach))
        self.lines: dict[str, Line] = {}
        self.steps: dict[int, list[Step]] = defaultdict(list)
        """The way round each region, one step after each region that the faces name."""
        self.at = self._sites()

    def sheet(self) -> Sheet:
        cells = self._cells()
        rim = self._shore()
        width, height = self.middle.x * 2, self.middle.y * 2
        corners = [Point(0, 0), Point(width, 0), Point(width, height), Point(0, height)]
        frame = []
        for number, here in enumerate(corners):
            after = (number + 1) % 4
            self._line(f"frame{number}", f"corner{number}", f"corner{after}", (here, corners[after]))
            frame.append(Step(f"frame{number}", False))
        found: dict[str, tuple[Cycle, ...]] = {self.codes[one]: (cycle,) for one, cycle in cells.items()}
        for one, sea in self.board.islands:
            name = f"{self.codes[one]}-{self.codes[sea]}"
            rings = [ring_of(self.lines, cycle) for cycle in found[self.codes[sea]]]
            ring = _isle(rings)
            self._line(name, f"isle-{self.codes[one]}", f"isle-{self.codes[one]}", (*ring, ring[0]))
            shore: Cycle = (Step(name, False),)
            found[self.codes[one]] = (shore,)
            found[self.codes[sea]] = (*found[self.codes[sea]], shore)
        return Sheet(self.lines, found, ((tuple(frame), rim),), width, height)

    def _sites(self) -> dict[int, Point]:
        """Where regions stand, and the middles of faces, numbered on after the regions."""
        net: dict[int, set[int]] = defaultdict(set)
        triangles: list[Triangle] = []
        for number, face in enumerate(self.board.faces, len(self.codes)):
            for here, there in zip(face, (*face[1:], face[0]), strict=True):
                for one, other in ((here, there), (here, number)):
                    net[one].add(other)
                    net[other].add(one)
                triangles.append((here, there, number))
        rim = self.board.rim
        held = {}
        for number, one in enumerate(rim):
            turn = 2 * math.pi * number / len(rim) - math.pi / 2
            held[one] = (math.cos(turn) * self.width, math.sin(turn) * self.height)
        loose = tighten(dict(net), held)
        at = {one: Point(self.middle.x + x, self.middle.y + y) for one, (x, y) in loose.items()}
        return _evened(at, set(held), triangles)

    def _cells(self) -> dict[int, Cycle]:
        """The cycle of each region: from face to face round it, over the middles of its borders."""
        after: dict[tuple[int, int], tuple[int, int]] = {}
        """By region and neighbour, the face on one side and the neighbour that follows it in that face."""
        for number, face in enumerate(self.board.faces, len(self.codes)):
            for before, here, there in zip((face[-1], *face[:-1]), face, (*face[1:], face[0]), strict=True):
                after[here, there] = (number, before)
        self._after = after
        cells: dict[int, Cycle] = {}
        rim = self.board.rim
        outer = dict(zip(rim, (*rim[1:], rim[0]), strict=True))
        back = {there: here for here, there in outer.items()}
        for one in sorted({here for here, _ in after}):
            near = next(there for here, there in sorted(after) if here == one)
            if one in outer:
                near = self._rim_start(one, outer, back)
            steps = []
            first = near
            while (one, near) in after:
                steps.append(self._border(one, near))
                near = after[one, near][1]
                if near == first:
                    break
            if one in outer:
                steps.append(self._border(one, near))
                steps.append(self._shore_of(one, near, first))
            cells[one] = tuple(self._oriented(steps))
        return cells

    def _rim_start(self, one: int, outer: dict[int, int], back: dict[int, int]) -> int:
        """The neighbour on the rim from which the faces of a region are gone through."""
        reached = {follows for (here, _), (_, follows) in self._after.items() if here == one}
        return next(near for near in (outer[one], back[one]) if near not in reached)

    def _border(self, one: int, other: int) -> Step:
        """The border of two regions over its middle, from face to face, or to the shore."""
        name = "-".join(sorted((self.codes[one], self.codes[other])))
        if name not in self.lines:
            low, high = sorted((one, other))
            middle = _mid(self.at[one], self.at[other])
            ends = []
            for pair in ((low, high), (high, low)):
                if pair in self._after:
                    face = self._after[pair][0]
                    ends.append((f"face{face}", self.at[face]))
                else:
                    ends.append((f"shore-{name}", self._outward(middle)))
            (start, first), (end, last) = ends
            self._line(name, start, end, (first, middle, last))
        return Step(name, False)

    def _shore_of(self, one: int, near: int, other: int) -> Step:
        """The shore of a region of the rim, between its two neighbours there."""
        name = f"{self.codes[one]}-shore"
        ends = []
        for each in (near, other):
            border = "-".join(sorted((self.codes[one], self.codes[each])))
            ends.append((f"shore-{border}", self._outward(_mid(self.at[one], self.at[each]))))
        (start, first), (end, last) = ends
        self._line(name, start, end, (first, self._outward(self.at[one]), last))
        return Step(name, False)

    def _shore(self) -> Cycle:
        names = [f"{self.codes[one]}-shore" for one in self.board.rim]
        return tuple(self._oriented([Step(name, False) for name in names]))

    def _oriented(self, steps: list[Step]) -> list[Step]:
        """The steps, each turned so that it begins where the one before ended."""
        for turned in (False, True):
            line = self.lines[steps[0].line]
            found = [Step(line.name, turned)]
            here = line.start if turned else line.end
            for step in steps[1:]:
                line = self.lines[step.line]
                found.append(Step(line.name, line.start != here))
                if here not in (line.start, line.end):
                    break
                here = line.start if line.start != here else line.end
            else:
                return found
        raise AssertionError("the borders of a region lead round it")

    def _outward(self, point: Point) -> Point:
        x, y = (point.x - self.middle.x) / self.width, (point.y - self.middle.y) / self.height
        long = math.hypot(x, y) or 1.0
        reach = SHORE * ROOM
        return _rounded(
            Point(
                self.middle.x + x / long * (self.width + reach),
                self.middle.y + y / long * (self.height + reach),
            )
        )

    def _line(self, name: str, start: str, end: str, points: tuple[Point, ...]) -> None:
        self.lines[name] = Line(name, start, end, tuple(map(_rounded, points)))


def _rounded(point: Point) -> Point:
    return Point(round(point.x, 1), round(point.y, 1))


def _mid(one: Point, other: Point) -> Point:
    return Point((one.x + other.x) / 2, (one.y + other.y) / 2)


def _evened(at: dict[int, Point], held: set[int], triangles: list[Triangle]) -> dict[int, Point]:
    """The sites moved to the middle of the ground about them, as long as no triangle is turned over."""
    about: dict[int, list[Triangle]] = defaultdict(list)
    for triangle in triangles:
        for one in triangle:
            about[one].append(triangle)
    found = dict(at)
    for _ in range(ROUNDS):
        for one, own in about.items():
            if one in held:
                continue
            signs = [_double_area(found, each) for each in own]
            total = sum(map(abs, signs)) or 1e-9
            x = sum(
                abs(size) * sum(found[two].x for two in each) / 3
                for size, each in zip(signs, own, strict=True)
            )
            y = sum(
                abs(size) * sum(found[two].y for two in each) / 3
                for size, each in zip(signs, own, strict=True)
            )
            before = found[one]
            found[one] = Point(x / total, y / total)
            if any(_double_area(found, each) * size <= 0 for size, each in zip(signs, own, strict=True)):
                found[one] = before
    return found


def _double_area(at: dict[int, Point], triangle: Triangle) -> float:
    a, b, c = (at[one] for one in triangle)
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)


def _isle(rings: list[tuple[Point, ...]]) -> list[Point]:
    """An island where a sea has the most room, a little to the side of its middle."""
    xs, ys = [point.x for point in rings[0]], [point.y for point in rings[0]]
    spots = [
        Point(min(xs) + (max(xs) - min(xs)) * column / 24, min(ys) + (max(ys) - min(ys)) * row / 24)
        for row in range(25)
        for column in range(25)
    ]
    best = max(
        (spot for spot in spots if contains(rings, spot)), key=lambda spot: (clearance(rings, spot), spot)
    )
    reach = min(ISLE * ROOM, clearance(rings, best) * 0.62)
    return [
        _rounded(
            Point(
                best.x + reach * (1 + 0.12 * math.sin(number * 2.4)) * math.cos(number * math.pi / 5),
                best.y + reach * 0.85 * (1 + 0.12 * math.sin(number * 2.4)) * math.sin(number * math.pi / 5),
            )
        )
        for number in range(10)
    ]
