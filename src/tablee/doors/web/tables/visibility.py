"""Who may see a table: what is not his does not exist for him."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablee.tables import HouseTable, NoSuchTable

if TYPE_CHECKING:
    from ..house import House


async def must_see(
    house: House, table_id: int, account_id: int | None, invitation: str | None, is_administrator: bool
) -> HouseTable:
    """The table; raises NoSuchTable for one that does not exist and for one that is not his alike."""
    info = await house.tables.info(table_id)
    if not is_administrator and not await house.tables.admission.may_enter(info, account_id, invitation):
        raise NoSuchTable(table=table_id)
    house.tables.looks.note(table_id)
    return info
