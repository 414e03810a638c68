"""What is committed of a table: its state, how much each seat was told, and the last events."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any

from tablee.clock import Instant
from tablee.rules.contract import MASTER, SPECTATOR, Json, Rules, Seat, State
from tablee.tables.clocks import Clocks
from tablee.tables.codec import Codec, Counts
from tablee.tables.happened import Happened, Update, Views

RING = 64
"""Recent events kept for `since`; who missed more is sent the whole view."""
REQUESTS = 1024
"""Recent request ids kept in memory; older ones are looked up in the log."""


class Record:
    """The committed side of a table. It only ever grows by `commit`."""

    __slots__ = (
        "_counts",
        "_marked_at",
        "_requests",
        "_ring",
        "_seats",
        "_uncounted",
        "at",
        "clocks",
        "codec",
        "requests_after",
        "rules",
        "seq",
        "snapshot_seq",
        "state",
        "views",
    )

    def __init__(self, rules: Rules[Any], codec: Codec, seats_most: int) -> None:
        self.rules = rules
        self.codec = codec
        self.views = Views(rules)
        self.state: State | None = None
        self.seq = 0
        self.at: Instant = 0
        self.clocks = Clocks()
        self.snapshot_seq = 0
        self.requests_after = 0
        """Request ids of events up to this one may be missing from memory."""
        self._seats = (MASTER, SPECTATOR, *range(1, seats_most + 1))
        self._counts = Counts()
        self._uncounted: list[Happened] = []
        self._ring: deque[Happened] = deque(maxlen=RING)
        self._requests: dict[tuple[Seat, str], int] = {}
        self._marked_at: dict[Seat, int] = {}
        """The version of each seat when it last marked something."""

    def restore(self, state: State, seq: int, at: Instant, clocks: Clocks, counts: Counts) -> None:
        """Begin from a snapshot."""
        self.state, self.seq, self.at, self.clocks, self._counts = state, seq, at, clocks, counts
        self.snapshot_seq = self.requests_after = seq

    def commit(self, happened: Happened, clocks: Clocks) -> None:
        """The next event is durable."""
        self.state, self.seq, self.at, self.clocks = happened.after, happened.seq, happened.at, clocks
        self._ring.append(happened)
        self._uncounted.append(happened)
        if len(self._uncounted) >= RING:
            self.count_up()
        if happened.request_id is not None:
            self.remember(happened.seat, happened.request_id, happened.seq)

    def mark(self, seat: Seat, marks: Json) -> None:
        """A seat has marked something for itself: no event, and no version."""
        self.views.marks[seat] = marks
        self._marked_at[seat] = self.version(seat)

    def remember(self, seat: Seat, request_id: str, seq: int) -> None:
        requests = self._requests
        requests[(seat, request_id)] = seq
        if len(requests) > REQUESTS:
            oldest = next(iter(requests))
            self.requests_after = max(self.requests_after, requests.pop(oldest))

    def request(self, seat: Seat, request_id: str) -> int | None:
        """The event that this request made, if it is remembered."""
        return self._requests.get((seat, request_id))

    def recent(self, seq: int) -> Happened | None:
        """An event, if it is one of the last."""
        ring = self._ring
        if ring and ring[0].seq <= seq <= ring[-1].seq:
            return ring[seq - ring[0].seq]
        return None

    def newest(self) -> Iterator[Happened]:
        """The last events, the newest first."""
        return reversed(self._ring)

    # --- versions -------------------------------------------------------------------------------------

    def version(self, seat: Seat) -> int:
        """How many events have told `seat` something."""
        self.count_up()
        return self._counts.of(seat)

    def version_of(self, happened: Happened, seat: Seat) -> int:
        """The version of `seat` when this (recent) event had happened."""
        version = self.version(seat)
        for later in reversed(self._ring):
            if later.seq <= happened.seq:
                break
            if self._tells_all(later) or later.told(seat):
                version -= 1
        return version

    def since(self, seat: Seat, version: int) -> list[Update] | None:
        """What `seat` was told after `version`; None if that is too long ago, or not yet."""
        current = self.version(seat)
        if version <= self._marked_at.get(seat, -1):
            return None  # marks have no version: who may have missed some is shown everything
        if version == current:
            return []
        if version > current or version < 0:
            return None
        updates: list[Update] = []
        for happened in reversed(self._ring):
            told = happened.told(seat)
            if told:
                updates.append(Update(current, happened.at, told, happened.patch(seat)))
                current -= 1
                if current == version:
                    return updates[::-1]
        return None

    def count_up(self) -> None:
        """Counting is put off until somebody asks: most events are asked about by nobody."""
        if self._uncounted:
            uncounted, self._uncounted = self._uncounted, []
            for happened in uncounted:
                self._count(self._counts, happened)

    def _count(self, counts: Counts, happened: Happened) -> None:
        if self._tells_all(happened):
            counts.all += 1
            return
        for seat in self._seats:
            if happened.told(seat):
                counts.seats[seat] = counts.seats.get(seat, 0) + 1

    def _tells_all(self, happened: Happened) -> bool:
        everyone = self.rules.told_to_all
        for fact in happened.facts:  # noqa: SIM110 (a generator costs more than the test)
            if isinstance(fact, everyone):
                return True
        return False

    def snapshot(self, pending: list[Happened], clocks: Clocks) -> str:
        """The content of a snapshot as it will be when these events are committed."""
        self.count_up()
        counts = self._counts.copy()
        for happened in pending:
            self._count(counts, happened)
        last = pending[-1]
        return self.codec.encode_snapshot(last.after, clocks, counts, last.at)
