"""The running processes of a house: who is alive, who is not, and what the dead have left behind."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable

import msgspec
import structlog
from sqlalchemy import bindparam, delete, select, update

from tablee.clock import Clock, Instant
from tablee.store.bus import Unsubscribe, report
from tablee.store.query import Query, Row, upsert
from tablee.store.repeating import Repeating
from tablee.store.schema import counter, node, presence
from tablee.store.store import Store
from tablee.store.units import Unit, Write

log = structlog.get_logger("tablee.store")

BEAT_EVERY = 2_000
DEAD_AFTER = 10_000
"""A node that was not seen for this long is dead. The clocks of the machines must agree better than that."""
SET_FROM = 1_000
"""A clock of the machine that differs by so much from the time of the house was set."""
OWED = "clock.owed:"
"""How counters begin that hold time which is still to be given back."""


class TimeOwed(msgspec.Struct, frozen=True):
    """Time that the house gives back: how many milliseconds, and under which name, so that none has it twice.

    It is kept in the database from before the time changes until all have it: whoever is killed meanwhile
    leaves it to the next node.
    """

    name: str
    milliseconds: int
    is_kept: bool = True

    def settled(self) -> list[Write]:
        """What says that all have it, for the unit that gives the last of it."""
        return [Write(_SETTLED, {"which": f"{OWED}{self.name}"}, expect=1)] if self.is_kept else []


class Arrival(msgspec.Struct, frozen=True):
    """What a node finds when it starts: since when no node ran (None: another runs, or none ever did).

    Nodes that start together may both find the house empty: `since` names the pause, so that whatever
    it brings about is done once.
    """

    at: Instant
    since: Instant | None
    earlier: tuple[TimeOwed, ...] = ()
    """What nodes that were killed have not given back to everybody."""
    is_kept: bool = False

    @property
    def pause(self) -> TimeOwed:
        """The time in which no node ran."""
        return TimeOwed(f"given-back:{self.since}", self.downtime, self.is_kept)

    @property
    def downtime(self) -> int:
        """Negative where the clock was set back meanwhile: what is written down lies in the future."""
        return 0 if self.since is None else self.at - self.since


class Presence(msgspec.Struct, frozen=True):
    """Somebody who was connected to a node."""

    node_id: str
    place: str
    account_id: int
    table_id: int
    seat: int
    since: Instant


Reaper = Callable[[Presence], Awaitable[None]]
Stepped = Callable[[TimeOwed], Awaitable[None]]
"""Hears by how many milliseconds the time of the house has just been changed, and gives them back."""


class Nodes:
    """This node's heartbeat, and its eye on the others."""

    def __init__(self, store: Store, clock: Clock, addresses: str = "{}") -> None:
        self._store = store
        self._clock = clock
        self._addresses = addresses
        self._reaper: Reaper | None = None
        self._stepped: Stepped | None = None
        self._warned = 0
        self._unfinished: TimeOwed | None = None
        """A step that not everybody was given back, because the database could not be used."""
        self._evicted: list[Callable[[], None]] = []
        self._repeating = Repeating("heartbeat", clock, self._turn, BEAT_EVERY)

    async def register(self) -> Arrival:
        """Enter this node among the others and say what was found. Raises Unavailable."""
        now = self._clock.now()
        others = await self._store.rows(_NODES)
        alive = [row for row in others if self._is_alive(row, now)]
        since = max((row.seen_at for row in others), default=None) if not alive else None
        if since is None:
            await self._enter(now)
            return Arrival(now, since)
        left = await self._store.rows(_OWED)
        earlier = tuple(TimeOwed(row.name.removeprefix(OWED), row.value) for row in left)
        arrival = Arrival(now, since, earlier, is_kept=True)
        await self._enter(now, arrival.pause)
        return arrival

    def start(self, reaper: Reaper, stepped: Stepped | None = None) -> None:
        """Beat from now on, and hand whoever was connected to a dead node to `reaper`.

        `stepped` gives back what the players would lose or gain by a clock that was set.
        """
        self._reaper = reaper
        self._stepped = stepped
        self._repeating.start()

    async def stop(self) -> None:
        """End the heartbeat and say so, so that nobody waits for this node. Raises Unavailable."""
        await self._repeating.stop()
        now = self._clock.now()
        await self._store.commit(
            Unit(writes=[Write(_END, {"this": self._store.node_id, "now": now})]),
        )

    def on_evicted(self, callback: Callable[[], None]) -> Unsubscribe:
        """Call `callback` when the others took this node for dead: its presences must be entered anew."""
        self._evicted.append(callback)
        return lambda: self._evicted.remove(callback) if callback in self._evicted else None

    async def alive(self) -> list[str]:
        """The ids of the nodes that run, this one among them. Raises Unavailable."""
        now = self._clock.now()
        return [row.id for row in await self._store.rows(_NODES) if self._is_alive(row, now)]

    async def beat(self) -> None:
        """Say that this node is alive. Raises Unavailable."""
        now = self._clock.now()
        if await self._store.change(_BEAT, this=self._store.node_id, now=now):
            return
        await self._enter(now)
        for callback in tuple(self._evicted):
            try:
                callback()
            except Exception as error:
                report("coming back among the nodes failed", error)

    async def reap(self, reaper: Reaper) -> int:
        """Hand over what dead nodes left behind, then forget them; gives how many. Raises Unavailable.

        If two nodes reap at once, or one dies at it, somebody is handed over twice.
        """
        now = self._clock.now()
        left_behind = {row.node_id for row in await self._store.rows(_NODES_WITH_PRESENCE)}
        nodes = await self._store.rows(_NODES)
        alive = {row.id for row in nodes if self._is_alive(row, now)}
        count = 0
        for node_id in sorted((left_behind | {row.id for row in nodes}) - alive):
            for row in await self._store.rows(_PRESENCES, node=node_id):
                await reaper(Presence(*row))
                count += 1
            gone = {"node": node_id}
            forget = [Write(_FORGET_PRESENCES, gone), Write(_FORGET_NODE, gone)]
            await self._store.commit(Unit(writes=forget))
        return count

    def _is_alive(self, row: Row, now: Instant) -> bool:
        if row.id == self._store.node_id:
            return True
        # A file has one node: whoever else is entered there was killed.
        # One that was seen in the future was seen before a clock was set back.
        is_near = abs(now - row.seen_at) < DEAD_AFTER
        return self._store.kind != "sqlite" and row.ended_at is None and is_near

    async def _enter(self, now: Instant, owed: TimeOwed | None = None) -> None:
        row = {"id": self._store.node_id, "started_at": now, "seen_at": now, "addresses": self._addresses}
        writes = [Write(_ENTER, {**row, "ended_at": None})]
        await self._store.commit(Unit(writes=writes + ([] if owed is None else [_kept(owed)])))

    async def look_at_clock(self, stepped: Stepped | None) -> None:
        """Notice that the clock of the machine was set, or the machine was asleep. Raises Unavailable.

        Alone, the house takes the new time over and gives the difference back, as it does with the time in
        which no node ran. Where other nodes run, theirs is the time of the house: whoever has come back to it
        follows without a word, and whose clock leads away from it does not follow.
        """
        await self._finish(stepped)
        step = self._clock.astray()
        if abs(step) < SET_FROM:
            self._warned = 0
            return
        now = self._clock.now()
        others = [row for row in await self._store.rows(_NODES) if row.id != self._store.node_id]
        with_us = [row for row in others if self._is_alive(row, now)]
        with_machine = [row for row in others if self._is_alive(row, now + step)]
        if with_us and _distance(with_us, now) <= _distance(with_machine, now + step):
            if abs(step - self._warned) >= SET_FROM:
                self._warned = step
                log.warning("clock_of_machine_astray", seconds=step / 1000)
            return
        if not with_machine and stepped is not None:
            owed = TimeOwed(f"stepped:{now + step}:{step}", step)
            # Whoever starts after us must find the step, and not take it for time in which nobody ran.
            beat = Write(_BEAT, {"this": self._store.node_id, "now": now + step})
            await self._store.commit(Unit(writes=[_kept(owed), beat]))
            self._unfinished = owed
        self._clock.follow(step)
        try:
            await self._finish(stepped)
        finally:
            log.warning("clock_was_set", seconds=step / 1000, given_back=not with_machine)

    async def _finish(self, stepped: Stepped | None) -> None:
        if self._unfinished is not None and stepped is not None:
            await stepped(self._unfinished)
            self._unfinished = None

    async def _turn(self) -> Instant:
        await self.look_at_clock(self._stepped)
        next_at = self._clock.now() + BEAT_EVERY
        await self.beat()
        if self._reaper is not None:
            await self.reap(self._reaper)
        return next_at


