"""When somebody must look at a table, and what is due then."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from tablee.clock import Instant
from tablee.rules.contract import Action, Alarm, Rules, Timeout
from tablee.store import Write
from tablee.tables import rows
from tablee.tables.clocks import Clocks
from tablee.tables.info import SeatInfo

ROBOT_WATCH = 30_000
"""If the node that thinks for a robot dies, another looks at the table after so long."""
DEAF_AT_MOST = 100


class Ringing(NamedTuple):
    """Something due: since when, and what CLOCK plays for it."""

    when: Instant
    name: str
    action: Action


class Alarms:
    """The alarms of the game and the clocks of the players, without those that nobody answers."""

    __slots__ = ("_clocks", "_deaf", "_due", "_rules", "_state", "stored")

    def __init__(self, rules: Rules[Any], stored: Instant | None) -> None:
        self._rules = rules
        self.stored = stored
        """When somebody must look as far as the database knows, if that is known here."""
        self._deaf: set[tuple[str, Instant]] = set()
        self._state: Any = None
        self._clocks: Clocks | None = None
        self._due: Instant | None = None

    def due(self, state: Any, clocks: Clocks, robots: Sequence[SeatInfo], now: Instant) -> Instant | None:
        """When the first of them rings; a robot's turn is looked after too."""
        # It is asked when a state is sent and again when it is told: the answer is the same.
        if state is not self._state or clocks is not self._clocks:
            self._state, self._clocks, self._due = state, clocks, self._first(state, clocks)
        due = self._due
        if robots:
            waiting = self._rules.waiting(state) | self._rules.asked(state)
            if any(robot.seat in waiting for robot in robots):
                return now + ROBOT_WATCH if due is None else min(due, now + ROBOT_WATCH)
        return due

    def _first(self, state: Any, clocks: Clocks) -> Instant | None:
        if self._deaf:
            dues = [ringing.when for ringing in self._all(state, clocks)]
        else:
            dues = list(self._rules.alarms(state).values())
            if clocks.until:
                dues += clocks.until.values()
        return min(dues) if dues else None

    # Why: docs/decisions.md#a-due-time-is-a-bound
    def store(self, table_id: int, due: Instant | None, now: Instant) -> list[Write]:
        """What keeps an earlier time than the stored one, or one that is ahead, with an event."""
        stored = self.stored
        if due is None or not (stored is None or due < stored or stored <= now):
            return []
        self.stored = due
        return [Write(rows.SET_DUE, {"b_id": table_id, "b_due_at": due})]

    def move_on(self, table_id: int, seq: int, due: Instant | None, now: Instant) -> list[Write]:
        """What keeps a later time, where the stored one has passed."""
        if self.stored is None or self.stored > now or (due is not None and due <= now):
            return []
        self.stored = due
        return [Write(rows.MOVE_DUE, {"b_id": table_id, "b_seq": seq, "b_due_at": due})]

    def ringing(self, state: Any, clocks: Clocks, now: Instant) -> list[Ringing]:
        """What is due now, the oldest first."""
        due = [ringing for ringing in self._all(state, clocks) if ringing.when <= now]
        return sorted(due, key=lambda ringing: (ringing.when, ringing.name))

    def nobody_answers(self, ringing: Ringing) -> None:
        """The game has no answer to its own alarm: asking again before it changes would never end."""
        if len(self._deaf) >= DEAF_AT_MOST:
            self._deaf.clear()
        self._deaf.add((ringing.name, ringing.when))
        self._state = None

    def _all(self, state: Any, clocks: Clocks) -> list[Ringing]:
        found = [Ringing(when, name, Alarm(name)) for name, when in self._rules.alarms(state).items()]
        found += [Ringing(when, f"timeout:{seat}", Timeout(seat)) for seat, when in clocks.until.items()]
        return [ringing for ringing in found if (ringing.name, ringing.when) not in self._deaf]
