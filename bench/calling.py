"""How long does it take to write to ten thousand members at once, beside bare inserts and a bare post?

Seven sit at each table of Diplomacy, and every deadline is near at the same moment. Measured are the calls as
they are written with their cause, the caller that makes letters of them, and the outbox that hands them over
to a real SMTP server in a process of its own. Beside the time that went by stands the processor time that the
house took for each, which other work on the machine changes little. Meanwhile something ticks in the event
loop, and how late it ticks is how long anybody else would have waited; what the loop itself computed between
two ticks is its own part in that. `python -m bench.calling [--quick] [--members 10000]`
"""

from __future__ import annotations

import argparse
import asyncio
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import aiosmtplib
import asyncpg
import msgspec
import uvloop
from aiosmtpd.smtp import SMTP, Envelope, Session
from rich.console import Console
from rich.table import Table
from sqlalchemy import delete, insert, select
from tests.kit.rooms import Rooms
from tests.kit.servers import PostgresServer

from tablee.clock import HandClock
from tablee.club.calling.calls import call_write
from tablee.club.letters import Letter
from tablee.club.people import Account, row_of_account
from tablee.club.post import Sender, SmtpPost, mail_handler
from tablee.store import Query, Unit, Write
from tablee.store.outbox import AT_ONCE, Outbox
from tablee.store.schema import account, call, outbox
from tablee.tables import TablePlan

DAY = 86_400_000
SENDER = Sender("club@exemple.fr", "Club")
MADE_AT_ONCE = 20
_ACCOUNT = Query(insert(account))
_OTHER_CALLS = Query(delete(call).where(call.c.kind != "deadline_near"))
_CALLS = Query(select(call))
_LETTERS = Query(select(outbox).order_by(outbox.c.id))
_NO_LETTERS = Query(delete(outbox))

Execute = Callable[[str, Sequence[Sequence[Any]]], Awaitable[None]]
"""Runs a statement for many rows, with the driver alone."""


class Ticks:
    """How late something is that would be done every millisecond, and what the loop computed meanwhile."""

    def __init__(self) -> None:
        self.late: list[float] = []
        self.computed: list[float] = []

    async def tick(self) -> None:
        while True:
            begun, worked = time.perf_counter(), time.thread_time()
            await asyncio.sleep(0.001)
            self.late.append(1000 * (time.perf_counter() - begun) - 1)
            self.computed.append(1000 * (time.thread_time() - worked))

    def __str__(self) -> str:
        figures = (_p99(self.late), max(self.late), _p99(self.computed), max(self.computed))
        return "{:.1f} / {:.1f} · {:.1f} / {:.1f}".format(*figures)


def _p99(milliseconds: list[float]) -> float:
    return sorted(milliseconds)[int(0.99 * (len(milliseconds) - 1))]


@asynccontextmanager
async def ticking() -> AsyncIterator[Ticks]:
    ticks = Ticks()
    task = asyncio.create_task(ticks.tick())
    yield ticks
    task.cancel()


class Took:
    """How long something took, by the clock and of the processor, since it was begun."""

    def __init__(self) -> None:
        self._begun, self._worked = time.perf_counter(), time.process_time()
        self.seconds = self.processor = 0.0

    def end(self) -> Took:
        self.seconds = time.perf_counter() - self._begun
        self.processor = time.process_time() - self._worked
        return self


class Measured:
    """Rows of one table: what the house takes, what the bare driver or library takes, and their ratio."""

    def __init__(self, name: str) -> None:
        self.table = Table(title=name)
        for heading in (
            "",
            "number",
            "seconds",
            "a second",
            "bare",
            "ratio",
            "processor ms each, house / bare",
            "loop: late p99 / most · computed p99 / most, ms",
        ):
            self.table.add_column(heading, justify="right" if heading else "left")

    def row(self, what: str, number: int, took: Took, bare: Took, ticks: Ticks) -> None:
        self.table.add_row(
            what, str(number), f"{took.seconds:.2f}", f"{number / took.seconds:.0f}",
            f"{number / bare.seconds:.0f}", f"{bare.seconds / took.seconds:.2f}",
            f"{1000 * took.processor / number:.2f} / {1000 * bare.processor / number:.2f}", str(ticks),
        )  # fmt: skip


