"""What a seat sees of a race, and what it is told; docs/robots.md explains every field."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from tablee.rules.contract import Fact, Instant, Seat, View
from tablee.rules.robots.board import BoardDocument
from tablee.rules.robots.cartouche import Cartouche
from tablee.rules.robots.directions import Azimuth
from tablee.rules.robots.model import (
    Asked,
    BoardSwapped,
    CameBack,
    ClockMoved,
    Ended,
    Featured,
    Left,
    Phase,
    Placed,
    PlayedRegister,
    Reason,
    RegisterPlayed,
    RoundEnded,
    Spot,
    TakenOver,
    TimeUp,
    WentAway,
)
from tablee.rules.robots.turn import Status


class Bearing(Struct, frozen=True):
    """Where and how a robot stands."""

    x: int
    y: int
    azimuth: Azimuth
    energy: int
    laws: int
    status: Status


class RobotView(Struct, frozen=True):
    """One robot, as everybody sees it."""

    number: str
    """As in the order of play: "01" is the first, whatever its seat."""
    name: str
    color: str
    x: int | None
    y: int | None
    azimuth: Azimuth | None
    energy: int | None
    laws: int
    start: Spot | None
    status: Status | Literal["left", "waiting"]
    ready: bool
    """Whether what is asked for in this phase is there."""
    away: bool
    rank: int | None

    @property
    def bearing(self) -> Bearing | None:
        """Where and how it stands, once all are placed; left for good it stands where it stood."""
        if self.x is None or self.y is None or self.azimuth is None or self.energy is None:
            return None
        status = self.status
        if status == "left" or status == "waiting":
            status = "racing" if self.energy else "frozen"
        return Bearing(self.x, self.y, self.azimuth, self.energy, self.laws, status)


class OwnView(Struct, frozen=True):
    """What a player alone knows."""

    seat: Seat
    capacity: int | None
    cartouche: Cartouche | None
    available: tuple[int, ...]
    proposed: Spot | None
    wish: Spot | None


class RobotsView(View, frozen=True):
    """A race as a seat may know it."""

    phase: Phase
    round: int
    rounds: int
    until: Instant | None
    boards: tuple[BoardDocument, ...]
    names: tuple[str | None, ...]
    board: int
    laws: tuple[tuple[int, int], ...]
    robots: dict[Seat, RobotView]
    order: tuple[tuple[Seat, ...], ...]
    """For each register of the round that is asked for, the seats as their robots move."""
    you: OwnView | None
    before: dict[Seat, Bearing]
    """How the robots stood before what was played last."""
    played: tuple[PlayedRegister, ...]
    swap: tuple[int, int] | None
    ended: Reason | None
    ranks: dict[Seat, int] | None


# --- facts, where a seat is told less than was logged ---------------------------------------------------


class ToldBegan(Fact, frozen=True, tag="began"):
    """As `Began`, without the instant."""

    seats: tuple[Seat, ...]
    boards: tuple[BoardDocument, ...]
    names: tuple[str | None, ...]
    starts: tuple[int, ...]
    proposed: dict[Seat, Spot]
    rounds: int
    localization: int
    cartouche: int


class ToldWished(Fact, frozen=True, tag="wished"):
    """A wish is in; the tile is told to its owner and the master."""

    seat: Seat
    x: int | UnsetType = UNSET
    y: int | UnsetType = UNSET
    azimuth: Azimuth | UnsetType = UNSET


class ToldClashed(Fact, frozen=True, tag="clashed"):
    """As `Clashed`, without the instant."""

    seats: tuple[Seat, ...]
    proposed: dict[Seat, Spot]


class ToldProgrammed(Fact, frozen=True, tag="programmed"):
    """A cartouche is in; what it says is told to its owner and the master."""

    seat: Seat
    cartouche: Cartouche | UnsetType = UNSET


RobotsTold = (
    ToldBegan
    | Featured
    | ToldWished
    | TimeUp
    | Placed
    | ToldClashed
    | Asked
    | ToldProgrammed
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
