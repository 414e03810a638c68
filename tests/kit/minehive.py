"""A house with a Minehive door in this process, and clients that speak over real sockets."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from tests.kit.rooms import Rooms
from tests.kit.waiting import PATIENCE

from tablee.clock import Clock
from tablee.club.limits import Bucket
from tablee.doors.minehive import MinehiveSettings
from tablee.doors.minehive.door import MinehiveDoor
from tablee.rules import games_of
from tablee.rules.mines import MinesRules
from tablee.store import Store

PASSWORD = "sésame"
LIMITS = {"sign_up": Bucket(10_000, 1)}


class House(Rooms):
    """The rooms and a Minehive door, on free ports."""

    def __init__(self, store: Store, clock: Clock, data: Path, *, seed: int = 1, **changed: Any) -> None:
        super().__init__(store, clock, data, seed=seed, games=games_of(MinesRules()), limits=LIMITS)
        settings = MinehiveSettings(port=0, host_port=0, **changed)
        self.door = MinehiveDoor(store, self.club, self.tables, clock, data, settings)
        self._clients: list[Client] = []  # a client that nobody keeps is closed

    async def open_door(self) -> None:
        await self.door.start()

    async def close_door(self) -> None:
        await self.door.stop()

    async def client(self) -> Client:
        """A connection to the clients' port, whose first RUOK was read."""
        return await self._connected(self.door.address)

    async def host(self) -> Client:
        """A connection to the hosts' port."""
        return await self._connected(self.door.hosts.address)

    async def _connected(self, address: tuple[str, int]) -> Client:
        client = await Client.open(address)
        self._clients.append(client)
        assert await client.line() == "RUOK"
        return client

    async def available(self, name: str, password: str = PASSWORD) -> Client:
        """A client who is identified."""
        client = await self.client()
        await client.ask(f"REGI#{name}#{password}", "IDOK")
        return client

    async def match(self, name: str = "Adil") -> tuple[str, int]:
        """The address of a new match, made by this player, who then leaves."""
        client = await self.available(name)
        client.answers_pings = True
        address = (await client.ask("NWMA")).split("#")
        assert address[0] == "NWOK"
        await client.leave()
        return address[1], int(address[2])

    async def player(self, name: str, address: tuple[str, int]) -> Client:
        """Somebody known to the house who is in the match at this address."""
        if await self.tables.club.accounts.by_pseudos([name]) == {}:
            await self.club.accounts.create(name, PASSWORD)
        client = await self._connected(address)
        client.send(f"JOIN#{name}#{PASSWORD}")
        client.welcome = await client.lines_until("IGNB")
        assert client.welcome[0] == "JNOK#16"
        client.welcome += [await client.line() for _ in range(int(client.welcome[-1].split("#")[1]))]
        return client

    async def live(self, name: str = "Partie_1") -> Any:
        """The table of a match."""
        for table_id, known in await self.door.present.matches():
            if known == name:
                return await self.tables.open(table_id)
        raise LookupError(name)


class Client:
    """A client as telnet would be: it sends lines and reads lines; RUOK is answered and not shown."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self._writer = reader, writer
        self.answers_pings = False
        self.welcome: list[str] = []

    @classmethod
    async def open(cls, address: tuple[str, int], come_from: str = "") -> Client:
        local = (come_from, 0) if come_from else None
        return cls(*await asyncio.open_connection(*address, limit=64 * 1024 * 1024, local_addr=local))

    @property
    def port(self) -> int:
        return int(self._writer.get_extra_info("sockname")[1])

    def send(self, *lines: str) -> None:
        self.send_raw("".join(f"{line}\n" for line in lines).encode())

    def send_raw(self, data: bytes) -> None:
        if not self._writer.is_closing():
            self._writer.write(data)

    async def drain(self) -> None:
        await self._writer.drain()

    async def line(self) -> str:
        """The next line; "" when the other end has closed."""
        async with asyncio.timeout(PATIENCE):
            while True:
                line = (await self.reader.readline()).decode()
                assert line == "" or line.endswith("\n"), f"half a line: {line!r}"
                if line == "RUOK\n" and self.answers_pings:
                    self.send("IMOK")
                    continue
                return line.rstrip("\n")

    async def lines(self, count: int) -> list[str]:
        return [await self.line() for _ in range(count)]

    async def lines_until(self, kind: str) -> list[str]:
        """Lines up to the first of this type."""
        found: list[str] = []
        while not found or found[-1].split("#")[0] != kind:
            found.append(await self.line())
            assert found[-1], f"closed before {kind}: {found}"
        return found

    async def ask(self, line: str, expected: str | None = None) -> str:
        self.send(line)
        answer = await self.line()
        assert expected is None or answer == expected, f"{line} was answered {answer!r}"
        return answer

    async def closed(self) -> list[str]:
        """What still comes until the other end closes."""
        found = []
        while line := await self.line():
            found.append(line)
        return found

    async def leave(self) -> None:
        self.send("LEAV")
        await self.closed()
        self.close()

    def end_of_file(self) -> None:
        self._writer.write_eof()

    def close(self) -> None:
        self._writer.close()

    def reset(self) -> None:
        self._writer.transport.abort()


Opener = Callable[..., Awaitable[House]]
