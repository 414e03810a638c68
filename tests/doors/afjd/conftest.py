"""A house for every test of the AFJD door."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.doors.afjd.house import House, open_house


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    """A house on SQLite, with the wall clock and cheap passwords."""
    async with open_house(f"sqlite:///{tmp_path / 'tablee.sqlite'}", tmp_path) as house:
        yield house


@pytest.fixture
async def any_house(database_url: str, tmp_path: Path) -> AsyncIterator[House]:
    """The same on SQLite and on PostgreSQL."""
    async with open_house(database_url, tmp_path) as house:
        yield house
