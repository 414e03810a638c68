"""What one keeps to oneself about a table."""

from __future__ import annotations

from typing import Annotated

import msgspec

from tablee.club.bounds import NOTES_MOST
from tablee.wire.http.routes import BODY_LIMIT

from ..api.ask import Ask
from ..api.registry import Body, Id, Routes
from ..shapes import Shape
from ..tables.visibility import must_see

routes = Routes("notebooks")


class Notebook(Shape, frozen=True):
    """Notes about a table; `at` is null while there are none."""

    text: str
    at: int | None


class NewNotes(Body, frozen=True):
    text: Annotated[str, msgspec.Meta(max_length=NOTES_MOST)]


@routes.get("/tables/{table_id}/notebook")
async def notebook(ask: Ask, table_id: Id) -> Notebook:
    """One's own notes about a table that one may see; nobody else reads them."""
    await must_see(ask.house, table_id, ask.account_id, None, ask.is_administrator)
    kept = await ask.house.tables.notebooks.notes(table_id, ask.account_id)
    return Notebook(text=kept.text, at=kept.at or None)


@routes.put("/tables/{table_id}/notebook", body_limit=2 * BODY_LIMIT)
async def write_notebook(ask: Ask, table_id: Id, body: NewNotes) -> Notebook:
    """Keep these notes in place of those before; an empty text is none."""
    await must_see(ask.house, table_id, ask.account_id, None, ask.is_administrator)
    kept = await ask.house.tables.notebooks.keep_notes(table_id, ask.account_id, body.text)
    return Notebook(text=kept.text, at=kept.at if kept.text else None)
