"""The lobby as it changes, told to all who look at it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablee.store import StoreError
from tablee.tables import LobbyFilter, NoSuchTable

from .messages import Lobby, LobbyGone, LobbyNews
from .table_shapes import table_shape

if TYPE_CHECKING:
    from .house import House
    from .live import Connection

_encode = msgspec.json.Encoder().encode
SHOWN = ("open", "running")


class Looker:
    """One connection that looks at the lobby, at all of it or at one game."""

    def __init__(self, board: LobbyBoard, connection: Connection, game: str | None) -> None:
        self._board = board
        self.connection = connection
        self.game = game

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
        found = await self._house.tables.lobby(LobbyFilter(game=looker.game, limit=200))
        tables = [table_shape(self._house, info, None) for info in found]
        looker.connection.send(Lobby(tables=tables))

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
            text = _encode(LobbyNews(info=table_shape(self._house, info, None))).decode()
        else:
            text = _encode(LobbyGone(table=table_id)).decode()
        for looker in list(self._lookers):
            if looker.game is None or looker.game == info.game:
                looker.connection.send_text(text)
