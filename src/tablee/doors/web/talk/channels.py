"""Channels as the API names them: `global`, `table:12`, and `private:7` for the one with account 7."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tablee.club.messages import Message as ClubMessage
from tablee.club.messages import private_channel
from tablee.tables import NoChat

from ..api.errors import Refusal
from ..shapes import Message, Person, person
from ..tables.visibility import must_see

if TYPE_CHECKING:
    from ..house import House

_NAME = re.compile(r"global|(table|private):([1-9][0-9]{0,14})")


async def house_channel(
    house: House, name: str, account_id: int | None, is_administrator: bool, invitation: str | None = None
) -> str:
    """The house's own name of a channel that this account may read; raises Refusal("not_found").

    The `invitation` of a private table opens its channel too.
    """
    found = _NAME.fullmatch(name)
    if found is None:
        raise Refusal("not_found")
    kind, number = found.groups()
    if kind is None:
        return "global"
    if kind == "table":
        info = await must_see(house, int(number), account_id, invitation, is_administrator)
        if info.terms.anonymous or info.terms.silent:
            raise NoChat()
        return name
    if account_id is None:
        raise Refusal("not_identified")
    if int(number) == account_id:
        raise Refusal("not_found")
    return private_channel(account_id, int(number))


def shown_channel(channel: str, account_id: int | None) -> str:
    """The name of a channel as this account knows it."""
    if not channel.startswith("private:"):
        return channel
    return f"private:{other_of(channel, account_id)}"


def other_of(channel: str, account_id: int | None) -> int:
    """The other account of a private channel."""
    _, low, high = channel.split(":")
    return int(high) if int(low) == account_id else int(low)


def parties(channel: str) -> tuple[int, ...]:
    """The two accounts of a private channel, nobody's for others."""
    if not channel.startswith("private:"):
        return ()
    _, low, high = channel.split(":")
    return int(low), int(high)


async def shown_messages(house: House, found: Sequence[ClubMessage], reader: int | None) -> list[Message]:
    """Messages with their authors, for a reader."""
    authors = await house.club.accounts.many({message.author_id for message in found})
    return [
        Message(
            id=message.id,
            channel=shown_channel(message.channel, reader),
            author=person(authors[message.author_id])
            if message.author_id in authors
            else Person(id=message.author_id, pseudo="", kind="member"),
            text=message.text,
            at=message.at,
        )
        for message in found
    ]
