"""What is said and kept at a table of mines: options, actions, facts, state."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from tablee.rules.contract import (
    Action,
    Alarm,
    Away,
    Back,
    Fact,
    Instant,
    Join,
    Leave,
    Replace,
    Seat,
    State,
    TimeGivenBack,
    Timeout,
)
from tablee.rules.mines.board import EMPTY, HIDDEN, MINE

AFK_AFTER = 30_000
"""Milliseconds without a click after which a player no longer counts."""
ABANDON_AFTER = 60_000
"""Milliseconds with nobody active after which the match is given up."""
MISS_GRAIN = 1_000
"""A click that misses is written down, as activity, only this long after the last one that was."""
FLAG_GRAIN = 10_000
"""Flags are not in the log; that somebody sets some is, so long after his last activity that is."""
BONUS = 50
SEAT_LETTERS = b"123456789abcdefghijklmnopqrstuvwxyz"
"""The letter of a seat on the board of openers; seats beyond the 35th share `+`."""
MINE_POINTS = -10

Coordinate = Annotated[int, Meta(ge=-(2**31), le=2**31 - 1)]


def seat_letter(seat: Seat) -> int:
    """The letter by which this seat is known on the board of openers."""
    return SEAT_LETTERS[seat - 1] if seat <= len(SEAT_LETTERS) else ord("+")


# --- options --------------------------------------------------------------------------------------------


class ClassicOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """The board of the Minehive document: 30 × 16 with 99 mines."""

    # Ten in the document; how many really is a setting of whoever makes the match.
    seats: Annotated[int, Meta(ge=1, le=1000)] = 10
    flags: bool = True
    chording: bool = False


class CustomOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """A board of one's own."""

    width: Annotated[int, Meta(ge=5, le=60)] = 30
    height: Annotated[int, Meta(ge=5, le=40)] = 16
    mines: Annotated[int, Meta(ge=1, le=2399)] = 99
    seats: Annotated[int, Meta(ge=1, le=10)] = 10
    no_guess: bool = False
    chording: bool = True
    flags: bool = True


# --- actions --------------------------------------------------------------------------------------------


class Click(Action, frozen=True):
    """Open a square. Coordinates off the board are a miss, not an error of form."""

    x: Coordinate
    y: Coordinate


class Chord(Action, frozen=True):
    """Open several hidden squares that all touch the open number at x, y."""

    x: Coordinate
    y: Coordinate
    squares: Annotated[tuple[tuple[Coordinate, Coordinate], ...], Meta(min_length=1, max_length=8)]


class Flag(Action, frozen=True):
    """Mark a hidden square, for oneself alone."""

    x: Coordinate
    y: Coordinate


class Unflag(Action, frozen=True):
    """Take one's own mark away."""

    x: Coordinate
    y: Coordinate


GameAction = Click | Chord | Flag | Unflag
MinesAction = GameAction | Join | Leave | Replace | Away | Back | Alarm | Timeout | TimeGivenBack


# --- facts ----------------------------------------------------------------------------------------------


class Laid(Fact, frozen=True):
    """The board is ready. Told to nobody: the view shows what of it may be known."""

    width: int
    height: int
    mines: tuple[int, ...]
    seats: int
    chording: bool
    flags: bool
    at: Instant
    start: tuple[int, int] | None = None


class Joined(Fact, frozen=True):
    seat: Seat
    name: str
    total: int
    at: Instant
    robot: bool = False


class WentAway(Fact, frozen=True):
    """Not connected any more (DECO)."""

    seat: Seat
    at: Instant


class Left(Fact, frozen=True):
    """Gone by his own wish; his points stay."""

    seat: Seat
    at: Instant


class CameBack(Fact, frozen=True):
    """Connected again, or in by a new connection while AFK (CONN)."""

    seat: Seat
    at: Instant


class FellAsleep(Fact, frozen=True):
    """AFK: no click for 30 s (AFKP)."""

    seat: Seat
    at: Instant


class Returned(Fact, frozen=True):
    """No longer AFK: he has clicked (BACK)."""

    seat: Seat
    at: Instant


