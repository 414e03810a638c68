"""Something done again and again, on the clock of the house, until told to stop."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable

from tablee.clock import Clock, Instant
from tablee.store.bus import report
from tablee.store.errors import Unavailable


class Repeating:
    """Runs `turn` at once, then whenever the time that it gave has come or `wake` is called."""

    def __init__(self, name: str, clock: Clock, turn: Callable[[], Awaitable[Instant]], retry: int) -> None:
        self._name = name
        self._clock = clock
        self._turn = turn
        self._retry = retry
        self._woken = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._stopping = False

    def start(self) -> None:
        self._stopping = False
        self._task = asyncio.create_task(self._run(), name=f"tablee-{self._name}")

    def wake(self) -> None:
        self._woken.set()

    async def stop(self) -> None:
        """Stop; what is being done is broken off."""
        if self._task is not None:
            # A turn may swallow the cancellation (asyncio.wait_for does when it is done that very moment).
            self._stopping = True
            self._woken.set()
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
            self._task = None

    async def _run(self) -> None:
        while not self._stopping:
            self._woken.clear()
            try:
                again_at = await self._turn()
            except Unavailable:  # the store itself says so, and recovers
                again_at = self._clock.now() + self._retry
            except Exception as error:
                report(f"{self._name} failed", error)
                again_at = self._clock.now() + self._retry
            if self._stopping:
                return
            timer = self._clock.call_at(again_at, self._woken.set)
            try:
                await self._woken.wait()
            finally:
                timer.cancel()
