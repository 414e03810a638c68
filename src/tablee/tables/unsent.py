"""What came by mail to be said in an anonymous game: it waits until its author has looked at it himself.

A letter carries signatures and names that nobody thinks of; once the others have read them, they know.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec
from sqlalchemy import bindparam, delete, insert, select

from tablee.clock import Instant
from tablee.club import Account
from tablee.club.bounds import UNSENT_MOST
from tablee.store import Conflict, Query, Unit, Write
from tablee.store.schema import unsent
from tablee.tables.errors import TableError
from tablee.tables.info import HouseTable
from tablee.tables.press import Spoken, spoken_text

if TYPE_CHECKING:
    from tablee.tables.hall import Tables

_MINE = (unsent.c.table_id == bindparam("which")) & (unsent.c.account_id == bindparam("who"))
_PUT = Query(insert(unsent))
_LIST = Query(
    select(unsent.c.id, unsent.c.role, unsent.c.to_roles, unsent.c.text, unsent.c.made_at)
    .where(_MINE)
    .order_by(unsent.c.id)
)
_DROP = Query(delete(unsent).where(_MINE, unsent.c.id == bindparam("number")))


class NoSuchUnsent(TableError):
    """It was said or thrown away already, or is somebody else's."""

    kind = "not_found"
    default = "no_such_unsent"


class Waiting(msgspec.Struct, frozen=True):
    """A declaration, or with `to_roles` a letter, that is not said yet."""

    id: int
    role: int
    to_roles: tuple[int, ...]
    text: str
    made_at: Instant


class Unsent:
    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._store = tables.store

    async def keep(
        self, info: HouseTable, account_id: int, role: int, to_roles: Sequence[int], text: str, once: str
    ) -> None:
        """Let it wait; nothing happens where the same did before. Raises Invalid, TableError."""
        if len(await self.of(info.id, account_id)) >= UNSENT_MOST:
            raise TableError("unsent_full", most=UNSENT_MOST)
        row = {
            "id": await self._store.new_id("unsent", block=1),
            "table_id": info.id,
            "account_id": account_id,
            "role": role,
            "to_roles": msgspec.json.encode(list(to_roles)).decode(),
            "text": spoken_text(text),
            "made_at": self._tables.clock.now(),
        }
        try:
            await self._store.commit(Unit(writes=[self._tables.replies.taking(once), Write(_PUT, row)]))
        except Conflict:
            return

    async def of(self, table_id: int, account_id: int) -> list[Waiting]:
        """What waits for somebody at a table, the oldest first."""
        found = await self._store.rows(_LIST, which=table_id, who=account_id)
        read = msgspec.json.Decoder(tuple[int, ...]).decode
        return [Waiting(row.id, row.role, read(row.to_roles), row.text, row.made_at) for row in found]

    async def say(self, info: HouseTable, author: Account, number: int) -> list[Spoken]:
        """Say it now; raises NoSuchUnsent, Silent, Invalid, TooMany."""
        found = next((each for each in await self.of(info.id, author.id) if each.id == number), None)
        if found is None:
            raise NoSuchUnsent()
        press, key = self._tables.press, f"unsent:{number}"
        if found.to_roles:
            said = await press.write_all(info, author, found.role, found.to_roles, found.text, once=key)
        else:
            said = [await press.declare(info, author, found.role, found.text, once=key)]
        await self.drop(info.id, author.id, number)
        return said

    async def drop(self, table_id: int, account_id: int, number: int) -> None:
        """Throw it away."""
        await self._store.change(_DROP, which=table_id, who=account_id, number=number)
