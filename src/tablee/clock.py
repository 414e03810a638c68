"""Time, passed in: the wall clock of the house, and one that tests move by hand."""

from __future__ import annotations

import asyncio
import heapq
import itertools
import time
from collections.abc import Callable
from typing import Protocol

Instant = int
"""Milliseconds since 1970-01-01T00:00Z."""


class Timer(Protocol):
    def cancel(self) -> None: ...


class Clock(Protocol):
    """What the house asks of time."""

    def now(self) -> Instant: ...

    def call_at(self, when: Instant, callback: Callable[[], object]) -> Timer:
        """Run `callback` in the event loop at `when`, or at once if that has passed."""
        ...


class WallClock:
    """The real time, with timers of the running event loop."""

    def now(self) -> Instant:
        return time.time_ns() // 1_000_000

    def call_at(self, when: Instant, callback: Callable[[], object]) -> Timer:
        delay = max(0, when - self.now()) / 1000
        return asyncio.get_running_loop().call_later(delay, callback)


class _Waiting:
    def __init__(self, callback: Callable[[], object]) -> None:
        self.callback: Callable[[], object] | None = callback

    def cancel(self) -> None:
        self.callback = None


class HandClock:
    """A clock that stands still until `advance` moves it, for tests."""

    def __init__(self, start: Instant = 1_700_000_000_000) -> None:
        self._now = start
        self._order = itertools.count()
        self._heap: list[tuple[Instant, int, _Waiting]] = []

    def now(self) -> Instant:
        return self._now

    def call_at(self, when: Instant, callback: Callable[[], object]) -> Timer:
        waiting = _Waiting(callback)
        heapq.heappush(self._heap, (when, next(self._order), waiting))
        return waiting

    async def advance(self, milliseconds: int) -> None:
        """Move on, running every timer that falls due at its own instant, and let the loop settle."""
        end = self._now + milliseconds
        while True:
            await _settle()
            if not self._heap or self._heap[0][0] > end:
                break
            when, _, waiting = heapq.heappop(self._heap)
            self._now = max(self._now, when)
            if waiting.callback is not None:
                waiting.callback()
        self._now = end
        await _settle()


async def _settle() -> None:
    # Callbacks start tasks that start tasks; a few turns of the loop let them all run. What waits for a
    # thread or a socket is not waited for here: tests wait for what they expect to see.
    for _ in range(20):
        await asyncio.sleep(0)
