"""What is said at the Pawn Hub: to all, in a game, to a friend."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tablee.club import Account
from tablee.club.messages import Message, private_channel
from tablee.doors.pawnhub.refusal import Refusal

if TYPE_CHECKING:
    from tablee.doors.pawnhub.session import Session


class Said(NamedTuple):
    """Something said, as it concerns one listener."""

    channel: str
    """`all`, `game` or `private`."""
    sender: str
    other: str
    """The other one of a private talk, or one's opponent in a game."""
    text: str


class Talk:
    """What one session says and hears."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.blocked: frozenset[int] = frozenset()

    async def to_all(self, text: str) -> None:
        await self._say(self._session.member, "global", text)

    async def in_game(self, text: str) -> None:
        account = self._session.player
        if self._session.game is None:
            raise Refusal("nogame", "you are in no game")
        await self._say(account, f"table:{self._session.game.table_id}", text)

    async def to(self, name: str, text: str) -> Account:
        """Talk to a friend; gives his account. Raises UnknownAccount, Refusal `notfriend`, ClubError."""
        me = self._session.member
        whom = await self._session.door.club.accounts.by_pseudo(name)
        if not await self._session.door.club.friends.are_friends(me.id, whom.id):
            raise Refusal("notfriend", f"{whom.pseudo} is not a friend")
        await self._say(me, private_channel(me.id, whom.id), text)
        return whom

    async def _say(self, account: Account, channel: str, text: str) -> None:
        await self._session.door.club.messages.say(account, channel, text)
        await self._session.door.news.caught_up()

    def hears(self, message: Message) -> bool:
        """Whether something said concerns this session."""
        account = self._session.account
        if account is None or self._session.closed or message.author_id in self.blocked:
            return False
        if message.channel == "global":
            return account.is_member
        if message.channel.startswith("private:"):
            return str(account.id) in message.channel.split(":")[1:]
        return self._session.game is not None and message.channel == f"table:{self._session.game.table_id}"

    def hear(self, message: Message, names: dict[int, str]) -> None:
        account = self._session.account
        if account is None:
            return
        sender = names.get(message.author_id, "")
        if message.channel == "global":
            self._session.voice.said(Said("all", sender, "", message.text))
        elif message.channel.startswith("private:"):
            other = message.to_id if message.author_id == account.id else message.author_id
            text = " ".join(message.text.splitlines())
            self._session.voice.said(Said("private", sender, names.get(other or 0, ""), text))
        elif self._session.game is not None:
            self._session.voice.said(Said("game", sender, self._session.game.opponent, message.text))
