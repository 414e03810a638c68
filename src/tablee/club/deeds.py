"""The log of who did what to whom: written in the transaction of the deed, never with a secret in it."""

from __future__ import annotations

from typing import Any

import msgspec
from sqlalchemy import bindparam, insert, select

from tablee.clock import Clock, Instant
from tablee.store import Query, Store, Write
from tablee.store.schema import deed

VISIT = "visit"
"""A visitor was made: of these there are many, so they are listed only with the visitor himself."""
SECRETS = ("password", "token", "code", "secret", "hash")

_INSERT = Query(insert(deed))
_NEWEST_FIRST = (deed.c.at.desc(), deed.c.id.desc())
_ONE = Query(select(deed.c.at).where(deed.c.id == bindparam("which")))
_OLDER = (deed.c.at < bindparam("before_at")) | (
    (deed.c.at == bindparam("before_at")) & (deed.c.id < bindparam("before"))
)
_ALL = Query(
    select(deed).where(_OLDER, deed.c.what != VISIT).order_by(*_NEWEST_FIRST).limit(bindparam("most"))
)
_OF_ACCOUNT = Query(
    select(deed)
    .where(_OLDER, (deed.c.account_id == bindparam("who")) | (deed.c.actor_id == bindparam("who")))
    .order_by(*_NEWEST_FIRST)
    .limit(bindparam("most"))
)

END_OF_TIME = 2**62


class Deed(msgspec.Struct, frozen=True):
    """One line of the log; `actor_id` None is the house itself."""

    id: int
    at: Instant
    actor_id: int | None
    account_id: int | None
    what: str
    about: dict[str, Any]
    address: str


class Deeds:
    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def write(
        self,
        what: str,
        *,
        actor: int | None,
        account: int | None = None,
        about: dict[str, Any] | None = None,
        address: str = "",
    ) -> Write:
        """The write that notes a deed, for the unit that does it. Raises ValueError if it names a secret."""
        for key in about or {}:
            if any(secret in key for secret in SECRETS):
                raise ValueError(f"the log of deeds must not hold {key!r}")
        return Write(
            _INSERT,
            {
                "id": await self._store.new_id("deed"),
                "at": self._clock.now(),
                "actor_id": actor,
                "account_id": account,
                "what": what,
                "about": msgspec.json.encode(about or {}).decode(),
                "address": address[:64],
            },
        )

    async def list(
        self, *, account: int | None = None, before: int | None = None, limit: int = 100
    ) -> list[Deed]:
        """The newest deeds first: those of everybody but for visits, or all that an account did or that
        concern it."""
        place = {"before": END_OF_TIME, "before_at": END_OF_TIME, "most": max(1, min(limit, 500))}
        if before is not None:
            found = await self._store.one(_ONE, which=before)
            if found is None:
                return []
            place |= {"before": before, "before_at": found.at}
        if account is None:
            rows = await self._store.rows(_ALL, **place)
        else:
            rows = await self._store.rows(_OF_ACCOUNT, who=account, **place)
        return [
            Deed(r.id, r.at, r.actor_id, r.account_id, r.what, msgspec.json.decode(r.about), r.address)
            for r in rows
        ]
