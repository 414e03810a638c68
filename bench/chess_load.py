"""A load generator for Pawn Hub: many games of two visitors each, in the plain dialect, as fast as they go.

Run by `bench.chess` as a process of its own: `python -m bench.chess_load '{"port": 9798, …}'` prints its
result as JSON. All games play one script of legal moves, so that a bare peer can send the same bytes.
"""

from __future__ import annotations

import asyncio
import os
import random
import resource
import sys
import time
from pathlib import Path
from typing import cast

import chess
import msgspec
import uvloop

PLIES = 400
ENTERING_AT_ONCE = 50
GUESTS_OF_ONE_ADDRESS = 100
"""The house lets so many visitors and a few more come from one address in an hour."""


class Load(msgspec.Struct):
    """What a run is asked to do."""

    port: int
    pid: int
    games: int = 100
    plies: int = 20
    """Half-moves of each game."""
    host: str = "127.0.0.1"


class Result(msgspec.Struct):
    """What a run has seen: moves answered and told to both, what they cost, memory in bytes."""

    games: int
    moves: int
    seconds: float
    server_cpu: float
    generator_cpu: float
    received: int
    connected: int
    begun: int
    ended: int


def script(seed: int = 8) -> list[str]:
    """Moves of one long legal game of classic chess that does not end."""
    rng = random.Random(seed)
    board = chess.Board()
    while len(board.move_stack) < PLIES:
        moves = [move for move in board.legal_moves if not board.is_capture(move)] or list(board.legal_moves)
        board.push(rng.choice(moves))
        ended = board.is_game_over() or board.is_insufficient_material() or board.halfmove_clock > 140
        if ended or board.is_repetition(4):
            board = chess.Board()
    return [move.uci() for move in board.move_stack]


class Player(asyncio.Protocol):
    """One visitor; plays the next move of the script whenever it is his turn."""

    def __init__(self, moves: list[bytes]) -> None:
        self.moves = moves
        self.transport: asyncio.Transport | None = None
        self.entered: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.begun: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.white = 0
        self.made = 0
        self.received = 0
        self.going = False
        self.turn = 0
        self.over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._tail = b""
        self._colour_is_next = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self.transport.write(b"GUEST\n")

    def data_received(self, data: bytes) -> None:
        self.received += len(data)
        *lines, self._tail = (self._tail + data).split(b"\n")
        for line in lines:
            if line.startswith(b"OK ") and not self.entered.done():
                self.entered.set_result(None)
            elif line.startswith(b"GAME "):
                self._colour_is_next = True
            elif self._colour_is_next:
                self.white, self._colour_is_next = int(line), False
            elif line.isdigit():
                self.turn = int(line)
                if not self.begun.done():
                    self.begun.set_result(None)
                self.go_on()
            elif line == b"True":
                self.made += 1

    def go_on(self) -> None:
        if not self.going:
            return
        if self.turn > len(self.moves):
            self.over.set_result(None)
        elif self.turn % 2 == self.white:
            self._write(self.moves[self.turn - 1])

    def play(self) -> None:
        self._write(b"PLAY classic\n")

    def _write(self, data: bytes) -> None:
        assert self.transport is not None
        self.transport.write(data)


async def run(load: Load) -> Result:
    moves = [f"{move}\n".encode() for move in script()[: load.plies]]
    loop = asyncio.get_running_loop()
    gate = asyncio.Semaphore(ENTERING_AT_ONCE)

    async def enter(number: int) -> Player:
        address = f"127.0.{1 + number // GUESTS_OF_ONE_ADDRESS}.1"
        async with gate:
            _, player = await loop.create_connection(
                lambda: Player(moves), load.host, load.port, local_addr=(address, 0)
            )
            await player.entered
        return player

    players = await asyncio.gather(*(enter(number) for number in range(2 * load.games)))
    connected = _memory(load.pid)
    for start in range(0, len(players), 20):
        for player in players[start : start + 20]:
            player.play()
        await asyncio.gather(*(player.begun for player in players[start : start + 20]))
    begun = _memory(load.pid)
    received = sum(player.received for player in players)
    cpu, own, since = _cpu(load.pid), _own_cpu(), time.perf_counter()
    for player in players:
        player.going = True
        player.go_on()
    await asyncio.gather(*(player.over for player in players))
    seconds = time.perf_counter() - since
    return Result(
        games=load.games,
        moves=sum(player.made for player in players),
        seconds=seconds,
        server_cpu=_cpu(load.pid) - cpu,
        generator_cpu=_own_cpu() - own,
        received=sum(player.received for player in players) - received,
        connected=connected,
        begun=begun,
        ended=_memory(load.pid),
    )


def _cpu(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _own_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def _memory(pid: int) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    print(msgspec.json.encode(uvloop.run(run(msgspec.json.decode(sys.argv[1], type=Load)))).decode())
