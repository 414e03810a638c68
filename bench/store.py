"""How many durable events a second does the store take, beside the bare databases?

The ceiling is the bare driver writing the same rows into the same schema: `executemany` in one transaction,
and again in transactions of the size that the store's batches had. Each event of the store is a unit of its
own that moves its table's head, tells a hint and calls back.
"""

from __future__ import annotations

import argparse
import asyncio
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import asyncpg
import uvloop
from rich.console import Console
from rich.table import Table
from sqlalchemy import bindparam, insert, select
from tests.kit.servers import PostgresServer

from tablee.store import Append, EventRow, Hint, Query, Store, Unit, Write, open_store
from tablee.store.schema import game_table

TABLES = 10
ACTION = '{"do":"open","x":12,"y":7}'
FACTS = '[{"is":"opened","x":12,"y":7,"n":2,"seat":4},{"is":"scored","seat":4,"points":12}]'
SQLITE_INSERT = "INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?)"
POSTGRESQL_INSERT = "INSERT INTO event VALUES ($1, $2, $3, $4, $5, $6, $7)"
_HEAD = Query(select(game_table.c.seq, game_table.c.name).where(game_table.c.id == bindparam("id")))

Row = tuple[int, int, int, int, str, str, str | None]


class Measured:
    """One run: events a second, milliseconds from submit to told, and how many shared a transaction."""

    def __init__(self, count: int, seconds: float, waits: list[float], batches: int) -> None:
        waits.sort()
        self.rate = count / seconds
        self.p50 = 1000 * waits[len(waits) // 2]
        self.p99 = 1000 * waits[len(waits) * 99 // 100]
        self.batch = max(1, round(count / max(1, batches)))


async def through_the_store(store: Store, count: int, in_flight: int) -> Measured:
    """Append `count` events, `in_flight` of them always on their way."""
    heads = [await _head(store, table_id) for table_id in range(1, TABLES + 1)]
    finished = asyncio.Event()
    waits: list[float] = []
    sent, batches, told = 0, 0, True

    def submit() -> None:
        nonlocal sent
        place = sent % TABLES
        table_id, after = place + 1, heads[place]
        sent += 1
        heads[place] += 1
        begun = time.perf_counter()

        def done(error: Exception | None) -> None:
            nonlocal told
            told = False
            if error is not None:
                raise error
            waits.append(time.perf_counter() - begun)
            if len(waits) == count:
                finished.set()
            elif sent < count:
                submit()

        event = EventRow(table_id, after + 1, 1_700_000_000_000, 4, ACTION, FACTS, f"r{after}")
        unit = Unit(appends=[Append(table_id, after, [event])], hints=[Hint("table", table_id, after + 1)])
        store.submit(unit, done)

    def hear(key: int | str, value: int | str) -> None:
        nonlocal batches, told  # the hints of a transaction come after all of its calls back
        batches += not told
        told = True

    leave = store.bus.subscribe("table", hear)
    begun = time.perf_counter()
    for _ in range(min(in_flight, count)):
        submit()
    await finished.wait()
    seconds = time.perf_counter() - begun
    await asyncio.sleep(0)
    leave()
    return Measured(count, seconds, waits, batches)


async def _head(store: Store, table_id: int) -> int:
    row = await store.one(_HEAD, id=table_id)
    assert row is not None
    return int(row.seq)


async def make_tables(store: Store) -> None:
    row = {
        "game": "mines", "variant": "classic", "door": "web", "name": "", "host_id": None, "access": "open",
        "invitation": "", "options": "{}", "time_control": "{}", "rated": True, "seats_least": 1,
        "seats_most": 10, "status": "running", "seq": 0, "due_at": None, "created_at": 1, "started_at": None,
        "ended_at": None, "result": None, "terms": None, "name_key": None,
        "looked_at": None, "sweep_at": None, "warned_at": None, "mastered": False, "anonymous": False,
    }  # fmt: skip
    new = Query(insert(game_table))
    await store.commit(Unit(writes=[Write(new, {"id": number, **row}) for number in range(1, TABLES + 1)]))


def bare_rows(count: int, first_table: int) -> list[Row]:
    return [
        (first_table + i % TABLES, 1 + i // TABLES, 1_700_000_000_000, 4, ACTION, FACTS, f"r{i // TABLES}")
        for i in range(count)
    ]


class Bare:
    """The driver alone, on a database of its own; each run writes to tables of its own."""

    def __init__(self, write: Callable[[list[Row], int], Awaitable[None]]) -> None:
        self._write = write
        self._next_table = 1

    async def rate(self, count: int, batch: int) -> float:
        rows = bare_rows(count, self._next_table)
        self._next_table += TABLES
        begun = time.perf_counter()
        await self._write(rows, batch)
        return count / (time.perf_counter() - begun)


async def measure(name: str, store: Store, bare: Bare, count: int, rounds: int, console: Console) -> None:
    await make_tables(store)
    await through_the_store(store, count // 10, 1000)
    table = Table(title=f"{name}: {count} events a run, {TABLES} tables, medians of {rounds} rounds")
    for heading in (
        "in flight", "events/s", "bare, one transaction", "ratio", "bare, same batches", "ratio", "batch",
        "p50 ms", "p99 ms",
    ):  # fmt: skip
        table.add_column(heading, justify="right")
    for in_flight in (1, 10, 100, 1000, 5000):
        many = count if in_flight >= 100 else count // 20
        runs, whole, alike = [], [], []
        for _ in range(rounds):
            runs.append(await through_the_store(store, many, in_flight))
            whole.append(await bare.rate(many, many))
            alike.append(await bare.rate(many, runs[-1].batch))
        rate = statistics.median(run.rate for run in runs)
        top, same = statistics.median(whole), statistics.median(alike)
        table.add_row(
            str(in_flight), f"{rate:.0f}", f"{top:.0f}", f"{rate / top:.2f}", f"{same:.0f}",
            f"{rate / same:.2f}", f"{statistics.median(run.batch for run in runs):.0f}",
            f"{statistics.median(run.p50 for run in runs):.2f}",
            f"{statistics.median(run.p99 for run in runs):.2f}",
        )  # fmt: skip
    console.print(table)
    begun = time.perf_counter()
    reads = 2000
    for _ in range(reads):
        await _head(store, 1)
    point = (time.perf_counter() - begun) / reads
    begun = time.perf_counter()
    events = await store.events(1)
    whole_log = time.perf_counter() - begun
    console.print(
        f"A point read {1e6 * point:.0f} µs; a log of {len(events)} events {1000 * whole_log:.0f} ms "
        f"({1e6 * whole_log / len(events):.1f} µs an event).\n"
    )


async def on_sqlite(folder: Path, count: int, rounds: int, console: Console) -> None:
    store = await open_store(folder / "store.sqlite")
    await (await open_store(folder / "bare.sqlite")).close()
    connection = sqlite3.connect(folder / "bare.sqlite", isolation_level=None)
    connection.execute("PRAGMA synchronous = FULL")

    async def write(rows: list[Row], batch: int) -> None:
        for start in range(0, len(rows), batch):
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany(SQLITE_INSERT, rows[start : start + batch])
            connection.execute("COMMIT")

    await measure("SQLite", store, Bare(write), count, rounds, console)
    connection.close()
    await store.close()


async def on_postgresql(count: int, rounds: int, console: Console) -> None:
    server = PostgresServer()
    try:
        server.start()
        store = await open_store(server.create_database())
        url = server.create_database()
        await (await open_store(url)).close()
        connection = await asyncpg.connect(url)

        async def write(rows: list[Row], batch: int) -> None:
            for start in range(0, len(rows), batch):
                async with connection.transaction():
                    await connection.executemany(POSTGRESQL_INSERT, rows[start : start + batch])

        await measure("PostgreSQL", store, Bare(write), count, rounds, console)
        await connection.close()
        await store.close()
    finally:
        server.close()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.store", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="smaller and shorter, to see that it works")
    parser.add_argument("--folder", type=Path, help="where the SQLite files go: the disk to be measured")
    asked = parser.parse_args()
    count, rounds = (2_000, 1) if asked.quick else (20_000, 3)
    console = Console(width=120)
    with tempfile.TemporaryDirectory(prefix="tablee-bench-", dir=asked.folder) as folder:
        uvloop.run(on_sqlite(Path(folder), count, rounds, console))
    uvloop.run(on_postgresql(count, rounds, console))
    return 0


if __name__ == "__main__":
    sys.exit(main())
