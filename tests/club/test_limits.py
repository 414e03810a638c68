"""How often is too often."""

from __future__ import annotations

import pytest

from tablee.clock import HandClock
from tablee.club import TooMany
from tablee.club.limits import Bucket, Limits, Window, network


def test_a_bucket_gives_its_all_at_once_and_then_refills_evenly(clock: HandClock) -> None:
    clock_limits = Limits(clock, {"say": Bucket(3, 30)})
    for _ in range(3):
        clock_limits.take("say", 1)
    with pytest.raises(TooMany) as refused:
        clock_limits.take("say", 1)
    assert refused.value.seconds == 10
    clock_limits.take("say", 2)


async def test_who_waits_the_seconds_he_was_told_is_served(clock: HandClock) -> None:
    limits = Limits(clock, {"say": Bucket(3, 30)})
    for _ in range(3):
        limits.take("say", 1)
    await clock.advance(9_999)
    with pytest.raises(TooMany) as refused:
        limits.take("say", 1)
    await clock.advance(refused.value.seconds * 1000)
    limits.take("say", 1)
    with pytest.raises(TooMany):
        limits.take("say", 1)


async def test_a_window_is_shut_until_it_is_over(clock: HandClock) -> None:
    limits = Limits(clock, {"tries": Window(5, 60)})
    for _ in range(5):
        limits.check("tries", "a")
        limits.count("tries", "a")
        await clock.advance(1_000)
    for _ in range(54):
        with pytest.raises(TooMany):
            limits.check("tries", "a")
        await clock.advance(1_000)
    with pytest.raises(TooMany) as refused:
        limits.check("tries", "a")
    assert refused.value.seconds == 1
    await clock.advance(1_000)
    limits.take("tries", "a")


def test_what_is_only_counted_may_exceed_the_bucket_and_does_not_dig_deeper(clock: HandClock) -> None:
    limits = Limits(clock, {"say": Bucket(2, 20)})
    for _ in range(100):
        limits.count("say", 1)
    with pytest.raises(TooMany) as refused:
        limits.check("say", 1)
    assert refused.value.seconds == 10


@pytest.mark.parametrize("rule", [Bucket(2, 20), Window(2, 20)])
def test_what_is_given_back_was_not_spent(clock: HandClock, rule: Bucket | Window) -> None:
    limits = Limits(clock, {"say": rule})
    limits.give_back("say", 1)
    limits.take("say", 1)
    limits.take("say", 1)
    limits.give_back("say", 1)
    limits.take("say", 1)
    with pytest.raises(TooMany):
        limits.take("say", 1)


def test_a_million_strangers_do_not_fill_the_memory(clock: HandClock) -> None:
    limits = Limits(clock, {"say": Bucket(1, 3600)}, remembered=100)
    for who in range(10_000):
        limits.take("say", who)
    assert len(limits._states) == 100
    with pytest.raises(TooMany):
        limits.take("say", 9_999)


def test_one_household_counts_as_one_address() -> None:
    assert network("2001:db8:1:2::1") == network("2001:db8:1:2:ffff::9") == "2001:db8:1:2::/64"
    assert network("2001:db8:1:3::1") != network("2001:db8:1:2::1")
    assert network("::ffff:192.0.2.7") == network("192.0.2.7") == "192.0.2.7"
    assert network("fe80::1%eth0") == "fe80::/64"
    assert network("unix socket" * 20) == ("unix socket" * 20)[:64]
