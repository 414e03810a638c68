"""Time, passed in: the time of the house, and one that tests move by hand.

The house has two times. `now` is the date, for whatever is written down and for what falls on a date. It
begins with the clock of the machine and then goes on evenly: when somebody sets that clock, or the machine
was asleep, `now` does not jump. `astray` says by how much the two have come apart, and `follow` takes the
machine's time over, for whoever sees to it that nobody loses or gains by that (`store.nodes`). `ticks` is for
durations inside this process: nothing ever sets it.
"""

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

    def now(self) -> Instant:
        """The date, in milliseconds; it changes with `follow` alone in any other way than by passing."""
        ...

    def ticks(self) -> int:
        """Milliseconds from some beginning that pass evenly, whoever sets which clock."""
        ...

    def call_at(self, when: Instant, callback: Callable[[], object]) -> Timer:
        """Run `callback` in the event loop when as much time has passed as there is to `when` now."""
        ...

    def astray(self) -> int:
        """By how many milliseconds the clock of the machine is ahead of `now`; negative: behind."""
        ...

    def follow(self, step: int | None = None) -> int:
        """Take the time of the machine over, or so much of it; gives by how much `now` has changed."""
        ...


# Why: docs/decisions.md#time-goes-on-evenly
class WallClock:
    """The real time, with timers of the running event loop."""

    def __init__(self) -> None:
        self._ahead = self.machine() - self.ticks()

    def machine(self) -> Instant:
        """What the clock of the machine says."""
        return time.time_ns() // 1_000_000

    def now(self) -> Instant:
        return self._ahead + self.ticks()

    def ticks(self) -> int:
        return time.monotonic_ns() // 1_000_000

    def call_at(self, when: Instant, callback: Callable[[], object]) -> Timer:
        delay = max(0, when - self.now()) / 1000
        return asyncio.get_running_loop().call_later(delay, callback)

    def astray(self) -> int:
        return self.machine() - self.now()

    def follow(self, step: int | None = None) -> int:
        step = self.astray() if step is None else step
        self._ahead += step
        return step


class _Waiting:
    def __init__(self, callback: Callable[[], object]) -> None:
        self.callback: Callable[[], object] | None = callback

    def cancel(self) -> None:
        self.callback = None


class HandClock:
    """A clock that stands still until `advance` moves it, for tests; `step` sets it, and no time passes."""

    def __init__(self, start: Instant = 1_700_000_000_000) -> None:
        self._now = start
        self._ahead = 0
        self._astray = 0
        self._order = itertools.count()
        self._heap: list[tuple[int, int, _Waiting]] = []

    def now(self) -> Instant:
        return self._now + self._ahead

    def ticks(self) -> int:
        return self._now

    def astray(self) -> int:
        return self._astray

    def follow(self, step: int | None = None) -> int:
        step = self._astray if step is None else step
        self._astray -= step
        self._ahead += step
        return step

    def step(self, milliseconds: int) -> None:
        """Somebody sets the clock of the machine."""
        self._astray += milliseconds

    def call_at(self, when: Instant, callback: Callable[[], object]) -> Timer:
        waiting = _Waiting(callback)
        heapq.heappush(self._heap, (when - self._ahead, next(self._order), waiting))
        return waiting

    async def advance(self, milliseconds: int) -> None:
        """Move on, running every timer that falls due at its own instant, and let the loop settle."""
        end = self._now + milliseconds
        while True:
            await _settle()
            if not self._heap or self._heap[0][0] > end:
                break
            due, _, waiting = heapq.heappop(self._heap)
            self._now = max(self._now, due)
            if waiting.callback is not None:
                waiting.callback()
        self._now = end
        await _settle()


async def _settle() -> None:
    # Callbacks start tasks that start tasks; a few turns of the loop let them all run. What waits for a
    # thread or a socket is not waited for here: tests wait for what they expect to see.
    for _ in range(20):
        await asyncio.sleep(0)
