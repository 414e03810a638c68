"""Somebody's friends at the Pawn Hub: who they are, who of them is here, and who asks to be one."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import msgspec

from tablee.club import Account
from tablee.club.friends import Circle

if TYPE_CHECKING:
    from tablee.doors.pawnhub.door import PawnhubDoor
    from tablee.doors.pawnhub.session import Session


class Friends:
    """The friends of one session's account."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.names: dict[int, str] = {}
        self.online: set[int] = set()
        self.doing: int | None = None
        """With whose account this session itself does something just now: it need not be told."""

    def forget(self) -> None:
        """Nobody is logged in any more."""
        self.names, self.online = {}, set()

    async def look(self) -> None:
        """Who the friends are, and who of them is here."""
        circle = await self.circle()
        self.names = {tie.account_id: name for tie, name in circle.friends}
        self.online = set(await self._session.door.club.online.shown(self.names))

    async def circle(self) -> NamedCircle:
        """Friends and requests with their names. Raises Refusal."""
        found = await self._session.door.club.friends.circle(self._session.member.id)
        return await _named(self._session.door, found)

    async def ask(self, name: str) -> str:
        """`asked`, or `friends` at once. Raises as `Friends.ask`, UnknownAccount, Refusal."""
        me = self._session.member
        whom = await self._session.door.club.accounts.by_pseudo(name)
        async with self._with(whom):
            answer = await self._session.door.club.friends.ask(me, whom)
        if answer == "friends":
            await self.look()
        return answer

    async def accept(self, name: str) -> None:
        me = self._session.member
        whom = await self._session.door.club.accounts.by_pseudo(name)
        async with self._with(whom):
            await self._session.door.club.friends.accept(me, whom)
        await self.look()

    async def refuse(self, name: str) -> None:
        me = self._session.member
        whom = await self._session.door.club.accounts.by_pseudo(name)
        async with self._with(whom):
            await self._session.door.club.friends.refuse(me, whom)

    async def cancel(self, name: str) -> None:
        me = self._session.member
        whom = await self._session.door.club.accounts.by_pseudo(name)
        async with self._with(whom):
            await self._session.door.club.friends.cancel(me, whom)

    async def part(self, name: str) -> None:
        me = self._session.member
        whom = await self._session.door.club.accounts.by_pseudo(name)
        async with self._with(whom):
            await self._session.door.club.friends.remove(me, whom)
        await self.look()

    @asynccontextmanager
    async def _with(self, whom: Account) -> AsyncIterator[None]:
        self.doing = whom.id
        try:
            yield
        finally:
            self.doing = None

    async def tie_changed(self, what: str, other_id: int) -> None:
        """A tie to somebody has changed; whoever has changed it himself knows."""
        if what == "-friend" and other_id not in self.names:
            return  # whoever is blocked is told so too, friend or not
        if what in ("+friend", "-friend") and self._session.is_member:
            await self.look()
        people = await self._session.door.club.accounts.many([other_id])
        if other_id in people and not self._session.closed:
            self._session.voice.friend(people[other_id].pseudo, what)

    async def presence_changed(self, other_id: int) -> None:
        """A friend has come or gone somewhere: is he here now?"""
        name = self.names.get(other_id)
        if name is None or self._session.closed:
            return
        is_here = bool(await self._session.door.club.online.shown([other_id]))
        if is_here != (other_id in self.online):
            (self.online.add if is_here else self.online.discard)(other_id)
            self._session.voice.friend(name, "+online" if is_here else "-online")


class NamedCircle(msgspec.Struct, frozen=True):
    """A circle with the names of those in it."""

    friends: list[tuple[Any, str]]
    received: list[tuple[Any, str]]
    sent: list[tuple[Any, str]]


async def _named(door: PawnhubDoor, circle: Circle) -> NamedCircle:
    ties = [*circle.friends, *circle.received, *circle.sent]
    people = await door.club.accounts.many({tie.account_id for tie in ties})
    named = [
        [(tie, people[tie.account_id].pseudo) for tie in part if tie.account_id in people]
        for part in (circle.friends, circle.received, circle.sent)
    ]
    return NamedCircle(*named)
