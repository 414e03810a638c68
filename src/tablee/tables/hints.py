"""What other nodes say of tables: that a log has grown, that seats, terms, names or marks have changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec

from tablee.tables import marks, rows
from tablee.tables.errors import NoSuchTable
from tablee.tables.loaded import LoadedTable
from tablee.tables.lobby import lobby_hint
from tablee.tables.mastering import ERASED, TERMS

if TYPE_CHECKING:
    from tablee.tables.hall import Tables


class Hints:
    """Hears the hints about the tables that this node has in memory, and looks for those that were lost."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._store = tables.store
        self.meanwhile: dict[int, int] = {}
        """How far the logs of tables that are being loaded are said to be."""

    def subscribe(self) -> list[Callable[[], None]]:
        """Hear from now on, until what is given back is called."""
        bus = self._store.bus
        return [
            bus.subscribe("table", self._log_grew),
            bus.subscribe("lobby", self._table_changed),
            bus.subscribe("account", self._account_changed),
            bus.subscribe(marks.HINT, self._marks_changed),
            bus.on_lost(lambda: self._tables.spawn(self.check_heads(), "check heads")),
        ]

    async def check_heads(self) -> None:
        """Heal missed hints: one question to the database for all loaded tables."""
        ids = [table_id for table_id, loaded in self._tables.loaded.items() if not loaded.is_over]
        for start in range(0, len(ids), 500):
            for row in await self._store.rows(rows.HEADS, b_ids=ids[start : start + 500]):
                loaded = self._tables.loaded.get(row.id)
                if loaded is not None:
                    loaded.hint(row.seq)

    def _log_grew(self, key: int | str, value: int | str) -> None:
        table_id, seq = int(key), int(value)
        loaded = self._tables.loaded.get(table_id)
        if loaded is not None:
            loaded.hint(seq)
        elif table_id in self._tables.loading:
            self.meanwhile[table_id] = max(seq, self.meanwhile.get(table_id, 0))

    def _table_changed(self, key: int | str, value: int | str) -> None:
        loaded = self._tables.loaded.get(int(key))
        if loaded is None:
            return
        if value == ERASED:
            self._tables.drop(loaded)
        elif loaded.seq == 0 or value in (TERMS, "link"):
            self._tables.spawn(self._read_info(loaded), f"seats of table {key}")

    async def _read_info(self, loaded: LoadedTable) -> None:
        try:
            info = await self._tables.read_info(loaded.info.id)
        except NoSuchTable:
            return  # erased meanwhile
        if info.variant != loaded.info.variant:
            self._tables.forget_variant(info.id)
        elif loaded.seq == 0:
            loaded.update_info(info)
        else:
            # Who sits where follows from the log; all else may have changed.
            loaded.update_info(
                msgspec.structs.replace(info, seats=loaded.info.seats, status=loaded.info.status)
            )

    def _marks_changed(self, key: int | str, value: int | str) -> None:
        loaded = self._tables.loaded.get(int(key))
        if loaded is not None and value != self._store.node_id:
            self._tables.spawn(self._read_marks(loaded), f"marks of table {key}")

    async def _read_marks(self, loaded: LoadedTable) -> None:
        loaded.learn_marks(await marks.read(self._store, loaded.info.id))

    def _account_changed(self, key: int | str, value: int | str) -> None:
        if value == "changed":
            account_id = int(key)
            there = [loaded for loaded in self._tables.loaded.values() if loaded.info.concerns(account_id)]
            if there:
                self._tables.spawn(self._rename(account_id, there), f"name of account {key}")

    async def _rename(self, account_id: int, there: list[LoadedTable]) -> None:
        """A visitor who signs up is a member, and called otherwise: the tables where he is say so."""
        account = await self._tables.club.accounts.by_id(account_id)
        for loaded in there:
            renamed = loaded.info.with_person(account_id, account.pseudo, account.kind)
            if renamed != loaded.info:
                loaded.update_info(renamed)
                self._store.bus.deliver([lobby_hint(loaded.info.id, "seats")])
