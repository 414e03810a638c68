"""Who is connected here: one session an account, on whichever node."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import structlog
from sqlalchemy import bindparam, delete, select

from tablee.clock import Clock
from tablee.club.presence import shown_here
from tablee.store import Hint, Query, Store, Unavailable, Unit, Write, upsert
from tablee.store.schema import presence

if TYPE_CHECKING:
    from tablee.doors.pawnhub.session import Session

log = structlog.get_logger("tablee.pawnhub")

# Why: docs/decisions.md#one-session-is-a-presence
PLACE = "pawnhub"
AGAIN_AFTER = 1_000
"""Milliseconds after which what a database that is gone did not take is tried again."""
_him = presence.c.account_id == bindparam("b_account_id")
_here = (presence.c.place == PLACE) & (presence.c.node_id == bindparam("b_node"))
_PUT = Query(upsert(presence))
_DROP = Query(delete(presence).where(_here, _him))
_ELSEWHERE = Query(
    select(presence.c.node_id).where(
        presence.c.place == PLACE, presence.c.node_id != bindparam("b_node"), _him
    )
)


class Roll:
    """The sessions of this node by account, and the rows by which the other nodes know of them."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self.here: dict[int, Session] = {}

    async def is_connected(self, account_id: int) -> bool:
        """Whether somebody has a session here or at another node."""
        return account_id in self.here or await self._is_elsewhere(account_id)

    async def enter(self, account_id: int, session: Session) -> bool:
        """Be the one session of this account; False if there is another.

        Two that come at the same moment to two nodes may both be refused, never both let in.
        """
        if account_id in self.here:
            return False
        self.here[account_id] = session
        try:
            await self._store.commit(Unit(writes=[self._row(account_id)]))
            is_alone = not await self._is_elsewhere(account_id)
        except BaseException:
            self._forget(account_id, session)
            raise
        if is_alone:
            self._store.bus.publish([Hint("presence", account_id, "here")])
        else:
            await self.leave(account_id, session)
        return is_alone

    async def leave(self, account_id: int, session: Session) -> None:
        """The session is gone; a database that is away hears of it when it is back."""
        if not self._forget(account_id, session):
            return
        try:
            await self._store.commit(self._dropping(account_id))
        except Unavailable as error:
            log.warning("pawnhub_presence_not_written", error=str(error))
            self._clock.call_at(self._clock.now() + AGAIN_AFTER, lambda: self._drop_later(account_id))

    def _drop_later(self, account_id: int) -> None:
        def written(error: Exception | None) -> None:
            if isinstance(error, Unavailable):
                self._clock.call_at(self._clock.now() + AGAIN_AFTER, lambda: self._drop_later(account_id))

        if account_id not in self.here:
            self._store.submit(self._dropping(account_id), written)

    def _dropping(self, account_id: int) -> Unit:
        drop = Write(_DROP, {"b_account_id": account_id, "b_node": self._store.node_id})
        return Unit(writes=[drop], hints=[Hint("presence", account_id, "gone")])

    async def online(self, ids: Iterable[int]) -> frozenset[int]:
        """Which of these are connected, through whichever door, and let others see it."""
        return await shown_here(self._store, ids)

    def enter_again(self) -> None:
        """The others took this node for dead and forgot who is here: say it again."""
        for account_id in self.here:
            hint = Hint("presence", account_id, "here")
            self._store.submit(Unit(writes=[self._row(account_id)], hints=[hint]), _complain)

    def _forget(self, account_id: int, session: Session) -> bool:
        if self.here.get(account_id) is not session:
            return False
        del self.here[account_id]
        return True

    async def _is_elsewhere(self, account_id: int) -> bool:
        row = await self._store.one(_ELSEWHERE, b_account_id=account_id, b_node=self._store.node_id)
        return row is not None

    def _row(self, account_id: int) -> Write:
        row: dict[str, Any] = {"node_id": self._store.node_id, "place": PLACE, "account_id": account_id}
        return Write(_PUT, {**row, "table_id": 0, "seat": 0, "since": self._clock.now()})


def _complain(error: Exception | None) -> None:
    if error is not None:
        log.warning("pawnhub_presence_not_written", error=str(error))
