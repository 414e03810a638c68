"""Does the time of an answer tell who plays in an anonymous game? Pairs of questions, one about a player.

`python -m bench.afjd_anonymity [--pairs 3000]` asks about somebody who plays in five anonymous games and
about another who plays in none, in an order drawn anew for every other pair, and counts how often the first
is slower. Where time tells nothing that is half of the pairs, give or take what chance does. Two controls:
twice the same question, and both asking about themselves, where five games are shown and it must be seen:
where it is not, the machine is too busy for the rest to mean anything.

Each is measured twice: the time until the answer is there, as a stranger sees it, and the processor time of
the services, which no load hides and nobody outside sees: an answer about others waits for its even time.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random
from statistics import median
from typing import NamedTuple

import httpx
from bench.afjd import services
from starlette.types import Message, Scope

from tablee.club import Account, Club
from tablee.doors.afjd import AfjdDoor
from tablee.doors.afjd.application import application
from tablee.doors.afjd.calls import ALL
from tablee.tables import TablePlan, Tables, Terms, Way

GAMES = 5
WARM_UP = 100


class Asked(NamedTuple):
    """A question to a service, and the token of who asks it."""

    service: str
    path: str
    token: str = ""


async def people_of(club: Club, tables: Tables) -> tuple[Account, Account]:
    """Somebody in anonymous games, and somebody in none."""
    master = await club.accounts.create("Arbitre", "x")
    player, nobody = [await club.accounts.create(pseudo, "x") for pseudo in ("Joueur", "Autre")]
    for number in range(GAMES):
        terms = Terms(mastered=True, anonymous=True)
        info = await tables.creating.create(
            TablePlan(
                "diplomacy", "standard", {}, master.id, door="afjd", name=f"Secret {number}", terms=terms
            )
        )
        await tables.sitting.join(info.id, player.id, Way(by=master.id))
    return player, nobody


async def questions(door: AfjdDoor, player: Account, nobody: Account) -> dict[str, tuple[Asked, Asked]]:
    async def own(who: Account) -> Asked:
        return Asked("games", f"/player-allocations/{who.id}", await door.house.tokens.issue(who, ""))

    of_player, of_nobody = (Asked("games", f"/player-allocations/{who.id}") for who in (player, nobody))
    facts = [Asked("players", f"/player-facts/{who.pseudo}") for who in (player, nobody)]
    return {
        "GET /player-allocations": (of_player, of_nobody),
        "GET /player-facts": (facts[0], facts[1]),
        "control, twice the same": (of_nobody, of_nobody),
        "control, about oneself": (await own(player), await own(nobody)),
    }


Took = Callable[[Asked], Awaitable[float]]
"""Microseconds that a question took."""


def seen_from_outside(door: AfjdDoor, client: httpx.AsyncClient) -> Took:
    async def took(asked: Asked) -> float:
        url = f"http://127.0.0.1:{door.ports[asked.service]}{asked.path}"
        begun = time.perf_counter_ns()
        answer = await client.get(url, headers={"AccessToken": asked.token} if asked.token else {})
        passed = (time.perf_counter_ns() - begun) / 1000
        assert answer.status_code == 200, answer.text
        return passed

    return took


def worked_inside(door: AfjdDoor) -> Took:
    apps = {service.group: application(door.house, service, "") for service in ALL}

    async def took(asked: Asked) -> float:
        scope: Scope = {
            "type": "http", "method": "GET", "path": asked.path, "query_string": b"", "client": None,
            "headers": [(b"accesstoken", asked.token.encode())] if asked.token else [],
        }  # fmt: skip
        statuses: list[int] = []

        async def receive() -> Message:
            raise AssertionError("there is no body to read")

        async def send(message: Message) -> None:
            statuses.append(message.get("status", 0))

        begun = time.thread_time_ns()
        await apps[asked.service](scope, receive, send)
        passed = (time.thread_time_ns() - begun) / 1000
        assert statuses[0] == 200
        return passed

    return took


async def compare(took: Took, name: str, pair: tuple[Asked, Asked], count: int) -> None:
    chance = Random(name)
    times: list[tuple[float, float]] = []
    first = True
    for number in range(count + WARM_UP):
        # Either is the first of a pair equally often: what comes first finds colder caches.
        first = chance.random() < 0.5 if number % 2 == 0 else not first
        found = {which: await took(pair[which]) for which in ((0, 1) if first else (1, 0))}
        if number >= WARM_UP:
            times.append((found[0], found[1]))
    slower = sum(one > other for one, other in times) / count
    print(
        f"    {name}: slower in {slower:.1%} of {count:,} pairs (by chance 50 ± {98 / count**0.5:.1f}%),"
        f" {median(one - other for one, other in times):+.1f} of {median(other for _, other in times):.0f} µs"
        " in the median"
    )


async def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.afjd_anonymity", description=__doc__)
    parser.add_argument("--pairs", type=int, default=3_000)
    count = parser.parse_args().pairs
    with tempfile.TemporaryDirectory(prefix="tablee-bench-") as folder:
        async with services(Path(folder)) as (door, _, club, tables), httpx.AsyncClient(timeout=60) as client:
            player, nobody = await people_of(club, tables)
            asked = await questions(door, player, nobody)
            for title, took in (
                ("until the answer is there", seen_from_outside(door, client)),
                ("processor time", worked_inside(door)),
            ):
                print(f"  {title}")
                for name, pair in asked.items():
                    await compare(took, name, pair, count)


if __name__ == "__main__":
    asyncio.run(main())
