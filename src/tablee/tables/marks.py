"""What seats mark for themselves alone: one row a seat, written anew with each mark, and never in the log.

A log tells what happened. A mark tells nobody else anything, and can be set and taken away without end.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from sqlalchemy import bindparam, select

from tablee.rules.contract import Fact, Json, Seat
from tablee.store import Hint, Query, Store, Write, upsert
from tablee.store.schema import mark
from tablee.tables.patch import merge_patch

if TYPE_CHECKING:
    from tablee.tables.record import Record

HINT = "marked"
MarksListener = Callable[[Seat, list[Fact], Json], object]

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


class MarksTold:
    """Tells each seat of a table of its own marks, after the events of the same moment."""

    __slots__ = ("_listeners", "_record", "_untold")

    def __init__(self, record: Record) -> None:
        self._record = record
        # What seats had marked before what they were not told of yet, and what they are told.
        self._untold: dict[Seat, tuple[Json, list[Fact]]] = {}
        self._listeners: list[MarksListener] = []

    @property
    def has_listeners(self) -> bool:
        return bool(self._listeners)

    def subscribe(self, hear: MarksListener) -> Callable[[], None]:
        """Call `hear` with a seat, what it is told of its own marks, and the patch of its view."""
        self._listeners.append(hear)
        return lambda: self._listeners.remove(hear) if hear in self._listeners else None

    def made(self, marking: Marking, request_id: str | None = None) -> None:
        """A seat's marks are kept in the database."""
        record, seat = self._record, marking.seat
        before = record.views.marks.get(seat)
        self._untold.setdefault(seat, (before, []))[1].extend(marking.told)
        record.mark(seat, marking.marks)
        if request_id is not None:
            record.remember(seat, request_id, 0)

    def learn(self, marks: dict[Seat, Json]) -> None:
        """Marks as the database has them."""
        for seat, kept in marks.items():
            if kept != self._record.views.marks.get(seat):
                self.made(Marking(seat, kept, []))

    def tell(self) -> None:
        # After the events, whose patches show every mark already: so the order of both makes no difference.
        untold, self._untold = self._untold, {}
        state, rules, views = self._record.state, self._record.rules, self._record.views
        if state is None or not self._listeners:
            return
        for seat, (before, told) in untold.items():
            was = state if before is None else rules.marked(state, seat, before)
            patch = merge_patch(rules.view(was, seat), views.of(state, seat))
            for hear in tuple(self._listeners):
                hear(seat, told, patch)

    def leave(self) -> None:
        """Nobody is told any more."""
        self._listeners.clear()
