"""The listening side of the web door: uvicorn inside our own loop, with our own signals and a polite end."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from typing import Any

import uvicorn
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketClose
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from tablee.wire.gate import Gate, Listener

FRAME_LIMIT = 64 * 1024
"""The largest WebSocket message that a client may send."""
HEADERS_LIMIT = 32 * 1024
BODY_LIMIT = 1024 * 1024
"""Of a body whose request is answered already, so much is read and thrown away, for the answer to arrive."""
BUSY = (
    b"HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\nretry-after: 10\r\ncontent-length: 0\r\n\r\n"
)
FIRST_REQUEST_SECONDS = 20.0
"""How long a connection may take to say what it wants, the first time and every time."""
UNREAD_SECONDS = 120.0
"""How long a client may leave more than a buffer's worth of answers unread."""
FIRST_PING_SECONDS = 1.0
LAST_WORDS_SECONDS = 5.0
"""How long a client that was too slow has to read why it is cut off."""
# Why: docs/decisions.md#frames-are-bounded
PIECES_LIMIT = 1_000
"""Pings, pongs and pieces that a client may send within so many seconds; also the pieces of one message."""
PIECES_SECONDS = 1.0
SLICE = 4 * 1024
"""Bytes that are parsed at once: a frame may be as short as six, and thousands hold everybody up."""
FLOODING = 1008


class WebServer:
    """One listening socket. `start` gives the bound port; `stop` ends politely within `patience` seconds."""

    def __init__(
        self,
        app: ASGIApp,
        host: str,
        port: int,
        *,
        trusted_proxies: tuple[str, ...] = (),
        ping_seconds: float = 20.0,
        gate: Gate | None = None,
    ) -> None:
        self._host = host
        self._port = port
        self._gate = gate or Gate(trusted=trusted_proxies)
        self._running: asyncio.Task[None] | None = None
        config = uvicorn.Config(
            _Brought(app, self._gate),
            loop="none",
            http=_Connection,
            ws=_LiveConnection,
            ws_max_size=FRAME_LIMIT,
            ws_ping_interval=ping_seconds,
            ws_ping_timeout=ping_seconds,
            ws_per_message_deflate=False,
            lifespan="off",
            log_config=None,
            access_log=False,
            proxy_headers=bool(trusted_proxies),
            forwarded_allow_ips=list(trusted_proxies),
            server_header=False,
            timeout_keep_alive=65,
        )
        self._server = _Server(config)

    async def start(self) -> int:
        """Listen; raises OSError with a sentence when the address is taken or not ours."""
        self._server.listener = await self._gate.listen(
            self._server.connection, self._host, self._port, refusal=BUSY
        )
        port = self._server.listener.address[1]
        # `_serve` and not `serve`: the signals belong to the house, which has other doors to close too.
        self._running = asyncio.create_task(self._server._serve(), name="web door")
        while not self._server.started:
            if self._running.done():
                self._running.result()
                raise RuntimeError("the web server ended before it had begun")
            await asyncio.sleep(0.005)
        return port

    async def stop(self, patience: float = 10.0) -> None:
        """Take no new connection, finish the requests in flight, then close what is left."""
        if self._running is None:
            return
        self._server.config.timeout_graceful_shutdown = max(1, int(patience))
        self._server.should_exit = True
        try:
            async with asyncio.timeout(patience + 5):
                await asyncio.shield(self._running)
        except TimeoutError:
            self._server.force_exit = True
            for connection in list(self._server.server_state.connections):
                connection.transport.abort()
            self._running.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._running
        self._running = None


class _Server(uvicorn.Server):
    """uvicorn's server, with connections that come through the gate of the house."""

    listener: Listener

    def connection(self) -> asyncio.Protocol:
        if not self.config.loaded:
            self.config.load()
        return _Connection(self.config, self.server_state, {})

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        self.servers = [self.listener]  # type: ignore[list-item]  # all that is asked of them is to close
        self.started = True


class _Brought:
    """Counts whom a trusted proxy brings, by the address that it names: the gate has seen the proxy alone."""

    def __init__(self, app: ASGIApp, gate: Gate) -> None:
        self._app = app
        self._gate = gate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        client = scope.get("client")
        address = str(client[0]) if client else ""
        if not address or scope.get("state", {}).get("peer") == address:
            await self._app(scope, receive, send)
            return
        name = self._gate.enter(address)
        if name is None:
            if scope["type"] == "websocket":
                await WebSocketClose(4029)(scope, receive, send)
            else:
                await Response(status_code=503, headers={"Retry-After": "10"})(scope, receive, send)
            return
        try:
            await self._app(scope, receive, send)
        finally:
            self._gate.leave(name)


