"""What one wants to be told outside of the page, and how: everywhere, and at one table."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from tablee.club.calling.catalogue import KINDS, OF_A_TABLE, Mail
from tablee.club.calling.wishes import AS_USUAL, EVERYWHERE, NOTHING, Chosen, Wishes
from tablee.club.scopes import Scope

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
    push: bool | None
    """Whether it is pushed to one's devices; null where it never is."""
    must: bool
    own: bool
    """Whether the letter was chosen here, and does not come from elsewhere."""
    own_push: bool
    """The same of the push message."""


class Calling(Shape, frozen=True):
    """How one is told things. At one table the hours are those of everywhere."""

    kinds: list[CallKind]
    digest_at: Minute
    quiet_from: Minute
    quiet_until: Minute
    """Between these nothing is pushed; always something where both are the same."""
    reached: bool
    """Whether letters reach one at all: an address is confirmed, and takes them."""
    refused: str | None
    """What the mail server of the address said, where it takes no letters."""


class NewChoice(Body, frozen=True):
    """Null: as usual, or at one table as everywhere; what is not said stays as it is."""

    mail: Mail | UnsetType | None = UNSET
    push: bool | UnsetType | None = UNSET


class Hours(Body, frozen=True):
    """What is not said stays as it is."""

    digest_at: Minute | UnsetType = UNSET
    quiet_from: Minute | UnsetType = UNSET
    quiet_until: Minute | UnsetType = UNSET


@routes.get("/calling", who=Who.MEMBER)
async def calling(ask: Ask) -> Calling:
    """How one is told what happens while one is not looking."""
    return await _shown(ask, EVERYWHERE)


@routes.put("/calling/kinds/{kind}", who=Who.MEMBER, scope=Scope.ACCOUNT)
async def choose_kind(ask: Ask, kind: Kind, body: NewChoice) -> Calling:
    """Choose how one kind of thing is told everywhere."""
    return await _choose(ask, EVERYWHERE, kind, body)


@routes.put("/calling/hours", who=Who.MEMBER, scope=Scope.ACCOUNT)
async def choose_hours(ask: Ask, body: Hours) -> Calling:
    """Choose when a digest comes, and when nothing is pushed."""
    await ask.house.club.preferences.change(
        ask.account_id, EVERYWHERE, lambda wishes: replace(wishes, **_said(body))
    )
    return await _shown(ask, EVERYWHERE)


@routes.get("/tables/{table_id}/calling", who=Who.MEMBER)
async def table_calling(ask: Ask, table_id: Id) -> Calling:
    """How one is told what happens at one table."""
    await must_see(ask.house, table_id, ask.account_id, None, ask.is_administrator)
    return await _shown(ask, table_id)


@routes.put("/tables/{table_id}/calling/kinds/{kind}", who=Who.MEMBER, scope=Scope.ACCOUNT)
async def choose_table_kind(ask: Ask, table_id: Id, kind: Kind, body: NewChoice) -> Calling:
    """Choose how one kind of thing is told at one table."""
    await must_see(ask.house, table_id, ask.account_id, None, ask.is_administrator)
    return await _choose(ask, table_id, kind, body)


@routes.delete("/tables/{table_id}/calling", who=Who.MEMBER, scope=Scope.ACCOUNT)
async def forget_table_calling(ask: Ask, table_id: Id) -> None:
    """At this table let everything be told as everywhere."""
    await must_see(ask.house, table_id, ask.account_id, None, ask.is_administrator)
    await ask.house.club.preferences.drop(ask.account_id, table_id)


async def _choose(ask: Ask, table_id: int, kind: str, body: NewChoice) -> Calling:
    def choose(wishes: Wishes) -> Wishes:
        kinds = {**wishes.kinds, kind: replace(wishes.kinds.get(kind, AS_USUAL), **_said(body))}
        if kinds[kind] == AS_USUAL:
            kinds.pop(kind)
        return replace(wishes, kinds=kinds)

    await ask.house.club.preferences.change(ask.account_id, table_id, choose)
    return await _shown(ask, table_id)


async def _shown(ask: Ask, table_id: int) -> Calling:
    chosen = await ask.house.club.preferences.of(ask.account_id, table_id)
    account = await ask.house.club.accounts.by_id(ask.account_id)
    wishes, kinds = _of(chosen, table_id), []
    for kind in KINDS if table_id == EVERYWHERE else OF_A_TABLE:
        choice = wishes.kinds.get(kind, AS_USUAL)
        kinds.append(
            CallKind(
                kind=kind,
                mail=chosen.mail(kind),
                push=chosen.push(kind) if KINDS[kind].push else None,
                must=KINDS[kind].must,
                own=choice.mail is not None,
                own_push=choice.push is not None,
            )
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


def _said(body: Body) -> dict[str, Any]:
    """The fields of a body that it does say."""
    return {name: value for name, value in msgspec.structs.asdict(body).items() if value is not UNSET}
