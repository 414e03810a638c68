"""Errands such as mail: written in the transaction that causes them, run afterwards, at least once each."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping

import msgspec
from sqlalchemy import bindparam, delete, func, insert, select, update

from tablee.clock import Clock, Instant
from tablee.store.query import Query, Row
from tablee.store.repeating import Repeating
from tablee.store.schema import outbox
from tablee.store.store import Store
from tablee.store.units import Unit, Write

LEASE = 30_000
"""An errand that a node has taken and not finished after this is taken by another."""

FIRST_WAIT, LONGEST_WAIT = 15_000, 6 * 3600_000
"""After a failure: doubled each time, up to the longest."""

TRIED_FOR = 3 * 86_400_000
"""After this an errand is given up; somebody may have it tried again."""
LOOK_EVERY = 5_000
KEPT = 30 * 24 * 3600_000
"""Finished errands stay this long, with what their handler keeps, to answer what became of a letter."""

AT_ONCE = 10


class Errand(msgspec.Struct, frozen=True):
    """Something to do outside of the database; `payload` is JSON."""

    id: int
    kind: str
    account_id: int | None
    payload: str
    tries: int
    created_at: Instant


class GiveUp(Exception):
    """Raised by a handler whose errand can never succeed."""


Handler = Callable[[Errand], Awaitable[str | None]]
"""Runs an errand, and may give what of its payload (JSON) is kept; the rest is forgotten."""


async def errand(
    store: Store, kind: str, payload: str, at: Instant, *, account_id: int | None = None
) -> Write:
    """The write that puts an errand in the outbox. Raises Unavailable."""
    row = {
        "id": await store.new_id("outbox"),
        "kind": kind,
        "account_id": account_id,
        "payload": payload,
        "created_at": at,
        "due_at": at,
        "tries": 0,
        "done_at": None,
        "error": None,
    }
    return Write(_PUT, row, expect=1)


def retry_write(errand_id: int, at: Instant) -> Write:
    """The write by which an errand that is not done is tried again, as if for the first time."""
    return Write(_RETRY, {"which": errand_id, "at": at}, expect=1)


async def unfinished(store: Store, most: int = 1_000) -> list[Row]:
    """Errands that are not done, the oldest first; those without `due_at` were given up."""
    return await store.rows(_UNFINISHED, most=most)


class Outbox:
    """Runs the errands that are due, on any number of nodes, each taken by one of them at a time.

    A handler raises GiveUp where trying again is of no use; any other exception means to try later.
    """

    def __init__(self, store: Store, clock: Clock, handlers: Mapping[str, Handler]) -> None:
        self._store = store
        self._clock = clock
        self._handlers = handlers
        self._repeating = Repeating("outbox", clock, self._turn, LOOK_EVERY)
        self.wake = self._repeating.wake
        self.start = self._repeating.start
        self.stop = self._repeating.stop

    async def run_due(self) -> int:
        """Run what is due now and give how many errands that was. Raises Unavailable."""
        count = 0
        while True:
            now = self._clock.now()
            taken = await self._store.change(
                _TAKE, now=now, lease=now + LEASE, kinds=list(self._handlers), most=AT_ONCE
            )
            await asyncio.gather(*(self._run(Errand(*row)) for row in sorted(taken)))
            count += len(taken)
            if len(taken) < AT_ONCE:
                return count

    async def _turn(self) -> Instant:
        await self.run_due()
        now = self._clock.now()
        await self._store.change(_FORGET, before=now - KEPT)
        found = await self._store.one(_NEXT, kinds=list(self._handlers))
        soonest = None if found is None else found.due_at
        return min(now + LOOK_EVERY, now + LOOK_EVERY if soonest is None else max(soonest, now))

    async def _run(self, task: Errand) -> None:
        try:
            kept = await self._handlers[task.kind](task)
        except GiveUp as reason:
            await self._end(task, due_at=None, done_at=None, error=str(reason), payload=task.payload)
        except Exception as problem:
            error = f"{type(problem).__name__}: {problem}"
            wait = min(FIRST_WAIT * 2 ** (task.tries - 1), LONGEST_WAIT)
            due_at: Instant | None = self._clock.now() + wait
            if due_at is not None and due_at > task.created_at + TRIED_FOR:
                due_at = None
            await self._end(task, due_at=due_at, done_at=None, error=error, payload=task.payload)
        else:
            # What was in the letter, a code perhaps, need not stay.
            await self._end(task, due_at=None, done_at=self._clock.now(), error=None, payload=kept or "{}")

    async def _end(
        self, task: Errand, *, due_at: int | None, done_at: int | None, error: str | None, payload: str
    ) -> None:
        row = {
            "errand": task.id,
            "taken": task.tries,
            "due": due_at,
            "done": done_at,
            "why": error,
            "content": payload,
        }
        await self._store.commit(Unit(writes=[Write(_END, row)]))


_RETRY = Query(
    update(outbox)
    .where(outbox.c.id == bindparam("which"), outbox.c.done_at.is_(None))
    .values(due_at=bindparam("at"), created_at=bindparam("at"), tries=0, error=None)
)
_UNFINISHED = Query(
    select(outbox.c.id, outbox.c.kind, outbox.c.created_at, outbox.c.due_at, outbox.c.tries, outbox.c.error)
    .where(outbox.c.done_at.is_(None))
    .order_by(outbox.c.id)
    .limit(bindparam("most"))
)
_PUT = Query(insert(outbox))
_DUE = outbox.c.kind.in_(bindparam("kinds", expanding=True))
_TAKE = Query(
    update(outbox)
    .where(
        outbox.c.id.in_(
            select(outbox.c.id)
            .where(outbox.c.due_at <= bindparam("now"), _DUE)
            .order_by(outbox.c.due_at, outbox.c.id)
            .limit(bindparam("most"))
            .with_for_update(skip_locked=True)
            .scalar_subquery()
        )
    )
    .values(due_at=bindparam("lease"), tries=outbox.c.tries + 1)
    .returning(*(outbox.c[name] for name in Errand.__struct_fields__))
)
_END = Query(
    update(outbox)
    .where(outbox.c.id == bindparam("errand"), outbox.c.tries == bindparam("taken"))
    .values(
        due_at=bindparam("due"),
        done_at=bindparam("done"),
        error=bindparam("why"),
        payload=bindparam("content"),
    )
)
_NEXT = Query(select(func.min(outbox.c.due_at).label("due_at")).where(_DUE))
_FORGET = Query(delete(outbox).where(outbox.c.done_at < bindparam("before")))
