"""A drawing from its source: points, lines, regions, coasts, land outside the game, water, places.

The form is described in docs/diplomacy.md. Every fault is told with its line.
"""

from __future__ import annotations

import math
import re
from functools import cache
from importlib.resources import files

from tablee.atlas.drawing import (
    Cycle,
    Drawing,
    DrawingError,
    Line,
    Outside,
    Places,
    Step,
)
from tablee.atlas.geometry import Point
from tablee.atlas.lettering import NAME_SIZE

SECTIONS = ("points", "lines", "regions", "coasts", "outside", "lakes", "straits", "places")
LARGEST = 10_000.0
"""No coordinate is beyond this."""


def drawing_names() -> tuple[str, ...]:
    """The variants that have a drawing."""
    folder = files("tablee.rules.diplomacy").joinpath("drawings")
    return tuple(
        sorted(each.name.removesuffix(".txt") for each in folder.iterdir() if each.name.endswith(".txt"))
    )


@cache
def load_drawing(name: str) -> Drawing:
    """The drawing that we ship for a variant. Raises DrawingError where it does not hold together."""
    source = files("tablee.rules.diplomacy").joinpath("drawings", f"{name}.txt")
    return parse_drawing(source.read_text(encoding="utf-8"), f"{name}.txt")


def parse_drawing(text: str, source: str = "drawing") -> Drawing:
    """A drawing from text. Raises DrawingError with the line of the first fault."""
    return _Reader(text, source).drawing()


