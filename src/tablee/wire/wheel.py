"""One timer for all connections: when to ask whether they are there, and when to give them up."""

from __future__ import annotations

import heapq
from typing import Protocol
from weakref import ref

import structlog

from tablee.clock import Clock, Timer

log = structlog.get_logger("tablee.wire")

GRAIN = 50
"""Milliseconds by which a turn may come late, so that many connections share it."""


class Turning(Protocol):
    def turn(self, now: int) -> int | None:
        """Do what is due, and say when to come again; None for never."""
        ...


class Wheel:
    """Calls each connection at the tick it asked for, with a single timer of the clock.

    All that is measured about connections is durations: nobody is cut off because somebody has set a clock.
    It keeps nobody: a connection that ends before its time has come is forgotten at once, with its memory.
    """

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self._slots: dict[int, list[ref[Turning]]] = {}
        self._order: list[int] = []
        self._timer: Timer | None = None
        self._timer_slot = 0
        self._turning = False

    def watch(self, one: Turning, due: int) -> None:
        slot = -(-due // GRAIN)
        waiting = self._slots.get(slot)
        if waiting is not None:
            waiting.append(ref(one))
            return
        self._slots[slot] = [ref(one)]
        heapq.heappush(self._order, slot)
        if not self._turning and (self._timer is None or slot < self._timer_slot):
            self._set(slot)

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None
        self._slots.clear()
        self._order.clear()

    def _set(self, slot: int) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer_slot = slot
        wait = max(0, slot * GRAIN - self.clock.ticks())
        self._timer = self.clock.call_at(self.clock.now() + wait, self._turn)

    def _turn(self) -> None:
        self._timer = None
        now = self.clock.ticks()
        self._turning = True  # what is asked for meanwhile may be later than what waits already
        while self._order and self._order[0] * GRAIN <= now:
            for kept in self._slots.pop(heapq.heappop(self._order)):
                if (one := kept()) is None:
                    continue
                try:
                    again = one.turn(now)
                except Exception:
                    log.exception("turn_failed")
                    continue
                if again is not None:
                    self.watch(one, max(again, now + 1))
        self._turning = False
        if self._order:
            self._set(self._order[0])
