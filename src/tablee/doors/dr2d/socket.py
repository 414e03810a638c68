"""One WebSocket of a console: from the handshake to the closing code."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING

import structlog
from starlette.websockets import WebSocket, WebSocketDisconnect

from tablee.doors.dr2d.frames import service_text
from tablee.wire.http.application import address_of, bearer

if TYPE_CHECKING:
    from tablee.doors.dr2d.console import Console
    from tablee.doors.dr2d.door import Dr2dDoor

log = structlog.get_logger("tablee.dr2d")

SUBPROTOCOL = "dr2d"
BINARY, REFUSED, RESTART, TOO_SLOW = 1003, 1008, 1012, 4008


class TurnedAway(Exception):
    """Somebody who may not come in: the msgCode and the sentence by which he is told."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


def endpoint(door: Dr2dDoor) -> Callable[[WebSocket], Awaitable[None]]:
    """The Starlette endpoint of the door."""

    async def serve(websocket: WebSocket) -> None:
        await Socket(door, websocket).run()

    return serve


class Socket:
    """A connection. Whatever the other side does, it ends here and costs nobody else anything."""

    def __init__(self, door: Dr2dDoor, websocket: WebSocket) -> None:
        self._door = door
        self._websocket = websocket
        self._outgoing: asyncio.Queue[str | tuple[int, str]] = asyncio.Queue(door.settings.bounds.unsent)
        self._is_closing = False
        self.address = address_of(websocket)
        self.account_id = 0

    @property
    def query(self) -> Mapping[str, str]:
        return self._websocket.query_params

    @property
    def bearer(self) -> str:
        """The token of a member, where the console brings one."""
        return bearer(self._websocket.headers)

    # --- what the console is sent -----------------------------------------------------------------------

    def send(self, text: str) -> None:
        """Queue a frame; a console that does not read is cut off, and nobody waits for it."""
        if self._is_closing:
            return
        try:
            self._outgoing.put_nowait(text)
        except asyncio.QueueFull:
            self._cut(TOO_SLOW, "too slow")

    def close(self, code: int, reason: str) -> None:
        """Send what is queued, then close."""
        if self._is_closing:
            return
        try:
            self._outgoing.put_nowait((code, reason))
            self._is_closing = True
        except asyncio.QueueFull:
            self._cut(code, reason)

    def _cut(self, code: int, reason: str) -> None:
        self._is_closing = True
        log.info("a console is cut off", close=code, reason=reason, address=self.address)
        cut = self._websocket.scope.get("state", {}).get("cut")
        if cut is not None:
            cut(code, reason)

    # --- its life ---------------------------------------------------------------------------------------

    async def run(self) -> None:
        """From the handshake to the end; never raises for what a console does."""
        offered = self._websocket.scope.get("subprotocols", ())
        await self._websocket.accept(subprotocol=SUBPROTOCOL if SUBPROTOCOL in offered else None)
        self._door.sockets.add(self)
        writer = asyncio.create_task(self._write())
        try:
            console = await self._enter()
            if console is not None:
                try:
                    await self._read(console)
                finally:
                    console.disconnect(self)
            await self._until_closed()
        except (WebSocketDisconnect, RuntimeError):
            pass  # the other side is gone: nothing is left to be said
        finally:
            self._is_closing = True
            self._door.sockets.discard(self)
            writer.cancel()

    async def _enter(self) -> Console | None:
        """The console of the robot that this connection plays; None if it was turned away."""
        try:
            return await self._door.enter(self)
        except TurnedAway as refusal:
            self.send(service_text(refusal.code, str(refusal)))
            self.close(REFUSED, refusal.code)
            return None

    async def _read(self, console: Console) -> None:
        while not self._is_closing:
            message = await self._websocket.receive()
            if message["type"] == "websocket.disconnect":
                return
            text = message.get("text")
            if text is None:
                self.close(BINARY, "frames are text")
            else:
                console.receive(text)

    async def _until_closed(self) -> None:
        # The reader stays until the writer has closed, so that the last words are not lost.
        while (await self._websocket.receive())["type"] != "websocket.disconnect":
            pass

    async def _write(self) -> None:
        try:
            while isinstance(text := await self._outgoing.get(), str):
                await self._websocket.send({"type": "websocket.send", "text": text})
            await self._websocket.close(*text)
        except (WebSocketDisconnect, RuntimeError, OSError):
            self._is_closing = True
