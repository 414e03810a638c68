"""What a race of robots is made of: options, actions, facts, the state."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from tablee.rules.contract import Action, Fact, Instant, Seat, State, TableAction
from tablee.rules.robots.board import BoardDocument, number_of
from tablee.rules.robots.cartouche import Cartouche
from tablee.rules.robots.directions import Azimuth
from tablee.rules.robots.turn import Mecha, Step

RECALLS = 8
"""Who clashes over a starting tile is asked again so many times, then the house places the robot."""
NAME_LENGTH = 11
"""A robot's name is cut after so many characters (document, InitPlayerFeatures)."""
COLORS = (
    "#FFE69F00", "#FF56B4E9", "#FF009E73", "#FFF0E442", "#FF0072B2", "#FFD55E00", "#FFCC79A7", "#FF9A9A9A",
)  # fmt: skip
"""Of the robots in order, until their players choose: told apart by the colour-blind as well."""
FORTNIGHT = 14 * 86_400

Phase = Literal["placing", "programming", "over"]
Reason = Literal["quest", "rounds", "left"]
"""How a race ends: at most one robot is still on its quest, the rounds are used up, nobody is left."""
Seconds = Annotated[int, Meta(ge=0, le=FORTNIGHT)]


class PracticeOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody who practises alone may choose."""

    boards: Annotated[tuple[str | BoardDocument, ...], Meta(min_length=1, max_length=4)] = ("cour",)
    """Boards of the house by name, or whole documents; with several, action tiles swap them."""
    cartouche_seconds: Seconds = 0
    """For a cartouche; 0 is no limit."""
    localization_seconds: Seconds = 0
    """For the choice of a starting tile; 0 is no limit."""
    rounds: Annotated[int, Meta(ge=1, le=200)] = 60
    """After so many rounds the game ends."""


class RaceOptions(PracticeOptions, frozen=True, forbid_unknown_fields=True):
    """What a table of racing robots may choose: how many robots besides, and time runs."""

    cartouche_seconds: Seconds = 60
    localization_seconds: Seconds = 60
    seats: Annotated[int, Meta(ge=2, le=8)] = 2


class Spot(msgspec.Struct, frozen=True):
    """Where a robot stands or would stand, and which way it looks."""

    x: int
    y: int
    azimuth: Azimuth


# --- actions --------------------------------------------------------------------------------------------


class Feature(Action, frozen=True):
    """Before the race: the name of one's robot, cut after 11 characters, and its colour `#AARRGGBB`."""

    name: str
    color: str


class Place(Action, frozen=True):
    """The starting tile that one wishes for, secret until all wishes are in; it stands."""

    x: int
    y: int
    azimuth: Azimuth
    asking: int = 0
    """Which asking it answers, from 1: one that comes late is not taken after a clash. 0 is whichever."""


class Program(Action, frozen=True):
    """A cartouche of at most five registers, each a list of codes; secret, and it stands.

    A code is its name, its number, or both as on the wire: `Move_Ahead`, `0x2100`, `0x2100, Move_Ahead`.
    """

    cartouche: tuple[tuple[str, ...], ...]
    round: int = 0
    """The round that it is meant for: one that comes late is not played in the next. 0 is whichever."""


RobotsAction = Feature | Place | Program | TableAction


# --- facts ----------------------------------------------------------------------------------------------


class Began(Fact, frozen=True):
    """The boards lie on the table, and everybody is asked for a starting tile."""

    seats: tuple[Seat, ...]
    boards: tuple[BoardDocument, ...]
    names: tuple[str | None, ...]
    """Of the boards, where they are the house's own."""
    starts: tuple[int, ...]
    """The numbers of the starting tiles of the first board."""
    proposed: dict[Seat, Spot]
    rounds: int
    localization: int
    """Milliseconds; 0 is no limit, as in `cartouche`."""
    cartouche: int
    at: Instant


class Featured(Fact, frozen=True):
    """A robot has a name and a colour."""

    seat: Seat
    name: str
    color: str


class Wished(Fact, frozen=True):
    """A wish for a starting tile is in; others hear only whose."""

    seat: Seat
    x: int
    y: int
    azimuth: Azimuth


class TimeUp(Fact, frozen=True):
    """The time is up, and nothing has come from these seats."""

    seats: tuple[Seat, ...]


class Placed(Fact, frozen=True):
    """These robots stand on their starting tiles."""

    places: dict[Seat, Spot]


class Clashed(Fact, frozen=True):
    """These seats have wished for the same tiles and are asked again."""

    seats: tuple[Seat, ...]
    proposed: dict[Seat, Spot]
    at: Instant


