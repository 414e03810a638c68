"""Boards, robots, programs and codes turned and mirrored."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from tablee.rules.robots.board import TILE_COUNT, WIDTH, Board, number_of, place_of
from tablee.rules.robots.cartouche import Cartouche
from tablee.rules.robots.directions import AZIMUTHS, QUARTERS, Azimuth, directions
from tablee.rules.robots.floor import Mecha
from tablee.rules.robots.tiles import TILES


class Symmetry(msgspec.Struct, frozen=True):
    """A board mirrored left to right or not, then turned by so many quarters to the right."""

    mirrored: bool
    quarters: int

    def heading(self, direction: int) -> int:
        return ((-direction if self.mirrored else direction) + self.quarters) % 4

    def azimuth(self, azimuth: Azimuth) -> Azimuth:
        return AZIMUTHS[self.heading(QUARTERS[azimuth])]

    def place(self, x: int, y: int) -> tuple[int, int]:
        if self.mirrored:
            x = WIDTH + 1 - x
        for _ in range(self.quarters):
            x, y = WIDTH + 1 - y, x
        return x, y

    def tile(self, name: str) -> str:
        if name.startswith("pt_"):
            return {"pt_babord": "pt_tribord", "pt_tribord": "pt_babord"}[name] if self.mirrored else name
        if not name.startswith(("conv", "mur", "pous")):
            return name
        value = TILES[name]
        turned = value & 0xFF00 | self._sides(value >> 4 & 15) << 4 | self._sides(value & 15)
        (found,) = (other for other, number in TILES.items() if number == turned)
        return found

    def _sides(self, sides: int) -> int:
        return sum(1 << self.heading(direction) for direction in directions(sides))

    def board(self, board: Board) -> Board:
        names = ["neutre"] * TILE_COUNT
        for number, name in enumerate(board.names):
            names[number_of(*self.place(*place_of(number)))] = self.tile(name)
        return Board(tuple(names))

    def mecha(self, mecha: Mecha) -> Mecha:
        x, y = self.place(mecha.x, mecha.y)
        start_x, start_y, azimuth = mecha.start
        start = (*self.place(start_x, start_y), self.azimuth(azimuth))
        return msgspec.structs.replace(mecha, x=x, y=y, azimuth=self.azimuth(mecha.azimuth), start=start)

    def mechas(self, mechas: Iterable[Mecha]) -> tuple[Mecha, ...]:
        return tuple(map(self.mecha, mechas))

    def code(self, text: str) -> str:
        """A code of a program or of a step, by its name."""
        if self.mirrored and text.endswith("Right"):
            return text.removesuffix("Right") + "Left"
        if self.mirrored and text.endswith("Left"):
            return text.removesuffix("Left") + "Right"
        return text

    def cartouche(self, cartouche: Cartouche) -> Cartouche:
        return tuple(tuple(map(self.code, register)) for register in cartouche)


SYMMETRIES = [Symmetry(mirrored, quarters) for mirrored in (False, True) for quarters in range(4)]
