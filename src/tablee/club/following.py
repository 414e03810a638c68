"""Keys by which programs follow the games of somebody: a calendar and a feed, without signing in."""

from __future__ import annotations

import re
from base64 import b32encode
from collections.abc import Callable
from hashlib import sha256

from sqlalchemy import bindparam, delete, select

from tablee.clock import Clock, Instant
from tablee.club.accounts import Accounts
from tablee.club.errors import NotFound
from tablee.club.limits import Limits, network
from tablee.club.people import Account
from tablee.store import Query, Store, Unit, Write, upsert
from tablee.store.schema import follow_key

KEY_BYTES = 16
KEY = re.compile(r"[a-z2-7]{26}")

_PUT = Query(upsert(follow_key))
_DROP = Query(delete(follow_key).where(follow_key.c.account_id == bindparam("who")))
_MADE = Query(select(follow_key.c.made_at).where(follow_key.c.account_id == bindparam("who")))
_WHOSE = Query(select(follow_key.c.account_id).where(follow_key.c.hash == bindparam("hashed")))


class FollowKeys:
    """One key a person. It is kept hashed: who reads the database cannot follow by it."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        accounts: Accounts,
        limits: Limits,
        secret: Callable[[int], bytes],
    ) -> None:
        self._store = store
        self._clock = clock
        self._accounts = accounts
        self._limits = limits
        self._secret = secret

    async def made_at(self, account_id: int) -> Instant | None:
        """Since when somebody has a key; None where he has none."""
        row = await self._store.one(_MADE, who=account_id)
        return None if row is None else row.made_at

    async def renew(self, account_id: int) -> str:
        """A new key, which is shown this once; the one before is good for nothing any more."""
        key = b32encode(self._secret(KEY_BYTES)).decode().rstrip("=").lower()
        row = {"account_id": account_id, "hash": _hashed(key), "made_at": self._clock.now()}
        await self._store.commit(Unit(writes=[Write(_PUT, row)]))
        return key

    async def revoke(self, account_id: int) -> None:
        await self._store.commit(Unit(writes=[Write(_DROP, {"who": account_id})]))

    async def whose(self, key: str, address: str) -> Account:
        """Whose games a key follows; raises NotFound, and TooMany for an address that guesses.

        Only wrong keys count against an address: a whole club may read its calendars from one.
        """
        guesser = network(address)
        self._limits.check("follow_key", guesser)
        row = await self._store.one(_WHOSE, hashed=_hashed(key)) if KEY.fullmatch(key) else None
        account = None if row is None else (await self._accounts.many([row.account_id])).get(row.account_id)
        if account is None or not account.is_member or account.is_shut_out(self._clock.now()):
            self._limits.count("follow_key", guesser)
            raise NotFound("follow_key_unknown")
        self._limits.take("follow", account.id)
        return account


def _hashed(key: str) -> str:
    return sha256(f"follow:{key}".encode()).hexdigest()
