"""Steps of a game as still pictures: SVG to take along, PNG for who shows links."""

from __future__ import annotations

from starlette.responses import Response

from tablee.club.limits import network
from tablee.rules.contract import SPECTATOR

from ..api.ask import Ask
from ..api.registry import Body, Id, Invitation, Routes, Who
from ..live.messages import Version
from ..tables.visibility import must_see
from .history import FilmQuery, looks_from

routes = Routes("history")

FRESH_FOR = 300
"""Seconds for which a picture of a step may be kept: the step stays, the house may draw it better one day."""


class PictureQuery(FilmQuery, frozen=True, kw_only=True):
    step: Version | None = None


@routes.get(
    "/tables/{table_id}/picture.svg",
    who=Who.ANYONE,
    refusals=(403,),
    media_type="image/svg+xml",
    answer=str,
)
async def picture_svg(ask: Ask, table_id: Id, query: PictureQuery) -> Response:
    """A step of a game as a still picture, with what one may know; the last one where none is named."""
    ask.house.limits.take("web_history", ask.account_id_if_any or network(ask.address))
    seat = await looks_from(ask, table_id, query)
    info = await ask.house.tables.info(table_id)
    drawn = await ask.house.pictures.svg(info, seat, query.step, ask.language)
    name = f'attachment; filename="table-{table_id}.svg"'
    return Response(drawn, media_type="image/svg+xml", headers={"Content-Disposition": name})


class PreviewQuery(Body, frozen=True, kw_only=True):
    step: Version | None = None
    invitation: Invitation | None = None


@routes.get(
    "/tables/{table_id}/picture.png",
    who=Who.ANYONE,
    refusals=(403,),
    media_type="image/png",
    answer=str,
    signs_in=True,
)
async def picture_png(ask: Ask, table_id: Id, query: PreviewQuery) -> Response:
    """The picture that is shown with a link to a game or to a step of it: what a spectator may know."""
    ask.house.limits.take("web_picture", network(ask.address))
    info = await must_see(ask.house, table_id, None, query.invitation, False)
    seat = ask.house.tables.history.looked_back_at(info, SPECTATOR)
    drawn = await ask.house.pictures.png(info, seat, query.step, ask.language, network(ask.address))
    headers = {
        "Cache-Control": f"public, max-age={FRESH_FOR}",
        "Cross-Origin-Resource-Policy": "cross-origin",
    }
    return Response(drawn, media_type="image/png", headers=headers)
