"""A stream of somebody's turns at every table where he sits: what a bot needs, and nothing else.

Only the newest turn of a table is ever waiting to be sent: a bot that thinks slowly skips what is past.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from tablee.rules.contract import Seat
from tablee.tables import Happened, LiveTable

from .messages import Ended, Turn
from .staying import Stay
from .table_shapes import result_shape

if TYPE_CHECKING:
    from .house import House
    from .watches import Watch

Json = Any


class _Place:
    """One table where the bot sits."""

    def __init__(self, live: LiveTable, seat: Seat, stay: Stay, unsubscribe: Callable[[], None]) -> None:
        self.live = live
        self.seat = seat
        self.stay = stay
        self.told = -1
        self.unsubscribe = unsubscribe


class Turns:
    """The turns of one account. Iterate; `close` when nobody iterates any more."""

    def __init__(self, house: House, account_id: int) -> None:
        self._house = house
        self._account_id = account_id
        self._places: dict[int, _Place] = {}
        self._dirty: dict[int, None] = {}
        self._news = asyncio.Event()
        self._closed = False
        self._watch: Watch = house.live.watches.add("turns", account_id, self._look)
        self._watch.poke()

    async def next(self) -> Turn | Ended | None:
        """The next turn, as it is when it is asked for; None once closed."""
        while not self._closed:
            while self._dirty:
                table_id = next(iter(self._dirty))
                del self._dirty[table_id]
                message = self._message(table_id)
                if message is not None:
                    return message
            self._news.clear()
            await self._news.wait()
        return None

    async def __aiter__(self) -> AsyncIterator[Turn | Ended]:
        while (message := await self.next()) is not None:
            yield message

    def close(self) -> None:
        """Let go of everything; the seats are no longer connected by this stream."""
        if self._closed:
            return
        self._closed = True
        self._news.set()
        self._watch.close()
        for table_id in list(self._places):
            self._leave(table_id)

    def _message(self, table_id: int) -> Turn | Ended | None:
        place = self._places.get(table_id)
        if place is None:
            return None
        live, seat = place.live, place.seat
        if live.is_over:
            self._leave(table_id)
            return Ended(table=table_id, seat=seat, result=result_shape(live.info.result or live.result))
        sitting = live.info.seat_of(self._account_id)
        if sitting is None or sitting.seat != seat:
            self._leave(table_id)
            return None
        version = live.version(seat)
        if live.state is None or version == place.told or seat not in live.waiting():
            return None
        place.told = version
        faces = live.clock_faces()
        return Turn(
            table=table_id,
            seat=seat,
            version=version,
            game=live.info.game,
            variant=live.info.variant,
            view=live.view(seat),
            legal=live.legal(seat).describe(),
            clocks={str(s): msgspec.to_builtins(face) for s, face in faces.items()} or None,
        )

    async def _look(self) -> None:
        """Find the tables where the account sits now, and those where it no longer does."""
        tables = self._house.tables
        found = {info.id: info for info in await tables.of_account(self._account_id, limit=200)}
        for table_id in [known for known in self._places if known not in found]:
            self._touch(table_id)
        for info in found.values():
            sitting = info.seat_of(self._account_id)
            if sitting is None or self._closed:
                self._leave(info.id)
            elif info.id not in self._places:
                live = await tables.open(info.id)
                if not self._closed and info.id not in self._places:
                    self._sit(live, sitting.seat)

    def _sit(self, live: LiveTable, seat: Seat) -> None:
        table_id = live.info.id

        def happened(news: Sequence[Happened]) -> None:
            self._touch(table_id)

        stay = Stay(self._house, table_id, seat, self._account_id)
        self._places[table_id] = _Place(live, seat, stay, live.subscribe(happened))
        self._touch(table_id)

    def _touch(self, table_id: int) -> None:
        self._dirty[table_id] = None
        self._news.set()

    def _leave(self, table_id: int) -> None:
        place = self._places.pop(table_id, None)
        if place is not None:
            place.unsubscribe()
            place.stay.close()
