"""Somebody without an account has the largest boards checked, drawn and tried, twelve at once."""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter

import httpx
from attack.target import Target

CONNECTIONS = 12


async def attack(target: Target) -> str:
    """Goes on for about `target.seconds`, then says how often it was answered and how often refused."""
    until = time.monotonic() + target.seconds
    counted: Counter[str] = Counter()
    async with httpx.AsyncClient(base_url=f"{target.url}/api/v1", timeout=60) as http:
        await asyncio.gather(*(_ask_on(http, place, until, counted) for place in range(CONNECTIONS)))
    return ", ".join(f"{count} {what}" for what, count in sorted(counted.items()))


async def _ask_on(http: httpx.AsyncClient, place: int, until: float, counted: Counter[str]) -> None:
    number = place
    while time.monotonic() < until:
        number += CONNECTIONS
        # Now more than a stranger may have, now just as much; no two are the same.
        arms = (5_000, 50_000, 1_250, 1_249)[number // CONNECTIONS % 4] - number % 40
        text = _arena(arms, number)
        path, body = (
            ("/arena/reach", {"description": text, "card": "Walker", "color": "RED", "x": 0, "y": 0}),
            ("/arena/check", {"text": text}),
            ("/arena/drawing", {"description": text}),
        )[number % 3]
        try:
            status = (await http.post(path, json=body)).status_code
        except httpx.HTTPError:
            counted["cut off"] += 1
            continue
        counted["answered" if status == 200 else f"refused with {status}"] += 1
        if status == 429:
            await asyncio.sleep(0.05)


def _arena(arms: int, number: int) -> str:
    """A text of 400 characters that asks for a board of four squares an arm."""
    walker = {"name": "Walker", "number_of_movements": 1_000_000, "movements_type": ["diagonal", "knight"]}
    board = {
        "number_arms": arms,
        "arms_width": 2,
        "arms_length": 1,
        "inner_circle_colors": ["RED"],
        "arms_colors": ["RED"],
    }
    cards = {"number_cards_per_color": 5, "cards": [walker]}
    game = {"colors": ["RED"], "board": board, "movements_cards": cards, "trumps": []}
    return json.dumps({f"wide {number}": game})
