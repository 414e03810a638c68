"""Visitors open tables of every game, some with robots, and go away for ever."""

from __future__ import annotations

import asyncio
import time
from collections import Counter

import httpx
from attack.target import Target

VISITORS = 40
TABLES_OF_EACH = 30


async def attack(target: Target) -> str:
    """Goes on for about `target.seconds`, then answers one line on what it was answered."""
    until = time.monotonic() + target.seconds
    answers: Counter[str] = Counter()
    async with httpx.AsyncClient(base_url=f"{target.url}/api/v1", timeout=30) as http:
        offered = (await http.get("/games")).json()["games"]
    await asyncio.gather(*(_visitor(target, offered, number, until, answers) for number in range(VISITORS)))
    told = ", ".join(f"{count} {what}" for what, count in sorted(answers.items()))
    return told or "nothing was answered"


async def _visitor(
    target: Target, offered: list[dict[str, object]], number: int, until: float, answers: Counter[str]
) -> None:
    async with httpx.AsyncClient(base_url=f"{target.url}/api/v1", timeout=30) as http:
        try:
            entered = await http.post("/visitors", json={})
            if entered.status_code != 201:
                answers["visitors refused"] += 1
                return
            http.headers["Authorization"] = f"Bearer {entered.json()['access']}"
            for turn in range(TABLES_OF_EACH):
                if time.monotonic() >= until:
                    return
                game = offered[(number + turn) % len(offered)]
                robots = list(game["robots"])[:1] if turn % 2 else []  # type: ignore[call-overload]
                body = {"game": game["game"], "variant": game["variant"], "robots": robots}
                answer = await http.post("/tables", json=body)
                answers["tables opened" if answer.status_code == 201 else f"times {answer.status_code}"] += 1
                if answer.status_code == 429:
                    await asyncio.sleep(0.2)
        except httpx.HTTPError as error:
            answers[type(error).__name__] += 1
