"""Connected components of hidden squares, and in how many ways mines can lie in each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from math import comb, log
from random import Random
from typing import NamedTuple

from tablee.rules.mines.position import Constraint

Spread = dict[int, float]
"""Relative weight by number of mines."""

MOST_WORK = 30_000
"""States of one component that are walked through at most."""

_COUNT_BITS = 12
_COUNT_MASK = (1 << _COUNT_BITS) - 1
_LARGE = 1e200
_CHOOSE = tuple(tuple(float(comb(n, k)) for k in range(n + 1)) for n in range(9))


class TooWide(Exception):
    """A component has more states than a player waits for."""


def components(constraints: Iterable[Constraint]) -> list[tuple[Constraint, ...]]:
    """The constraints in groups that share no square, each in order."""
    group_of: dict[int, int] = {}
    groups: dict[int, list[Constraint]] = {}
    for number, constraint in enumerate(constraints):
        joined = {group_of[square] for square in constraint[0] if square in group_of}
        group = min(joined, default=number)
        members = groups.setdefault(group, [])
        members.append(constraint)
        for square in constraint[0]:
            group_of[square] = group
        for other in joined:
            if other != group:
                moved = groups.pop(other)
                members += moved
                for squares, _ in moved:
                    for square in squares:
                        group_of[square] = group
    return [tuple(sorted(members)) for members in groups.values()]


class Step(NamedTuple):
    """One box in the walk through a component."""

    squares: tuple[int, ...]
    begun: int
    """What the numbers that this box is the first to touch lack, at their places in the state."""
    checks: tuple[tuple[int, int], ...]
    """For each number the place in the state and how many squares of later boxes it touches."""
    unit: int
    """What one mine in this box takes from the state (and adds to the mines counted in it)."""


class Counted(NamedTuple):
    """A component walked through: the states before each step and after the last, and its mines."""

    steps: tuple[Step, ...]
    layers: tuple[dict[int, float], ...]
    spread: Spread
    log_scale: float
    """What the spread was divided by, as a logarithm."""


@lru_cache(maxsize=256)
def count_parts(component: tuple[Constraint, ...]) -> tuple[Counted, ...]:
    """A component walked through; where that is too much, its halves without the numbers between them.

    Chances are then estimates, but what is certain stays so: fewer numbers never make a square safe.
    """
    try:
        return (count(component),)
    except TooWide:
        squares = sorted({square for members, _ in component for square in members})
        middle = squares[len(squares) // 2]
        upper = [constraint for constraint in component if constraint[0][-1] < middle]
        lower = [constraint for constraint in component if constraint[0][0] >= middle]
        halves = [*components(upper), *components(lower)]
        return tuple(part for half in halves for part in count_parts(half))


def count(constraints: tuple[Constraint, ...]) -> Counted:
    """Walk through a component. Raises TooWide.

    A state is what its open numbers lack, four bits each, above the mines laid so far.
    """
    steps = _plan(constraints)
    layer = {0: 1.0}
    layers = [layer]
    log_scale = 0.0
    work = 0
    for squares, begun, checks, unit in steps:
        after: dict[int, float] = {}
        size = len(squares)
        choose = _CHOOSE[size]
        for state, ways in layer.items():
            state += begun
            least, most = 0, size
            for place, later in checks:
                lacking = (state >> place) & 15
                if lacking < most:
                    most = lacking
                if lacking - later > least:
                    least = lacking - later
            for laid in range(least, most + 1):
                reached = state - laid * unit
                after[reached] = after.get(reached, 0.0) + ways * choose[laid]
        if after and max(after.values()) > _LARGE:
            after = {state: ways / _LARGE for state, ways in after.items()}
            log_scale += log(_LARGE)
        layer = after
        layers.append(layer)
        work += len(layer)
        if work > MOST_WORK:
            raise TooWide
    spread = {state & _COUNT_MASK: ways for state, ways in layer.items()}
    return Counted(steps, tuple(layers), spread, log_scale)


def _plan(constraints: tuple[Constraint, ...]) -> tuple[Step, ...]:
    """The boxes of a component in an order that keeps few numbers open at a time."""
    touching: dict[int, list[int]] = {}
    for index, (squares, _) in enumerate(constraints):
        for square in squares:
            touching.setdefault(square, []).append(index)
    grouped: dict[tuple[int, ...], list[int]] = {}
    for square, indices in touching.items():
        grouped.setdefault(tuple(indices), []).append(square)
    boxes_of: list[set[tuple[int, ...]]] = [set() for _ in constraints]
    for box in grouped:
        for index in box:
            boxes_of[index].add(box)

    later = [len(squares) for squares, _ in constraints]
    place: dict[int, int] = {}
    places = 0
    unused: list[int] = []
    steps: list[Step] = []
    waiting = dict.fromkeys(grouped)
    candidates: dict[tuple[int, ...], None] = {}
    while waiting:
        box = min(candidates or waiting, key=lambda b: _cost(b, place, boxes_of))
        del waiting[box]
        candidates.pop(box, None)
        squares = tuple(grouped[box])
        begun = 0
        for index in box:
            boxes_of[index].discard(box)
            later[index] -= len(squares)
            if index not in place:
                if unused:
                    place[index] = unused.pop()
                else:
                    place[index] = _COUNT_BITS + 4 * places
                    places += 1
                begun += constraints[index][1] << place[index]
                candidates.update(dict.fromkeys(boxes_of[index]))
        checks = tuple((place[index], later[index]) for index in box)
        unit = sum(1 << place[index] for index in box) - 1
        steps.append(Step(squares, begun, checks, unit))
        unused += [place[index] for index in box if not later[index]]
    return tuple(steps)


def _cost(
    box: tuple[int, ...], place: Mapping[int, int], boxes_of: Sequence[set[tuple[int, ...]]]
) -> tuple[int, int]:
    opens = sum(index not in place for index in box)
    closes = sum(len(boxes_of[index]) == 1 for index in box)
    return opens - closes, sum(len(boxes_of[index]) for index in box)


def spread_back(component: Counted, outside: Mapping[int, float], mine: dict[int, float]) -> None:
    """Write the chance of a mine on each square of a component, given what its mines leave the rest."""
    behind = {state: outside.get(state & _COUNT_MASK, 0.0) for state in component.layers[-1]}
    for (squares, begun, checks, unit), layer in zip(
        reversed(component.steps), reversed(component.layers[:-1]), strict=True
    ):
        size = len(squares)
        choose = _CHOOSE[size]
        before: dict[int, float] = {}
        mines = gaps = 0.0
        for start, ways in layer.items():
            state = start + begun
            least, most = 0, size
            for place, later in checks:
                lacking = (state >> place) & 15
                if lacking < most:
                    most = lacking
                if lacking - later > least:
                    least = lacking - later
            total = 0.0
            for laid in range(least, most + 1):
                weight = choose[laid] * behind[state - laid * unit]
                total += weight
                mines += ways * weight * laid
                gaps += ways * weight * (size - laid)
            before[start] = total
        chance = mines / (mines + gaps) if gaps else 1.0
        for square in squares:
            mine[square] = chance
        behind = before


def random_walk(component: Counted, outside: Mapping[int, float], rng: Random) -> list[int]:
    """Mines of one component: its walk taken backwards, each step by its weight."""
    ends = list(component.layers[-1])
    weights = [component.layers[-1][state] * outside.get(state & _COUNT_MASK, 0.0) for state in ends]
    reached = rng.choices(ends, weights)[0]
    laid: list[int] = []
    for step, layer in zip(reversed(component.steps), reversed(component.layers[:-1]), strict=True):
        origins: list[tuple[int, int]] = []
        weights = []
        for start, ways in layer.items():
            state = start + step.begun
            for mines in range(len(step.squares) + 1):
                if state - mines * step.unit != reached:
                    continue
                lacking = [((state >> place) & 15) - mines for place, _ in step.checks]
                if all(0 <= n <= later for n, (_, later) in zip(lacking, step.checks, strict=True)):
                    origins.append((start, mines))
                    weights.append(ways * _CHOOSE[len(step.squares)][mines])
        reached, mines = rng.choices(origins, weights)[0]
        laid += rng.sample(step.squares, mines)
    return laid
