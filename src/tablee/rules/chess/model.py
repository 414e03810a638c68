"""What a game of chess is made of: options, actions, facts, the state."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Literal

import chess
import msgspec
from msgspec import Meta

from tablee.rules.chess.boards import BOARDS, ClassicBoard
from tablee.rules.contract import Action, Fact, Instant, Seat, State, TableAction

FORFEIT_AFTER = 60_000
"""A player of a live game whose connection is lost has so long to come back (spec, chapter 2)."""

Side = Literal["white", "black"]
Variant = Literal["classic", "alice", "dark", "horde"]
Reason = Literal[
    "mate",
    "king_taken",
    "horde_taken",
    "resigned",
    "time",
    "turn_time",
    "absent",
    "stalemate",
    "material",
    "agreement",
    "threefold",
    "fifty",
    "fivefold",
    "seventy_five",
    "time_without_material",
]
"""How a game ends; from `stalemate` on nobody wins."""


Sides = Literal["first", "second", "random"]


class ChessOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a table of chess may choose."""

    sides: Sides = "first"
    """Who is White: the first seat, the second, or chance."""
    pace: Literal["live", "days"] = "live"
    """In a live game who stays away for a minute loses; a game by days has no such haste."""
    turn_minutes: Annotated[int, Meta(ge=0, le=1440)] = 10
    """The limit for a single turn of a live game; 0 is none."""
    start: Annotated[str, Meta(max_length=200)] = ""
    """Another position to begin with, as FEN; such a game is not rated."""


# --- actions --------------------------------------------------------------------------------------------


class Move(Action, frozen=True):
    """`e2e4`, or `e7e8q` with q, r, b or n (or h, the knight of the document); in any case."""

    move: str


class Premove(Action, frozen=True):
    """In the opponent's turn: play this at once if it is legal then; it replaces an earlier one."""

    move: str


class CancelPremove(Action, frozen=True):
    pass


class OfferDraw(Action, frozen=True):
    """Where the opponent has offered one, this accepts it."""


class DeclineDraw(Action, frozen=True):
    pass


class ClaimDraw(Action, frozen=True):
    """In one's turn: the position has come up three times, or fifty moves brought nothing."""


class AskTakeback(Action, frozen=True):
    """One's last move undone, with the answer to it if there is one; accepts what the opponent asks."""


class DeclineTakeback(Action, frozen=True):
    pass


ChessAction = (
    Move
    | Premove
    | CancelPremove
    | OfferDraw
    | DeclineDraw
    | ClaimDraw
    | AskTakeback
    | DeclineTakeback
    | TableAction
)


# --- facts ----------------------------------------------------------------------------------------------


class Began(Fact, frozen=True):
    """The pieces stand."""

    fen: str
    white: Seat
    black: Seat
    live: bool
    turn_limit: int
    """Milliseconds; 0 is none."""
    at: Instant


class Moved(Fact, frozen=True, omit_defaults=True):
    """A move. `sights` in Dark: the board as each seat sees it afterwards."""

    seat: Seat
    move: str
    san: str
    at: Instant
    took: str = ""
    """The letter of a captured piece, and its square: `pd5`."""
    premove: bool = False
    sights: dict[Seat, str] = msgspec.field(default_factory=dict)


class Premoved(Fact, frozen=True):
    seat: Seat
    move: str


class PremoveDropped(Fact, frozen=True):
    """It was taken back, or could not be played."""

    seat: Seat
    move: str
    cancelled: bool = False


class DrawOffered(Fact, frozen=True):
    seat: Seat


class DrawDeclined(Fact, frozen=True):
    seat: Seat


class TakebackAsked(Fact, frozen=True):
    seat: Seat


class TakebackDeclined(Fact, frozen=True):
    seat: Seat


class TakenBack(Fact, frozen=True):
    """So many half-moves are undone, as `seat` had asked."""

    seat: Seat
    plies: int
    at: Instant


class WentAway(Fact, frozen=True):
    seat: Seat
    at: Instant


class CameBack(Fact, frozen=True):
    seat: Seat


class ClockMoved(Fact, frozen=True):
    """Time during which no node ran is given back."""

    milliseconds: int


class Ended(Fact, frozen=True):
    reason: Reason
    winner: Seat | None
    at: Instant


ChessFact = (
    Began
    | Moved
    | Premoved
    | PremoveDropped
    | DrawOffered
    | DrawDeclined
    | TakebackAsked
    | TakebackDeclined
    | TakenBack
    | WentAway
    | CameBack
    | ClockMoved
    | Ended
)


# --- the state ------------------------------------------------------------------------------------------


class Ply(msgspec.Struct, frozen=True, omit_defaults=True):
    """A half-move as it was played."""

    move: str
    san: str
    took: str = ""


class ChessState(State, frozen=True):
    """A game of one of the four variants; the rules that read it know which."""

    white: Seat
    black: Seat
    live: bool
    turn_limit: int
    start: str
    """FEN, as `position` is: docs/chess.md."""
    position: str
    since: Instant
    """When the turn began."""
    plies: tuple[Ply, ...] = ()
    keys: tuple[str, ...] = ()
    """Positions since the last move that cannot be undone, this one among them: for repetitions."""
    away: dict[Seat, Instant] = msgspec.field(default_factory=dict)
    premoves: dict[Seat, str] = msgspec.field(default_factory=dict)
    draw_offer: Seat | None = None
    offered_at: dict[Seat, int] = msgspec.field(default_factory=dict)
    """By seat the number of half-moves at its last offer: one offer a move of one's own."""
    takeback: Seat | None = None
    asked_at: dict[Seat, int] = msgspec.field(default_factory=dict)
    ended: Reason | None = None
    winner: Seat | None = None

    @property
    def turn(self) -> Seat:
        return self.seat_of(_turn_of(self.position))

    def seat_of(self, color: chess.Color) -> Seat:
        return self.white if color else self.black

    def color_of(self, seat: Seat) -> chess.Color | None:
        return {self.white: chess.WHITE, self.black: chess.BLACK}.get(seat)

    def opponent(self, seat: Seat) -> Seat:
        return self.black if seat == self.white else self.white


def _turn_of(fen: str) -> chess.Color:
    return fen.split(" ", 2)[1] == "w"


KEPT = 2_048
"""Positions whose boards are kept, of all games together."""


@lru_cache(maxsize=KEPT)
def _kept(variant: str, fen: str) -> list[ClassicBoard]:
    """Where the board of a FEN is kept once there is one."""
    return []


def position(variant: str, fen: str) -> ClassicBoard:
    """The board of a FEN. It is shared: whoever wants to move on it takes a copy."""
    kept = _kept(variant, fen)
    if not kept:
        kept.append(BOARDS[variant](fen))
    return kept[0]


def keep(variant: str, fen: str, board: ClassicBoard) -> None:
    """This is the board of a FEN: it need not be read from it. Nobody may move on it any more."""
    kept = _kept(variant, fen)
    if not kept:
        board.clear_stack()
        kept.append(board)


def color_name(color: chess.Color) -> Side:
    return "white" if color else "black"
