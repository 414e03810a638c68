"""Houses with a DR2D door, whose clock stands still."""

from __future__ import annotations

import pytest
from tests.kit.dr2d import House


@pytest.fixture
def house_type() -> type[House]:
    return House
