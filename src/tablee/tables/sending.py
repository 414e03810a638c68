"""An action on its way from a chair to its table, sent again while the database is away."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from tablee.rules.contract import MASTER, Action, Fact
from tablee.store import Unavailable
from tablee.tables.errors import NoSuchTable, Restored, TableClosed, TableError
from tablee.tables.submission import NOTHING, Attachment, Outcome
from tablee.tasks import AGAIN_FIRST, AGAIN_MOST

if TYPE_CHECKING:
    from tablee.tables.chair import Chair

PATIENCE = 5_000
"""Milliseconds for which an action is sent again while the database is away; a door may say otherwise."""


class Answer:
    """What became of an action, to be read when it comes: `error` is why it was not played."""

    __slots__ = ("_chair", "_outcome", "error")

    _chair: Chair
    _outcome: Outcome
    error: Exception | None

    @property
    def duplicate(self) -> bool:
        """Whether the same request was played before."""
        return self._outcome.duplicate

    @property
    def version(self) -> int:
        """The version of its seat with it."""
        loaded, seat, happened = self._chair._table, self._chair.seat, self._outcome.happened
        return loaded.version(seat) if happened is None else loaded.version_of(happened, seat)

    @property
    def told(self) -> Sequence[Fact]:
        """What its seat was told by it."""
        happened = self._outcome.happened
        told = None if happened is None else happened.told(self._chair.seat)
        return [*(told or ()), *self._outcome.marked]

    @property
    def is_miss(self) -> bool:
        """Whether the game took no more of it than that it was tried (`Rules.misses`)."""
        happened = self._outcome.happened
        return happened is not None and happened.is_miss


Done = Callable[[Answer], object]


class Sending(Answer):
    """One action on its way, sent again until it is answered or patience has run out; then the answer."""

    __slots__ = (
        "_action",
        "_done",
        "_is_new",
        "_lag",
        "_patience",
        "_pause",
        "_request_id",
        "_until",
    )

    def __init__(
        self, chair: Chair, action: Action, request_id: str | None, done: Done, lag: int, patience: int
    ) -> None:
        self._chair = chair
        self._action = action
        self._request_id = request_id or next(chair.request_ids)
        # An id that was made this moment is in no log.
        self._is_new = request_id is None
        self._done = done
        self._lag = lag
        self._pause = AGAIN_FIRST
        self._patience = patience / 1000
        self._until = 0.0
        self._send(NOTHING)

    def _send(self, attached: Attachment) -> None:
        chair = self._chair
        tables = chair._tables
        if chair.epoch != tables.store.epoch:
            self._answered(Outcome(Restored(), None))
        elif chair.seat == MASTER and attached is NOTHING:
            tables.spawn(self._send_as_master(), f"master at table {chair.info.id}")
        else:
            loaded = chair._table
            tables.looks.note(loaded.info.id)
            loaded.submit(
                chair.seat, self._action, self._request_id, self._answered, attached, self._lag, self._is_new
            )

    async def _send_as_master(self) -> None:
        chair = self._chair
        try:
            attached = await chair._tables.mastering.attached_to(chair._table, chair.seat, self._action)
        except Exception as error:  # whoever waits must be answered, whatever it is
            self._answered(Outcome(error, None))
            return
        chair._tables.looks.note(chair.info.id)
        chair._table.submit(chair.seat, self._action, self._request_id, self._answered, attached, self._lag)

    def _answered(self, outcome: Outcome) -> None:
        error = outcome.error
        if error is not None and isinstance(error, _PASSING):
            if self._is_patient():
                chair = self._chair
                chair._tables.spawn(self._send_again(), f"action at table {chair.info.id}")
                return
            if isinstance(error, TableClosed):
                outcome = Outcome(Unavailable("The table was put away."), None)
        self._outcome = outcome
        self.error = outcome.error
        self._done(self)

    def _is_patient(self) -> bool:
        """Whether it is sent again; the time for that begins with the first trouble."""
        now = asyncio.get_running_loop().time()
        self._until = self._until or now + self._patience
        return now < self._until

    async def _send_again(self) -> None:
        """The same request once more: whether it was kept is not known, but the log will tell."""
        chair, tables = self._chair, self._chair._tables
        self._is_new = False
        await asyncio.sleep(self._pause)
        self._pause = min(2 * self._pause, AGAIN_MOST)
        try:
            await tables.open(chair.info.id)
        except (Unavailable, NoSuchTable, TableError) as error:
            self._answered(Outcome(error, None))
        else:
            self._send(NOTHING)


_PASSING = (Unavailable, TableClosed)
"""What may be over when the same action is sent again."""
