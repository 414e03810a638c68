"""What awaits somebody's attention: it is his turn, a friend asks, a game is over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import bindparam, func, insert, select, update

from tablee.clock import Clock, Instant
from tablee.club.calling.calls import call_write
from tablee.club.deeds import END_OF_TIME
from tablee.store import Hint, Query, Store, Unit, Write
from tablee.store.schema import notice

_INSERT = Query(insert(notice))
_MINE = notice.c.account_id == bindparam("who")
_AT = Query(select(notice.c.at).where(_MINE, notice.c.id == bindparam("which")))
_LIST = Query(
    select(notice.c.id, notice.c.kind, notice.c.about, notice.c.at, notice.c.read_at)
    .where(
        _MINE,
        (notice.c.at < bindparam("before_at"))
        | ((notice.c.at == bindparam("before_at")) & (notice.c.id < bindparam("before"))),
    )
    .order_by(notice.c.at.desc(), notice.c.id.desc())
    .limit(bindparam("most"))
)
_UNREAD = Query(
    select(notice.c.kind, func.count().label("number"))
    .where(_MINE, notice.c.read_at.is_(None))
    .group_by(notice.c.kind)
)
_STILL_UNREAD = Query(
    select(notice.c.id).where(
        _MINE, notice.c.read_at.is_(None), notice.c.id.in_(bindparam("numbers", expanding=True))
    )
)
_READ_ONE = Query(
    update(notice)
    .where(_MINE, notice.c.id == bindparam("which"), notice.c.read_at.is_(None))
    .values(read_at=bindparam("now"))
)
_READ_ALL = Query(update(notice).where(_MINE, notice.c.read_at.is_(None)).values(read_at=bindparam("now")))


_SAME = (_MINE, notice.c.kind == bindparam("what"), notice.c.about == bindparam("said"))
_UNREAD_SAME = Query(select(notice.c.id).where(*_SAME, notice.c.read_at.is_(None)).limit(1))
_READ_SAME = Query(update(notice).where(*_SAME, notice.c.read_at.is_(None)).values(read_at=bindparam("now")))


CALLED = {
    "invitation": "invited",
    "challenge": "invited",
    "rematch": "invited",
    "friend_request": "invited",
    "stand_in": "invited",
    "seated": "begun",
    "game_over": "over",
    "tournament": "tournament",
    "acting": "security",
    "role": "security",
    "session_stolen": "security",
}
"""Notices for which somebody is called who is not looking at the page, by kind of call."""


class Notice(msgspec.Struct, frozen=True):
    """`kind` names the sentence, `about` fills it in."""

    id: int
    kind: str
    about: dict[str, Any]
    at: Instant
    read_at: Instant | None


class Notices:
    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def add_writes(
        self, account_id: int, kind: str, about: dict[str, Any], names: int | None = None
    ) -> list[Write]:
        """The writes that leave a notice, for the unit that causes it; tell `hint(account_id)` with it.

        `names` is the account whose name it says: when he leaves the club, the notice goes.
        """
        number, now = await self._store.new_id("notice"), self._clock.now()
        row = {"id": number, "account_id": account_id, "kind": kind, "at": now, "names_id": names}
        said = {"about": msgspec.json.encode(about).decode(), "read_at": None}
        writes = [Write(_INSERT, row | said)]
        if kind in CALLED:
            told = {"notice": number, "kind": kind, **about}
            # What a tournament says of a table is about the tournament: it leads there, and is worded there.
            table_id = 0 if kind == "tournament" else about.get("table", 0)
            writes.append(
                call_write(
                    account_id,
                    CALLED[kind],
                    now,
                    table_id=table_id,
                    what=f"notice {number}",
                    about=told,
                    names=names,
                )
            )
        return writes

    async def add_once_writes(self, account_id: int, kind: str, about: dict[str, Any]) -> list[Write]:
        """The same, unless the very same notice waits unread already."""
        said = msgspec.json.encode(about).decode()
        if await self._store.one(_UNREAD_SAME, who=account_id, what=kind, said=said) is not None:
            return []
        return await self.add_writes(account_id, kind, about)

    def read_writes(self, account_id: int, kind: str, about: dict[str, Any]) -> Write:
        """The write that marks such notices as read, for the unit in which their cause is seen."""
        said = msgspec.json.encode(about).decode()
        return Write(_READ_SAME, {"who": account_id, "what": kind, "said": said, "now": self._clock.now()})

    @staticmethod
    def hint(account_id: int) -> Hint:
        """What the bus says when somebody's notices have changed."""
        return Hint("account", account_id, "notice")

    async def add(self, account_id: int, kind: str, about: dict[str, Any]) -> None:
        """Leave a notice that belongs to no other change."""
        writes = await self.add_writes(account_id, kind, about)
        await self._store.commit(Unit(writes=writes, hints=[self.hint(account_id)]))

    async def list(self, account_id: int, *, before: int | None = None, limit: int = 50) -> list[Notice]:
        """The newest first; further ones with the id of the last as `before`."""
        place = {"before": END_OF_TIME, "before_at": END_OF_TIME, "most": max(1, min(limit, 200))}
        if before is not None:
            found = await self._store.one(_AT, who=account_id, which=before)
            if found is None:
                return []
            place |= {"before": before, "before_at": found.at}
        rows = await self._store.rows(_LIST, who=account_id, **place)
        return [Notice(r.id, r.kind, msgspec.json.decode(r.about), r.at, r.read_at) for r in rows]

    async def all_unread(self, account_id: int, numbers: Sequence[int]) -> set[int]:
        """Those of some notices that somebody has not read."""
        if not numbers:
            return set()
        rows = await self._store.rows(_STILL_UNREAD, who=account_id, numbers=list(numbers))
        return {row.id for row in rows}

    async def unread(self, account_id: int) -> dict[str, int]:
        """How many are unread, by kind."""
        rows = await self._store.rows(_UNREAD, who=account_id)
        return {row.kind: row.number for row in rows}

    async def read(self, account_id: int, notice_id: int) -> None:
        """One notice has been read; somebody else's, or one that is not there, changes nothing."""
        await self._mark(Write(_READ_ONE, {"who": account_id, "which": notice_id, "now": self._clock.now()}))

    async def read_all(self, account_id: int) -> None:
        await self._mark(Write(_READ_ALL, {"who": account_id, "now": self._clock.now()}))

    async def _mark(self, write: Write) -> None:
        await self._store.commit(Unit(writes=[write], hints=[self.hint(write.params["who"])]))
