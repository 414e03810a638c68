"""The compass of the board: sides, azimuths, and what is before, behind and beside a robot.

Inside the rules a direction is a number, 0 to 3 for north, east, south and west, so that turning is adding.
"""

from __future__ import annotations

from typing import Final, Literal, get_args

Azimuth = Literal["North", "East", "South", "West"]
"""Where a robot looks, as the document spells it."""

AZIMUTHS: Final[tuple[Azimuth, ...]] = get_args(Azimuth)
QUARTERS: Final = {azimuth: number for number, azimuth in enumerate(AZIMUTHS)}
"""The number of a direction: quarters of a turn to the right of north."""

Side = int
"""Sides of a tile as bits, as in the values of the document's Annexe 1."""

N: Final[Side] = 1
E: Final[Side] = 2
S: Final[Side] = 4
O: Final[Side] = 8  # noqa: E741 - the document's letter for west

STEPS: Final = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""The way to the next tile in each direction: x to the right, y down."""

FLANKS: Final = ("Front", "Right", "Rear", "Left")
"""The sides of a robot, as the ends of the document's codes."""


def turned(azimuth: Azimuth, quarters: int) -> Azimuth:
    """The azimuth after so many quarter turns to the right."""
    return AZIMUTHS[(QUARTERS[azimuth] + quarters) % 4]


def ahead(azimuth: Azimuth) -> tuple[int, int]:
    """The step (dx, dy) to the tile in front."""
    return STEPS[QUARTERS[azimuth]]


def directions(sides: Side) -> list[int]:
    """The directions that are in a set of sides."""
    return [number for number in range(4) if sides >> number & 1]
