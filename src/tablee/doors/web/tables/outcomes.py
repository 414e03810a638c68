"""What finished tables meant to their players."""

from __future__ import annotations

from tablee.store import Store
from tablee.tables import HouseTable, searching

from ..shapes import Outcome


async def outcomes_of(store: Store, info: HouseTable, reader: int | None = None) -> list[Outcome]:
    """Ranks, scores and rating changes by seat; nothing before the end, nor of people not to be known."""
    if info.terms.anonymous and reader != info.master_id:
        return []
    # Who has left his seat is not among these.
    names = {(taken.seat, taken.account_id): taken.name for taken in info.seats}
    return [
        Outcome.of(row, account=row.account_id, name=names.get((row.seat, row.account_id), row.pseudo or ""))
        for row in await searching.outcomes(store, info.id)
    ]
