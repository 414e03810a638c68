"""What the house tells the sessions of this node, one after the other in the order it happened."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

import structlog

from tablee.club import ClubError
from tablee.store import StoreError

if TYPE_CHECKING:
    from tablee.doors.pawnhub.door import PawnhubDoor

log = structlog.get_logger("tablee.pawnhub")

Work = Callable[[], Coroutine[Any, Any, None]]


class News:
    """A single file of tellings: each may read the database, none overtakes another."""

    def __init__(self, door: PawnhubDoor) -> None:
        self._door = door
        self._waiting: deque[Work] = deque()
        self._running = False
        self._idle = asyncio.Event()
        self._idle.set()

    def add(self, work: Work) -> None:
        self._waiting.append(work)
        if not self._running:
            self._running = True
            self._idle.clear()
            self._door.spawn(self._run())

    async def caught_up(self) -> None:
        """Wait until all that has happened so far was told."""
        await self._idle.wait()

    async def _run(self) -> None:
        try:
            while self._waiting:
                try:
                    await self._waiting.popleft()()
                except (StoreError, ClubError) as error:  # what it was about may be gone meanwhile
                    log.warning("pawnhub_news_lost", error=str(error))
        finally:
            self._running = False
            self._idle.set()

    # --- hints of the bus -------------------------------------------------------------------------------

    def said(self, key: int | str, value: int | str) -> None:
        """Something was said in a channel."""
        channel = str(key)
        if channel == "global" or channel.startswith(("private:", "table:")):
            self.add(lambda: self._said(int(value)))

    async def _said(self, message_id: int) -> None:
        message = await self._door.club.messages.get(message_id)
        if message is None:
            return
        hearing = [session for session in self._door.present.here.values() if session.talk.hears(message)]
        if hearing:
            wanted = {message.author_id} | ({message.to_id} if message.to_id is not None else set())
            people = await self._door.club.accounts.many(wanted)
            names = {account_id: account.pseudo for account_id, account in people.items()}
            for session in hearing:
                session.talk.hear(message, names)

    def friend(self, key: int | str, value: int | str) -> None:
        """A tie of somebody has changed."""
        session = self._door.present.here.get(int(key))
        what, _, other = str(value).partition(":")
        if session is None or what == "+sent":
            return
        if session.friends.doing != int(other):
            self.add(lambda: session.friends.tie_changed(what, int(other)))

    def challenge(self, key: int | str, value: int | str) -> None:
        """A challenge that concerns somebody was made or has ended."""
        session = self._door.present.here.get(int(key))
        what, _, number = str(value).partition(":")
        if session is not None:
            self.add(lambda: session.challenge_changed(what, int(number)))

    def presence(self, key: int | str, value: int | str) -> None:
        """Somebody has come or gone, through whichever door."""
        who = int(key)
        for session in self._door.present.here.values():
            if who in session.friends.names:
                self.add(lambda session=session: session.friends.presence_changed(who))  # type: ignore[misc]
