"""What several routes and live messages show: the same thing always has the same shape."""

from __future__ import annotations

from typing import Any

import msgspec

from tablee.club import notices
from tablee.club.people import Account

Json = Any


class Shape(msgspec.Struct, frozen=True, kw_only=True):
    """Something that goes out."""


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
    my_seat: int | None = None
    invitation: str | None = None  # only for who sits there or made it


class Message(Shape, frozen=True):
    """Something said."""

    id: int
    channel: str
    author: Person
    text: str
    at: int


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


def person(account: Account) -> Person:
    return Person(id=account.id, pseudo=account.pseudo, kind=account.kind)


def notice_shape(notice: notices.Notice) -> Notice:
    return Notice(
        id=notice.id, kind=notice.kind, about=notice.about, at=notice.at, read=notice.read_at is not None
    )
