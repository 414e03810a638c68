"""What the master of a game does to its table: change its terms, take it away."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablee.rules.contract import MASTER, Action, Json
from tablee.store import Conflict, Duplicate, Hint, Unit, Write
from tablee.tables import rows
from tablee.tables.errors import BadOptions, NameTaken, Over, Started
from tablee.tables.info import TableInfo
from tablee.tables.seating import lobby_hint, name_key
from tablee.tables.terms import Terms, write_terms

if TYPE_CHECKING:
    from tablee.tables.hall import Tables

TRIES = 20
ERASED = "erased"
TERMS = "terms"


class Mastering:
    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._store = tables.store

    async def change_open(
        self, info: TableInfo, *, name: str, variant: str, options: Json, terms: Terms, rated: bool
    ) -> None:
        """Change a table whose game has not begun; raises BadOptions, NameTaken, Started, Conflict."""
        rules = self._tables.rules(info.game, variant)
        try:
            chosen = msgspec.convert(options, rules.options_type)
        except msgspec.ValidationError as error:
            raise BadOptions(reason=str(error)) from None
        bounds = rules.seats(chosen)
        if len(info.taken) > bounds.most:
            raise BadOptions("full")
        change = _change(info, name, terms, msgspec.to_builtins(chosen)) | {
            "b_was_options": _text(info.options),
            "b_variant": variant,
            "b_rated": rated,
            "b_seats_least": bounds.least,
            "b_seats_most": bounds.most,
        }
        try:
            await self._commit([Write(rows.CHANGE_OPEN, change, expect=1)], info, name)
        except Conflict:
            now_is = await self._tables.read_info(info.id)
            raise Started() if now_is.status != "open" else Conflict("the table has changed") from None
        self._tables.forget_variant(info.id)

    async def change_running(
        self, info: TableInfo, *, name: str, options: Json, terms: Terms, actions: list[Action]
    ) -> None:
        """Change a table whose game runs, and play what its master does; raises Illegal, NameTaken."""
        live = await self._tables.open(info.id)
        for action in actions:
            await self._tables.submit(live, MASTER, action)
        change = _change(info, name, terms, options)
        try:
            await self._commit([Write(rows.CHANGE_RUNNING, change, expect=1)], info, name)
        except Conflict:
            # The last move may just have ended the game; then there is nothing left to change.
            if (await self._tables.read_info(info.id)).status == "running":
                raise

    async def set_terms(self, table_id: int, change: Any) -> TableInfo:
        """Replace the terms by what `change` makes of them; raises Over, Conflict when too many want to."""
        for _ in range(TRIES):
            info = await self._tables.read_info(table_id)
            if info.status not in ("open", "running"):
                raise Over()
            terms = change(info.terms)
            write = {
                "b_id": info.id,
                "b_was_terms": write_terms(info.terms) or "",
                "b_terms": write_terms(terms),
            }
            try:
                await self._commit([Write(rows.SET_TERMS, write, expect=1)], info, info.name)
            except Conflict:
                continue
            return await self._tables.read_info(table_id)
        raise Conflict(f"table {table_id} is too busy")

    async def erase(self, table_id: int) -> None:
        """Take a table away with everything that was written about it."""
        talk = {"b_channels": [f"{kind}:{table_id}" for kind in ("table", "press", "letters")]}
        await self._store.commit(
            Unit(
                writes=[
                    *(Write(query, {"b_id": table_id}) for query in rows.ERASE),
                    *(Write(query, talk) for query in rows.ERASE_TALK),
                    Write(rows.ERASE_TABLE, {"b_id": table_id}),
                ],
                hints=[lobby_hint(table_id, ERASED)],
            )
        )
        self._tables.drop_erased(table_id)

    async def _commit(self, writes: list[Write], info: TableInfo, name: str) -> None:
        hint: Hint = lobby_hint(info.id, TERMS)
        try:
            await self._store.commit(Unit(writes=writes, hints=[hint]))
        except Duplicate:
            raise NameTaken(name=name) from None
        live = self._tables.live.get(info.id)
        if live is not None:
            live.know(await self._tables.read_info(info.id))


def _change(info: TableInfo, name: str, terms: Terms, options: Json) -> dict[str, Any]:
    return {
        "b_id": info.id,
        "b_was_terms": write_terms(info.terms) or "",
        "b_terms": write_terms(terms),
        "b_options": _text(options),
        "b_name": name,
        "b_name_key": name_key(info.game, name),
    }


def _text(options: Json) -> str:
    return msgspec.json.encode(options).decode()
