"""The one timer that all connections share."""

from __future__ import annotations

from weakref import ref

from structlog.testing import capture_logs

from tablee.clock import HandClock, Instant
from tablee.wire.wheel import GRAIN, Wheel


class Ticking:
    """Wants to be called every so many milliseconds, and remembers when it was."""

    def __init__(self, every: int, times: int) -> None:
        self.every, self.times = every, times
        self.called: list[Instant] = []

    def turn(self, now: Instant) -> Instant | None:
        self.called.append(now)
        return now + self.every if len(self.called) < self.times else None


async def test_everybody_is_called_in_time(clock: HandClock) -> None:
    wheel = Wheel(clock)
    start = clock.now()
    ones = [Ticking(every, 5) for every in (5_000, 70, 300, 1_000, 999, 5_000)]
    for place, one in enumerate(ones):
        wheel.watch(one, start + one.every + place)
    await clock.advance(40_000)
    for place, one in enumerate(ones):
        assert len(one.called) == 5
        due = start + one.every + place
        for called in one.called:
            assert due <= called <= due + GRAIN
            due = called + one.every


async def test_what_waits_already_is_not_overtaken_by_what_is_asked_for_later(clock: HandClock) -> None:
    wheel = Wheel(clock)
    start = clock.now()
    first, second = Ticking(5_000, 3), Ticking(5_000, 3)
    wheel.watch(first, start + 1_000)
    wheel.watch(second, start + 1_500)
    await clock.advance(2_000)
    assert (len(first.called), len(second.called)) == (1, 1)


async def test_nothing_is_called_after_the_end(clock: HandClock) -> None:
    wheel = Wheel(clock)
    one = Ticking(100, 5)
    wheel.watch(one, clock.now() + 100)
    wheel.stop()
    await clock.advance(1_000)
    assert one.called == []


class Broken:
    def turn(self, now: Instant) -> Instant | None:
        raise RuntimeError("out of order")


async def test_one_that_breaks_stops_nobody_else(clock: HandClock) -> None:
    wheel = Wheel(clock)
    broken, one, later = Broken(), Ticking(100, 5), Ticking(100, 5)
    for turning, due in ((broken, 100), (one, 100), (later, 200)):
        wheel.watch(turning, clock.now() + due)
    with capture_logs() as logs:
        await clock.advance(2_000)
    assert (len(one.called), len(later.called)) == (5, 5)
    assert [line["event"] for line in logs] == ["turn_failed"]


async def test_who_is_gone_before_his_time_is_not_kept_until_then(clock: HandClock) -> None:
    wheel = Wheel(clock)
    one, other = Ticking(30_000, 1), Ticking(30_000, 1)
    gone = ref(one)
    wheel.watch(one, clock.now() + 30_000)
    wheel.watch(other, clock.now() + 30_000)
    del one
    assert gone() is None
    await clock.advance(40_000)
    assert len(other.called) == 1
