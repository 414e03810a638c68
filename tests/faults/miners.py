"""Players who click as fast as they can over TCP, come back after every loss, and remember all they saw."""

from __future__ import annotations

import asyncio
import random
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

WIDTH, HEIGHT = 30, 16
LOST = (ConnectionError, OSError, asyncio.IncompleteReadError, TimeoutError)

Square = tuple[int, int]
Address = tuple[str, int]


@dataclass
class Seen:
    """What all the miners together were shown, and every contradiction in it."""

    squares: dict[str, dict[Square, tuple[int, int, str]]] = field(default_factory=lambda: defaultdict(dict))
    finals: dict[str, dict[str, tuple[int, ...]]] = field(default_factory=lambda: defaultdict(dict))
    runs: list[tuple[str, list[Square]]] = field(default_factory=list)
    """For every stay in a match: its name, and the squares in the order in which they were told."""
    faults: list[str] = field(default_factory=list)
    clicks: int = 0
    joins: int = 0

    @property
    def opened(self) -> int:
        """How many squares were shown in all."""
        return sum(len(found) for found in self.squares.values())

    def square(self, match: str, x: int, y: int, content: int, points: int, name: str) -> None:
        known = self.squares[match].setdefault((x, y), (content, points, name))
        if known != (content, points, name):
            self.faults.append(f"{match} {x},{y}: {known} became {(content, points, name)}")

    def board(self, match: str, before: dict[Square, tuple[int, int, str]], rows: list[list[str]]) -> None:
        """Compare the board sent at a JOIN with what had been seen before the JOIN was sent."""
        for (x, y), (content, _, name) in before.items():
            if rows[y][x] != str(content):
                self.faults.append(f"{match} {x},{y}: {name} opened {content}, the board says {rows[y][x]}")

    def final(self, match: str, name: str, numbers: tuple[int, ...]) -> None:
        known = self.finals[match].setdefault(name, numbers)
        if known != numbers:
            self.faults.append(f"{match}: final score of {name} {known} became {numbers}")


