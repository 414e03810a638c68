"""A house with a Pawn Hub door in this process, and clients of both dialects over real sockets."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from tests.kit.rooms import Rooms
from tests.kit.waiting import PATIENCE, until

from tablee.clock import Clock
from tablee.club import Account
from tablee.club.limits import Bucket
from tablee.doors.pawnhub import PawnhubSettings
from tablee.doors.pawnhub.door import PawnhubDoor
from tablee.doors.pawnhub.messages import FRAME, framed
from tablee.rules import games_of
from tablee.rules.chess import VARIANTS, ChessRules
from tablee.rules.mines import MinesRules
from tablee.store import Store

PASSWORD = "sésame"
LIMITS = {"visitor": Bucket(10_000, 1), "sign_up": Bucket(10_000, 1)}


class House(Rooms):
    """The rooms and a Pawn Hub door, on free ports."""

    def __init__(self, store: Store, clock: Clock, data: Path | None = None, **changed: Any) -> None:
        games = games_of(*map(ChessRules, VARIANTS), MinesRules())
        super().__init__(store, clock, data, games=games, limits=LIMITS)
        settings = PawnhubSettings(port=0, plain_port=0, **changed)
        self.door = PawnhubDoor(store, self.club, self.tables, clock, settings)
        self._clients: list[Client] = []

    async def open_door(self) -> None:
        await self.door.start()

    async def close_door(self) -> None:
        for client in self._clients:
            client.close()
        await self.door.stop()

    async def plain(self) -> Plain:
        """A connection to the plain port."""
        assert self.door.plain_address is not None
        client = Plain(*await asyncio.open_connection(*self.door.plain_address))
        self._clients.append(client)
        return client

    async def framed(self) -> Framed:
        """A connection to the framed port."""
        assert self.door.address is not None
        client = Framed(*await asyncio.open_connection(*self.door.address))
        self._clients.append(client)
        return client

    async def member(self, name: str) -> Account:
        """An account with this name, made if need be."""
        known = await self.club.accounts.by_pseudos([name])
        return known[name] if name in known else await self.club.accounts.create(name, PASSWORD)

    async def plain_member(self, name: str) -> Plain:
        """A plain client who is logged in."""
        await self.member(name)
        client = await self.plain()
        await client.ask(f"LOGIN {name} {PASSWORD}", "OK")
        return client

    async def framed_member(self, name: str) -> Framed:
        """A framed client who is signed in."""
        await self.member(name)
        client = await self.framed()
        await client.ask(f"2~{name}~{PASSWORD}", "2~1")
        return client

    async def befriend(self, one: str, other: str) -> None:
        first, second = await self.member(one), await self.member(other)
        await self.club.friends.ask(first, second)
        await self.club.friends.accept(second, first)

    async def plain_pair(
        self, variant: str = "classic", white: str = "Ada", black: str = "Bob"
    ) -> tuple[Plain, Plain]:
        """Two plain clients in a game, past its first messages."""
        first, second = await self.plain_member(white), await self.plain_member(black)
        for client in (first, second):
            await client.ask(f"PLAY {variant}", "OK")
        for client in (first, second):
            await client.skip(4 if variant == "alice" else 3)
            assert await client.line() == "1"
        return first, second

    async def framed_pair(self, mode: int = 0) -> tuple[Framed, Framed]:
        """Two framed clients in a game, past its first messages."""
        first, second = await self.framed_member("Ada"), await self.framed_member("Bob")
        first.send(f"4~{mode}")
        await until(lambda: queued(self, "Ada"))
        second.send(f"4~{mode}")
        await first.until("30~Agimme")
        await second.until("30~T1")
        return first, second


async def queued(house: House, name: str) -> bool:
    account = await house.club.accounts.by_pseudo(name)
    return await house.tables.matchmaking.waiting(account.id) is not None


class Client:
    """One end of a real socket."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    def send_raw(self, data: bytes) -> None:
        if not self.writer.is_closing():
            self.writer.write(data)

    def close(self) -> None:
        self.writer.close()

    def reset(self) -> None:
        self.writer.transport.abort()

    async def _next(self) -> str:
        raise NotImplementedError

    async def line(self) -> str:
        """The next line or payload; "" when the other end has closed."""
        async with asyncio.timeout(PATIENCE):
            return await self._next()

    async def lines(self, count: int) -> list[str]:
        return [await self.line() for _ in range(count)]

    async def skip(self, count: int) -> None:
        await self.lines(count)

    async def until(self, wanted: str) -> list[str]:
        """Everything up to the first line that is this one."""
        found: list[str] = []
        while not found or found[-1] != wanted:
            found.append(await self.line())
            assert found[-1], f"closed before {wanted}: {found}"
        return found

    async def closed(self) -> list[str]:
        """What still comes until the other end closes."""
        found = []
        while line := await self.line():
            found.append(line)
        return found


class Plain(Client):
    """A client as telnet would be."""

    def send(self, *lines: str) -> None:
        self.send_raw("".join(f"{line}\n" for line in lines).encode())

    async def _next(self) -> str:
        line = (await self.reader.readline()).decode()
        assert line == "" or line.endswith("\n"), f"half a line: {line!r}"
        return line.rstrip("\n")

    async def ask(self, line: str, expected: str | None = None) -> str:
        self.send(line)
        answer = await self.line()
        assert expected is None or answer == expected, f"{line} was answered {answer!r}"
        return answer

    async def listing(self, line: str) -> list[str]:
        """The lines that answer, without END."""
        self.send(line)
        return (await self.until("END"))[:-1]

    async def move(self, text: str, other: Plain) -> None:
        """A legal move that does not end the game, in a variant with one board."""
        assert await self.ask(text) == "True"
        for client in (self, other):
            assert (await client.line()).endswith("#")
            assert await client.line() == "False"
            assert (await client.line()).isdigit()


class Framed(Client):
    """A client of the published program."""

    def send(self, *payloads: str) -> None:
        self.send_raw(framed(payloads))

    async def frame(self) -> bytes:
        """The next frame as it is; b"" when the other end has closed."""
        async with asyncio.timeout(PATIENCE):
            frame = b""
            while len(frame) < FRAME:
                try:
                    more = await self.reader.read(FRAME - len(frame))
                except ConnectionResetError:
                    return b""
                if not more:
                    assert frame == b"", f"half a frame: {frame!r}"
                    return b""
                frame += more
            return frame

    async def _next(self) -> str:
        payload = b""
        while True:
            frame = await self.frame()
            if not frame:
                return ""
            payload += frame.rstrip(b"|")
            if frame.endswith(b"|"):
                return payload.decode()

    async def ask(self, payload: str, expected: str | None = None) -> str:
        self.send(payload)
        answer = await self.line()
        assert expected is None or answer == expected, f"{payload} was answered {answer!r}"
        return answer


Opener = Callable[..., Awaitable[House]]
