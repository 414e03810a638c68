"""A bot's turns as lines of JSON over plain HTTP, for as long as both sides want."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

import msgspec
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from tablee.club import Identity

from .hub import HttpTurns
from .turns import Turns

if TYPE_CHECKING:
    from ..house import House

HEARTBEAT_SECONDS = 15.0
"""An empty line is sent so often when there is nothing to say."""
READ_SECONDS = 60.0
"""A client that takes longer than this to read one line is cut off."""

_encode = msgspec.json.Encoder().encode


class TurnLines(Response):
    """One line of JSON for each turn, an empty line now and then."""

    def __init__(self, house: House, identity: Identity, address: str) -> None:
        super().__init__(media_type="application/x-ndjson")
        del self.headers["content-length"]
        self._house = house
        self._identity = identity
        self._address = address

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        turns = Turns(self._house, self._identity.account.id)
        stream = HttpTurns(turns, self._identity.account.id, self._identity.session.id, self._address)
        self._house.live.add_turns(stream)
        listening = asyncio.create_task(_until_gone(receive, turns))
        try:
            async with asyncio.timeout(READ_SECONDS):
                await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            await self._lines(turns, send)
        except TimeoutError:
            cut = scope.get("state", {}).get("cut")
            if cut is not None:
                cut(1000, "too slow")
        finally:
            self._house.live.remove_turns(stream)
            turns.close()
            listening.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await listening

    async def _lines(self, turns: Turns, send: Send) -> None:
        waiting: asyncio.Task[object] | None = None
        while True:
            waiting = waiting or asyncio.create_task(turns.next())
            done, _ = await asyncio.wait([waiting], timeout=HEARTBEAT_SECONDS)
            line = b"\n"
            if done:
                message = waiting.result()
                waiting = None
                if message is None:
                    break
                line = _encode(message) + b"\n"
            async with asyncio.timeout(READ_SECONDS):
                await send({"type": "http.response.body", "body": line, "more_body": True})
        async with asyncio.timeout(READ_SECONDS):
            await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _until_gone(receive: Receive, turns: Turns) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    turns.close()
