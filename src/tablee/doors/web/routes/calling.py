"""What one wants to be told outside of the page, and how: everywhere, and at one table."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec.structs import replace

from tablee.club.calling.catalogue import KINDS, OF_A_TABLE, Mail
from tablee.club.calling.wishes import EVERYWHERE, NOTHING, Choice, Chosen, Wishes

from ..api.ask import Ask
from ..api.registry import Body, Id, Routes, Who
from ..shapes import Shape
from ..tables.visibility import must_see

routes = Routes("calling")

Kind = Annotated[str, msgspec.Meta(max_length=40, description="What is told: `your_turn`.")]

Minute = Annotated[int, msgspec.Meta(ge=0, lt=1440, description="Minutes since midnight, in one's own zone.")]


class CallKind(Shape, frozen=True):
    """How one kind of thing is told now; one that `must` be told cannot be chosen otherwise."""

    kind: str
    mail: Mail
    must: bool
    own: bool
    """Whether that was chosen here, and does not come from elsewhere."""


class Calling(Shape, frozen=True):
    """How one is told things. At one table the hours are those of everywhere."""

    kinds: list[CallKind]
    digest_at: Minute
    reached: bool
    """Whether letters reach one at all: an address is confirmed, and takes them."""
    refused: str | None
    """What the mail server of the address said, where it takes no letters."""


class NewChoice(Body, frozen=True):
    """Null: as usual, or at one table as everywhere."""

    mail: Mail | None = None


class Hours(Body, frozen=True):
    digest_at: Minute


@routes.get("/calling", who=Who.MEMBER)
async def calling(ask: Ask) -> Calling:
    """How one is told what happens while one is not looking."""
    return await _shown(ask, EVERYWHERE)


@routes.put("/calling/kinds/{kind}", who=Who.MEMBER)
async def choose_kind(ask: Ask, kind: Kind, body: NewChoice) -> Calling:
    """Choose how one kind of thing is told everywhere."""
    return await _choose(ask, EVERYWHERE, kind, body)


@routes.put("/calling/hours", who=Who.MEMBER)
async def choose_hours(ask: Ask, body: Hours) -> Calling:
    """Choose when a digest comes."""
    preferences = ask.house.club.preferences
    wishes = (await preferences.of(ask.account_id)).everywhere
    await preferences.put(ask.account_id, replace(wishes, digest_at=body.digest_at))
    return await _shown(ask, EVERYWHERE)


@routes.get("/tables/{table_id}/calling", who=Who.MEMBER)
async def table_calling(ask: Ask, table_id: Id) -> Calling:
    """How one is told what happens at one table."""
    await must_see(ask.house, table_id, ask.account_id, None, ask.is_administrator)
    return await _shown(ask, table_id)


@routes.put("/tables/{table_id}/calling/kinds/{kind}", who=Who.MEMBER)
async def choose_table_kind(ask: Ask, table_id: Id, kind: Kind, body: NewChoice) -> Calling:
    """Choose how one kind of thing is told at one table."""
    await must_see(ask.house, table_id, ask.account_id, None, ask.is_administrator)
    return await _choose(ask, table_id, kind, body)


@routes.delete("/tables/{table_id}/calling", who=Who.MEMBER)
async def forget_table_calling(ask: Ask, table_id: Id) -> None:
    """At this table let everything be told as everywhere."""
    await must_see(ask.house, table_id, ask.account_id, None, ask.is_administrator)
    await ask.house.club.preferences.drop(ask.account_id, table_id)


async def _choose(ask: Ask, table_id: int, kind: str, body: NewChoice) -> Calling:
    preferences = ask.house.club.preferences
    wishes = _of(await preferences.of(ask.account_id, table_id), table_id)
    kinds = {**wishes.kinds, kind: Choice(body.mail)}
    if body.mail is None:
        kinds.pop(kind)
    await preferences.put(ask.account_id, replace(wishes, kinds=kinds), table_id)
    return await _shown(ask, table_id)


async def _shown(ask: Ask, table_id: int) -> Calling:
    chosen = await ask.house.club.preferences.of(ask.account_id, table_id)
    account = await ask.house.club.accounts.by_id(ask.account_id)
    wishes, kinds = _of(chosen, table_id), []
    for kind in KINDS if table_id == EVERYWHERE else OF_A_TABLE:
        is_own = kind in wishes.kinds
        kinds.append(CallKind(kind=kind, mail=chosen.mail(kind), must=KINDS[kind].must, own=is_own))
    return Calling(
        kinds=kinds,
        digest_at=chosen.everywhere.digest_at,
        reached=account.is_reached,
        refused=account.email_refused,
    )


def _of(chosen: Chosen, table_id: int) -> Wishes:
    return chosen.everywhere if table_id == EVERYWHERE else chosen.here or NOTHING
