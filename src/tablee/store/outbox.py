"""Errands such as mail: written in the transaction that causes them, run afterwards, at least once each."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping

import msgspec
from sqlalchemy import bindparam, func, insert, select, update

from tablee.clock import Clock, Instant
from tablee.store.errors import Unavailable
from tablee.store.query import Query, Row
from tablee.store.repeating import Repeating
from tablee.store.schema import outbox
from tablee.store.store import Store
from tablee.store.units import Unit, Write
from tablee.tasks import Tasks

LEASE = 30_000
"""An errand that a node has taken and not finished after this is taken by another."""

FIRST_WAIT, LONGEST_WAIT = 1_000, 6 * 3600_000
"""After a failure: doubled each time, up to the longest. A letter that says that time is short comes within a
minute though it is refused five times."""

TRIED_FOR = 3 * 86_400_000
"""After this an errand is given up; somebody may have it tried again."""
LOOK_EVERY = 5_000
AT_ONCE = 10
AT_ONCE_EACH = 5
"""From so many errands of one account on that are being run, the errands of others go first."""
FINISHING_SECONDS = 5.0
"""What is being run when the house ends is given so long: broken off, it would be run twice."""


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


class ComeAgain(Exception):
    """Raised by a handler whom the other side has asked not to come again for so many milliseconds."""

    def __init__(self, reason: str, wait: int = 0) -> None:
        super().__init__(reason)
        self.wait = wait


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


def retry_write(errand_id: int, kind: str, at: Instant) -> Write:
    """The write by which an errand that is not done is tried again, as if for the first time."""
    return Write(_RETRY, {"which": errand_id, "what": kind, "at": at}, expect=1)


async def unfinished(store: Store, kind: str, most: int = 1_000) -> list[Row]:
    """Errands of a kind that are not done, the oldest first; those without `due_at` were given up."""
    return await store.rows(_UNFINISHED, what=kind, most=most)


class Outbox:
    """Runs the errands that are due, on any number of nodes, each taken by one of them at a time.

    A handler raises GiveUp where trying again is of no use; any other exception means to try later.
    """

    def __init__(
        self, store: Store, clock: Clock, handlers: Mapping[str, Handler], at_once: int = AT_ONCE
    ) -> None:
        self._store = store
        self._clock = clock
        self._handlers = handlers
        self._at_once = at_once
        self._running = Tasks("tablee.outbox", Unavailable)
        self._of_each = Counter[int]()
        self._repeating = Repeating("outbox", clock, self._turn, LOOK_EVERY)
        self.wake = self._repeating.wake
        self.start = self._repeating.start

    async def stop(self) -> None:
        """Take no errand more, and finish those that are being run."""
        await self._repeating.stop()
        await self._running.end(FINISHING_SECONDS)

    async def run_due(self) -> int:
        """Run what is due until there is no more, and give how many errands that was. Raises Unavailable."""
        count = 0
        running = set[asyncio.Task[None]]()
        while True:
            begun = await self._begin_due()
            count += len(begun)
            running |= set(begun)
            if not running:
                return count
            done, running = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()

    async def _turn(self) -> Instant:
        """Begin what is due; an errand that takes its time keeps no other waiting."""
        for task in await self._begin_due():
            task.add_done_callback(self._wake_for_more)
        now = self._clock.now()
        later = now + LOOK_EVERY
        if self._busy() or self._room <= 0:
            return later  # what is due and was left goes on when something is done
        found = await self._store.one(_NEXT, kinds=list(self._handlers))
        soonest = None if found is None else found.due_at
        return later if soonest is None else min(later, max(soonest, now))

    async def _begin_due(self) -> list[asyncio.Task[None]]:
        begun: list[asyncio.Task[None]] = []
        while self._room > 0:
            now, most = self._clock.now(), min(self._room, AT_ONCE_EACH)
            taken = await self._store.change(
                _TAKE,
                now=now,
                lease=now + LEASE,
                kinds=list(self._handlers),
                busy=self._busy(),
                most=most,
            )
            for task in (Errand(*row) for row in sorted(taken)):
                if task.account_id is not None:
                    self._of_each[task.account_id] += 1
                begun.append(self._running.spawn(self._run(task), "errand"))
            if len(taken) < most:
                break
        return begun

    @property
    def _room(self) -> int:
        return self._at_once - len(self._running)

    def _busy(self) -> list[int]:
        """Accounts of which enough is being run."""
        return [whose for whose, count in self._of_each.items() if count >= AT_ONCE_EACH]

    def _wake_for_more(self, _: asyncio.Task[None]) -> None:
        if self._room >= min(AT_ONCE_EACH, self._at_once):
            self.wake()

    async def _run(self, task: Errand) -> None:
        try:
            await self._try(task)
        finally:
            if task.account_id is not None:
                self._of_each -= Counter([task.account_id])

    async def _try(self, task: Errand) -> None:
        try:
            kept = await self._handlers[task.kind](task)
        except GiveUp as reason:
            await self._end(task, due_at=None, done_at=None, error=str(reason), payload=task.payload)
        except Exception as problem:
            error = f"{type(problem).__name__}: {problem}"
            wait = FIRST_WAIT * 2 ** (task.tries - 1)
            if isinstance(problem, ComeAgain):
                error, wait = str(problem), max(wait, problem.wait)
            wait = min(wait, LONGEST_WAIT)
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
    .where(outbox.c.id == bindparam("which"), outbox.c.kind == bindparam("what"), outbox.c.done_at.is_(None))
    .values(due_at=bindparam("at"), created_at=bindparam("at"), tries=0, error=None)
)
_UNFINISHED = Query(
    select(outbox.c.id, outbox.c.kind, outbox.c.created_at, outbox.c.due_at, outbox.c.tries, outbox.c.error)
    .where(outbox.c.done_at.is_(None), outbox.c.kind == bindparam("what"))
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
            .where(
                outbox.c.due_at <= bindparam("now"),
                _DUE,
                func.coalesce(outbox.c.account_id, 0).not_in(bindparam("busy", expanding=True)),
            )
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
_NEXT = Query(select(func.min(outbox.c.due_at).label("due_at")).where(_DUE, outbox.c.due_at.is_not(None)))
