"""Waiting for what must come true, without guessing how long it takes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

PATIENCE = 40.0


async def until(is_true: Callable[[], object], what: str) -> None:
    """Poll until `is_true`; raises TimeoutError naming `what`."""
    end = time.monotonic() + PATIENCE
    while not is_true():
        if time.monotonic() > end:
            raise TimeoutError(f"waited {PATIENCE:g} s in vain until {what}")
        await asyncio.sleep(0.01)


async def until_it_works(attempt: Callable[[], Awaitable[object]], *errors: type[Exception]) -> None:
    """Try until no such error comes any more; raises the last one."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            await attempt()
            return
        except errors:
            if time.monotonic() > end:
                raise
            await asyncio.sleep(0.05)
