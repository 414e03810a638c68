"""What people at a chess board are shown and told: the view of a seat, and the facts as it hears them."""

from __future__ import annotations

from msgspec import UNSET, Struct, UnsetType

from tablee.rules.chess.model import (
    Began,
    CameBack,
    ClockMoved,
    DrawDeclined,
    DrawOffered,
    Premoved,
    PremoveDropped,
    Reason,
    Side,
    TakebackAsked,
    TakebackDeclined,
    Variant,
)
from tablee.rules.contract import Fact, Instant, Seat, View


class SideSeats(Struct, frozen=True):
    """Who plays which side."""

    white: Seat
    black: Seat


class Captured(Struct, frozen=True):
    """The pieces that each side has lost, as letters in the order of their loss."""

    white: str
    black: str


class Sights(Struct, frozen=True):
    """The board as each side of Dark sees it, `?` for what it does not see."""

    white: str
    black: str


class ChessView(View, frozen=True):
    """The game as a seat may know it; docs/chess.md explains every field."""

    variant: Variant
    you: Side | None
    seats: SideSeats
    boards: dict[str, str]
    fen: str | None
    start: str | None
    castling: str
    turn: Side | None
    ply: int
    last: str | None
    check: str | None
    moves: dict[str, tuple[str, str]]
    captured: Captured
    premove: str | None
    draw_offer: Side | None
    takeback: Side | None
    claimable: str | None
    live: bool
    turn_until: Instant | None
    away: dict[Seat, Instant]
    ended: Reason | None
    winner: Side | None
    sights: Sights | UnsetType = UNSET
    """At the end of Dark: what either side saw of it; elsewhere there is no such field."""

    @property
    def winning_seat(self) -> Seat | None:
        return (
            None
            if self.winner is None
            else {"white": self.seats.white, "black": self.seats.black}[self.winner]
        )


# --- facts as they are told -----------------------------------------------------------------------------


class ToldMoved(Fact, frozen=True, tag="moved"):
    """A move; in Dark, what the seat may not know of it is empty.

    `premove` is told to who moved, `sees` to who sees the board otherwise afterwards.
    """

    seat: Seat
    move: str
    san: str
    took: str
    premove: bool | UnsetType = UNSET
    sees: str | UnsetType = UNSET


class ToldTakenBack(Fact, frozen=True, tag="taken_back"):
    """So many half-moves are undone, as `seat` had asked."""

    seat: Seat
    plies: int


class ToldWentAway(Fact, frozen=True, tag="went_away"):
    seat: Seat


class ToldEnded(Fact, frozen=True, tag="ended"):
    reason: Reason
    winner: Seat | None


ChessTold = (
    Began
    | ToldMoved
    | Premoved
    | PremoveDropped
    | DrawOffered
    | DrawDeclined
    | TakebackAsked
    | TakebackDeclined
    | ToldTakenBack
    | ToldWentAway
    | CameBack
    | ClockMoved
    | ToldEnded
)
