"""Houses with the door for letters."""

from __future__ import annotations

import pytest
from tests.kit.mail import House


@pytest.fixture
def house_type() -> type[House]:
    return House
