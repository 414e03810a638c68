"""A seat is connected for as long as somebody listens from it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tablee.store import Hint, StoreError

if TYPE_CHECKING:
    from .house import House

AGAIN_SECONDS = 1.0


class Stay:
    """One connection of a seat, from now until `close`. A database that is away only delays what is noted."""

    def __init__(self, house: House, table_id: int, seat: int, account_id: int) -> None:
        self._house = house
        self._who = (table_id, seat, account_id)
        self._arrived = False
        self._closed = False
        house.live.spawn(self._arrive())

    def close(self) -> None:
        """The connection is gone. If its arrival is just being noted, that is finished first."""
        if not self._closed:
            self._closed = True
            if self._arrived:
                self._house.live.spawn(self._depart())

    async def _arrive(self) -> None:
        while not self._closed and not self._arrived:
            try:
                await self._house.tables.arrive(*self._who)
                self._arrived = True
            except StoreError:
                await asyncio.sleep(AGAIN_SECONDS)
        if self._arrived:
            self._tell()
            if self._closed:
                await self._depart()

    async def _depart(self) -> None:
        await self._house.tables.depart(*self._who)
        self._tell()

    def _tell(self) -> None:
        """Whoever looks at who is there, at whichever node, looks again."""
        self._house.store.bus.publish([Hint("seated", self._who[0], self._who[1])])
