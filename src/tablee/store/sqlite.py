"""A house on one SQLite file: reads in the event loop, one thread that writes."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path
from typing import Any

from tablee.store.batch import MOST_WAITING, Job
from tablee.store.bus import Bus
from tablee.store.errors import Unavailable
from tablee.store.query import Query, Row
from tablee.store.sqlite_file import explained, open_to_read
from tablee.store.sqlite_writer import SqliteWriter
from tablee.store.store import LOG, Store, demand_select
from tablee.store.units import EventRow


class SqliteStore(Store):
    """What lasts, in one file."""

    kind = "sqlite"
    is_shared = False

    def __init__(self, path: Path, node_id: str, bus: Bus) -> None:
        super().__init__(node_id, bus)
        self.path = path
        self._closed = False
        self._reader = open_to_read(path)
        self._writer = SqliteWriter(path, self._settle, self._was_restored)

    @property
    def epoch(self) -> int:
        return self._writer.epoch

    def _submit_job(self, job: Job) -> None:
        if self._closed:
            job.error = Unavailable("The store is closed.")
        elif self._writer.waiting() >= MOST_WAITING:
            job.error = Unavailable("The disk does not keep up: too much waits to be written.")
        else:
            self._writer.put(job)
            return
        asyncio.get_running_loop().call_soon(self._settle, [job])

    async def rows(self, query: Query, **params: Any) -> list[Row]:
        demand_select(query)
        sql, bound = query.for_sqlite(params)
        return query.rows_of_sqlite(self._read(sql, bound))

    async def events(self, table_id: int, after: int = 0, limit: int | None = None) -> list[EventRow]:
        sql, bound = LOG.for_sqlite(
            {"table_id": table_id, "after": after, "limit": -1 if limit is None else limit}
        )
        return [EventRow(*row) for row in self._read(sql, bound)]

    def _read(self, sql: str, params: Any) -> list[tuple[Any, ...]]:
        if self._closed:
            raise Unavailable("The store is closed.")
        try:
            return self._reader.execute(sql, params).fetchall()
        except sqlite3.Error as error:
            raise explained(error, self.path) from error

    def healthy(self) -> str | None:
        return self._writer.trouble

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        await self._writer.close()
        await self.bus.close()
        self._reader.close()
