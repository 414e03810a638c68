"""Being present in a seat, for as long as somebody sits on its chair."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tablee.rules.contract import Seat
from tablee.store import Hint, StoreError

if TYPE_CHECKING:
    from tablee.tables.hall import Tables

AGAIN_AFTER = 1.0
"""Seconds after which an arrival that could not be written is tried again."""


class Stay:
    """One connection of a seat, from now until `close`."""

    __slots__ = ("_arrived", "_closed", "_tables", "_who", "noted")

    def __init__(self, tables: Tables, table_id: int, seat: Seat, person: int) -> None:
        self._tables = tables
        self._who = (table_id, seat, person)
        self._arrived = False
        self._closed = False
        self.noted = tables.spawn(self._arrive(), f"arrival at table {table_id}")
        """What was last to be noted: the arrival, then the departure."""

    def close(self) -> None:
        """The connection is gone. If its arrival is just being noted, that is finished first."""
        if not self._closed:
            self._closed = True
            if self._arrived:
                self.noted = self._tables.spawn(self._depart(), f"departure from table {self._who[0]}")

    async def _arrive(self) -> None:
        while not self._closed and not self._arrived:
            try:
                await self._tables.arrive(*self._who)
                self._arrived = True
            except StoreError:
                await asyncio.sleep(AGAIN_AFTER)
        if self._arrived:
            self._tell()
            if self._closed:
                await self._depart()

    async def _depart(self) -> None:
        await self._tables.depart(*self._who)
        self._tell()

    def _tell(self) -> None:
        """Whoever looks at who is there, at whichever node, looks again."""
        self._tables.store.bus.publish([Hint("seated", self._who[0], self._who[1])])
