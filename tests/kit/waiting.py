"""Waiting for what must come true, without guessing how long it takes."""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import Awaitable, Callable

from tablee.clock import HandClock

PATIENCE = 120.0
"""Seconds after which what was waited for will never come, also on a machine with much else to do."""


async def until(is_true: Callable[[], object], what: str = "what the test waits for") -> None:
    """Ask again and again, a plain function or a coroutine function; raises TimeoutError naming `what`."""
    end = time.monotonic() + PATIENCE
    while not await _answer(is_true):
        _give_up_after(end, what)
        await asyncio.sleep(0.005)


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


async def as_time_passes(
    clock: HandClock, is_true: Callable[[], object], step: int = 0, what: str = "what the test waits for"
) -> None:
    """The same while the clock goes on in steps, with the real time that threads need in between."""
    end = time.monotonic() + PATIENCE
    while not await _answer(is_true):
        _give_up_after(end, what)
        await clock.advance(step)
        await asyncio.sleep(0.003)


def wait_until(is_true: Callable[[], bool], what: str) -> None:
    """The same as `until` where no loop runs."""
    end = time.monotonic() + PATIENCE
    while not is_true():
        _give_up_after(end, what)
        time.sleep(0.02)


async def _answer(is_true: Callable[[], object]) -> object:
    found = is_true()
    return await found if inspect.isawaitable(found) else found


def _give_up_after(end: float, what: str) -> None:
    if time.monotonic() > end:
        raise TimeoutError(f"waited {PATIENCE:g} s in vain for {what}")