def _kept(owed: TimeOwed) -> Write:
    return Write(_KEEP_OWED, {"name": f"{OWED}{owed.name}", "value": owed.milliseconds})


def _distance(rows: list[Row], now: Instant) -> float:
    """How far from `now` other nodes were seen: on average half of a beat ago."""
    return min((abs(now - row.seen_at - BEAT_EVERY / 2) for row in rows), default=math.inf)


_NODES = Query(select(node.c.id, node.c.seen_at, node.c.ended_at))
_ENTER = Query(upsert(node))
_OWED = Query(select(counter).where(counter.c.name.startswith(OWED)).order_by(counter.c.name))
_KEEP_OWED = Query(upsert(counter))
_SETTLED = Query(delete(counter).where(counter.c.name == bindparam("which")))
_BEAT = Query(
    update(node).where(node.c.id == bindparam("this")).values(seen_at=bindparam("now")).returning(node.c.id)
)
_END = Query(
    update(node)
    .where(node.c.id == bindparam("this"))
    .values(seen_at=bindparam("now"), ended_at=bindparam("now"))
)
_NODES_WITH_PRESENCE = Query(select(presence.c.node_id).distinct())
_PRESENCES = Query(
    select(*(presence.c[name] for name in Presence.__struct_fields__)).where(
        presence.c.node_id == bindparam("node")
    )
)
_FORGET_PRESENCES = Query(delete(presence).where(presence.c.node_id == bindparam("node")))
_FORGET_NODE = Query(delete(node).where(node.c.id == bindparam("node")))
