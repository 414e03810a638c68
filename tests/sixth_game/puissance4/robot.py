"""Robots of Puissance 4: one that only sees the next move, one that looks a few moves ahead."""

from __future__ import annotations

from random import Random
from typing import Any

from tablee.rules.contract import Action

from .model import EMPTY, SIGNS, Drop, GridView, Rows, dropped, free_columns, has_four, other


class Looking:
    """Looks `depth` moves ahead: it wins where it can, prevents what it sees, and likes the middle."""

    def __init__(self, depth: int) -> None:
        self.depth = depth

    def choose(self, view: GridView, legal: Any, rng: Random) -> Action | None:
        if view.turn is None:
            return None
        columns = free_columns(view.rows)
        rng.shuffle(columns)
        mine, theirs = SIGNS[view.turn], SIGNS[other(view.turn)]
        worth = {
            column: -_worth(dropped(view.rows, column, mine), theirs, mine, self.depth - 1, -9_999, 9_999)
            for column in columns
        }
        return Drop(max(columns, key=lambda column: worth[column]))


def _worth(rows: Rows, mine: str, theirs: str, depth: int, least: int, most: int) -> int:
    """How good a grid is for whose turn it is; what is not between `least` and `most` matters to nobody."""
    if has_four(rows, theirs):
        return -1_000 - depth
    columns = free_columns(rows)
    if not columns:
        return 0
    if depth == 0:
        return _middle(rows, mine) - _middle(rows, theirs)
    for column in sorted(columns, key=lambda each: abs(2 * each - 1 - len(rows[0]))):
        least = max(least, -_worth(dropped(rows, column, mine), theirs, mine, depth - 1, -most, -least))
        if least >= most:
            break
    return least


def _middle(rows: Rows, sign: str) -> int:
    """Discs near the middle stand in more lines of four."""
    width = len(rows[0])
    return sum(
        min(x, width - 1 - x) for row in rows for x, each in enumerate(row) if each == sign and each != EMPTY
    )
