"""One's place in the queue, as it is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from ..shapes import QueueStatus, Sought, SoughtList

if TYPE_CHECKING:
    from ..house import House


async def queue_status(house: House, account_id: int) -> QueueStatus:
    """What somebody waits for, or the table that was found for him."""
    queue = house.tables.matchmaking
    waiting = await queue.waiting(account_id)
    if waiting is None:
        found = [info for info in await house.tables.lobby.of_account(account_id) if info.door == "queue"]
        return QueueStatus(waiting=False, table=found[0].id if found else None)
    return QueueStatus(
        waiting=True,
        game=waiting.game,
        variant=waiting.variant,
        since=waiting.since,
        others=await queue.others(waiting),
        time_control=msgspec.to_builtins(waiting.wish.time_control),
        rated=waiting.wish.rated,
        side=waiting.wish.side,
    )


async def sought_list(house: House, account_id: int | None) -> SoughtList:
    """What others wait for."""
    queue = house.tables.matchmaking
    sought = [
        Sought(
            game=first.game,
            variant=first.variant,
            time_control=msgspec.to_builtins(first.wish.time_control),
            players=first.wish.players,
            rated=first.wish.rated,
            options=first.wish.options,
            waiting=number,
        )
        for first, number in await queue.sought(without=account_id)
    ]
    return SoughtList(sought)
