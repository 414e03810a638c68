"""What is known about a table apart from its game: who made it, for whom, who sits where."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from tablee.clock import Instant
from tablee.rules.contract import MASTER, SPECTATOR, Json, Result, Seat
from tablee.skill import PROVISIONAL_BELOW, members_needed, shown
from tablee.tables.clocks import TimeControl, read_time_control
from tablee.tables.terms import PLAIN, Terms, read_terms

ACCESSES = ("open", "private", "invited")
TOURNAMENT = "tournament"
"""The door of a table that is a board of a tournament."""


class SeatInfo(msgspec.Struct, frozen=True):
    """Who sits (or has sat, once `left_at` is set) in a seat, by the name that he has now."""

    seat: Seat
    account_id: int
    name: str
    robot: str | None
    joined_at: Instant
    left_at: Instant | None = None
    kind: str = "member"  # visitor, robot
    rating: int | None = None
    """As it was when the table was last read; None of who has played no rated game."""
    provisional: bool = False


class Former(msgspec.Struct, frozen=True):
    """Who sat in a seat before others, until the first of them came; by the name that he has now."""

    seat: Seat
    account_id: int
    name: str
    until: Instant


class HouseTable(msgspec.Struct, frozen=True):
    """A table as the house knows it, apart from its game. `invitation` is for its host and guests alone."""

    id: int
    game: str
    variant: str
    door: str
    name: str
    host_id: int | None
    host_name: str | None
    access: str
    invitation: str
    options: Json
    time_control: TimeControl
    rated: bool
    seats_least: int
    seats_most: int
    status: str
    created_at: Instant
    started_at: Instant | None
    ended_at: Instant | None
    result: Result | None
    due_at: Instant | None
    seats: tuple[SeatInfo, ...]
    terms: Terms = PLAIN
    former: tuple[Former, ...] = ()
    """Of a table that was asked for by itself: whose seats others have taken over, in that order."""

    @property
    def master_id(self) -> int | None:
        """Who cares for this game, where it has a master."""
        return self.host_id if self.terms.mastered else None

    def knows(self, account_id: int | None, taken: SeatInfo | Former) -> bool:
        """Whether somebody may know who sits or sat there: at an anonymous table its master and himself."""
        if not self.terms.anonymous:
            return True
        return account_id is not None and account_id in (self.master_id, taken.account_id)

    def seen_by(self, account_id: int | None) -> HouseTable:
        """The table as somebody may know it, without the people whom he may not know."""
        if not self.terms.anonymous:
            return self
        seats = tuple(
            taken
            if self.knows(account_id, taken)
            else SeatInfo(taken.seat, 0, "", None, self.created_at, taken.left_at and self.created_at)
            for taken in self.seats
        )
        former = tuple(
            each if self.knows(account_id, each) else Former(each.seat, 0, "", each.until)
            for each in self.former
        )
        return msgspec.structs.replace(self, seats=seats, former=former)

    def seat_of(self, account_id: int) -> SeatInfo | None:
        """Where this account sits now."""
        for taken in self.seats:
            if taken.account_id == account_id and taken.left_at is None:
                return taken
        return None

    def place_of(self, account_id: int | None) -> Seat:
        """From where somebody looks at the table: his seat, the master's, or from outside."""
        sitting = None if account_id is None else self.seat_of(account_id)
        if sitting is not None:
            return sitting.seat
        return MASTER if account_id is not None and account_id == self.master_id else SPECTATOR

    def at(self, seat: Seat) -> SeatInfo | None:
        """Who sits in this seat, or sat there last."""
        for taken in self.seats:
            if taken.seat == seat:
                return taken
        return None

    @property
    def taken(self) -> tuple[SeatInfo, ...]:
        """The seats in which somebody sits now."""
        return tuple(taken for taken in self.seats if taken.left_at is None)

    @property
    def unrated(self) -> str | None:
        """Why this game changes nobody's rating, as far as that is known by who sits here; None: it may."""
        if not self.rated:
            return "chosen"
        if self.terms.anonymous:
            return "anonymous"
        members = {taken.account_id for taken in self.seats if taken.kind == "member"}
        members |= {each.account_id for each in self.former}
        seats = self.seats_most if self.seats_least else len(self.seats)
        coming = self.free if self.status == "open" or not self.seats_least else 0
        return "members" if len(members) + coming < members_needed(seats) else None

    @property
    def free(self) -> int:
        """How many seats nobody has had yet: one that somebody has left waits for him, or is taken over."""
        return self.seats_most - len(self.seats)

    @property
    def robots(self) -> tuple[SeatInfo, ...]:
        return tuple(taken for taken in self.seats if taken.robot is not None and taken.left_at is None)

    @property
    def dealt(self) -> dict[int, Seat]:
        """The deal of a master by seats, as far as those whom it names still sit there."""
        seats = {taken.account_id if taken.robot is None else -taken.seat: taken.seat for taken in self.taken}
        return {role: seats[who] for role, who in self.terms.deal.items() if who in seats}

    @property
    def is_void(self) -> bool:
        """Whether the game was ended by the house, so that nobody has won or lost."""
        return self.status == "over" and self.result is not None and not self.result.ranks

    def concerns(self, account_id: int) -> bool:
        """Whether somebody made this table, sits there or sat there."""
        return self.host_id == account_id or any(taken.account_id == account_id for taken in self.seats)

    def with_person(self, account_id: int, name: str, kind: str) -> HouseTable:
        """The same table when somebody there is known otherwise; robots are called as they sat down."""
        host_name = name if self.host_id == account_id else self.host_name
        seats = tuple(
            msgspec.structs.replace(taken, name=name, kind=kind)
            if taken.account_id == account_id and taken.robot is None
            else taken
            for taken in self.seats
        )
        former = tuple(
            msgspec.structs.replace(each, name=name) if each.account_id == account_id else each
            for each in self.former
        )
        return msgspec.structs.replace(self, host_name=host_name, seats=seats, former=former)

    def with_seat(self, change: SeatInfo) -> HouseTable:
        """The same table with this seat taken, changed or left."""
        others = [taken for taken in self.seats if taken.seat != change.seat]
        seats = tuple(sorted([*others, change], key=lambda taken: taken.seat))
        former, before = self.former, self.at(change.seat)
        if before is not None and before.account_id != change.account_id:
            former += (Former(before.seat, before.account_id, before.name, change.joined_at),)
        return msgspec.structs.replace(self, seats=seats, former=former)


