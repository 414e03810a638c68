"""Calls: that somebody is to be told something, written with its cause and claimed by one node when due."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import bindparam, func, select, tuple_, update

from tablee.clock import Clock, Instant
from tablee.club.calling.catalogue import KINDS
from tablee.store import Query, Store, Write, upsert
from tablee.store.schema import call, presence, seat

LEASE = 30_000
"""A call that a node has claimed and not settled after this is claimed by another."""
LOOKED_LATELY = 120_000
"""Who had the table before him so shortly ago has seen it."""


class Call(msgspec.Struct, frozen=True):
    """One thing that one person is to be told; `about` fills in the words."""

    account_id: int
    table_id: int
    kind: str
    what: str
    about: dict[str, Any]
    at: Instant
    claimed: Instant = 0
    """Until when it is this node's to tell."""

    @property
    def is_masters(self) -> bool:
        """Whether it goes to the master of a table, who is told what he asks for."""
        return self.about.get("master") is True

    @property
    def key(self) -> tuple[int, int, str, str]:
        return (self.account_id, self.table_id, self.kind, self.what)


_KEY = (call.c.account_id, call.c.table_id, call.c.kind, call.c.what)
_COLUMNS = (*_KEY, call.c.about, call.c.at)
_ADD = Query(upsert(call, change=[]))


def call_write(
    account_id: int,
    kind: str,
    at: Instant,
    *,
    table_id: int = 0,
    what: str = "",
    about: dict[str, Any] | None = None,
    patience: int | None = None,
    names: int | None = None,
) -> Write:
    """The write that calls somebody, for the unit that causes it; the same thing is told once.

    `at` may lie ahead: whether it is still so is asked when it has come. `names` is the account whose name
    it says: when he leaves the club, the call goes.
    """
    usual = KINDS[kind]
    return Write(
        _ADD,
        {
            "account_id": account_id,
            "table_id": table_id,
            "kind": kind,
            "what": what,
            "about": msgspec.json.encode(about or {}).decode(),
            "at": at,
            "mail_at": at + (usual.patience if patience is None else patience),
            "mailed_at": None,
            "names_id": names,
        },
    )


def seen_write(account_id: int, table_id: int, at: Instant) -> Write:
    """That somebody was at a table: what happened there and whose turn it was need not be told any more."""
    return Write(_SEEN, {"who": account_id, "where": table_id, "until": at})


class Calls:
    """What is due, and who has seen it already."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def claim(self, most: int) -> list[Call]:
        """Calls whose time has come, which are this node's for a while."""
        now = self._clock.now()
        until = now + LEASE
        found = await self._store.change(_CLAIM, now=now, until=until, most=most)
        return [_call(row, until) for row in found]

    async def pending(self, accounts: Sequence[int], until: Instant) -> list[Call]:
        """Everything that these people were not yet written, and nobody else has claimed."""
        found = await self._store.rows(_PENDING, who=list(accounts), until=until)
        return [_call(row, row.mail_at) for row in found]

    async def last_letters(self, accounts: Sequence[int]) -> dict[tuple[int, int], Instant]:
        """When each of them was last written about each table."""
        found = await self._store.rows(_LAST, who=list(accounts))
        return {(row.account_id, row.table_id): row.at for row in found}

    async def lookers(self, accounts: Sequence[int], tables: Sequence[int]) -> set[tuple[int, int]]:
        """Who has the table before him, or had it lately, by person and table."""
        asked = {"who": list(accounts), "where": list(tables)}
        here = await self._store.rows(_LOOKING, **asked)
        lately = await self._store.rows(_LOOKED, **asked, since=self._clock.now() - LOOKED_LATELY)
        return {(row.account_id, row.table_id) for row in [*here, *lately]}

    def told(self, told: Call, *, written: bool) -> Write:
        """That a claimed call is done with: in a letter, or because nobody needs it."""
        return self._settle(told, None, self._clock.now() if written else None)

    def later(self, told: Call, at: Instant) -> Write:
        """That a claimed call waits."""
        return self._settle(told, at, None)

    def _settle(self, told: Call, at: Instant | None, mailed: Instant | None) -> Write:
        row = dict(zip(("who", "where", "kind_", "what_"), told.key, strict=True))
        row |= {"claimed": told.claimed, "at_": at, "mailed": mailed}
        return Write(_SETTLE, row, expect=1)


def _call(row: Any, claimed: Instant) -> Call:
    about = msgspec.json.decode(row.about)
    return Call(row.account_id, row.table_id, row.kind, row.what, about, row.at, claimed)


_WHO = call.c.account_id.in_(bindparam("who", expanding=True))
_taken = (
    select(*_KEY)
    .where(call.c.mail_at <= bindparam("now"))
    .order_by(call.c.mail_at, call.c.account_id, call.c.table_id)
    .limit(bindparam("most"))
    .with_for_update(skip_locked=True)
)
_CLAIM = Query(
    update(call).where(tuple_(*_KEY).in_(_taken)).values(mail_at=bindparam("until")).returning(*_COLUMNS)
)
_SETTLE = Query(
    update(call)
    .where(
        call.c.account_id == bindparam("who"),
        call.c.table_id == bindparam("where"),
        call.c.kind == bindparam("kind_"),
        call.c.what == bindparam("what_"),
        call.c.mail_at == bindparam("claimed"),
    )
    .values(mail_at=bindparam("at_"), mailed_at=bindparam("mailed"))
)
_PENDING = Query(
    select(*_COLUMNS, call.c.mail_at).where(
        _WHO, call.c.mail_at.is_not(None), call.c.at <= bindparam("until")
    )
)
_LAST = Query(
    select(call.c.account_id, call.c.table_id, func.max(call.c.mailed_at).label("at"))
    .where(_WHO, call.c.mailed_at.is_not(None))
    .group_by(call.c.account_id, call.c.table_id)
)
_LOOKING = Query(
    select(presence.c.account_id, presence.c.table_id).where(
        presence.c.account_id.in_(bindparam("who", expanding=True)),
        presence.c.table_id.in_(bindparam("where", expanding=True)),
        presence.c.place == "table",
        presence.c.looks,
    )
)
_LOOKED = Query(
    select(seat.c.account_id, seat.c.table_id).where(
        seat.c.account_id.in_(bindparam("who", expanding=True)),
        seat.c.table_id.in_(bindparam("where", expanding=True)),
        seat.c.seen_at >= bindparam("since"),
    )
)
_SEEN = Query(
    update(call)
    .where(
        call.c.account_id == bindparam("who"),
        call.c.table_id == bindparam("where"),
        call.c.kind.in_(("begun", "your_turn", "resolved")),
        call.c.at <= bindparam("until"),
    )
    .values(mail_at=None)
)
