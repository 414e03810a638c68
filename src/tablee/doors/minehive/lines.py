"""A connection that speaks lines: bounded in what it reads, in what it leaves unread, and in its silence.

Lines are UTF-8. Programs of old Windows machines write Latin-1: whoever is seen to do so is answered in it.
"""

from __future__ import annotations

from typing import ClassVar

from tablee.doors.minehive.settings import Bounds
from tablee.wire.stream import Stream
from tablee.wire.wheel import Wheel

RUOK = b"RUOK\n"
_LATIN = "latin-1"
_UNPRINTABLE = bytes(byte for byte in range(256) if byte < 0x20 or 0x7F <= byte < 0xA0)
"""What stands for no character that is seen in Latin-1."""


class Lines(Stream):
    """One end of a link. Subclasses take lines in `line` and hear of the end in `gone`."""

    __slots__ = ("_came", "_idks", "_pinged", "_skipping", "bounds", "is_latin")
    not_understood: ClassVar[bytes] = b""
    """The IDK answer of this end; empty where there is none."""
    ping: int = 0
    """Every how many milliseconds RUOK is sent; 0 where the other end asks."""
    silence: int = 0

    def __init__(self, wheel: Wheel, bounds: Bounds) -> None:
        super().__init__(wheel)
        self.bounds: Bounds = bounds
        self._came = 0
        self._pinged = 0
        self._skipping = False
        self._idks = 0
        self.is_latin = False
        """Whether the other end has written Latin-1, and reads nothing else."""

    # --- for subclasses ---------------------------------------------------------------------------------

    def began(self) -> None:
        """The connection stands."""

    def line(self, line: str) -> None:
        """One line has come, without its end."""
        raise NotImplementedError

    def is_identified(self) -> bool:
        """Whether the other end has said who it is; until then it has a bounded time for it."""
        return True

    def expired(self, now: int) -> int:
        """Close what is due; otherwise when to ask again."""
        return now + 3_600_000

    def misread(self) -> None:
        """A line that is not understood: said at most so many times in a row."""
        self.write(self.not_understood)
        self._idks += 1
        if self._idks >= self.bounds.idks:
            self.close()

    def tell(self, text: str) -> None:
        """Write whole lines."""
        self.write(self.encoded(text))

    def encoded(self, text: str) -> bytes:
        """Lines as the other end reads them; a letter that it has not becomes `?`."""
        return text.encode(_LATIN, "replace") if self.is_latin else text.encode()

    def read_as(self, text: str) -> str:
        """What the other end makes of a text, and says when it repeats it."""
        return self.encoded(text).decode(_LATIN) if self.is_latin else text

    def answer(self, text: str) -> None:
        """Write an answer that shows that the line was understood."""
        self._idks = 0
        self.tell(text)

    def understood(self) -> None:
        """The line will be answered later."""
        self._idks = 0

    # --- the stream -------------------------------------------------------------------------------------

    def opened(self) -> None:
        self._pinged = self._came = self.heard
        if self.ping:
            self.write(RUOK)
        self.wheel.watch(self, self.heard + (self.ping or self.silence))
        self.began()

    def piece(self, piece: str | None) -> None:
        if piece is None:
            self.misread()
        else:
            self.line(piece)

    def looked_at(self, now: int) -> int | None:
        """Ask whether somebody is there, or give him up."""
        if not self._held and now - self.heard >= self.silence:
            self.close()
            return None
        again = self.expired(now)
        if not self.is_identified():
            due = self._came + self.bounds.identify
            if now >= due and not self.has_work():
                self.close()
            again = min(again, max(due, now + 100))
        if self.closing:
            return None
        if self.ping:
            if now - self._pinged >= self.ping:
                self._pinged = now
                self.write(RUOK)
            again = min(again, self._pinged + self.ping)
        return min(again, max(self.heard + self.silence, now + 100))

    def split(self) -> bool:
        """Make lines of the buffer, None for one that cannot be read; what is left begins the next one."""
        buffer = self._buffer
        end = buffer.rfind(b"\n")
        if end < 0:
            if self._skipping or len(buffer) > self.bounds.line + 1:
                self._skipping = True
                self._buffer = b""
            return False
        self.heard = self.wheel.clock.ticks()
        self._buffer = buffer[end + 1 :]
        try:
            lines: list[str | None] = list(buffer[:end].decode().split("\n"))
        except UnicodeDecodeError:
            lines = [self._decoded(raw) for raw in buffer[:end].split(b"\n")]
        if self._skipping:
            self._skipping = False
            lines[0] = None
        self._pending = map(self._bounded, lines)
        return True

    def _decoded(self, raw: bytes) -> str | None:
        if len(raw) > self.bounds.line + 1:
            return None
        try:
            return raw.decode()
        except UnicodeDecodeError:
            raw = raw.removesuffix(b"\r")
            if raw.translate(None, _UNPRINTABLE) != raw:
                return None
        self.is_latin = True
        return raw.decode(_LATIN)

    def _bounded(self, line: str | None) -> str | None:
        if line is None:
            return None
        if line[-1:] == "\r":
            line = line[:-1]
        bound = self.bounds.line
        if len(line) * 4 > bound and len(self.encoded(line)) > bound:
            return None
        return line
