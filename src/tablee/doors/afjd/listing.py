"""The names of all games by number, kept in memory and brought up to date by what the bus says."""

from __future__ import annotations

import asyncio

import msgspec

from tablee.store import Store
from tablee.tables.register import Register


class Listing:
    """Games made elsewhere may share a name: the oldest has it, the others are `name #number`."""

    def __init__(self, store: Store, register: Register) -> None:
        self._register = register
        self._names: dict[int, str] = {}
        self._ids: dict[str, set[int]] = {}
        """The same the other way round: the database has no index on names that several may have."""
        self._is_whole = False
        self._changed: set[int] = set()
        self._people: set[int] = set()
        """Accounts that have changed: a visitor who has signed up is a member now."""
        self._bytes: bytes | None = None
        self._reading = asyncio.Lock()
        self._leave = [
            store.bus.subscribe("lobby", self._lobby_changed),
            store.bus.subscribe("account", self._account_changed),
            store.bus.on_lost(self._forget),
            store.on_restored(self._forget),
        ]

    def close(self) -> None:
        for leave in self._leave:
            leave()

    def _lobby_changed(self, key: int | str, value: int | str) -> None:
        self._changed.add(int(key))

    def _account_changed(self, key: int | str, value: int | str) -> None:
        if value == "changed":
            self._people.add(int(key))

    def _forget(self) -> None:
        self._is_whole = False

    async def encoded(self) -> bytes:
        """`{"id": name}` of every game that is listed, as JSON."""
        await self._refresh()
        if self._bytes is None:
            self._bytes = _encoded(self._names)
        return self._bytes

    async def find(self, name: str) -> int | None:
        """The number of the game of this name."""
        if not name or len(name) > 100:
            return None
        rows = await self._register.named(name)
        await self._refresh()
        ids = self._ids.get(name, set()) - {row.id for row in rows}
        if ids:  # what is in memory may be late: the database says whether they are called so now
            rows = [*rows, *await self._register.some(sorted(ids))]
        found = [int(row.id) for row in rows if row.name == name]
        if found:
            return min(found)
        plain, hash_sign, number = name.rpartition(" #")
        if hash_sign and number.isascii() and number.isdecimal() and len(number) < 16:
            row = await self._register.numbered(int(number))
            if row is not None and row.name == plain:
                return int(row.id)
        return None

    async def _refresh(self) -> None:
        """Read what has changed since the last time; all of it where a change may have been missed."""
        if self._is_whole and not self._changed and not self._people and not self._reading.locked():
            return
        async with self._reading:  # whoever comes meanwhile waits: he may have made what is being read
            if not self._is_whole:
                await self._read_all()
            if self._people:
                await self._find_their_games()
            if self._changed:
                await self._read_changed()

    async def _read_all(self) -> None:
        self._changed.clear()
        self._people.clear()
        self._is_whole = True  # unless something is lost while we read
        try:
            names = {int(row.id): str(row.name) for row in await self._register.all()}
        except BaseException:
            self._is_whole = False
            raise
        self._names, self._bytes, self._ids = names, None, {}
        for table_id, name in names.items():
            self._ids.setdefault(name, set()).add(table_id)

    async def _find_their_games(self) -> None:
        people, self._people = self._people, set()
        try:
            for some in (sorted(people)[n : n + 400] for n in range(0, len(people), 400)):
                self._changed |= set(await self._register.where_they_are(some))
        except BaseException:
            self._people |= people  # they are still to be looked for
            raise

    async def _read_changed(self) -> None:
        wanted, self._changed = self._changed, set()
        found: dict[int, str] = {}
        try:
            for some in (sorted(wanted)[n : n + 500] for n in range(0, len(wanted), 500)):
                found |= {row.id: row.name for row in await self._register.some(some)}
        except BaseException:
            self._changed |= wanted  # they are still to be read
            raise
        for table_id in wanted:
            self._rename(table_id, found.get(table_id))

    def _rename(self, table_id: int, name: str | None) -> None:
        """What a game is called now; None for one that is shown no longer."""
        before = self._names.pop(table_id, None)
        if before is not None:
            self._ids[before].discard(table_id)
            if not self._ids[before]:
                del self._ids[before]
        if name is not None:
            self._names[table_id] = name
            self._ids.setdefault(name, set()).add(table_id)
        if name != before:
            self._bytes = None


def _encoded(names: dict[int, str]) -> bytes:
    seen: set[str] = set()
    shown: dict[str, str] = {}
    for table_id, name in sorted(names.items()):
        shown[str(table_id)] = name if name not in seen else f"{name} #{table_id}"
        seen.add(name)
    return msgspec.json.encode(shown)
