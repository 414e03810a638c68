"""The queue for an opponent."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from tablee.tables import BadOptions, Wish, read_time_control

from ..ask import Ask
from ..queueing import queue_status
from ..registry import Body, Routes
from ..shapes import QueueStatus
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


@routes.put("/queue", refusals=(404,))
async def enter_queue(ask: Ask, body: QueueWish) -> QueueStatus:
    """Wait for opponents of one's own strength who want the same table; `table` says when there is one."""
    ask.house.limits.take("web_create", ask.account_id)
    try:
        control = read_time_control(body.time_control)
    except msgspec.ValidationError as error:
        raise BadOptions("bad_time_control", reason=str(error)) from None
    wish = Wish(options=body.options, time_control=control, players=body.players, rated=body.rated)
    await ask.house.tables.matchmaking.enter(ask.account_id, body.game, body.variant, wish)
    return await queue_status(ask.house, ask.account_id)


@routes.get("/queue")
async def my_queue(ask: Ask) -> QueueStatus:
    """One's place in the queue, or the table that was found."""
    return await queue_status(ask.house, ask.account_id)


@routes.delete("/queue")
async def leave_queue(ask: Ask) -> None:
    """Wait no longer."""
    await ask.house.tables.matchmaking.leave(ask.account_id)
