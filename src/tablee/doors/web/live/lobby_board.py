"""The lobby as it changes, told to all who look at it."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import msgspec

from tablee.store import StoreError
from tablee.tables import LobbyFilter, NoSuchTable

from ..shapes import TableInfo
from ..tables.shapes import table_shape
from .messages import Lobby, LobbyGone, LobbyNews

if TYPE_CHECKING:
    from ..house import House
    from .connection import Connection

_encode = msgspec.json.Encoder().encode
SHOWN = ("open", "running")


class Looker:
    """One connection that looks at the lobby, at all of it or at one game."""

    def __init__(self, board: LobbyBoard, connection: Connection, game: str | None) -> None:
        self._board = board
        self.connection = connection
        self.game = game
        self._told: dict[int, bytes] = {}
        """What he last saw of each table, as a digest."""

    def show(self, tables: list[TableInfo]) -> None:
        """The whole lobby."""
        self._told = {table.id: _digest(_encode(LobbyNews(info=table))) for table in tables}
        self.connection.send(Lobby(tables=tables))

    def tell(self, table_id: int, text: bytes) -> None:
        """How a table looks now, if he has not seen it so: a frame alone would say that somebody came."""
        digest = _digest(text)
        if self._told.get(table_id) != digest:
            self._told[table_id] = digest
            self.connection.send_text(text.decode())

    def forget(self, table_id: int, text: bytes) -> None:
        """A table is in the lobby no longer."""
        if self._told.pop(table_id, None) is not None:
            self.connection.send_text(text.decode())

    def close(self) -> None:
        self._board.leave(self)


class LobbyBoard:
    """Reads each changed table once, however many look. Tables for invited people are not shown live."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._lookers: set[Looker] = set()
        self._dirty: set[int] = set()
        self._running = False

    async def look(self, connection: Connection, game: str | None) -> Looker:
        """Show the whole lobby now, and every change from now on."""
        looker = Looker(self, connection, game)
        self._lookers.add(looker)
        await self._show(looker)
        return looker

    def leave(self, looker: Looker) -> None:
        self._lookers.discard(looker)

    def hint(self, table_id: int) -> None:
        """A table was made, has changed its seats, began or ended."""
        if self._lookers:
            self._dirty.add(table_id)
            if not self._running:
                self._running = True
                self._house.live.spawn(self._read())

    def read_again(self) -> None:
        """Hints may be missing: show everything anew."""
        for looker in list(self._lookers):
            self._house.live.spawn(self._show(looker))

    async def _show(self, looker: Looker) -> None:
        found = await self._house.tables.lobby.listing(LobbyFilter(game=looker.game, limit=200))
        tables = [table_shape(self._house, info, None) for info in found]
        looker.show(tables)

    async def _read(self) -> None:
        try:
            while self._dirty:
                await self._tell(self._dirty.pop())
        finally:
            self._running = False

    async def _tell(self, table_id: int) -> None:
        try:
            info = await self._house.tables.read_info(table_id)
        except (NoSuchTable, StoreError):
            return
        if info.access != "open":
            return
        if info.status in SHOWN:
            text = _encode(LobbyNews(info=table_shape(self._house, info, None)))
        else:
            text = _encode(LobbyGone(table=table_id))
        for looker in list(self._lookers):
            if looker.game is None or looker.game == info.game:
                (looker.tell if info.status in SHOWN else looker.forget)(table_id, text)


def _digest(text: bytes) -> bytes:
    return hashlib.blake2b(text, digest_size=16).digest()
