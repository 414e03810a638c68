"""The queue for an opponent."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from tablee.tables import Wish
from tablee.tables.creating import clock_for

from ..api.ask import Ask
from ..api.registry import Body, Routes, Who
from ..shapes import QueueStatus, SoughtList
from ..tables.queueing import queue_status, sought_list
from .tables import Word

Json = Any
routes = Routes("queue")


class QueueWish(Body, frozen=True):
    game: Word
    variant: Word
    options: dict[str, Json] = msgspec.field(default_factory=dict)
    time_control: dict[str, Json] | None = None
    players: Annotated[int, msgspec.Meta(ge=2, le=100)] = 2
    rated: bool = True
    side: Word | None = None


@routes.put("/queue", refusals=(404,))
async def enter_queue(ask: Ask, body: QueueWish) -> QueueStatus:
    """Wait for opponents of one's own strength who want the same table; `table` says when there is one.

    `side` is one of the game's (`white`, `black`), or `lot`; without it who came first has the first seat. A
    visitor is never rated, and meets those who do not ask for it.
    """
    ask.house.limits.take("web_create", ask.account_id)
    tables = ask.house.tables
    control = clock_for(tables.offered(body.game, body.variant), body.time_control)
    wish = Wish(
        options=body.options, time_control=control, players=body.players, rated=body.rated, side=body.side
    )
    await tables.matchmaking.enter(ask.account_id, body.game, body.variant, wish)
    return await queue_status(ask.house, ask.account_id)


@routes.get("/queue")
async def my_queue(ask: Ask) -> QueueStatus:
    """One's place in the queue, or the table that was found."""
    return await queue_status(ask.house, ask.account_id)


@routes.get("/queue/sought", who=Who.ANYONE)
async def sought(ask: Ask) -> SoughtList:
    """What others wait for: who asks for the same sits down with them at once, strength permitting."""
    return await sought_list(ask.house, ask.account_id_if_any)


@routes.delete("/queue")
async def leave_queue(ask: Ask) -> None:
    """Wait no longer."""
    await ask.house.tables.matchmaking.leave(ask.account_id)
