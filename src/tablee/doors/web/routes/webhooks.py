"""Webhooks: addresses elsewhere that are told what happens at a table, or at every open one."""

from __future__ import annotations

from typing import Annotated, Literal
from urllib.parse import urlsplit

import msgspec

from tablee.club.deeds import END_OF_TIME
from tablee.club.outside import LONGEST_URL
from tablee.club.scopes import Scope
from tablee.club.webhooks.book import EVENTS, HOUSE, Event, Kind, Webhook
from tablee.store import Unit
from tablee.tables import HouseTable, NoSuchTable, NotHost, Over

from ..api.ask import Ask
from ..api.errors import Refusal
from ..api.registry import Body, Id, Limit, Routes, Who
from ..shapes import Shape
from ..tables.visibility import must_see

routes = Routes("webhooks")

TAIL = 4
"""Last characters of an address that are shown: the rest is a secret of who added it."""


class WebhookShape(Shape, frozen=True):
    """One webhook. Of its address the machine and the end are shown, its secret never again."""

    id: int
    table: int | None  # null: it is told of every open table
    table_name: str | None
    owner: int
    owner_name: str
    kind: str
    address: str
    language: str
    events: list[str]
    added_at: int
    sent_at: int | None  # when something was last taken there
    tries: int  # in vain since then
    error: (
        str | None
    )  # what was wrong at the last of them: the status of the answer first, where there was one
    paused_at: int | None  # since when nothing is sent any more


class WebhookList(Shape, frozen=True):
    """Webhooks, and whether one may add some."""

    webhooks: list[WebhookShape]
    may_add: bool


class NewWebhook(Body, frozen=True):
    kind: Kind
    url: Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_URL)]
    language: Literal["fr", "en"] = "fr"
    events: Annotated[list[Event], msgspec.Meta(max_length=len(EVENTS))] = msgspec.field(
        default_factory=lambda: list(EVENTS)
    )


class AddedWebhook(Shape, frozen=True):
    """A new webhook; its `secret`, which signs what is sent, is shown this once. Discord needs none."""

    webhook: WebhookShape
    secret: str | None


class Tried(Shape, frozen=True):
    """Whether a trial has arrived; `error` says what was wrong if not."""

    arrived: bool
    error: str | None


@routes.get("/tables/{table_id}/webhooks", who=Who.MEMBER, refusals=(403,))
async def table_webhooks(ask: Ask, table_id: Id) -> WebhookList:
    """The webhooks of a table, for its host and for administrators."""
    info = await _managed(ask, table_id)
    found = await ask.house.club.webhooks.of_table(table_id)
    return WebhookList(webhooks=await _shown(ask, found), may_add=_may_add(ask, info))


@routes.post(
    "/tables/{table_id}/webhooks", who=Who.MEMBER, scope=Scope.ACCOUNT, status=201, refusals=(403, 409)
)
async def add_webhook(ask: Ask, table_id: Id, body: NewWebhook) -> AddedWebhook:
    """Have what happens at a table told elsewhere; at a private one only its host may."""
    info = await _managed(ask, table_id)
    if not _may_add(ask, info):
        raise Over() if info.status in ("over", "closed") else NotHost()
    return await _added(ask, table_id, body)


@routes.delete("/webhooks/{webhook_id}", who=Who.MEMBER, scope=Scope.ACCOUNT, refusals=(403,))
async def end_webhook(ask: Ask, webhook_id: Id) -> None:
    """Tell a webhook nothing any more; what waits for it is dropped."""
    hook = await _hook(ask, webhook_id)
    await ask.house.club.webhooks.end(hook.id)
    await _note(ask, "end_webhook", hook)


@routes.post("/webhooks/{webhook_id}/resume", who=Who.MEMBER, scope=Scope.ACCOUNT, refusals=(403,))
async def resume_webhook(ask: Ask, webhook_id: Id) -> WebhookShape:
    """Tell a paused webhook what happens from now on."""
    hook = await _hook(ask, webhook_id)
    await ask.house.club.webhooks.resume(hook.id)
    return (await _shown(ask, [await ask.house.club.webhooks.find(hook.id)]))[0]


