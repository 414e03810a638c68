"""Whether somebody may leave: not while he plays or masters a game that goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablee.club import Account
from tablee.doors.afjd.refusal import Refusal
from tablee.tables.register import is_busy

if TYPE_CHECKING:
    from tablee.doors.afjd.house import House


async def refuse_while_playing(house: House, account: Account) -> None:
    """Raise Refusal 400 while somebody is still in a game."""
    if await is_busy(house.store, account.id):
        raise Refusal(400, "Player is still in a game")
