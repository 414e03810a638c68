"""What people say in the roles of a game: declarations to all, letters to one, and when they last looked."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec
from sqlalchemy import Boolean, Text, bindparam, cast, exists, func, insert, literal, or_, select

from tablee.clock import Instant
from tablee.club import Account, Invalid
from tablee.club.bounds import SPOKEN_MOST
from tablee.rules.contract import MASTER
from tablee.store import Hint, Query, Unit, Write, upsert
from tablee.store.query import Row
from tablee.store.schema import handover, message, reading, visit
from tablee.tables.calling import press_calls
from tablee.tables.errors import TableError
from tablee.tables.info import HouseTable
from tablee.tables.roles import account_of, speakers

if TYPE_CHECKING:
    from tablee.tables.hall import Tables
    from tablee.tables.loaded import LoadedTable

END_OF_TIME = 2**62
PRESS = "press"
"""The key of the press among correspondents, the others of which are numbers of roles."""

_SHOWN = (
    message.c.id,
    message.c.at,
    message.c.author_role,
    message.c.to_role,
    message.c.text,
    message.c.to_roles,
)
_THERE = (message.c.channel == bindparam("where")) & message.c.deleted_at.is_(None)
_OLDER = (_THERE, message.c.id < bindparam("before"))
_SAY = Query(insert(message))
_ONE = Query(select(*_SHOWN).where(message.c.id == bindparam("which"), message.c.deleted_at.is_(None)))
_PRESS = Query(select(*_SHOWN).where(*_OLDER).order_by(message.c.id.desc()).limit(bindparam("most")))
_later = handover.alias()
_taken_since = (
    select(_later.c.at)
    .where(
        _later.c.table_id == bindparam("which"),
        _later.c.role == bindparam("role"),
        _later.c.at > handover.c.at,
        _later.c.at < message.c.at,
    )
    .correlate(handover, message)
)
_had_it = (
    select(handover.c.at)
    .where(
        handover.c.table_id == bindparam("which"),
        handover.c.role == bindparam("role"),
        handover.c.account_id == bindparam("who"),
        handover.c.at < message.c.at,
        ~exists(_taken_since),
    )
    .correlate(message)
)
_HELD = or_(bindparam("whole", type_=Boolean), exists(_had_it))
"""Of the letters of a role those of one's own time, where it has changed hands and they are not handed on."""
_LETTERS = Query(
    select(*_SHOWN)
    .where(*_OLDER, _HELD, message.c.at >= bindparam("since"))
    .where(or_(message.c.author_role == bindparam("role"), message.c.to_role == bindparam("role")))
    .order_by(message.c.id.desc())
    .limit(bindparam("most"))
)
_SINCE = Query(
    select(*_SHOWN)
    .where(
        message.c.channel.in_(bindparam("channels", expanding=True)),
        message.c.id > bindparam("after"),
        message.c.at >= bindparam("since"),
        message.c.at <= bindparam("until"),
        message.c.deleted_at.is_(None),
    )
    .order_by(message.c.id)
    .limit(bindparam("most"))
)
_NEWEST = Query(select(func.coalesce(func.max(message.c.id), 0).label("last")).where(_THERE))
_READ = Query(upsert(reading, where=lambda offered: reading.c.message_id < offered.message_id))
_MARKS = Query(
    select(reading.c.channel, reading.c.message_id).where(
        reading.c.account_id == bindparam("who"), reading.c.channel.like(bindparam("pattern"))
    )
)
_UNREAD_PRESS = Query(
    select(func.count().label("number"))
    .select_from(message)
    .where(_THERE, message.c.id > bindparam("after"), message.c.author_id != bindparam("who"))
)
_author = cast(message.c.author_role, Text)
_UNREAD_LETTERS = Query(
    select(message.c.author_role, func.count().label("number"))
    .select_from(message)
    .outerjoin(
        reading,
        (reading.c.account_id == bindparam("who"))
        & (reading.c.channel == literal("letters:") + bindparam("line", type_=Text) + _author),
    )
    .where(
        _THERE,
        _HELD,
        message.c.at >= bindparam("since"),
        message.c.to_role == bindparam("role"),
        message.c.id > func.coalesce(reading.c.message_id, 0),
    )
    .group_by(message.c.author_role)
)
_HANDOVERS = Query(
    select(handover.c.at, handover.c.account_id)
    .where(handover.c.table_id == bindparam("which"), handover.c.role == bindparam("of_role"))
    .order_by(handover.c.at)
)
_VISIT = Query(upsert(visit))
_VISITED = Query(
    select(visit.c.at).where(
        visit.c.table_id == bindparam("which"),
        visit.c.account_id == bindparam("who"),
        visit.c.role == bindparam("as_role"),
    )
)


