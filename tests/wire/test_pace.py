"""A connection talks as fast as it may: a burst, then so many a second."""

from __future__ import annotations

from tablee.wire.pace import Pace


def test_a_pace_lets_a_burst_pass_then_makes_one_wait() -> None:
    now = 0.0
    pace = Pace(2.0, 3, lambda: now)
    assert [pace.take() for _ in range(3)] == [0, 0, 0]
    assert pace.take() == 0.5
    now = 0.5
    assert pace.take() == 0
    assert pace.take() > 0


def test_who_has_passed_already_is_told_how_long_to_wait() -> None:
    now = 0.0
    pace = Pace(2.0, 3, lambda: now)
    assert [pace.spend() for _ in range(5)] == [0, 0, 0, 0.5, 1.0]
    now = 1.5
    assert pace.spend() == 0
