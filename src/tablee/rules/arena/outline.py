"""SVG path data: whether it can be drawn, and how far it goes."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import NamedTuple

ARGUMENTS = {"M": "xy", "L": "xy", "H": "x", "V": "y", "C": "xyxyxy", "S": "xyxy", "Q": "xyxy", "T": "xy",
             "A": "rr.ffxy", "Z": ""}  # fmt: skip
"""What follows each command: coordinates, radii, an angle, flags."""
COMMAND = re.compile(r"[\s,]*([A-Za-z])")
NUMBER = re.compile(r"[\s,]*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)", re.ASCII)
FLAG = re.compile(r"[\s,]*([01])")
LARGEST = 10_000_000.0


class BadPath(ValueError):
    """Path data that cannot be drawn."""


class Arc(NamedTuple):
    """How an arc goes to its end, as SVG says it."""

    rx: float
    ry: float
    rotation: float
    is_large: bool
    is_clockwise: bool


class Reached(NamedTuple):
    """A point that a path goes to or bends towards, and how much further it may bulge on its way."""

    x: float
    y: float
    bulge: float
    arc: Arc | None = None
    begins: bool = False
    """Whether a new outline begins here."""


def outline(data: str) -> list[Reached]:
    """The points of a path, in absolute coordinates. Raises BadPath."""
    return list(_points(data))


def is_path(data: str) -> bool:
    """Whether it can be drawn."""
    try:
        outline(data)
    except BadPath:
        return False
    return True


def farthest(data: str, x: float, y: float) -> float:
    """No point of a path is further than this from a point. Raises BadPath."""
    return max(math.hypot(each.x - x, each.y - y) + each.bulge for each in outline(data))


def _points(data: str) -> Iterator[Reached]:
    x = y = begun_x = begun_y = 0.0
    for command, given in _commands(data):
        kind, relative = command.upper(), command.islower()
        offset_x, offset_y = (x, y) if relative else (0.0, 0.0)
        bulge, arc = 0.0, None
        if kind == "Z":
            x, y = begun_x, begun_y
            continue
        if kind == "H":
            x = offset_x + given[0]
        elif kind == "V":
            y = offset_y + given[0]
        elif kind == "A":
            end_x, end_y = offset_x + given[5], offset_y + given[6]
            arc = Arc(abs(given[0]), abs(given[1]), given[2], given[3] == 1, given[4] == 1)
            bulge = _bulge(arc.rx, arc.ry, arc.is_large, math.hypot(end_x - x, end_y - y))
            x, y = end_x, end_y
        else:
            for place in range(0, len(given) - 2, 2):
                yield Reached(offset_x + given[place], offset_y + given[place + 1], 0.0)
            x, y = offset_x + given[-2], offset_y + given[-1]
        if kind == "M":
            begun_x, begun_y = x, y
        yield Reached(x, y, bulge, arc, kind == "M")


def _bulge(rx: float, ry: float, is_large: bool, chord: float) -> float:
    """How far an arc can be from its chord; a radius too small for it is made larger when it is drawn."""
    radius = max(rx, ry, chord / 2)
    if rx != ry:
        return 2 * radius
    height = math.sqrt(max(0.0, radius**2 - chord**2 / 4))
    return radius + height if is_large else radius - height


def _commands(data: str) -> Iterator[tuple[str, list[float]]]:
    """Each command with its arguments; one that is repeated may be written once."""
    place, end = 0, len(data.rstrip())
    command = ""
    while place < end or not command:
        found = COMMAND.match(data, place)
        if found:
            first, command, place = not command, found[1], found.end()
            if command.upper() not in ARGUMENTS or (first and command not in "Mm"):
                raise BadPath(f"there is no command {command} here: {place}")
        elif command in ("", "Z", "z"):
            raise BadPath(f"a command was expected at {place}")
        elif command in "Mm":
            command = "L" if command == "M" else "l"
        given = []
        for kind in ARGUMENTS[command.upper()]:
            number = (FLAG if kind == "f" else NUMBER).match(data, place)
            if not number or abs(float(number[1])) > LARGEST:
                raise BadPath(f"a number was expected at {place}")
            given.append(float(number[1]))
            place = number.end()
        yield command, given
