"""Request ids: a move that is sent again is answered again, never played again."""

from __future__ import annotations

from collections.abc import Iterable

from tablee.rules.contract import Seat
from tablee.store import Store
from tablee.tables import rows
from tablee.tables.happened import Happened
from tablee.tables.record import Record
from tablee.tables.submission import Submission

Key = tuple[Seat, str]


class Requests:
    """Which requests are on their way at a table, and which were played."""

    __slots__ = ("_on_their_way", "_record", "_store", "_table_id")

    def __init__(self, table_id: int, record: Record, store: Store) -> None:
        self._table_id = table_id
        self._record = record
        self._store = store
        self._on_their_way: dict[Key, Submission] = {}

    def note(self, submission: Submission, request_id: str) -> bool:
        """Whether this is new. What is on its way is answered with the first; what was played is marked."""
        key = (submission.seat, request_id)
        first = self._on_their_way.get(key)
        if first is not None:
            if first.also is None:
                first.also = []
            first.also.append(submission)
            return False
        seq = None if submission.is_new else self._record.request(submission.seat, request_id)
        if seq is not None:
            submission.duplicate = True
            submission.happened = self._record.recent(seq)
            return False
        self._on_their_way[key] = submission
        return True

    def settled(self, submission: Submission) -> None:
        """It is answered: if it comes again, it comes anew or is in the record."""
        if submission.request_id is not None:
            key = (submission.seat, submission.request_id)
            if self._on_their_way.get(key) is submission:
                del self._on_their_way[key]

    def waiting_for(self, happened: Happened) -> Submission | None:
        """Who waits here for what is in the log: by another node, or by a commit whose end was missed."""
        if happened.request_id is None:
            return None
        return self._on_their_way.get((happened.seat, happened.request_id))

    def may_be_forgotten(self, submission: Submission) -> bool:
        """Whether the log must be asked before this request is refused: it may have been played long ago."""
        return (
            submission.request_id is not None
            and not submission.is_new
            and not submission.duplicate
            and self._record.requests_after > 0
        )

    async def mark_played(self, submissions: Iterable[Submission]) -> list[Submission]:
        """Mark those that the log has as duplicates and give them; raises Unavailable."""
        found: list[Submission] = []
        for submission in submissions:
            if submission.request_id is None:
                continue
            row = await self._store.one(
                rows.EVENT_BY_REQUEST,
                table_id=self._table_id,
                seat=submission.seat,
                request_id=submission.request_id,
            )
            if row is not None:
                submission.forget()
                submission.duplicate = True
                submission.happened = self._record.recent(row.seq)
                found.append(submission)
        return found
