"""Codes that prove that somebody reads an address: a few digits, a day, five tries, one use."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from sqlalchemy import bindparam, delete, select, update

from tablee.clock import Clock
from tablee.club.errors import Refused
from tablee.club.fields import email_key
from tablee.club.passwords import Passwords
from tablee.store import Query, Store, Write
from tablee.store.query import upsert
from tablee.store.schema import mail_code

LIVES = 24 * 3_600_000
TRIES = 5
CODE_DIGITS = 6

_HELD = (mail_code.c.account_id == bindparam("holder")) & (mail_code.c.purpose == bindparam("for_what"))
_ALIVE = (mail_code.c.expires_at > bindparam("now")) & (mail_code.c.tries < TRIES)
_PUT = Query(upsert(mail_code))
_KEPT = Query(select(mail_code.c.email).where(_HELD, mail_code.c.expires_at > bindparam("now")))
_TRY = Query(
    update(mail_code)
    .where(_HELD, _ALIVE)
    .values(tries=mail_code.c.tries + 1)
    .returning(mail_code.c.email, mail_code.c.code_hash, mail_code.c.tries)
)
_RIGHT = Query(update(mail_code).where(_HELD, mail_code.c.code_hash == bindparam("kept")).values(tries=0))
_SPEND = Query(delete(mail_code).where(_HELD, mail_code.c.code_hash == bindparam("kept")))
_DROP = Query(delete(mail_code).where(mail_code.c.account_id == bindparam("holder")))
_DROP_ONE = Query(delete(mail_code).where(_HELD))

NOBODY = 0


class Held(NamedTuple):
    """Whose code it is, and what for."""

    holder: int
    purpose: str


def of_address(email: str) -> Held:
    """The code that confirms an address is held by the address itself: there is one, whoever has kept it."""
    return Held(NOBODY, f"email:{email_key(email)}")


class Proven(NamedTuple):
    """A code was right: the address it was sent to, and the write that uses it up."""

    email: str
    spend: Write


class Codes:
    """Codes by holder (an account, or 0 for nobody's) and purpose; a new one replaces the one before.

    They are hashed like passwords: a million possibilities are soon counted through otherwise.
    """

    def __init__(self, store: Store, clock: Clock, passwords: Passwords, below: Callable[[int], int]) -> None:
        self._store = store
        self._clock = clock
        self._passwords = passwords
        self._below = below

    def draw(self, digits: int = CODE_DIGITS) -> str:
        """A code without a leading zero: 100000 to 999999, or 1000 to 9999 with four digits."""
        least = 10 ** (digits - 1)
        return str(least + self._below(9 * least))

    async def put(self, holder: int, purpose: str, email: str, code: str) -> Write:
        """The write that keeps a code."""
        return Write(
            _PUT,
            {
                "account_id": holder,
                "purpose": purpose,
                "email": email,
                "code_hash": await self._passwords.hash(code),
                "expires_at": self._clock.now() + LIVES,
                "tries": 0,
            },
        )

    async def is_kept(self, holder: int, purpose: str) -> bool:
        """Whether there is a code that has not expired, be it one that has been tried too often."""
        found = await self._store.one(_KEPT, holder=holder, for_what=purpose, now=self._clock.now())
        return found is not None

    async def prove(self, holder: int, purpose: str, code: str) -> Proven:
        """Try a code. Raises Refused `code_wrong`, or `code_spent` when there is none left to try."""
        # The try is counted before it is looked at, so that many at once are not more than five.
        rows = await self._store.change(_TRY, holder=holder, for_what=purpose, now=self._clock.now())
        if not rows:
            await self._passwords.check(None, code)
            raise Refused("code_spent")
        row = rows[0]
        if not (await self._passwords.check(row.code_hash, code)).right:
            raise Refused("code_wrong", left=TRIES - row.tries)
        held = {"holder": holder, "for_what": purpose, "kept": row.code_hash}
        return Proven(row.email, Write(_SPEND, held, expect=1))

    async def is_right(self, holder: int, purpose: str, code: str) -> str:
        """Like `prove`, for a code that stays: gives the address, and the tries begin anew."""
        proven = await self.prove(holder, purpose, code)
        await self._store.change(_RIGHT, **proven.spend.params)
        return proven.email


def drop_codes(holder: int, email: str | None) -> list[Write]:
    """The writes that make every code of an account void, and the one of its address."""
    writes = [Write(_DROP, {"holder": holder})]
    if email is not None:
        held = of_address(email)
        writes.append(Write(_DROP_ONE, {"holder": held.holder, "for_what": held.purpose}))
    return writes
