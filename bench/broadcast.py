"""The peer of the Minehive benchmark: a bare protocol that only passes recorded lines on to a match.

It knows nothing of the game: a JOIN says by its name and round which match it is, a click is looked up in the
recording, and what it gave then is written to all of the match; what one segment gave, in one write.
"""

from __future__ import annotations

import asyncio
import socket
import sys
from pathlib import Path
from typing import cast

import uvloop
from bench.load import Recorded, read_recording

WELCOME = "".join(
    ["RUOK\nJNOK#16\n", *(f"BDIT#{y}" + "#X" * 30 + "\n" for y in range(16)), "IGNB#0\n"]
).encode()


class Room:
    """The connections of a match, and what each click of it gives."""

    def __init__(self, recorded: Recorded) -> None:
        self.transports: list[asyncio.Transport] = []
        self.told = {f"CLIC#{click}".encode(): told.encode() for click, told in recorded.told.items()}


class Seat(asyncio.Protocol):
    """One player of a room."""

    def __init__(self, rooms: dict[bytes, Room]) -> None:
        self._rooms = rooms
        self._room: Room | None = None
        self._transport: asyncio.Transport | None = None
        self._tail = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def data_received(self, data: bytes) -> None:
        transport = cast(asyncio.Transport, self._transport)
        *lines, self._tail = (self._tail + data).split(b"\n")
        room = self._room
        if room is None:
            _, name, round_number = lines[0].split(b"#")
            self._room = self._rooms[name + b"#" + round_number]
            self._room.transports.append(transport)
            transport.write(WELCOME)
            return
        known = room.told
        told = [known.get(line, b"") for line in lines]
        together = b"".join(told)
        if together:
            for each in room.transports:
                each.write(together)
        late = told.count(b"")
        if late:
            transport.write(b"LATE\n" * late)


async def main(recording: list[list[Recorded]]) -> None:
    rooms: dict[bytes, Room] = {}
    for round_number, matches in enumerate(recording):
        for recorded in matches:
            room = Room(recorded)
            rooms |= {f"{name}#{round_number}".encode(): room for name in recorded.clicks}
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Seat(rooms), "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    uvloop.run(main(read_recording(Path(sys.argv[1]))))
