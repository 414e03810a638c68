"""Dates as a game may ask for them: the house passes its calendar in, with its zone and its hour."""

from __future__ import annotations

from typing import Protocol

from tablee.rules.contract import Instant

DAY = 86_400_000
HOUR = 3_600_000
MINUTE = 60_000
EVENING = 20
"""The hour at which deadlines fall where a table has none of its own."""


class Calendar(Protocol):
    """What a game may ask of the calendar of the house."""

    zone: str
    """Where it is."""

    def evening(self, at: Instant, days: int, weekends: bool, minute: int = EVENING * 60) -> Instant:
        """The deadline so many days after `at`, always ahead of it, at this minute of the day.

        It is no weekend unless they are played on.
        """
        ...


class UtcCalendar:
    """The calendar of a house without a zone: pure numbers, the same on every machine."""

    zone = "UTC"

    def evening(self, at: Instant, days: int, weekends: bool, minute: int = EVENING * 60) -> Instant:
        day = at // DAY + days
        if day * DAY + minute * MINUTE <= at:
            day += 1
        weekday = (day + 3) % 7  # the first of January 1970 was a Thursday
        if not weekends and weekday >= 5:
            day += 7 - weekday
        return day * DAY + minute * MINUTE


UTC = UtcCalendar()
