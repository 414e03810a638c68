"""An action on its way through a table, and what becomes of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from tablee.rules.contract import Action, Fact, Json, Result, Seat
from tablee.store import EventRow, Hint, Write
from tablee.tables.clocks import LAG_MOST, Clocks
from tablee.tables.happened import Happened
from tablee.tables.info import HouseTable
from tablee.tables.marks import Marking

if TYPE_CHECKING:
    from tablee.tables.loaded import LoadedTable


class Outcome(NamedTuple):
    """The event that a submission made (None if it changed nothing), or an error.

    Of a duplicate whose event is long past, the event is not given either.
    """

    error: Exception | None
    happened: Happened | None
    duplicate: bool = False
    marked: Sequence[Json] = ()
    """What the seat is told of its own marks, which are no event."""


Done = Callable[[Outcome], object]


class Ending(NamedTuple):
    """What the end of a game writes beside the event, and the table as it is then known."""

    writes: list[Write]
    hints: list[Hint]
    info: HouseTable


class Attachment(NamedTuple):
    """What goes into the transaction of an event, and what to do here once it is durable."""

    writes: Sequence[Write] = ()
    hints: Sequence[Hint] = ()
    applied: Callable[[LoadedTable], None] | None = None
    facts: list[Fact] | None = None
    """The first facts of a game, whose setup may have been thought out elsewhere."""


NOTHING = Attachment()


class Submission:
    """An action on its way."""

    __slots__ = (
        "action",
        "also",
        "attached",
        "clocks",
        "done",
        "duplicate",
        "ended",
        "ending",
        "error",
        "facts_text",
        "happened",
        "head",
        "internal",
        "is_certain",
        "is_new",
        "lag",
        "marking",
        "refused_at",
        "request_id",
        "seat",
        "text",
    )

    def __init__(
        self,
        seat: Seat,
        action: Action,
        request_id: str | None,
        done: Done,
        attached: Attachment = NOTHING,
        lag: int = 0,
        is_new: bool = False,
    ) -> None:
        self.seat = seat
        self.lag = min(max(0, lag), LAG_MOST)
        self.action = action
        self.request_id = request_id
        self.is_new = is_new
        self.done = done
        self.attached = attached
        self.internal = False
        self.duplicate = False
        # Of a refusal that another node might not agree with: where this one was, and where the log is.
        self.is_certain = False
        self.refused_at = 0
        self.head: int | None = None
        self.also: list[Submission] | None = None
        self.text = ""
        self.facts_text = ""
        self.error: Exception | None = None
        self.happened: Happened | None = None
        self.marking: Marking | None = None
        self.clocks: Clocks | None = None
        self.ended: Result | None = None
        self.ending: Ending | None = None

    def forget(self) -> None:
        """Undo the decision: it was made on a state that did not come to be."""
        self.error = self.happened = self.clocks = self.ended = self.ending = self.marking = None

    def row(self, table_id: int, happened: Happened) -> EventRow:
        """Its line in the log."""
        return EventRow(
            table_id,
            happened.seq,
            happened.at,
            happened.seat,
            self.text,
            self.facts_text,
            happened.request_id,
        )

    @property
    def is_event(self) -> bool:
        """Whether it is to be written, not only answered."""
        return self.happened is not None and not self.duplicate

    @property
    def is_alone(self) -> bool:
        """Whether it brings writes that may fail on their own, and must not take others with them."""
        return self.attached is not NOTHING or self.ended is not None

    @property
    def is_guarded(self) -> bool:
        """Whether a conflict may come from its own writes rather than from the log."""
        return any(write.expect is not None for write in self.attached.writes)
