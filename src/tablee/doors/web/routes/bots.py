"""For programs that play."""

from __future__ import annotations

from starlette.responses import Response

from tablee.club.scopes import Scope

from ..api.ask import Ask
from ..api.errors import Refusal
from ..api.registry import Routes
from ..live.messages import Ended, Turn
from ..live.streaming import TurnLines

routes = Routes("bots")


NO_ROOM_SECONDS = 60


@routes.get("/bot/stream", scope=Scope.PLAY, media_type="application/x-ndjson", answer=Turn | Ended)
async def bot_stream(ask: Ask) -> Response:
    """One's turns at every table, one JSON a line, with the view and what may be done.

    Empty lines come in between. While it is open one is connected to one's seats. Of several turns at one
    table only the newest is sent. Moves go to `POST /tables/{table_id}/play`.
    """
    if not ask.house.live.has_room_for(ask.address):
        raise Refusal("too_many", seconds=NO_ROOM_SECONDS)
    assert ask.identity is not None
    return TurnLines(ask.house, ask.identity, ask.address)
