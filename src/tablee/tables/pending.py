"""Where a table will be once everything on its way is committed: what the next action is decided on."""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

from tablee.clock import Instant
from tablee.rules.contract import (
    CLOCK,
    Action,
    Alarm,
    Fact,
    Illegal,
    Join,
    Leave,
    Replace,
    Result,
    Rules,
    Seat,
    State,
    TimeGivenBack,
    Timeout,
)
from tablee.store import EventRow
from tablee.tables.clocks import Clocks, NoClock, TimeControl, after_event, give_back
from tablee.tables.codec import Start, Void
from tablee.tables.errors import NotStarted, Started
from tablee.tables.happened import Happened
from tablee.tables.marks import Marking
from tablee.tables.record import Record
from tablee.tables.submission import Submission

SEATING = (Start, Join, Leave, Replace)
"""Actions that change who sits where: they are logged even where they mean nothing to the game."""


class Decision(NamedTuple):
    """An action decided: the event as it will be, the clocks after it, and how the game ended if it did."""

    happened: Happened
    clocks: Clocks
    result: Result | None


class Pending:
    """A state that runs ahead of the record, and is dropped when an append fails."""

    __slots__ = ("_control", "_record", "_rules", "at", "clocks", "has_clocks", "marks", "seq", "state")

    def __init__(self, record: Record, rules: Rules[Any], control: TimeControl) -> None:
        self._record = record
        self._rules = rules
        self._control = control
        self.has_clocks = not isinstance(control, NoClock)
        self.drop()

    def drop(self) -> None:
        """Begin again from what is committed."""
        record = self._record
        self.state: State | None = record.state
        self.seq = record.seq
        self.at = record.at
        self.clocks = record.clocks
        self.marks = dict(record.views.marks)

    def decide(self, submission: Submission, at: Instant, rng: Random) -> Decision | None:
        """Decide and run ahead; None if it is accepted and there is nothing to write down.

        Raises Illegal, NotStarted, Started, and whatever a faulty game raises; then nothing has changed.
        """
        before: Any = self.state
        facts = self._facts(submission, before, at, rng)
        if facts is None:
            return None
        private = self._rules.private
        for fact in facts:  # a generator for `any` costs more than the tests
            if isinstance(fact, private):
                facts = self._mark(submission, before, facts)
                break
        if not facts and submission.marking is not None:
            return None
        evolve = self._rules.evolve
        after: Any = before
        states = []
        for fact in facts:
            after = evolve(after, fact)
            states.append(after)
        clocks = self.clocks
        lag = submission.lag if submission.seat in clocks.since else 0
        if self.has_clocks:
            clocks = self._clocks_after(clocks, submission.action, at, after, lag)
        action = submission.action
        result = action.result if isinstance(action, Void) else self._rules.result(after)
        record = self._record
        codec = record.codec
        submission.text = codec.encode_action(submission.action, lag)
        submission.facts_text = codec.encode_facts(facts)
        happened = Happened(
            record.views,
            codec,
            self.seq + 1,
            at,
            submission.seat,
            submission.action,
            submission.text,
            facts,
            submission.request_id,
            before,
            after,
            states,
        )
        self.state, self.seq, self.at, self.clocks = after, happened.seq, at, clocks
        return Decision(happened, clocks, result)

    def _facts(self, submission: Submission, before: Any, at: Instant, rng: Random) -> list[Fact] | None:
        action, seat = submission.action, submission.seat
        if before is None:
            if submission.attached.facts is None:
                raise NotStarted()
            return submission.attached.facts
        if isinstance(action, Start):
            raise Started()
        if isinstance(action, Void):
            if action.by is not None and not self._rules.is_abortable(before):
                raise Started("too_late_to_abort")
            return []
        if seat == CLOCK:
            if not self.is_due(action, at):
                return None
            if isinstance(action, TimeGivenBack) and self.has_clocks:
                try:
                    return self._rules.decide(before, seat, action, at, rng)
                except Illegal:
                    return []  # the game measures nothing by the clock, but the table does
        facts = self._rules.decide(self._marked(before, seat), seat, action, at, rng)
        return facts if facts or isinstance(action, SEATING) else None

    def _marked(self, state: Any, seat: Seat) -> Any:
        marks = self.marks.get(seat)
        return state if marks is None else self._rules.marked(state, seat, marks)

    def _mark(self, submission: Submission, before: Any, facts: list[Fact]) -> list[Fact]:
        """Take what is private out of the facts and into the marks of the seat; gives those for the log."""
        rules, seat = self._rules, submission.seat
        told = []
        state = self._marked(before, seat)
        for fact in facts:
            after = rules.evolve(state, fact)
            line = rules.tell(state, fact, after, seat) if isinstance(fact, rules.private) else None
            if line is not None:
                told.append(line)
            state = after
        self.marks[seat] = marks = rules.marks(state, seat)
        submission.marking = Marking(seat, marks, told)
        return [fact for fact in facts if not isinstance(fact, rules.private)]

    def is_due(self, action: Action, at: Instant) -> bool:
        """Whether what CLOCK wants to play is still due: another node may have played it.

        What the rules would say to a second time is not left to them.
        """
        if isinstance(action, Alarm):
            when = self._rules.alarms(self.state).get(action.name)
        elif isinstance(action, Timeout):
            when = self.clocks.until.get(action.seat)
        else:
            return True
        return when is not None and when <= at

    def follow(self, event: EventRow) -> Decision:
        """Run ahead by an event that is in the log already."""
        record = self._record
        facts = record.codec.facts(event.facts)
        after: Any = self.state
        for fact in facts:
            after = self._rules.evolve(after, fact)
        happened = Happened(
            record.views,
            record.codec,
            event.seq,
            event.at,
            event.seat,
            None,
            event.action,
            facts,
            event.request_id,
            self.state,
            after,
        )
        clocks = self.clocks
        if self.has_clocks:
            lag = record.codec.lag(event.action)
            clocks = self._clocks_after(clocks, happened.action, event.at, after, lag)
        self.state, self.seq, self.at, self.clocks = after, event.seq, event.at, clocks
        return Decision(happened, clocks, None)

    def _clocks_after(self, clocks: Clocks, action: Action, at: Instant, after: Any, lag: int) -> Clocks:
        if isinstance(action, TimeGivenBack):
            clocks = give_back(self._control, clocks, at, action.milliseconds)
        stopped = action.seat if isinstance(action, Timeout) else None
        # The position of a void game still has somebody's turn, but nobody plays it.
        waiting = frozenset() if isinstance(action, Void) else self._rules.waiting(after)
        return after_event(self._control, clocks, at, waiting, stopped, lag)
