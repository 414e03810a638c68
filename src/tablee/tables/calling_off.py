"""Games that the house calls off: nobody has won or lost, and nothing counts them."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec

from tablee.rules.contract import CLOCK, Seat
from tablee.tables.codec import Void
from tablee.tables.errors import NoSuchTable, Started, TableError

if TYPE_CHECKING:
    from tablee.tables.hall import Tables

IDLE = frozenset({"start", "join", "replace", "away", "back", "alarm", "time_given_back"})
"""Actions that are no move of a player's."""


class CallingOff:
    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def was_played(self, table_id: int) -> bool:
        """Whether somebody has made a move there."""
        return bool(await self.who_played(table_id))

    async def who_played(self, table_id: int) -> set[Seat]:
        """The seats that have made a move there."""
        found = set()
        for event in await self._tables.store.events(table_id, 0):
            action: dict[str, Any] = msgspec.json.decode(event.action)
            if event.seat > 0 and action["do"] not in IDLE:
                found.add(event.seat)
        return found

    async def call_off(self, table_id: int, reason: str) -> None:
        """End a game, or put a table away, for a reason of `void.toml`; one that is over stays so."""
        void = Void(reason)
        with suppress(NoSuchTable):
            info = await self._tables.read_info(table_id)
            if info.status == "open":
                with suppress(Started):
                    await self._tables.creating.close(table_id, None, result=void.result)
                    return
            if info.status in ("open", "running"):
                loaded = await self._tables.open(table_id)
                with suppress(TableError):  # it has ended in this very moment
                    await self._tables.submit(loaded, CLOCK, void)
