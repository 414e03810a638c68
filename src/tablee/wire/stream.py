"""One TCP connection, bounded in what it reads, in what it leaves unread, and in how long it closes."""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import Coroutine, Iterator
from typing import Any, Protocol, cast

import structlog

from tablee.wire.wheel import Wheel

log = structlog.get_logger("tablee.wire")

_RTT_AT = 68
"""Where Linux's `tcp_info` has the smoothed round trip, in microseconds."""
CHOKED = 64 * 1024
"""Unread bytes from which on we read no more requests until they are taken."""


# Why: docs/decisions.md#doors-share-the-wire
class Bounds(Protocol):
    """What one connection may cost."""

    @property
    def unread(self) -> int:
        """Bytes that a reader may leave unread before he is cut off, besides one answer."""
        ...

    @property
    def linger(self) -> int:
        """Milliseconds that a closed connection has to take its last bytes."""
        ...


class Stream(asyncio.Protocol):
    """One end of a link. Subclasses cut what comes into pieces, take them one by one, and hear of the end."""

    __slots__ = (
        "__weakref__",
        "_buffer",
        "_choked",
        "_ended",
        "_held",
        "_pending",
        "_task",
        "_transport",
        "address",
        "closing",
        "heard",
        "lost",
        "wheel",
    )
    bounds: Bounds

    def __init__(self, wheel: Wheel) -> None:
        self.wheel = wheel
        self.address = ""
        self.heard = 0
        """At which tick something last came."""
        self.closing = False
        self.lost = False
        self._transport: asyncio.Transport | None = None
        self._buffer = b""
        self._pending: Iterator[Any] | None = None
        self._held = False
        self._choked = False
        self._ended = False
        self._task: asyncio.Task[None] | None = None

    # --- for subclasses ---------------------------------------------------------------------------------

    def opened(self) -> None:
        """The connection stands."""

    def split(self) -> bool:
        """Make pieces (`_pending`) of the buffer, if there is a whole one; what is left begins the next."""
        raise NotImplementedError

    def piece(self, piece: Any) -> None:
        """One piece has come."""
        raise NotImplementedError

    def gone(self) -> None:
        """The connection is no more; called once."""

    def looked_at(self, now: int) -> int | None:
        """What the wheel calls while the connection stands: close what is due, or say when to ask again."""
        return now + 3_600_000

    def caught_up(self) -> None:
        """Every piece that has come so far was taken."""

    def has_work(self) -> bool:
        """Whether something that the other end asked for still has to be answered."""
        return self._held

    def write(self, data: bytes) -> None:
        """Send, or cut off a reader who leaves too much unread."""
        transport = self._transport
        if transport is None or self.closing:
            return
        if self._choked and transport.get_write_buffer_size() > self.bounds.unread:
            self.cut()
        else:
            transport.write(data)

    def hold(self, work: Coroutine[Any, Any, None]) -> None:
        """Do this before the next piece is read."""
        self._held = True
        self._task = asyncio.get_running_loop().create_task(self._work(work))

    def pause(self) -> None:
        """Read no further piece until `go_on`."""
        self._held = True

    def go_on(self) -> None:
        """Read again what has come meanwhile."""
        self._held = False
        if self._transport is None or self.closing:
            return
        self.heard = self.wheel.clock.ticks()
        if not self._choked:
            self._transport.resume_reading()
        self._read_on()

    def settle(self) -> None:
        """Close, if the other end has said its last word and has its last answer."""
        if self._ended and self._pending is None and not self.has_work():
            if self.closing and self._transport is not None:
                self._transport.close()
            self.close()

    def close(self) -> None:
        """Flush, shut down writing, then close, so that the last bytes arrive."""
        transport = self._transport
        if transport is None or self.closing:
            return
        self.closing = True
        self.wheel.watch(self, self.wheel.clock.ticks() + self.bounds.linger)
        if transport.is_closing():
            return
        # A socket closed with bytes that nobody has read resets the connection, and the last lines are
        # lost: we end our side, and read what comes until the other side ends too.
        try:
            transport.write_eof()
            transport.resume_reading()
        except (OSError, RuntimeError):
            transport.abort()  # the other end is gone already
        if self._ended:
            transport.close()
        self._finish()

    def cut(self) -> None:
        """End at once, whatever is unsent."""
        self.closing = True
        if self._transport is not None:
            self._transport.abort()
        self._finish()

    def local_address(self) -> str:
        """Our own address as this connection's other end sees it."""
        name = self._transport.get_extra_info("sockname") if self._transport is not None else None
        return str(name[0]) if name else ""

    def round_trip(self) -> int:
        """Milliseconds to the other end and back, as TCP itself has measured; 0 where it does not say."""
        sock = self._transport.get_extra_info("socket") if self._transport is not None else None
        if sock is None or not hasattr(socket, "TCP_INFO"):
            return 0
        try:
            known = sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _RTT_AT + 4)
        except OSError:
            return 0
        if len(known) < _RTT_AT + 4:
            return 0
        return int.from_bytes(known[_RTT_AT : _RTT_AT + 4], sys.byteorder) // 1000

    # --- asyncio ----------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = stream = cast(asyncio.Transport, transport)
        stream.set_write_buffer_limits(high=CHOKED)
        peer = stream.get_extra_info("peername")
        self.address = str(peer[0]) if peer else ""
        sock = stream.get_extra_info("socket")
        if sock is not None:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.heard = self.wheel.clock.ticks()
        self.opened()

    def data_received(self, data: bytes) -> None:
        if self.closing:
            return
        self._buffer = self._buffer + data if self._buffer else data
        if self._pending is None and not self._held:
            self._read_on()
        elif len(self._buffer) > CHOKED and self._transport is not None:
            self._transport.pause_reading()

    def eof_received(self) -> bool:
        self._ended = True
        self.settle()
        return True

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None
        self.closing = True
        self._finish()

    def pause_writing(self) -> None:
        self._choked = True
        if self._transport is not None and not self.closing:
            self._transport.pause_reading()

    def resume_writing(self) -> None:
        self._choked = False
        if self._transport is not None and not self._transport.is_closing():
            self._transport.resume_reading()
            if not self._held:
                self._read_on()

    def turn(self, now: int) -> int | None:
        """What the wheel calls: look at the connection, or close it for good."""
        if self._transport is None:
            return None
        if self.closing:
            self._transport.abort()
            return None
        return self.looked_at(now)

    # --- how --------------------------------------------------------------------------------------------

    def _read_on(self) -> None:
        """Take every whole piece that has come, as far as we may."""
        while not self.closing:
            if self._pending is None:
                if not self._buffer or not self.split():
                    break
            elif self._held or self._choked:
                return
            else:
                for piece in self._pending:
                    self.piece(piece)
                    if self.closing or self._held or self._choked:
                        break
                else:
                    self._pending = None
        self.caught_up()
        self.settle()

    async def _work(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except Exception:
            log.exception("request_broke")
            self.close()
        finally:
            self._task = None
            self.go_on()

    def _finish(self) -> None:
        if not self.lost:
            self.lost = True
            self._buffer, self._pending = b"", None
            self.gone()
