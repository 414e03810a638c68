"""Exact chances of every hidden square of a board, by connected components.

Hidden squares that touch the same numbers form a box; boxes that share a number form a component. A component
is counted by walking through its boxes with what its numbers still lack as the state, by number of mines.
The components are then put together with the squares that touch no number, whose mines are binomial.

Opening spreads without diagonals here, so squares diagonal to an open empty one may stay hidden: that number,
0, is a constraint like any other and makes them safe.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import exp, lgamma, log
from random import Random

from msgspec import Struct

from tablee.rules.mines.counting import (
    Counted,
    Spread,
    TooWide,
    components,
    count,
    count_parts,
    random_walk,
    spread_back,
)
from tablee.rules.mines.position import Contradiction, Position, settle


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


def chances(position: Position) -> Chances:
    """The chance of a mine on every hidden square. Raises Contradiction where nothing fits."""
    safe, mined, rest = settle(position)
    counted = [part for component in components(rest.constraints) for part in count_parts(component)]
    free = _free(rest, counted)
    whole = _Whole(counted, len(free), rest.mines)
    mine: dict[int, float] = {}
    for index, component in enumerate(counted):
        spread_back(component, whole.outside(index), mine)
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


def random_layout(position: Position, mines: Iterable[int], rng: Random) -> list[int]:
    """Other mines for the hidden squares than these, as the numbers allow, every layout as likely.

    Components that are too wide to count keep the mines they have.
    """
    _, mined, rest = settle(position)
    counted: list[Counted] = []
    kept: set[int] = set()
    for component in components(rest.constraints):
        try:
            counted.append(count(component))
        except TooWide:
            kept.update(square for squares, _ in component for square in squares)
    laid = sorted(mined | kept.intersection(mines))
    free = [square for square in _free(rest, counted) if square not in kept]
    left = position.mines - len(laid)
    for index, walked in enumerate(counted):
        whole = _Whole(counted[index:], len(free), left)
        chosen = random_walk(walked, whole.outside(0), rng)
        laid += chosen
        left -= len(chosen)
    return sorted(laid + rng.sample(free, left))
