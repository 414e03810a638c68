"""Houses with a Minehive door, whose clock stands still."""

from __future__ import annotations

import pytest
from tests.kit.minehive import House


@pytest.fixture
def house_type() -> type[House]:
    return House
