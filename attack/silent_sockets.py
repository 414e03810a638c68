"""A visitor who opens every connection he can get, at every door, and says nothing."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import Counter

from attack.target import Target

SOCKETS = 480
HERE = "127.0.0.67"
LIVE = (
    b"GET %s HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
    b"Sec-WebSocket-Protocol: dr2d\r\n\r\n"
)


async def attack(target: Target) -> str:
    """Goes on for about `target.seconds`, then says how many connections were open at most, and cut."""
    end = time.monotonic() + target.seconds
    kinds = [(port, b"") for port in target.ports.values()]
    kinds += [(target.ports["web"], LIVE % b"/api/v1/live")] if "web" in target.ports else []
    kinds += [(target.ports["dr2d"], LIVE % b"/dr2d")] if "dr2d" in target.ports else []
    seen: Counter[str] = Counter()

    async def one(port: int, first: bytes) -> None:
        while time.monotonic() < end:
            with contextlib.suppress(OSError):
                reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(HERE, 0))
                seen["opened"] += 1
                writer.write(first)
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(max(0.0, end - time.monotonic())):
                        while await reader.read(4096):
                            pass
                        seen["closed by the house"] += 1
                writer.close()
            await asyncio.sleep(0.2)

    await asyncio.gather(*(one(*kinds[number % len(kinds)]) for number in range(SOCKETS)))
    return ", ".join(f"{count} {what}" for what, count in seen.items())