class _Reader:
    def __init__(self, text: str, source: str) -> None:
        self.source = source
        self.head: dict[str, tuple[int, str]] = {}
        self.sections: dict[str, list[tuple[int, list[str]]]] = {name: [] for name in SECTIONS}
        section = ""
        for number, raw in enumerate(text.splitlines(), 1):
            line = raw.partition("#")[0].strip()
            if line in SECTIONS:
                section = line
            elif line and section:
                self.sections[section].append((number, [part.strip() for part in line.split("|")]))
            elif line:
                word, _, rest = line.partition(" ")
                if word not in ("drawing", "size") or word in self.head:
                    raise self.fault(number, f"“{word}” is no line of a drawing's head, or stands twice.")
                self.head[word] = (number, rest.strip())
        self.points: dict[str, Point] = {}
        self.lines: dict[str, Line] = {}

    def fault(self, number: int, sentence: str) -> DrawingError:
        return DrawingError(f"{self.source}:{number}: {sentence}")

    def drawing(self) -> Drawing:
        for word in ("drawing", "size"):
            if word not in self.head:
                raise self.fault(1, f"a line “{word} …” is needed before the points.")
        number, size = self.head["size"]
        extent = self.point(number, size)
        if extent.x <= 0 or extent.y <= 0:
            raise self.fault(number, "the size is a width and a height above 0.")
        for number, parts in self.sections["points"]:
            self.add_point(number, parts)
        for number, parts in self.sections["lines"]:
            self.add_line(number, parts)
        ends = {end for line in self.lines.values() for end in (line.start, line.end)}
        for number, parts in self.sections["points"]:
            if (name := parts[0].split()[0]) not in ends:
                raise self.fault(number, f"no line begins or ends at the point “{name}”.")
        return Drawing(
            name=self.head["drawing"][1],
            width=extent.x,
            height=extent.y,
            lines=self.lines,
            regions=self.regions(),
            places=self.places(),
            coasts=self.coasts(),
            outside=tuple(self.outside(number, parts) for number, parts in self.sections["outside"]),
            lakes=self.waters("lakes", 3),
            straits=self.waters("straits", 2),
        )

    def point(self, number: int, text: str) -> Point:
        words = text.split()
        try:
            x, y = (float(word) for word in words)
        except ValueError:
            raise self.fault(number, f"“{text[:40]}” is no place: two numbers are needed, x and y.") from None
        if not all(math.isfinite(value) and 0 <= value <= LARGEST for value in (x, y)):
            raise self.fault(number, f"“{text[:40]}” is no place: numbers are from 0 to {LARGEST:g}.")
        return Point(x, y)

    def row(self, number: int, text: str) -> tuple[Point, ...]:
        return tuple(self.point(number, part) for part in text.split(",") if part.strip())

    def add_point(self, number: int, parts: list[str]) -> None:
        name, _, place = parts[0].partition(" ")
        if len(parts) != 1 or name in self.points:
            raise self.fault(
                number, f"a point is a name of its own, x and y; “{name}” is not, or stands twice."
            )
        self.points[name] = self.point(number, place.strip())

    def add_line(self, number: int, parts: list[str]) -> None:
        words = parts[0].split()
        if len(words) != 3 or len(parts) != 2:
            raise self.fault(number, "a line is a name and two points, then | and the points between them.")
        name, start, end = words
        if name in self.lines:
            raise self.fault(number, f"the line “{name}” stands twice.")
        for end_point in (start, end):
            if end_point not in self.points:
                raise self.fault(number, f"the line “{name}” ends at “{end_point}”, which is no point.")
        between = self.row(number, parts[1])
        if start == end and len(between) < 2:
            raise self.fault(
                number, f"the line “{name}” comes back to its start: two points more are needed."
            )
        self.lines[name] = Line(name, start, end, (self.points[start], *between, self.points[end]))

    def regions(self) -> dict[str, tuple[Cycle, ...]]:
        found: dict[str, tuple[Cycle, ...]] = {}
        for number, parts in self.sections["regions"]:
            if len(parts) != 2 or parts[0] in found:
                raise self.fault(
                    number, f"a region is a code and its lines; “{parts[0]}” is not, or stands twice."
                )
            found[parts[0]] = self.cycles(number, parts[1], parts[0])
        return found

    def cycles(self, number: int, text: str, code: str) -> tuple[Cycle, ...]:
        return tuple(self.cycle(number, part.split(), code) for part in text.split(";"))

    def cycle(self, number: int, names: list[str], code: str) -> Cycle:
        for name in names:
            if name not in self.lines:
                raise self.fault(number, f"“{code}” has a line “{name}”, which there is not.")
        if not names or len(set(names)) < len(names):
            raise self.fault(number, f"“{code}” has a cycle without lines, or a line twice.")
        for turned in (False, True):
            steps, at = [], self._ends(names[0], turned)
            first = at[0]
            steps.append(Step(names[0], turned))
            here = at[1]
            for name in names[1:]:
                line = self.lines[name]
                if here not in (line.start, line.end):
                    break
                back = line.start != here
                steps.append(Step(name, back))
                here = line.start if back else line.end
            if len(steps) == len(names) and here == first:
                return tuple(steps)
        raise self.fault(number, f"“{code}” is not closed: its lines {' '.join(names)} do not lead round.")

    def _ends(self, name: str, turned: bool) -> tuple[str, str]:
        line = self.lines[name]
        return (line.end, line.start) if turned else (line.start, line.end)

    def coasts(self) -> dict[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {}
        for number, parts in self.sections["coasts"]:
            if len(parts) != 2 or not re.fullmatch(r"\S+/\S+", parts[0]):
                raise self.fault(number, "a coast is a region and a kind, spa/nc, then | and its lines.")
            if parts[0] in found:
                raise self.fault(number, f"the coast “{parts[0]}” stands twice.")
            for name in parts[1].split():
                if name not in self.lines:
                    raise self.fault(number, f"“{parts[0]}” has a line “{name}”, which there is not.")
            found[parts[0]] = tuple(parts[1].split())
        return found

    def outside(self, number: int, parts: list[str]) -> Outside:
        if len(parts) != 5:
            raise self.fault(
                number, "land outside is a code, two names, its lines, and where its name stands."
            )
        code, french, english, lines, label = parts
        names = ("", "") if french == "-" else (french, english)
        place = None if label == "-" else self.point(number, label)
        return Outside(code, names, self.cycles(number, lines, code), place)

    def waters(self, section: str, least: int) -> tuple[tuple[Point, ...], ...]:
        found = []
        for number, parts in self.sections[section]:
            points = self.row(number, parts[-1])
            if len(parts) != 2 or len(points) < least:
                raise self.fault(number, f"a name, then | and at least {least} points are needed.")
            found.append(points)
        return tuple(found)

    def places(self) -> dict[str, Places]:
        found: dict[str, Places] = {}
        for number, parts in self.sections["places"]:
            if parts[0] in found:
                raise self.fault(number, f"the places of “{parts[0]}” stand twice.")
            wanted = 3 if "/" in parts[0] else 5
            if len(parts) != wanted:
                raise self.fault(
                    number, "places are those of the unit, the dislodged unit, the name and the centre, or -."
                )
            size = NAME_SIZE
            if wanted == 5 and len(words := parts[3].split()) == 3:
                size = self.size(number, words.pop())
                parts[3] = " ".join(words)
            given = [None if part == "-" else self.point(number, part) for part in parts[1:]]
            if given[0] is None or given[1] is None or (wanted == 5 and given[2] is None):
                raise self.fault(number, f"“{parts[0]}” needs a place for its unit, dislodged unit and name.")
            found[parts[0]] = Places(
                given[0], given[1], given[2] if wanted == 5 else None, given[3] if wanted == 5 else None, size
            )
        return found

    def size(self, number: int, text: str) -> float:
        if not re.fullmatch(r"\d{1,2}(\.\d)?", text) or float(text) < NAME_SIZE:
            raise self.fault(number, f"“{text}” is no size of a name: a number from {NAME_SIZE:g} to 99.")
        return float(text)
