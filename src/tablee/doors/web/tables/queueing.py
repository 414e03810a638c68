"""One's place in the queue, as it is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import bindparam, func, select

from tablee.store import Query
from tablee.store.schema import queue_entry

from ..shapes import QueueStatus

if TYPE_CHECKING:
    from ..house import House

_OTHERS = Query(
    select(func.count().label("waiting")).where(
        queue_entry.c.game == bindparam("in_game"),
        queue_entry.c.variant == bindparam("in_variant"),
        queue_entry.c.account_id != bindparam("who"),
    )
)


async def queue_status(house: House, account_id: int) -> QueueStatus:
    """What somebody waits for, or the table that was found for him."""
    waiting = await house.tables.matchmaking.waiting(account_id)
    if waiting is None:
        found = [info for info in await house.tables.of_account(account_id) if info.door == "queue"]
        return QueueStatus(waiting=False, table=found[0].id if found else None)
    others = await house.store.one(_OTHERS, in_game=waiting.game, in_variant=waiting.variant, who=account_id)
    return QueueStatus(
        waiting=True,
        game=waiting.game,
        variant=waiting.variant,
        since=waiting.since,
        others=0 if others is None else int(others.waiting),
    )
