"""The game of Diplomacy at a table: what may be chosen, done, what happens, and what is true."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tablee.rules.calendar import EVENING
from tablee.rules.contract import Action, Fact, Instant, Postpone, Seat, State, TableAction
from tablee.rules.diplomacy.model import Order, Situation, Unit, Verdict

CYCLES_MOST = 1_000_000


class DiplomacyOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a table of Diplomacy may choose."""

    choices: Literal["DATC", "AFJD"] = "DATC"
    victory: Annotated[int, Meta(ge=0, le=100)] = 0
    """Centres for a solo; 0 is the majority of them."""
    cycles: Annotated[int, Meta(ge=1, le=CYCLES_MOST)] = 99
    """Years to play at most."""
    minutes: Annotated[int, Meta(ge=0, le=43_200)] = 0
    """For each phase, after which it is adjudicated with the orders that are there; 0 is no clock."""
    adjudication: Literal["final", "master"] = "final"
    """As soon as all orders are final, or by the master."""
    show_in: bool = False
    """Whether everybody sees whose orders are final."""
    sharing: Literal["fewer", "none", "any"] = "fewer"
    """Whether fewer players than powers may play, exactly as many must, or any number may."""
    deal: tuple[Seat, ...] = ()
    """Who plays each role, from role 1; empty: at random."""
    calendar: bool = False
    """Whether phases end on a date, by the three numbers of days and what follows them."""
    moves_days: Annotated[int, Meta(ge=0, le=365)] = 2
    retreats_days: Annotated[int, Meta(ge=0, le=365)] = 1
    adjustments_days: Annotated[int, Meta(ge=0, le=365)] = 1
    weekends: bool = True
    """Whether a deadline may fall on a weekend."""
    grace: Annotated[int, Meta(ge=0, le=336)] = 24
    """Hours after the deadline in which late orders are still waited for."""
    disorder_moves: bool = True
    """Whether civil disorder comes after the grace in movements; where not, the game waits."""
    disorder_retreats: bool = True
    disorder_builds: bool = True
    disorder_removals: bool = True
    first_deadline: Annotated[Instant, Meta(ge=0, le=2**52)] = 0
    """Of the first phase, where the master has chosen it."""
    archive: bool = False
    """Played elsewhere and only shown here: the master enters everything, roles may have no player."""
    # What came later is not written where it was not chosen: facts of before are told as they always were.
    hour: Annotated[str, Meta(pattern=r"^(([01][0-9]|2[0-3]):[0-5][0-9])?$", max_length=5)] | UnsetType = (
        UNSET
    )
    """At which deadlines fall, by the clocks of the club; the house's own where there is none."""

    robots_stand_in: bool | UnsetType = UNSET
    """Whether the robot plays a late role after the grace, until its player is back."""

    @property
    def minute(self) -> int:
        """The minute of the day at which deadlines fall."""
        if not self.hour:
            return EVENING * 60
        hours, minutes = self.hour.split(":")
        return int(hours) * 60 + int(minutes)


# --- Actions --------------------------------------------------------------------------------------------


class Submit(Action, frozen=True):
    """Seal the orders of one role, in place of those before; units without one have the default."""

    role: int
    orders: tuple[Order, ...] = ()
    final: bool = False
    """These orders are final: the phase need not wait for this role any longer."""
    meant_for: int | None = None
    """The advancement that they were written for: where the game has gone on meanwhile, they are refused."""


class Save(Action, frozen=True):
    """Keep the orders of one's role as far as they are written, in place of those before.

    A role is in with one order; with none it is as if nothing had been written.
    """

    role: int
    orders: tuple[Order, ...] = ()
    meant_for: int | None = None
    """As of whole orders."""


class Reconsider(Action, frozen=True):
    """The orders of one's role are no longer final; they stay saved as they are, and may be changed."""

    role: int
    meant_for: int | None = None
    """As of orders."""


class Vote(Action, frozen=True):
    """For a draw of all who are left, or no longer for it."""

    draw: bool


class Adjudicate(Action, frozen=True):
    """By the master: resolve the phase, with civil disorder for roles without orders where he says so."""

    civil_disorder: bool = False
    meant_for: int | None = None
    """As of orders: nobody resolves a phase that he has not seen."""


class SetPosition(Action, frozen=True):
    """By the master: this is how it stands."""

    situation: Situation
    advancement: int