@routes.post("/webhooks/{webhook_id}/test", who=Who.MEMBER, scope=Scope.ACCOUNT, refusals=(403,))
async def try_webhook(ask: Ask, webhook_id: Id) -> Tried:
    """Send a trial there now, and say whether it has arrived."""
    ask.house.club.limits.take("webhook", ask.account_id)
    hook = await _hook(ask, webhook_id)
    club = ask.house.club
    name = club.name if hook.table_id == HOUSE else (await ask.house.tables.info(hook.table_id)).name
    error = await club.announcer.trial(hook, name)
    return Tried(arrived=error is None, error=error)


class AdminWebhooksQuery(Body, frozen=True):
    before: Id | None = None
    limit: Limit = 50


@routes.get("/admin/webhooks", who=Who.ADMINISTRATOR)
async def admin_webhooks(ask: Ask, query: AdminWebhooksQuery) -> WebhookList:
    """All webhooks of the house and of its tables, newest first."""
    found = await ask.house.club.webhooks.every(query.before or END_OF_TIME, query.limit)
    return WebhookList(webhooks=await _shown(ask, found), may_add=True)


@routes.post("/admin/webhooks", who=Who.ADMINISTRATOR, status=201)
async def admin_add_webhook(ask: Ask, body: NewWebhook) -> AddedWebhook:
    """Have what happens at every open table told elsewhere."""
    return await _added(ask, HOUSE, body)


async def _managed(ask: Ask, table_id: int) -> HouseTable:
    """A table whose webhooks are one's own to see; raises NoSuchTable, NotHost."""
    info = await must_see(ask.house, table_id, ask.account_id, None, ask.is_administrator)
    if ask.account_id != info.host_id and not ask.is_administrator:
        raise NotHost()
    return info


def _may_add(ask: Ask, info: HouseTable) -> bool:
    is_own = ask.account_id == info.host_id
    return info.status in ("open", "running") and (is_own or (ask.is_administrator and info.access == "open"))


async def _hook(ask: Ask, webhook_id: int) -> Webhook:
    """A webhook that is one's own to change; for anybody else there is none."""
    hook = await ask.house.club.webhooks.find(webhook_id)
    if ask.is_administrator:
        return hook
    try:
        if hook.table_id != HOUSE:
            await _managed(ask, hook.table_id)
            return hook
    except (NoSuchTable, NotHost):
        pass
    raise Refusal("not_found")


async def _added(ask: Ask, table_id: int, body: NewWebhook) -> AddedWebhook:
    ask.house.club.limits.take("webhook", ask.account_id)
    hook = await ask.house.club.webhooks.add(
        table_id, ask.account_id, body.kind, body.url, body.language, body.events
    )
    await _note(ask, "add_webhook", hook)
    [shape] = await _shown(ask, [hook])
    return AddedWebhook(webhook=shape, secret=hook.secret if hook.kind == "generic" else None)


async def _note(ask: Ask, what: str, hook: Webhook) -> None:
    """What leaves the house, and by whose doing, is in the log of deeds."""
    about = {"table": hook.table_id, "machine": urlsplit(hook.url).hostname}
    deed = await ask.house.club.deeds.write(what, actor=ask.account_id, about=about, address=ask.address)
    await ask.house.store.commit(Unit(writes=[deed]))


async def _shown(ask: Ask, found: list[Webhook]) -> list[WebhookShape]:
    owners = await ask.house.club.accounts.many({hook.owner_id for hook in found})
    names: dict[int, str] = {}
    for table_id in {hook.table_id for hook in found} - {HOUSE}:
        try:
            names[table_id] = (await ask.house.tables.info(table_id)).name
        except NoSuchTable:
            continue
    return [
        WebhookShape.of(
            hook,
            table=hook.table_id or None,
            table_name=names.get(hook.table_id),
            owner=hook.owner_id,
            owner_name=owners[hook.owner_id].pseudo if hook.owner_id in owners else "",
            address=f"{urlsplit(hook.url).netloc}/…{hook.url[-TAIL:]}",
            events=hook.events.split(),
        )
        for hook in found
    ]
