"""Letters that can be answered with a move: an address with a token, good for one role of one phase."""

from __future__ import annotations

import re
import secrets
from base64 import b32encode
from collections.abc import Callable
from hashlib import sha256
from typing import TYPE_CHECKING

import msgspec
from sqlalchemy import bindparam, insert, select, update

from tablee.club.calling.caller import Answerable
from tablee.store import Query, Unit, Write, upsert
from tablee.store.schema import mail_taken, reply_token

if TYPE_CHECKING:
    from tablee.tables.hall import Tables
    from tablee.tables.loaded import LoadedTable

TOKEN_BYTES = 16
TOKEN = re.compile(r"[a-z2-7]{26}")

_PUT = Query(insert(reply_token))
_FIND = Query(
    select(reply_token.c.account_id, reply_token.c.table_id, reply_token.c.role, reply_token.c.phase).where(
        reply_token.c.hash == bindparam("hashed")
    )
)
_USED = Query(
    update(reply_token).where(reply_token.c.hash == bindparam("hashed")).values(used_at=bindparam("now"))
)
_ENDED = Query(
    update(reply_token)
    .where(reply_token.c.hash == bindparam("hashed"), reply_token.c.ended_at.is_(None))
    .values(ended_at=bindparam("now"))
)
_TAKE = Query(upsert(mail_taken, change=[]))
_TAKEN = Query(select(mail_taken.c.at).where(mail_taken.c.key == bindparam("which")))


class Bound(msgspec.Struct, frozen=True):
    """For whom a token speaks, and until when: `role` 0 is all that he plays there."""

    account_id: int
    table_id: int
    role: int
    phase: int


class Replies:
    """Makes and knows tokens. They are kept hashed: who reads the database cannot play by them."""

    def __init__(self, tables: Tables, secret: Callable[[int], bytes] = secrets.token_bytes) -> None:
        self._tables = tables
        self._store = tables.store
        self._clock = tables.clock
        self._secret = secret
        self.mailbox = ""
        """Where letters come in, `ordres@club.example`; empty where no letter does."""

    def answerable(self, loaded: LoadedTable, account_id: int, role: int = 0) -> Answerable | None:
        """An address for answers to a letter about what is played now; None where no answer could be read.

        `role` is the one that the letter is about, 0 for all that this person plays there.
        """
        sitting = loaded.info.seat_of(account_id)
        if not self.mailbox or sitting is None or loaded.state is None or loaded.is_over:
            return None
        phase = loaded.phase
        token = b32encode(self._secret(TOKEN_BYTES)).decode().rstrip("=").lower()
        row = {
            "hash": _hashed(token),
            "account_id": account_id,
            "table_id": loaded.info.id,
            "role": role,
            "phase": phase,
            "made_at": self._clock.now(),
            "used_at": None,
            "ended_at": None,
        }
        local, _, domain = self.mailbox.partition("@")
        return Answerable(f"{local}+{token}@{domain}", Write(_PUT, row))

    async def answerable_at(self, table_id: int, account_id: int, role: int = 0) -> Answerable | None:
        """The same for a table by its number; raises NoSuchTable, Unavailable."""
        return self.answerable(await self._tables.open(table_id), account_id, role)

    def token_in(self, address: str) -> str | None:
        """The token of an address that is ours; None for any other address."""
        local, _, domain = self.mailbox.lower().partition("@")
        given, _, host = address.lower().partition("@")
        name, plus, token = given.partition("+")
        return token if plus and (name, host) == (local, domain) and local else None

    async def find(self, token: str) -> Bound | None:
        """Whose token it is, be it one whose phase is over; None for one that was never made."""
        if not TOKEN.fullmatch(token):
            return None
        row = await self._store.one(_FIND, hashed=_hashed(token))
        return None if row is None else Bound(*row)

    def used(self, token: str, is_alive: bool) -> Write:
        """The write that notes that a token was used, or that it came too late."""
        return Write(_USED if is_alive else _ENDED, {"hashed": _hashed(token), "now": self._clock.now()})

    # --- what comes twice counts once ---------------------------------------------------------------------

    def taking(self, key: str) -> Write:
        """The write by which something that came by mail is taken; a Conflict where it was taken before."""
        return Write(_TAKE, {"key": key, "at": self._clock.now()}, expect=1)

    async def was_taken(self, key: str) -> bool:
        return await self._store.one(_TAKEN, which=key) is not None

    async def note(self, *writes: Write) -> None:
        await self._store.commit(Unit(writes=list(writes)))


def _hashed(token: str) -> str:
    return sha256(f"reply:{token}".encode()).hexdigest()
