"""What a robot player thinks: the cartouche that takes it farthest while all the others stand still."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from tablee.rules.robots.board import TILE_COUNT, Board, number_of
from tablee.rules.robots.cartouche import REGISTERS, Cartouche, Register, capacity
from tablee.rules.robots.codes import STANDBY
from tablee.rules.robots.turn import MOST_ENERGY, STANDBY_GAIN, Floor, Mecha, run_register
from tablee.rules.robots.ways import FAR, STAY, TOWARD, ways_of

WORTH: Final = (0.0, 7.0, 10.5, 13.1, 14.9, 15.8, 16.3, 16.6)
"""What so much energy is worth, in registers: the last points are dear, since the capacity hangs on them."""

FROZEN: Final = 12.0
"""What freezing costs besides the way back: the rest of this round, and the next."""

ARRIVED: Final = 100.0
"""What arriving is worth beyond the way that is left: nothing else matters then but doing it soon."""

TOLL: Final = 0.7
"""What a hit that lies farther ahead than the plan costs, in registers."""


BREADTH: Final = 14
"""So many courses are followed from one register to the next, besides the one that rests."""


class Course(NamedTuple):
    """A plan while it is made: its choices, and the floor that they lead to."""

    choices: tuple[int, ...]
    floor: Floor
    moves: int


def plan(boards: Sequence[Board], current: int, mechas: Sequence[Mecha], seat: int, round: int) -> Cartouche:
    """The best cartouche of a robot that is racing; of two that are equally good, the first found.

    Robots are those of the game, numbered without gaps; the others stand still, and are carried and pushed.
    """
    return best_plans(boards, current, mechas, seat, round)[0]


def best_plans(
    boards: Sequence[Board], current: int, mechas: Sequence[Mecha], seat: int, round: int
) -> list[Cartouche]:
    """All the cartouches between which this player sees no difference, none better than these."""
    me = next(index for index, mecha in enumerate(mechas) if mecha.seat == seat)
    count = max(mecha.seat for mecha in mechas)
    start = Floor(boards[current], mechas, telling=False)
    allowed = capacity(start.energy[me])
    courses = [Course((), start, 0)]
    ended: list[tuple[float, Course]] = []
    for register in range(1, REGISTERS + 1):
        found: dict[tuple[object, ...], Course] = {}
        for course in courses:
            for choice in range(STAY, -1, -1):
                moves = course.moves + (choice != STAY)
                if moves > allowed:
                    continue
                floor = course.floor.copy()
                run_register(floor, {seat: toward(choice, floor.azimuth[me])}, round, register, count)
                tried = Course((*course.choices, choice), floor, moves)
                if me not in floor.racing:
                    # Arrived or frozen: the rest of the round is spent off the board.
                    ended.append((_value(boards, current, tried, me), tried))
                    continue
                key = (*floor.at, floor.laws[me], moves == 0, moves if allowed < REGISTERS else 0)
                if key not in found or found[key].floor.energy[me] < floor.energy[me]:
                    found[key] = tried
        courses = _followed(boards, current, list(found.values()), me)
    ended += [(_value(boards, current, course, me), course) for course in courses]
    top = max(value for value, _ in ended)
    return [
        _written(course, start.copy(), me, seat, round, count)
        for value, course in ended
        if value > top - 1e-9
    ]


def _followed(boards: Sequence[Board], current: int, courses: list[Course], me: int) -> list[Course]:
    """The most promising courses, and the one that rests: what resting is worth shows at the end only."""
    if len(courses) <= BREADTH:
        return courses
    resting = [course for course in courses if course.moves == 0]
    moving = [course for course in courses if course.moves]
    moving.sort(key=lambda course: _value(boards, current, course, me), reverse=True)
    return resting + moving[:BREADTH]


def has_way(boards: Sequence[Board], laws: int, number: int) -> bool:
    """Whether a robot can still get from a tile to the third law, on each of the boards."""
    return laws < 3 and all(len(board.laws) == 3 and tolls(board)[laws][number] < FAR for board in boards)


def toward(choice: int, azimuth: int) -> Register:
    """The register that takes a robot to a side, or lets it stay, wherever it looks."""
    return TOWARD[STAY if choice == STAY else (choice - azimuth) % 4]


def _written(course: Course, floor: Floor, me: int, seat: int, round: int, count: int) -> Cartouche:
    """The choices as codes: what a robot must do to go somewhere depends on what turned it on the way."""
    cartouche = []
    for register, choice in enumerate(course.choices, 1):
        codes = toward(choice, floor.azimuth[me])
        cartouche.append(codes)
        run_register(floor, {seat: codes}, round, register, count)
    return (*cartouche, *((STANDBY,),) * (REGISTERS - len(cartouche)))


def _value(boards: Sequence[Board], current: int, course: Course, me: int) -> float:
    """How good it is to end a round so: the way that is left, against the energy that is left."""
    floor = course.floor
    energy = floor.energy[me]
    if me not in floor.racing:
        if floor.laws[me] == 3:
            return ARRIVED - len(course.choices)
        return -FROZEN - _left(boards[current], floor.laws[me], floor.at[me])
    here = floor.at[me]
    energy += boards[current].repair[here]
    if course.moves == 0:
        energy += STANDBY_GAIN
    if len(boards) > 1 and any(boards[current].actions[floor.at[index]] for index in floor.racing):
        current = (current + 1) % len(boards)
    return WORTH[min(MOST_ENERGY, energy)] - _left(boards[current], floor.laws[me], here)


def _left(board: Board, laws: int, number: int) -> float:
    """Registers to the third law by the cheapest way."""
    return tolls(board)[laws][number]


@lru_cache(maxsize=256)
def tolls(board: Board) -> tuple[tuple[float, ...], ...]:
    """By laws found and tile: the registers to the third law, with a toll for every hit on the way."""
    goals = [number_of(*law) for law in board.laws]
    found: list[tuple[float, ...]] = []
    beyond = 0.0
    for law in range(len(goals) - 1, -1, -1):
        found.append(tuple(cost + beyond for cost in _costs(board, goals[law])))
        beyond = found[-1][goals[law - 1]]
    return tuple(reversed(found))


def _costs(board: Board, goal: int) -> list[float]:
    ways = ways_of(board)
    before: list[list[tuple[int, float]]] = [[] for _ in range(TILE_COUNT)]
    for number in range(TILE_COUNT):
        for end, loss in zip(ways.ends[number], ways.losses[number], strict=True):
            if end >= 0:
                before[end].append((number, 1.0 + TOLL * loss))
    costs = [float(FAR)] * TILE_COUNT
    costs[goal] = 0.0
    reached = [(0.0, goal)]
    while reached:
        cost, here = heapq.heappop(reached)
        if cost > costs[here]:
            continue
        for number, price in before[here]:
            if cost + price < costs[number]:
                costs[number] = cost + price
                heapq.heappush(reached, (cost + price, number))
    return costs
