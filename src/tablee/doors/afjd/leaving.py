"""Whether somebody may leave: not while he plays or masters a game that goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import bindparam, or_, select

from tablee.club import Account
from tablee.doors.afjd.refusal import Refusal
from tablee.store import Query
from tablee.store.schema import game_table, seat

if TYPE_CHECKING:
    from tablee.doors.afjd.desk import Desk

_sits = select(seat.c.table_id).where(seat.c.account_id == bindparam("who"), seat.c.left_at.is_(None))
_AT = Query(
    select(game_table.c.id)
    .where(
        game_table.c.status.in_(("open", "running")),
        or_(
            game_table.c.id.in_(_sits),
            (game_table.c.host_id == bindparam("who")) & game_table.c.mastered,
        ),
    )
    .limit(1)
)


async def refuse_while_playing(desk: Desk, account: Account) -> None:
    """Raise Refusal 400 while somebody is still in a game."""
    if await desk.store.one(_AT, who=account.id) is not None:
        raise Refusal(400, "Player is still in a game")