class _Connection(HttpToolsProtocol):
    """uvicorn's HTTP, with an end for those who never ask, never come to the point or never read."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        peer = "" if self.client is None else self.client[0]
        self.app_state = {**self.app_state, "cut": self.cut, "peer": peer}
        self._in_head = True
        self._thrown_away = 0
        self._body_ends: asyncio.TimerHandle | None = None
        self._got_further = False
        self._head_size = 0
        self._impatience: asyncio.TimerHandle | None = None
        self._unread: asyncio.TimerHandle | None = None
        self._wait_for_head()

    def data_received(self, data: bytes) -> None:
        was_in_head, self._got_further = self._in_head, False
        super().data_received(data)
        # The parser itself knows no bound: a head without end would fill the memory.
        if was_in_head and not self._got_further:
            self._head_size += len(data)
            self._wait_for_head()
            if self._head_size > HEADERS_LIMIT and not self.transport.is_closing():
                self.send_400_response("The head of the request is too long.")

    def on_headers_complete(self) -> None:
        self._in_head, self._got_further = False, True
        self._stop_waiting()
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._in_head = True
        self._head_size = 0
        self._stop_reading_body()
        super().on_message_complete()

    def on_body(self, body: bytes) -> None:
        super().on_body(body)
        if self._body_ends is not None:
            self._thrown_away += len(body)
            if self._thrown_away > BODY_LIMIT:
                self.transport.abort()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        # A body that nobody waits for any more may drip for ever. Closed at once, the answer would be lost on
        # whoever is still sending: it has a moment to come to its end.
        if not self._in_head and self._body_ends is None and not self.transport.is_closing():
            self._thrown_away = 0
            self._body_ends = self.loop.call_later(LAST_WORDS_SECONDS, self.transport.abort)
        # Closing waits for the other side to read what is left, for as long as that takes.
        if self.transport.is_closing() and self.transport.get_write_buffer_size():
            self.loop.call_later(UNREAD_SECONDS, self.transport.abort)

    def timeout_keep_alive_handler(self) -> None:
        if self.transport.get_write_buffer_size():
            self.transport.abort()
        super().timeout_keep_alive_handler()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._unread = self.loop.call_later(UNREAD_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._read_at_last()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        self._read_at_last()
        self._stop_reading_body()
        super().connection_lost(exc)

    def _wait_for_head(self) -> None:
        if self._impatience is None and not self.transport.is_closing():
            self._impatience = self.loop.call_later(FIRST_REQUEST_SECONDS, self.transport.abort)

    def _stop_waiting(self) -> None:
        if self._impatience is not None:
            self._impatience.cancel()
            self._impatience = None

    def _stop_reading_body(self) -> None:
        if self._body_ends is not None:
            self._body_ends.cancel()
            self._body_ends = None

    def _read_at_last(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def cut(self, code: int, reason: str) -> None:
        """End the connection without waiting for the other side to read what it was sent."""
        self.loop.call_later(LAST_WORDS_SECONDS, self.transport.abort)


class _LiveConnection(WebSocketsSansIOProtocol):
    """uvicorn's WebSocket, which can also be closed while the other side does not read, or floods.

    Messages need no bound here: while one waits for the application nothing more is read. What is no message
    would be taken without end.
    """

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self.app_state = {**self.app_state, "cut": self.cut, "lag": self.lag}
        self._pieces = 0
        self._pieces_since = 0.0
        self._is_flooding = False

    def data_received(self, data: bytes) -> None:
        for start in range(0, len(data), SLICE):
            if self._is_flooding or self.transport.is_closing():
                return
            super().data_received(data[start : start + SLICE])

    def handle_cont(self, event: Frame) -> None:
        if self._is_borne(1 + len(self.frames)):
            super().handle_cont(event)

    def handle_ping(self) -> None:
        if self._is_borne():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        if self._is_borne():
            super().handle_pong(event)

    def send_receive_event_to_app(self) -> None:
        if self.close_sent:
            # Who has not read yet that it is closed may have sent much by then: that is let through.
            if self._is_borne(limit=10 * PIECES_LIMIT):
                super().send_receive_event_to_app()
            return
        if self.curr_msg_data_type == "text" and not _is_text(self.frames):
            self.conn.send_close(1007, "not UTF-8")
            self.handle_parser_exception()
            return
        super().send_receive_event_to_app()

    def _is_borne(self, of_one_message: int = 0, limit: int | None = None) -> bool:
        """Count a frame that is of no use to the application; false once there were too many of them."""
        now = self.loop.time()
        if now - self._pieces_since > PIECES_SECONDS:
            self._pieces, self._pieces_since = 0, now
        self._pieces += 1
        if not self._is_flooding and max(self._pieces, of_one_message) > (limit or PIECES_LIMIT):
            self.cut(FLOODING, "too many frames that are no message")
            self._is_flooding = True
            self.frames = []
            self.transport.pause_reading()
        return not self._is_flooding

    def schedule_ping(self) -> None:
        """The first ping comes soon: it tells how far away the other side is."""
        assert self.ping_interval is not None
        if self.last_ping_rtt:
            super().schedule_ping()
        else:
            soon = min(FIRST_PING_SECONDS, self.ping_interval)
            self.ping_timer = self.loop.call_later(soon, self.send_keepalive_ping)

    def lag(self) -> int:
        """Milliseconds to the other side and back, as the last ping has shown; 0 before the first."""
        return round(1000 * self.last_ping_rtt)

    def cut(self, code: int, reason: str) -> None:
        """Close with a code behind what is still being written, and abort if that is not read soon."""
        if not self.close_sent and self.handshake_complete and not self.transport.is_closing():
            self.conn.send_close(code, reason)
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.close_sent = True
            self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": reason})
        self.loop.call_later(LAST_WORDS_SECONDS, self.transport.abort)


def _is_text(pieces: list[bytes]) -> bool:
    """Whether a message is UTF-8; uvicorn would log the error of whoever sends something else."""
    if all(piece.isascii() for piece in pieces):
        return True
    try:
        b"".join(pieces).decode()
    except UnicodeDecodeError:
        return False
    return True
