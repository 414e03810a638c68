"""The game itself: the view, what may be done, a move."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from tablee.rules.contract import SPECTATOR
from tablee.tables import Chair

from ..api.ask import Ask
from ..api.registry import Body, Id, Invitation, Routes, Who
from ..live.feeds import clocks_json
from ..live.messages import RequestId, ShortText, Version
from ..live.playing import looking_on, must_know, seated
from ..shapes import Shape
from ..tables.visibility import must_see

Json = Any
routes = Routes("playing")


class ViewQuery(Body, frozen=True, rename={"role": "as"}):
    role: Literal["seat", "spectator"] | None = None
    since: Version | None = None
    invitation: Invitation | None = None


class Told(Shape, frozen=True):
    """What one event told this seat."""

    version: int
    at: int
    facts: list[Json]
    patch: Json


class View(Shape, frozen=True):
    """What a seat may know: the whole `view`, or, with a recent `since`, only the `updates`."""

    table: int
    seat: int | None  # null: a spectator
    version: int
    now: int
    view: Json  # null where the updates say it all, and before the beginning
    updates: list[Told] | None
    legal: Json
    waiting: list[int]
    clocks: Json


@routes.get("/tables/{table_id}/view", who=Who.ANYONE, refusals=(403,))
async def view(ask: Ask, table_id: Id, query: ViewQuery) -> View:
    """The game as one's seat sees it, or as a spectator; with `since`, what changed after that version."""
    chair = await viewpoint(ask, table_id, query.role, query.invitation)
    updates = None if query.since is None else chair.since(query.since)
    return View(
        table=table_id,
        seat=None if chair.seat == SPECTATOR else chair.seat,
        version=chair.version,
        now=chair.now(),
        view=chair.view() if chair.has_begun and updates is None else None,
        updates=None
        if updates is None
        else [Told(version=u.version, at=u.at, facts=u.told, patch=u.patch) for u in updates],
        legal=chair.legal_json(),
        waiting=sorted(chair.waiting()),
        clocks=clocks_json(chair),
    )


class Legal(Shape, frozen=True):
    """What one may do now, described as the game describes it; null for nothing."""

    table: int
    seat: int
    version: int
    waiting: bool
    legal: Json


@routes.get("/tables/{table_id}/legal", refusals=(403,))
async def legal(ask: Ask, table_id: Id) -> Legal:
    """What one may do now in one's seat."""
    chair = await seated(ask.house, table_id, ask.account_id, ask.is_administrator)
    return Legal(
        table=table_id,
        seat=chair.seat,
        version=chair.version,
        waiting=chair.seat in chair.waiting(),
        legal=chair.legal_json(),
    )


class Move(Body, frozen=True):
    action: msgspec.Raw
    request_id: RequestId
    epoch: ShortText | None = None


class MovePlayed(Shape, frozen=True):
    """The move is durable: the version of one's seat with it, and what it told."""

    table: int
    seat: int
    version: int
    duplicate: bool
    facts: list[Json]


@routes.post("/tables/{table_id}/play", refusals=(403, 409))
async def play(ask: Ask, table_id: Id, body: Move) -> MovePlayed:
    """Play a move. Sent again with the same `request_id` it is answered again, and never played twice."""
    ask.house.limits.take("web_play", ask.account_id)
    must_know(ask.house, body.epoch)
    chair = await seated(ask.house, table_id, ask.account_id, ask.is_administrator)
    played = await chair.play(chair.read(body.action), body.request_id)
    return MovePlayed(
        table=table_id,
        seat=chair.seat,
        version=played.version,
        duplicate=played.duplicate,
        facts=list(played.told),
    )


async def viewpoint(ask: Ask, table_id: int, role: str | None, invitation: str | None) -> Chair:
    """From where somebody looks at a table: from his seat, unless he has none or asks to be a spectator."""
    account_id = ask.account_id_if_any
    await must_see(ask.house, table_id, account_id, invitation, ask.is_administrator)
    if role == "seat":
        return await seated(ask.house, table_id, ask.account_id, ask.is_administrator)
    if account_id is None or role == "spectator":
        return await looking_on(ask.house, table_id, account_id)
    return await ask.house.tables.chair_of(table_id, account_id)
