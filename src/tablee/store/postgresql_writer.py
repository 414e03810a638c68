"""The one task of a node that writes to PostgreSQL: all that waits shares one transaction."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tablee.store.batch import (
    MOST_UNITS,
    Chain,
    Job,
    count_differs,
    founds_a_table,
    sort_out,
    tables_of,
)
from tablee.store.bus import gathered
from tablee.store.counters import PROBE
from tablee.store.errors import Unavailable
from tablee.store.postgresql_bus import CHANNEL, payloads
from tablee.store.postgresql_server import (
    BATCH,
    EPOCH,
    HEADS,
    NOTIFY,
    Connection,
    connect,
    explained,
    is_trouble,
    may_pass,
)
from tablee.store.units import Unit, Write

RETRY_SECONDS = 0.5
"""Between two tries to reach a server that is gone."""

TRIES = 5
"""For a transaction that deadlocks with another node's."""


class PostgresqlWriter:
    """Takes jobs from the event loop, and gives them back in batches through `settle`."""

    def __init__(
        self,
        url: str,
        node_id: str,
        connection: Connection,
        epoch: int,
        settle: Callable[[Sequence[Job]], None],
        restored: Callable[[], None],
        notify: bool,
    ) -> None:
        self._url = url
        self._node_id = node_id
        self._connection: Connection | None = connection
        self.epoch = epoch
        self._settle = settle
        self._restored = restored
        self._notify = notify
        self._queue: deque[Job] = deque()
        self._woken = asyncio.Event()
        self._closing = False
        self.trouble: str | None = None
        self._task = asyncio.create_task(self._run(), name="tablee-writer")

    def put(self, job: Job) -> None:
        self._queue.append(job)
        self._woken.set()

    def waiting(self) -> int:
        return len(self._queue)

    async def close(self) -> None:
        """Write what is queued, then end."""
        self._closing = True
        self._woken.set()
        await self._task
        if self._connection is not None:
            with contextlib.suppress(Exception):
                await self._connection.close(timeout=2)

    async def _run(self) -> None:
        while True:
            if not self._queue:
                if self._closing:
                    return
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(
                        self._woken.wait(), None if self.trouble is None else RETRY_SECONDS
                    )
            self._woken.clear()
            jobs = [self._queue.popleft() for _ in range(min(len(self._queue), MOST_UNITS))]
            if self.trouble is not None and not jobs:
                jobs = [Job(Unit(writes=[PROBE]), lambda error: None)]
            if jobs:
                await self._write(jobs)

    async def _write(self, jobs: list[Job]) -> None:
        try:
            connection = await self._ready()
            for attempt in range(1, TRIES + 1):
                try:
                    await self._write_once(connection, jobs)
                    break
                except Exception as error:
                    if not may_pass(error) or attempt == TRIES:
                        raise
                    await self._roll_back(connection)
                    for job in jobs:  # what the failed attempt found wrong may be right in the next
                        job.error = None
            self.trouble = None
        except Exception as error:
            self.trouble = str(explained(error, self._url))
            if self._connection is not None:
                self._connection.terminate()
                self._connection = None
            # What came meanwhile was decided on what has just failed, or would only wait for a server
            # that is gone.
            jobs += self._queue
            self._queue.clear()
            for job in jobs:
                job.error = Unavailable(self.trouble)
        self._settle(jobs)

    async def _ready(self) -> Connection:
        if self._connection is None or self._connection.is_closed():
            self._connection = None
            self._connection = await connect(self._url)
        return self._connection

    async def _write_once(self, connection: Connection, jobs: Sequence[Job]) -> None:
        if not await self._all_at_once(connection, jobs):
            await self._with_care(connection, jobs)

    async def _all_at_once(self, connection: Connection, jobs: Sequence[Job]) -> bool:
        """Write all jobs on the assumption that none is wrong; False, and nothing written, if one is."""
        chain = Chain()
        if not chain.add_all(jobs):
            return False
        writing = [job for job in jobs if job.unit.writes]
        try:
            if not writing:
                return await self._append(connection, chain, jobs)
            await connection.execute("BEGIN")
            if await self._append(connection, chain, jobs):
                for job in writing:
                    await _run_writes(connection, job)
                await connection.execute("COMMIT")
                return True
        except Exception as error:
            if is_trouble(error) or may_pass(error):
                raise
        await self._roll_back(connection)
        return False

    async def _append(self, connection: Connection, chain: Chain, jobs: Sequence[Job]) -> bool:
        """Lay the chain on to the log; False, and nothing done, if a head or the epoch is another."""
        events = chain.events
        found = await connection.fetchrow(
            BATCH,
            self.epoch,
            list(chain.after),
            list(chain.after.values()),
            list(chain.last.values()),
            [event.table_id for event in events],
            [event.seq for event in events],
            [event.at for event in events],
            [event.seat for event in events],
            [event.action for event in events],
            [event.facts for event in events],
            [event.request_id for event in events],
            CHANNEL,
            self._payloads(jobs),
        )
        return found is not None and bool(found[0])

    def _payloads(self, jobs: Sequence[Job]) -> list[str]:
        if not self._notify:
            return []
        return payloads(self._node_id, gathered(hint for job in jobs for hint in job.unit.hints))

    async def _with_care(self, connection: Connection, jobs: Sequence[Job]) -> None:
        """Write all jobs that are right, in order, and give each of the others its error."""
        await connection.execute("BEGIN")
        epoch = await connection.fetchval(EPOCH)
        if epoch != self.epoch:
            await self._roll_back(connection)
            self.epoch = epoch
            self._restored()
            for job in jobs:
                job.error = Unavailable("The database was restored from a backup: start again from it.")
            return
        await self._group(connection, jobs)
        told = self._payloads([job for job in jobs if job.error is None])
        if told:
            await connection.execute(NOTIFY, CHANNEL, told)
        await connection.execute("COMMIT")

    async def _group(self, connection: Connection, jobs: Sequence[Job]) -> None:
        """Write jobs together; where one is wrong, halve until it stands alone."""
        await connection.execute("SAVEPOINT jobs")
        try:
            await self._together(connection, jobs)
        except Exception as error:
            if is_trouble(error) or may_pass(error):
                raise
            await connection.execute("ROLLBACK TO jobs")
            await connection.execute("RELEASE jobs")
            if len(jobs) == 1:
                jobs[0].error = explained(error, self._url)
            else:
                half = len(jobs) // 2
                await self._group(connection, jobs[:half])
                await self._group(connection, jobs[half:])
        else:
            await connection.execute("RELEASE jobs")

    async def _together(self, connection: Connection, jobs: Sequence[Job]) -> None:
        heads = await _heads(connection, jobs)
        founding = next((i for i, job in enumerate(jobs) if founds_a_table(job.unit, heads)), None)
        if founding is None:
            chain, fitting = sort_out(jobs, heads)
            await self._append(connection, chain, ())
            for job in fitting:
                await _run_writes(connection, job)
        elif len(jobs) > 1:
            for part in (jobs[:founding], jobs[founding : founding + 1], jobs[founding + 1 :]):
                if part:
                    await self._together(connection, part)
        else:
            job = jobs[0]
            await _run_writes(connection, job)
            chain, _ = sort_out(jobs, await _heads(connection, jobs))
            if job.error is not None:
                raise job.error
            await self._append(connection, chain, ())

    async def _roll_back(self, connection: Connection) -> None:
        if connection.is_in_transaction():
            await connection.execute("ROLLBACK")


