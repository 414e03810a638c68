"""Which square to open when none is safe."""

from __future__ import annotations

from math import exp, log

from tablee.rules.mines.board import Near
from tablee.rules.mines.endgame import TooDeep, best_square, layouts
from tablee.rules.mines.position import Constraint, Contradiction, Position
from tablee.rules.mines.solver import Chances, chances

MOST_LAYOUTS = 150
"""With no more layouts than this the rest of the board is searched to the end."""
CANDIDATES = 10
"""Squares that are looked at one step ahead, at most."""
WORK = 8_000
"""Fewer are looked at where counting the components once takes more than a part of these steps."""
MARGIN = 0.9
"""Squares less safe than the safest times this are not looked at."""


def best_guess(position: Position, known: Chances, near: Near) -> int:
    """The hidden square that promises most: the endgame exactly, before that one step ahead."""
    if known.log_layouts <= log(MOST_LAYOUTS) + 0.01:
        found = layouts(position, MOST_LAYOUTS + 1)
        if found:
            try:
                return best_square(found, sorted(position.hidden), near)[0]
            except TooDeep:
                pass
    best, most = -1, -1.0
    for square in _candidates(position, known, near):
        promise = _promise(position, known, near, square, most)
        if promise > most:
            best, most = square, promise
    return best


def _candidates(position: Position, known: Chances, near: Near) -> list[int]:
    """The safest squares, those first that are likeliest to show an empty neighbourhood."""
    least = MARGIN * (1 - min(known.mine.values()))
    worth: dict[int, float] = {}
    for square, chance in known.mine.items():
        if 1 - chance >= least:
            empty = 1.0
            for neighbour in near[square]:
                empty *= 1 - known.mine.get(neighbour, 0.0)
            worth[square] = (1 - chance) * (1 + 0.3 * empty)
    looked_at = max(3, min(CANDIDATES, WORK // max(1, known.work)))
    return sorted(worth, key=lambda square: (-worth[square], square))[:looked_at]


def _promise(position: Position, known: Chances, near: Near, square: int, rival: float) -> float:
    """The chance to survive this square and then the safest one that its number leaves.

    Where it can no longer be more than `rival`, something no more than that.
    """
    open_end = 1 - known.mine[square]
    hidden = position.hidden - {square}
    around = tuple(sorted(neighbour for neighbour in near[square] if neighbour in hidden))
    rest: dict[tuple[int, ...], int] = {}
    for squares, lacking in position.constraints:
        left = tuple(other for other in squares if other != square) if square in squares else squares
        if left:
            rest[left] = lacking
    promise = 0.0
    # The likeliest numbers first, so that a square that cannot win is dropped early.
    expected = sum(known.mine[neighbour] for neighbour in around)
    for number in sorted(range(len(around) + 1), key=lambda n: abs(n - expected)):
        if promise + open_end <= rival:
            break
        constraints: dict[tuple[int, ...], int] = dict(rest)
        if around:
            if constraints.get(around, number) != number:
                continue
            constraints[around] = number
        ordered: tuple[Constraint, ...] = tuple(constraints.items())
        try:
            then = chances(Position(hidden, position.mines, ordered))
        except Contradiction:
            continue
        weight = exp(then.log_layouts - known.log_layouts)
        open_end -= weight
        promise += weight * (1 - min(then.mine.values(), default=0.0))
    return promise
