"""The game of Diplomacy at a table: what may be chosen, done, what happens, and what is true."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from tablee.rules.contract import Action, Fact, Instant, Seat, State, TableAction
from tablee.rules.diplomacy.model import Order, Situation, Unit, Verdict


class DiplomacyOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a table of Diplomacy may choose."""

    choices: Literal["DATC", "AFJD"] = "DATC"
    victory: Annotated[int, Meta(ge=0, le=100)] = 0
    """Centres for a solo; 0 is the majority of them."""
    cycles: Annotated[int, Meta(ge=1, le=99)] = 99
    """Years to play at most."""
    minutes: Annotated[int, Meta(ge=0, le=43_200)] = 0
    """For each phase, after which it is adjudicated with the orders that are there; 0 is no clock."""
    adjudication: Literal["final", "master"] = "final"
    """As soon as all orders are final, or by the master."""
    show_in: bool = False
    """Whether everybody sees whose orders are final."""


# --- Actions --------------------------------------------------------------------------------------------


class Submit(Action, frozen=True):
    """Seal the orders of one role, in place of those before; units without one have the default."""

    role: int
    orders: tuple[Order, ...] = ()
    final: bool = False
    """These orders are final: the phase need not wait for this role any longer."""


class Vote(Action, frozen=True):
    """For a draw of all who are left, or no longer for it."""

    draw: bool


class Adjudicate(Action, frozen=True):
    """By the master: resolve the phase, with civil disorder for roles without orders where he says so."""

    civil_disorder: bool = False


class SetPosition(Action, frozen=True):
    """By the master: this is how it stands."""

    situation: Situation
    advancement: int


class Stop(Action, frozen=True):
    """By the master: the game ends here."""


DiplomacyAction = Submit | Vote | Adjudicate | SetPosition | Stop | TableAction


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


class CameIn(Fact, frozen=True):
    """The orders of a role are final."""

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


class DeadlineMoved(Fact, frozen=True):
    """Time during which no node ran is given back."""

    milliseconds: int


class Ended(Fact, frozen=True):
    reason: Literal["solo", "draw", "cycles", "stopped", "abandoned"]
    winner: Seat = 0
    """Of a solo."""


DiplomacyFact = (
    Began
    | Sealed
    | CameIn
    | Adjudicated
    | PassedOver
    | PositionSet
    | Voted
    | Left
    | TakenOver
    | DeadlineMoved
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

    def holder(self, role: int) -> Seat:
        """Who plays a role; −9 for a number that is no role."""
        return self.holders[role - 1] if 0 < role <= len(self.holders) else -9

    def roles_of(self, seat: Seat) -> tuple[int, ...]:
        return tuple(role for role, holder in enumerate(self.holders, 1) if holder == seat)
