"""Messages on their way to those who listen to a channel."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

import msgspec

from tablee.tables import NoSuchTable

from ..live.messages import Said, Unsaid
from ..tables.visibility import must_see
from .channels import parties, shown_channel, shown_messages

if TYPE_CHECKING:
    from ..house import House
    from ..live.connection import Connection

_encode = msgspec.json.Encoder().encode


class Ear:
    """One connection's ear at one channel."""

    def __init__(
        self, chatter: Chatter, channel: str, connection: Connection, invitation: str | None
    ) -> None:
        self._chatter = chatter
        self._channel = channel
        self.connection = connection
        self.invitation = invitation

    def close(self) -> None:
        self._chatter.leave(self._channel, self)


class Chatter:
    """Who listens where. Messages are read and told one after the other, in the order of the hints."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._ears: dict[str, set[Ear]] = {}
        self._told: dict[str, _Heard] = {}
        self._blocks: dict[int, frozenset[int]] = {}
        self._waiting: deque[tuple[str, int]] = deque()
        self._running = False

    async def listen(self, channel: str, connection: Connection, invitation: str | None = None) -> Ear:
        """Hear a channel (the house's name of it, or `private@7` for all of account 7's)."""
        ear = Ear(self, channel, connection, invitation)
        self._ears.setdefault(channel, set()).add(ear)
        if channel not in self._told and not channel.startswith("private@"):
            newest = await self._house.club.messages.history(channel, limit=1)
            self._told.setdefault(channel, _Heard(newest[0].id if newest else 0))
        return ear

    def leave(self, channel: str, ear: Ear) -> None:
        there = self._ears.get(channel)
        if there is not None:
            there.discard(ear)
            if not there:
                del self._ears[channel]
                self._told.pop(channel, None)

    async def link_renewed(self, table_id: int) -> None:
        """Who came by a link that is dead now no longer hears what is said at the table."""
        for ear in list(self._ears.get(f"table:{table_id}", ())):
            who = ear.connection.identity
            reader = None if who is None else who.account.id
            try:
                await must_see(self._house, table_id, reader, ear.invitation, ear.connection.is_administrator)
            except NoSuchTable:
                ear.close()

    def hint(self, key: int | str, value: int | str) -> None:
        """A message was said in a channel."""
        channel = str(key)
        if any(name in self._ears for name in _names(channel)):
            self._waiting.append((channel, int(value)))
            self._go_on()

    def deleted(self, key: int | str, value: int | str) -> None:
        """A message was taken away."""
        channel = str(key)
        for name in _names(channel):
            for ear in list(self._ears.get(name, ())):
                identity = ear.connection.identity
                reader = None if identity is None else identity.account.id
                ear.connection.send(Unsaid(channel=shown_channel(channel, reader), message=int(value)))

    def catch_up(self) -> None:
        """Hints may be missing: what was said since the last message told is told now."""
        self._house.live.spawn(self._catch_up())

    def forget_blocks(self, account_id: int) -> None:
        self._blocks.pop(account_id, None)

    async def _catch_up(self) -> None:
        for channel in [name for name in self._ears if not name.startswith("private@")]:
            for message in reversed(await self._house.club.messages.history(channel, limit=100)):
                self._waiting.append((channel, message.id))
        self._go_on()

    def _go_on(self) -> None:
        if not self._running:
            self._running = True
            self._house.live.spawn(self._run())

    async def _run(self) -> None:
        try:
            while self._waiting:
                await self._tell(*self._waiting.popleft())
        finally:
            self._running = False

    async def _tell(self, channel: str, message_id: int) -> None:
        told = self._told.get(channel)
        if told is not None and not told.is_new(message_id):
            return
        message = await self._house.club.messages.get(message_id)
        if message is None:
            return
        for name in _names(channel):
            text = ""
            for ear in list(self._ears.get(name, ())):
                identity = ear.connection.identity
                reader = None if identity is None else identity.account.id
                if reader is not None and message.author_id in await self._blocked_by(reader):
                    continue
                if not text:
                    shown = (await shown_messages(self._house, [message], reader))[0]
                    text = _encode(Said(message=shown)).decode()
                ear.connection.send_text(text)

    async def _blocked_by(self, account_id: int) -> frozenset[int]:
        known = self._blocks.get(account_id)
        if known is None:
            if len(self._blocks) > 10_000:
                self._blocks.clear()
            known = self._blocks[account_id] = frozenset(await self._house.club.blocks.list(account_id))
        return known


class _Heard:
    """Which messages of a channel were told. Two nodes may commit in another order than their numbers'."""

    def __init__(self, floor: int) -> None:
        self._floor = floor
        self._recent: deque[int] = deque(maxlen=300)

    def is_new(self, message_id: int) -> bool:
        if message_id <= self._floor or message_id in self._recent:
            return False
        self._recent.append(message_id)
        return True


def _names(channel: str) -> list[str]:
    """Under which names a channel is listened to here."""
    pair = parties(channel)
    return [f"private@{account_id}" for account_id in pair] if pair else [channel]
