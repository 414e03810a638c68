"""Houses with the web door, on the wall clock."""

from __future__ import annotations

import pytest
from tests.kit.web import House

from tablee.clock import WallClock


@pytest.fixture
def house_type() -> type[House]:
    return House


@pytest.fixture
def clock() -> WallClock:
    return WallClock()
