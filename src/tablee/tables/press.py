"""What people say in the roles of a game: declarations to all, letters to one, and when they last looked."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

import msgspec
from sqlalchemy import bindparam, insert, or_, select

from tablee.clock import Instant
from tablee.club import Account, Invalid
from tablee.rules.contract import MASTER
from tablee.store import Hint, Query, Unit, Write, upsert
from tablee.store.schema import message, visit
from tablee.tables.errors import TableError
from tablee.tables.info import TableInfo

if TYPE_CHECKING:
    from tablee.tables.hall import Tables

TEXT_MOST = 10_000
END_OF_TIME = 2**62

_SHOWN = (message.c.id, message.c.at, message.c.author_role, message.c.to_role, message.c.text)
_THERE = (message.c.channel == bindparam("where")) & message.c.deleted_at.is_(None)
_SAY = Query(insert(message))
_PRESS = Query(select(*_SHOWN).where(_THERE).order_by(message.c.id.desc()).limit(bindparam("most")))
_LETTERS = Query(
    select(*_SHOWN)
    .where(_THERE, or_(message.c.author_role == bindparam("role"), message.c.to_role == bindparam("role")))
    .order_by(message.c.id.desc())
    .limit(bindparam("most"))
)
_SINCE = Query(
    select(*_SHOWN, message.c.channel)
    .where(
        message.c.channel.in_(bindparam("channels", expanding=True)),
        message.c.id > bindparam("after"),
        message.c.at <= bindparam("until"),
        message.c.deleted_at.is_(None),
    )
    .order_by(message.c.id)
    .limit(bindparam("most"))
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
    """A declaration, or with `to_role` a letter."""

    id: int
    at: Instant
    author_role: int
    to_role: int | None
    text: str


class Silent(TableError):
    """Players of this game do not speak to each other."""

    default = "silent"


class Press:
    """Who may speak in a role is asked by whoever knows the game; here is what it means to the others."""

    def __init__(self, tables: Tables) -> None:
        self._store = tables.store
        self._club = tables.club
        self._clock = tables.clock

    async def declare(self, info: TableInfo, author: Account, role: int, text: str) -> Spoken:
        """Say something to all; raises Silent, Invalid, TooMany."""
        if info.terms.silent and role != MASTER:
            raise Silent()
        return await self._say(press_channel(info.id), author, role, None, text)

    async def write(self, info: TableInfo, author: Account, role: int, to_role: int, text: str) -> Spoken:
        """Say something to one role; raises Silent, Invalid, TooMany."""
        if info.terms.silent and MASTER not in (role, to_role):
            raise Silent()
        return await self._say(letters_channel(info.id), author, role, to_role, text)

    async def declarations(self, table_id: int, limit: int | None = None) -> list[Spoken]:
        """The newest first."""
        found = await self._store.rows(_PRESS, where=press_channel(table_id), most=limit or END_OF_TIME)
        return [Spoken(*row) for row in found]

    async def letters(self, table_id: int, role: int, limit: int | None = None) -> list[Spoken]:
        """Those that a role has written or been sent, the newest first."""
        found = await self._store.rows(
            _LETTERS, where=letters_channel(table_id), role=role, most=limit or END_OF_TIME
        )
        return [Spoken(*row) for row in found]

    async def since(self, table_id: int, after: int, until: Instant) -> list[Spoken]:
        """Everything that was said after a message, the oldest first."""
        channels = [press_channel(table_id), letters_channel(table_id)]
        found = await self._store.rows(_SINCE, channels=channels, after=after, until=until, most=200)
        return [Spoken(*row[:5]) for row in found]

    async def visit(self, table_id: int, account_id: int, role: int) -> None:
        """Somebody has looked at the game in a role."""
        row = {"table_id": table_id, "account_id": account_id, "role": role, "at": self._clock.now()}
        await self._store.commit(Unit(writes=[Write(_VISIT, row)]))

    async def visited(self, table_id: int, account_id: int, role: int) -> Instant | None:
        """When he last did."""
        found = await self._store.one(_VISITED, which=table_id, who=account_id, as_role=role)
        return None if found is None else int(found.at)

    async def _say(self, channel: str, author: Account, role: int, to_role: int | None, text: str) -> Spoken:
        said = spoken_text(text)
        self._club.limits.take("press", author.id)
        made = Spoken(await self._store.new_id("message", block=1), self._clock.now(), role, to_role, said)
        row = {
            "id": made.id,
            "channel": channel,
            "author_id": author.id,
            "to_id": None,
            "text": said,
            "at": made.at,
            "deleted_at": None,
            "author_role": role,
            "to_role": to_role,
        }
        await self._store.commit(Unit(writes=[Write(_SAY, row)], hints=[Hint("chat", channel, made.id)]))
        return made


def press_channel(table_id: int) -> str:
    return f"press:{table_id}"


def letters_channel(table_id: int) -> str:
    return f"letters:{table_id}"


def spoken_text(text: str) -> str:
    """A text as it is kept, its lines with it; raises Invalid where it says nothing, or too much."""
    if len(text) > TEXT_MOST:
        raise Invalid("message_too_long", "text", most=TEXT_MOST)
    plain = "".join(c for c in unicodedata.normalize("NFC", text) if not _is_control(c))
    if not plain.strip():
        raise Invalid("message_empty", "text")
    return plain


def _is_control(character: str) -> bool:
    kind = unicodedata.category(character)
    allowed = character in "\n\t\u200c\u200d"
    return kind in ("Cc", "Cs", "Cf") and not allowed