class Spoken(msgspec.Struct, frozen=True):
    """A declaration, or with `to_role` a letter; `to_roles` are all to whom the same letter went."""

    id: int
    at: Instant
    author_role: int
    to_role: int | None
    text: str
    to_roles: tuple[int, ...] = ()


class Marks(msgspec.Struct, frozen=True):
    """Up to which message somebody has read, and how many are unread, by correspondent."""

    read_up_to: dict[str, int]
    unread: dict[str, int]


class Silent(TableError):
    """Players of this game do not speak to each other."""

    default = "silent"


class Press:
    """Who may speak in a role is asked by whoever knows the game; here is what it means to the others."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._store = tables.store
        self._club = tables.club
        self._clock = tables.clock

    async def declare(
        self, info: HouseTable, author: Account, role: int, text: str, *, once: str | None = None
    ) -> Spoken:
        """Say something to all; raises Silent, Invalid, TooMany, Conflict where `once` was said before."""
        if info.terms.silent and role != MASTER:
            raise Silent()
        return (await self._say(info, author, role, (), text, once))[0]

    async def write(self, info: HouseTable, author: Account, role: int, to_role: int, text: str) -> Spoken:
        """Say something to one role; raises Silent, Invalid, TooMany."""
        return (await self.write_all(info, author, role, [to_role], text))[0]

    async def write_all(
        self,
        info: HouseTable,
        author: Account,
        role: int,
        to_roles: Sequence[int],
        text: str,
        *,
        once: str | None = None,
    ) -> list[Spoken]:
        """The same letter to each of these roles, all or none; raises as `declare` does."""
        if info.terms.silent and role != MASTER and any(to != MASTER for to in to_roles):
            raise Silent()
        return await self._say(info, author, role, tuple(dict.fromkeys(to_roles)), text, once)

    async def get(self, message_id: int) -> Spoken | None:
        """One that was said, unless it was taken away."""
        found = await self._store.one(_ONE, which=message_id)
        return None if found is None else _spoken(found)

    async def declarations(
        self, table_id: int, limit: int | None = None, before: int | None = None
    ) -> list[Spoken]:
        """The newest first."""
        found = await self._store.rows(
            _PRESS,
            where=press_channel(table_id),
            before=before or END_OF_TIME,
            most=limit or END_OF_TIME,
        )
        return [_spoken(row) for row in found]

    async def letters(
        self,
        info: HouseTable,
        account_id: int,
        role: int,
        limit: int | None = None,
        before: int | None = None,
    ) -> list[Spoken]:
        """Those that a role has written or been sent, the newest first, as far as its player may read them.

        Who goes on in a role reads those of his own time, unless the table's terms hand the others on.
        """
        found = await self._store.rows(
            _LETTERS,
            where=letters_channel(info.id),
            **await self._readable(info, account_id, role),
            before=before or END_OF_TIME,
            most=limit or END_OF_TIME,
        )
        return [_spoken(row) for row in found]

    async def _readable(self, info: HouseTable, account_id: int, role: int) -> dict[str, Any]:
        """Which letters of his role somebody may read, for the queries."""
        since = 0
        changed = await self._store.rows(_HANDOVERS, which=info.id, of_role=role)
        if not changed and not info.terms.handed_on:
            since = came_to(info, account_id)
        whole = not changed or info.terms.handed_on
        return {"which": info.id, "who": account_id, "role": role, "whole": whole, "since": since}

    async def since(self, table_id: int, after: int, until: Instant, since: Instant = 0) -> list[Spoken]:
        """Everything that was said after a message (and a moment), the oldest first."""
        channels = [press_channel(table_id), letters_channel(table_id)]
        found = await self._store.rows(
            _SINCE, channels=channels, after=after, since=since, until=until, most=200
        )
        return [_spoken(row) for row in found]

    # --- what is read -----------------------------------------------------------------------------------

    async def press_marks(self, table_id: int, account_id: int) -> Marks:
        """How far somebody has read the press."""
        channel = press_channel(table_id)
        marks = await self._store.rows(_MARKS, who=account_id, pattern=channel)
        read = marks[0].message_id if marks else 0
        found = await self._store.one(_UNREAD_PRESS, where=channel, after=read, who=account_id)
        return Marks({PRESS: read}, {PRESS: 0 if found is None else found.number})

    async def letter_marks(self, info: HouseTable, account_id: int, role: int) -> Marks:
        """How far somebody has read the letters to a role of his, by who wrote them."""
        line = f"{info.id}:{role}:"
        marks = await self._store.rows(_MARKS, who=account_id, pattern=f"letters:{line}%")
        found = await self._store.rows(
            _UNREAD_LETTERS,
            where=letters_channel(info.id),
            line=line,
            **await self._readable(info, account_id, role),
        )
        return Marks(
            {row.channel.rpartition(":")[2]: row.message_id for row in marks},
            {str(row.author_role): row.number for row in found},
        )

    async def read_press(self, info: HouseTable, account_id: int, message_id: int) -> None:
        """Somebody has read the press up to a message; notices of it are done with."""
        channel = press_channel(info.id)
        await self._read(channel, channel, account_id, message_id, "declaration", _about_press(info))

    async def read_letters(
        self, info: HouseTable, account_id: int, role: int, other: int, message_id: int
    ) -> None:
        """Somebody has read what another role wrote to one of his, up to a message."""
        line = f"{letters_channel(info.id)}:{role}:{other}"
        about = _about_letter(info, role, other)
        await self._read(letters_channel(info.id), line, account_id, message_id, "letter", about)

    async def _read(
        self, channel: str, line: str, account_id: int, message_id: int, kind: str, about: dict[str, Any]
    ) -> None:
        newest = await self._store.one(_NEWEST, where=channel)
        mark = min(message_id, 0 if newest is None else newest.last)
        notices = self._club.notices
        writes = [
            Write(_READ, {"account_id": account_id, "channel": line, "message_id": mark}),
            notices.read_writes(account_id, kind, about),
        ]
        await self._store.commit(Unit(writes=writes, hints=[notices.hint(account_id)]))

    async def visit(self, table_id: int, account_id: int, role: int) -> None:
        """Somebody has looked at the game in a role."""
        row = {"table_id": table_id, "account_id": account_id, "role": role, "at": self._clock.now()}
        await self._store.commit(Unit(writes=[Write(_VISIT, row)]))

    async def visited(self, table_id: int, account_id: int, role: int) -> Instant | None:
        """When he last did."""
        found = await self._store.one(_VISITED, which=table_id, who=account_id, as_role=role)
        return None if found is None else int(found.at)

    async def _say(
        self,
        info: HouseTable,
        author: Account,
        role: int,
        to_roles: tuple[int, ...],
        text: str,
        once: str | None,
    ) -> list[Spoken]:
        said = spoken_text(text)
        number = max(1, len(to_roles))
        await self._club.messages.make_room(author, number, number * len(said))
        self._club.limits.take("press", author.id, number)
        channel = letters_channel(info.id) if to_roles else press_channel(info.id)
        loaded = await self._tables.open(info.id)
        now = self._clock.now()
        made: list[Spoken] = []
        writes: list[Write] = [] if once is None else [self._tables.replies.taking(once)]
        for to_role in to_roles or (None,):
            spoken = Spoken(await self._store.new_id("message", block=1), now, role, to_role, said, to_roles)
            made.append(spoken)
            writes.append(Write(_SAY, _row(spoken, channel, author.id)))
        hints = [Hint("chat", channel, spoken.id) for spoken in made]
        present = set((await self._tables.presence.present(info.id)).values())
        for spoken in made:
            heard = speakers(loaded) if spoken.to_role is None else [account_of(loaded, spoken.to_role)]
            writes += press_calls(info, [who for who in heard if who not in (None, author.id)], spoken)
        for account_id, kind, about in _concerned(loaded, role, to_roles):
            if account_id != author.id and account_id not in present:
                writes += await self._club.notices.add_once_writes(account_id, kind, about)
                hints.append(self._club.notices.hint(account_id))
        await self._store.commit(Unit(writes=writes, hints=hints))
        return made


def came_to(info: HouseTable, account_id: int) -> Instant:
    """When somebody came to a game that had begun, before handovers were kept; 0 for who began it."""
    sitting = info.seat_of(account_id)
    return 0 if sitting is None or sitting.joined_at <= (info.started_at or 0) else sitting.joined_at


def _concerned(
    loaded: LoadedTable, role: int, to_roles: tuple[int, ...]
) -> list[tuple[int, str, dict[str, Any]]]:
    """Whom it is said to, with the notice that he gets where he is not at the table."""
    if not to_roles:
        return [(account_id, "declaration", _about_press(loaded.info)) for account_id in speakers(loaded)]
    return [
        (account_id, "letter", _about_letter(loaded.info, to, role))
        for to in to_roles
        if (account_id := account_of(loaded, to)) is not None
    ]


def _about_press(info: HouseTable) -> dict[str, Any]:
    return {"table": info.id, "game": info.name}


def _about_letter(info: HouseTable, role: int, author_role: int) -> dict[str, Any]:
    """Roles alone: a notice tells nobody who plays them."""
    return {
        "table": info.id,
        "game": info.name,
        "variant": info.variant,
        "role": role,
        "author": author_role,
    }


def _row(spoken: Spoken, channel: str, author_id: int) -> dict[str, Any]:
    several = len(spoken.to_roles) > 1
    return {
        "id": spoken.id,
        "channel": channel,
        "author_id": author_id,
        "to_id": None,
        "text": spoken.text,
        "at": spoken.at,
        "deleted_at": None,
        "author_role": spoken.author_role,
        "to_role": spoken.to_role,
        "to_roles": msgspec.json.encode(spoken.to_roles).decode() if several else None,
    }


def _spoken(row: Row) -> Spoken:
    to_roles: tuple[int, ...] = () if row.to_role is None else (row.to_role,)
    if row.to_roles is not None:
        to_roles = msgspec.json.decode(row.to_roles, type=tuple[int, ...])
    return Spoken(row.id, row.at, row.author_role, row.to_role, row.text, to_roles)


def press_channel(table_id: int) -> str:
    return f"press:{table_id}"


def letters_channel(table_id: int) -> str:
    return f"letters:{table_id}"


def spoken_text(text: str) -> str:
    """A text as it is kept, its lines with it; raises Invalid where it says nothing, or too much."""
    if len(text) > SPOKEN_MOST:
        raise Invalid("message_too_long", "text", most=SPOKEN_MOST)
    plain = "".join(c for c in unicodedata.normalize("NFC", text) if not _is_control(c))
    if not plain.strip():
        raise Invalid("message_empty", "text")
    return plain


def _is_control(character: str) -> bool:
    kind = unicodedata.category(character)
    allowed = character in "\n\t\u200c\u200d"
    return kind in ("Cc", "Cs", "Cf") and not allowed
