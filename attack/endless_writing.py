"""One visitor and one member fill notebooks, say long messages and change their settings without end."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import Counter
from collections.abc import Awaitable, Callable

import httpx
from attack.target import Target

AT_ONCE = 8
TABLES = 15
LONG = "é" * 20_000

Write = Callable[[httpx.AsyncClient, int], Awaitable[httpx.Response]]


async def attack(target: Target) -> str:
    """Goes on for about `target.seconds`, then answers one line on what it was answered."""
    until = time.monotonic() + target.seconds
    answers: Counter[str] = Counter()
    pseudo = f"Plume{secrets.token_hex(4)}"
    ways: list[tuple[str, dict[str, str]]] = [
        ("/visitors", {}),
        ("/accounts", {"pseudo": pseudo, "password": secrets.token_hex(8)}),
    ]
    await asyncio.gather(*(_writer(target, path, body, until, answers) for path, body in ways))
    told = ", ".join(f"{count} {what}" for what, count in sorted(answers.items()))
    return told or "nothing was answered"


async def _writer(
    target: Target, path: str, body: dict[str, str], until: float, answers: Counter[str]
) -> None:
    async with httpx.AsyncClient(base_url=f"{target.url}/api/v1", timeout=30) as http:
        try:
            entered = await http.post(path, json=body)
            if entered.status_code != 201:
                answers["entries refused"] += 1
                return
            http.headers["Authorization"] = f"Bearer {entered.json()['access']}"
            tables = []
            for _ in range(TABLES):
                made = await http.post("/tables", json={"game": "chess", "variant": "classic"})
                if made.status_code == 201:
                    tables.append(made.json()["id"])
            if tables:
                await asyncio.gather(*(_write(http, tables, until, answers) for _ in range(AT_ONCE)))
        except httpx.HTTPError as error:
            answers[type(error).__name__] += 1


async def _write(http: httpx.AsyncClient, tables: list[int], until: float, answers: Counter[str]) -> None:
    turn = 0
    while time.monotonic() < until:
        table = tables[turn % len(tables)]
        what, write = WRITES[turn % len(WRITES)]
        turn += 1
        answer = await write(http, table)
        answers[f"{what} {'kept' if answer.is_success else 'refused'}"] += 1
        if answer.is_success and what == "notes":
            answers["characters of notes kept"] += len(LONG)


def _notes(http: httpx.AsyncClient, table: int) -> Awaitable[httpx.Response]:
    return http.put(f"/tables/{table}/notebook", json={"text": LONG})


def _message(http: httpx.AsyncClient, table: int) -> Awaitable[httpx.Response]:
    return http.post(f"/channels/table:{table}/messages", json={"text": LONG[:1000]})


def _settings(http: httpx.AsyncClient, table: int) -> Awaitable[httpx.Response]:
    return http.patch("/account", json={"settings": {"x": LONG[:7000]}})


def _mark(http: httpx.AsyncClient, table: int) -> Awaitable[httpx.Response]:
    number = secrets.randbelow(10**12) + 1
    return http.put(f"/channels/table:{number}/read", json={"message": 1})


WRITES: list[tuple[str, Write]] = [
    ("notes", _notes),
    ("messages", _message),
    ("settings", _settings),
    ("marks", _mark),
]
