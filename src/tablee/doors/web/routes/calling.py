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

Minute = Annotated[int, msgspec.Meta(ge=0, lt=1440, description="Minutes since midnight, in one's own zone.")]


class CallKind(Shape, frozen=True):
    """How one kind of thing is told now; one that `must` be told cannot be chosen otherwise."""

    kind: str
    mail: Mail
    push: bool
    must: bool
    own: bool
    """Whether that was chosen here, and does not come from elsewhere."""


class Calling(Shape, frozen=True):
    """How one is told things. At one table the hours are those of everywhere."""

    kinds: list[CallKind]
    digest_at: Minute
    quiet_from: Minute | None
    quiet_until: Minute | None
    reached: bool
    """Whether letters reach one at all: an address is confirmed, and takes them."""
    refused: str | None
    """What the mail server of the address said, where it takes no letters."""


class NewChoice(Body, frozen=True):
    """Null: as usual, or at one table as everywhere."""

    mail: Mail | None = None
    push: bool | None = None


class Hours(Body, frozen=True):
    digest_at: Minute | None = None
    quiet_from: Minute | None = None
    quiet_until: Minute | None = None


@routes.get("/calling", who=Who.MEMBER)
async def calling(ask: Ask) -> Calling:
    """How one is told what happens while one is not looking."""
    return await _shown(ask, EVERYWHERE)


@routes.put("/calling/kinds/{kind}", who=Who.MEMBER)
async def choose_kind(ask: Ask, kind: str, body: NewChoice) -> Calling:
    """Choose how one kind of thing is told everywhere."""
    return await _choose(ask, EVERYWHERE, kind, body)


@routes.put("/calling/hours", who=Who.MEMBER)
async def choose_hours(ask: Ask, body: Hours) -> Calling:
    """Choose when a digest comes, and between which hours no push does."""
    preferences = ask.house.club.preferences
    wishes = (await preferences.of(ask.account_id)).everywhere
    hours = {"quiet_from": body.quiet_from, "quiet_until": body.quiet_until}
    if body.digest_at is not None:
        hours["digest_at"] = body.digest_at
    await preferences.put(ask.account_id, replace(wishes, **hours))
    return await _shown(ask, EVERYWHERE)


@routes.get("/tables/{table_id}/calling", who=Who.MEMBER)
async def table_calling(ask: Ask, table_id: Id) -> Calling:
    """How one is told what happens at one table."""
    await must_see(ask.house, table_id, ask.account_id, None, ask.is_administrator)
    return await _shown(ask, table_id)


@routes.put("/tables/{table_id}/calling/kinds/{kind}", who=Who.MEMBER)
async def choose_table_kind(ask: Ask, table_id: Id, kind: str, body: NewChoice) -> Calling:
    """Choose how one kind of thing is told at one table."""
    await must_see(ask.house, table_id, ask.account_id, None, ask.is_administrator)
    return await _choose(ask, table_id, kind, body)


@routes.delete("/tables/{table_id}/calling", who=Who.MEMBER)
async def forget_table_calling(ask: Ask, table_id: Id) -> None:
    """At this table let everything be told as everywhere."""
    await ask.house.club.preferences.drop(ask.account_id, table_id)


async def _choose(ask: Ask, table_id: int, kind: str, body: NewChoice) -> Calling:
    preferences = ask.house.club.preferences
    wishes = _of(await preferences.of(ask.account_id, table_id), table_id)
    kinds = {**wishes.kinds, kind: Choice(body.mail, body.push)}
    if body.mail is None and body.push is None:
        kinds.pop(kind)
    await preferences.put(ask.account_id, replace(wishes, kinds=kinds), table_id)
    return await _shown(ask, table_id)


async def _shown(ask: Ask, table_id: int) -> Calling:
    chosen = await ask.house.club.preferences.of(ask.account_id, table_id)
    account = await ask.house.club.accounts.by_id(ask.account_id)
    wishes, kinds = _of(chosen, table_id), []
    for kind in KINDS if table_id == EVERYWHERE else OF_A_TABLE:
        way = chosen.way(kind)
        kinds.append(
            CallKind(kind=kind, mail=way.mail, push=way.push, must=KINDS[kind].must, own=kind in wishes.kinds)
        )
    return Calling(
        kinds=kinds,
        digest_at=chosen.everywhere.digest_at,
        quiet_from=chosen.everywhere.quiet_from,
        quiet_until=chosen.everywhere.quiet_until,
        reached=account.is_reached,
        refused=account.email_refused,
    )


def _of(chosen: Chosen, table_id: int) -> Wishes:
    return chosen.everywhere if table_id == EVERYWHERE else chosen.here or NOTHING
