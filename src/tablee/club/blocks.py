"""Whom somebody does not want to hear."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import bindparam, delete, select

from tablee.clock import Clock
from tablee.club.bounds import BLOCKS_MOST
from tablee.club.errors import Refused
from tablee.club.people import Account
from tablee.store import Hint, Query, Store, Unit, Write, upsert
from tablee.store.schema import block, friendship

_BLOCK = Query(upsert(block, change=()))
_UNBLOCK = Query(
    delete(block).where(block.c.account_id == bindparam("who"), block.c.blocked_id == bindparam("whom"))
)
_LIST = Query(select(block.c.blocked_id).where(block.c.account_id == bindparam("who")).order_by(block.c.at))
_EITHER = Query(
    select(block.c.account_id).where(
        ((block.c.account_id == bindparam("one")) & (block.c.blocked_id == bindparam("other")))
        | ((block.c.account_id == bindparam("other")) & (block.c.blocked_id == bindparam("one")))
    )
)
_OF_MANY = Query(
    select(block.c.account_id, block.c.blocked_id).where(
        block.c.account_id.in_(bindparam("b_ids", expanding=True))
    )
)
_PART = Query(
    delete(friendship).where(
        friendship.c.low_id == bindparam("low"), friendship.c.high_id == bindparam("high")
    )
)


class Blocks:
    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def block(self, who: Account, whom: Account) -> None:
        """Hear no more of somebody; a friendship or a request between the two ends."""
        if who.id == whom.id:
            raise Refused("not_yourself")
        blocked = await self.list(who.id)
        if whom.id not in blocked and len(blocked) >= BLOCKS_MOST:
            raise Refused("blocks_full", most=BLOCKS_MOST)
        put = Write(_BLOCK, {"account_id": who.id, "blocked_id": whom.id, "at": self._clock.now()})
        part = Write(_PART, {"low": min(who.id, whom.id), "high": max(who.id, whom.id)})
        gone = [Hint("friend", who.id, f"-friend:{whom.id}"), Hint("friend", whom.id, f"-friend:{who.id}")]
        await self._store.commit(Unit(writes=[put, part], hints=[*gone, blocks_changed(who.id)]))

    async def unblock(self, who: Account, whom: Account) -> None:
        lift = Write(_UNBLOCK, {"who": who.id, "whom": whom.id})
        await self._store.commit(Unit(writes=[lift], hints=[blocks_changed(who.id)]))

    async def list(self, account_id: int) -> list[int]:
        """Whom an account has blocked, the longest blocked first."""
        return [row.blocked_id for row in await self._store.rows(_LIST, who=account_id)]

    async def among(self, people: Sequence[int]) -> frozenset[frozenset[int]]:
        """The pairs of these people of whom one has blocked the other."""
        wanted = frozenset(people)
        found = set()
        for start in range(0, len(people), 500):
            for row in await self._store.rows(_OF_MANY, b_ids=list(people[start : start + 500])):
                if row.blocked_id in wanted:
                    found.add(frozenset((row.account_id, row.blocked_id)))
        return frozenset(found)

    async def refuse_between(self, who: Account, whom: Account) -> None:
        """Raise Refused if either of the two has blocked the other."""
        rows = await self._store.rows(_EITHER, one=who.id, other=whom.id)
        if rows:
            mine = any(row.account_id == who.id for row in rows)
            raise Refused("blocked_by_you" if mine else "blocked")


def blocks_changed(account_id: int) -> Hint:
    """What the bus says when an account's block list has changed."""
    return Hint("account", account_id, "blocks")
