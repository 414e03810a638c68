"""Notices when the event loop stands still, and says what it was doing meanwhile.

A thread looks every few milliseconds whether the loop has come round. Where it has not, the stack of the
loop's thread is kept; when the loop goes on, one line of the log says how long it stood, why, and where.
"""

from __future__ import annotations

import asyncio
import gc
import os
import sys
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Literal

import structlog

log = structlog.get_logger("tablee.watchdog")

BEAT_EVERY = 0.05
STANDS_AFTER = 0.25
"""Seconds without coming round from which on the loop stands still."""
DEPTH = 25
"""Frames of a stack that are told, the innermost ones."""

Cause = Literal["computing", "collecting", "descheduled", "waiting"]
"""Python or C that ran; the garbage collector; other programs that had the processor; a disk or a lock."""


class Watchdog:
    """Watches the loop that `start` is called in; `told` hears of each stand: its seconds and its cause."""

    def __init__(self, told: Callable[[float, Cause], object]) -> None:
        self._told = told
        self._loop: asyncio.AbstractEventLoop | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._thread: threading.Thread | None = None
        self._ended = threading.Event()
        self._watched = 0
        self._ran: _Ran | None = None
        self._came_round = 0.0
        self._collected = 0.0
        self._collecting_since = 0.0
        self._stack: list[str] = []

    def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._watched = threading.get_ident()
        self._ran = _Ran(self._watched, threading.get_native_id())
        gc.callbacks.append(self._collects)
        self._beat()
        self._thread = threading.Thread(target=self._watch, name="watchdog", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._ended.set()
        if self._timer is not None:
            self._timer.cancel()
        with suppress(ValueError):
            gc.callbacks.remove(self._collects)
        if self._thread is not None:
            self._thread.join()
        if self._ran is not None:
            self._ran.close()
            self._ran = None

    # --- in the loop ------------------------------------------------------------------------------------

    def _beat(self) -> None:
        assert self._loop is not None
        assert self._ran is not None
        now = time.monotonic()
        stood = now - self._came_round - BEAT_EVERY if self._came_round else 0.0
        ran, queued = self._ran.lately()
        if stood >= STANDS_AFTER:
            self._tell(stood, ran, queued)
        self._stack = []
        self._collected = 0.0
        self._came_round = now
        self._timer = self._loop.call_later(BEAT_EVERY, self._beat)

    def _tell(self, stood: float, ran: float, queued: float) -> None:
        cause: Cause = "waiting"
        if queued >= stood / 2 and queued > ran:
            cause = "descheduled"  # though it may have been collecting when others took the processor
        elif self._collected >= stood / 2:
            cause = "collecting"
        elif ran >= stood / 2:
            cause = "computing"
        self._told(stood, cause)
        log.warning(
            "loop_stood_still",
            seconds=round(stood, 3),
            cause=cause,
            computed=round(ran, 3),
            descheduled=round(queued, 3),
            collected=round(self._collected, 3),
            stood_at=self._stack,
        )

    def _collects(self, phase: str, info: dict[str, Any]) -> None:
        if threading.get_ident() != self._watched:
            return  # the loop waits for a thread that collects, as for any other
        if phase == "start":
            self._collecting_since = time.monotonic()
        else:
            self._collected += time.monotonic() - self._collecting_since

    # --- in the thread ----------------------------------------------------------------------------------

    def _watch(self) -> None:
        while not self._ended.wait(BEAT_EVERY):
            stands = time.monotonic() - self._came_round - BEAT_EVERY >= STANDS_AFTER
            if stands and not self._stack:
                frame = sys._current_frames().get(self._watched)
                if frame is not None:
                    self._stack = [
                        f"{place.filename}:{place.lineno} {place.name}"
                        for place in traceback.extract_stack(frame)[-DEPTH:]
                    ]


class _Ran:
    """How long a thread has had the processor and has waited for it, since the last question."""

    def __init__(self, thread: int, native: int) -> None:
        self._clock = time.pthread_getcpuclockid(thread)
        self._file: int | None = None
        with suppress(OSError):  # not every kernel tells it
            self._file = os.open(f"/proc/self/task/{native}/schedstat", os.O_RDONLY | os.O_CLOEXEC)
        self._before = self._so_far()

    def lately(self) -> tuple[float, float]:
        now = self._so_far()
        before, self._before = self._before, now
        return now[0] - before[0], now[1] - before[1]

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _so_far(self) -> tuple[float, float]:
        queued = 0 if self._file is None else int(os.pread(self._file, 100, 0).split()[1])
        return time.clock_gettime(self._clock), queued / 1e9
