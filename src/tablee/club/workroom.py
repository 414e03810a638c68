"""Threads beside the event loop, at which those who have work take turns."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Any, NamedTuple, TypeVar

from tablee.club.errors import TooMany

T = TypeVar("T")


class _Job(NamedTuple):
    done: asyncio.Future[Any]
    work: Callable[..., Any]
    given: tuple[Any, ...]


# Why: docs/decisions.md#work-takes-turns
class Workroom:
    """So many do their work at once, each of those who wait one piece of it in turn.

    First come, first served would let whoever brings a hundred pieces keep everybody else waiting.
    """

    def __init__(
        self,
        name: str,
        workers: int,
        executor: Executor | None = None,
        *,
        waiting_each: int = 20,
        again_in: int = 2,
    ) -> None:
        """Of one who has `waiting_each` pieces waiting no more are wanted for `again_in` seconds."""
        self._waiting_each, self._again_in = waiting_each, again_in
        self._own_executor = executor is None
        self._executor = executor or ThreadPoolExecutor(workers, thread_name_prefix=name)
        self._workers = workers
        self._waiting: OrderedDict[Hashable, deque[_Job]] = OrderedDict()
        self._at_work: set[Hashable] = set()

    async def do(self, whose: Hashable, work: Callable[..., T], *given: Any) -> T:
        """What `work(*given)` gives, when the turn of `whose` has come; he does one thing at a time."""
        job = _Job(asyncio.get_running_loop().create_future(), work, given)
        self._waiting.setdefault(whose, deque()).append(job)
        self._begin()
        result: T = await job.done
        return result

    def must_have_room(self, whose: Hashable) -> None:
        """Raise TooMany where `whose` has as many pieces waiting as he may."""
        if len(self._waiting.get(whose, ())) >= self._waiting_each:
            raise TooMany(self._again_in)

    def close(self) -> None:
        for jobs in self._waiting.values():
            for job in jobs:
                job.done.cancel()
        self._waiting.clear()
        if self._own_executor:
            self._executor.shutdown(wait=False, cancel_futures=True)

    def _begin(self) -> None:
        for whose in [*self._waiting]:
            if len(self._at_work) >= self._workers:
                return
            if whose not in self._at_work:
                self._take_up(whose)

    def _take_up(self, whose: Hashable) -> None:
        jobs = self._waiting[whose]
        while jobs and jobs[0].done.done():
            jobs.popleft()  # nobody waits for it any more
        if jobs:
            job = jobs.popleft()
            self._at_work.add(whose)
            loop = asyncio.get_running_loop()
            working = loop.run_in_executor(self._executor, job.work, *job.given)
            working.add_done_callback(lambda worked: self._finish(whose, job, worked))
        if jobs:
            self._waiting.move_to_end(whose)
        else:
            del self._waiting[whose]

    def _finish(self, whose: Hashable, job: _Job, worked: asyncio.Future[Any]) -> None:
        self._at_work.discard(whose)
        if job.done.done():
            if not worked.cancelled():
                worked.exception()  # nobody is left to hear of it
        elif worked.cancelled():
            job.done.cancel()
        elif (error := worked.exception()) is not None:
            job.done.set_exception(error)
        else:
            job.done.set_result(worked.result())
        self._begin()
