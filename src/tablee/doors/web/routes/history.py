"""The history of a table, step by step, as the viewer was told it."""

from __future__ import annotations

from typing import Any, Literal

from tablee.club.limits import network
from tablee.rules.contract import SPECTATOR

from ..api.ask import Ask
from ..api.registry import Body, Id, Invitation, Limit, Routes, Who
from ..live.messages import Version
from ..shapes import Shape
from .playing import viewpoint

Json = Any
routes = Routes("history")


class HistoryQuery(Body, frozen=True, rename={"role": "as"}):
    after: Version = 0
    limit: Limit = 100
    role: Literal["seat", "spectator"] | None = None
    invitation: Invitation | None = None


class Step(Shape, frozen=True):
    """One event: what it told, and the JSON merge patch that it made to the view."""

    version: int
    at: int
    facts: list[Json]
    patch: Json


class Steps(Shape, frozen=True):
    """Steps in order; `view` is the view before the first of them, to which the patches are applied."""

    table: int
    seat: int | None
    view: Json
    steps: list[Step]
    more: bool


@routes.get("/tables/{table_id}/history", who=Who.ANYONE, refusals=(403,))
async def history(ask: Ask, table_id: Id, query: HistoryQuery) -> Steps:
    """The steps after a version, with the view before them: enough to replay a game from any step."""
    ask.house.limits.take("web_history", ask.account_id_if_any or network(ask.address))
    chair = await viewpoint(ask, table_id, query.role, query.invitation)
    # What the seat was told before he came to it was told to somebody else, and is not his to read back.
    seat = SPECTATOR if chair.came_later else chair.seat
    page = await ask.house.tables.history.page(table_id, seat, after=query.after, limit=query.limit)
    return Steps(
        table=table_id,
        seat=seat if seat > 0 else None,
        view={} if page.view is None else page.view,
        steps=[Step(version=s.version, at=s.at, facts=s.told, patch=s.patch) for s in page.steps],
        more=page.more,
    )
