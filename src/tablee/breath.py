"""Long work on the event loop, done in short pieces: between them everybody else has his turn."""

from __future__ import annotations

import asyncio
import time

STEPS_AT_ONCE = 50
SECONDS_AT_ONCE = 0.002


class Breath:
    """Asked after each step, such as an event that was read: lets the loop go round when a piece is done."""

    __slots__ = ("_since", "_steps")

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self._steps = 0
        self._since = time.perf_counter()

    async def take(self) -> None:
        """One more step is done. What is slow for a game is measured, since nobody can count it."""
        self._steps += 1
        if self._steps >= STEPS_AT_ONCE or time.perf_counter() - self._since > SECONDS_AT_ONCE:
            await asyncio.sleep(0)
            self._begin()
