"""How tests play Puissance 4 to its end: the novice sees one move ahead, a little thought beats it."""

from __future__ import annotations

from random import Random

from tests.sixth_game.puissance4.model import Drop, GridView
from tests.sixth_game.puissance4.robot import Looking

THOUGHT = Looking(4)
CHANCE = Random(5)


def best_column(rows: list[str], seat: int) -> int:
    """Where one who thinks would play now."""
    signs = {1: "X", 2: "O"}
    action = THOUGHT.choose(GridView(tuple(rows), signs, seat, None), None, CHANCE)
    assert isinstance(action, Drop)
    return action.column
