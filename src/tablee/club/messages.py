"""What people say to each other: to all, at a table, in private. It is no part of any game's log."""

from __future__ import annotations

import re
import unicodedata
from collections import OrderedDict

import msgspec
from sqlalchemy import Select, bindparam, func, insert, select, update

from tablee.clock import Clock, Instant
from tablee.club.blocks import Blocks
from tablee.club.bounds import MESSAGE_MOST, MESSAGES_MOST
from tablee.club.calling.calls import call_write
from tablee.club.deeds import END_OF_TIME, Deeds
from tablee.club.errors import Invalid, NotFound, Refused
from tablee.club.limits import Limits
from tablee.club.people import BY_ID, Account, account_of
from tablee.store import Conflict, Duplicate, Hint, Query, Store, Unit, Write, upsert
from tablee.store.schema import block, message, reading, said

REMEMBERED = 1000

_CHANNEL = re.compile(r"global|table:[1-9][0-9]{0,17}|private:[1-9][0-9]{0,17}:[1-9][0-9]{0,17}")
_GAP = re.compile(r"\n{3,}")
_SHOWN = (message.c.id, message.c.channel, message.c.author_id, message.c.to_id, message.c.text, message.c.at)
_NOT_DELETED = message.c.deleted_at.is_(None)
_BLOCKED = select(block.c.blocked_id).where(block.c.account_id == bindparam("reader"))
_INSERT = Query(insert(message))
_NOTE_SAID = Query(insert(said))
_SAID = Query(
    select(said.c.message_id).where(
        said.c.author_id == bindparam("who"),
        said.c.channel == bindparam("where"),
        said.c.request_id == bindparam("request"),
    )
)
_WRITTEN = Query(select(func.count().label("number")).where(message.c.author_id == bindparam("who")))
_NEWEST = Query(select(func.max(message.c.id).label("last")).where(message.c.channel == bindparam("where")))
_GET = Query(select(*_SHOWN).where(message.c.id == bindparam("which"), _NOT_DELETED))
_HISTORY = Query(
    select(*_SHOWN)
    .where(
        message.c.channel == bindparam("where"),
        message.c.id < bindparam("before"),
        message.c.author_id.not_in(_BLOCKED),
        _NOT_DELETED,
    )
    .order_by(message.c.id.desc())
    .limit(bindparam("most"))
)


def _unread() -> Select[tuple[str, int]]:
    mark = reading.alias()
    read = (
        select(func.coalesce(func.max(mark.c.message_id), 0))
        .where(mark.c.account_id == bindparam("reader"), mark.c.channel == message.c.channel)
        .scalar_subquery()
    )
    return (
        select(message.c.channel, func.count().label("number"))
        .where(
            message.c.to_id == bindparam("reader"),
            message.c.id > read,
            message.c.author_id.not_in(_BLOCKED),
            _NOT_DELETED,
        )
        .group_by(message.c.channel)
    )


_UNREAD = Query(_unread())
_LAST = (
    select(func.max(message.c.id))
    .where(
        (message.c.to_id == bindparam("reader"))
        | ((message.c.author_id == bindparam("reader")) & message.c.to_id.is_not(None)),
        message.c.author_id.not_in(_BLOCKED),
        _NOT_DELETED,
    )
    .group_by(message.c.channel)
)
_CONVERSATIONS = Query(
    select(*_SHOWN).where(message.c.id.in_(_LAST)).order_by(message.c.id.desc()).limit(bindparam("most"))
)
_OF_NO_ROLE = dict.fromkeys(("deleted_at", "author_role", "to_role", "to_roles"))
_READ = Query(upsert(reading, where=lambda offered: reading.c.message_id < offered.message_id))
_DELETE = Query(
    update(message)
    .where(message.c.id == bindparam("which"), _NOT_DELETED)
    .values(deleted_at=bindparam("now"), text="")
)


class Message(msgspec.Struct, frozen=True):
    """Something said; `to_id` is who a private message is for."""

    id: int
    channel: str
    author_id: int
    to_id: int | None
    text: str
    at: Instant


class Conversation(msgspec.Struct, frozen=True):
    """A private channel of somebody: with whom, the last message, how many are unread."""

    channel: str
    account_id: int
    last: Message
    unread: int


