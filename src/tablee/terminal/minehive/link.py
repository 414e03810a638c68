"""One TCP connection to a server or a host: lines in, lines out, and the answers that need no thought."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from typing import cast

from tablee.terminal.minehive.messages import AreYouOk, Message, Say, parse

LONGEST_LINE = 64 * 1024
LATIN = "latin-1"
"""What servers on old Windows machines write instead of UTF-8."""

Hear = Callable[["Link", list[Message]], None]
Lost = Callable[["Link"], None]


class Link(asyncio.Protocol):
    """Answers RUOK and unknown types by itself, and hands on the rest in batches as they arrive."""

    def __init__(self, hear: Hear, lost: Lost, silence: float) -> None:
        self._hear = hear
        self._lost = lost
        self._silence = silence
        self._transport: asyncio.Transport | None = None
        self._buffer = b""
        self._skipping = False
        self._is_latin = False
        self._watch: asyncio.TimerHandle | None = None
        self._heard_at = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        peer = transport.get_extra_info("socket")
        if peer is not None:
            peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        loop = asyncio.get_running_loop()
        self._heard_at = loop.time()
        self._watch = loop.call_later(self._silence, self._look)

    def _look(self) -> None:
        loop = asyncio.get_running_loop()
        left = self._heard_at + self._silence - loop.time()
        if left > 0:
            self._watch = loop.call_later(left, self._look)
        elif self._transport is not None:
            self._transport.abort()

    def data_received(self, data: bytes) -> None:
        self._heard_at = asyncio.get_running_loop().time()
        *lines, self._buffer = (self._buffer + data).split(b"\n")
        messages: list[Message] = []
        answers: list[str] = []
        for line in lines:
            message = None if self._skipping else self._decode(line)
            self._skipping = False
            if message is None:
                answers.append(Say.I_DO_NOT_KNOW)
            elif isinstance(message, AreYouOk):
                answers.append(Say.I_AM_OK)
            else:
                messages.append(message)
        if len(self._buffer) > LONGEST_LINE:
            self._buffer, self._skipping = b"", True
        self.send(*answers)
        if messages:
            self._hear(self, messages)

    def send(self, *lines: str) -> None:
        """Write lines, unless the connection is closing."""
        if lines and self._transport is not None and not self._transport.is_closing():
            text = "".join(f"{line}\n" for line in lines)
            self._transport.write(text.encode(LATIN, "replace") if self._is_latin else text.encode())

    def _decode(self, line: bytes) -> Message | None:
        try:
            return parse(line.decode())
        except UnicodeDecodeError:
            self._is_latin = True
            return parse(line.decode(LATIN))

    def close(self) -> None:
        """Close without telling the owner, who knows."""
        self._lost = _nobody
        self._hear = _deaf
        if self._transport is not None:
            self._transport.close()

    def connection_lost(self, error: Exception | None) -> None:
        if self._watch is not None:
            self._watch.cancel()
        self._transport = None
        self._lost(self)


def _nobody(link: Link) -> None:
    pass


def _deaf(link: Link, messages: list[Message]) -> None:
    pass
