"""A house on PostgreSQL: reads through a pool, one task of each node that writes."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import asyncpg

from tablee.store.batch import MOST_WAITING, Job
from tablee.store.bus import Bus
from tablee.store.errors import Unavailable
from tablee.store.postgresql_server import (
    COMMAND_SECONDS,
    CONNECT_SECONDS,
    EPOCH,
    connect,
    explained,
    is_trouble,
    set_up,
)
from tablee.store.postgresql_writer import PostgresqlWriter
from tablee.store.query import Query, Row
from tablee.store.store import LOG, Store, demand_select
from tablee.store.units import EventRow

MOST_READERS = 8


class PostgresqlStore(Store):
    """What lasts, on a server that any number of nodes share."""

    kind = "postgresql"
    is_shared = True

    def __init__(self, url: str, node_id: str, bus: Bus, pool: Any, writer: Any, epoch: int) -> None:
        super().__init__(node_id, bus)
        self.url = url
        self._closed = False
        self._pool: asyncpg.Pool[asyncpg.Record] = pool
        self._writer = PostgresqlWriter(
            url, node_id, writer, epoch, self._settle, self._was_restored, bus.carried_by_commit
        )

    @classmethod
    async def open(cls, url: str, node_id: str, bus: Bus) -> PostgresqlStore:
        """Connect to a database that is up to date. Raises Unavailable."""
        writer = await connect(url)
        try:
            epoch = await writer.fetchval(EPOCH)
            pool = await asyncpg.create_pool(
                url,
                min_size=1,
                max_size=MOST_READERS,
                timeout=CONNECT_SECONDS,
                command_timeout=COMMAND_SECONDS,
                init=set_up,
            )
        except Exception as error:
            writer.terminate()
            raise explained(error, url) from error
        return cls(url, node_id, bus, pool, writer, epoch)

    @property
    def epoch(self) -> int:
        return self._writer.epoch

    def _submit_job(self, job: Job) -> None:
        if self._closed:
            job.error = Unavailable("The store is closed.")
        elif self._writer.trouble is not None:
            job.error = Unavailable(self._writer.trouble)
        elif self._writer.waiting() >= MOST_WAITING:
            job.error = Unavailable("The database does not keep up: too much waits to be written.")
        else:
            self._writer.put(job)
            return
        asyncio.get_running_loop().call_soon(self._settle, [job])

    async def rows(self, query: Query, **params: Any) -> list[Row]:
        demand_select(query)
        sql, bound = query.for_postgresql(params)
        return query.rows_of_postgresql(await self._read(sql, bound))

    async def events(self, table_id: int, after: int = 0, limit: int | None = None) -> list[EventRow]:
        sql, bound = LOG.for_postgresql({"table_id": table_id, "after": after, "limit": limit})
        return [EventRow(*row) for row in await self._read(sql, bound)]

    async def _read(self, sql: str, params: Sequence[Any]) -> Sequence[Any]:
        if self._closed:
            raise Unavailable("The store is closed.")
        try:
            try:
                return await self._pool.fetch(sql, *params)
            except Exception as error:
                # A pooled connection may have died while nobody looked: a fresh one tells for sure.
                if not is_trouble(error) or isinstance(error, TimeoutError):
                    raise
                return await self._pool.fetch(sql, *params)
        except Exception as error:
            raise explained(error, self.url) from error

    def healthy(self) -> str | None:
        return self._writer.trouble

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        await self._writer.close()
        await self.bus.close()
        try:
            await asyncio.wait_for(self._pool.close(), 5)
        except Exception:
            self._pool.terminate()
