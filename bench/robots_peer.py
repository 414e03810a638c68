"""The peer of the DR2D benchmark: a bare WebSocket that sends the frames of one round again and again.

It knows nothing of robots: eight who come are a game, a cartouche of each begins the round, and whatever a
console sends is taken for its reply. Run as `python -m bench.robots_peer FILE` with the frames as JSON.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import re
import resource
import sys
from pathlib import Path
from typing import cast

import uvloop
from bench.robots_consoles import PING, PONG, SEATS, TEXT, frame, frames_in

MAGIC = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
WELCOME = frame(
    TEXT,
    b'{"ShortMessageService":{"msgCode":"PlayersDiscovery","msgDesc":"Bienvenue!","msgArgs":null}}',
    masked=False,
)


class Script:
    """What a console is sent: the calls before the race, the call for a cartouche, those of a round."""

    def __init__(self, recorded: list[str]) -> None:
        sequences = [json.loads(text)["stgyCall"]["seq"] for text in recorded]
        first = sequences.index("RoundRequireCartouche")
        last = sequences.index("RoundStatusOfCompetitors")
        self.before = [text.encode() for text in recorded[:first]]
        self.cartouche = frame(TEXT, recorded[first].encode(), masked=False)
        self.round = [frame(TEXT, text.encode(), masked=False) for text in recorded[first + 1 : last + 1]]


class Group:
    """Eight consoles."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.consoles: list[Console] = []
        self.programmed = 0


class Console(asyncio.Protocol):
    """One console's connection, and how far it is in the script."""

    groups: list[Group] = []  # noqa: RUF012

    def __init__(self, script: Script) -> None:
        self._script = script
        self._data = bytearray()
        self._transport: asyncio.Transport | None = None
        self._group: Group | None = None
        self._queue: list[bytes] = []
        self._asked = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        self._data += data
        if self._group is None:
            if b"\r\n\r\n" not in self._data:
                return
            head, _, rest = bytes(self._data).partition(b"\r\n\r\n")
            self._data = bytearray(rest)
            self._welcome(head)
        for opcode, payload in frames_in(self._data):
            if opcode == TEXT:
                self._replied()
            elif opcode == PING:
                self._write(frame(PONG, payload, masked=False))

    def _welcome(self, head: bytes) -> None:
        found = re.search(rb"Sec-WebSocket-Key: *(\S+)", head)
        assert found is not None
        accept = base64.b64encode(hashlib.sha1(found[1] + MAGIC).digest())
        self._write(
            b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Accept: " + accept + b"\r\n\r\n" + WELCOME
        )
        if not Console.groups or len(Console.groups[-1].consoles) == SEATS:
            Console.groups.append(Group(len(Console.groups) + 1))
        self._group = Console.groups[-1]
        self._group.consoles.append(self)
        if len(self._group.consoles) == SEATS:
            for console in self._group.consoles:
                console.begin()

    def begin(self) -> None:
        assert self._group is not None
        uid = b'"playerUID":"%d-' % self._group.number
        texts = [re.sub(rb'"playerUID":"\d+-', uid, text) for text in self._script.before]
        self._queue = [frame(TEXT, text, masked=False) for text in reversed(texts)]
        self._next()

    def play(self) -> None:
        self._asked = False
        self._queue = self._script.round[::-1]
        self._next()

    def _replied(self) -> None:
        group = self._group
        assert group is not None
        if not self._asked:
            self._next()
            return
        group.programmed += 1
        if group.programmed == SEATS:
            group.programmed = 0
            for console in group.consoles:
                console.play()

    def _next(self) -> None:
        self._asked = not self._queue
        self._write(self._queue.pop() if self._queue else self._script.cartouche)

    def _write(self, data: bytes) -> None:
        assert self._transport is not None
        self._transport.write(data)


async def main(script: Script) -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Console(script), "127.0.0.1", 0, backlog=4096)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    uvloop.run(main(Script(json.loads(Path(sys.argv[1]).read_text()))))
