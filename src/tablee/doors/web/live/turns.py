"""A stream of somebody's turns at every table where he sits: what a bot needs, and nothing else.

Only the newest turn of a table is ever waiting to be sent: a bot that thinks slowly skips what is past.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from tablee.tables import Chair, Listener, Told

from ..tables.shapes import result_shape
from .feeds import clocks_json
from .messages import Ended, Turn

if TYPE_CHECKING:
    from ..house import House
    from .watches import Watch

Json = Any


class _Place(Listener):
    """One table where the bot sits: whatever happens there, its turn is looked at again."""

    def __init__(self, chair: Chair, touch: Callable[[], None]) -> None:
        self.chair = chair
        self.shown = -1
        """The version of the last turn that was sent."""
        self._touch = touch
        chair.stay()
        chair.listen(self)

    def told(self, news: Sequence[Told]) -> None:
        self._touch()

    def anew(self) -> None:
        self.shown = -1
        self._touch()

    def gone(self) -> None:
        self._touch()


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
        chair = place.chair
        if chair.is_over:
            self._leave(table_id)
            result = result_shape(chair.info.result or chair.result)
            return Ended(table=table_id, seat=chair.seat, result=result)
        if not chair.still_sits:
            self._leave(table_id)
            return None
        version = chair.version
        if not chair.has_begun or version == place.shown or chair.seat not in chair.waiting():
            return None
        place.shown = version
        return Turn(
            table=table_id,
            seat=chair.seat,
            version=version,
            game=chair.info.game,
            variant=chair.info.variant,
            view=chair.view(),
            legal=chair.legal().describe(),
            clocks=clocks_json(chair),
        )

    async def _look(self) -> None:
        """Find the tables where the account sits now, and those where it no longer does."""
        tables = self._house.tables
        found = {info.id: info for info in await tables.lobby.of_account(self._account_id, limit=200)}
        for table_id in [known for known in self._places if known not in found]:
            self._touch(table_id)
        for info in found.values():
            sitting = info.seat_of(self._account_id)
            if sitting is None or self._closed:
                self._leave(info.id)
            elif info.id not in self._places:
                chair = await tables.chair(info.id, sitting.seat, self._account_id)
                if not self._closed and info.id not in self._places:
                    self._places[info.id] = _Place(chair, partial(self._touch, info.id))
                    self._touch(info.id)

    def _touch(self, table_id: int) -> None:
        self._dirty[table_id] = None
        self._news.set()

    def _leave(self, table_id: int) -> None:
        place = self._places.pop(table_id, None)
        if place is not None:
            place.chair.close()
