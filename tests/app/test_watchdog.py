"""The watchdog sees an event loop that stands still, and says what it was doing."""

from __future__ import annotations

import asyncio
import gc
import io
import logging
import threading
import time
from collections.abc import AsyncIterator

import pytest
import structlog
from structlog.testing import capture_logs
from tests.kit.waiting import until

from tablee.logs import configure
from tablee.metrics import Metrics
from tablee.watchdog import Cause, Watchdog


class Told:
    """What a watchdog has said, and a watchdog that says it."""

    def __init__(self) -> None:
        self._told: asyncio.Future[Cause] = asyncio.get_running_loop().create_future()
        self.watchdog = Watchdog(self._hear)

    def _hear(self, seconds: float, cause: Cause) -> None:
        if not self._told.done():
            self._told.set_result(cause)

    @property
    def has_noticed(self) -> bool:
        return bool(self.watchdog._stack)

    async def told(self) -> Cause:
        return await self._told


@pytest.fixture
async def told() -> AsyncIterator[Told]:
    told = Told()
    told.watchdog.start()
    await asyncio.sleep(0)
    yield told
    told.watchdog.stop()


def reckon_until_noticed(told: Told) -> None:
    """Something that ought not to run in the loop."""
    started = time.thread_time()
    while not told.has_noticed or time.thread_time() - started < 0.5:
        sum(range(1000))


async def test_what_ran_while_the_loop_stood_still_is_in_the_log(told: Told) -> None:
    with capture_logs() as logs:
        reckon_until_noticed(told)
        await told.told()
    entry = next(entry for entry in logs if entry["event"] == "loop_stood_still")
    assert any("reckon_until_noticed" in place for place in entry["stood_at"])
    assert entry["computed"] > 0.4


async def test_a_person_who_reads_the_log_sees_it_too(told: Told) -> None:
    """As text for people, not only as JSON: a word that structlog keeps for itself broke it once."""
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    out = io.StringIO()
    configure("info", "pretty", out)
    try:
        reckon_until_noticed(told)
        await told.told()
        await asyncio.sleep(0)
    finally:
        root.handlers[:] = before
        root.setLevel(level)
        structlog.reset_defaults()
    assert "loop_stood_still" in out.getvalue()
    assert "reckon_until_noticed" in out.getvalue()


async def test_a_loop_that_waits_for_somebody_else_is_told_from_one_that_computes(told: Told) -> None:
    go_on = threading.Event()

    def let_go_when_noticed() -> None:
        while not told.has_noticed:
            time.sleep(0.01)
        go_on.set()

    thread = threading.Thread(target=let_go_when_noticed)
    thread.start()
    go_on.wait()
    assert await told.told() in ("waiting", "descheduled")
    thread.join()


async def test_garbage_that_is_collected_in_the_loop_is_counted(told: Told) -> None:
    kept = [[number] for number in range(200_000)]
    while told.watchdog._collected == 0.0:
        gc.collect()
    assert kept


@pytest.mark.parametrize(
    ("ran", "queued", "collected", "cause"),
    [
        (0.9, 0.1, 0.0, "computing"),
        (0.9, 0.1, 0.8, "collecting"),
        (0.1, 0.9, 0.0, "descheduled"),
        (0.1, 0.9, 1.0, "descheduled"),  # what is collected is counted with the time that others took from it
        (0.1, 0.1, 0.0, "waiting"),
    ],
)
async def test_the_cause_is_what_most_of_the_time_went_to(
    told: Told, ran: float, queued: float, collected: float, cause: Cause
) -> None:
    told.watchdog._collected = collected
    told.watchdog._tell(1.0, ran, queued)
    assert await told.told() == cause


async def test_a_stand_is_among_the_figures() -> None:
    metrics = Metrics()
    metrics.watch_loop()
    await asyncio.sleep(0)
    while not metrics._watchdog._stack:
        sum(range(1000))
    await until(lambda: b"tablee_loop_stall_seconds_count{" in metrics.text(), "the stand to be counted")
    metrics.stop()
