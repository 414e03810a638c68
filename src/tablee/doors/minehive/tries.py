"""Wrong passwords by address: so many within so long, then nothing is checked until those are over."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tablee.clock import Clock, Instant
from tablee.club.limits import network

REMEMBERED = 10_000
"""Addresses that may be kept before those that are over are forgotten."""


class ShutOut(Exception):
    """This address has tried too many wrong passwords."""


class _Address:
    __slots__ = ("checking", "failures", "waiting")

    def __init__(self) -> None:
        self.failures: deque[Instant] = deque()
        self.checking = 0
        self.waiting: deque[asyncio.Future[None]] = deque()


class Tries:
    """Counts failures, and lets no more checks of one address run at once than it may still fail."""

    def __init__(self, clock: Clock, most: int, within: int) -> None:
        self._clock = clock
        self._most = most
        self._within = within
        self._addresses: dict[str, _Address] = {}

    @asynccontextmanager
    async def check(self, address: str) -> AsyncIterator[None]:
        """Around one check of a password; `failed` is called inside it. Raises ShutOut."""
        key = network(address)
        while True:
            known = self._known(key)
            if len(known.failures) >= self._most:
                raise ShutOut(key)
            if len(known.failures) + known.checking < self._most:
                break
            turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            known.waiting.append(turn)
            await turn
        known.checking += 1
        try:
            yield
        finally:
            known.checking -= 1
            while known.waiting:
                turn = known.waiting.popleft()
                if not turn.done():
                    turn.set_result(None)
            self._forget()

    def failed(self, address: str) -> None:
        """A known name and a wrong password."""
        self._known(network(address)).failures.append(self._clock.ticks())

    def _known(self, key: str) -> _Address:
        known = self._addresses.get(key)
        if known is None:
            known = self._addresses[key] = _Address()
        self._pass_time(known)
        return known

    def _pass_time(self, known: _Address) -> None:
        over = self._clock.ticks() - self._within
        while known.failures and known.failures[0] <= over:
            known.failures.popleft()

    def _forget(self) -> None:
        if len(self._addresses) < REMEMBERED:
            return
        for key, known in list(self._addresses.items()):
            self._pass_time(known)
            if not (known.failures or known.checking or known.waiting):
                del self._addresses[key]
