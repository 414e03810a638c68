"""Five players send moves of 64 KiB over their WebSockets, as fast as they are taken."""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter

import httpx
from attack.target import Target
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

PLAYERS = 5
LARGE = "[" + "[]," * 21_000 + "[]]"


async def attack(target: Target) -> str:
    """Each at a table of his own; who is cut off comes again."""
    said: Counter[str] = Counter()
    until = time.monotonic() + target.seconds

    async def play(http: httpx.AsyncClient) -> None:
        visitor = (await http.post("/api/v1/visitors", json={})).json()
        headers = {"Authorization": f"Bearer {visitor['access']}"}
        made = await http.post(
            "/api/v1/tables", json={"game": "mines", "variant": "classic"}, headers=headers
        )
        action = f'{{"do":"click","x":{LARGE}}}'
        move = f'{{"type":"play","table":{made.json()["id"]},"action":{action},"request_id":"a"}}'
        url = target.url.replace("http", "ws", 1) + "/api/v1/live"
        while time.monotonic() < until:
            try:
                async with connect(url, additional_headers=headers, max_size=None) as socket:
                    listening = asyncio.create_task(listen(socket))
                    try:
                        while time.monotonic() < until:
                            await socket.send(move)
                    finally:
                        listening.cancel()
            except (ConnectionClosed, OSError):
                said["cut off"] += 1
                await asyncio.sleep(0.1)

    async def listen(socket: object) -> None:
        async for text in socket:  # type: ignore[attr-defined]
            message = json.loads(text)
            if message["type"] == "error":
                said[message["error"]["code"]] += 1

    async with httpx.AsyncClient(base_url=target.url, timeout=30) as http:
        await asyncio.gather(*(play(http) for _ in range(PLAYERS)))
    return ", ".join(f"{count} × {what}" for what, count in sorted(said.items()))
