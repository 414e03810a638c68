"""Two ports of a server that the test plays: one for the lobby, one for a match."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from tests.terminal.scripted import Listener


@pytest.fixture
async def server() -> AsyncIterator[Listener]:
    listener = await Listener().start()
    yield listener
    listener.stop()


@pytest.fixture
async def host() -> AsyncIterator[Listener]:
    listener = await Listener().start()
    yield listener
    listener.stop()
