"""A finished game of chess looked at again: other moves tried, and what the house thinks of them."""

from __future__ import annotations

from typing import Annotated

import msgspec

from tablee.club.limits import network
from tablee.rules.chess.analysis import Analysis
from tablee.rules.chess.boards import BadMove

from ...api.ask import Ask
from ...api.errors import Refusal
from ...api.registry import Body, Id, Invitation, Routes, Who
from ...routes.playing import viewpoint

routes = Routes("analysis")

TRIED_MOST = 200
Ply = Annotated[int, msgspec.Meta(ge=0, le=100_000)]
Tried = Annotated[str, msgspec.Meta(max_length=6 * TRIED_MOST)]


class AnalysisQuery(Body, frozen=True):
    ply: Ply = 0
    tried: Tried = ""  # moves after that half-move, with spaces between: `e2e4 e7e5`
    invitation: Invitation | None = None


@routes.get("/tables/{table_id}/analysis", who=Who.ANYONE, refusals=(403,))
async def analyse_game(ask: Ask, table_id: Id, query: AnalysisQuery) -> Analysis:
    """A position of a finished game of chess, with other moves tried after it and what is best then."""
    whose = network(ask.address)
    ask.house.limits.take("web_analysis", whose)
    chair = await viewpoint(ask, table_id, None, query.invitation)
    try:
        found: Analysis = await chair.analyse(query.ply, query.tried.split(), whose)
    except BadMove as error:
        raise Refusal("invalid", detail=str(error), at="$.tried") from None
    return found
