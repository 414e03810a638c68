"""The game itself: the view, what may be done, a move."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from tablee.rules.contract import MASTER, SPECTATOR
from tablee.tables import LiveTable

from ..ask import Ask
from ..messages import RequestId, Version
from ..playing import may_look_on, read_action, seat_at, seated, updates_since
from ..registry import Body, Id, Invitation, Routes, Who
from ..shapes import Shape
from ..sight import must_see

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
    live, seat = await viewpoint(ask, table_id, query.role, query.invitation)
    begun = live.state is not None
    updates = None
    if query.since is not None:
        updates = updates_since(live, ask.account_id_if_any, seat, query.since)
    return View(
        table=table_id,
        seat=None if seat == SPECTATOR else seat,
        version=live.version(seat),
        now=live.now(),
        view=live.view(seat) if begun and updates is None else None,
        updates=None
        if updates is None
        else [Told(version=u.version, at=u.at, facts=u.told, patch=u.patch) for u in updates],
        legal=_legal(live, seat),
        waiting=sorted(live.waiting()),
        clocks=_clocks(live),
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
    live, sitting = await seated(ask.house, table_id, ask.account_id, ask.is_administrator)
    return Legal(
        table=table_id,
        seat=sitting.seat,
        version=live.version(sitting.seat),
        waiting=sitting.seat in live.waiting(),
        legal=_legal(live, sitting.seat),
    )


class Move(Body, frozen=True):
    action: dict[str, Json]
    request_id: RequestId


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
    live, sitting = await seated(ask.house, table_id, ask.account_id, ask.is_administrator)
    action = read_action(live, body.action)
    played = await ask.house.tables.play(table_id, sitting.seat, action, body.request_id)
    return MovePlayed(
        table=table_id,
        seat=sitting.seat,
        version=played.version,
        duplicate=played.duplicate,
        facts=played.told,
    )


async def viewpoint(
    ask: Ask, table_id: int, role: str | None, invitation: str | None
) -> tuple[LiveTable, int]:
    """From where somebody looks at a table: from his seat, unless he has none or asks to be a spectator."""
    account_id = ask.account_id_if_any
    await must_see(ask.house, table_id, account_id, invitation, ask.is_administrator)
    if role == "seat":
        live, sitting = await seated(ask.house, table_id, ask.account_id, ask.is_administrator)
        return live, sitting.seat
    live = await ask.house.tables.open(table_id)
    if account_id is None or role == "spectator":
        may_look_on(live, account_id)
        return live, SPECTATOR
    return live, seat_at(live.info, account_id)


def _legal(live: LiveTable, seat: int) -> Json:
    if seat < MASTER or live.state is None or live.is_over:
        return None
    return live.legal(seat).describe()


def _clocks(live: LiveTable) -> Json:
    return {str(seat): msgspec.to_builtins(face) for seat, face in live.clock_faces().items()} or None
