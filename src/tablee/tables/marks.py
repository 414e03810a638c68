"""What seats mark for themselves alone: one row a seat, written anew with each mark, and never in the log.

A log tells what happened. A mark tells nobody else anything, and can be set and taken away without end.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec
from sqlalchemy import bindparam, select

from tablee.rules.contract import Fact, Json, Seat
from tablee.store import Hint, Query, Store, Write, upsert
from tablee.store.schema import mark

HINT = "marked"

_KEEP = Query(upsert(mark))
_OF_TABLE = Query(select(mark.c.seat, mark.c.content).where(mark.c.table_id == bindparam("b_id")))


# Why: docs/decisions.md#marks-stay-beside-the-log
class Marking(NamedTuple):
    """A seat has marked something: all its marks now, and what it is told of it."""

    seat: Seat
    marks: Json
    told: list[Fact]


def keep(table_id: int, marking: Marking) -> Write:
    content = msgspec.json.encode(marking.marks).decode()
    return Write(_KEEP, {"table_id": table_id, "seat": marking.seat, "content": content})


def hint(table_id: int, node_id: str) -> Hint:
    """To the other nodes: marks of this table have changed at this one."""
    return Hint(HINT, table_id, node_id)


async def read(store: Store, table_id: int) -> dict[Seat, Json]:
    """The marks of every seat that has made some; raises Unavailable."""
    found = await store.rows(_OF_TABLE, b_id=table_id)
    return {row.seat: msgspec.json.decode(row.content) for row in found}