def from_rows(row: Any, seats: list[Any], departures: Sequence[Any] = ()) -> HouseTable:
    """A table from its row, the rows of its seats, and of those who had them before."""
    sitting = {(seat.seat, seat.account_id) for seat in seats}
    return HouseTable(
        id=row.id,
        game=row.game,
        variant=row.variant,
        door=row.door,
        name=row.name,
        host_id=row.host_id,
        host_name=row.host_name,
        access=row.access,
        invitation=row.invitation,
        options=msgspec.json.decode(row.options),
        time_control=read_time_control(row.time_control),
        rated=bool(row.rated),
        seats_least=row.seats_least,
        seats_most=row.seats_most,
        status=row.status,
        created_at=row.created_at,
        started_at=row.started_at,
        ended_at=row.ended_at,
        result=None if row.result is None else msgspec.json.decode(row.result, type=Result),
        due_at=row.due_at,
        seats=tuple(
            SeatInfo(
                seat.seat,
                seat.account_id,
                _name(seat),
                seat.robot,
                seat.joined_at,
                seat.left_at,
                "robot" if seat.robot is not None else seat.kind or "member",
                shown(seat.mu) if seat.rated else None,
                bool(seat.rated) and seat.rated < PROVISIONAL_BELOW,
            )
            for seat in sorted(seats, key=lambda seat: int(seat.seat))
        ),
        terms=read_terms(row.terms),
        former=tuple(
            Former(gone.seat, gone.account_id, gone.pseudo or "", gone.at)
            for gone in sorted(departures, key=lambda gone: (gone.at, gone.seat))
            if (gone.seat, gone.account_id) not in sitting
        ),
    )


def _name(row: Any) -> str:
    # Two robots of one strength share an account, but not a name at the table.
    return str(row.name if row.robot is not None or row.pseudo is None else row.pseudo)
