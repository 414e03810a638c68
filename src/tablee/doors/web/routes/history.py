"""The history of a table, step by step, as the viewer was told it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from tablee.club.limits import network
from tablee.rules.contract import SPECTATOR, Seat

from ..api.ask import Ask
from ..api.registry import Body, Id, Invitation, Limit, Routes, Who
from ..live.messages import Version
from ..shapes import Shape, TableInfo
from ..tables.shapes import table_shape
from .playing import viewpoint

Json = Any
routes = Routes("history")


class FilmQuery(Body, frozen=True, rename={"role": "as"}):
    role: Literal["seat", "spectator"] | None = None
    invitation: Invitation | None = None


class HistoryQuery(FilmQuery, frozen=True, kw_only=True):
    after: Version = 0
    limit: Limit = 100


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


@routes.get("/tables/{table_id}/history", who=Who.ANYONE, waits=True, refusals=(403,))
async def history(ask: Ask, table_id: Id, query: HistoryQuery) -> Steps:
    """The steps after a version, with the view before them: enough to replay a game from any step."""
    ask.house.limits.take("web_history", ask.account_id_if_any or network(ask.address))
    seat = await looks_from(ask, table_id, query)
    page = await ask.house.tables.history.page(table_id, seat, after=query.after, limit=query.limit)
    return Steps(
        table=table_id,
        seat=seat if seat > 0 else None,
        view={} if page.view is None else page.view,
        steps=[Step(version=s.version, at=s.at, facts=s.told, patch=s.patch) for s in page.steps],
        more=page.more,
    )


class FilmStep(Shape, frozen=True):
    """A step at which a film stops; `figures` are given where they have changed."""

    version: int
    at: int
    mark: str  # the season or round that begins with it; empty for none
    accent: str  # what stands out in it; empty for nothing
    figures: dict[str, int] | None  # by role where the game deals roles, else by seat


class Film(Shape, frozen=True):
    """The film of a game: how many steps there are, and at which of them it stops."""

    table: int
    seat: int | None
    total: int
    steps: list[FilmStep]
    since: (
        int | None
    )  # the last step before one's visit before this one ended, where something has happened since


@routes.get("/tables/{table_id}/film", who=Who.ANYONE, refusals=(403,))
async def film(ask: Ask, table_id: Id, query: FilmQuery) -> Film:
    """The film of a game in outline, as one was told it: where it stops, its marks, accents and figures."""
    ask.house.limits.take("web_history", ask.account_id_if_any or network(ask.address))
    seat = await looks_from(ask, table_id, query)
    tables = ask.house.tables
    info = await tables.info(table_id)
    shots = await tables.history.film(info, seat, ask.language)
    account_id = ask.account_id_if_any
    is_own = account_id is not None and info.place_of(account_id) != SPECTATOR
    since = await tables.history.since_last_visit(info, shots, account_id) if account_id and is_own else None
    return Film(
        table=table_id,
        seat=seat if seat > 0 else None,
        total=len(shots),
        steps=[
            FilmStep(
                version=shot.version,
                at=shot.at,
                mark=shot.beat.mark,
                accent=shot.beat.accent,
                figures=None
                if shot.beat.figures is None
                else {str(whose): figure for whose, figure in shot.beat.figures.items()},
            )
            for shot in shots
            if shot.beat.is_stop
        ],
        since=since,
    )


class Resume(FilmQuery, frozen=True, kw_only=True):
    step: Version
    seat: Annotated[int, msgspec.Meta(ge=1, le=1000)]
    robot: Annotated[str, msgspec.Meta(max_length=60)] | None = None


@routes.post("/tables/{table_id}/resume", status=201, refusals=(403, 404, 409))
async def resume(ask: Ask, table_id: Id, body: Resume) -> TableInfo:
    """Play on from a step of a finished game, in one of its seats and against robots, at a new table.

    `step` is counted as in the film that one looks at (`as`). The table is private, unrated, without a clock.
    """
    ask.house.limits.take("web_create", ask.account_id)
    seat = await looks_from(ask, table_id, body)
    tables = ask.house.tables
    info = await tables.resuming.resume(
        await tables.info(table_id), seat, body.step, ask.account_id, body.seat, body.robot
    )
    return table_shape(ask.house, info, ask.account_id)


async def looks_from(ask: Ask, table_id: int, query: FilmQuery) -> Seat:
    """As whom somebody looks back at a game; raises NoSuchTable, NotSeated, PlaysHere."""
    chair = await viewpoint(ask, table_id, query.role, query.invitation)
    # What the seat was told before he came to it was told to somebody else, and is not his to read back.
    seat = SPECTATOR if chair.came_later else chair.seat
    return ask.house.tables.history.looked_back_at(chair.info, seat)
