"""A board in numbers, and what would make a better race of it."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import msgspec

from tablee.rules.contract import Json
from tablee.rules.robots.board import Board, number_of
from tablee.rules.robots.starts import starting_tiles
from tablee.rules.robots.troubles import Trouble, said
from tablee.rules.robots.ways import Ways, far, ways_of

WAY_LEAST: Final = 30
WAY_MOST: Final = 60
LEG_LEAST: Final = 9
LASERS_MOST: Final = 5
POTHOLES_MOST: Final = 7
REPAIRS_LEAST: Final = 2
NEAR: Final = 2
"""A repair tile so many registers from a tile of the way is near it."""


class Figures(msgspec.Struct, frozen=True):
    """Ways are registers of a lone robot that loses no time, from the nearest starting tile."""

    way: int
    legs: tuple[int, int, int]
    starts: int
    active: int
    conveyors: int
    lasers: int
    potholes: int
    repairs: int
    repairs_near: int
    actions: int


@lru_cache(maxsize=256)
def figures_of(board: Board) -> Figures:
    """The figures of a board that the checker has passed."""
    ways = ways_of(board)
    starts = starting_tiles(board)
    first, second, _ = (number_of(*law) for law in board.laws)
    start = min(starts, key=lambda number: far(ways.registers[0], number))
    stations = (start, first, second)
    legs = tuple(far(left, number) for left, number in zip(ways.registers, stations, strict=True))
    on_the_way = {number for law, station in enumerate(stations, 1) for number in ways.walk(station, law)}
    repairs = [number for number, energy in enumerate(board.repair) if energy]
    return Figures(
        way=sum(legs),
        legs=legs,  # type: ignore[arg-type]
        starts=len(starts),
        active=sum(name != "neutre" for name in board.names),
        conveyors=sum(name.startswith("conv") for name in board.names),
        lasers=len(board.beams),
        potholes=sum(board.potholes),
        repairs=len(repairs),
        repairs_near=sum(_is_near(ways, on_the_way, repair) for repair in repairs),
        actions=sum(board.actions),
    )


def advice_on(board: Board) -> list[Trouble]:
    """What would make a better race on a board that can be played on."""
    figures = figures_of(board)
    found = []
    if not WAY_LEAST <= figures.way <= WAY_MOST:
        found.append(_advice("way", count=figures.way, least=WAY_LEAST, most=WAY_MOST))
    for law, leg in enumerate(figures.legs, 1):
        if leg < LEG_LEAST:
            found.append(_advice("leg", board.laws[law - 1], count=leg, law=law, least=LEG_LEAST))
    if figures.lasers > LASERS_MOST:
        found.append(_advice("lasers", count=figures.lasers, most=LASERS_MOST))
    if figures.potholes > POTHOLES_MOST:
        found.append(_advice("potholes", count=figures.potholes, most=POTHOLES_MOST))
    lit = ways_of(board).lit
    for law, place in enumerate(board.laws, 1):
        if lit[number_of(*place)]:
            found.append(_advice("lit_law", place, law=law))
    if figures.repairs_near < REPAIRS_LEAST:
        found.append(_advice("repairs", count=figures.repairs_near, least=REPAIRS_LEAST))
    return found


def _advice(code: str, place: tuple[int, int] | None = None, **parts: Json) -> Trouble:
    return said("advice", code, place, parts)


def _is_near(ways: Ways, path: set[int], repair: int) -> bool:
    """Whether a robot on its way needs few registers to a repair tile."""
    ring = set(path)
    for _ in range(NEAR):
        ring |= {end for number in ring for end in ways.ends[number] if end >= 0}
    return repair in ring
