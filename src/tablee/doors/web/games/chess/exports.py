"""Games of chess as files: PGN and FEN."""

from __future__ import annotations

from typing import Literal

from starlette.responses import Response

from ...api.ask import Ask
from ...api.registry import Body, Id, Invitation, Routes, Who
from ...routes.playing import viewpoint

routes = Routes("exports")


class ExportQuery(Body, frozen=True, rename={"role": "as"}):
    role: Literal["seat", "spectator"] | None = None
    invitation: Invitation | None = None


@routes.get(
    "/tables/{table_id}/export.pgn",
    who=Who.ANYONE,
    refusals=(403, 404),
    media_type="application/x-chess-pgn",
    answer=str,
)
async def export_pgn(ask: Ask, table_id: Id, query: ExportQuery) -> Response:
    """A game of chess as PGN, with what the reader may know: all of it once the game is over."""
    chair = await viewpoint(ask, table_id, query.role, query.invitation)
    return _file(await chair.export("pgn", ask.house.club.name), "application/x-chess-pgn", table_id, "pgn")


@routes.get(
    "/tables/{table_id}/export.fen",
    who=Who.ANYONE,
    refusals=(403, 404),
    media_type="text/plain",
    answer=str,
)
async def export_fen(ask: Ask, table_id: Id, query: ExportQuery) -> Response:
    """The position of a game of chess as FEN; refused while it is hidden."""
    chair = await viewpoint(ask, table_id, query.role, query.invitation)
    return _file(await chair.export("fen", ask.house.club.name), "text/plain", table_id, "fen")


def _file(text: str, media_type: str, table_id: int, ending: str) -> Response:
    name = f'attachment; filename="table-{table_id}.{ending}"'
    return Response(text, media_type=media_type, headers={"Content-Disposition": name})
