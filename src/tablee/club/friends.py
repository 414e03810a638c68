"""Friends: asked, accepted, refused, called off, parted with; and told at once.

Each change is a hint `("friend", account_id, "+friend:12")` to both: `+request` and `-request` for a request
received, `+sent` and `-sent` for one's own, `+friend` and `-friend`; the number is the other's account.
"""

from __future__ import annotations

import msgspec
from sqlalchemy import bindparam, delete, insert, select, update

from tablee.clock import Clock, Instant
from tablee.club.blocks import Blocks
from tablee.club.bounds import FRIENDS_MOST, REQUESTS_MOST
from tablee.club.errors import Refused
from tablee.club.limits import Limits
from tablee.club.notices import Notices
from tablee.club.people import Account
from tablee.store import Conflict, Duplicate, Hint, Query, Store, Unit, Write
from tablee.store.schema import friendship

_PAIR = (friendship.c.low_id == bindparam("low")) & (friendship.c.high_id == bindparam("high"))
_BETWEEN = Query(select(friendship).where(_PAIR))
_ASK = Query(insert(friendship))
_ACCEPT = Query(
    update(friendship)
    .where(_PAIR, friendship.c.asked_by == bindparam("asker"))
    .values(asked_by=None, at=bindparam("now"))
)
_DROP_REQUEST = Query(delete(friendship).where(_PAIR, friendship.c.asked_by == bindparam("asker")))
_PART = Query(delete(friendship).where(_PAIR, friendship.c.asked_by.is_(None)))
_OF_ACCOUNT = Query(
    select(friendship)
    .where((friendship.c.low_id == bindparam("who")) | (friendship.c.high_id == bindparam("who")))
    .order_by(friendship.c.at, friendship.c.low_id, friendship.c.high_id)
)


class Tie(msgspec.Struct, frozen=True):
    """Somebody's tie to another account, since `at`."""

    account_id: int
    at: Instant


class Circle(msgspec.Struct, frozen=True):
    """All ties of an account, the oldest first."""

    friends: list[Tie]
    received: list[Tie]
    sent: list[Tie]


class Friends:
    def __init__(self, store: Store, clock: Clock, blocks: Blocks, notices: Notices, limits: Limits) -> None:
        self._store = store
        self._clock = clock
        self._blocks = blocks
        self._notices = notices
        self._limits = limits

    async def circle(self, account_id: int) -> Circle:
        """Friends, requests received and requests sent."""
        circle = Circle([], [], [])
        for row in await self._store.rows(_OF_ACCOUNT, who=account_id):
            tie = Tie(row.high_id if row.low_id == account_id else row.low_id, row.at)
            if row.asked_by is None:
                circle.friends.append(tie)
            elif row.asked_by == account_id:
                circle.sent.append(tie)
            else:
                circle.received.append(tie)
        return circle

    async def are_friends(self, one: int, other: int) -> bool:
        row = await self._store.one(_BETWEEN, low=min(one, other), high=max(one, other))
        return row is not None and row.asked_by is None

    async def ask(self, who: Account, whom: Account) -> str:
        """Ask somebody: `asked`, or `friends` at once if he had asked.

        Raises Refused `friends_already`, `friend_asked_already`, `blocked`, `members_only`; TooMany.
        """
        if not (who.is_member and whom.is_member):
            raise Refused("members_only")
        if who.id == whom.id:
            raise Refused("not_yourself")
        await self._blocks.refuse_between(who, whom)
        self._limits.take("friend_request", who.id)
        while True:
            row = await self._store.one(_BETWEEN, **_pair(who, whom))
            if row is not None and row.asked_by == whom.id:
                try:
                    await self.accept(who, whom)
                except Refused:
                    continue  # called off or refused in this very moment
                return "friends"
            if row is not None:
                raise Refused("friends_already" if row.asked_by is None else "friend_asked_already")
            await self._has_room(who)
            low, high = sorted((who.id, whom.id))
            ask = {"low_id": low, "high_id": high, "asked_by": who.id, "at": self._clock.now()}
            notice = await self._notices.add_writes(whom.id, "friend_request", {"from": who.pseudo}, who.id)
            hints = [_hint(who, "+sent", whom), _hint(whom, "+request", who), self._notices.hint(whom.id)]
            try:
                await self._store.commit(Unit(writes=[Write(_ASK, ask), *notice], hints=hints))
            except Duplicate:
                continue  # he asked in this very moment: the row is there now
            return "asked"

    async def _has_room(self, who: Account) -> None:
        circle = await self.circle(who.id)
        if len(circle.sent) >= REQUESTS_MOST:
            raise Refused("friend_requests_full", most=REQUESTS_MOST)
        if len(circle.friends) >= FRIENDS_MOST:
            raise Refused("friends_full", most=FRIENDS_MOST)

    async def accept(self, who: Account, asker: Account) -> None:
        """Raises Refused `friend_request_none` if that one has not asked."""
        params = {**_pair(who, asker), "asker": asker.id, "now": self._clock.now()}
        notice = await self._notices.add_writes(asker.id, "friend_accepted", {"from": who.pseudo}, who.id)
        hints = [_hint(who, "+friend", asker), _hint(asker, "+friend", who)]
        hints += [_hint(who, "-request", asker), _hint(asker, "-sent", who), self._notices.hint(asker.id)]
        await self._do([Write(_ACCEPT, params, expect=1), *notice], hints, "friend_request_none")

    async def refuse(self, who: Account, asker: Account) -> None:
        """Raises Refused `friend_request_none` if that one has not asked."""
        drop = Write(_DROP_REQUEST, {**_pair(who, asker), "asker": asker.id}, expect=1)
        hints = [_hint(who, "-request", asker), _hint(asker, "-sent", who)]
        await self._do([drop], hints, "friend_request_none")

    async def cancel(self, who: Account, asked: Account) -> None:
        """Call one's own request off. Raises Refused `friend_request_none`."""
        drop = Write(_DROP_REQUEST, {**_pair(who, asked), "asker": who.id}, expect=1)
        hints = [_hint(who, "-sent", asked), _hint(asked, "-request", who)]
        await self._do([drop], hints, "friend_request_none")

    async def remove(self, who: Account, friend: Account) -> None:
        """Raises Refused `friend_none` if the two are no friends."""
        hints = [_hint(who, "-friend", friend), _hint(friend, "-friend", who)]
        await self._do([Write(_PART, _pair(who, friend), expect=1)], hints, "friend_none")

    async def _do(self, writes: list[Write], hints: list[Hint], otherwise: str) -> None:
        try:
            await self._store.commit(Unit(writes=writes, hints=hints))
        except Conflict:
            raise Refused(otherwise) from None


def _pair(one: Account, other: Account) -> dict[str, int]:
    return {"low": min(one.id, other.id), "high": max(one.id, other.id)}


def _hint(who: Account, what: str, other: Account) -> Hint:
    return Hint("friend", who.id, f"{what}:{other.id}")
