"""Step 2 of a register: the board reacts, each reaction for all robots at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from tablee.rules.robots.floor import NOBODY, Floor, Stage


def conveyors(floor: Floor) -> None:
    """Conveyors carry by one tile, and turn those whom they carry into a bend."""
    left = _moved(floor, floor.board.belt, floor.board.belt_heading, "Conveyor_MakeMove", 0)
    bent = [(index, quarters) for index, tile in left if (quarters := floor.board.bend[tile])]
    _turn(floor, bent)
    floor.stumble(index for index, _ in left)


def turntables(floor: Floor) -> None:
    """Turntables turn by a quarter."""
    turn, at = floor.board.turn, floor.at
    _turn(floor, [(index, turn[at[index]]) for index in floor.racing if turn[at[index]]])


def pushers(floor: Floor) -> None:
    """Pushers push by one tile."""
    left = _moved(floor, floor.board.push, floor.board.push_heading, "Hustle_Pusher", 2)
    floor.stumble(index for index, _ in left)


def lasers(floor: Floor) -> None:
    """Every beam hits the first robot in it: all hits are found, then all damage is done."""
    lit, at = floor.board.lit, floor.at
    first: dict[int, tuple[int, int]] = {}
    for index in floor.racing:
        for number, distance in lit[at[index]]:
            if number not in first or distance < first[number][0]:
                first[number] = distance, index
    if first:
        floor.at_once()
        for number in sorted(first):
            beam, index = floor.board.beams[number], first[number][1]
            floor.drain(index)
            floor.tell_flank(index, "Damage_Laser", beam.heading + 2, beam.source)


REACTIONS: Final[tuple[tuple[Stage, Callable[[Floor], None]], ...]] = (
    ("conveyors", conveyors),
    ("turntables", turntables),
    ("pushers", pushers),
    ("lasers", lasers),
)
"""The order in which the board reacts."""


def react(floor: Floor) -> None:
    """The whole of step 2."""
    for stage, reaction in REACTIONS:
        floor.stage = stage
        reaction(floor)


def movers(floor: Floor, targets: Sequence[int]) -> dict[int, int]:
    """Who moves, and where to, when every tile moves its robot to its target at once.

    Who shares a target, would swap places, or would enter a tile whose robot stays must stay too. In each
    pass all of these are found from the same situation; a closed ring is never found, and moves.
    """
    at, taken = floor.at, floor.taken
    moving = {index: targets[at[index]] for index in floor.racing if targets[at[index]] >= 0}
    while moving:
        wanted: set[int] = set()
        shared: set[int] = set()
        for target in moving.values():
            (shared if target in wanted else wanted).add(target)
        staying = []
        for index, target in moving.items():
            other = taken[target]
            if target in shared or (other != NOBODY and (other not in moving or moving[other] == at[index])):
                staying.append(index)
        if not staying:
            break
        for index in staying:
            del moving[index]
    return moving


def _moved(
    floor: Floor, targets: Sequence[int], headings: Sequence[int], code: str, flank: int
) -> list[tuple[int, int]]:
    """Move all who can be moved and tell it; returns them with the tiles that they left."""
    moving = movers(floor, targets)
    left = [(index, floor.at[index]) for index in moving]
    if left:
        floor.at_once()
        floor.relocate(moving.items())
        for index, tile in left:
            floor.tell_flank(index, code, headings[tile] + flank)
    return left


def _turn(floor: Floor, turns: Sequence[tuple[int, int]]) -> None:
    if turns:
        floor.at_once()
        for index, quarters in turns:
            floor.azimuth[index] = (floor.azimuth[index] + quarters) % 4
            floor.tell(index, "Conveyor_Turn90Right" if quarters == 1 else "Conveyor_Turn90Left")
