"""Somebody who registers one new name after the other at the Minehive door, as fast as it goes."""

from __future__ import annotations

import asyncio
import time
from collections import Counter

from attack.target import Target

AT_ONCE = 16
PASSWORD = "sesame"


async def attack(target: Target) -> str:
    """Go on for about `target.seconds`; say how many accounts were made and how many refused."""
    until = time.monotonic() + target.seconds
    answers: Counter[str] = Counter()
    await asyncio.gather(*(_register(target, until, number, answers) for number in range(AT_ONCE)))
    lost = f", {answers['closed']} connections closed" if answers["closed"] else ""
    return f"{answers['IDOK']} accounts made, {answers['IDNO']} refused{lost}"


async def _register(target: Target, until: float, number: int, answers: Counter[str]) -> None:
    """One connection a name, as one who is identified cannot register again."""
    tried = 0
    while time.monotonic() < until:
        tried += 1
        answers[await _answer(target.ports["minehive"], f"Faux-{number}-{tried}-{int(until)}")] += 1
        if answers["closed"]:
            await asyncio.sleep(0.05)


async def _answer(port: int, name: str) -> str:
    try:
        async with asyncio.timeout(10):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            try:
                writer.write(f"REGI#{name}#{PASSWORD}\n".encode())
                while (line := (await reader.readline()).decode().strip()) == "RUOK":
                    writer.write(b"IMOK\n")
                return line or "closed"
            finally:
                writer.close()
    except OSError:  # TimeoutError is one
        return "closed"
