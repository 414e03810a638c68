"""The sessions of this node: one of an account, on whichever node."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablee.club.online import Online

if TYPE_CHECKING:
    from tablee.doors.pawnhub.session import Session

# Why: docs/decisions.md#one-session-is-a-presence
DOOR = "pawnhub"


class Present:
    """The sessions of this node by account; who is connected to other nodes the club knows."""

    def __init__(self, online: Online) -> None:
        self._online = online
        self.here: dict[int, Session] = {}

    async def is_connected(self, account_id: int) -> bool:
        """Whether somebody has a session here or at another node."""
        return account_id in self.here or await self._online.is_at_another_node(DOOR, account_id)

    async def enter(self, account_id: int, session: Session) -> bool:
        """Be the one session of this account; False if there is another."""
        if account_id in self.here:
            return False
        self.here[account_id] = session
        is_alone = False
        try:
            is_alone = await self._online.arrive_alone(DOOR, account_id)
        finally:
            if not is_alone:
                self._forget(account_id, session)
        return is_alone

    async def leave(self, account_id: int, session: Session) -> None:
        """The session is gone; a database that is away hears of it when it is back."""
        if self._forget(account_id, session):
            await self._online.departed(DOOR, account_id)

    def _forget(self, account_id: int, session: Session) -> bool:
        if self.here.get(account_id) is not session:
            return False
        del self.here[account_id]
        return True
