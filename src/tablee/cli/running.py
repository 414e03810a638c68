"""What commands share: one event loop a command, the store for its length, and errors as sentences."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import uvloop

from tablee.config import Settings
from tablee.store import Store, open_store

T = TypeVar("T")


class Stop(Exception):
    """The end of a command for a reason that its user can do something about; `code` is the exit status."""

    def __init__(self, sentence: str, code: int = 1) -> None:
        super().__init__(sentence)
        self.code = code


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run a command's work in an event loop of its own."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(work)


@asynccontextmanager
async def opened(settings: Settings) -> AsyncIterator[Store]:
    """The store that the settings mean, for as long as the command needs it."""
    store = await open_store(settings.database_url)
    try:
        yield store
    finally:
        await store.close()