class SetDeadline(Action, frozen=True):
    """By the master: this phase ends then."""

    at: Instant


class ImposeDisorder(Action, frozen=True):
    """By the master: this role is in civil disorder for this phase."""

    role: int
    meant_for: int | None = None


class ChangeOptions(Action, frozen=True):
    """By the master: the game goes on by these options."""

    options: DiplomacyOptions
    deadline: Instant = 0
    """The phase ends then, as by `SetDeadline`; 0 leaves that as it is."""


class Stop(Action, frozen=True):
    """By the master: the game ends here."""


class Undo(Action, frozen=True):
    """By the master: the last adjudication, with the phases passed over after it, is taken back."""

    meant_for: int | None = None


class Pause(Action, frozen=True):
    """By the master: no deadline runs until he says so."""


class Resume(Action, frozen=True):
    """By the master: deadlines run again, with the time that was left."""


DiplomacyAction = (
    Submit
    | Save
    | Reconsider
    | Vote
    | Adjudicate
    | SetPosition
    | SetDeadline
    | ImposeDisorder
    | ChangeOptions
    | Stop
    | Undo
    | Pause
    | Resume
    | Postpone
    | TableAction
)


# --- Facts ----------------------------------------------------------------------------------------------


class Began(Fact, frozen=True):
    """The roles are dealt."""

    variant: str
    seats: tuple[Seat, ...]
    holders: tuple[Seat, ...]
    """Who plays each role, from role 1."""
    options: DiplomacyOptions
    victory: int
    situation: Situation
    at: Instant


class Sealed(Fact, frozen=True):
    """Orders were given; `by` is the seat that gave them, the master's where he corrects a player's."""

    role: int
    orders: tuple[Order, ...]
    by: Seat


class Saved(Fact, frozen=True):
    """Orders are kept as far as they are written; none, and the role has none any more."""

    role: int
    orders: tuple[Order, ...]
    by: Seat


class CameIn(Fact, frozen=True):
    """The orders of a role are final."""

    role: int


class Reconsidered(Fact, frozen=True):
    """The orders of a role are no longer final."""

    role: int


class Adjudicated(Fact, frozen=True):
    """A phase was resolved: every order with what became of it, and the position after."""

    advancement: int
    verdicts: tuple[Verdict, ...]
    destroyed: tuple[Unit, ...]
    situation: Situation
    at: Instant


class PassedOver(Fact, frozen=True):
    """A phase in which nobody had anything to order."""

    advancement: int
    situation: Situation
    at: Instant


class PositionSet(Fact, frozen=True):
    """The master has changed the position; sealed orders are dropped."""

    situation: Situation
    advancement: int
    at: Instant


class Voted(Fact, frozen=True):
    seat: Seat
    draw: bool


class Left(Fact, frozen=True):
    """A player is gone for good; his roles are in civil disorder."""

    seat: Seat


class TakenOver(Fact, frozen=True):
    """Somebody else plays on in this seat."""

    seat: Seat


class RoleTaken(Fact, frozen=True):
    """One role goes over to this seat, which may be new at the table."""

    role: int
    seat: Seat


class DeadlineMoved(Fact, frozen=True):
    """Time during which no node ran is given back."""

    milliseconds: int


class DeadlineSet(Fact, frozen=True):
    """The date on which this phase ends."""

    deadline: Instant


class Postponed(Fact, frozen=True):
    """The date on which this phase ends has moved, for the sake of these seats."""

    deadline: Instant
    seats: tuple[Seat, ...]
    why: Literal["absence", "extension"]
    named: bool
    """Whether everybody may know for whose sake, and why."""


class Overdue(Fact, frozen=True):
    """The deadline has passed without the orders of these roles."""

    roles: tuple[int, ...]
    at: Instant


class Disordered(Fact, frozen=True):
    """These roles are in civil disorder for this phase: by the clock after the grace, or the master."""

    roles: tuple[int, ...]
    by: Seat


class StoodIn(Fact, frozen=True):
    """The robot has given the orders of a role whose player is away."""

    role: int
    orders: tuple[Order, ...]


class Returned(Fact, frozen=True):
    """The player of a role for which the robot stands in is back: at once, or from the next phase on."""

    role: int
    at_once: bool


class Respite(Fact, frozen=True):
    """No node ran when the deadline passed: nothing happens before then."""

    until: Instant


class OptionsChanged(Fact, frozen=True):
    """The master has changed the options."""

    options: DiplomacyOptions
    victory: int
    at: Instant


