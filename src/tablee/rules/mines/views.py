"""What people at a table of mines are shown and told: the view of a seat, and the facts as it hears them.

When something happened is nobody's business: facts are told without their instant.
"""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from tablee.rules.contract import Fact, Instant, Seat, View
from tablee.rules.mines.model import Abandoned, ClockMoved, Finished


class PlayerView(Struct, frozen=True):
    """Somebody who ever joined."""

    name: str
    points: int
    total: int
    safe: int
    mines: int
    present: bool
    active: bool
    robot: bool


class MinesView(View, frozen=True):
    """The board and the players as a seat may know them.

    `rows` has a string a row (`X` hidden, `F` a flag of one's own, `0`…`8`, `*` a mine that was hit),
    `openers` likewise the seat that opened each square (`1`…`9`, `a`…`z`, `+` beyond the 35th, `.` hidden).
    Rows and players are keyed, not listed, so that a merge patch carries only those that changed. The mines
    are shown to the master, and to everybody once the match has ended.
    """

    width: int
    height: int
    mines: int
    safe_left: int
    completion: int
    multiplier: int
    start: tuple[int, int] | None
    chording: bool
    flags: bool
    seats: int
    you: Seat | None
    rows: dict[str, str]
    openers: dict[str, str]
    players: dict[str, PlayerView]
    begun_at: Instant | None
    ended_at: Instant | None
    ended: Literal["cleared", "abandoned"] | None
    best: tuple[Seat, ...]
    worst: tuple[Seat, ...]
    bbbv: int | None
    """The least clicks that open the board (3BV), once the match has ended."""
    truth: dict[str, str] | UnsetType = UNSET


# --- facts as they are told -----------------------------------------------------------------------------


class ToldJoined(Fact, frozen=True, tag="joined"):
    seat: Seat
    name: str
    total: int
    robot: bool


class ToldWentAway(Fact, frozen=True, tag="went_away"):
    seat: Seat


class ToldLeft(Fact, frozen=True, tag="left"):
    seat: Seat


class ToldCameBack(Fact, frozen=True, tag="came_back"):
    seat: Seat


class ToldFellAsleep(Fact, frozen=True, tag="fell_asleep"):
    seat: Seat


class ToldReturned(Fact, frozen=True, tag="returned"):
    seat: Seat


class ToldOpened(Fact, frozen=True, tag="opened"):
    """One click, with the points that it brought in all."""

    seat: Seat
    squares: tuple[tuple[int, int, int, int], ...]
    points: int


class ToldMissed(Fact, frozen=True, tag="missed"):
    """To this seat alone."""

    seat: Seat
    reason: Literal["late", "out_of_range"]
    x: int
    y: int


class ToldFlagged(Fact, frozen=True, tag="flagged"):
    """To this seat alone."""

    seat: Seat
    x: int
    y: int


class ToldUnflagged(Fact, frozen=True, tag="unflagged"):
    """To this seat alone."""

    seat: Seat
    x: int
    y: int


MinesTold = (
    ToldJoined
    | ToldWentAway
    | ToldLeft
    | ToldCameBack
    | ToldFellAsleep
    | ToldReturned
    | ToldOpened
    | ToldMissed
    | ToldFlagged
    | ToldUnflagged
    | ClockMoved
    | Finished
    | Abandoned
)
