"""What a seat sees of a game of Diplomacy, and what it is told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct, field

from tablee.rules.contract import Fact, Instant, Seat, View
from tablee.rules.diplomacy.game import (
    CameIn,
    DeadlineMoved,
    DeadlineSet,
    DiplomacyOptions,
    Disordered,
    Ended,
    Left,
    Played,
    Reconsidered,
    Respite,
    Returned,
    RoleTaken,
    Saved,
    Sealed,
    TakenOver,
    Voted,
)
from tablee.rules.diplomacy.model import Dislodged, Order, Outcome, Situation, Unit, Verdict

Mark = Literal["dislodged", "paradox", "by_default", "disbanded"]


class SituationView(Struct, frozen=True):
    """A position in the shape of the document's E.4: units by role as `[type, zone]`."""

    ownerships: dict[int, int]
    """Role by centre number."""
    units: dict[int, tuple[tuple[int, int], ...]]
    dislodged_ones: dict[int, tuple[tuple[int, int, int], ...]]
    """With the region that the attack came from."""
    fake_units: dict[int, tuple[tuple[int, int], ...]]
    forbiddens: tuple[int, ...]

    @property
    def situation(self) -> Situation:
        """The same as the engine has it."""
        return Situation(
            ownerships=self.ownerships,
            units=tuple(Unit(role, *each) for role, units in self.units.items() for each in units),
            dislodged=tuple(
                Dislodged(role, *each) for role, units in self.dislodged_ones.items() for each in units
            ),
            fake_units=tuple(Unit(role, *each) for role, units in self.fake_units.items() for each in units),
            forbiddens=self.forbiddens,
        )


class ReasonView(Struct, frozen=True):
    """Why an order may not be given: a key of the game's words under `reason`, and its parts."""

    code: str
    parts: Mapping[str, int]


class VerdictView(Struct, frozen=True):
    """What became of an order."""

    order: Order
    outcome: Outcome
    marks: tuple[Mark, ...]
    reason: ReasonView | None


class PlayedView(Struct, frozen=True):
    """A phase that was resolved: the position before it, and what became of each order."""

    advancement: int
    before: SituationView
    verdicts: tuple[VerdictView, ...]
    destroyed: tuple[Unit, ...]
    """Units that had no say in it."""


class RoleView(Struct, frozen=True):
    """A power, as a seat may know it."""

    seat: Seat
    centres: int
    units: int
    owes: bool
    is_in: bool | None = field(name="in")
    """Whether its orders are final; None where that is not this seat's to know."""


class PostponedView(Struct, frozen=True):
    """Why the deadline has moved; in an anonymous game others learn neither for whom nor why."""

    seats: tuple[Seat, ...]
    why: Literal["absence", "extension"] | None


class Unwritten(Struct, frozen=True):
    """What everybody may know besides, as the engine has it."""

    seats: tuple[Seat, ...]
    """Of all players, also of those without a role."""
    options: DiplomacyOptions
    """As they are now."""
    situation: Situation
    deadline: Instant
    """Of this phase, also while deadlines do not run; 0 is none."""
    played: tuple[Played, ...]
    """The last phase that was resolved, after those that were resolved at the same moment before it."""


class DiplomacyView(View, frozen=True, dict=True, omit_defaults=True):
    """The position and the last phase, which all may know, and the sealed orders of one's own roles.

    An order is `[role, type, zone, passive, destination, via_convoy, kind]`, in the document's numbers.
    """

    variant: str
    advancement: int
    year: int
    season: int
    situation: SituationView
    victory: int
    cycles: int
    choices: Literal["DATC", "AFJD"]
    deadline: Instant | None
    paused: bool
    left: int | None
    """Milliseconds that will be left of this phase when deadlines run again."""
    may_undo: bool
    overdue: bool
    late: tuple[int, ...]
    disorder: tuple[int, ...]
    roles: dict[int, RoleView]
    you: Seat | None
    orders: dict[int, tuple[Order, ...]]
    corrected: tuple[int, ...]
    votes: tuple[Seat, ...]
    gone: tuple[Seat, ...]
    last: PlayedView | None
    earlier: tuple[PlayedView, ...]
    ended: str | None
    winner: Seat | None
    writing: tuple[int, ...] = ()
    """Late roles of one's own whose saved orders are not said to be all: the phase waits for them."""

    postponed: tuple[PostponedView, ...] = ()
    """What has moved the deadline of this phase."""
    extended: bool = False
    """Whether this seat has had its extension of the game."""

    stood_in: tuple[int, ...] = ()
    """Roles that the robot plays for players who are away."""

    waits_until: Instant | None = None
    """Until when orders are waited for, where that is not the deadline: a respite, or a grace."""

    @property
    def unwritten(self) -> Unwritten:
        found: Unwritten = self.__dict__["unwritten"]
        return found

    def with_unwritten(self, unwritten: Unwritten) -> DiplomacyView:
        """This view, which says that besides from now on."""
        self.__dict__["unwritten"] = unwritten
        return self

    def roles_of(self, seat: Seat) -> tuple[int, ...]:
        """The roles that are played from a seat."""
        return tuple(role for role, shown in self.roles.items() if shown.seat == seat)


# --- facts, which are told without their instant --------------------------------------------------------


class ToldBegan(Fact, frozen=True, tag="began"):
    variant: str
    seats: tuple[Seat, ...]
    holders: tuple[Seat, ...]
    options: DiplomacyOptions
    victory: int
    situation: Situation


class ToldAdjudicated(Fact, frozen=True, tag="adjudicated"):
    advancement: int
    verdicts: tuple[Verdict, ...]
    destroyed: tuple[Unit, ...]
    situation: Situation


class ToldPassedOver(Fact, frozen=True, tag="passed_over"):
    advancement: int
    situation: Situation


class ToldPositionSet(Fact, frozen=True, tag="position_set"):
    situation: Situation
    advancement: int


class ToldPostponed(Fact, frozen=True, tag="postponed"):
    """The deadline has moved; no seats and no `why` where that is not this seat's to know."""

    deadline: Instant
    seats: tuple[Seat, ...]
    why: Literal["absence", "extension"] | None


class ToldStoodIn(Fact, frozen=True, tag="stood_in"):
    """The robot plays a role; what it has ordered is sealed."""

    role: int


class ToldOverdue(Fact, frozen=True, tag="overdue"):
    """Who is late is between him and the master: others are told no roles."""

    roles: tuple[int, ...]


class ToldOptionsChanged(Fact, frozen=True, tag="options_changed"):
    options: DiplomacyOptions
    victory: int


class ToldUndone(Fact, frozen=True, tag="undone"):
    advancement: int


class ToldPaused(Fact, frozen=True, tag="paused"):
    pass


class ToldResumed(Fact, frozen=True, tag="resumed"):
    deadline: Instant


DiplomacyTold = (
    ToldBegan
    | Sealed
    | Saved
    | CameIn
    | Reconsidered
    | ToldAdjudicated
    | ToldPassedOver
    | ToldPositionSet
    | Voted
    | Left
    | TakenOver
    | RoleTaken
    | DeadlineMoved
    | DeadlineSet
    | ToldPostponed
    | ToldOverdue
    | Disordered
    | ToldStoodIn
    | Returned
    | Respite
    | ToldOptionsChanged
    | ToldUndone
    | ToldPaused
    | ToldResumed
    | Ended
)
