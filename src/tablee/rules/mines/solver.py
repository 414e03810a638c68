"""Exact chances of every hidden square of a board, by connected components.

Hidden squares that touch the same numbers form a box; boxes that share a number form a component. A component
is counted by walking through its boxes with what its numbers still lack as the state, by number of mines.
The components are then put together with the squares that touch no number, whose mines are binomial.

Opening spreads without diagonals here, so squares diagonal to an open empty one may stay hidden: that number,
0, is a constraint like any other and makes them safe.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from math import comb, exp, lgamma, log
from random import Random
from typing import NamedTuple

from msgspec import Struct

from tablee.rules.mines.board import EMPTY, FLAG, HIDDEN, MINE, around

Constraint = tuple[tuple[int, ...], int]
"""Hidden squares, in order, and how many mines are among them."""
Spread = dict[int, float]
"""Relative weight by number of mines."""

_CLOSED = (HIDDEN, FLAG)
_COUNT_BITS = 12
_COUNT_MASK = (1 << _COUNT_BITS) - 1
_LARGE = 1e200
_CHOOSE = tuple(tuple(float(comb(n, k)) for k in range(n + 1)) for n in range(9))


class Contradiction(ValueError):
    """No layout of mines fits what is shown."""


class Position(Struct, frozen=True):
    """What can be known about a board: its hidden squares, the mines among them, and what numbers say."""

    hidden: frozenset[int]
    mines: int
    constraints: tuple[Constraint, ...]


class Chances(Struct, frozen=True):
    """For each hidden square the chance of a mine; 0.0 and 1.0 are certain."""

    mine: dict[int, float]
    free: tuple[int, ...]
    """Hidden squares that touch no number, all with the same chance."""
    log_layouts: float
    """The natural logarithm of how many layouts fit."""
    work: int
    """How many states were walked through to count them."""

    @property
    def safe(self) -> list[int]:
        return [square for square, chance in self.mine.items() if chance == 0.0]


def read_position(shown: bytes, width: int, height: int, mines: int) -> Position:
    """The position that a board shows. Flags say nothing; mines that were hit are known."""
    near = around(width, height)
    hidden: list[int] = []
    constraints: dict[tuple[int, ...], int] = {}
    left = mines
    for square, letter in enumerate(shown):
        if letter in _CLOSED:
            hidden.append(square)
        elif letter == MINE:
            left -= 1
        else:
            closed: list[int] = []
            lacking = letter - EMPTY
            for neighbour in near[square]:
                other = shown[neighbour]
                if other in _CLOSED:
                    closed.append(neighbour)
                elif other == MINE:
                    lacking -= 1
            if closed:
                constraints[tuple(closed)] = lacking
    return Position(frozenset(hidden), left, tuple(constraints.items()))


class Settled(NamedTuple):
    """A position after simple reasoning: what is certain, and what is left to count."""

    safe: frozenset[int]
    mined: frozenset[int]
    rest: Position


def settle(position: Position) -> Settled:
    """Find what single numbers, and numbers within numbers, make certain. Raises Contradiction.

    A number whose hidden squares are all among those of another says what the others hold: the larger one is
    replaced by the difference. That loses nothing, and leaves smaller components to count.
    """
    if not position.mines:
        return Settled(position.hidden, frozenset(), Position(frozenset(), 0, ()))
    groups = [set(squares) for squares, _ in position.constraints]
    lacking = [number for _, number in position.constraints]
    touching: dict[int, set[int]] = {}
    for index, group in enumerate(groups):
        for square in group:
            touching.setdefault(square, set()).add(index)
    safe: set[int] = set()
    mined: set[int] = set()
    pending = list(range(len(groups)))
    while pending:
        index = pending.pop()
        group, number = groups[index], lacking[index]
        if not 0 <= number <= len(group):
            raise Contradiction("A number cannot be right: it has too few hidden squares, or too many mines.")
        if not group:
            continue
        if not number or number == len(group):
            (mined if number else safe).update(group)
            for square in group.copy():
                for other in touching.pop(square):
                    groups[other].discard(square)
                    lacking[other] -= 1 if number else 0
                    pending.append(other)
            continue
        for other in set.intersection(*(touching[square] for square in group)):
            if other != index:
                groups[other] -= group
                lacking[other] -= number
                for square in group:
                    touching[square].discard(other)
                pending.append(other)
    constraints = tuple((tuple(sorted(g)), n) for g, n in zip(groups, lacking, strict=True) if g)
    rest = Position(position.hidden - safe - mined, position.mines - len(mined), constraints)
    return Settled(frozenset(safe), frozenset(mined), rest)


def chances(position: Position) -> Chances:
    """The chance of a mine on every hidden square. Raises Contradiction where nothing fits."""
    safe, mined, rest = settle(position)
    counted = [count(component) for component in components(rest.constraints)]
    free = _free(rest, counted)
    whole = _Whole(counted, len(free), rest.mines)
    mine: dict[int, float] = {}
    for index, component in enumerate(counted):
        _spread_back(component, whole.outside(index), mine)
    mine.update(dict.fromkeys(free, whole.free_chance()))
    mine.update(dict.fromkeys(safe, 0.0))
    mine.update(dict.fromkeys(mined, 1.0))
    work = sum(len(layer) for component in counted for layer in component.layers)
    return Chances(mine, free, whole.log_layouts(), work)


def _free(position: Position, counted: Sequence[Counted]) -> tuple[int, ...]:
    touched: set[int] = set()
    for component in counted:
        for step in component.steps:
            touched.update(step.squares)
    return tuple(sorted(position.hidden - touched))


# --- components -----------------------------------------------------------------------------------------


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
def count(constraints: tuple[Constraint, ...]) -> Counted:
    """Walk through a component.

    A state is what its open numbers lack, four bits each, above the mines laid so far.
    """
    steps = _plan(constraints)
    layer = {0: 1.0}
    layers = [layer]
    log_scale = 0.0
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


def _spread_back(component: Counted, outside: Mapping[int, float], mine: dict[int, float]) -> None:
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


# --- the whole board ------------------------------------------------------------------------------------


class _Whole:
    """Components put together with the free squares."""

    def __init__(self, counted: Sequence[Counted], free: int, mines: int) -> None:
        self._free = free
        self._mines = mines
        spreads = [component.spread for component in counted]
        before: list[Spread] = [{0: 1.0}]
        for spread in spreads:
            before.append(_convolve(before[-1], spread))
        after: list[Spread] = [{0: 1.0}]
        for spread in reversed(spreads):
            after.append(_convolve(after[-1], spread))
        after.reverse()
        self._others = [_convolve(before[i], after[i + 1]) for i in range(len(spreads))]
        fitting = {laid: ways for laid, ways in before[-1].items() if 0 <= mines - laid <= free}
        if not fitting:
            raise Contradiction("No layout of mines fits what is shown.")
        logs = {laid: _log_comb(free, mines - laid) for laid in fitting}
        most = max(logs.values())
        self._scale = most + sum(component.log_scale for component in counted)
        self._rest = {laid: exp(value - most) for laid, value in logs.items()}
        self._total = {laid: ways * self._rest[laid] for laid, ways in fitting.items()}

    def outside(self, index: int) -> Spread:
        """By number of mines in this component, how many ways the rest of the board has."""
        others = self._others[index].items()
        rest = self._rest
        least = min(rest) - max(self._others[index])
        most = max(rest) - min(self._others[index])
        return {
            laid: sum(ways * rest[laid + other] for other, ways in others if laid + other in rest)
            for laid in range(max(0, least), most + 1)
        }

    def free_chance(self) -> float:
        if not self._free:
            return 0.0
        mines = sum(ways * (self._mines - laid) for laid, ways in self._total.items())
        gaps = sum(ways * (self._free - self._mines + laid) for laid, ways in self._total.items())
        return mines / (mines + gaps) if gaps else 1.0

    def log_layouts(self) -> float:
        return log(sum(self._total.values())) + self._scale


def _convolve(one: Spread, other: Spread) -> Spread:
    product: Spread = {}
    for a, ways in one.items():
        for b, more in other.items():
            product[a + b] = product.get(a + b, 0.0) + ways * more
    return product


def _log_comb(n: int, k: int) -> float:
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)


# --- layouts --------------------------------------------------------------------------------------------


def random_layout(position: Position, rng: Random) -> list[int]:
    """Mines for the hidden squares as the numbers allow, every layout as likely."""
    _, mined, rest = settle(position)
    laid = sorted(mined)
    counted = [count(component) for component in components(rest.constraints)]
    free = list(_free(rest, counted))
    left = rest.mines
    for index, component in enumerate(counted):
        whole = _Whole(counted[index:], len(free), left)
        mines = _random_walk(component, whole.outside(0), rng)
        laid += mines
        left -= len(mines)
    return sorted(laid + rng.sample(free, left))


def _random_walk(component: Counted, outside: Mapping[int, float], rng: Random) -> list[int]:
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
