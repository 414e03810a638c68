"""Boards with little on them, made to be checked."""

from __future__ import annotations

from typing import Any

Json = Any
LAWS = (("loi_r1", 12, 1), ("loi_r2", 1, 1), ("loi_r3", 12, 12))


def board(*tiles: tuple[Json, Json, Json], laws: tuple[tuple[str, int, int], ...] = LAWS) -> Json:
    """A board with these tiles and, unless others are given, laws in three of its corners."""
    active = [{"tileType": name, "tileLocX": x, "tileLocY": y} for name, x, y in (*laws, *tiles)]
    return {"boardIdx": 0, "boardWidth": 12, "boardHeight": 12, "boardActiveTiles": active}
