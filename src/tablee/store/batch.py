"""Many units, one transaction: what belongs together, and who pays when one of them is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from time import monotonic

from tablee.store.errors import Conflict, Refused
from tablee.store.query import Row
from tablee.store.units import Append, EventRow, Unit

MOST_UNITS = 4096
"""Of one batch: beyond this a batch grows slower instead of cheaper."""

MOST_WAITING = 100_000
"""Units that may wait for the disk before further ones are turned away."""

Done = Callable[[Exception | None], None]


class Job:
    """A unit on its way since a moment, with whom to tell. `rows` is what its statements returned."""

    __slots__ = ("done", "error", "rows", "since", "unit")

    def __init__(self, unit: Unit, done: Done) -> None:
        self.unit = unit
        self.done = done
        self.error: Exception | None = None
        self.rows: list[Row] = []
        self.since = monotonic()


class Chain:
    """The appends of a batch laid end to end: where each table must stand, and where it will."""

    __slots__ = ("after", "events", "last")

    def __init__(self) -> None:
        self.after: dict[int, int] = {}
        self.last: dict[int, int] = {}
        self.events: list[EventRow] = []

    def add(self, append: Append) -> None:
        """Lay one append on, which is known to join."""
        self.after.setdefault(append.table_id, append.after_seq)
        self.last[append.table_id] = append.after_seq + len(append.events)
        self.events += append.events

    def add_all(self, jobs: Iterable[Job]) -> bool:
        """Lay all appends on; False as soon as one does not join."""
        last = self.last
        for job in jobs:
            for append in job.unit.appends:
                if last.get(append.table_id, append.after_seq) != append.after_seq or _misnumbered(append):
                    return False
                self.add(append)
        return True


def tables_of(jobs: Iterable[Job]) -> list[int]:
    """The tables that these jobs append to, each once, in order."""
    return sorted({append.table_id for job in jobs for append in job.unit.appends})


def sort_out(jobs: Sequence[Job], heads: Mapping[int, int]) -> tuple[Chain, list[Job]]:
    """Who joins on to the heads that are there; the others get their Conflict, or Refused."""
    chain = Chain()
    fitting = []
    for job in jobs:
        job.error = _misfit(job.unit, heads, chain)
        if job.error is None:
            for append in job.unit.appends:
                chain.add(append)
            fitting.append(job)
    return chain, fitting


def _misfit(unit: Unit, heads: Mapping[int, int], chain: Chain) -> Exception | None:
    ends: dict[int, int] = {}
    for append in unit.appends:
        table_id = append.table_id
        head = ends.get(table_id, chain.last.get(table_id, heads.get(table_id)))
        if head != append.after_seq:
            return head_differs(table_id, append.after_seq, head)
        if _misnumbered(append):
            first, last = append.after_seq + 1, append.after_seq + len(append.events)
            return Refused(f"the events of table {table_id} must be numbered from {first} to {last}")
        ends[table_id] = append.after_seq + len(append.events)
    return None


def _misnumbered(append: Append) -> bool:
    events = append.events
    return bool(events) and (
        events[0].seq != append.after_seq + 1 or events[-1].seq != append.after_seq + len(events)
    )


def founds_a_table(unit: Unit, heads: Mapping[int, int]) -> bool:
    """Whether this unit may itself write the row of a table that it appends to."""
    return bool(unit.writes) and any(append.table_id not in heads for append in unit.appends)


def head_differs(table_id: int, expected: int, found: int | None) -> Conflict:
    if found is None:
        return Conflict(f"there is no table {table_id}")
    return Conflict(f"table {table_id} stands at event {found}, not at {expected}")


def count_differs(expected: int, found: int) -> Conflict:
    return Conflict(f"a change was to touch {expected} row(s) and touched {found}")
