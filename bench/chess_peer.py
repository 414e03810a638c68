"""The peer of the Pawn Hub benchmark: a bare protocol that sends the bytes of one script of moves.

It knows nothing of chess: who comes is paired with the next, and whatever a player sends in his turn is taken
for the next move, whose answers were made beforehand.
"""

from __future__ import annotations

import asyncio
import resource
import socket
from typing import cast

import chess
import uvloop
from bench.chess_load import script

from tablee.doors.pawnhub.boards import board_text


class Script:
    """By half-move the bytes to the mover and to his opponent."""

    def __init__(self) -> None:
        board = chess.Board()
        self.start = f"{board_text(board.board_fen())}\n1\n".encode()
        self.told: list[tuple[bytes, bytes]] = []
        for ply, move in enumerate(script(), 1):
            board.push_uci(move)
            both = f"{board_text(board.board_fen())}\nFalse\n{ply + 1}\n".encode()
            self.told.append((b"True\n" + both, both))


class Seat(asyncio.Protocol):
    """One player."""

    waiting: list[Seat] = []  # noqa: RUF012

    def __init__(self, script: Script) -> None:
        self._script = script
        self._transport: asyncio.Transport | None = None
        self._other: Seat | None = None
        self._ply = [0]

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def data_received(self, data: bytes) -> None:
        if self._other is not None:
            mine, theirs = self._script.told[self._ply[0]]
            self._ply[0] += 1
            self.write(mine)
            self._other.write(theirs)
        elif data == b"GUEST\n":
            self.write(b"OK Visiteur-abcdef\n")
        elif Seat.waiting:
            other = Seat.waiting.pop()
            self._other, other._other = other, self
            self._ply = other._ply
            for seat, colour in ((other, b"1"), (self, b"0")):
                seat.write(b"OK\nGAME 1 classic Visiteur-abcdef\n" + colour + b"\n" + self._script.start)
        else:
            Seat.waiting.append(self)

    def write(self, data: bytes) -> None:
        assert self._transport is not None
        self._transport.write(data)


async def main() -> None:
    prepared = Script()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Seat(prepared), "127.0.0.1", 0, backlog=4096)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    uvloop.run(main())