class Line:
    """One TCP connection that speaks lines and answers RUOK by itself, whatever its owner waits for."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._come: asyncio.Queue[list[str] | None] = asyncio.Queue()
        self._reading = asyncio.create_task(self._read())

    @classmethod
    async def open(cls, address: Address) -> Line:
        async with asyncio.timeout(5):
            return cls(*await asyncio.open_connection(*address))

    def send(self, line: str) -> None:
        self._writer.write(line.encode() + b"\n")

    async def read(self, timeout: float = 30) -> list[str]:
        async with asyncio.timeout(timeout):
            words = await self._come.get()
        if words is None:
            raise ConnectionResetError("the server closed the connection")
        return words

    async def _read(self) -> None:
        with suppress(*LOST):
            while (raw := await self._reader.readline()).endswith(b"\n"):
                words = raw.decode().rstrip("\r\n").split("#")
                if words[0] == "RUOK":
                    self.send("IMOK")
                else:
                    self._come.put_nowait(words)
        self._come.put_nowait(None)

    async def expect(self, *types: str) -> list[str]:
        while True:
            words = await self.read()
            if words[0] in types:
                return words

    def close(self) -> None:
        self._reading.cancel()
        self._writer.close()


class Miner:
    """One player: finds or makes a match, clicks hidden squares at random, starts again when it ends."""

    def __init__(
        self,
        name: str,
        server: Callable[[], Address | None],
        seen: Seen,
        rng: random.Random,
        gate: asyncio.Lock,
        scout: Scout,
        pause: float = 0,
    ) -> None:
        self.name = name
        self._server = server
        self._seen = seen
        self._rng = rng
        self._gate = gate  # so that a hundred miners without a match do not all make one
        self._scout = scout
        self._pause = pause  # seconds before each click; none is full speed
        self.stopping = False

    async def live(self) -> None:
        while not self.stopping:
            address = self._server()
            try:
                if address is None:
                    await asyncio.sleep(0.02)
                else:
                    await self._visit(address)
            except LOST:
                await asyncio.sleep(self._rng.uniform(0.02, 0.1))

    async def _visit(self, address: Address) -> None:
        line = await Line.open(address)
        try:
            line.send(f"REGI#{self.name}#secret of {self.name}")
            answer = await line.expect("IDOK", "IDIG", "IDNO")
            if answer[0] == "IDNO":
                await asyncio.sleep(0.2)
                return
            if answer[0] == "IDIG":
                await self._play((answer[1], int(answer[2])))
                return
            async with self._gate:
                port = await self._find(line)
                if port is None:
                    line.send("NWMA")
                    made = await line.expect("NWOK", "FULL", "NWNO")
                    port = int(made[2]) if made[0] == "NWOK" else None
            if port is not None:
                await self._play((address[0], port))
            else:
                await asyncio.sleep(0.05)
        finally:
            line.close()

    async def _find(self, line: Line) -> int | None:
        matches = await matches_of(line)
        free = [m for m in matches if (len(m) - 5) // 2 < 10 and int(m[4]) < 90]
        return int(min(free, key=lambda m: -len(m))[2]) if free else None

    async def _play(self, at: Address) -> None:
        line = await Line.open(at)
        try:
            partie = await self._scout.match_at(at[1])
            before = dict(self._seen.squares[partie])
            line.send(f"JOIN#{self.name}#secret of {self.name}")
            if (await line.expect("JNOK", "JNNO", "IDNO"))[0] != "JNOK":
                await asyncio.sleep(self._rng.uniform(0.05, 0.3))
                return
            self._seen.joins += 1
            rows = [(await line.expect("BDIT"))[2:] for _ in range(HEIGHT)]
            self._seen.board(partie, before, rows)
            hidden = {(x, y) for y in range(HEIGHT) for x in range(WIDTH) if rows[y][x] == "X"}
            await self._click(line, partie, hidden)
        finally:
            line.close()

    async def _click(self, line: Line, partie: str, hidden: set[Square]) -> None:
        told: list[Square] = []
        self._seen.runs.append((partie, told))
        await self._send_click(line, hidden)
        while not self.stopping:
            try:
                words = await line.read(timeout=1)
            except TimeoutError:  # the server could not play it; the square is still hidden
                await self._send_click(line, hidden)
                continue
            match words:
                case ["SQRD", x, y, content, points, name]:
                    self._seen.square(partie, int(x), int(y), int(content), int(points), name)
                    told.append((int(x), int(y)))
                    hidden.discard((int(x), int(y)))
                    if name == self.name:
                        await self._send_click(line, hidden)
                case ["LATE"]:
                    await self._send_click(line, hidden)
                case ["SCPC", name, *numbers]:
                    self._seen.final(partie, name, tuple(int(n) for n in numbers[:4]))
                case ["ENDC", *_]:
                    return

    async def _send_click(self, line: Line, hidden: set[Square]) -> None:
        if self._pause:
            await asyncio.sleep(self._pause)
        if hidden:
            x, y = self._rng.choice(list(hidden))
            line.send(f"CLIC#{x}#{y}")
            self._seen.clicks += 1


class Scout:
    """One more client, who only asks which match is behind a port."""

    def __init__(self, name: str, server: Callable[[], Address | None]) -> None:
        self._name = name
        self._server = server
        self._turn = asyncio.Lock()
        self._line: Line | None = None

    async def match_at(self, port: int) -> str:
        """The name of the match behind a port; the port changes when a match is taken up again."""
        async with self._turn:
            try:
                line = self._line or await self._enter()
                for words in await matches_of(line):
                    if int(words[2]) == port:
                        return words[3]
            except LOST:
                self.leave()
                raise
        raise ConnectionResetError(f"no match at port {port} any more")

    async def _enter(self) -> Line:
        address = self._server()
        if address is None:
            raise ConnectionResetError("the server is down")
        self._line = await Line.open(address)
        self._line.send(f"REGI#{self._name}#secret")
        await self._line.expect("IDOK")
        return self._line

    def leave(self) -> None:
        if self._line is not None:
            self._line.close()
            self._line = None


async def matches_of(line: Line) -> list[list[str]]:
    """The MATC lines that answer LSMA."""
    line.send("LSMA")
    count = int((await line.expect("LMNB"))[1])
    return [await line.expect("MATC") for _ in range(count)]
