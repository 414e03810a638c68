"""Calls: that somebody is to be told something, written with its cause and claimed by one node when due."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import Column, bindparam, case, exists, func, select, tuple_, update

from tablee.clock import Clock, Instant
from tablee.club.calling.catalogue import KINDS
from tablee.store import Query, Store, Write, upsert
from tablee.store.schema import call, device, presence, seat

LEASE = 15_000
"""A call that a node has claimed and not settled after this is claimed by another."""
LOOKED_LATELY = 120_000
"""Who had the table before him so shortly ago has seen it."""
TOGETHER_ANYWHERE = "invited"
"""What comes from others as often as they like: it fills nobody's mailbox, at however many tables."""


Key = tuple[int, int, str, str]
"""Whom, about which table, of which kind, which of them."""


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
    def place(self) -> int:
        """What it shares a letter with: its table; invitations, wherever they lead to, are told together."""
        return 0 if self.kind == TOGETHER_ANYWHERE else self.table_id

    @property
    def key(self) -> Key:
        return (self.account_id, self.table_id, self.kind, self.what)


_KEY = (call.c.account_id, call.c.table_id, call.c.kind, call.c.what)
_COLUMNS = (*_KEY, call.c.about, call.c.at)
_given = {column.name: bindparam(f"new_{column.name}", type_=column.type) for column in call.columns}
_HAS_DEVICE = exists(select(device.c.session_id).where(device.c.account_id == bindparam("new_account_id")))
# Most members have no device: their calls are never claimed for push, and cost it nothing.
_ADD = Query(upsert(call, change=[]).values({**_given, "push_at": case((_HAS_DEVICE, _given["push_at"]))}))
_PUSH_AHEAD = Query(
    update(call)
    .where(
        call.c.account_id == bindparam("who"),
        call.c.at > bindparam("now"),
        call.c.push_at.is_(None),
        call.c.pushed_at.is_(None),
        call.c.kind.in_([kind.name for kind in KINDS.values() if kind.push]),
    )
    .values(push_at=call.c.at)
)


def call_write(
    account_id: int,
    kind: str,
    at: Instant,
    *,
    table_id: int = 0,
    what: str = "",
    about: dict[str, Any] | None = None,
    patience: int | None = None,
    push_patience: int = 0,
    names: int | None = None,
) -> Write:
    """The write that calls somebody, for the unit that causes it; the same thing is told once.

    `at` may lie ahead: whether it is still so is asked when it has come. `patience` is how long the letter
    waits, `push_patience` the push message. `names` is the account whose name it says: when he leaves the
    club, the call goes.
    """
    usual = KINDS[kind]
    row = {
        "account_id": account_id,
        "table_id": table_id,
        "kind": kind,
        "what": what,
        "about": msgspec.json.encode(about or {}).decode(),
        "at": at,
        "mail_at": at + (usual.patience if patience is None else patience),
        "mailed_at": None,
        "push_at": at + push_patience if usual.push else None,
        "pushed_at": None,
        "names_id": names,
    }
    return Write(_ADD, {f"new_{name}": value for name, value in row.items()})


def push_ahead_write(account_id: int, now: Instant) -> Write:
    """That somebody has a device from now on: what he was already to be told later is pushed, too."""
    return Write(_PUSH_AHEAD, {"who": account_id, "now": now})


def seen_write(account_id: int, table_id: int, at: Instant) -> Write:
    """That somebody was at a table: what happened there and whose turn it was need not be told any more."""
    return Write(_SEEN, {"who": account_id, "where": table_id, "until": at})


class Channel:
    """One way to reach somebody: the columns that say when a call is due there, and when it was told."""

    def __init__(self, due: Column[int], told: Column[int]) -> None:
        taken = (
            select(*_KEY)
            .where(due <= bindparam("now"))
            .order_by(due, call.c.account_id, call.c.table_id)
            .limit(bindparam("most"))
            .with_for_update(skip_locked=True)
        )
        self.claim = Query(
            update(call)
            .where(tuple_(*_KEY).in_(taken))
            .values({due: bindparam("until")})
            .returning(*_COLUMNS)
        )
        self.settle = Query(
            update(call)
            .where(
                call.c.account_id == bindparam("who"),
                call.c.table_id == bindparam("where"),
                call.c.kind == bindparam("kind_"),
                call.c.what == bindparam("what_"),
                due == bindparam("claimed"),
            )
            .values({due: bindparam("at_"), told: bindparam("told_")})
        )
        self.pending = Query(
            select(*_COLUMNS, due.label("due")).where(_WHO, due.is_not(None), call.c.at <= bindparam("until"))
        )
        self.last = Query(
            select(call.c.account_id, _PLACE, func.max(told).label("at"))
            .where(_WHO, told.between(bindparam("since"), bindparam("until")))
            .group_by(call.c.account_id, _PLACE)
        )


_WHO = call.c.account_id.in_(bindparam("who", expanding=True))
_PLACE = case((call.c.kind == TOGETHER_ANYWHERE, 0), else_=call.c.table_id).label("place")
MAIL = Channel(call.c.mail_at, call.c.mailed_at)
PUSH = Channel(call.c.push_at, call.c.pushed_at)


