"""Work on the side is kept, logged where it fails, and ended in order."""

from __future__ import annotations

import asyncio

import pytest
from structlog.testing import capture_logs

from tablee.tasks import Tasks, insist


async def test_work_on_the_side_runs_and_is_forgotten_when_it_is_done() -> None:
    tasks = Tasks("test")

    async def work() -> int:
        return 3

    task = tasks.spawn(work(), "three")
    assert (len(tasks), await task) == (1, 3)
    await asyncio.sleep(0)
    assert len(tasks) == 0


async def test_what_fails_is_logged_and_what_was_expected_only_as_a_warning() -> None:
    tasks = Tasks("test", OSError)

    async def fail(error: Exception) -> None:
        raise error

    with capture_logs() as logs:
        for error in (OSError("away"), ValueError("wrong")):
            await asyncio.wait([tasks.spawn(fail(error), "failing")])
            await asyncio.sleep(0)
    assert [(line["log_level"], line["task"]) for line in logs] == [
        ("warning", "failing"),
        ("error", "failing"),
    ]


async def test_the_end_waits_for_what_may_still_finish_and_stops_the_rest() -> None:
    tasks = Tasks("test")
    done = []

    async def work(seconds: float) -> None:
        await asyncio.sleep(seconds)
        done.append(seconds)

    tasks.spawn(work(0.01))
    late = tasks.spawn(work(60))
    await tasks.end(0.2)
    assert (done, late.cancelled(), len(tasks)) == ([0.01], True, 0)


async def test_what_is_insisted_on_is_tried_again_until_it_is_done_or_nobody_wants_it() -> None:
    tries: list[int] = []

    async def work() -> None:
        tries.append(len(tries))
        if len(tries) < 3:
            raise TimeoutError

    await insist(work, TimeoutError)
    assert tries == [0, 1, 2]
    tries.clear()
    await insist(work, TimeoutError, wanted=lambda: not tries)
    assert tries == [0]
    tries.clear()
    with pytest.raises(TimeoutError):
        await insist(work, ValueError)
