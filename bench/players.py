"""Players for the load on Minehive: connections that parse no more than their measuring needs."""

from __future__ import annotations

import asyncio
import random
import socket
import time
from collections import deque
from collections.abc import Callable
from typing import cast

SQUARES = [(x, y) for y in range(16) for x in range(30)]


class Wire(asyncio.Protocol):
    """A connection that answers RUOK and hands whole lines, still joined, to `take`."""

    def __init__(self) -> None:
        self.transport: asyncio.Transport | None = None
        self.take: Callable[[bytes], None] = self._collect
        self.is_open = False
        self._tail = b""
        self._lines: deque[bytes] = deque()
        self._wanted: asyncio.Future[None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.is_open = True

    def connection_lost(self, error: Exception | None) -> None:
        self.is_open = False
        if self._wanted is not None and not self._wanted.done():
            self._wanted.set_result(None)

    def say(self, line: bytes) -> None:
        if self.is_open and self.transport is not None:
            self.transport.write(line + b"\n")

    def data_received(self, data: bytes) -> None:
        if self._tail:
            data = self._tail + data
            self._tail = b""
        end = data.rfind(b"\n") + 1
        if end != len(data):
            data, self._tail = data[:end], data[end:]
        if b"RUOK" in data:
            self.say(b"IMOK")
        self.take(data)

    def _collect(self, data: bytes) -> None:
        self._lines += [line for line in data.split(b"\n")[:-1] if line != b"RUOK"]
        if self._wanted is not None and not self._wanted.done():
            self._wanted.set_result(None)

    async def line(self) -> list[str]:
        """The fields of the next line, none when the connection is closed."""
        while not self._lines and self.is_open:
            self._wanted = asyncio.get_running_loop().create_future()
            await self._wanted
        return self._lines.popleft().decode().split("#") if self._lines else []

    def close(self) -> None:
        if self.transport is not None:
            self.transport.close()


async def reach(host: str, port: int, wire: type[Wire] = Wire, source: str | None = None) -> Wire:
    """An open connection; a few tries, because a full backlog refuses for a moment."""
    loop = asyncio.get_running_loop()
    for attempt in range(5):
        try:
            local = (source, 0) if source else None
            _, made = await loop.create_connection(wire, host, port, local_addr=local)
            return made
        except OSError:
            if attempt == 4:
                raise
            await asyncio.sleep(0.1 * 2**attempt)
    raise AssertionError("unreachable")


class Counts:
    """What all players of a run have seen together."""

    def __init__(self) -> None:
        self.delivered = 0
        self.clicks = 0
        self.late = 0
        self.last = 0.0
        self.latencies: list[float] = []


class Match:
    """One board and the players at it, as the generator sees them."""

    def __init__(self, number: int, counts: Counts, rng: random.Random) -> None:
        self.number = number
        self.counts = counts
        self.players: list[Player] = []
        self.over = asyncio.Event()
        self.stream: list[bytes] = []
        self.open: set[bytes] = set()
        self.pending: dict[bytes, list[float]] = {}
        squares = SQUARES.copy()
        rng.shuffle(squares)
        self.squares = [b"%d#%d" % square for square in squares]

    def next_square(self) -> bytes | None:
        """A square that is not known to be open and that nobody has clicked."""
        while self.squares:
            square = self.squares.pop()
            if square not in self.open:
                return square
        return None


class Player(Wire):
    """A player in a match; the first of a match keeps the stream of it for the recording."""

    def __init__(self) -> None:
        super().__init__()
        self.name = b""
        self.own = b""
        self.match: Match | None = None
        self.left: deque[bytes] = deque()
        self.waiting: list[bytes] = []
        self.sent: list[bytes] = []
        self.window = 1
        self.keeps = False

    def seat(self, match: Match, name: str) -> None:
        self.name = name.encode()
        self.own = b"#" + self.name + b"\n"
        self.match = match
        self.keeps = not match.players
        match.players.append(self)

    # At full speed: count the lines, and click again as soon as one's own click is answered

    def start(self) -> None:
        self.take = self._count
        self._click_on()

    def _count(self, data: bytes) -> None:
        match = cast(Match, self.match)
        told = data.count(b"SQRD")
        if told:
            match.counts.delivered += told
            match.counts.last = time.perf_counter()
        if self.keeps:
            match.stream.append(data)
        late = data.count(b"LATE")
        if late or self.own in data:
            waiting = [click for click in self.waiting if not self._opened(data, click)]
            self.waiting = waiting[late:]
            match.counts.late += late
            self._click_on()
        if b"ENDC" in data:
            match.over.set()

    def _opened(self, data: bytes, square: bytes) -> bool:
        at = data.find(b"SQRD#" + square + b"#")
        return at >= 0 and data.endswith(self.own, at, data.index(b"\n", at) + 1)

    def _click_on(self) -> None:
        while self.left and len(self.waiting) < self.window:
            square = self.left.popleft()
            self.waiting.append(square)
            self.sent.append(square)
            cast(Match, self.match).counts.clicks += 1
            self.say(b"CLIC#" + square)

    # At a given rate: note when the last player of the match has seen each click

    def watch(self) -> None:
        self.take = self._time

    def _time(self, data: bytes) -> None:
        match = cast(Match, self.match)
        now = time.perf_counter()
        for line in data.split(b"\n"):
            if line.startswith(b"SQRD"):
                square = line[5 : line.find(b"#", line.find(b"#", 5) + 1)]
                match.counts.delivered += 1
                match.open.add(square)
                entry = match.pending.get(square)
                if entry is not None:
                    entry[1] -= 1
                    if not entry[1]:
                        match.counts.latencies.append(now - entry[0])
                        del match.pending[square]
            elif line == b"LATE":
                match.counts.late += 1
            elif line.startswith(b"ENDC"):
                match.over.set()

    def click_timed(self, square: bytes) -> None:
        match = cast(Match, self.match)
        match.pending[square] = [time.perf_counter(), len(match.players)]
        match.counts.clicks += 1
        self.say(b"CLIC#" + square)
