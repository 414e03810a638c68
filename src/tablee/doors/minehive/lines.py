"""A connection that speaks lines: bounded in what it reads, in what it leaves unread, and in its silence."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Coroutine, Iterator
from typing import Any, ClassVar, cast

import structlog

from tablee.clock import Instant
from tablee.doors.minehive.settings import Bounds
from tablee.doors.minehive.wheel import Wheel

log = structlog.get_logger("tablee.minehive")

CHOKED = 64 * 1024
"""Unread bytes from which on we read no more requests until they are taken."""
RUOK = b"RUOK\n"


class Lines(asyncio.Protocol):
    """One end of a link. Subclasses take lines in `line` and hear of the end in `gone`."""

    __slots__ = (
        "_buffer",
        "_choked",
        "_ended",
        "_held",
        "_idks",
        "_pending",
        "_pinged",
        "_skipping",
        "_task",
        "_transport",
        "address",
        "bounds",
        "closing",
        "heard",
        "lost",
        "wheel",
    )
    not_understood: ClassVar[bytes] = b""
    """The IDK answer of this end; empty where there is none."""
    ping: int = 0
    """Every how many milliseconds RUOK is sent; 0 where the other end asks."""
    silence: int = 0

    def __init__(self, wheel: Wheel, bounds: Bounds) -> None:
        self.wheel = wheel
        self.bounds = bounds
        self.address = ""
        self.heard: Instant = 0
        self.closing = False
        self.lost = False
        self._pinged: Instant = 0
        self._transport: asyncio.Transport | None = None
        self._buffer = b""
        self._pending: Iterator[str | None] | None = None
        self._skipping = False
        self._idks = 0
        self._held = False
        self._choked = False
        self._ended = False
        self._task: asyncio.Task[None] | None = None

    # --- for subclasses ---------------------------------------------------------------------------------

    def opened(self) -> None:
        """The connection stands."""

    def line(self, line: str) -> None:
        """One line has come, without its end."""
        raise NotImplementedError

    def gone(self) -> None:
        """The connection is no more; called once."""

    def expired(self, now: Instant) -> Instant:
        """Close what is due; otherwise when to ask again."""
        return now + 3_600_000

    def caught_up(self) -> None:
        """Every line that has come so far was taken."""

    def has_work(self) -> bool:
        """Whether something that the other end asked for still has to be answered."""
        return self._held

    def misread(self) -> None:
        """A line that is not understood: said at most so many times in a row."""
        self.write(self.not_understood)
        self._idks += 1
        if self._idks >= self.bounds.idks:
            self.close()

    def answer(self, data: bytes) -> None:
        """Write an answer that shows that the line was understood."""
        self._idks = 0
        self.write(data)

    def understood(self) -> None:
        """The line will be answered later."""
        self._idks = 0

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
        """Do this before the next line is read."""
        self._held = True
        self._task = asyncio.get_running_loop().create_task(self._work(work))

    def pause(self) -> None:
        """Read no further line until `go_on`."""
        self._held = True

    def go_on(self) -> None:
        """Read again what has come meanwhile."""
        self._held = False
        if self._transport is None or self.closing:
            return
        self.heard = self.wheel.clock.now()
        if not self._choked:
            self._transport.resume_reading()
        self._read_on()

    def settle(self) -> None:
        """Close, if the other end has said its last line and has its last answer."""
        if self._ended and self._pending is None and not self.has_work():
            if self.closing and self._transport is not None:
                self._transport.close()
            self.close()

    def close(self) -> None:
        """Flush, shut down writing, then close, so that the last lines arrive."""
        transport = self._transport
        if transport is None or self.closing:
            return
        self.closing = True
        self.wheel.watch(self, self.wheel.clock.now() + self.bounds.linger)
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

    # --- asyncio ----------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = stream = cast(asyncio.Transport, transport)
        stream.set_write_buffer_limits(high=CHOKED)
        peer = stream.get_extra_info("peername")
        self.address = str(peer[0]) if peer else ""
        sock = stream.get_extra_info("socket")
        if sock is not None:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.heard = self._pinged = self.wheel.clock.now()
        if self.ping:
            stream.write(RUOK)
        self.wheel.watch(self, self.heard + (self.ping or self.silence))
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

    def turn(self, now: Instant) -> Instant | None:
        """What the wheel calls: ask, give up, or close for good."""
        if self._transport is None:
            return None
        if self.closing:
            self._transport.abort()
            return None
        if not self._held and now - self.heard >= self.silence:
            self.close()
            return None
        again = self.expired(now)
        if self.closing:
            return None
        if self.ping:
            if now - self._pinged >= self.ping:
                self._pinged = now
                self.write(RUOK)
            again = min(again, self._pinged + self.ping)
        return min(again, max(self.heard + self.silence, now + 100))

    # --- how --------------------------------------------------------------------------------------------

    def _read_on(self) -> None:
        """Take every whole line that has come, as far as we may."""
        while not self.closing:
            if self._pending is None:
                if not self._buffer or not self._split():
                    break
            elif self._held or self._choked:
                return
            else:
                for line in self._pending:
                    if line is None:
                        self.misread()
                    else:
                        self.line(line)
                    if self.closing or self._held or self._choked:
                        break
                else:
                    self._pending = None
        self.caught_up()
        self.settle()

    def _split(self) -> bool:
        """Make lines of the buffer, None for one that cannot be read; what is left begins the next one."""
        buffer = self._buffer
        end = buffer.rfind(b"\n")
        if end < 0:
            if self._skipping or len(buffer) > self.bounds.line + 1:
                self._skipping = True
                self._buffer = b""
            return False
        self.heard = self.wheel.clock.now()
        self._buffer = buffer[end + 1 :]
        try:
            lines: list[str | None] = list(buffer[:end].decode().split("\n"))
        except UnicodeDecodeError:
            lines = [_decoded(raw) for raw in buffer[:end].split(b"\n")]
        if self._skipping:
            self._skipping = False
            lines[0] = None
        self._pending = map(self._bounded, lines)
        return True

    def _bounded(self, line: str | None) -> str | None:
        if line is None:
            return None
        if line[-1:] == "\r":
            line = line[:-1]
        bound = self.bounds.line
        return None if len(line) * 4 > bound and len(line.encode()) > bound else line

    async def _work(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except Exception:
            log.exception("minehive_request_broke")
            self.close()
        finally:
            self._task = None
            self.go_on()

    def _finish(self) -> None:
        if not self.lost:
            self.lost = True
            self._buffer, self._pending = b"", None
            self.gone()


def _decoded(raw: bytes) -> str | None:
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return None