class Undone(Fact, frozen=True):
    """The last adjudication is taken back: this phase is played again, its orders are still there."""

    advancement: int
    at: Instant


class Paused(Fact, frozen=True):
    """No deadline runs."""

    at: Instant


class Resumed(Fact, frozen=True):
    """Deadlines run again; the one of this phase is now then, 0 where it has none."""

    deadline: Instant
    at: Instant


class Ended(Fact, frozen=True):
    reason: Literal["solo", "draw", "cycles", "stopped", "abandoned"]
    winner: Seat = 0
    """Of a solo."""


DiplomacyFact = (
    Began
    | Sealed
    | Saved
    | CameIn
    | Reconsidered
    | Adjudicated
    | PassedOver
    | PositionSet
    | Voted
    | Left
    | TakenOver
    | RoleTaken
    | DeadlineMoved
    | DeadlineSet
    | Postponed
    | Overdue
    | Disordered
    | StoodIn
    | Returned
    | Respite
    | OptionsChanged
    | Undone
    | Paused
    | Resumed
    | Ended
)


# --- State ----------------------------------------------------------------------------------------------


class Played(msgspec.Struct, frozen=True):
    """The last phase that had orders."""

    advancement: int
    verdicts: tuple[Verdict, ...]
    destroyed: tuple[Unit, ...]
    before: Situation
    at: Instant
    after: Situation | None = None


class Before(msgspec.Struct, frozen=True):
    """What an adjudication may be taken back to."""

    advancement: int
    situation: Situation
    sealed: Mapping[int, tuple[Order, ...]]
    last: Played | None
    earlier: tuple[Played, ...]
    corrected: tuple[int, ...] = ()


class DiplomacyState(State, frozen=True):
    """All that is true at a table of Diplomacy."""

    variant: str
    seats: tuple[Seat, ...]
    holders: tuple[Seat, ...]
    options: DiplomacyOptions
    victory: int
    advancement: int
    situation: Situation
    deadline: Instant = 0
    """When the phase is adjudicated anyway; 0 is never."""
    sealed: Mapping[int, tuple[Order, ...]] = {}
    """Orders by role, of this phase."""
    final: tuple[int, ...] = ()
    """Roles whose orders are final, ascending."""
    votes: tuple[Seat, ...] = ()
    """Who is for a draw, ascending."""
    gone: tuple[Seat, ...] = ()
    last: Played | None = None
    earlier: tuple[Played, ...] = ()
    """Phases resolved at the same moment as the last one, before it."""
    ended: str | None = None
    winner: Seat = 0
    overdue: tuple[int, ...] = ()
    """Roles whose orders were not there at the deadline of this phase."""
    grace_over: bool = False
    disorder: tuple[int, ...] = ()
    """Roles in civil disorder for this phase, ascending."""
    not_before: Instant = 0
    """No alarm rings before then."""
    before: Before | None = None
    """Before the last adjudication, while it may be taken back."""
    paused: Instant = 0
    """Since when no deadline runs; 0 where they do."""
    corrected: tuple[int, ...] = ()
    """Roles of players whose orders, where they are sealed, are the master's."""
    postponed: tuple[Postponed, ...] = ()
    """What has moved the deadline of this phase."""
    extended: tuple[Seat, ...] = ()
    """Who has had his extension of this game, ascending."""
    lateness: Mapping[Seat, int] = {}
    """How many deadlines in a row somebody has missed."""
    stood_in: tuple[int, ...] = ()
    """Roles that the robot plays for players who are away, ascending."""
    returning: tuple[int, ...] = ()
    """Those of them whose players are back: theirs from the next phase on."""
    writing: tuple[int, ...] = ()
    """Late roles that have saved something and not said that it is all: their grace runs on, ascending."""
    reconsidered: tuple[int, ...] = ()
    """Roles whose orders were final in this phase, and are or were no longer, ascending."""
    out: Mapping[int, int] = {}
    """The year in which each role that has no centre was first found without one."""

    def holder(self, role: int) -> Seat:
        """Who plays a role, 0 where the master does; −9 for a number that is no role."""
        return self.holders[role - 1] if 0 < role <= len(self.holders) else -9

    def roles_of(self, seat: Seat) -> tuple[int, ...]:
        return tuple(role for role, holder in enumerate(self.holders, 1) if holder == seat)
