"""What `make attack` calls a house that holds."""

from __future__ import annotations

import msgspec
from attack.__main__ import Outcome, told
from attack.honest import Seen


def test_a_script_that_broke_down_has_not_shown_that_the_house_holds() -> None:
    seen = Seen(moves=[1.0], looks=[1.0], arrivals=[1.0], failed=[])
    whole = Outcome("thief", "1 refused", seen, 0.1, 100, 110, 110)
    assert whole.holds
    broken = msgspec.structs.replace(whole, answered="ended with 1", ended=1)
    assert not broken.holds
    assert "the script itself broke down" in told(broken)
    assert "DOES NOT HOLD" in told(broken)
