"""What people say: to all, at a table, in private; and whom one does not want to hear."""

from __future__ import annotations

from typing import Annotated

import msgspec

from tablee.club.scopes import Scope

from ..api.ask import Ask
from ..api.registry import Body, Id, Invitation, Limit, Routes, Who
from ..live.messages import RequestId
from ..shapes import Message, Person, Shape, person
from ..talk.channels import house_channel, shown_channel, shown_messages

routes = Routes("chat")

Channel = Annotated[str, msgspec.Meta(max_length=40, description="global, table:12 or private:7")]


class ChannelQuery(Body, frozen=True):
    invitation: Invitation | None = None


class MessagesQuery(ChannelQuery, frozen=True):
    before: Id | None = None
    limit: Limit = 50


class Messages(Shape, frozen=True):
    """Messages, newest first, without those of people one has blocked."""

    messages: list[Message]


@routes.get("/channels/{channel}/messages", who=Who.ANYONE, refusals=(401, 403))
async def messages(ask: Ask, channel: Channel, query: MessagesQuery) -> Messages:
    """What was said in a channel, newest first; older ones with `before`.

    The channel of a private table needs its `invitation`, or a seat there.
    """
    reader = ask.account_id_if_any
    name = await house_channel(ask.house, channel, reader, ask.is_administrator, query.invitation)
    found = await ask.house.club.messages.history(
        name, before=query.before, limit=query.limit, reader=reader or 0
    )
    return Messages(messages=await shown_messages(ask.house, found, reader))


class Saying(Body, frozen=True):
    text: Annotated[str, msgspec.Meta(min_length=1, max_length=4000)]
    request_id: RequestId | None = None


@routes.post("/channels/{channel}/messages", scope=Scope.CHAT, status=201, refusals=(403,))
async def say(ask: Ask, channel: Channel, body: Saying, query: ChannelQuery) -> Message:
    """Say something; with a `request_id` only once, however often sent. A visitor may do so at tables."""
    name = await house_channel(ask.house, channel, ask.account_id, ask.is_administrator, query.invitation)
    said = await ask.house.club.messages.say(ask.account, name, body.text, body.request_id)
    return (await shown_messages(ask.house, [said], ask.account_id))[0]


class ReadUpTo(Body, frozen=True):
    message: Id


@routes.put("/channels/{channel}/read", scope=Scope.CHAT)
async def read_channel(ask: Ask, channel: Channel, body: ReadUpTo, query: ChannelQuery) -> None:
    """One has read this channel up to a message."""
    name = await house_channel(ask.house, channel, ask.account_id, ask.is_administrator, query.invitation)
    await ask.house.club.messages.read(ask.account_id, name, body.message)


class Conversation(Shape, frozen=True):
    """A private channel: with whom, the last message, how many are unread."""

    channel: str
    person: Person
    last_message: int
    last: Message
    unread: int


class Conversations(Shape, frozen=True):
    """One's private channels, the last used first."""

    conversations: list[Conversation]
    unread: int


@routes.get("/conversations", who=Who.MEMBER)
async def conversations(ask: Ask) -> Conversations:
    """One's private conversations, with what is unread."""
    club = ask.house.club
    found = await club.messages.conversations(ask.account_id)
    people = await club.accounts.many({each.account_id for each in found})
    last = await shown_messages(ask.house, [each.last for each in found], ask.account_id)
    return Conversations(
        conversations=[
            Conversation(
                channel=shown_channel(each.channel, ask.account_id),
                person=person(people[each.account_id]),
                last_message=message.id,
                last=message,
                unread=each.unread,
            )
            for each, message in zip(found, last, strict=True)
            if each.account_id in people
        ],
        unread=sum(each.unread for each in found),
    )


# --- the block list -------------------------------------------------------------------------------------


class People(Shape, frozen=True):
    """A list of people."""

    people: list[Person]


@routes.get("/blocks")
async def blocked(ask: Ask) -> People:
    """Whom one has blocked."""
    ids = await ask.house.club.blocks.list(ask.account_id)
    found = await ask.house.club.accounts.many(ids)
    return People(people=[person(found[each]) for each in ids if each in found])


@routes.put("/blocks/{account_id}", scope=Scope.CHAT, refusals=(403,))
async def block(ask: Ask, account_id: Id) -> None:
    """Hear no more of somebody; a friendship between the two ends."""
    club = ask.house.club
    await club.blocks.block(ask.account, await club.accounts.by_id(account_id))


@routes.delete("/blocks/{account_id}", scope=Scope.CHAT)
async def unblock(ask: Ask, account_id: Id) -> None:
    """Hear somebody again."""
    club = ask.house.club
    await club.blocks.unblock(ask.account, await club.accounts.by_id(account_id))
