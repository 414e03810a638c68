"""One Minehive player who makes matches without end, so that nobody else has one."""

from __future__ import annotations

import asyncio
import time
from collections import Counter

from attack.target import Target

PASSWORD = "sesame"
BETWEEN = 0.02
"""Seconds between two requests, so that the script's own work does not become the attack."""


async def attack(target: Target) -> str:
    """Go on for about `target.seconds`; say how many matches he got, and whether another got one."""
    until = time.monotonic() + target.seconds
    hoarder = await _Player.enter(target.ports["minehive"], f"Avare-{int(until)}")
    other = await _Player.enter(target.ports["minehive"], f"Voisin-{int(until)}")
    answers: Counter[str] = Counter()
    beside = "nothing"
    while time.monotonic() < until:
        answers[await hoarder.new_match()] += 1
        if sum(answers.values()) == 50:
            beside = await other.new_match()
        await asyncio.sleep(BETWEEN)
    hoarder.close()
    other.close()
    refused = answers["NWNO"] + answers["FULL"]
    return f"{answers['NWOK']} matches made, {refused} refused; another player was answered {beside}"


class _Player:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    @classmethod
    async def enter(cls, port: int, name: str) -> _Player:
        player = cls(*await asyncio.open_connection("127.0.0.1", port))
        await player._ask(f"REGI#{name}#{PASSWORD}")
        return player

    async def new_match(self) -> str:
        return (await self._ask("NWMA")).partition("#")[0]

    async def _ask(self, line: str) -> str:
        try:
            async with asyncio.timeout(15):
                self._writer.write(f"{line}\n".encode())
                while (answer := (await self._reader.readline()).decode().strip()) == "RUOK":
                    self._writer.write(b"IMOK\n")
                return answer or "closed"
        except OSError:
            return "closed"

    def close(self) -> None:
        self._writer.close()
