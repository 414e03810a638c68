"""The one thread that writes to the SQLite file: all that waits shares one transaction, one fsync."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from queue import Empty, SimpleQueue

import msgspec

from tablee.store.batch import (
    MOST_UNITS,
    Chain,
    Job,
    count_differs,
    founds_a_table,
    sort_out,
    tables_of,
)
from tablee.store.counters import PROBE
from tablee.store.errors import StoreError, Unavailable
from tablee.store.sqlite_file import BATCH, EPOCH, HEADS, explained, inode, is_trouble, open_to_write
from tablee.store.units import Unit

PROBE_SECONDS = 1.0
"""How often a file in trouble is tried while nobody writes."""


class SqliteWriter:
    """Takes jobs from the event loop, and gives them back in batches through `settle`."""

    def __init__(
        self,
        path: Path,
        settle: Callable[[Sequence[Job]], None],
        restored: Callable[[], None],
    ) -> None:
        self._path = path
        self._settle = settle
        self._restored = restored
        self._loop = asyncio.get_running_loop()
        self._queue: SimpleQueue[Job | None] = SimpleQueue()
        self._ended = asyncio.Event()
        self._connection: sqlite3.Connection | None = open_to_write(path)
        self._inode = inode(path)
        self.epoch: int = self._connection.execute(EPOCH).fetchone()[0]
        self.trouble: str | None = None
        self.put = self._queue.put
        self.waiting = self._queue.qsize
        self._thread = threading.Thread(target=self._run, name="tablee-writer", daemon=True)
        self._thread.start()

    async def close(self) -> None:
        """Write what is queued, then end."""
        self._queue.put(None)
        await self._ended.wait()
        self._thread.join()

    # --- in the thread ----------------------------------------------------------------------------------

    def _run(self) -> None:
        going_on = True
        while going_on:
            jobs, going_on = self._gather()
            if jobs:
                self._write(jobs)
                self._tell(self._settle, jobs)
        if self._connection is not None:
            self._connection.close()
        self._tell(self._ended.set)

    def _gather(self) -> tuple[list[Job], bool]:
        """All that waits, up to a limit, and whether to go on after it."""
        try:
            first = self._queue.get(timeout=None if self.trouble is None else PROBE_SECONDS)
        except Empty:
            return [Job(Unit(writes=[PROBE]), lambda error: None)], True
        if first is None:
            return [], False
        jobs = [first]
        for _ in range(min(self._queue.qsize(), MOST_UNITS - 1)):
            job = self._queue.get()
            if job is None:
                return jobs, False
            jobs.append(job)
        return jobs, True

    def _tell(self, what: Callable[..., None], *about: Sequence[Job]) -> None:
        try:
            self._loop.call_soon_threadsafe(what, *about)
        except RuntimeError:  # the loop is closed: nobody is left to be told
            self.trouble = "The event loop has ended."

    def _write(self, jobs: list[Job]) -> None:
        try:
            connection = self._ready()
            if not self._all_at_once(connection, jobs):
                self._with_care(connection, jobs)
            self.trouble = None
        except Exception as error:
            self._give_up(error)
            self.trouble = str(explained(error, self._path))
            for job in jobs:
                job.error = Unavailable(self.trouble)

    def _ready(self) -> sqlite3.Connection:
        """The connection, while the file that it writes to is the one at the path. Raises Unavailable."""
        if inode(self._path) != self._inode:
            # Writing on would fill a file that nobody will ever read, and opening another one would mix
            # its content with the log that SQLite keeps beside the first.
            raise Unavailable(
                f"The database {self._path} was moved or replaced while in use: put the file itself back, "
                "or end Tablée before you change it."
            )
        if self._connection is None:
            self._connection = open_to_write(self._path)
        return self._connection

    def _all_at_once(self, connection: sqlite3.Connection, jobs: Sequence[Job]) -> bool:
        """Write all jobs on the assumption that none is wrong; False, and nothing written, if one is."""
        chain = Chain()
        if not chain.add_all(jobs):
            return False
        writing = [job for job in jobs if job.unit.writes]
        try:
            if not writing:
                self._append(connection, chain)
                return True
            connection.execute("BEGIN IMMEDIATE")
            self._append(connection, chain)
            for job in writing:
                _run_writes(connection, job)
            connection.execute("COMMIT")
        except Exception as error:
            if is_trouble(error):
                raise
            _roll_back(connection)
            return False
        return True

    def _append(self, connection: sqlite3.Connection, chain: Chain) -> None:
        heads = [(table_id, after, chain.last[table_id]) for table_id, after in chain.after.items()]
        connection.execute(BATCH, (self.epoch, _json(heads), _json(chain.events)))

    def _with_care(self, connection: sqlite3.Connection, jobs: Sequence[Job]) -> None:
        """Write all jobs that are right, in order, and give each of the others its error."""
        connection.execute("BEGIN IMMEDIATE")
        epoch = connection.execute(EPOCH).fetchone()[0]
        if epoch != self.epoch:
            _roll_back(connection)
            self.epoch = epoch
            self._tell(self._restored)
            for job in jobs:
                job.error = Unavailable("The database was restored from a backup: start again from it.")
            return
        self._group(connection, jobs)
        connection.execute("COMMIT")

    def _group(self, connection: sqlite3.Connection, jobs: Sequence[Job]) -> None:
        """Write jobs together; where one is wrong, halve until it stands alone."""
        connection.execute("SAVEPOINT jobs")
        try:
            self._together(connection, jobs)
        except Exception as error:
            if is_trouble(error):
                raise
            connection.execute("ROLLBACK TO jobs")
            connection.execute("RELEASE jobs")
            if len(jobs) == 1:
                jobs[0].error = explained(error, self._path)
            else:
                half = len(jobs) // 2
                self._group(connection, jobs[:half])
                self._group(connection, jobs[half:])
        else:
            connection.execute("RELEASE jobs")

    def _together(self, connection: sqlite3.Connection, jobs: Sequence[Job]) -> None:
        heads = dict(connection.execute(HEADS, (_json(tables_of(jobs)),)).fetchall())
        founding = next((i for i, job in enumerate(jobs) if founds_a_table(job.unit, heads)), None)
        if founding is None:
            chain, fitting = sort_out(jobs, heads)
            self._append(connection, chain)
            for job in fitting:
                _run_writes(connection, job)
        elif len(jobs) > 1:
            for part in (jobs[:founding], jobs[founding : founding + 1], jobs[founding + 1 :]):
                if part:
                    self._together(connection, part)
        else:
            job = jobs[0]
            _run_writes(connection, job)
            heads = dict(connection.execute(HEADS, (_json(tables_of(jobs)),)).fetchall())
            chain, _ = sort_out(jobs, heads)
            if job.error is not None:
                raise job.error
            self._append(connection, chain)

    def _give_up(self, error: Exception) -> None:
        """After a failure nothing of the transaction may linger; a connection in doubt is opened anew."""
        if self._connection is None:
            return
        try:
            _roll_back(self._connection)
        except sqlite3.Error:
            self._connection.close()
            self._connection = None
            return
        if not isinstance(error, StoreError):
            self._connection.close()
            self._connection = None


def _run_writes(connection: sqlite3.Connection, job: Job) -> None:
    job.rows = []
    for write in job.unit.writes:
        sql, params = write.query.for_sqlite(write.params)
        cursor = connection.execute(sql, params)
        count = cursor.rowcount
        if write.query.returns:
            found = write.query.rows_of_sqlite(cursor.fetchall())
            job.rows += found
            count = len(found)
        if write.expect is not None and count != write.expect:
            raise count_differs(write.expect, count)


def _roll_back(connection: sqlite3.Connection) -> None:
    if connection.in_transaction:
        connection.execute("ROLLBACK")


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
