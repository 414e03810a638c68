"""What commands share: one event loop a command, the store for its length, and errors as sentences."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import uvloop

from tablee.cli.stopping import Stop
from tablee.club import ClubError
from tablee.config import BadSetting, Settings
from tablee.first_start import CannotStart
from tablee.logs import redacted
from tablee.store import Store, StoreError, demand_house, open_store

T = TypeVar("T")


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run a command's work in an event loop of its own."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(work)


@asynccontextmanager
async def opened(settings: Settings) -> AsyncIterator[Store]:
    """The store of the house that the settings mean, for as long as the command needs it.

    Raises Refused where there is none: a mistyped folder must not become a new house.
    """
    await demand_house(settings.database_url)
    store = await open_store(settings.database_url)
    try:
        yield store
    finally:
        await store.close()


def ending(error: Exception) -> tuple[str, int]:
    """The sentence and exit status for what ended a command; raises again what nobody expected."""
    match error:
        case Stop(code=code) | CannotStart(code=code):
            return redacted(str(error)), code
        case BadSetting():
            return redacted(str(error)), 2
        case StoreError() | ClubError():
            return redacted(str(error)), 1
    raise error
