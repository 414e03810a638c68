"""How long does the event loop stand still while ten finished games of chess wait to be looked through?

`python -m bench.reviewing [--quick] [--games N]`: a house in this process, with an engine of the machine
where there is one and without; every five milliseconds something small wants its turn.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from pathlib import Path

from tests.kit.web import open_house

from tablee.engines import with_engines
from tablee.rules import GAMES, Games

EVERY = 0.005
MOVES = ("e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6", "e1g1", "f8e7")


async def lateness(games: Games, number: int, plies: int) -> tuple[list[float], float]:
    """How late each turn of the loop came, in milliseconds, and how many seconds the reviews took."""
    with tempfile.TemporaryDirectory() as folder:
        async with open_house(str(Path(folder) / "house.sqlite"), games=games) as house:
            tables = []
            white, black = await house.member(), await house.member()
            for game in range(number):
                new = {"game": "chess", "variant": "classic", "time_control": {"kind": "none"}}
                table = (await white.post("/tables", new, status=201))["id"]
                await black.post(f"/tables/{table}/join", {})
                for ply, move in enumerate(MOVES[:plies]):
                    who = (white, black)[ply % 2]
                    action = {"action": {"do": "move", "move": move}, "request_id": f"g{game}m{ply}"}
                    await who.post(f"/tables/{table}/play", action)
                await black.post(f"/tables/{table}/leave")
                tables.append(table)
            late: list[float] = []
            begun = time.monotonic()
            made = [await house.tables.reviews.begin(table) for table in tables]
            while not all(each.found is not None or each.failed for each in made):
                before = time.monotonic()
                await asyncio.sleep(EVERY)
                late.append(1000 * (time.monotonic() - before - EVERY))
            assert not any(each.failed for each in made)
            return late, time.monotonic() - begun


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.reviewing", description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--games", type=int, default=10)
    asked = parser.parse_args()
    number, plies = (2, 4) if asked.quick else (asked.games, len(MOVES))
    for name, games in (("an engine", with_engines(GAMES)), ("the house alone", GAMES)):
        judge = getattr(games["chess", "classic"], "judge").name  # noqa: B009 - of chess alone
        late, seconds = asyncio.run(lateness(games, number, plies))
        late.sort()
        p50, p99 = late[len(late) // 2], late[int(0.99 * len(late))]
        print(f"{name} ({judge}): {number} games of {plies} half-moves in {seconds:.1f} s")
        print(f"  the loop was late by {p50:.1f} ms at p50, {p99:.1f} at p99, {late[-1]:.1f} at most")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
