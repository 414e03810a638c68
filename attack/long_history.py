"""A player makes a log as long as he can by setting flags, and asks for its history again and again."""

from __future__ import annotations

import asyncio
import time
from collections import Counter

import httpx
from attack.target import Target

READERS = 6
MAKING = 0.3
"""The part of the time in which the log is made."""


async def attack(target: Target) -> str:
    """First the log, then pages from anywhere in it, with a name and without."""
    answered: Counter[int] = Counter()
    moves: Counter[int] = Counter()
    until = time.monotonic() + target.seconds
    async with httpx.AsyncClient(base_url=target.url, timeout=30) as http:
        visitor = (await http.post("/api/v1/visitors", json={})).json()
        headers = {"Authorization": f"Bearer {visitor['access']}"}
        options = {"width": 60, "height": 40, "mines": 5}
        wish = {"game": "mines", "variant": "custom", "options": options}
        table = (await http.post("/api/v1/tables", json=wish, headers=headers)).json()["id"]
        number = 0
        made_until = time.monotonic() + MAKING * target.seconds
        while time.monotonic() < made_until:
            x, y = number // 2 % 60, number // 120 % 40
            action = {"do": "unflag" if number % 2 else "flag", "x": x, "y": y}
            body = {"action": action, "request_id": f"m{number}"}
            answer = await http.post(f"/api/v1/tables/{table}/play", json=body, headers=headers)
            moves[answer.status_code] += 1
            number += 1

        async def read(reader: int) -> None:
            after = reader
            while time.monotonic() < until:
                after = (after * 7 + 13) % (number + 1)
                try:
                    answer = await http.get(
                        f"/api/v1/tables/{table}/history",
                        params={"after": after, "limit": 200},
                        headers=headers if reader % 2 else {},
                    )
                    answered[answer.status_code] += 1
                except httpx.HTTPError:
                    answered[0] += 1

        await asyncio.gather(*(read(reader) for reader in range(READERS)))
    made = ", ".join(f"{count} × {status}" for status, count in sorted(moves.items()))
    pages = ", ".join(f"{count} × {status or 'cut off'}" for status, count in sorted(answered.items()))
    return f"moves: {made}; pages: {pages}"
