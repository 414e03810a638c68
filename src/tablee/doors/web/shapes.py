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
    rating: int | None = None  # in this variant; null of who has played no rated game of it
    provisional: bool = False  # whether the rating is only a first guess


class FormerInfo(Shape, frozen=True):
    """Who had a seat before somebody else took it over: what happened there until then is his."""

    seat: int
    name: str
    until: int


class Outcome(Shape, frozen=True):
    """What a finished table meant to one of its players."""

    seat: int
    account: int
    name: str
    rank: int
    score: int | None
    rating_before: int | None  # null, as the three others, where the game was not rated for him
    rating_after: int | None
    margin_before: int | None  # by how much the rating may be wrong, either way
    margin_after: int | None
    unrated: str | None  # why it was not rated: chosen, anonymous, stopped, members, not_member


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
    by_days: bool  # whether people look in once a day or less
    rated: bool  # as it was chosen
    unrated: str | None  # why it changes no rating, by who sits there: chosen, anonymous, members; or null
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
    former: list[FormerInfo] = []  # not in lists of tables


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
    time_control: Json = None
    rated: bool | None = None  # null: either way
    side: str | None = None  # white, black, lot; null: who came first has the first seat


class Sought(Shape, frozen=True):
    """What people wait for in the queue; who they are is not said."""

    game: str
    variant: str
    time_control: Json
    players: int
    rated: bool | None  # null: either way
    options: Json
    waiting: int  # how many


class SoughtList(Shape, frozen=True):
    """Whom one could meet at once, the longest waiting first."""

    sought: list[Sought]


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
    side: str | None = None  # what the challenger plays: white, black, lot; null in a game without sides


class OwnGame(Shape, frozen=True):
    """A game of one's own: where it stands, what it waits for, what one has given."""

    table: int
    name: str
    game: str
    variant: str
    status: str  # open, running
    master: bool  # whether one cares for it, and does not play
    by_days: bool  # whether people look in once a day or less
    people: int  # who sit there
    seats: int  # that there are
    waits: bool  # whether it needs something of oneself before it can go on
    until: int | None  # by when, of oneself or of who is waited for
    late: bool  # one has missed the date, and is waited for until then
    plays: str  # what one plays, by name: "Italie", "Blancs"
    moment: str  # where the game has got to: "coup 23"
    waiting: list[str]  # who else is waited for, the first of them
    others: int  # how many more there are
    given: int  # of what one owes, so much is given
    owed: int  # so much; 0 where there is nothing to be counted
    given_in: bool  # whether the game would go on with what is given
    final: bool  # whether one has said that this is all
    unread: int  # declarations and letters
    latest: str  # what happened last, as one was told
    latest_at: int | None


class TableInvitation(Shape, frozen=True):
    """A table to which one is invited; with a `seat` one where one is asked to go on for somebody."""

    table: int
    name: str
    game: str
    variant: str
    by: str  # who invites, where that is known
    seat: int | None
    has_code: bool  # one needs it to come in
    by_days: bool
    people: int
    seats: int


class EndedGame(Shape, frozen=True):
    """A game of one's own that ended since one was here before; without a rank for its master."""

    table: int
    name: str
    game: str
    variant: str
    ended_at: int
    reason: str  # a word of the game: `result.REASON`
    players: int
    rank: int | None
    tied: int  # how many share that rank
    decided: bool  # false: the table ended without a result that counts
    rating_before: int | None
    rating_after: int | None


class OwnGames(Shape, frozen=True):
    """What one comes for, the game that waits for one soonest first."""

    games: list[OwnGame]
    more: bool  # whether there are others, which are not in this list
    waiting: int  # how many games wait for one
    invitations: list[TableInvitation]
    challenges: list[ChallengeInfo]  # received, and not answered yet
    finished: list[EndedGame]
    since: int  # when one was here before this visit


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
