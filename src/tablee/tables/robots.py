"""Robots at the tables: they think beside the event loop, at a human pace, and see what their seat sees."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import structlog

from tablee.clock import Timer
from tablee.rules.contract import Action, Actions, Illegal, Robot, Seat
from tablee.store import StoreError
from tablee.tables import rows
from tablee.tables.chair import Chair
from tablee.tables.errors import TableError
from tablee.tables.loaded import LoadedTable

if TYPE_CHECKING:
    from tablee.tables.hall import Tables

log = structlog.get_logger("tablee.tables")

FAILED_PAUSE = 2_000
"""A robot that failed to think, or whose move could not be kept, tries again after so long."""


class Pace(NamedTuple):
    """How long a robot takes over a move, in milliseconds."""

    least: int = 700
    most: int = 2_200
    alone: int = 0
    """At least so long where nobody but robots sits: no one waits, and the log stays small."""


HUMAN = Pace(alone=20_000)


class _Thinker:
    """One robot at one table: waits, thinks, plays, and again."""

    __slots__ = ("alone", "seat", "stopped", "thought_at", "timer")

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.timer: Timer | None = None
        self.thought_at = -1
        """The seat's version at which it last chose to wait."""
        self.alone = False
        """Whether it takes its time because nobody but robots sits there."""
        self.stopped = False


class Robots:
    """The robots of the tables that this node has in memory."""

    def __init__(self, tables: Tables, pace: Pace) -> None:
        self._tables = tables
        self._pace = pace
        self._at: dict[int, dict[Seat, _Thinker]] = {}

    def consider(self, loaded: LoadedTable) -> None:
        """Let every robot that the game waits for begin to think, unless it does already."""
        if loaded.is_over or loaded.state is None:
            self.forget(loaded.info.id)
            return
        waiting = _awaited(loaded)
        here = self._at.setdefault(loaded.info.id, {})
        for robot in loaded.info.robots:
            if robot.seat not in waiting or robot.seat in here:
                continue
            thinker = _Thinker(robot.seat)
            here[robot.seat] = thinker
            self._move_later(loaded, thinker)
        for seat, thinker in here.items():
            if thinker.timer is None:
                if thinker.thought_at >= 0 and loaded.version(seat) != thinker.thought_at:
                    thinker.thought_at = -1
                    self._move_later(loaded, thinker)
            elif thinker.alone and not _only_robots(loaded):
                thinker.timer.cancel()
                self._move_later(loaded, thinker)
        if not here:
            del self._at[loaded.info.id]

    def _move_later(self, loaded: LoadedTable, thinker: _Thinker) -> None:
        pause = self._tables.rng.randint(self._pace.least, self._pace.most)
        thinker.alone = _only_robots(loaded)
        self._later(loaded, thinker, max(pause, self._pace.alone) if thinker.alone else pause)

    def thinks_at(self, table_id: int) -> bool:
        return table_id in self._at

    def forget(self, table_id: int) -> None:
        for thinker in self._at.pop(table_id, {}).values():
            thinker.stopped = True
            if thinker.timer is not None:
                thinker.timer.cancel()

    def close(self) -> None:
        for table_id in tuple(self._at):
            self.forget(table_id)

    async def resume(self) -> None:
        """Open every running table with a robot, so that it goes on after a restart."""
        for row in await self._tables.store.rows(rows.WITH_ROBOTS):
            try:
                await self._tables.open(row.table_id)
            except Exception:
                log.exception("robot_table_unreadable", table=row.table_id)

    def _later(self, loaded: LoadedTable, thinker: _Thinker, pause: int) -> None:
        def think() -> None:
            thinker.timer = None
            if not thinker.stopped:
                self._tables.spawn(self._turn(loaded, thinker), f"robot at table {loaded.info.id}")

        thinker.timer = self._tables.clock.call_at(self._tables.clock.now() + pause, think)

    async def _turn(self, loaded: LoadedTable, thinker: _Thinker) -> None:
        seat = thinker.seat
        sitting = loaded.info.at(seat)
        robot = None if sitting is None else loaded.rules.robots.get(sitting.robot or "")
        if robot is None or loaded.is_over or loaded.state is None or seat not in _awaited(loaded):
            self._done(loaded, thinker)
            return
        chair = Chair(self._tables, loaded, seat, None)
        version = chair.version
        try:
            action = await self._tables.thinking.do(
                loaded.info.id, think, robot, chair.view(), chair.legal(), self._tables.rng.getrandbits(64)
            )
        except Exception:
            log.exception("robot_failed", table=loaded.info.id, game=loaded.info.game, seat=seat)
            if not thinker.stopped:
                self._later(loaded, thinker, FAILED_PAUSE)
            return
        if thinker.stopped:
            return
        if action is None:
            thinker.thought_at = version
            if loaded.version(seat) != version:
                self.consider(loaded)
            return
        # Should two nodes think for the same robot, only one of their moves is kept.
        try:
            await chair.play(action, f"robot:{version}", patience=0)
        except Illegal as refusal:
            # The board has changed while it thought; if it has not, the robot is wrong and must not spin.
            if loaded.version(seat) == version:
                log.warning("robot_refused", table=loaded.info.id, seat=seat, refusal=str(refusal))
                self._later(loaded, thinker, FAILED_PAUSE)
                return
        except (StoreError, TableError):
            self._later(loaded, thinker, FAILED_PAUSE)
            return
        self._done(loaded, thinker)

    def _done(self, loaded: LoadedTable, thinker: _Thinker) -> None:
        here = self._at.get(loaded.info.id)
        if here is not None and here.get(thinker.seat) is thinker:
            del here[thinker.seat]
            if not here:
                del self._at[loaded.info.id]
        if not thinker.stopped:
            self.consider(loaded)


def _awaited(loaded: LoadedTable) -> frozenset[Seat]:
    """Whose turn it is, and who is asked something meanwhile."""
    if loaded.is_over or loaded.state is None:
        return frozenset()
    return loaded.rules.waiting(loaded.state) | loaded.rules.asked(loaded.state)


def _only_robots(loaded: LoadedTable) -> bool:
    return len(loaded.info.robots) == len(loaded.info.taken)


def think(robot: Robot, view: Any, legal: Actions, seed: int) -> Action | None:
    """What the robot does, as an executor (of threads or processes) runs it."""
    return robot.choose(view, legal, Random(seed))
