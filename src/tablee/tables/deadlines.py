"""What is due: a heap with one timer for the tables of this node, a sweep for all others."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Awaitable, Callable

import structlog

from tablee.clock import Clock, Instant, Timer
from tablee.store import Store, StoreError, TimeOwed, Unavailable
from tablee.tables import rows
from tablee.tables.errors import TableClosed
from tablee.tables.loaded import LoadedTable
from tablee.tables.submission import Outcome

log = structlog.get_logger("tablee.tables")

LEASE = 10_000
"""A due table that one node has claimed is left alone by the others for so long."""
CLAIM_AT_MOST = 100
LOOK_AGAIN = 250
"""A table that is busy with its log cannot be looked at; its news or this timer bring us back."""


class Deadlines:
    """One timer for the earliest due time of the loaded tables; tables that nobody has loaded are swept."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        loaded: dict[int, LoadedTable],
        open_table: Callable[[int], Awaitable[LoadedTable]],
    ) -> None:
        self._store = store
        self._clock = clock
        self._loaded = loaded
        self._open = open_table
        self.read_first: Callable[[], Awaitable[object]] | None = None
        """What is done before a game by days is looked at: orders that lie in a mailbox are in time."""
        self.is_by_days: Callable[[LoadedTable], bool] = lambda loaded: False
        self._held: dict[int, asyncio.Task[None]] = {}
        """Tables that are due, and for which that is being done."""
        self._heap: list[tuple[Instant, int]] = []
        self._scheduled: dict[int, Instant] = {}
        self._timer: Timer | None = None
        self._timer_at: Instant = 0
        self._giving_back = False
        """Whether tables still stand by a time that is no longer that of the house: nothing is due yet."""
        self._owed: TimeOwed | None = None
        """What every table is given back just now."""
        self._given: dict[int, asyncio.Future[Outcome]] = {}
        """Tables that were asked to take it, and what came of that."""

    def schedule(self, loaded: LoadedTable) -> None:
        """See to it that the table is looked at in time. An earlier look that is planned already will do."""
        due = loaded.due()
        if due is None or loaded.info.id in self._held:
            return
        if due <= self._clock.now() and not loaded.can_look:
            due = self._clock.now() + LOOK_AGAIN
        table_id = loaded.info.id
        planned = self._scheduled.get(table_id)
        if planned is not None and planned <= due:
            return
        self._scheduled[table_id] = due
        heapq.heappush(self._heap, (due, table_id))
        self._set_timer()

    def watch(self, loaded: LoadedTable) -> None:
        """A table was read. Whoever wanted it must not play on it before it has what it is owed."""
        if self._owed is not None and loaded.info.id not in self._given:
            taken = loaded.give_back(self._owed.milliseconds, self._owed.name)
            if taken is not None:
                self._given[loaded.info.id] = taken

    def forget(self, table_id: int) -> None:
        self._scheduled.pop(table_id, None)

    def close(self) -> None:
        for task in self._held.values():
            task.cancel()
        if self._timer is not None:
            self._timer.cancel()
        self._heap.clear()
        self._scheduled.clear()

    def _set_timer(self) -> None:
        if not self._heap:
            return
        first = self._heap[0][0]
        if self._timer is not None:
            if self._timer_at <= first:
                return
            self._timer.cancel()
        self._timer_at = first
        self._timer = self._clock.call_at(first, self._ring)

    def _ring(self) -> None:
        self._timer = None
        if self._giving_back:
            return
        now = self._clock.now()
        while self._heap and self._heap[0][0] <= now:
            due, table_id = heapq.heappop(self._heap)
            if self._scheduled.get(table_id) != due:
                continue
            del self._scheduled[table_id]
            loaded = self._loaded.get(table_id)
            if loaded is not None:
                self._look(loaded)
        self._set_timer()

    def _look(self, loaded: LoadedTable) -> None:
        due = loaded.due()
        is_due = due is not None and due <= self._clock.now()
        if self.read_first is not None and is_due and self.is_by_days(loaded):
            if loaded.info.id not in self._held:
                looking = self._look_after(self.read_first, loaded.info.id)
                self._held[loaded.info.id] = asyncio.create_task(looking)
            return
        loaded.look()
        self.schedule(loaded)

    async def _look_after(self, first: Callable[[], Awaitable[object]], table_id: int) -> None:
        """Look at a table once what comes first is done, whatever came of that."""
        try:
            await first()
        except Exception:
            log.exception("not_read_first", table=table_id)
        finally:
            del self._held[table_id]
        loaded = self._loaded.get(table_id)
        if loaded is not None:
            loaded.look()
            self.schedule(loaded)

    async def sweep(self) -> int:
        """Look at every table whose time has come, whoever had it last; answers how many there were."""
        found = 0
        while not self._giving_back:
            now = self._clock.now()
            try:
                claimed = await self._store.change(
                    rows.CLAIM_DUE, b_now=now, b_until=now + LEASE, b_limit=CLAIM_AT_MOST
                )
            except StoreError as error:
                log.warning("sweep_failed", error=str(error))
                return found
            for row in claimed:
                try:
                    loaded = await self._open(row.id)
                except Exception:
                    log.exception("due_table_unreadable", table=row.id)
                    continue
                loaded.leased()
                self._look(loaded)
            found += len(claimed)
            if len(claimed) < CLAIM_AT_MOST:
                break
        return found

    async def give_back(self, owed: TimeOwed) -> None:
        """No node ran for so long: running clocks and alarms get that time back. Raises Unavailable."""
        self._owed = owed
        try:
            await self._give_all()
        finally:
            self._owed = None
            self._given.clear()

    async def stepped(self, owed: TimeOwed) -> None:
        """The time of the house was changed by so much: running clocks and alarms move with it, dates stay.

        Raises Unavailable, where some table may not have it; whoever has it is not given it twice.
        """
        self._giving_back = True
        try:
            # At once, before anybody looks or plays on the new time with a clock that stands by the old one.
            self._owed = owed
            for loaded in tuple(self._loaded.values()):
                self.watch(loaded)
            await self.give_back(owed)
        finally:
            self._giving_back = False
            self._plan_anew()

    def _plan_anew(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._heap.clear()
        self._scheduled.clear()
        for loaded in self._loaded.values():
            self.schedule(loaded)

    async def _give_all(self) -> None:
        for row in await self._store.rows(rows.TIMED):
            try:
                self.watch(await self._open(row.id))
            except Unavailable:
                raise
            except Exception:
                log.exception("timed_table_unreadable", table=row.id)
        for outcome in await asyncio.gather(*self._given.values()):
            if isinstance(outcome.error, Unavailable | TableClosed):
                raise Unavailable("not every table was given its time back")
