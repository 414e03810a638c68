"""Robot players of the race: they see the view of their seat, like anybody."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from tablee.rules.contract import Action, Actions, Robot
from tablee.rules.robots.board import Board, compile_board, number_of, place_of
from tablee.rules.robots.cartouche import REGISTERS, Cartouche, capacity
from tablee.rules.robots.codes import STANDBY
from tablee.rules.robots.model import Place, Program
from tablee.rules.robots.planning import best_plans, toward
from tablee.rules.robots.starts import facing
from tablee.rules.robots.turn import Floor, Mecha, run_register
from tablee.rules.robots.views import RobotsView, RobotView
from tablee.rules.robots.ways import STAY, far, ways_of


class Sight(NamedTuple):
    """A view, read. Robots go by their number, as in the order of play."""

    boards: tuple[Board, ...]
    board: int
    round: int
    mechas: tuple[Mecha, ...]
    me: int


def read_view(view: RobotsView) -> Sight:
    """What a seat sees while it is asked for a cartouche."""
    boards = tuple(compile_board(each) for each in view.boards)
    assert view.you is not None
    me = int(view.robots[view.you.seat].number)
    return Sight(boards, view.board, view.round, tuple(map(_mecha, view.robots.values())), me)


def _mecha(robot: RobotView) -> Mecha:
    stands, start = robot.bearing, robot.start
    assert stands is not None, "all robots are placed"
    assert start is not None
    return Mecha(
        seat=int(robot.number),
        x=stands.x,
        y=stands.y,
        azimuth=stands.azimuth,
        energy=stands.energy,
        laws=stands.laws,
        status=stands.status,
        start=(start.x, start.y, start.azimuth),
    )


class Pilot:
    """Looks five registers ahead at all that the board does, and rests before it freezes."""

    def choose(self, view: RobotsView, legal: Actions, rng: Random) -> Action | None:
        asked = legal.describe()
        if asked["place"] is not None:
            return _near_place(view, asked["place"]["tiles"], rng)
        if asked["program"] is None:
            return None
        sight = read_view(view)
        # Between equal plans any: two robots that bar each other's way do not do so for ever.
        return Program(rng.choice(best_plans(sight.boards, sight.board, sight.mechas, sight.me, sight.round)))


class Apprentice:
    """Looks one register ahead as if it were alone, and slips now and then."""

    slips = 0.15
    low = 2

    def choose(self, view: RobotsView, legal: Actions, rng: Random) -> Action | None:
        asked = legal.describe()
        if asked["place"] is not None:
            spot = None if view.you is None else view.you.proposed
            assert spot is not None, "who is asked for a place is proposed one"
            return Place(spot.x, spot.y, spot.azimuth)
        if asked["program"] is None:
            return None
        return Program(self._stroll(read_view(view), rng))

    def _stroll(self, sight: Sight, rng: Random) -> Cartouche:
        board = sight.boards[sight.board]
        lone = next(mecha for mecha in sight.mechas if mecha.seat == sight.me)
        if lone.energy <= self.low and not ways_of(board).lit[number_of(lone.x, lone.y)]:
            return ((STANDBY,),) * REGISTERS
        floor = Floor(board, (msgspec.structs.replace(lone, seat=1),), telling=False)
        cartouche: list[tuple[str, ...]] = []
        for register in range(1, capacity(lone.energy) + 1):
            if not floor.racing:
                break
            choice = rng.randrange(STAY) if rng.random() < self.slips else _step(floor, rng)
            cartouche.append(toward(choice, floor.azimuth[0]))
            run_register(floor, {1: cartouche[-1]}, 1, register, 1)
        return tuple(cartouche)


def _step(floor: Floor, rng: Random) -> int:
    """A side to go to, or staying, that brings a lone robot nearer to its next law."""
    ways = ways_of(floor.board)
    left = ways.registers[floor.laws[0]]
    ends = [far(left, end) for end in ways.ends[floor.at[0]]]
    return rng.choice([choice for choice, registers in enumerate(ends) if registers == min(ends)])


def _near_place(view: RobotsView, tiles: Sequence[int], rng: Random) -> Action:
    """One of the better half of the starting tiles: everybody would like the best one, and nobody get it."""
    board = compile_board(view.boards[0])
    left = ways_of(board).registers[0]
    nearest = sorted(tiles, key=lambda number: (far(left, number), number))
    number = rng.choice(nearest[: (len(nearest) + 1) // 2])
    return Place(*place_of(number), facing(board, number))


STRENGTHS: Mapping[str, Robot] = MappingProxyType({"pilot": Pilot(), "apprentice": Apprentice()})
"""By name of strength, the strong one first."""
