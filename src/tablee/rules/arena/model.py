"""What a game of Arena of Titans is made of: options, actions, facts, the state."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from tablee.rules.contract import Action, Fact, Instant, Seat, State, TableAction

HAND = 5
MOST_GAUGE = 40
MOVES = 2
TRUMPS = 4
MOST_EFFECTS = 4
"""So many trumps act on one player at most; another is refused and not paid."""
PATIENCE = 4
"""Who was passed so many turns in a row is played by a robot until he comes back."""

Reason = Literal["finished", "resigned", "rounds"]
"""How a game ends: all but one are home, all but one are gone, or the last round was played."""

Card = int
"""A card by its number in the description: its name and colour are printed on it (`ground.Printed`)."""


class ArenaOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a table of Arena of Titans may choose."""

    heroes: bool = False
    """Everybody plays a hero with a power of his own."""
    choose_heroes: bool = False
    """With heroes: chosen one after another in the order of play, not dealt."""
    rounds: Annotated[int, Meta(ge=1, le=500)] = 200
    """After so many rounds those on their way are ranked by how near they are."""


# --- actions --------------------------------------------------------------------------------------------


class Play(Action, frozen=True):
    """A card of one's hand, and the square where it takes the pawn."""

    card: str
    color: str
    x: int
    y: int


class Discard(Action, frozen=True):
    """A card of one's hand put away unused; it costs a move."""

    card: str
    color: str


class PlayTrump(Action, frozen=True):
    """One of one's four trumps, on `target` where it must have one."""

    trump: str
    target: Seat | None = None


class UsePower(Action, frozen=True):
    """The active power of one's hero: Metamorphosis has a target, Terraforming a square and a colour."""

    target: Seat | None = None
    x: int | None = None
    y: int | None = None
    color: str | None = None


class Push(Action, frozen=True):
    """Assassination: the pawn of another goes one square."""

    target: Seat
    x: int
    y: int


class SkipPush(Action, frozen=True):
    """Nobody is pushed this time."""


class Pass(Action, frozen=True):
    """The turn ends here."""


class ChooseHero(Action, frozen=True):
    """Before the first turn, where heroes are chosen."""

    hero: str


class TakeOver(Action, frozen=True):
    """One's own game again, which a robot has gone on with."""


ArenaAction = (
    Play | Discard | PlayTrump | UsePower | Push | SkipPush | Pass | ChooseHero | TakeOver | TableAction
)


# --- facts ----------------------------------------------------------------------------------------------


class Dealt(Fact, frozen=True):
    """The game begins: what is played, who sits where, what everybody has."""

    description: str
    """The whole description as JSON: a running game depends on no file."""
    order: tuple[Seat, ...]
    hands: dict[Seat, tuple[Card, ...]]
    stocks: dict[Seat, tuple[Card, ...]]
    """What will be drawn, the next first."""
    trumps: dict[Seat, tuple[str, ...]]
    heroes: dict[Seat, str]
    offered: tuple[str, ...]
    """The heroes that are to be chosen from; none where they are dealt, or where there are none."""
    rounds: int


class HeroChosen(Fact, frozen=True):
    seat: Seat
    hero: str
    late: bool = False
    """Whether his time was up, and chance chose."""


class TurnBegan(Fact, frozen=True):
    seat: Seat
    round: int
    at: Instant


class Played(Fact, frozen=True):
    """A card took the pawn to a square."""

    seat: Seat
    card: Card
    origin: int
    square: int
    gauge: int
    """What it added to the gauge, before what is over the brim was lost."""
    strikes: bool = False
    """Whether an Assassination may follow, and somebody could be pushed."""


class Discarded(Fact, frozen=True):
    seat: Seat
    card: Card


class TrumpPlayed(Fact, frozen=True):
    seat: Seat
    target: Seat
    trump: str
    cost: int
    firm: bool = False
    """Djor's Towers and Fortresses: nothing takes them off before their time."""
    holds: bool = False
    """For a firm one the coin that decides whether it acts on one whom the others do not touch."""


class PowerUsed(Fact, frozen=True):
    """An active power. `hero` is whose power it is, which for Kharliass may be another's."""

    seat: Seat
    hero: str
    cost: int
    target: Seat | None = None
    square: int | None = None
    color: str | None = None


