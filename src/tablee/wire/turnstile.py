"""A turnstile: so many of one network are attended to at a time, and the others of it wait in line."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager


# Why: docs/decisions.md#one-network-goes-through-a-turnstile
class Turnstile:
    """Keeps one who asks a hundred things at once from having them all done before anybody else's."""

    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        self._inside = Counter[Hashable]()
        self._lines: dict[Hashable, deque[asyncio.Future[None]]] = {}

    @asynccontextmanager
    async def turn(self, whose: Hashable) -> AsyncIterator[None]:
        """Wait until it is one's turn, and keep others of the same network waiting meanwhile."""
        if self._inside[whose] < self._at_once:
            self._inside[whose] += 1
        else:
            await self._called(whose)
        try:
            yield
        finally:
            self._call_next(whose)

    async def _called(self, whose: Hashable) -> None:
        call = asyncio.get_running_loop().create_future()
        self._lines.setdefault(whose, deque()).append(call)
        try:
            await call
        except asyncio.CancelledError:
            if not call.cancelled():
                self._call_next(whose)  # it was his turn at the very moment in which he left
            raise

    def _call_next(self, whose: Hashable) -> None:
        line = self._lines.get(whose, deque())
        while line and line[0].done():
            line.popleft()  # he has gone
        if line:
            line.popleft().set_result(None)
        else:
            self._inside[whose] -= 1
            if not self._inside[whose]:
                del self._inside[whose]
        if not line:
            self._lines.pop(whose, None)