async def furnish(house: Rooms, clock: HandClock, members: int) -> int:
    """So many members at tables of seven, whose deadlines are all near at one moment; how many they are."""
    tables = -(-members // 7)
    rows = [_member(number, clock.now()) for number in range(1, 7 * tables + 1)]
    for start in range(0, len(rows), 1_000):
        writes = [Write(_ACCOUNT, row) for row in rows[start : start + 1_000]]
        await house.store.commit(Unit(writes=writes))
    await house.store.new_id("account", block=len(rows) + 1_000)
    options = {"calendar": True, "first_deadline": clock.now() + 3 * DAY}

    async def make(first: int) -> None:
        for place in range(first, tables, MADE_AT_ONCE):
            seven = [7 * place + seat for seat in range(1, 8)]
            plan = TablePlan("diplomacy", "standard", options, people=seven, seats=7, name=f"Europe {place}")
            await house.tables.creating.create(plan)

    await asyncio.gather(*(make(first) for first in range(MADE_AT_ONCE)))
    await house.tables.quiet()
    await house.store.change(_OTHER_CALLS)
    for loaded in tuple(house.tables.loaded.values()):
        house.tables.drop(loaded)
    return len(rows)


def _member(number: int, at: int) -> dict[str, Any]:
    who = Account(
        id=number, kind="member", role="player", pseudo=f"Membre{number}",
        email=f"membre{number}@exemple.fr", email_confirmed=True, first_name="", family_name="",
        telephone="", country="", time_zone="", stand_in=False, language="fr", settings={}, created_at=at,
        seen_at=at, identified_at=at, deleted_at=None, banned_until=None,
    )  # fmt: skip
    return {**row_of_account(who), "password_hash": None}


def _insert(table: str, columns: int, mark: Callable[[int], str]) -> str:
    return f'INSERT INTO "{table}" VALUES ({", ".join(mark(place) for place in range(1, columns + 1))})'


async def calls_with_their_cause(
    house: Rooms, clock: HandClock, members: int, execute: Execute, mark: Callable[[int], str], said: Measured
) -> None:
    """A call for each member, in the transactions of as many tables as there are."""
    at = clock.now() + 30 * DAY
    writes = [
        call_write(who, "deadline_near", at, table_id=1_000_000 + who // 7, what=f"{at} 1", about={"by": at})
        for who in range(1, members + 1)
    ]
    units = [Unit(writes=writes[start : start + 7]) for start in range(0, members, 7)]
    async with ticking() as ticks:
        took = Took()
        await asyncio.gather(*(house.store.commit(unit) for unit in units))
        took.end()
    names = [column.name for column in call.columns]
    rows = [
        [{**write.params, "new_account_id": 1_000_000 + who}[f"new_{name}"] for name in names]
        for who, write in enumerate(writes, 1)
    ]
    bare = Took()
    await execute(_insert("call", len(names), mark) + " ON CONFLICT DO NOTHING", rows)
    said.row("calls written with their cause", members, took, bare.end(), ticks)


async def letters(
    house: Rooms, clock: HandClock, execute: Execute, mark: Callable[[int], str], said: Measured
) -> None:
    """The caller, when a day is left for everybody; the bare driver writes the same rows anew."""
    clock._now += 2 * DAY
    async with ticking() as ticks:
        took = Took()
        number = await house.club.caller.write_letters()
        took.end()
    rows = [list(row) for row in await house.store.rows(_LETTERS)]
    told = [row for row in await house.store.rows(_CALLS) if row.mailed_at is not None]
    assert number == len(rows) == len(told), (number, len(rows), len(told))
    await house.store.change(_NO_LETTERS)
    settle = (
        f'UPDATE "call" SET mail_at = NULL, mailed_at = {mark(1)} WHERE account_id = {mark(2)} '
        f"AND table_id = {mark(3)} AND kind = {mark(4)} AND what = {mark(5)}"
    )
    bare = Took()
    await execute(_insert("outbox", len(rows[0]), mark), rows)
    await execute(settle, [[row.mailed_at, *row[:4]] for row in told])
    said.row("letters laid in the outbox", number, took, bare.end(), ticks)


async def posted(house: Rooms, clock: HandClock, port: int, most: int, said: Measured) -> None:
    """The outbox hands letters over; `aiosmtplib` the same letters, made beforehand, as many at a time."""
    found = await house.store.rows(_LETTERS)
    for row in found[most:]:
        await house.store.change(Query(delete(outbox).where(outbox.c.id == row.id)))
    made = [
        (row, SENDER.content(row.id, msgspec.json.decode(row.payload, type=Letter))) for row in found[:most]
    ]
    post = SmtpPost(f"smtp://127.0.0.1:{port}", SENDER)
    async with ticking() as ticks:
        took = Took()
        number = await Outbox(house.store, clock, {"mail": mail_handler(post)}).run_due()
        took.end()
    assert number == len(made)

    async def on_one_connection(first: int) -> None:
        async with aiosmtplib.SMTP(hostname="127.0.0.1", port=port, local_hostname="localhost") as client:
            for row, content in made[first::AT_ONCE]:
                await client.sendmail(SENDER.address, [f"membre{row.account_id}@exemple.fr"], content)

    async def on_a_connection_each(first: int) -> None:
        for row, content in made[first::AT_ONCE]:
            async with aiosmtplib.SMTP(hostname="127.0.0.1", port=port, local_hostname="localhost") as client:
                await client.sendmail(SENDER.address, [f"membre{row.account_id}@exemple.fr"], content)

    for what, way in (("kept", on_one_connection), ("one a letter", on_a_connection_each)):
        bare = Took()
        await asyncio.gather(*(way(first) for first in range(AT_ONCE)))
        said.row(f"letters handed over; bare connections {what}", number, took, bare.end(), ticks)


async def measure(
    name: str, database: str | Path, execute: Execute, mark: Callable[[int], str], members: int, port: int
) -> None:
    clock = HandClock()
    house = await Rooms.open(database, clock)
    members = await furnish(house, clock, members)
    said = Measured(name)
    await calls_with_their_cause(house, clock, members, execute, mark, said)
    await letters(house, clock, execute, mark, said)
    await posted(house, clock, port, 2_000, said)
    Console(width=170).print(said.table)
    await house.close()


async def on_sqlite(folder: Path, members: int, port: int) -> None:
    file = folder / "tablee.sqlite"
    connection: sqlite3.Connection | None = None

    async def execute(statement: str, rows: Sequence[Sequence[Any]]) -> None:
        nonlocal connection
        if connection is None:
            connection = sqlite3.connect(file, isolation_level=None)
            connection.execute("PRAGMA synchronous = FULL")
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany(statement, rows)
        connection.execute("COMMIT")

    await measure("SQLite", f"sqlite:///{file}", execute, lambda place: "?", members, port)
    if connection is not None:
        connection.close()


async def on_postgresql(members: int, port: int) -> None:
    server = PostgresServer()
    try:
        server.start()
        url = server.create_database()
        connection = await asyncpg.connect(url)

        async def execute(statement: str, rows: Sequence[Sequence[Any]]) -> None:
            async with connection.transaction():
                await connection.executemany(statement, rows)

        await measure("PostgreSQL", url, execute, lambda place: f"${place}", members, port)
        await connection.close()
    finally:
        server.close()


class Sink:
    """A mail server that takes everything."""

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        return "250 OK"


async def take_letters(descriptor: int) -> None:
    loop = asyncio.get_running_loop()
    listening = socket.socket(fileno=descriptor)
    server = await loop.create_server(lambda: SMTP(Sink(), hostname="localhost", loop=loop), sock=listening)
    await server.serve_forever()


@contextmanager
def mail_server() -> Any:
    """The port of a mail server in a process of its own."""
    with socket.create_server(("127.0.0.1", 0), backlog=100) as listening:
        descriptor = listening.fileno()
        command = [sys.executable, "-m", "bench.calling", "--take-letters", str(descriptor)]
        process = subprocess.Popen(command, pass_fds=[descriptor])
        try:
            yield listening.getsockname()[1]
        finally:
            process.terminate()
            process.wait()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.calling", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few members, to see that it works")
    parser.add_argument("--members", type=int, default=10_000)
    parser.add_argument("--folder", type=Path, help="where the SQLite file goes: the disk to be measured")
    parser.add_argument("--take-letters", type=int, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.take_letters is not None:
        uvloop.run(take_letters(asked.take_letters))
    members = 210 if asked.quick else asked.members
    with mail_server() as port:
        with tempfile.TemporaryDirectory(prefix="tablee-bench-", dir=asked.folder) as folder:
            uvloop.run(on_sqlite(Path(folder), members, port))
        uvloop.run(on_postgresql(members, port))
    return 0


if __name__ == "__main__":
    sys.exit(main())
