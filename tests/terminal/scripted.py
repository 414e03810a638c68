"""A Minehive server played by the test line by line over a real socket."""

from __future__ import annotations

import asyncio

from tests.kit.waiting import PATIENCE

from tablee.terminal.minehive.messages import Address

HIDDEN_ROW = "#".join(["X"] * 30)


class Peer:
    """One connection of a client, seen from the other side."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    def say(self, *lines: str) -> None:
        """Send lines in one segment."""
        self.say_bytes("".join(f"{line}\n" for line in lines).encode())

    def say_bytes(self, data: bytes) -> None:
        self._writer.write(data)

    async def hear(self) -> str:
        """The next line of the client, without those that only say that it is alive."""
        while (line := await self.hear_all()) == "IMOK":
            pass
        return line

    async def hear_all(self) -> str:
        """The next line of the client, or an empty one when it has closed."""
        return (await self.hear_bytes()).decode().rstrip("\n")

    async def hear_bytes(self) -> bytes:
        return await asyncio.wait_for(self._reader.readline(), PATIENCE)

    async def expect(self, *lines: str) -> None:
        """Hear exactly these lines."""
        for line in lines:
            assert await self.hear() == line

    def close(self) -> None:
        self._writer.close()

    def cut(self) -> None:
        """Break the connection off as a crash does."""
        self._writer.transport.abort()


class Listener:
    """A port where clients come in; each is welcomed with RUOK as the document says."""

    def __init__(self) -> None:
        self._peers: asyncio.Queue[Peer] = asyncio.Queue()
        self._server: asyncio.Server | None = None
        self.address = Address("127.0.0.1", 0)

    async def start(self, port: int = 0) -> Listener:
        self._server = await asyncio.start_server(self._welcome, "127.0.0.1", port)
        self.address = Address("127.0.0.1", self._server.sockets[0].getsockname()[1])
        return self

    def _welcome(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        peer = Peer(reader, writer)
        peer.say("RUOK")
        self._peers.put_nowait(peer)

    async def peer(self) -> Peer:
        """The next client that comes in."""
        return await asyncio.wait_for(self._peers.get(), PATIENCE)

    def nobody_came(self) -> bool:
        return self._peers.empty()

    def stop(self) -> None:
        assert self._server is not None
        self._server.close()


def board(rows: dict[int, str] | None = None) -> list[str]:
    """JNOK and the sixteen rows of a board, hidden where not given otherwise."""
    return ["JNOK#16", *(f"BDIT#{y}#{(rows or {}).get(y, HIDDEN_ROW)}" for y in range(16))]


def players(*scores: str) -> list[str]:
    """IGNB and a line for each `name#points#total#safe#mines`."""
    return [f"IGNB#{len(scores)}", *(f"IGPL#{score}" for score in scores)]
