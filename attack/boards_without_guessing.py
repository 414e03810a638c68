"""A visitor who has many boards made that need no guessing, to keep the robots from thinking."""

from __future__ import annotations

import asyncio
import time
from collections import Counter

import httpx
from attack.target import Target

HERE = "127.0.0.69"
BOARDS = 58


async def attack(target: Target) -> str:
    """Goes on for about `target.seconds`, then says how many boards were made and refused."""
    end = time.monotonic() + target.seconds
    seen: Counter[str] = Counter()
    transport = httpx.AsyncHTTPTransport(local_address=HERE)
    async with httpx.AsyncClient(base_url=target.url, transport=transport, timeout=target.seconds) as client:
        signed_in = (await client.post("/api/v1/visitors", json={})).json()
        client.headers["Authorization"] = f"Bearer {signed_in['access']}"
        board = {"game": "mines", "variant": "custom", "options": {"no_guess": True}}

        async def one() -> None:
            while time.monotonic() < end:
                answer = await client.post("/api/v1/tables", json=board)
                seen["made" if answer.status_code == 201 else f"answered {answer.status_code}"] += 1
                await asyncio.sleep(0.1)

        asked = [asyncio.create_task(one()) for _ in range(BOARDS)]
        await asyncio.wait(asked, timeout=max(0.0, end - time.monotonic()))
        for task in asked:
            seen["still waiting"] += not task.done()
            task.cancel()
        await asyncio.gather(*asked, return_exceptions=True)
    return ", ".join(f"{count} {what}" for what, count in seen.items() if count)
