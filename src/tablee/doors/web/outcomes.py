"""What finished tables meant to their players."""

from __future__ import annotations

from sqlalchemy import bindparam, select

from tablee.store import Query, Store
from tablee.store.schema import outcome
from tablee.tables import TableInfo

from .shapes import Outcome

_OF_TABLE = Query(select(outcome).where(outcome.c.table_id == bindparam("table")).order_by(outcome.c.seat))


async def outcomes_of(store: Store, info: TableInfo, reader: int | None = None) -> list[Outcome]:
    """Ranks, scores and rating changes by seat; nothing before the end, nor of people not to be known."""
    if info.terms.anonymous and reader != info.master_id:
        return []
    names = {taken.seat: taken.name for taken in info.seats}
    return [
        Outcome(
            seat=row.seat,
            account=row.account_id,
            name=names.get(row.seat, ""),
            rank=row.rank,
            score=row.score,
            rating_before=row.rating_before,
            rating_after=row.rating_after,
        )
        for row in await store.rows(_OF_TABLE, table=info.id)
    ]
