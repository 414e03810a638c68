"""The calendar of the club: on which evening a deadline falls, in the club's own zone."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from tablee.clock import Instant
from tablee.rules.calendar import EVENING

SECOND = 1_000


class ClubCalendar:
    """Evenings of one zone, through every change of the hour. Raises ValueError for an unknown zone."""

    def __init__(self, zone: str = "Europe/Paris") -> None:
        self.zone = zone
        self._zone = ZoneInfo(zone)

    def evening(self, at: Instant, days: int, weekends: bool, minute: int = EVENING * 60) -> Instant:
        """The deadline so many days after `at`, always ahead of it; no weekend unless they are played on."""
        day = self.day_of(at) + timedelta(days=days)
        if self.evening_of(day, minute) <= at:
            day += timedelta(days=1)
        if not weekends and day.weekday() >= 5:
            day += timedelta(days=7 - day.weekday())
        return self.evening_of(day, minute)

    def evening_of(self, day: date, minute: int = EVENING * 60) -> Instant:
        """The moment of a deadline on this day."""
        moment = datetime.combine(day, time(*divmod(minute, 60)), self._zone)
        return round(moment.astimezone(UTC).timestamp() * SECOND)

    def day_of(self, at: Instant) -> date:
        """The day that it is here at this moment."""
        return datetime.fromtimestamp(at / SECOND, UTC).astimezone(self._zone).date()