class Messages:
    def __init__(self, store: Store, clock: Clock, blocks: Blocks, deeds: Deeds, limits: Limits) -> None:
        self._store = store
        self._clock = clock
        self._blocks = blocks
        self._deeds = deeds
        self._limits = limits
        self._recent: OrderedDict[int, Message] = OrderedDict()
        self._leave = [
            store.bus.subscribe("chat_deleted", lambda _, value: self._forget(int(value))),
            store.bus.on_lost(self._recent.clear),
            store.on_restored(self._recent.clear),
        ]

    async def say(self, author: Account, channel: str, text: str, request_id: str | None = None) -> Message:
        """Say something in a channel: `global`, `table:12` or `private:3:8` (see `private_channel`).

        Who may speak at a table is the table's affair. Asked again with the same `request_id` within a day,
        it answers with what was said and says nothing more. Raises Invalid, NotFound, Refused, TooMany.
        """
        spoken = message_text(text, lines=channel.startswith("private:"))
        if not _CHANNEL.fullmatch(channel):
            raise NotFound("channel_unknown", channel="".join(c for c in channel[:40] if c.isprintable()))
        if not channel.startswith("table:") and not author.is_member:
            raise Refused("members_only")
        if request_id is not None and (before := await self._said(author, channel, request_id)):
            return before
        to_id = await self._recipient(author, channel) if channel.startswith("private:") else None
        await self.make_room(author, 1, len(spoken))
        self._limits.take("say", author.id)
        # One number at a time: the numbers of several nodes are then in the order of what was said.
        number = await self._store.new_id("message", block=1)
        made = Message(number, channel, author.id, to_id, spoken, self._clock.now())
        write = Write(_INSERT, msgspec.structs.asdict(made) | _OF_NO_ROLE)
        writes = [write]
        if to_id is not None:
            about = {"kind": "said", "from": author.pseudo, "channel": channel, "message": number}
            writes.append(
                call_write(to_id, "message", made.at, what=str(number), about=about, names=author.id)
            )
        if request_id is not None:
            key = {"author_id": author.id, "channel": channel, "request_id": request_id}
            writes.append(Write(_NOTE_SAID, key | {"message_id": made.id, "at": made.at}))
        self._remember(made)
        try:
            await self._store.commit(Unit(writes=writes, hints=[Hint("chat", channel, made.id)]))
        except Duplicate:
            # The same request came twice at once; the other one was faster.
            self._forget(made.id)
            before = await self._said(author, channel, request_id or "")
            if before is None:
                raise
            return before
        return made

    async def make_room(self, author: Account, count: int, characters: int) -> None:
        """Somebody will say so many things, with so many characters; raises Refused, TooMany."""
        kept = await self._store.one(_WRITTEN, who=author.id)
        if kept is not None and kept.number + count > MESSAGES_MOST:
            raise Refused("messages_full", most=MESSAGES_MOST)
        self._limits.check("said", author.id, characters)
        self._limits.take("writing", author.id, characters)
        self._limits.count("said", author.id, characters)

    async def _said(self, author: Account, channel: str, request_id: str) -> Message | None:
        """What this request has said already; raises NotFound if it was taken away since."""
        row = await self._store.one(_SAID, who=author.id, where=channel, request=request_id)
        if row is None:
            return None
        before = await self.get(row.message_id)
        if before is None:
            raise NotFound("message_unknown")
        return before

    async def get(self, message_id: int) -> Message | None:
        """One message, for who heard of it from the bus; None if it was deleted meanwhile."""
        recent = self._recent.get(message_id)
        if recent is not None:
            return recent
        row = await self._store.one(_GET, which=message_id)
        if row is None:
            return None
        found = Message(*row)
        self._remember(found)
        return found

    async def history(
        self, channel: str, *, before: int | None = None, limit: int = 50, reader: int = 0
    ) -> list[Message]:
        """The newest messages first, without those of people whom the reader has blocked."""
        rows = await self._store.rows(
            _HISTORY,
            where=channel,
            before=before if before is not None else END_OF_TIME,
            most=max(1, min(limit, 200)),
            reader=reader,
        )
        return [Message(*row) for row in rows]

    async def conversations(self, account_id: int, *, limit: int = 100) -> list[Conversation]:
        """The private channels of an account, the last used first."""
        unread = await self.unread(account_id)
        rows = await self._store.rows(_CONVERSATIONS, reader=account_id, most=max(1, min(limit, 500)))
        return [
            Conversation(last.channel, _other(last.channel, account_id), last, unread.get(last.channel, 0))
            for last in (Message(*row) for row in rows)
        ]

    async def unread(self, account_id: int) -> dict[str, int]:
        """How many private messages an account has not read, by channel."""
        rows = await self._store.rows(_UNREAD, reader=account_id)
        return {row.channel: row.number for row in rows}

    async def read(self, account_id: int, channel: str, message_id: int) -> None:
        """Somebody has read a channel up to this message."""
        if not _CHANNEL.fullmatch(channel) or not 0 <= message_id < END_OF_TIME:
            raise NotFound("channel_unknown", channel="".join(c for c in channel[:40] if c.isprintable()))
        if channel.startswith("private:") and str(account_id) not in channel.split(":")[1:]:
            raise NotFound("channel_unknown", channel=channel)
        newest = await self._store.one(_NEWEST, where=channel)
        if newest is None or newest.last is None:
            return  # where nothing was said, nothing is read: no mark is kept of it
        read = min(message_id, newest.last)
        mark = Write(_READ, {"account_id": account_id, "channel": channel, "message_id": read})
        await self._store.commit(Unit(writes=[mark], hints=[Hint("account", account_id, "read")]))

    async def delete(self, administrator: Account, message_id: int, *, address: str = "") -> None:
        """Take a message away for everybody. Raises Refused, NotFound."""
        if not administrator.is_administrator:
            raise Refused("not_allowed", role="administrator")
        row = await self._store.one(_GET, which=message_id)
        if row is None:
            raise NotFound("message_unknown")
        drop = Write(_DELETE, {"which": message_id, "now": self._clock.now()}, expect=1)
        deed = await self._deeds.write(
            "delete_message",
            actor=administrator.id,
            account=row.author_id,
            about={"message": message_id, "channel": row.channel},
            address=address,
        )
        try:
            await self._store.commit(
                Unit(writes=[drop, deed], hints=[Hint("chat_deleted", row.channel, message_id)])
            )
        except Conflict:
            raise NotFound("message_unknown") from None

    def close(self) -> None:
        for leave in self._leave:
            leave()

    async def _recipient(self, author: Account, channel: str) -> int:
        _, low, high = channel.split(":")
        pair = (int(low), int(high))
        if author.id not in pair or pair[0] >= pair[1]:
            raise NotFound("channel_unknown", channel=channel)
        other = pair[1] if pair[0] == author.id else pair[0]
        row = await self._store.one(BY_ID, which=other)
        recipient = account_of(row) if row is not None else None
        if recipient is None or not recipient.is_member:
            raise NotFound("account_gone")
        await self._blocks.refuse_between(author, recipient)
        return other

    def _remember(self, made: Message) -> None:
        self._recent[made.id] = made
        while len(self._recent) > REMEMBERED:
            self._recent.popitem(last=False)

    def _forget(self, message_id: int) -> None:
        self._recent.pop(message_id, None)


