"""Does the time of an answer tell who plays in an anonymous game? Pairs of questions, one about a player.

`python -m bench.afjd_anonymity [--pairs 3000]` asks about somebody who plays in five anonymous games and
about another who plays in none, in an order drawn anew for each pair, and counts how often the first is
slower. Where time tells nothing that is half of the pairs, give or take what chance does. Two controls:
twice the same question, and both asking about themselves, where five games are shown and it must be seen:
where it is not, the machine is too busy for the rest to mean anything.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from pathlib import Path
from random import Random
from statistics import median
from typing import NamedTuple

import httpx
from bench.afjd import services

from tablee.club import Account, Club
from tablee.doors.afjd import AfjdDoor
from tablee.tables import Tables, Terms

GAMES = 5
WARM_UP = 100


class Asked(NamedTuple):
    """A question, and the token of who asks it."""

    url: str
    token: str = ""


async def people_of(club: Club, tables: Tables) -> tuple[Account, Account]:
    """Somebody in anonymous games, and somebody in none."""
    master = await club.accounts.create("Arbitre", "x")
    player, nobody = [await club.accounts.create(pseudo, "x") for pseudo in ("Joueur", "Autre")]
    for number in range(GAMES):
        terms = Terms(mastered=True, anonymous=True)
        info = await tables.create(
            "diplomacy", "standard", {}, master.id, door="afjd", name=f"Secret {number}", terms=terms
        )
        await tables.join(info.id, player.id, by=master.id)
    return player, nobody


async def questions(door: AfjdDoor, player: Account, nobody: Account) -> dict[str, tuple[Asked, Asked]]:
    games, people = (f"http://127.0.0.1:{door.ports[name]}" for name in ("games", "players"))

    async def own(who: Account) -> Asked:
        token = await door.desk.tokens.issue(who, "")
        return Asked(f"{games}/player-allocations/{who.id}", token)

    of_player, of_nobody = (Asked(f"{games}/player-allocations/{who.id}") for who in (player, nobody))
    facts = [Asked(f"{people}/player-facts/{who.pseudo}") for who in (player, nobody)]
    return {
        "GET /player-allocations": (of_player, of_nobody),
        "GET /player-facts": (facts[0], facts[1]),
        "control, twice the same": (of_nobody, of_nobody),
        "control, about oneself": (await own(player), await own(nobody)),
    }


async def took(client: httpx.AsyncClient, asked: Asked) -> float:
    begun = time.perf_counter_ns()
    answer = await client.get(asked.url, headers={"AccessToken": asked.token} if asked.token else {})
    passed = (time.perf_counter_ns() - begun) / 1000
    assert answer.status_code == 200, answer.text
    return passed


async def compare(client: httpx.AsyncClient, name: str, pair: tuple[Asked, Asked], count: int) -> None:
    chance = Random(name)
    apart: list[float] = []
    for number in range(count + WARM_UP):
        first = chance.random() < 0.5
        times = {which: await took(client, pair[which]) for which in ((0, 1) if first else (1, 0))}
        if number >= WARM_UP:
            apart.append(times[0] - times[1])
    slower = sum(each > 0 for each in apart) / count
    print(
        f"  {name}: slower in {slower:.1%} of {count:,} pairs (by chance 50 ± {98 / count**0.5:.1f}%),"
        f" {median(apart):+.1f} µs in the median"
    )


async def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.afjd_anonymity", description=__doc__)
    parser.add_argument("--pairs", type=int, default=3_000)
    count = parser.parse_args().pairs
    with tempfile.TemporaryDirectory(prefix="tablee-bench-") as folder:
        async with services(Path(folder)) as (door, _, club, tables), httpx.AsyncClient(timeout=60) as client:
            player, nobody = await people_of(club, tables)
            for name, pair in (await questions(door, player, nobody)).items():
                await compare(client, name, pair, count)


if __name__ == "__main__":
    asyncio.run(main())
