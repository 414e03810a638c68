"""What does a move of a game by days cost with the calls that it writes, beside the same move without them?

The same games are played twice in a house on SQLite, by members who choose blindly: as the house does it, and
with nobody called. The figures are processor time of the whole process, the disk's own thread included, and
the least of several rounds. `python -m bench.moving_on [--quick]`
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import uvloop
from sqlalchemy import func, select
from tests.kit.rooms import PASSWORD, Rooms

from tablee.clock import HandClock
from tablee.rules.contract import Illegal
from tablee.store import Query
from tablee.store.schema import call
from tablee.tables import TablePlan, loaded
from tablee.tables.calling import calls_of
from tablee.tables.clocks import Days

_CALLS = Query(select(func.count().label("number")).select_from(call))
PLANS: dict[str, tuple[int, dict[str, Any]]] = {
    "diplomacy": (7, {"variant": "standard", "options": {"calendar": True}}),
    "chess": (2, {"variant": "classic", "time_control": Days(3)}),
}
Calling = Callable[..., list[Any]]


def nobody(*_: Any) -> list[Any]:
    return []


async def played(game: str, seed: int, moves: int, folder: Path) -> tuple[list[float], int]:
    """Microseconds of the processor that each move took, and how many calls were written."""
    house = await Rooms.open(folder / "tablee.sqlite", HandClock(), seed=seed)
    seats, plan = PLANS[game]
    people = [
        (await house.club.accounts.create(f"Membre{seat}", PASSWORD)).id for seat in range(1, seats + 1)
    ]
    info = await house.tables.creating.create(TablePlan(game, people=people, seats=seats, **plan))
    table = await house.tables.open(info.id)
    rng, took = Random(seed), list[float]()
    while not table.is_over and len(took) < moves:
        for seat in sorted(table.waiting()):
            action = table.legal(seat).sample(rng)
            if action is None:
                continue
            begun = time.process_time_ns()
            try:
                await house.tables.submit(table, seat, action)
            except Illegal:
                continue
            took.append((time.process_time_ns() - begun) / 1000)
    row = await house.store.one(_CALLS)
    await house.close()
    return took, 0 if row is None else row.number


def measure(game: str, moves: int, rounds: int) -> None:
    ways: dict[str, Calling] = {"with": calls_of, "without": nobody}
    cost: dict[str, list[float]] = {way: [] for way in ways}
    calls = 0
    for _ in range(rounds):
        for way, calling in ways.items():
            vars(loaded)["calls_of"] = calling
            with tempfile.TemporaryDirectory(prefix="tablee-bench-") as folder:
                took, written = uvloop.run(played(game, 1, moves, Path(folder)))
            cost[way].append(statistics.fmean(took))
            calls = max(calls, written)
    vars(loaded)["calls_of"] = calls_of
    least = {way: min(each) for way, each in cost.items()}
    share = least["with"] / least["without"] - 1
    print(
        f"{game:10}{moves:6} moves, {calls / moves:5.2f} calls a move: {least['with']:7.0f} µs with them, "
        f"{least['without']:7.0f} µs without: {100 * share:+.0f} %",
        flush=True,
    )


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.moving_on", description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help="only these")
    parser.add_argument("--quick", action="store_true", help="few moves, to see that it works")
    asked = parser.parse_args()
    for game in asked.games or PLANS:
        measure(game, 60 if asked.quick else 400, 1 if asked.quick else 5)
    return 0


if __name__ == "__main__":
    sys.exit(main())