async def _heads(connection: Connection, jobs: Sequence[Job]) -> dict[int, int]:
    tables = tables_of(jobs)
    if not tables:
        return {}
    return {row[0]: row[1] for row in await connection.fetch(HEADS, tables)}


async def _run_writes(connection: Connection, job: Job) -> None:
    job.rows = []
    for sql, alike in _alike(job.unit.writes):
        write, params = alike[0]
        if len(alike) > 1:
            await connection.executemany(sql, [each for _, each in alike])
            continue
        if write.query.returns:
            found: list[Any] = await connection.fetch(sql, *params)
            job.rows += write.query.rows_of_postgresql(found)
            count = len(found)
        else:
            count = int((await connection.execute(sql, *params)).rpartition(" ")[2])
        if write.expect is not None and count != write.expect:
            raise count_differs(write.expect, count)


def _alike(writes: Sequence[Write]) -> Iterator[tuple[str, list[tuple[Write, list[Any]]]]]:
    """The writes in order, each with its parameters; neighbours of one statement come together.

    They are one way to the server and back. Where somebody asks what a write found, it stands alone.
    """
    sql, alike = "", list[tuple[Write, list[Any]]]()
    for write in writes:
        statement, params = write.query.for_postgresql(write.params)
        asks = write.expect is not None or write.query.returns
        if alike and (asks or statement != sql):
            yield sql, alike
            alike = []
        sql = statement
        alike.append((write, params))
        if asks:
            yield sql, alike
            alike = []
    if alike:
        yield sql, alike
