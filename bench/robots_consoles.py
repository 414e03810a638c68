"""A load generator for DR2D: many games of eight consoles, each answering every call at once.

`bench.robots_load` runs it as `python -m bench.robots_consoles '{"port": 8282, …}'`; its result is JSON.
The WebSocket is written here by hand, so that the generator costs as little as may be.
"""

from __future__ import annotations

import asyncio
import random
import resource
import sys
import time
from collections.abc import Iterator
from typing import cast

import msgspec
import uvloop
from bench.load import worked

SEATS = 8
ENTERING_AT_ONCE = 40
HANDSHAKE = (
    b"GET /dr2d HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
CALL = b'{"stgyCall":{"seq":"'
PROGRAM = b'{"cartouche":[["Move_90Left"],["Move_90Right"],["Move_180Left"],[],["Enrichment_Standby"]]}'


class Load(msgspec.Struct):
    """What a run is asked to do."""

    port: int
    pid: int
    games: int = 10
    rounds: int = 4
    think: float = 0.0
    """Seconds at most that a console takes for a cartouche."""


class Result(msgspec.Struct):
    """What a run has seen. `delays`: seconds from a game's last cartouche to the last frame of that round."""

    delays: list[float]
    seconds: float
    frames: int
    server_cpu: float
    generator_cpu: float
    recorded: list[str]
    """The calls of one console."""


def frame(opcode: int, payload: bytes, masked: bool) -> bytes:
    """A WebSocket frame; the mask of a client is 0, which changes nothing and is allowed."""
    bit = 0x80 if masked else 0
    size = len(payload)
    if size < 126:
        head = bytes((0x80 | opcode, bit | size))
    elif size < 65_536:
        head = bytes((0x80 | opcode, bit | 126)) + size.to_bytes(2, "big")
    else:
        head = bytes((0x80 | opcode, bit | 127)) + size.to_bytes(8, "big")
    return head + (b"\0\0\0\0" if masked else b"") + payload


def frames_in(data: bytearray) -> Iterator[tuple[int, bytes]]:
    """Take whole frames off the front of what has come, unmasked or masked with 0."""
    while len(data) >= 2:
        size, at = data[1] & 0x7F, 2
        if size == 126:
            size, at = int.from_bytes(data[2:4], "big"), 4
        elif size == 127:
            size, at = int.from_bytes(data[2:10], "big"), 10
        at += 4 if data[1] & 0x80 else 0
        if len(data) < at + size:
            return
        opcode, payload = data[0] & 0x0F, bytes(data[at : at + size])
        del data[: at + size]
        yield opcode, payload


class Game:
    """One game: when its last cartouche of a round went, and when the last of its consoles had heard all."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._sent: dict[int, float] = {}
        self._heard: dict[int, int] = {}

    def programmed(self, number: int) -> None:
        self._sent[number] = time.perf_counter()

    def told(self, number: int) -> None:
        self._heard[number] = heard = self._heard.get(number, 0) + 1
        if heard == SEATS:
            self._run.heard(number, time.perf_counter() - self._sent[number])


class Run:
    """All games of a run."""

    def __init__(self, load: Load) -> None:
        self.load = load
        self.games: dict[bytes, Game] = {}
        self.delays: list[float] = []
        self.frames = 0
        self.recorder: Console | None = None
        """Whose calls are kept, up to its second cartouche."""
        self.recorded: list[str] = []
        self.over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._ended = 0
        self.rng = random.Random(8)

    def heard(self, number: int, delay: float) -> None:
        self.delays.append(delay)
        if number == self.load.rounds:
            self._ended += 1
            if self._ended == self.load.games and not self.over.done():
                self.over.set_result(None)


class Console(asyncio.Protocol):
    """One console, which echoes every call and programs turns on the spot."""

    def __init__(self, run: Run) -> None:
        self._run = run
        run.recorder = run.recorder or self
        self._data = bytearray()
        self._is_open = False
        self._game: Game | None = None
        self._round = 0
        self._transport: asyncio.Transport | None = None
        self.entered: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._transport.write(HANDSHAKE)

    def connection_lost(self, exc: Exception | None) -> None:
        if not self._run.over.done():
            self._run.over.set_exception(exc or ConnectionError("a console was sent away"))

    def data_received(self, data: bytes) -> None:
        self._data += data
        if not self._is_open:
            end = self._data.find(b"\r\n\r\n")
            if end < 0:
                return
            del self._data[: end + 4]
            self._is_open = True
        for opcode, payload in frames_in(self._data):
            if opcode == TEXT:
                self._came(payload)
            elif opcode == PING:
                self._write(PONG, payload)

    def _came(self, text: bytes) -> None:
        run = self._run
        run.frames += 1
        if not text.startswith(CALL):
            if not self.entered.done():
                self.entered.set_result(None)
            return
        if self is run.recorder and self._round < 2:
            run.recorded.append(text.decode())
        start = len(CALL)
        end = text.index(b'"', start)
        seq = text[start:end]
        token = text[end + 11 : text.index(b'"', end + 11)]
        if seq == b"RoundRequireCartouche":
            self._round += 1
            wait = run.rng.random() * run.load.think
            if wait:
                asyncio.get_running_loop().call_later(wait, self._program, token)
            else:
                self._program(token)
            return
        if seq == b"GameInitialisation":
            key = text.partition(b'"playerUID":"')[2].partition(b"-")[0]
            self._game = run.games.setdefault(key, Game(run))
        elif seq == b"RoundStatusOfCompetitors" and self._game is not None:
            self._game.told(self._round)
        args = text[text.rindex(b'"argsRef":') + 10 : -2]
        self._reply(seq, token, args)

    def _program(self, token: bytes) -> None:
        assert self._game is not None
        self._game.programmed(self._round)
        self._reply(b"RoundRequireCartouche", token, PROGRAM)

    def _reply(self, seq: bytes, token: bytes, args: bytes) -> None:
        said = b'{"stgyReply":{"seq":"%b","token":"%b","argsRef":%b}}' % (seq, token, args)
        self._write(TEXT, said)

    def _write(self, opcode: int, payload: bytes) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(frame(opcode, payload, masked=True))


async def run(load: Load) -> Result:
    """Let all consoles come, and measure until every game has played its rounds."""
    whole, loop = Run(load), asyncio.get_running_loop()
    for start in range(0, load.games * SEATS, ENTERING_AT_ONCE):
        count = min(ENTERING_AT_ONCE, load.games * SEATS - start)
        consoles = []
        for _ in range(count):
            _, console = await loop.create_connection(lambda: Console(whole), "127.0.0.1", load.port)
            consoles.append(console)
        await asyncio.gather(*(console.entered for console in consoles))
    begun, server, own = time.perf_counter(), worked(load.pid), time.process_time()
    before = whole.frames
    async with asyncio.timeout(600):
        await whole.over
    seconds = time.perf_counter() - begun
    return Result(
        delays=whole.delays,
        seconds=seconds,
        frames=whole.frames - before,
        server_cpu=worked(load.pid) - server,
        generator_cpu=time.process_time() - own,
        recorded=whole.recorded,
    )


if __name__ == "__main__":
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    asked = msgspec.json.decode(sys.argv[1], type=Load)
    print(msgspec.json.encode(uvloop.run(run(asked))).decode())
