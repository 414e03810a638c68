"""How long does the event loop stand still while ten finished games of chess wait to be looked through?

`python -m bench.reviewing [--quick] [--games N]`: a house in this process, with an engine of the machine
where there is one and without; every five milliseconds something small wants its turn. Beside each stands how
late it came in the same house before anything was looked through: the ratio is what reviews cost.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.kit.web import open_house

from tablee.cli.serve import SWITCH_SECONDS
from tablee.engines import with_engines
from tablee.rules import GAMES, Games

EVERY = 0.005
MOVES = ("e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6", "e1g1", "f8e7")


QUIET = 3.0
"""Seconds for which the house is watched before."""


async def turns_while(goes_on: Callable[[], bool]) -> list[float]:
    """How late each turn of the loop came, in milliseconds and in order of size."""
    late: list[float] = []
    while goes_on():
        before = time.monotonic()
        await asyncio.sleep(EVERY)
        late.append(1000 * (time.monotonic() - before - EVERY))
    return sorted(late)


async def lateness(games: Games, number: int, plies: int) -> tuple[list[float], list[float], float]:
    """The turns of a quiet house, those while so many games are looked through, and the seconds that took."""
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
            begun = time.monotonic()
            quiet = await turns_while(lambda: time.monotonic() < begun + QUIET)
            begun = time.monotonic()
            made = [await house.tables.reviews.begin(table) for table in tables]
            late = await turns_while(lambda: any(each.found is None and not each.failed for each in made))
            assert not any(each.failed for each in made)
            return quiet, late, time.monotonic() - begun


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.reviewing", description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--games", type=int, default=10)
    asked = parser.parse_args()
    sys.setswitchinterval(SWITCH_SECONDS)  # as the house does
    number, plies = (2, 4) if asked.quick else (asked.games, len(MOVES))
    for name, games in (("an engine", with_engines(GAMES)), ("the house alone", GAMES)):
        judge = getattr(games["chess", "classic"], "judge").name  # noqa: B009 - of chess alone
        quiet, late, seconds = asyncio.run(lateness(games, number, plies))
        print(f"{name} ({judge}): {number} games of {plies} half-moves in {seconds:.1f} s")
        for share in (0.5, 0.99):
            before, then = (turns[int(share * len(turns))] for turns in (quiet, late))
            print(
                f"  p{100 * share:.0f}: the loop was late by {then:.2f} ms, quiet {before:.2f},"
                f" ratio {then / before:.1f}"
            )
        print(f"  at most: {late[-1]:.1f} ms, quiet {quiet[-1]:.1f}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
