"""Houses with a Pawn Hub door, whose clock stands still."""

from __future__ import annotations

import pytest
from tests.kit.pawnhub import House


@pytest.fixture
def house_type() -> type[House]:
    return House
