"""The shortest ways over a board, in registers of a lone robot, with all that the board does to it."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import msgspec

from tablee.rules.robots.board import NOWHERE, TILE_COUNT, Board, number_of, place_of
from tablee.rules.robots.cartouche import Register
from tablee.rules.robots.codes import STANDBY
from tablee.rules.robots.turn import Floor, placed, run_register

STAY: Final = 4
TOWARD: Final[tuple[Register, ...]] = (
    ("Move_Ahead",),
    ("Move_90Right", "Move_Ahead"),
    ("Move_Back",),
    ("Move_90Left", "Move_Ahead"),
    (STANDBY,),
)
"""What a robot that looks north does to go north, east, south, west, or to stay.

Whichever way it looks, one register takes it to any of the four sides: ways do not depend on the azimuth.
"""

FAR: Final = 10_000
"""Longer than any way."""


class Ways(msgspec.Struct, frozen=True):
    """Where each choice leads from each tile, and how far each law is. Arrays go by tile number."""

    ends: tuple[tuple[int, ...], ...]
    """The tile after a register: four sides, then staying; -1 where the robot does not survive it."""
    losses: tuple[tuple[int, ...], ...]
    """The energy that this register costs."""
    registers: tuple[tuple[int | None, ...], ...]
    """Of each law: the fewest registers until one stands on it, None where there is no way."""
    lit: tuple[int, ...]
    """How many beams cross a tile while nobody shields it."""

    def walk(self, start: int, law: int) -> list[int]:
        """The tiles on which a robot ends its registers on a shortest way to a law, `start` first."""
        left = self.registers[law - 1]
        path = [start]
        while left[path[-1]]:
            here = path[-1]
            path.append(min(self.ends[here], key=lambda end: (far(left, end), end)))
        return path


def far(registers: tuple[int | None, ...], number: int) -> int:
    """How far a tile is, FAR where there is no way."""
    found = registers[number] if number >= 0 else None
    return FAR if found is None else found


@lru_cache(maxsize=256)
def ways_of(board: Board) -> Ways:
    """The ways of a board, worked out once by playing every register from every tile."""
    lit = [0] * TILE_COUNT
    for beam in board.beams:
        for number in beam.tiles:
            lit[number] += 1
    landed = [[_landing(board, number, choice) for choice in range(5)] for number in range(TILE_COUNT)]
    ends = tuple(tuple(end for end, _ in row) for row in landed)
    return Ways(
        ends=ends,
        losses=tuple(tuple(loss for _, loss in row) for row in landed),
        registers=tuple(_distances(ends, number_of(*law)) for law in board.laws),
        lit=tuple(lit),
    )


def _landing(board: Board, number: int, choice: int) -> tuple[int, int]:
    lone = placed(1, *place_of(number), "North")
    floor = Floor(board, (lone,), telling=False)
    run_register(floor, {1: TOWARD[choice]}, 1, 1, 1)
    return floor.at[0] if floor.racing else NOWHERE, lone.energy - floor.energy[0]


def _distances(ends: tuple[tuple[int, ...], ...], goal: int) -> tuple[int | None, ...]:
    before: list[set[int]] = [set() for _ in range(TILE_COUNT)]
    for number, row in enumerate(ends):
        for end in row:
            if end >= 0:
                before[end].add(number)
    found: list[int | None] = [None] * TILE_COUNT
    found[goal] = 0
    reached = [goal]
    for here in reached:
        for number in before[here]:
            if found[number] is None:
                found[number] = (found[here] or 0) + 1
                reached.append(number)
    return tuple(found)
