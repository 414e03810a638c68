"""The honest player beside an attack: two members play chess, look at the hall, now and then come in anew.

Run by `python -m attack` as a process of its own: `python -m attack.honest URL` says `ready` once the game
has begun, measures until its standard input is closed, and prints what it saw as JSON.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import sys
import time
from collections.abc import Awaitable, Callable

import httpx
import msgspec
import uvloop
from bench.chess_load import script
from websockets.asyncio.client import ClientConnection, connect

ADDRESS = "127.0.0.2"
"""Honest people have another address than the attacker, who comes from 127.0.0.1."""
MOVE_EVERY, LOOK_EVERY, COME_EVERY = 0.02, 0.1, 0.1
"""Seconds. Of fewer than a hundred waits the 99th percentile would be the longest one."""
PATIENCE = 30.0


class Seen(msgspec.Struct):
    """Milliseconds of every move until its answer, of every look at the hall and arrival; what failed."""

    moves: list[float] = []
    looks: list[float] = []
    arrivals: list[float] = []
    failed: list[str] = []


class Member:
    """One member with a live connection, who plays moves and waits for each to be answered."""

    def __init__(self, token: str) -> None:
        self.token = token
        self._live: ClientConnection | None = None

    async def connect(self, url: str) -> None:
        live = f"ws{url.removeprefix('http')}/api/v1/live"
        self._live = await connect(
            live,
            additional_headers={"Authorization": f"Bearer {self.token}"},
            local_addr=(ADDRESS, 0),
            max_size=None,
            compression=None,
        )

    async def sit_down(self, table: int) -> None:
        """Listen to the table: whoever does not is away, and loses in the end."""
        assert self._live is not None
        await self._live.send(json.dumps({"type": "subscribe", "to": {"topic": "table", "table": table}}))

    async def play(self, table: int, move: str) -> None:
        assert self._live is not None
        request_id = secrets.token_hex(8)
        action = {"do": "move", "move": move}
        await self._live.send(
            json.dumps({"type": "play", "table": table, "action": action, "request_id": request_id})
        )
        while True:
            answer = json.loads(await self._live.recv())
            if answer.get("request_id") == request_id:
                if answer["type"] != "played":
                    raise RuntimeError(f"the move {move} was answered {answer}")
                return


class Asking:
    """An HTTP connection at its barest, so that what is measured is the house and not its client."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    @classmethod
    async def arrive(cls, url: str) -> Asking:
        host, _, port = url.removeprefix("http://").partition(":")
        return cls(*await asyncio.open_connection(host, int(port), local_addr=(ADDRESS, 0)))

    async def get(self, path: str) -> None:
        self._writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        head = (await self._reader.readuntil(b"\r\n\r\n")).decode().lower()
        if not head.startswith("http/1.1 200"):
            raise RuntimeError(f"GET {path} was answered {head.splitlines()[0]}")
        await self._reader.readexactly(int(head.partition("content-length:")[2].split()[0]))

    def leave(self) -> None:
        self._writer.close()


async def _member(client: httpx.AsyncClient) -> str:
    body = {"pseudo": f"honnete-{secrets.token_hex(5)}", "password": secrets.token_hex(8)}
    answer = await client.post("/api/v1/accounts", json=body)
    answer.raise_for_status()
    return str(answer.json()["access"])


async def _table(client: httpx.AsyncClient, white: Member, black: Member) -> int:
    """A new game of the two."""
    asked = {"game": "chess", "variant": "classic", "options": {"sides": "first"}}
    made = await client.post("/api/v1/tables", json=asked, headers={"Authorization": f"Bearer {white.token}"})
    made.raise_for_status()
    table = int(made.json()["id"])
    joined = await client.post(
        f"/api/v1/tables/{table}/join", json={}, headers={"Authorization": f"Bearer {black.token}"}
    )
    joined.raise_for_status()
    await white.sit_down(table)
    await black.sit_down(table)
    return table


async def _measured(
    times: list[float], failed: list[str], what: str, work: Callable[[], Awaitable[object]]
) -> None:
    begun = time.perf_counter()
    try:
        async with asyncio.timeout(PATIENCE):
            await work()
    except Exception as error:
        failed.append(f"{what}: {type(error).__name__}: {error}"[:200])
    times.append((time.perf_counter() - begun) * 1000)


async def _again(every: float, work: Callable[[], Awaitable[object]]) -> None:
    """Do `work` again and again, begun every so many seconds, never twice at once."""
    while True:
        begun = time.perf_counter()
        await work()
        await asyncio.sleep(max(0.0, every - (time.perf_counter() - begun)))


async def honest(url: str) -> Seen:
    """Play and look until standard input is closed."""
    seen = Seen()
    transport = httpx.AsyncHTTPTransport(local_address=ADDRESS)
    async with httpx.AsyncClient(base_url=url, transport=transport, timeout=PATIENCE) as client:
        white, black = Member(await _member(client)), Member(await _member(client))
        await white.connect(url)
        await black.connect(url)
        table = await _table(client, white, black)
        moves = script()
        made = 0

        async def move() -> None:
            nonlocal made
            await (white, black)[made % 2].play(table, moves[made])
            made += 1

        async def measured_move() -> None:
            nonlocal table, made
            if made == len(moves):
                table, made = await _table(client, white, black), 0
            await _measured(seen.moves, seen.failed, "move", move)

        keeping = await Asking.arrive(url)

        async def look() -> None:
            await keeping.get("/api/v1/tables")

        async def come() -> None:
            newcomer = await Asking.arrive(url)
            await newcomer.get("/api/v1/")
            newcomer.leave()

        for _ in range(50):
            await move()
        await look()
        await come()
        print("ready", flush=True)
        rounds = [
            asyncio.create_task(_again(MOVE_EVERY, measured_move)),
            asyncio.create_task(_again(LOOK_EVERY, lambda: _measured(seen.looks, seen.failed, "look", look))),
            asyncio.create_task(
                _again(COME_EVERY, lambda: _measured(seen.arrivals, seen.failed, "come", come))
            ),
        ]
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
        for task in rounds:
            task.cancel()
        await asyncio.gather(*rounds, return_exceptions=True)
    return seen


if __name__ == "__main__":
    print(msgspec.json.encode(uvloop.run(honest(sys.argv[1]))).decode())
