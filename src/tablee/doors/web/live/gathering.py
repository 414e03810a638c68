"""One reading for all who ask for the same at the same moment: the open pages of one person, say."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar

from .watches import Spawn

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

GATHERED_FOR = 0.05
"""Seconds in which those who ask are gathered. Who comes later may ask because of something newer, and has a
reading of his own."""


class Gathering(Generic[K, V]):
    def __init__(self, spawn: Spawn, read: Callable[[K], Awaitable[V]]) -> None:
        self._spawn = spawn
        self._read = read
        self._coming: dict[K, asyncio.Future[V]] = {}

    async def of(self, key: K) -> V:
        """What is read under this key, after everybody who asks now has asked."""
        coming = self._coming.get(key)
        if coming is None:
            coming = self._coming[key] = asyncio.get_running_loop().create_future()
            self._spawn(self._answer(key, coming))
        return await asyncio.shield(coming)

    async def _answer(self, key: K, coming: asyncio.Future[V]) -> None:
        try:
            await asyncio.sleep(GATHERED_FOR)
        finally:
            del self._coming[key]
        try:
            coming.set_result(await self._read(key))
        except Exception as error:
            coming.set_exception(error)
            coming.exception()  # whoever waits gets it; nobody waiting is no fault