class Pushed(Fact, frozen=True):
    seat: Seat
    target: Seat
    square: int


class PushSkipped(Fact, frozen=True):
    seat: Seat


class Passed(Fact, frozen=True):
    seat: Seat
    late: bool = False
    """Whether the time was up."""


class MistLifted(Fact, frozen=True):
    """A pawn is seen again."""

    seat: Seat
    square: int


class TurnEnded(Fact, frozen=True):
    """What acts on this player has one turn less."""

    seat: Seat


class Refilled(Fact, frozen=True):
    seat: Seat
    cards: tuple[Card, ...]
    stock: tuple[Card, ...] | None = None
    """What is left to draw where the stock was made anew meanwhile; None: what was there, less these."""


class Finished(Fact, frozen=True):
    """A pawn that stood on its aim when its turn began leaves the board."""

    seat: Seat
    rank: int


class Resigned(Fact, frozen=True):
    seat: Seat
    rank: int


class StoodIn(Fact, frozen=True):
    """A robot goes on for somebody who was passed too often."""

    seat: Seat


class Returned(Fact, frozen=True):
    """He plays for himself again."""

    seat: Seat


class Ended(Fact, frozen=True):
    reason: Reason
    ranks: dict[Seat, int]


ArenaFact = (
    Dealt
    | HeroChosen
    | TurnBegan
    | Played
    | Discarded
    | TrumpPlayed
    | PowerUsed
    | Pushed
    | PushSkipped
    | Passed
    | MistLifted
    | TurnEnded
    | Refilled
    | Finished
    | Resigned
    | StoodIn
    | Returned
    | Ended
)


# --- state ----------------------------------------------------------------------------------------------


class Active(msgspec.Struct, frozen=True):
    """A trump that acts on a player for so many more turns of his."""

    trump: str
    left: int
    by: Seat
    firm: bool = False
    holds: bool = False


class Player(msgspec.Struct, frozen=True):
    """Somebody in the arena; players stand in the order of play."""

    seat: Seat
    arm: int
    pawn: int
    hand: tuple[Card, ...]
    stock: tuple[Card, ...]
    trumps: tuple[str, ...]
    shown: tuple[Card, ...] = ()
    """Played in the open since the stock was last made."""
    misty: tuple[Card, ...] = ()
    """Played under the night mist since then."""
    discarded: tuple[Card, ...] = ()
    gauge: int = 0
    effects: tuple[Active, ...] = ()
    hero: str | None = None
    mist: int = 0
    """For so many more turns of his nobody sees this pawn."""
    blade: int = 0
    """For so many more turns his Warriors are Assassins too."""
    copy: str | None = None
    """Whose power he has by Metamorphosis, for `copy_left` more turns."""
    copy_left: int = 0
    rank: int | None = None
    on_board: bool = True
    resigned: bool = False
    passed: int = 0
    """Turns in a row that ran out of time."""
    stood_in: bool = False

    @property
    def playing(self) -> bool:
        return self.rank is None

    def has_power_of(self, hero: str) -> bool:
        return hero in (self.hero, self.copy)

    def seen_by(self, seat: Seat) -> bool:
        """Whether a seat sees this pawn, as long as it is on the board."""
        return self.mist == 0 or self.seat == seat


class ArenaState(State, frozen=True):
    """All that is true in the arena."""

    description: str
    players: tuple[Player, ...]
    rounds: int
    offered: tuple[str, ...] = ()
    turn: int = 0
    """Whose turn it is, by place in `players`; before the first turn, who chooses a hero."""
    round: int = 0
    """0 while heroes are chosen."""
    began_at: Instant = 0
    used: int = 0
    """Moves of this turn that were made."""
    acts: int = 0
    """All that was done in this turn."""
    short: bool = False
    """Of two players the first has one move less in the first turn of all."""
    trumped: bool = False
    strike: int | None = None
    """The colour (by number) of the card whose Assassination is to be played or skipped."""
    painted: dict[int, int] = msgspec.field(default_factory=dict)
    """Squares whose colour is no longer that of the description."""
    ended: Reason | None = None

    @property
    def current(self) -> Player:
        return self.players[self.turn]

    @property
    def choosing(self) -> bool:
        return self.round == 0

    def player(self, seat: Seat) -> Player | None:
        return next((player for player in self.players if player.seat == seat), None)