class Asked(Fact, frozen=True):
    """A round begins: these seats are asked for a cartouche, none where all robots are off the board."""

    round: int
    seats: tuple[Seat, ...]
    until: Instant | None


class Programmed(Fact, frozen=True):
    """A cartouche is in; others hear only whose."""

    seat: Seat
    cartouche: Cartouche


class RegisterPlayed(Fact, frozen=True):
    """One register of everybody's cartouche, and what the board did then, step by step.

    The fifth has the end of the round too.
    """

    round: int
    register: int
    steps: tuple[Step, ...]


class BoardSwapped(Fact, frozen=True):
    """A robot stood on an action tile: another board lies under the robots now."""

    old: int
    new: int


class RoundEnded(Fact, frozen=True):
    """How all the robots stand after a round."""

    round: int
    robots: tuple[Mecha, ...]


class WentAway(Fact, frozen=True):
    seat: Seat


class CameBack(Fact, frozen=True):
    seat: Seat


class Left(Fact, frozen=True):
    """A player is gone for good; his robot stands still unless somebody takes it over."""

    seat: Seat


class TakenOver(Fact, frozen=True):
    """Somebody else, or a robot of the house, goes on in this seat."""

    seat: Seat


class ClockMoved(Fact, frozen=True):
    """Time during which no node ran is given back."""

    milliseconds: int


class Ended(Fact, frozen=True):
    reason: Reason
    ranks: dict[Seat, int]


RobotsFact = (
    Began
    | Featured
    | Wished
    | TimeUp
    | Placed
    | Clashed
    | Asked
    | Programmed
    | RegisterPlayed
    | BoardSwapped
    | RoundEnded
    | WentAway
    | CameBack
    | Left
    | TakenOver
    | ClockMoved
    | Ended
)


# --- the state ------------------------------------------------------------------------------------------


class Avatar(msgspec.Struct, frozen=True):
    """How a robot is called and painted."""

    name: str
    color: str


class PlayedRegister(msgspec.Struct, frozen=True):
    """A register of the last round, for whoever comes later."""

    round: int
    register: int
    steps: tuple[Step, ...]


class RobotsState(State, frozen=True):
    """A race, or one robot that practises."""

    seats: tuple[Seat, ...]
    """In order: the first has the robot "01", whatever its seat."""
    boards: tuple[BoardDocument, ...]
    names: tuple[str | None, ...]
    starts: tuple[int, ...]
    rounds: int
    localization: int
    cartouche: int
    until: Instant | None
    avatars: dict[Seat, Avatar]
    proposed: dict[Seat, Spot]
    """Of those who are still asked for a starting tile."""
    phase: Phase = "placing"
    wishes: dict[Seat, Spot] = msgspec.field(default_factory=dict)
    recalls: int = 0
    """How many times those without a place have clashed; they are asked once more than that."""
    places: dict[Seat, Spot] = msgspec.field(default_factory=dict)
    robots: tuple[Mecha, ...] = ()
    """On the board or off it, in order of seats, once all are placed."""
    board: int = 0
    round: int = 0
    asked: tuple[Seat, ...] = ()
    cartouches: dict[Seat, Cartouche] = msgspec.field(default_factory=dict)
    before: tuple[Mecha, ...] = ()
    """How the robots stood before what was played last: where the film begins."""
    played: tuple[PlayedRegister, ...] = ()
    """The last round; before it the one in which all froze, where that has brought it about."""
    swap: tuple[int, int] | None = None
    away: tuple[Seat, ...] = ()
    left: tuple[Seat, ...] = ()
    ended: Reason | None = None
    ranks: dict[Seat, int] = msgspec.field(default_factory=dict)

    def robot(self, seat: Seat) -> Mecha | None:
        """The robot of a seat, once it has a place."""
        return next((robot for robot in self.robots if robot.seat == seat), None)

    @property
    def awaited(self) -> tuple[Seat, ...]:
        """Who still owes a wish or a cartouche; nothing is owed for a seat that was left for good."""
        if self.phase == "placing":
            owing = tuple(seat for seat in self.proposed if seat not in self.wishes)
        elif self.phase == "programming":
            owing = tuple(seat for seat in self.asked if seat not in self.cartouches)
        else:
            return ()
        return tuple(seat for seat in owing if seat not in self.left)

    @property
    def on_quest(self) -> tuple[Seat, ...]:
        """Who still races: not there yet, and not gone for good."""
        there = {robot.seat for robot in self.robots if robot.status == "finished"}
        return tuple(seat for seat in self.seats if seat not in there and seat not in self.left)

    @property
    def available(self) -> tuple[int, ...]:
        """The starting tiles that nobody stands on yet."""
        taken = {number_of(spot.x, spot.y) for spot in self.places.values()}
        return tuple(number for number in self.starts if number not in taken)
