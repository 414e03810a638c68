"""Work on the side: begun, kept until it is done, logged where it fails, ended in order; or insisted on."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

import structlog

T = TypeVar("T")
AGAIN_FIRST, AGAIN_MOST = 0.1, 1.0
"""Seconds before something that failed is tried again: at first, and at most."""


async def insist(
    work: Callable[[], Awaitable[object]],
    *passing: type[Exception],
    wanted: Callable[[], bool] = lambda: True,
) -> None:
    """Do something again for as long as it raises what is `passing` and is still `wanted`."""
    pause = AGAIN_FIRST
    while wanted():
        try:
            await work()
            return
        except passing:
            await asyncio.sleep(pause)
            pause = min(2 * pause, AGAIN_MOST)


class Tasks:
    """The work on the side of one part of the house.

    What it raises is logged by that part's name: errors that are `expected` (a database that is away) as a
    warning in one line, others with all that is known of them.
    """

    def __init__(self, part: str, *expected: type[Exception]) -> None:
        self._log = structlog.get_logger(part)
        self._expected = expected
        self._running: set[asyncio.Task[Any]] = set()

    def __len__(self) -> int:
        return len(self._running)

    def spawn(self, work: Coroutine[Any, Any, T], name: str | None = None) -> asyncio.Task[T]:
        """Begin something; nobody needs to wait for it."""
        task = asyncio.get_running_loop().create_task(work, name=name)
        self._running.add(task)
        task.add_done_callback(self._finished)
        return task

    async def end(self, patience: float = 0.0) -> None:
        """Give what runs so many seconds to finish, then stop it; returns once nothing runs."""
        if patience and self._running:
            await asyncio.wait(self._running, timeout=patience)
        for task in tuple(self._running):
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)

    def _finished(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        if task.cancelled() or (error := task.exception()) is None:
            return
        if isinstance(error, self._expected):
            self._log.warning("task_failed", task=task.get_name(), error=str(error))
        else:
            self._log.error("task_failed", task=task.get_name(), exc_info=error)
