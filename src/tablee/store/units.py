"""What is written: events appended at an expected place, rows changed, hints told once that is durable."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from tablee.store.query import Query


class EventRow(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """One row of the log, in the order of its columns."""

    table_id: int
    seq: int
    at: int
    seat: int
    action: str
    facts: str
    request_id: str | None = None


# Why: docs/decisions.md#the-head-of-the-log-is-compared-and-set
class Append(msgspec.Struct):
    """Events that belong right after `after_seq` of a table; without events it only demands that head."""

    table_id: int
    after_seq: int
    events: list[EventRow]


class Write(msgspec.Struct):
    """One insert, update or delete; `expect` is the row count without which the unit is a Conflict."""

    query: Query
    params: dict[str, Any] = {}
    expect: int | None = None

    def __post_init__(self) -> None:
        if self.query.reads:
            raise TypeError("a Write needs an insert, update or delete, not a select: use Store.rows")


class Hint(NamedTuple):
    """Word that something changed, such as ("table", 12, 45); whoever hears it reads the database."""

    topic: str
    key: int | str
    value: int | str


class Unit(msgspec.Struct):
    """One transaction, all or nothing. Writes that make a table's row are run before its first append."""

    appends: list[Append] = []
    writes: list[Write] = []
    hints: list[Hint] = []
