"""The PyPI package `diplomacy`, spoken to in JSON lines by the benchmarks: run by an interpreter that has it.

A line is `{"units": {power: [unit]}, "orders": {power: [order]}}`; the answer tells who stands where after
the moves, who must retreat whereto, and how many seconds `set_orders` and `process` took.
"""

from __future__ import annotations

import json
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Any


def main() -> None:
    sys.path.remove(str(Path(__file__).parent))  # a benchmark here has the package's name
    Game = import_module("diplomacy").Game

    for line in sys.stdin:
        phase = json.loads(line)
        game = Game()
        for power in game.powers:
            game.clear_units(power)
        for power, units in phase["units"].items():
            game.set_units(power, units)
        begun = time.process_time()
        for power, orders in phase["orders"].items():
            game.set_orders(power, orders)
        game.process()
        seconds = time.process_time() - begun
        print(json.dumps(answer(game, seconds)), flush=True)


def answer(game: Any, seconds: float) -> dict[str, Any]:
    units = [f"{name} {unit}" for name, power in game.powers.items() for unit in power.units]
    retreats = {
        f"{name} {unit}": sorted(options)
        for name, power in game.powers.items()
        for unit, options in power.retreats.items()
    }
    return {
        "units": sorted(unit for unit in units if "*" not in unit),
        "retreats": retreats,
        "seconds": seconds,
    }


if __name__ == "__main__":
    main()
