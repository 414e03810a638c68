"""Dates as a game may ask for them: the house passes its calendar in, with its zone and its hour."""

from __future__ import annotations

from typing import Protocol

from tablee.rules.contract import Instant

DAY = 86_400_000
HOUR = 3_600_000
EVENING = 20
"""The hour at which deadlines fall."""


class Calendar(Protocol):
    """What a game may ask of the calendar of the house."""

    zone: str
    """Where it is."""

    def evening(self, at: Instant, days: int, weekends: bool) -> Instant:
        """The deadline so many days after `at`, always ahead of it; no weekend unless they are played on."""
        ...


class UtcCalendar:
    """The calendar of a house without a zone: pure numbers, the same on every machine."""

    zone = "UTC"

    def evening(self, at: Instant, days: int, weekends: bool) -> Instant:
        day = at // DAY + days
        if day * DAY + EVENING * HOUR <= at:
            day += 1
        weekday = (day + 3) % 7  # the first of January 1970 was a Thursday
        if not weekends and weekday >= 5:
            day += 7 - weekday
        return day * DAY + EVENING * HOUR


UTC = UtcCalendar()
