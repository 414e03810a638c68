"""Which tables there are: the lobby's listing, and those of one person."""

from __future__ import annotations

from typing import Any

import msgspec

from tablee.store import Hint, Query, Row, Store
from tablee.tables import rows
from tablee.tables.info import HouseTable, from_rows

END_OF_IDS = 2**62
MOST = 200


def lobby_hint(table_id: int, what: str) -> Hint:
    """What the bus says when a table is made, begins, ends or changes its seats."""
    return Hint("lobby", table_id, what)


class LobbyFilter(msgspec.Struct, frozen=True):
    """What to list; `before` is the last table of the page before.

    What can be joined comes first, then games with people, then games of robots alone, the newest first in
    each; games that are over are listed by their age alone.
    """

    game: str | None = None
    variant: str | None = None
    door: str | None = None
    status: tuple[str, ...] = ("open", "running")
    with_free_seat: bool = False
    account_id: int | None = None
    """Who asks: tables for invited people are shown to those who are."""
    before: int | None = None
    limit: int = 50


EVERYTHING = LobbyFilter()


class Lobby:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._queries: dict[tuple[bool, ...], Query] = {}

    async def listing(self, wanted: LobbyFilter = EVERYTHING) -> list[HouseTable]:
        """The tables that fit, in the order of the lobby; private ones are never among them."""
        params: dict[str, Any] = {"b_status": list(wanted.status), "b_limit": max(1, min(wanted.limit, MOST))}
        given = {
            "b_game": wanted.game,
            "b_variant": wanted.variant,
            "b_door": wanted.door,
            "b_before": wanted.before,
            "b_account_id": wanted.account_id,
        }
        params |= {name: value for name, value in given.items() if value is not None}
        if not wanted.status:
            return []
        # Those that are over are many, and nobody joins them.
        grouped = "open" in wanted.status or "running" in wanted.status
        shape = (*(value is not None for value in given.values()), wanted.with_free_seat, grouped)
        query = self._queries.get(shape)
        if query is None:
            query = self._queries[shape] = rows.lobby(
                game=wanted.game is not None,
                variant=wanted.variant is not None,
                door=wanted.door is not None,
                before=wanted.before is not None,
                guest=wanted.account_id is not None,
                free=wanted.with_free_seat,
                grouped=grouped,
            )
        return await with_seats(self._store, await self._store.rows(query, **params))

    async def of_account(
        self,
        account_id: int,
        status: tuple[str, ...] = ("open", "running"),
        before: int | None = None,
        limit: int = 50,
    ) -> list[HouseTable]:
        """The tables at which somebody sits or sat, newest first."""
        found = await self._store.rows(
            rows.OF_ACCOUNT,
            b_account_id=account_id,
            b_status=list(status),
            b_before=END_OF_IDS if before is None else before,
            b_limit=max(1, min(limit, MOST)),
        )
        return await with_seats(self._store, found)


async def with_seats(store: Store, found: list[Row]) -> list[HouseTable]:
    """The tables of these rows, with who sits there, in the same order."""
    if not found:
        return []
    seats: dict[int, list[Any]] = {row.id: [] for row in found}
    for row in await store.rows(rows.SEATS_OF_MANY, b_ids=list(seats)):
        seats[row.table_id].append(row)
    return [from_rows(row, seats[row.id]) for row in found]
