"""How fast are the AFJD services, beside the engine alone and bare endpoints that give the same bytes?

`python -m bench.afjd [--quick]`; the peer of the document's stack needs `pip install -e .[bench]`.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from random import Random
from statistics import median
from typing import Any
from urllib.parse import quote

import httpx
import msgspec
from argon2 import PasswordHasher
from bench.afjd_bare import PORT_LINE
from sqlalchemy import insert
from starlette.types import ASGIApp

from tablee.clock import WallClock
from tablee.club import Account, Club
from tablee.club.limits import Bucket
from tablee.club.passwords import Passwords
from tablee.doors.afjd import AfjdDoor, AfjdSettings
from tablee.doors.afjd.fields import DEFAULTS
from tablee.rules import GAMES
from tablee.rules.diplomacy.forms import read_order_forms, read_situation, write_situation
from tablee.rules.diplomacy.model import AFJD
from tablee.rules.diplomacy.phases import resolve
from tablee.rules.diplomacy.variant import load_variant
from tablee.store import Append, EventRow, Query, Store, Unit, Write, open_store
from tablee.store.schema import account, game_table, seat
from tablee.tables import Tables, Terms
from tablee.tables.calendar import ClubCalendar
from tablee.tables.codec import Sitting, Start
from tablee.tables.terms import write_terms
from tablee.wire.http.server import WebServer

Json = Any
STANDARD = load_variant("standard")
PLENTY = {name: Bucket(10**9, 60) for name in ("afjd", "afjd_create", "press", "sign_up")}
GAMES_WANTED = 10_000
CONNECTIONS = 8
TURNS = 5
OWN_GAMES = 50


class Asked(msgspec.Struct):
    """One question of the benchmark: a request, sent again and again."""

    name: str
    method: str
    url: str
    headers: dict[str, str]
    content: bytes = b""


async def measured(asked: Asked | list[Asked], count: int, pid: int | None = None) -> tuple[float, float]:
    """Requests a second over some connections, and processor microseconds of the server for each."""
    every = asked if isinstance(asked, list) else [asked]
    busy_before = _busy(pid)
    async with httpx.AsyncClient(timeout=60) as client:

        async def one(start: int) -> None:
            for number in range(start, count, CONNECTIONS):
                each = every[number % len(every)]
                answer = await client.request(
                    each.method, each.url, headers=each.headers, content=each.content
                )
                assert answer.status_code < 300, answer.text

        begun = time.perf_counter()
        await asyncio.gather(*(one(start) for start in range(CONNECTIONS)))
        seconds = time.perf_counter() - begun
    busy = _busy(pid) - busy_before
    return count / seconds, 1e6 * busy / count


def _busy(pid: int | None) -> float:
    """Seconds of processor time of all threads of a process and the children that it has now."""
    if pid is None:
        return 0.0
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    threads = (thread for each in (str(pid), *children) for thread in Path(f"/proc/{each}/task").iterdir())
    return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) / 1e9


# --- a house in a process of its own --------------------------------------------------------------------


@asynccontextmanager
async def services(folder: Path) -> AsyncIterator[tuple[AfjdDoor, Store, Club, Tables]]:
    """The door on free ports, with nothing else."""
    clock = WallClock()
    store = await open_store(f"sqlite:///{folder / 'tablee.sqlite'}")
    cheap = Passwords(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1), workers=1)
    club = Club(store, clock, passwords=cheap, limits=PLENTY)
    tables = Tables(store, club, clock, Random(1), GAMES, calendar=ClubCalendar())
    settings = AfjdSettings(ports=(0,) * 5, limits=PLENTY, token_minutes=600)

    def serve(app: ASGIApp, host: str, port: int) -> WebServer:
        return WebServer(app, host, port)

    door = AfjdDoor(store, club, tables, clock, folder, settings, serve)
    await tables.start()
    await door.start()
    try:
        yield door, store, club, tables
    finally:
        await door.stop(1)
        await tables.stop()
        club.close()
        await store.close()


async def serve_forever(folder: Path, many: int) -> None:
    """What the child process does: games in the database, then the services until it is ended."""
    async with services(folder) as (door, store, club, tables):
        master = await club.accounts.create("Arbitre", "x")
        people = [await club.accounts.create(f"Joueur{n}", "x") for n in range(7)]
        mine, strangers = await _fill(store, tables, master, people, many)
        # What their logs say of the players is counted already, as it is in a house that has run for a while:
        # else a round of the background does it for all of them in the midst of the measurement.
        await tables.reckoning.up_to_date()
        told = {
            "ports": door.ports,
            "secret": door.secret,
            "master": await door.house.tokens.issue(master, ""),
            "player": await door.house.tokens.issue(people[0], ""),
            "mine": mine,
            "strangers": strangers[:100],
            "pid": os.getpid(),
        }
        print(json.dumps(told), flush=True)
        await asyncio.Event().wait()


async def _fill(
    store: Store, tables: Tables, master: Account, people: list[Account], many: int
) -> tuple[list[int], list[int]]:
    """Games that run, each with its log of one event; role n is seat n.

    Answers the games of `people`, and who plays in the others.
    """
    new_table, new_seat = Query(insert(game_table)), Query(insert(seat))
    options = msgspec.structs.replace(DEFAULTS, calendar=False, deal=tuple(range(1, 8)))
    rules, codec = tables.rules("diplomacy", "standard"), tables.codec("diplomacy", "standard")
    now = tables.clock.now()
    facts = codec.encode_facts(rules.setup(options, range(1, 8), now, Random(1)))
    plain = msgspec.to_builtins(options)
    sitting = [Sitting(n, person.pseudo) for n, person in enumerate(people, 1)]
    action = codec.encode_action(Start(plain, sitting))
    terms = write_terms(Terms(mastered=True, fast=True))
    strangers = await _strangers(store, 7 * many)
    mine: list[int] = []
    for start in range(0, many, 500):
        unit = Unit()
        for number in range(start, min(many, start + 500)):
            table_id = await store.new_id("table", block=500)
            if number < OWN_GAMES:
                mine.append(table_id)
            row = {
                "id": table_id, "game": "diplomacy", "variant": "standard", "door": "afjd",
                "name": f"Partie {number}", "host_id": master.id, "access": "open", "invitation": "",
                "options": msgspec.json.encode(plain).decode(), "time_control": '{"kind":"none"}',
                "rated": True, "seats_least": 7, "seats_most": 7, "status": "running", "seq": 0,
                "due_at": None, "created_at": now, "started_at": now, "ended_at": None, "result": None,
                "terms": terms, "name_key": f"diplomacy:Partie {number}",
                "looked_at": None, "sweep_at": None, "warned_at": None, "mastered": True, "anonymous": False,
            }  # fmt: skip
            unit.writes.append(Write(new_table, row))
            for n in range(1, 8):
                who = people[n - 1].id if number < OWN_GAMES else strangers[(7 * number + n) % len(strangers)]
                seated = {
                    "table_id": table_id, "seat": n, "account_id": who, "name": f"J{n}", "robot": None,
                    "joined_at": now, "left_at": None,
                }  # fmt: skip
                unit.writes.append(Write(new_seat, seated))
            unit.appends.append(Append(table_id, 0, [EventRow(table_id, 1, now, 0, action, facts, None)]))
        await store.commit(unit)
    return mine, strangers


async def _strangers(store: Store, number: int) -> list[int]:
    """Accounts for the other seats, as many as play in that many games."""
    blank = dict.fromkeys(("first_name", "family_name", "telephone", "country", "time_zone"), "")
    none = ("password_hash", "email", "email_key", "identified_at", "deleted_at", "banned_until")
    found: list[int] = []
    new = Query(insert(account))
    for start in range(0, min(number, 20_000), 1_000):
        unit = Unit()
        for n in range(start, start + 1_000):
            account_id = await store.new_id("account", block=1_000)
            found.append(account_id)
            row = {
                **blank, **dict.fromkeys(none), "id": account_id, "kind": "member", "role": "player",
                "pseudo": f"Inconnu{n}", "pseudo_key": f"inconnu{n}", "email_confirmed": False,
                "language": "fr", "settings": "{}", "created_at": 1, "seen_at": 1, "stand_in": False,
            }  # fmt: skip
            unit.writes.append(Write(new, row))
        await store.commit(unit)
    return found


@contextmanager
def child(*command: str) -> Iterator[str]:
    """A process of ours, and the first line that it prints."""
    process = subprocess.Popen(
        [sys.executable, "-m", *command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert process.stdout is not None
    try:
        yield process.stdout.readline()
    finally:
        process.terminate()
        process.wait(30)


# --- the questions --------------------------------------------------------------------------------------


async def solving(told: Json, count: int) -> None:
    """`POST /solve` beside the engine called directly with the same position and orders, in turns."""
    situation = write_situation(STANDARD.start())
    orders = [[unit.role, 4, unit.zone, 0, 0] for unit in STANDARD.start().units]
    body = json.dumps({"variant": "standard", "advancement": 0, "situation": situation, "orders": orders})
    asked = Asked(
        "POST /solve",
        "POST",
        f"http://127.0.0.1:{told['ports']['solver']}/solve",
        {"ServiceSecret": told["secret"], "Content-Type": "application/json"},
        body.encode(),
    )

    def engine(number: int) -> float:
        begun = time.process_time()  # as of the server: what it works, not how long it waits for a core
        for _ in range(number):
            stands = read_situation(STANDARD, situation)
            resolve(STANDARD, 0, stands, read_order_forms(STANDARD, orders, stands), AFJD)
        return 1e6 * (time.process_time() - begun) / number

    engine(100)
    await measured(asked, 100)
    each = count // TURNS
    turns = [(await measured(asked, each, told["pid"]), engine(each)) for _ in range(TURNS)]
    print(
        f"  POST /solve: {median(speed for (speed, _), _ in turns):,.0f} a second,"
        f" {median(work for (_, work), _ in turns):,.0f} µs of the server;"
        f" the engine alone {median(alone for _, alone in turns):,.0f} µs"
    )
    print(f"    ratio {median(work / alone for (_, work), alone in turns):.2f} to the engine")


def requests_of(told: Json, games: dict[int, str]) -> list[list[Asked]]:
    """The requests that are measured, each over some games."""
    base = f"http://127.0.0.1:{told['ports']['games']}"
    nobody: dict[str, str] = {}
    player = {"AccessToken": told["player"], "Content-Type": "application/x-www-form-urlencoded"}
    units = [unit for unit in STANDARD.start().units if unit.role == 1]
    forms = []
    for act in (4, 4):
        found = [
            {"order_type": act, "active_unit": {"type_unit": unit.kind, "role": 1, "zone": unit.zone}}
            for unit in units
        ]
        forms.append(found)
    forms[1] = forms[1][::-1]
    bodies = [
        str(httpx.QueryParams({"role_id": "1", "pseudo": "Joueur0", "orders": json.dumps(f)})) for f in forms
    ]
    return [
        [Asked("GET /game-positions", "GET", f"{base}/game-positions/{n}", nobody) for n in games],
        [
            Asked("POST /game-orders", "POST", f"{base}/game-orders/{n}", player, body.encode())
            for body in bodies
            for n in told["mine"]
        ],
        [Asked("GET /games", "GET", f"{base}/games", nobody)],
        [Asked("GET /games/name", "GET", f"{base}/games/{quote(name)}", nobody) for name in games.values()],
        [Asked("GET /game-allocations", "GET", f"{base}/game-allocations/{n}", nobody) for n in games],
        [
            Asked("GET /player-allocations", "GET", f"{base}/player-allocations/{n}", nobody)
            for n in told["strangers"]
        ],
    ]


async def serving(told: Json, count: int, spread: int) -> None:
    """Each call beside a bare endpoint of the same framework with the same bytes, and Flask with gunicorn.

    They are asked in turns, so that what else the machine does meets all of them.
    """
    base = f"http://127.0.0.1:{told['ports']['games']}"
    async with httpx.AsyncClient(timeout=60) as client:
        names = (await client.get(f"{base}/games")).json()
    games = {int(number): name for number, name in list(names.items())[:: len(names) // spread]}
    print(f"  {len(names):,} games in the database, questions about {len(games):,} of them")
    for asked in requests_of(told, games):
        async with httpx.AsyncClient(timeout=60) as client:
            first = await client.request(
                asked[0].method, asked[0].url, headers=asked[0].headers, content=asked[0].content
            )
        turns = await _in_turns(asked, first.content, count // TURNS, told["pid"])
        ours = turns.pop("ours")
        print(
            f"  {asked[0].name}: {median(speed for speed, _ in ours):,.0f} a second,"
            f" {median(work for _, work in ours):,.0f} µs of the server, {len(first.content):,} bytes"
        )
        for stack, bare in turns.items():
            both = list(zip(ours, bare, strict=True))
            print(
                f"    bare {stack}: {median(speed for speed, _ in bare):,.0f} a second,"
                f" {median(work for _, work in bare):,.0f} µs;"
                f" ratio {median(theirs[0] / mine[0] for mine, theirs in both):.2f} in time,"
                f" {median(mine[1] / theirs[1] for mine, theirs in both):.2f} in processor time"
            )


async def _in_turns(
    asked: list[Asked], content: bytes, count: int, pid: int
) -> dict[str, list[tuple[float, float]]]:
    """By server what each turn has measured."""
    with tempfile.NamedTemporaryFile() as file, ExitStack() as running:
        file.write(content)
        file.flush()
        every: dict[str, tuple[list[Asked], int]] = {"ours": (asked, pid)}
        for stack in ("starlette", "flask"):
            if importlib.util.find_spec(stack) is None:
                print(f"    {stack} is not installed (pip install -e .[bench])")
                continue
            line = running.enter_context(child("bench.afjd_bare", stack, file.name))
            if not line.startswith(PORT_LINE):
                raise RuntimeError(f"the bare {stack} server did not start")
            port, bare_pid = (int(word) for word in line.removeprefix(PORT_LINE).split())
            same = [msgspec.structs.replace(each, url=f"http://127.0.0.1:{port}/") for each in asked[:2]]
            every[stack] = (same, bare_pid)
        for wanted, _ in every.values():
            await measured(wanted, max(100, 2 * len(wanted)))
        found: dict[str, list[tuple[float, float]]] = {name: [] for name in every}
        for _ in range(TURNS):
            for name, (wanted, its_pid) in every.items():
                found[name].append(await measured(wanted, count, its_pid))
        return found


async def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.afjd", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="smaller and shorter, to see that it works")
    parser.add_argument("--serve", nargs=2, metavar=("FOLDER", "GAMES"), help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.serve:
        await serve_forever(Path(asked.serve[0]), int(asked.serve[1]))
        return
    many = 500 if asked.quick else GAMES_WANTED
    count = 200 if asked.quick else 1_000
    for games in (100, many):
        with (
            tempfile.TemporaryDirectory(prefix="tablee-bench-") as folder,
            child("bench.afjd", "--serve", folder, str(games)) as line,
        ):
            told = json.loads(line)
            if games == 100:
                await solving(told, count)
            await serving(told, count, 100)


if __name__ == "__main__":
    asyncio.run(main())
