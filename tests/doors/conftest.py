"""Houses with one door: each folder says which, in `house_type`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import uvloop
from tests.kit.rooms import Rooms

from tablee.clock import Clock

Opener = Callable[..., Awaitable[Rooms]]


def pytest_asyncio_loop_factories() -> dict[str, Callable[[], asyncio.AbstractEventLoop]]:
    """The tests run on the loop that the house runs on."""
    return {"uvloop": uvloop.new_event_loop}


@pytest.fixture
async def open_house(house_type: type[Rooms], tmp_path: Path, clock: Clock) -> AsyncIterator[Opener]:
    """Opens houses on one SQLite file (or the database given), which are closed when the test ends."""
    houses: list[Rooms] = []

    async def open_one(database: str | Path | None = None, clock: Clock = clock, **changed: Any) -> Rooms:
        where = database or tmp_path / "tablee.sqlite"
        house = await house_type.open(where, clock, tmp_path / "data", **changed)
        houses.append(house)
        return house

    yield open_one
    for house in houses:
        if not house.closed:
            await house.close()


@pytest.fixture
async def house(open_house: Opener) -> Rooms:
    """A house on SQLite."""
    return await open_house()


@pytest.fixture
async def any_house(open_house: Opener, database_url: str) -> Rooms:
    """The same on SQLite and on PostgreSQL."""
    return await open_house(database_url)
