"""What somebody keeps to himself about a game: his notes, and orders that he is still writing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from sqlalchemy import and_, bindparam, delete, func, select

from tablee.clock import Instant
from tablee.club import Invalid
from tablee.club.bounds import DRAFT_TEXT_MOST, DRAFTS_MOST, NOTEBOOKS_MOST, NOTEBOOKS_TEXT_MOST, NOTES_MOST
from tablee.store import Query, Unit, Write, upsert
from tablee.store.schema import draft, game_table, notebook
from tablee.tables.errors import TableError

if TYPE_CHECKING:
    from tablee.tables.hall import Tables

Orders = tuple[tuple[int, ...], ...]

_OWN_NOTES = (notebook.c.table_id == bindparam("which"), notebook.c.account_id == bindparam("who"))
_NOTES = Query(select(notebook.c.text, notebook.c.at).where(*_OWN_NOTES))
_OTHER_NOTES = Query(
    select(
        func.count().label("number"), func.coalesce(func.sum(func.length(notebook.c.text)), 0).label("size")
    ).where(notebook.c.account_id == bindparam("who"), notebook.c.table_id != bindparam("which"))
)
_KEEP_NOTES = Query(upsert(notebook))
_DROP_NOTES = Query(delete(notebook).where(*_OWN_NOTES))
_OWN_DRAFT = (
    draft.c.table_id == bindparam("which"),
    draft.c.account_id == bindparam("who"),
    draft.c.role == bindparam("as_role"),
)
_DRAFT = Query(
    select(draft.c.advancement, draft.c.orders, draft.c.text, draft.c.at).where(
        *_OWN_DRAFT, draft.c.advancement == bindparam("phase")
    )
)
# Those of games that are over are good for nothing any more, and in nobody's way.
_OTHER_DRAFTS = Query(
    select(func.count().label("number"))
    .select_from(draft)
    .join(game_table, game_table.c.id == draft.c.table_id)
    .where(draft.c.account_id == bindparam("who"), ~and_(*_OWN_DRAFT), game_table.c.status == "running")
)
_KEEP_DRAFT = Query(upsert(draft))
_DROP_DRAFT = Query(delete(draft).where(*_OWN_DRAFT))


class Notes(msgspec.Struct, frozen=True):
    """A notebook; `at` is 0 while nothing was written."""

    text: str = ""
    at: Instant = 0


class Draft(msgspec.Struct, frozen=True):
    """Orders of one phase that are not sealed yet, and the text that is being written."""

    advancement: int
    orders: Orders
    text: str
    at: Instant


class Notebooks:
    """Nobody but the one account ever sees them; who may have one is asked by the door."""

    def __init__(self, tables: Tables) -> None:
        self._store = tables.store
        self._clock = tables.clock
        self._limits = tables.club.limits

    async def notes(self, table_id: int, account_id: int) -> Notes:
        found = await self._store.one(_NOTES, which=table_id, who=account_id)
        return Notes() if found is None else Notes(found.text, found.at)

    async def keep_notes(self, table_id: int, account_id: int, text: str) -> Notes:
        """In place of those before; none where the text is empty. Raises Invalid, TableError, TooMany."""
        if len(text) > NOTES_MOST:
            raise Invalid("message_too_long", "text", most=NOTES_MOST)
        self._limits.take("writing", account_id, len(text))
        kept = Notes(text.replace("\x00", ""), self._clock.now())
        if kept.text:
            others = await self._store.one(_OTHER_NOTES, who=account_id, which=table_id)
            if others is not None and others.number >= NOTEBOOKS_MOST:
                raise TableError("notebooks_full", most=NOTEBOOKS_MOST)
            if others is not None and others.size + len(kept.text) > NOTEBOOKS_TEXT_MOST:
                raise TableError("notebooks_too_long", most=NOTEBOOKS_TEXT_MOST)
        row = {"table_id": table_id, "account_id": account_id, "text": kept.text, "at": kept.at}
        own = {"which": table_id, "who": account_id}
        write = Write(_KEEP_NOTES, row) if kept.text else Write(_DROP_NOTES, own)
        await self._store.commit(Unit(writes=[write]))
        return kept

    async def draft(self, table_id: int, account_id: int, role: int, advancement: int) -> Draft | None:
        """The one of this phase; one of a phase that is over is none."""
        found = await self._store.one(_DRAFT, which=table_id, who=account_id, as_role=role, phase=advancement)
        if found is None:
            return None
        orders = msgspec.json.decode(found.orders, type=Orders)
        return Draft(found.advancement, orders, found.text, found.at)

    async def keep_draft(
        self, table_id: int, account_id: int, role: int, advancement: int, orders: Orders, text: str
    ) -> Draft:
        """In place of the one before, of whichever phase that was. Raises Invalid, TableError, TooMany."""
        if len(text) > DRAFT_TEXT_MOST:
            raise Invalid("message_too_long", "text", most=DRAFT_TEXT_MOST)
        written = msgspec.json.encode(orders).decode()
        self._limits.take("writing", account_id, len(text) + len(written))
        drafts = await self._store.one(_OTHER_DRAFTS, which=table_id, who=account_id, as_role=role)
        if drafts is not None and drafts.number >= DRAFTS_MOST:
            raise TableError("drafts_full", most=DRAFTS_MOST)
        kept = Draft(advancement, orders, text.replace("\x00", ""), self._clock.now())
        row = {
            "table_id": table_id,
            "account_id": account_id,
            "role": role,
            "advancement": advancement,
            "orders": written,
            "text": kept.text,
            "at": kept.at,
        }
        await self._store.commit(Unit(writes=[Write(_KEEP_DRAFT, row)]))
        return kept

    async def drop_draft(self, table_id: int, account_id: int, role: int) -> None:
        own = {"which": table_id, "who": account_id, "as_role": role}
        await self._store.commit(Unit(writes=[Write(_DROP_DRAFT, own)]))
