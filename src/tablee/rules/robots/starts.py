"""Where a race may begin: the starting tiles of a board, and a different proposal for each robot."""

from __future__ import annotations

from functools import lru_cache

from tablee.rules.robots.board import Board, place_of
from tablee.rules.robots.directions import AZIMUTHS, Azimuth
from tablee.rules.robots.ways import FAR, far, ways_of

AWAY, APART, LEAST = 8, 3, 16
"""At least so many registers from the first law, within so many of each other, and at least so many tiles."""


@lru_cache(maxsize=256)
def starting_tiles(board: Board) -> tuple[int, ...]:
    """The numbers of the tiles that a race may start on, in order; fewer than LEAST on a poor board.

    Of all the bands of tiles that are equally far from the first law the farthest that is large enough is
    taken: the robots begin close together, and the race is as long as the board allows.
    """
    ways = ways_of(board)
    left = ways.registers[0]
    fit = {
        number: left[number] or 0
        for number, name in enumerate(board.names)
        if name == "neutre" and not ways.lit[number] and AWAY <= far(left, number) < FAR
    }
    best: list[int] = []
    for nearest in sorted(set(fit.values()), reverse=True):
        band = [number for number, registers in fit.items() if nearest <= registers <= nearest + APART]
        if len(band) >= LEAST:
            return tuple(band)
        best = max(best, band, key=len)
    return tuple(best)


def proposed_start(board: Board, tiles: list[int], index: int, count: int) -> tuple[int, int, Azimuth]:
    """What is proposed to the robot `index` (from 0) of `count` who are asked about these tiles.

    Robots that are asked about the same tiles at the same time get different ones, spread over all of them,
    each looking the way that it will have to go. Raises IndexError where there are fewer tiles than robots.
    """
    if count > len(tiles):
        raise IndexError(f"{count} robots and {len(tiles)} starting tiles")
    number = tiles[index * len(tiles) // count]
    return *place_of(number), facing(board, number)


def facing(board: Board, number: int) -> Azimuth:
    """Where a robot on a tile should look to set out for the first law."""
    ways = ways_of(board)
    left = ways.registers[0]
    return AZIMUTHS[min(range(4), key=lambda side: far(left, ways.ends[number][side]))]
