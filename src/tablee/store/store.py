"""What lasts, as the rest of the house sees it, whichever database keeps it."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, Literal

from sqlalchemy import bindparam, select

from tablee.store.batch import Done, Job
from tablee.store.bus import Bus, Unsubscribe, gathered, report
from tablee.store.counters import Counters
from tablee.store.errors import Refused
from tablee.store.query import Query, Row, upsert
from tablee.store.schema import event, snapshot
from tablee.store.units import EventRow, Unit, Write

Kind = Literal["sqlite", "postgresql"]


class Store(ABC):
    """Reads, and units that are written in the order in which they were submitted."""

    kind: Kind
    is_shared: bool
    """Whether other nodes may write to it too."""

    @property
    @abstractmethod
    def epoch(self) -> int:
        """A number that every restore of a backup makes another, as this node has last seen it."""

    def __init__(self, node_id: str, bus: Bus) -> None:
        self.node_id = node_id
        self.bus = bus
        self._counters = Counters(self)
        self._restored: list[Callable[[], object]] = []
        self.watch: Callable[[Sequence[Job]], None] | None = None
        """Called with every batch that has ended, for the figures of the house."""

    def submit(self, unit: Unit, done: Done) -> None:
        """Queue a unit. `done` runs once in the event loop: None when durable, else why it is not.

        The `done`s of one table come in the order of its units. After them the unit's hints are told.
        """
        self._submit_job(Job(unit, done))

    async def commit(self, unit: Unit) -> None:
        """Write a unit. Raises Conflict, Duplicate, Refused or Unavailable.

        Who stops waiting does not stop the unit.
        """
        await _told(self._submit_job, unit)

    async def change(self, query: Query, **params: Any) -> list[Row]:
        """Run one insert, update or delete as a transaction and give what it returns; raises like commit."""
        job = await _told(self._submit_job, Unit(writes=[Write(query, params)]))
        return job.rows

    @abstractmethod
    def _submit_job(self, job: Job) -> None: ...

    @abstractmethod
    async def rows(self, query: Query, **params: Any) -> list[Row]:
        """All rows of a select. Raises Unavailable."""

    async def one(self, query: Query, **params: Any) -> Row | None:
        """The first row of a select, or None. Raises Unavailable."""
        found = await self.rows(query, **params)
        return found[0] if found else None

    async def new_id(self, name: str, block: int = 100) -> int:
        """A number that was never given before under this name. Numbers are fetched `block` at a time."""
        return await self._counters.next(name, block)

    @abstractmethod
    async def events(self, table_id: int, after: int = 0, limit: int | None = None) -> list[EventRow]:
        """The log of a table from the event after `after` on."""

    async def load_snapshot(self, table_id: int) -> Row | None:
        """The last snapshot of a table: `seq`, `rules_version`, `content`."""
        return await self.one(_SNAPSHOT, table_id=table_id)

    @abstractmethod
    def healthy(self) -> str | None:
        """None while the database takes what is written, else a sentence on what is wrong."""

    def on_restored(self, callback: Callable[[], object]) -> Unsubscribe:
        """Call `callback` when a backup has replaced the database: nothing held in memory is true then."""
        self._restored.append(callback)
        return lambda: self._restored.remove(callback) if callback in self._restored else None

    @abstractmethod
    async def close(self) -> None:
        """Write what is queued, tell everybody, and let go of the database."""

    def _settle(self, jobs: Sequence[Job]) -> None:
        """Tell a batch how it ended, then let its hints out."""
        if self.watch is not None:
            try:
                self.watch(jobs)
            except Exception as error:
                report("counting a batch failed", error)
        for job in jobs:
            try:
                job.done(job.error)
            except Exception as error:
                report("what follows a commit failed", error)
        hints = [hint for job in jobs if job.error is None for hint in job.unit.hints]
        if hints:
            if self.bus.carried_by_commit:
                self.bus.deliver(gathered(hints))
            else:
                self.bus.publish(gathered(hints))

    def _was_restored(self) -> None:
        self._counters.forget()
        for callback in tuple(self._restored):
            try:
                callback()
            except Exception as error:
                report("starting afresh after a restore failed", error)


def keep_snapshot(table_id: int, seq: int, rules_version: int, content: str) -> Write:
    """The write that keeps a snapshot, unless a later one is there."""
    return Write(
        _KEEP_SNAPSHOT,
        {"table_id": table_id, "seq": seq, "rules_version": rules_version, "content": content},
    )


def demand_select(query: Query) -> None:
    if not query.reads:
        raise Refused("rows and one are for a select: a statement that writes goes through change")


async def _told(submit: Callable[[Job], None], unit: Unit) -> Job:
    """Submit and wait to be told; a waiter that is gone is not told."""
    waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def done(error: Exception | None) -> None:
        if waiter.done():
            return
        if error is None:
            waiter.set_result(None)
        else:
            waiter.set_exception(error)

    job = Job(unit, done)
    submit(job)
    await waiter
    return job


_SNAPSHOT = Query(
    select(snapshot.c.seq, snapshot.c.rules_version, snapshot.c.content).where(
        snapshot.c.table_id == bindparam("table_id")
    )
)
_KEEP_SNAPSHOT = Query(upsert(snapshot, where=lambda offered: snapshot.c.seq < offered.seq))
LOG = Query(
    select(*(event.c[name] for name in EventRow.__struct_fields__))
    .where(event.c.table_id == bindparam("table_id"), event.c.seq > bindparam("after"))
    .order_by(event.c.seq)
    .limit(bindparam("limit"))
)
