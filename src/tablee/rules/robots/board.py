"""A board in the document's own form, and the same compiled to flat arrays that a robot is moved by.

Tiles are numbered from 0, row after row; coordinates (x, y) begin at 1 in the upper left corner.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import msgspec

from tablee.rules.robots.directions import STEPS
from tablee.rules.robots.tiles import DEEDS, LAWS, REPAIRS, Tile, read_tile, tile_text

WIDTH: Final = 12
HEIGHT: Final = 12
TILE_COUNT: Final = WIDTH * HEIGHT
NOWHERE: Final = -1


class ActiveTile(msgspec.Struct, frozen=True):
    """A tile that is not neutral, spelled as in the document."""

    tileType: str
    tileLocX: int
    tileLocY: int


class BoardDocument(msgspec.Struct, frozen=True):
    """A board as the document's frame InitDeclareBoard and our files have it."""

    boardIdx: int
    boardWidth: int = WIDTH
    boardHeight: int = HEIGHT
    boardActiveTiles: tuple[ActiveTile, ...] = ()


class Beam(NamedTuple):
    """What one laser lights while nobody stands in it: its own tile first."""

    source: int
    heading: int
    tiles: tuple[int, ...]


class Board:
    """A compiled board. Every array goes by tile number; `way` by tile number · 4 + direction."""

    __slots__ = (
        "actions",
        "beams",
        "belt",
        "belt_heading",
        "bend",
        "law",
        "laws",
        "lit",
        "names",
        "potholes",
        "push",
        "push_heading",
        "repair",
        "turn",
        "way",
    )

    def __init__(self, names: tuple[str, ...]) -> None:
        tiles = [DEEDS[name] for name in names]
        self.names = names
        self.way = _ways(tiles)
        """The next tile in a direction, or NOWHERE behind a wall."""
        self.belt = [self._reached(number, tile.exit) for number, tile in enumerate(tiles)]
        """Where a conveyor carries to, or NOWHERE."""
        self.belt_heading = [tile.exit for tile in tiles]
        self.bend = [
            tiles[target].bend(tile.exit) if target >= 0 and tiles[target].exit >= 0 else 0
            for tile, target in zip(tiles, self.belt, strict=True)
        ]
        """Quarters to the right by which a robot carried off this tile is turned on the next."""
        self.turn = [tile.turn for tile in tiles]
        self.push = [self._reached(number, tile.pushes) for number, tile in enumerate(tiles)]
        self.push_heading = [tile.pushes for tile in tiles]
        self.beams = tuple(
            Beam(number, tile.fires, self._line(number, tile.fires))
            for number, tile in enumerate(tiles)
            if tile.fires >= 0
        )
        self.lit = lights(self.beams)
        """By which beams each tile is lit."""
        self.potholes = [name == "nid2poule" for name in names]
        self.actions = [name == "action" for name in names]
        self.repair = [REPAIRS.get(name, 0) for name in names]
        self.law = [LAWS.index(name) + 1 if name in LAWS else 0 for name in names]
        """1, 2 or 3 on the tiles of the laws."""
        self.laws = tuple(place_of(names.index(law)) for law in LAWS if law in names)
        """Where the laws are, in their order."""

    def tile(self, x: int, y: int) -> str:
        """The name of the tile at a place."""
        return self.names[number_of(x, y)]

    def document(self, idx: int) -> BoardDocument:
        """The board in the document's form, its active tiles in the order of their numbers."""
        return BoardDocument(
            boardIdx=idx,
            boardActiveTiles=tuple(
                ActiveTile(tile_text(name), *place_of(number))
                for number, name in enumerate(self.names)
                if name != "neutre"
            ),
        )

    def _reached(self, number: int, direction: int) -> int:
        return self.way[number * 4 + direction] if direction >= 0 else NOWHERE

    def _line(self, number: int, direction: int) -> tuple[int, ...]:
        line = []
        while number >= 0:
            line.append(number)
            number = self.way[number * 4 + direction]
        return tuple(line)


def number_of(x: int, y: int) -> int:
    """The number of the tile at a place."""
    return (y - 1) * WIDTH + x - 1


def place_of(number: int) -> tuple[int, int]:
    """The place (x, y) of a tile."""
    return number % WIDTH + 1, number // WIDTH + 1


@lru_cache(maxsize=256)
def compile_board(document: BoardDocument) -> Board:
    """The board of a document whose tiles are known and lie on it. Raises ValueError where they do not."""
    names = ["neutre"] * TILE_COUNT
    for tile in document.boardActiveTiles:
        if not (1 <= tile.tileLocX <= WIDTH and 1 <= tile.tileLocY <= HEIGHT):
            raise ValueError(f"[{tile.tileLocX},{tile.tileLocY}] is not on the board")
        names[number_of(tile.tileLocX, tile.tileLocY)] = read_tile(tile.tileType)
    return Board(tuple(names))


def lights(beams: Sequence[Beam]) -> list[tuple[tuple[int, int], ...]]:
    """For each tile the numbers of the beams that light it, and how far it is from their lasers."""
    lit: list[list[tuple[int, int]]] = [[] for _ in range(TILE_COUNT)]
    for number, beam in enumerate(beams):
        for distance, tile in enumerate(beam.tiles):
            lit[tile].append((number, distance))
    return [tuple(lights) for lights in lit]


def _ways(tiles: list[Tile]) -> list[int]:
    ways = []
    for number, tile in enumerate(tiles):
        x, y = number % WIDTH, number // WIDTH
        for direction, (dx, dy) in enumerate(STEPS):
            u, v = x + dx, y + dy
            target = v * WIDTH + u if 0 <= u < WIDTH and 0 <= v < HEIGHT else NOWHERE
            if tile.walls >> direction & 1 or (
                target >= 0 and tiles[target].walls >> (direction + 2) % 4 & 1
            ):
                target = NOWHERE
            ways.append(target)
    return ways
