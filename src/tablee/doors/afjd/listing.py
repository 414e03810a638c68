"""The names of all games by number, kept in memory and brought up to date by what the bus says."""

from __future__ import annotations

import msgspec
from sqlalchemy import bindparam, select

from tablee.store import Query, Store
from tablee.store.schema import game_table

_SHOWN = select(game_table.c.id, game_table.c.name).where(
    game_table.c.game == "diplomacy",
    game_table.c.access == "open",
    game_table.c.status.in_(("open", "running", "over")),
)
_ALL = Query(_SHOWN.order_by(game_table.c.id))
_SOME = Query(_SHOWN.where(game_table.c.id.in_(bindparam("ids", expanding=True))))
_NAMED = Query(_SHOWN.where(game_table.c.name == bindparam("called")).order_by(game_table.c.id))
_BY_ID = Query(_SHOWN.where(game_table.c.id == bindparam("which")))


class Listing:
    """Games made elsewhere may share a name: the oldest has it, the others are `name #number`."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._names: dict[int, str] | None = None
        self._changed: set[int] = set()
        self._bytes = b""
        self._changes = 0
        self._leave = [
            store.bus.subscribe("lobby", self._lobby_changed),
            store.bus.on_lost(self._forget),
            store.on_restored(self._forget),
        ]

    def close(self) -> None:
        for leave in self._leave:
            leave()

    def _lobby_changed(self, key: int | str, value: int | str) -> None:
        self._changes += 1
        if value != "seats":
            self._changed.add(int(key))

    def _forget(self) -> None:
        self._changes += 1
        self._names = None

    async def encoded(self) -> bytes:
        """`{"id": name}` of every game, as JSON."""
        names = self._names
        if names is None:
            self._changed.clear()
            changes = self._changes
            names = {row.id: row.name for row in await self._store.rows(_ALL)}
            self._bytes = _encoded(names)
            if changes == self._changes:
                self._names = names
        elif self._changed:
            wanted, self._changed = sorted(self._changed), set()
            found: dict[int, str] = {}
            for start in range(0, len(wanted), 500):
                some = await self._store.rows(_SOME, ids=wanted[start : start + 500])
                found |= {row.id: row.name for row in some}
            for table_id in wanted:
                if table_id in found:
                    names[table_id] = found[table_id]
                else:
                    names.pop(table_id, None)
            self._bytes = _encoded(names)
        return self._bytes

    async def find(self, name: str) -> int | None:
        """The number of the game of this name."""
        if not name or len(name) > 100:
            return None
        rows = await self._store.rows(_NAMED, called=name)
        if rows:
            return int(rows[0].id)
        plain, hash_sign, number = name.rpartition(" #")
        if hash_sign and number.isascii() and number.isdecimal() and len(number) < 16:
            row = await self._store.one(_BY_ID, which=int(number))
            if row is not None and row.name == plain:
                return int(row.id)
        return None


def _encoded(names: dict[int, str]) -> bytes:
    seen: set[str] = set()
    shown: dict[str, str] = {}
    for table_id, name in sorted(names.items()):
        shown[str(table_id)] = name if name not in seen else f"{name} #{table_id}"
        seen.add(name)
    return msgspec.json.encode(shown)
