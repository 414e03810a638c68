"""Who is connected to which seat. What presence means to a game is in its log, as `Away` and `Back`."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

import structlog

from tablee.rules.contract import Action, Away, Back, Illegal, Seat
from tablee.store import StoreError, Unit, Write
from tablee.tables import rows
from tablee.tables.errors import TableError

if TYPE_CHECKING:
    from tablee.tables.hall import Tables

log = structlog.get_logger("tablee.tables")


class Presence:
    """Connections of this node, counted by seat; a row in the database for every seat with at least one."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._store = tables.store
        self._here: dict[int, Counter[tuple[Seat, int]]] = {}
        self._locks: defaultdict[tuple[int, Seat], asyncio.Lock] = defaultdict(asyncio.Lock)

    def anybody_at(self, table_id: int) -> bool:
        return table_id in self._here

    def is_here(self, table_id: int, seat: Seat) -> bool:
        """Whether this seat is connected to this node."""
        return any(taken == seat for taken, _ in self._here.get(table_id, ()))

    async def arrive(self, table_id: int, seat: Seat, account_id: int) -> None:
        """One more connection of a seat; the first brings it back into the game."""
        here = self._here.setdefault(table_id, Counter())
        here[seat, account_id] += 1
        if here[seat, account_id] > 1:
            return
        async with self._locks[table_id, seat]:
            row = {
                "node_id": self._store.node_id,
                "place": "table",
                "account_id": account_id,
                "table_id": table_id,
                "seat": seat,
                "since": self._tables.clock.now(),
            }
            await self._store.commit(Unit(writes=[Write(rows.PUT_PRESENCE, row)]))
            await self._say(table_id, seat, Back())

    async def depart(self, table_id: int, seat: Seat, account_id: int) -> None:
        """One connection less; the last one, on whichever node, takes the seat out of the game."""
        here = self._here.get(table_id)
        if here is None or here[seat, account_id] <= 0:
            return
        here[seat, account_id] -= 1
        if here[seat, account_id]:
            return
        del here[seat, account_id]
        if not here:
            del self._here[table_id]
        async with self._locks[table_id, seat]:
            if not self.is_here(table_id, seat):
                if await self._is_elsewhere(table_id, seat):
                    await self._drop(table_id, account_id)
                    # Two nodes may see each other's rows go at once: whoever looks last says it.
                    if await self._is_elsewhere(table_id, seat):
                        return
                    await self._say(table_id, seat, Away())
                else:
                    await self._say(table_id, seat, Away())
                    await self._drop(table_id, account_id)
        if not self._locks[table_id, seat].locked():
            self._locks.pop((table_id, seat), None)

    async def reaped(self, table_id: int, seat: Seat, dead_node: str) -> None:
        """A node died to which this seat was connected."""
        if self.is_here(table_id, seat) or await self._is_elsewhere(table_id, seat, dead_node):
            return
        await self._say(table_id, seat, Away())

    async def present(self, table_id: int) -> dict[Seat, int]:
        """The seats connected to any node, with who sits there."""
        found = await self._store.rows(rows.PRESENT, b_table_id=table_id)
        return {row.seat: row.account_id for row in found}

    async def close(self) -> None:
        """This node ends in order: its seats are away unless they are connected elsewhere."""
        for table_id, here in tuple(self._here.items()):
            for seat, account_id in tuple(here):
                here[seat, account_id] = 1
                try:
                    await self.depart(table_id, seat, account_id)
                except StoreError as error:
                    log.warning("departure_not_written", table=table_id, seat=seat, error=str(error))
                    return

    async def _is_elsewhere(self, table_id: int, seat: Seat, dead_node: str = "") -> bool:
        here = [self._store.node_id, dead_node]
        row = await self._store.one(rows.PRESENT_ELSEWHERE, b_table_id=table_id, b_seat=seat, b_nodes=here)
        return row is not None

    async def _drop(self, table_id: int, account_id: int) -> None:
        gone = {"b_node": self._store.node_id, "b_account_id": account_id, "b_table_id": table_id}
        await self._store.commit(Unit(writes=[Write(rows.DROP_PRESENCE, gone)]))

    async def _say(self, table_id: int, seat: Seat, action: Action) -> None:
        """Presence means nothing to some games, before the start and after the end: no is a fine answer."""
        live = await self._tables.open(table_id)
        if seat < 1 or live.state is None or live.is_over:
            return
        try:
            await self._tables.submit(live, seat, action)
        except (Illegal, TableError) as refusal:
            log.debug("presence_refused", table=table_id, seat=seat, refusal=str(refusal))