def private_channel(one: int, other: int) -> str:
    """The channel between two accounts, the smaller id first."""
    return f"private:{min(one, other)}:{max(one, other)}"


def message_text(text: str, *, lines: bool = False) -> str:
    """A message as it is kept: control characters are spaces, and it says something. Raises Invalid.

    With `lines` it may have several, and no more than one empty one between two of them.
    """
    if len(text) > 4 * MESSAGE_MOST:
        raise Invalid("message_too_long", "text", most=MESSAGE_MOST)
    composed = unicodedata.normalize("NFC", text)
    if lines:
        composed = _GAP.sub("\n\n", "\n".join(line.rstrip() for line in composed.splitlines()))
    kept = "\n" if lines else ""
    plain = "".join(" " if _is_control(c) and c not in kept else c for c in composed).strip()
    if not plain:
        raise Invalid("message_empty", "text")
    if len(plain) > MESSAGE_MOST:
        raise Invalid("message_too_long", "text", most=MESSAGE_MOST)
    return plain


def _is_control(character: str) -> bool:
    # Those that turn the direction of the text would let one message disguise the next line; the joiners
    # that hold emoji together are harmless.
    kind = unicodedata.category(character)
    return kind in ("Cc", "Cs", "Zl", "Zp") or (kind == "Cf" and character not in "\u200c\u200d")


def _other(channel: str, account_id: int) -> int:
    _, low, high = channel.split(":")
    return int(high) if int(low) == account_id else int(low)
