"""What several routes and live messages show: the same thing always has the same shape."""

from __future__ import annotations

from typing import Any, Self

import msgspec

from tablee.club import notices
from tablee.club.people import Account
from tablee.tables.press import Spoken

Json = Any


class Shape(msgspec.Struct, frozen=True, kw_only=True):
    """Something that goes out."""

    @classmethod
    def of(cls, source: object, **others: Any) -> Self:
        """This shape of something that has its fields under the same names, but for the others."""
        names = (name for name in cls.__struct_fields__ if name not in others)
        return cls(**{name: getattr(source, name) for name in names}, **others)


class Person(Shape, frozen=True):
    """Anybody, as everybody may know him."""

    id: int
    pseudo: str
    kind: str  # member, visitor, robot


class SeatInfo(Shape, frozen=True):
    """A seat and who has it."""

    seat: int
    account: int
    name: str
    kind: str  # member, visitor, robot
    robot: str | None  # the strength, where a robot sits here
    here: bool  # connected now
    left: bool  # gave the seat up


class Outcome(Shape, frozen=True):
    """What a finished table meant to one of its players."""

    seat: int
    account: int
    name: str
    rank: int
    score: int | None
    rating_before: int | None
    rating_after: int | None


class TermsInfo(Shape, frozen=True):
    """On what terms a table is played; the code and the deal are for its master alone."""

    mastered: bool
    description: str
    anonymous: bool
    silent: bool
    manual: bool
    handed_on: bool  # who goes on in a role reads its letters from before him
    fast: bool
    absences: bool  # a deadline moves behind days on which a player is away
    extensions: bool  # each player may once have a day more
    has_code: bool  # one needs it to come in
    access_code: int | None
    reliability: int
    regularity: int
    performance: int
    deal: dict[str, int] | None  # seats by role


class TableInfo(Shape, frozen=True):
    """All about a table but its game position."""

    id: int
    name: str
    game: str
    variant: str
    door: str
    status: str  # open, running, over, closed
    access: str  # open, private, invited
    host: int | None
    host_name: str | None
    master: int | None  # the host, where he has no seat and cares for the game
    options: Json
    time_control: Json
    rated: bool
    seats_least: int
    seats_most: int
    seats: list[SeatInfo]
    spectators: int
    created_at: int
    started_at: int | None
    ended_at: int | None
    result: Json
    terms: TermsInfo
    my_seat: int | None = None
    invitation: str | None = None  # only for who sits there or made it


class Message(Shape, frozen=True):
    """Something said."""

    id: int
    channel: str
    author: Person
    text: str
    at: int


class SpokenShape(Shape, frozen=True):
    """A declaration, or with `to` a letter; `addressees` are all to whom the same letter went."""

    id: int
    at: int
    author: int  # a role of the game; 0 is its master
    to: int | None
    addressees: list[int]
    text: str


class Friend(Shape, frozen=True):
    """A friend, or a request one way or the other."""

    person: Person
    status: str  # friends, asked_by_me, asked_by_them
    since: int
    here: bool


class Notice(Shape, frozen=True):
    """Something to know."""

    id: int
    kind: str
    about: Json
    at: int
    read: bool


class QueueStatus(Shape, frozen=True):
    """One's place in the queue."""

    waiting: bool
    game: str | None = None
    variant: str | None = None
    since: int | None = None
    table: int | None = None  # where an opponent was found
    others: int = 0  # how many others wait for the same


class ChallengeInfo(Shape, frozen=True):
    """An offer to play, to a friend or (with `rematch_of`) to the opponent of a finished table."""

    id: int
    challenger: Person
    challenged: Person
    mine: bool  # sent by who asks
    rematch_of: int | None
    game: str
    variant: str
    options: Json
    time_control: Json
    rated: bool
    at: int
    expires_at: int
    status: str  # open, accepted, refused, cancelled, expired
    table: int | None  # the table that came of it


def person(account: Account) -> Person:
    return Person(id=account.id, pseudo=account.pseudo, kind=account.kind)


def spoken_shape(spoken: Spoken) -> SpokenShape:
    return SpokenShape(
        id=spoken.id,
        at=spoken.at,
        author=spoken.author_role,
        to=spoken.to_role,
        addressees=list(spoken.to_roles),
        text=spoken.text,
    )


def notice_shape(notice: notices.Notice) -> Notice:
    return Notice(
        id=notice.id, kind=notice.kind, about=notice.about, at=notice.at, read=notice.read_at is not None
    )
