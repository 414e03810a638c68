"""Player clocks: none, so much a turn, a budget with an increment, or days on a calendar.

They belong to the table, not to the game: the rules only see `Timeout(seat)`. What they show follows from the
log alone (when events happened, and whom the game was waiting for), so a restart changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

from tablee.clock import Instant
from tablee.rules.contract import Seat

SECOND = 1_000
DAY = 86_400 * SECOND
LAG_MOST = 500
"""Of the time that a move was on its way, so much at most is not counted."""
AFTER_RESTART = 15 * 60 * SECOND
"""A deadline in days that passed while no node ran is played so long after the restart."""


class NoClock(msgspec.Struct, frozen=True, tag="none", tag_field="kind"):
    """Everyone may think for ever."""


class PerMove(msgspec.Struct, frozen=True, tag="move", tag_field="kind"):
    """So many seconds for each turn."""

    seconds: int

    def __post_init__(self) -> None:
        _within("seconds", self.seconds, 1, 86_400)


class Budget(msgspec.Struct, frozen=True, tag="budget", tag_field="kind"):
    """So many seconds for the whole game, more for each turn made, at most `turn` seconds for one turn."""

    seconds: int
    increment: int = 0
    turn: int | None = None

    def __post_init__(self) -> None:
        _within("seconds", self.seconds, 1, 7 * 86_400)
        _within("increment", self.increment, 0, 3_600)
        if self.turn is not None:
            _within("turn", self.turn, 1, 7 * 86_400)


class Days(msgspec.Struct, frozen=True, tag="days", tag_field="kind"):
    """So many days for each turn; weekends in `zone` may not count; `grace` hours are granted silently."""

    days: float
    weekends: bool = True
    zone: str = "Europe/Paris"
    grace: int = 0

    def __post_init__(self) -> None:
        if not 0 < self.days <= 60:
            raise ValueError("days must be more than 0 and at most 60")
        _within("grace", self.grace, 0, 14 * 24)
        try:
            ZoneInfo(self.zone)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            raise ValueError(f"{self.zone!r} is not a time zone; write one like 'Europe/Paris'") from None


TimeControl = NoClock | PerMove | Budget | Days

NO_CLOCK = NoClock()
_decoder: msgspec.json.Decoder[TimeControl] = msgspec.json.Decoder(TimeControl)


def _within(name: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise ValueError(f"{name} must be from {least} to {most}")


def read_time_control(value: Any) -> TimeControl:
    """The time control that a JSON value (or its text) describes; raises msgspec.ValidationError."""
    if isinstance(value, str | bytes):
        return _decoder.decode(value)
    if isinstance(value, NoClock | PerMove | Budget | Days):
        return value
    if value is None:
        return NO_CLOCK
    return _decoder.decode(msgspec.json.encode(value))


class Face(msgspec.Struct, frozen=True):
    """One player's clock as everybody may see it: what is left, and until when if it runs."""

    left: int | None
    until: Instant | None


class Clocks(msgspec.Struct, frozen=True):
    """Where the clocks of a table stand: the turns that run, since when, and what is left of the budgets."""

    since: dict[Seat, Instant] = {}
    until: dict[Seat, Instant] = {}
    left: dict[Seat, int] = {}

    def due(self) -> Instant | None:
        """When the first of them runs out."""
        return min(self.until.values()) if self.until else None

    def overdue(self, at: Instant) -> list[Seat]:
        """Whose time is up, first come first."""
        return [
            seat for when, seat in sorted((when, seat) for seat, when in self.until.items()) if when <= at
        ]


def after_event(
    control: TimeControl,
    clocks: Clocks,
    at: Instant,
    waiting: Iterable[Seat],
    stopped: Seat | None = None,
    lag: int = 0,
) -> Clocks:
    """The clocks after an event at `at` which leaves the game waiting for `waiting`.

    `stopped` is a seat whose clock has just run out: it does not run again before its next turn. `lag` is for
    how long the move was on its way, which is not counted.
    """
    if isinstance(control, NoClock):
        return clocks
    wanted = frozenset(waiting)
    running = clocks.since.keys()
    if stopped is None and wanted == running:
        return clocks
    since, until, left = dict(clocks.since), dict(clocks.until), dict(clocks.left)
    for seat in running - wanted:
        began = since.pop(seat)
        ran_out = until.pop(seat, None) is None
        if isinstance(control, Budget):
            spent = max(0, at - began - min(max(0, lag), LAG_MOST))
            rest = max(0, left.get(seat, control.seconds * SECOND) - spent)
            left[seat] = rest if ran_out else rest + control.increment * SECOND
    for seat in sorted(wanted - running):
        since[seat] = at
        until[seat] = _turn_ends(control, at, left.get(seat))
    if stopped is not None:
        until.pop(stopped, None)
        if isinstance(control, Budget) and stopped in since:
            left[stopped] = max(0, left.get(stopped, control.seconds * SECOND) - (at - since[stopped]))
            since[stopped] = at
    return Clocks(since, until, left)


def _turn_ends(control: TimeControl, at: Instant, left: int | None) -> Instant:
    match control:
        case PerMove(seconds):
            return at + seconds * SECOND
        case Budget(seconds, _, turn):
            budget = seconds * SECOND if left is None else left
            return at + (budget if turn is None else min(budget, turn * SECOND))
        case Days(days, weekends, zone, grace):
            return after_days(at, days, weekends, zone) + grace * 3_600 * SECOND
        case NoClock():
            raise ValueError("a table without clocks has no end of a turn")


def after_days(at: Instant, days: float, weekends: bool, zone: str) -> Instant:
    """`at` plus so many days; where weekends do not count, those of `zone` are stepped over."""
    if weekends:
        return at + round(days * DAY)
    place = ZoneInfo(zone)
    moment = datetime.fromtimestamp(at / SECOND, UTC).astimezone(place)
    rest = timedelta(days=days)
    while True:
        midnight = datetime.combine(moment.date() + timedelta(days=1), datetime.min.time(), place)
        if moment.weekday() >= 5:
            moment = midnight
            continue
        # Aware datetimes of one zone subtract as wall time: an hour lost to summer time must not count.
        today = midnight.astimezone(UTC) - moment.astimezone(UTC)
        if rest < today:
            return round((moment.astimezone(UTC) + rest).timestamp() * SECOND)
        rest -= today
        moment = midnight


def give_back(control: TimeControl, clocks: Clocks, at: Instant, milliseconds: int) -> Clocks:
    """The clocks after no node ran for so long: running ones get it back, deadlines in days a respite."""
    if isinstance(control, Days):
        until = {seat: when if when > at else at + AFTER_RESTART for seat, when in clocks.until.items()}
        return Clocks(clocks.since, until, clocks.left)
    return Clocks(
        {seat: when + milliseconds for seat, when in clocks.since.items()},
        {seat: when + milliseconds for seat, when in clocks.until.items()},
        clocks.left,
    )


def faces(control: TimeControl, clocks: Clocks, seats: Iterable[Seat], now: Instant) -> dict[Seat, Face]:
    """What the clocks of these seats show at `now`; nothing at a table without clocks."""
    if isinstance(control, NoClock):
        return {}
    shown: dict[Seat, Face] = {}
    for seat in seats:
        until = clocks.until.get(seat)
        if isinstance(control, Budget):
            left = clocks.left.get(seat, control.seconds * SECOND)
            if seat in clocks.since:
                left = max(0, left - max(0, now - clocks.since[seat]))
            shown[seat] = Face(left, until)
        else:
            shown[seat] = Face(None if until is None else max(0, until - now), until)
    return shown
