"""The robots on a board while a register is played: flat lists that are changed, and the steps told of it.

A robot goes by its index in these lists; its seat, from 1, is what the outside knows.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final, Literal

import msgspec

from tablee.rules.robots.board import NOWHERE, TILE_COUNT, Board, number_of, place_of
from tablee.rules.robots.directions import AZIMUTHS, FLANKS, QUARTERS, Azimuth

MOST_ENERGY: Final = 7
NOBODY: Final = -1
"""Nobody stands here."""

PLACES: Final = tuple(map(place_of, range(TILE_COUNT)))
"""The place (x, y) of every tile."""

Status = Literal["racing", "frozen", "finished"]
Stage = Literal["robots", "conveyors", "turntables", "pushers", "lasers", "consequences", "end"]


class Mecha(msgspec.Struct, frozen=True):
    """A robot between two registers. Frozen it is listed on its starting tile, finished on its last."""

    seat: int
    x: int
    y: int
    azimuth: Azimuth
    energy: int
    laws: int
    status: Status
    start: tuple[int, int, Azimuth]
    frozen_in: int = 0
    """The round in which it froze, 0 while it is not frozen."""
    rank: int = 0
    """Its place among those who have arrived, 0 before."""
    arrived: tuple[int, int] | None = None
    """Round and register in which it had its third law."""


class Step(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that happens to one robot, and where and how that robot is after it."""

    stage: Stage
    seat: int
    code: str
    x: int
    y: int
    azimuth: Azimuth
    energy: int
    group: int
    """Steps of a register with the same number happen at the same time."""
    beam: tuple[int, int] | None = None
    """The tile of the laser that hit."""


def placed(seat: int, x: int, y: int, azimuth: Azimuth) -> Mecha:
    """A robot at the start of the game."""
    return Mecha(seat, x, y, azimuth, MOST_ENERGY, 0, "racing", (x, y, azimuth))


class Floor:
    """All robots of a game on the current board. With `telling` false nothing is told, which is faster."""

    __slots__ = (
        "at",
        "azimuth",
        "board",
        "energy",
        "group",
        "index_of",
        "laws",
        "lost",
        "mechas",
        "racing",
        "stage",
        "steps",
        "taken",
        "telling",
    )

    def __init__(self, board: Board, mechas: Sequence[Mecha], telling: bool = True) -> None:
        self.board = board
        self.mechas = list(mechas)
        """What is known of each robot besides the lists below, which are newer."""
        self.index_of = {mecha.seat: index for index, mecha in enumerate(mechas)}
        self.racing = [index for index, mecha in enumerate(mechas) if mecha.status == "racing"]
        """Who is on the board."""
        self.at = [number_of(mecha.x, mecha.y) for mecha in mechas]
        self.azimuth = [QUARTERS[mecha.azimuth] for mecha in mechas]
        self.energy = [mecha.energy for mecha in mechas]
        self.laws = [mecha.laws for mecha in mechas]
        self.taken = [NOBODY] * TILE_COUNT
        """Who stands on each tile."""
        for index in self.racing:
            self.taken[self.at[index]] = index
        self.lost: set[int] = set()
        """Who has come into a pothole in step 1 of this register, and does nothing more in it."""
        self.stage: Stage = "robots"
        self.group = 0
        self.telling = telling
        self.steps: list[Step] = []

    def copy(self) -> Floor:
        """The same situation, to be played on apart and without telling."""
        other = Floor.__new__(Floor)
        other.board = self.board
        other.mechas = self.mechas.copy()
        other.index_of = self.index_of
        other.racing = self.racing.copy()
        other.at = self.at.copy()
        other.azimuth = self.azimuth.copy()
        other.energy = self.energy.copy()
        other.laws = self.laws.copy()
        other.taken = self.taken.copy()
        other.lost = set()
        other.stage = self.stage
        other.group = 0
        other.telling = False
        other.steps = []
        return other

    def now(self) -> tuple[Mecha, ...]:
        """The robots as they are now."""
        return tuple(map(self._now, range(len(self.mechas))))

    def _now(self, index: int) -> Mecha:
        known, (x, y) = self.mechas[index], PLACES[self.at[index]]
        return Mecha(
            known.seat,
            x,
            y,
            AZIMUTHS[self.azimuth[index]],
            self.energy[index],
            self.laws[index],
            known.status,
            known.start,
            known.frozen_in,
            known.rank,
            known.arrived,
        )

    def at_once(self) -> None:
        """What is told from here on happens together, after all that was told before."""
        self.group += 1

    def tell(self, index: int, code: str, laser: int = NOWHERE) -> None:
        """Tell that this has just happened to a robot, and by the laser on which tile."""
        if self.telling:
            x, y = PLACES[self.at[index]]
            self.steps.append(
                Step(
                    self.stage,
                    self.mechas[index].seat,
                    code,
                    x,
                    y,
                    AZIMUTHS[self.azimuth[index]],
                    self.energy[index],
                    self.group,
                    PLACES[laser] if laser >= 0 else None,
                )
            )

    def tell_flank(self, index: int, code: str, side: int, laser: int = NOWHERE) -> None:
        """Tell something with the side of the robot that lies in direction `side` at the end of its code."""
        if self.telling:
            self.tell(index, code + FLANKS[(side - self.azimuth[index]) % 4], laser)

    def relocate(self, moves: Collection[tuple[int, int]]) -> None:
        """Move robots to other tiles, all at once."""
        for index, _ in moves:
            self.taken[self.at[index]] = NOBODY
        for index, target in moves:
            self.taken[target] = index
            self.at[index] = target

    def drain(self, index: int) -> None:
        """Take one energy; there is none below 0."""
        if self.energy[index] > 0:
            self.energy[index] -= 1

    def stumble(self, moved: Iterable[int]) -> list[int]:
        """Those of the moved who have entered a pothole pay for it; returns them."""
        fallen = [index for index in moved if self.board.potholes[self.at[index]]]
        if fallen:
            self.at_once()
            for index in fallen:
                self.drain(index)
                self.tell(index, "Damage_Pothole")
        return fallen

    def take_off(self, index: int) -> None:
        """The robot leaves the board."""
        self.racing.remove(index)
        self.taken[self.at[index]] = NOBODY
