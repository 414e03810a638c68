"""What must be put right at the tables when somebody leaves the club."""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog

from tablee.club.errors import ClubError
from tablee.rules.contract import Illegal

if TYPE_CHECKING:
    from ..house import House

log = structlog.get_logger("tablee.web")


async def leave_every_table(house: House, account_id: int) -> None:
    """Give up every seat of an account, as if it had left each table itself."""
    for info in await house.tables.lobby.of_account(account_id):
        if info.seat_of(account_id) is None:
            continue
        try:
            await house.tables.sitting.depart(info.id, account_id)
        except (ClubError, Illegal) as refusal:
            log.info("a seat stays with who left the club", table=info.id, reason=str(refusal))
