"""Houses for the tests of the Pawn Hub door."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import uvloop
from tests.doors.pawnhub.house import House

from tablee.clock import HandClock

Opener = Callable[..., Awaitable[House]]


def pytest_asyncio_loop_factories() -> dict[str, Callable[[], asyncio.AbstractEventLoop]]:
    """The tests run on the loop that the house runs on."""
    return {"uvloop": uvloop.new_event_loop}


@pytest.fixture
async def open_house(tmp_path: Path, clock: HandClock) -> AsyncIterator[Opener]:
    """Opens houses on one SQLite file (or the database given), which are closed when the test ends."""
    houses: list[House] = []

    async def open_one(database: str | Path | None = None, **changed: Any) -> House:
        house = await House.open(database or tmp_path / "tablee.sqlite", clock, **changed)
        houses.append(house)
        return house

    yield open_one
    for house in houses:
        if not house.closed:
            await house.close()


@pytest.fixture
async def house(open_house: Opener) -> House:
    """A house on SQLite with a clock that stands still."""
    return await open_house()
