"""A board as large as anybody will want one, for tests and benchmarks."""

from __future__ import annotations

import json
import random

from tablee.rules.arena.exporting import export
from tablee.rules.arena.loading import load_ours


def large_text() -> str:
    """A description of 40 arms × 10 columns × 60 rows, every square of a colour drawn for it."""
    standard = load_ours("standard")
    rng = random.Random(40)
    rows = [",".join(rng.choices(standard.colors, k=400)) for _ in range(60)]
    board = {
        "number_arms": 40,
        "arms_width": 10,
        "arms_length": 40,
        "inner_circle_colors": rows[:15],
        "arms_colors": rows[15:],
    }
    return json.dumps({"large": export(standard) | {"board": board, "number_players": 40}})
