"""What a seat sees of the arena, and what it is told."""

from __future__ import annotations

from msgspec import UNSET, Struct, UnsetType, field

from tablee.rules.arena.board import Square
from tablee.rules.arena.model import (
    Ended,
    Finished,
    HeroChosen,
    Passed,
    PushSkipped,
    Reason,
    Resigned,
    Returned,
    StoodIn,
    TurnEnded,
)
from tablee.rules.contract import Fact, Seat, View


class NamedCard(Struct, frozen=True):
    """A card as people know it."""

    card: str
    color: str


class EffectView(Struct, frozen=True):
    """A trump that lies on a player, and whether it acts."""

    trump: str
    left: int
    by: Seat
    firm: bool
    acts: bool


class PlayerView(Struct, frozen=True):
    """What a seat may know of a player."""

    arm: int
    aims: tuple[Square, ...]
    pawn: Square | None
    """None where it is not seen, or no longer on the board."""
    steps_home: int | None
    cards: int
    stock: int
    played: tuple[NamedCard, ...]
    unseen: int
    discarded: int
    effects: tuple[EffectView, ...]
    hero: str | None
    mist: int
    blade: int
    copy: str | None
    copy_left: int
    rank: int | None
    resigned: bool
    robot: bool


class TrumpView(Struct, frozen=True):
    """A trump as its player has it, with its author's own words."""

    trump: str
    cost: int
    description: str


class PowerView(Struct, frozen=True):
    """The active power that a player has now."""

    hero: str
    cost: int


class OwnView(Struct, frozen=True):
    """What a player alone knows; the order of the stock nobody does."""

    hand: tuple[NamedCard, ...]
    gauge: int
    trumps: tuple[TrumpView, ...]
    power: PowerView | None
    put_away: tuple[NamedCard, ...]
    hidden_plays: tuple[NamedCard, ...]


class ArenaView(View, frozen=True):
    """The arena as a seat may know it; a player sees his own cards besides, the master those of all."""

    description: str
    you: Seat | None
    order: tuple[Seat, ...]
    players: dict[Seat, PlayerView]
    turn: Seat | None
    round: int
    rounds: int
    moves: int
    trumped: bool
    strike: str | None
    painted: dict[str, str]
    """Colours by square, `x,y`."""
    offered: tuple[str, ...]
    ended: Reason | None
    hand: tuple[NamedCard, ...] | UnsetType = UNSET
    gauge: int | UnsetType = UNSET
    trumps: tuple[TrumpView, ...] | UnsetType = UNSET
    power: PowerView | UnsetType | None = UNSET
    put_away: tuple[NamedCard, ...] | UnsetType = UNSET
    hidden_plays: tuple[NamedCard, ...] | UnsetType = UNSET
    private: dict[Seat, OwnView] | UnsetType = UNSET

    @property
    def own(self) -> OwnView | None:
        """What this player alone knows; None for whoever does not play."""
        return None if self.you is None else OwnView(*(getattr(self, name) for name in _OWN))


_OWN = OwnView.__struct_fields__


# --- facts, where a seat is told less or more than was logged -------------------------------------------


class ToldDealt(Fact, frozen=True, tag="dealt"):
    """The game begins."""

    order: tuple[Seat, ...]
    heroes: dict[Seat, str]


class ToldTurnBegan(Fact, frozen=True, tag="turn_began"):
    """As `TurnBegan`, without the instant."""

    seat: Seat
    round: int


class ToldPlayed(Fact, frozen=True, tag="played", kw_only=True):
    """A card, where the pawn went and on which way; what it added to the gauge its player alone knows."""

    seat: Seat
    card: str
    color: str
    x: int
    y: int
    origin: Square = field(name="from")
    gauge: int | UnsetType = UNSET
    path: tuple[Square, ...]
    strikes: bool


class PlayedInMist(Fact, frozen=True):
    """What others hear of a card that was played under the night mist."""

    seat: Seat


class ToldDiscarded(Fact, frozen=True, tag="discarded"):
    """A card was put away; which one its player alone knows."""

    seat: Seat
    card: str | UnsetType = UNSET
    color: str | UnsetType = UNSET


class ToldTrumpPlayed(Fact, frozen=True, tag="trump_played"):
    seat: Seat
    target: Seat
    trump: str
    cost: int
    firm: bool
    acts: bool


class ToldPowerUsed(Fact, frozen=True, tag="power_used"):
    """An active power, with what it was used on."""

    seat: Seat
    hero: str
    cost: int
    target: Seat | UnsetType = UNSET
    color: str | UnsetType = UNSET
    x: int | UnsetType = UNSET
    y: int | UnsetType = UNSET


class ToldPushed(Fact, frozen=True, tag="pushed"):
    seat: Seat
    target: Seat
    x: int
    y: int


class ToldMistLifted(Fact, frozen=True, tag="mist_lifted"):
    seat: Seat
    x: int
    y: int


class ToldRefilled(Fact, frozen=True, tag="refilled"):
    """So many cards were drawn, `anew` from a stock made again; which ones their player alone knows."""

    seat: Seat
    count: int
    anew: bool
    cards: tuple[NamedCard, ...] | UnsetType = UNSET


ArenaTold = (
    ToldDealt
    | HeroChosen
    | ToldTurnBegan
    | ToldPlayed
    | PlayedInMist
    | ToldDiscarded
    | ToldTrumpPlayed
    | ToldPowerUsed
    | ToldPushed
    | PushSkipped
    | Passed
    | ToldMistLifted
    | TurnEnded
    | ToldRefilled
    | Finished
    | Resigned
    | StoodIn
    | Returned
    | Ended
)
