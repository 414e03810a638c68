"""A game that has hardly begun is called off: nobody has won or lost it, and nothing counts it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablee.rules.contract import CLOCK
from tablee.tables.codec import Void
from tablee.tables.errors import NotHost, NotSeated, NotStarted, Over, Started
from tablee.tables.info import TOURNAMENT, HouseTable

if TYPE_CHECKING:
    from tablee.tables.hall import Tables


class Aborting:
    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def abort(self, table_id: int, account_id: int) -> None:
        """End a game without a mark, as long as its rules say that it has hardly begun.

        Of two players either does it; of more, who made the table or is its master: nobody ends by himself
        what six others wait for. Raises NotSeated, NotHost, NotStarted, Over, Started.
        """
        info = await self._tables.read_info(table_id)
        must_be_allowed_to_abort(info, account_id)
        if info.door == TOURNAMENT:
            raise Started("counted_in_tournament")
        if info.status != "running":
            raise NotStarted() if info.status == "open" else Over()
        loaded = await self._tables.open(table_id)
        await self._tables.submit(loaded, CLOCK, Void("aborted", by=account_id))


def must_be_allowed_to_abort(info: HouseTable, account_id: int) -> None:
    """Raises NotSeated and NotHost."""
    if account_id in (info.host_id, info.master_id):
        return
    if info.seat_of(account_id) is None:
        raise NotSeated()
    if len(info.seats) > 2 or info.terms.mastered:
        raise NotHost()