class MineMoved(Fact, frozen=True):
    """The first click would have hit this mine. Told to nobody."""

    source: int
    target: int


class Opened(Fact, frozen=True):
    """One click: every square it opened as (x, y, content −1…8, points with the multiplier), in order."""

    seat: Seat
    at: Instant
    squares: tuple[tuple[int, int, int, int], ...]


class Missed(Fact, frozen=True):
    """A click that opened nothing, told to this seat alone."""

    seat: Seat
    at: Instant
    reason: Literal["late", "out_of_range"]
    x: int
    y: int


class Flagged(Fact, frozen=True):
    seat: Seat
    at: Instant
    x: int
    y: int


class Unflagged(Fact, frozen=True):
    seat: Seat
    at: Instant
    x: int
    y: int


class Stirred(Fact, frozen=True):
    """Somebody who only flags is not away. Told to nobody."""

    seat: Seat
    at: Instant


class ClockMoved(Fact, frozen=True):
    """Time while nobody kept the house does not count."""

    milliseconds: int


class Finished(Fact, frozen=True):
    """Every safe square is open. `scores` are the points of the match with the bonuses in them."""

    best: tuple[Seat, ...]
    worst: tuple[Seat, ...]
    scores: dict[Seat, int]


class Abandoned(Fact, frozen=True):
    """Nobody was active for 60 s: what was won is lost, what was lost stays lost."""

    scores: dict[Seat, int]


MinesFact = (
    Laid
    | Joined
    | WentAway
    | Left
    | CameBack
    | FellAsleep
    | Returned
    | MineMoved
    | Opened
    | Missed
    | Flagged
    | Unflagged
    | Stirred
    | ClockMoved
    | Finished
    | Abandoned
)


# --- state ----------------------------------------------------------------------------------------------


class Player(Struct, frozen=True):
    """Somebody who ever joined."""

    seat: Seat
    name: str
    total_before: int
    """Points of the account when he joined."""
    clicked_at: Instant
    points: int = 0
    safe: int = 0
    mines: int = 0
    present: bool = True
    afk: bool = False
    robot: bool = False
    flags: tuple[int, ...] = ()

    @property
    def active(self) -> bool:
        """Whether he counts in the multiplier."""
        return self.present and not self.afk

    @property
    def total(self) -> int:
        """Points of the account with those of this match."""
        return self.total_before + self.points


class MinesState(State, frozen=True):
    width: int
    height: int
    mines: int
    seats: int
    chording: bool
    flags: bool
    start: tuple[int, int] | None
    """Where a board without guessing must be begun."""
    truth: bytes
    shown: bytes
    openers: bytes
    """Who opened each square: the letter of his seat, `.` where it is hidden."""
    opened: int
    """Open squares, mines among them."""
    safe_left: int
    players: tuple[Player, ...]
    """In the order in which they came."""
    active: int
    """How many players count in the multiplier."""
    idle_since: Instant | None
    """Since when nobody has been active."""
    begun_at: Instant | None = None
    """When the first square was opened; time that was given back moves it."""
    ended_at: Instant | None = None
    ended: Literal["cleared", "abandoned"] | None = None
    best: tuple[Seat, ...] = ()
    worst: tuple[Seat, ...] = ()

    def player(self, seat: Seat) -> Player | None:
        for player in self.players:
            if player.seat == seat:
                return player
        return None

    @property
    def completion(self) -> int:
        """Percent of all squares that are open, mines counted, rounded down."""
        return 100 * self.opened // (self.width * self.height)

    def row(self, y: int) -> str:
        """A row as everybody sees it: `X` hidden, `0`…`8`, `*` a mine that was hit."""
        return self.shown[y * self.width : (y + 1) * self.width].decode("ascii")

    def content(self, x: int, y: int) -> int | None:
        """−1 to 8 for an open square, None for a hidden one."""
        letter = self.shown[y * self.width + x]
        if letter == HIDDEN:
            return None
        return -1 if letter == MINE else letter - EMPTY