class Calls:
    """What is due by one channel, and who has seen it already."""

    def __init__(self, store: Store, clock: Clock, channel: Channel = MAIL) -> None:
        self._store = store
        self._clock = clock
        self._channel = channel

    async def claim(self, most: int) -> list[Call]:
        """Calls whose time has come, which are this node's for a while."""
        now = self._clock.now()
        until = now + LEASE
        found = await self._store.change(self._channel.claim, now=now, until=until, most=most)
        return [_call(row, until) for row in found]

    async def pending(self, accounts: Sequence[int], until: Instant) -> list[Call]:
        """Everything that these people were not yet told; what another node has claimed may be among it.

        Whoever settles it first has it: a letter of two nodes at once is one letter.
        """
        found = await self._store.rows(self._channel.pending, who=list(accounts), until=until)
        return [_call(row, row.due) for row in found]

    async def told_of(
        self, account_id: int, kinds: Sequence[str], *, since: Instant, until: Instant, most: int
    ) -> list[Call]:
        """What somebody was, or is to be, told of tables, the newest first; whether it was read or not."""
        found = await self._store.rows(
            _TOLD_OF, who=account_id, kinds=list(kinds), since=since, until=until, most=most
        )
        return [_call(row, 0) for row in found]

    async def some(self, account_id: int, table_id: int, named: Sequence[tuple[str, str]]) -> list[Call]:
        """Calls of somebody about one table, by kind and what; those that are gone are left out."""
        whats = sorted({what for _, what in named})
        found = await self._store.rows(_SOME, who=account_id, where=table_id, whats=whats)
        return [_call(row, 0) for row in found if (row.kind, row.what) in named]

    async def was_there(self, account_id: int, table_id: int) -> Instant:
        """When somebody last went away from a table; 0: never was there."""
        row = await self._store.one(_LAST_THERE, who=account_id, where=table_id)
        return 0 if row is None or row.at is None else int(row.at)

    async def last_told(
        self, accounts: Sequence[int], since: Instant, until: Instant
    ) -> dict[tuple[int, int], Instant]:
        """When each of them was last told something, by person and by `place`, between these moments."""
        found = await self._store.rows(self._channel.last, who=list(accounts), since=since, until=until)
        return {(row.account_id, row.place): row.at for row in found}

    async def lookers(self, accounts: Sequence[int], tables: Sequence[int]) -> set[tuple[int, int]]:
        """Who has the table before him, or had it lately, by person and table."""
        asked = {"who": list(accounts), "where": list(tables)}
        here = await self._store.rows(_LOOKING, **asked)
        now = self._clock.now()
        # A look in the future was before a clock was set back: it says nothing of now.
        span = {"since": now - LOOKED_LATELY, "until": now + LOOKED_LATELY}
        lately = await self._store.rows(_LOOKED, **asked, **span)
        return {(row.account_id, row.table_id) for row in [*here, *lately]}

    def told(self, told: Call, *, written: bool) -> Write:
        """That a claimed call is done with: told, or because nobody needs it."""
        return self._settle(told, None, self._clock.now() if written else None)

    def later(self, told: Call, at: Instant) -> Write:
        """That a claimed call waits."""
        return self._settle(told, at, None)

    def _settle(self, settled: Call, at: Instant | None, told: Instant | None) -> Write:
        row = dict(zip(("who", "where", "kind_", "what_"), settled.key, strict=True))
        row |= {"claimed": settled.claimed, "at_": at, "told_": told}
        return Write(self._channel.settle, row, expect=1)


def _call(row: Any, claimed: Instant) -> Call:
    about = msgspec.json.decode(row.about)
    return Call(row.account_id, row.table_id, row.kind, row.what, about, row.at, claimed)


_SOME = Query(
    select(*_COLUMNS).where(
        call.c.account_id == bindparam("who"),
        call.c.table_id == bindparam("where"),
        call.c.what.in_(bindparam("whats", expanding=True)),
    )
)
_TOLD_OF = Query(
    select(*_COLUMNS)
    .where(
        call.c.account_id == bindparam("who"),
        call.c.table_id != 0,
        call.c.kind.in_(bindparam("kinds", expanding=True)),
        call.c.at >= bindparam("since"),
        call.c.at <= bindparam("until"),
    )
    .order_by(call.c.at.desc(), call.c.table_id, call.c.kind, call.c.what)
    .limit(bindparam("most"))
)
_LAST_THERE = Query(
    select(func.max(seat.c.seen_at).label("at")).where(
        seat.c.account_id == bindparam("who"), seat.c.table_id == bindparam("where")
    )
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
        seat.c.seen_at.between(bindparam("since"), bindparam("until")),
    )
)
_SEEN = Query(
    update(call)
    .where(
        call.c.account_id == bindparam("who"),
        call.c.table_id == bindparam("where"),
        call.c.kind.in_(("begun", "your_turn", "resolved")),
        call.c.at <= bindparam("until"),
        call.c.mail_at.is_not(None) | call.c.push_at.is_not(None),
    )
    .values(mail_at=None, push_at=None)
)
