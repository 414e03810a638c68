"""One event of a table as it is told: to each seat what that seat may know, made when first asked for."""

from __future__ import annotations

from typing import Any, NamedTuple

from tablee.clock import Instant
from tablee.rules.contract import CLOCK, Action, Fact, Json, Rules, Seat, State, View
from tablee.tables.codec import Codec, Void
from tablee.tables.patch import merge_patch


class Update(NamedTuple):
    """What one event meant to one seat: its version then, the facts told, the patch of its view."""

    version: int
    at: Instant
    told: list[Fact]
    patch: Json


class Views:
    """The last view of each seat: the view after one event is the view before the next."""

    __slots__ = ("_last", "marks", "rules")

    def __init__(self, rules: Rules[Any]) -> None:
        self.rules = rules
        self.marks: dict[Seat, Json] = {}
        """What seats have marked for themselves: each sees its own over every state."""
        self._last: dict[Seat, tuple[State, Json, View]] = {}

    def of(self, state: State, seat: Seat) -> View:
        """The view of `state` for `seat`, of the game's `view_type`; whoever gets it must not change it."""
        marks = self.marks.get(seat)
        last = self._last.get(seat)
        if last is not None and last[0] is state and last[1] is marks:
            return last[2]
        view = self.rules.view(self.marked(state, seat), seat)
        self._last[seat] = (state, marks, view)
        return view

    def marked(self, state: State, seat: Seat) -> State:
        """The state with what this seat has marked for itself."""
        marks = self.marks.get(seat)
        return state if marks is None else self.rules.marked(state, seat, marks)


class Happened:
    """A committed event, between the states before and after it."""

    __slots__ = (
        "_action",
        "_action_text",
        "_codec",
        "_patches",
        "_states",
        "_told",
        "_views",
        "after",
        "at",
        "before",
        "facts",
        "request_id",
        "seat",
        "seq",
    )

    def __init__(
        self,
        views: Views,
        codec: Codec,
        seq: int,
        at: Instant,
        seat: Seat,
        action: Action | None,
        action_text: str,
        facts: list[Fact],
        request_id: str | None,
        before: State | None,
        after: State,
        states: list[State] | None = None,
    ) -> None:
        self.seq = seq
        self.at = at
        self.seat = seat
        self.facts = facts
        self.request_id = request_id
        self.before = before
        self.after = after
        self._views = views
        self._codec = codec
        self._action = action
        self._action_text = action_text
        self._states = states
        self._told: dict[Seat, list[Fact]] | None = None
        self._patches: dict[Seat, Json] | None = None

    @property
    def action(self) -> Action:
        """What was done; read from the log's text when first asked for."""
        if self._action is None:
            self._action = self._codec.action(self._action_text, self.seq)
        return self._action

    @property
    def is_miss(self) -> bool:
        """Whether by it the game took no more of an action than that it was tried."""
        misses = self._views.rules.misses
        for fact in self.facts:  # noqa: SIM110 (a generator costs more than the test)
            if isinstance(fact, misses):
                return True
        return False

    @property
    def void(self) -> str | None:
        """Why the house has ended the game by this; None where it has not."""
        if self.facts or self.seat != CLOCK or not isinstance(self.action, Void):
            return None
        return self.action.reason

    def told(self, seat: Seat) -> list[Fact] | None:
        """The facts as `seat` may know them, in order; None if it is told nothing at all."""
        if self._told is None:
            self._told = {}
        told = self._told.get(seat)
        if told is None:
            facts, tell, before = self.facts, self._views.rules.tell, self.before
            if len(facts) == 1:  # as nearly always
                line = tell(before, facts[0], self.after, seat)
                told = [] if line is None else [line]
            else:
                told = []
                for fact, after in zip(facts, self._after_each(), strict=True):
                    line = tell(before, fact, after, seat)
                    if line is not None:
                        told.append(line)
                    before = after
            self._told[seat] = told
        return told or None

    def view(self, seat: Seat) -> Any:
        """The view of `seat` after it, of the game's `view_type`; whoever gets it must not change it."""
        return self._views.of(self.after, seat)

    def patch(self, seat: Seat) -> Json:
        """What changed in the view of `seat`, as a JSON merge patch."""
        if self._patches is None:
            self._patches = {}
        patch = self._patches.get(seat)
        if patch is None:
            before = None if self.before is None else self._views.of(self.before, seat)
            patch = self._patches[seat] = merge_patch(before, self._views.of(self.after, seat))
        return patch

    def _after_each(self) -> list[State]:
        if self._states is None:
            self._states = []
            state = self.before
            for fact in self.facts:
                state = self._views.rules.evolve(state, fact)
                self._states.append(state)
        return self._states
