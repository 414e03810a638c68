"""The workshop: one thread for whatever anybody may ask to be worked out that belongs to no game.

A board checked, a position resolved, a card tried: who asks waits for others who ask, and no game waits for
any of them. One at a time also bounds the memory: the largest question is in work once, however many ask it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from tablee.club.errors import TooMany

T = TypeVar("T")

MOST_WAITING = 100
"""So many questions wait at most; the next is told to come again."""
AGAIN_IN_SECONDS = 2


class Workshop:
    """Works out one question after another."""

    def __init__(self, waiting: int = MOST_WAITING) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="workshop")
        self._most, self._waiting = waiting, 0

    async def work_out(self, work: Callable[[], T]) -> T:
        """What this comes to; raises TooMany where too many wait, and whatever `work` raises."""
        if self._waiting >= self._most:
            raise TooMany(AGAIN_IN_SECONDS, "workshop")
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, work)
        finally:
            self._waiting -= 1

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)
