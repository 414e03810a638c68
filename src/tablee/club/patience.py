"""How long a password waits before it is looked at: wrong ones slow who sends them, and shut out nobody."""

from __future__ import annotations

import asyncio
import math
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import NamedTuple

from tablee.clock import Clock
from tablee.club.errors import TooMany, UnknownAccount, WrongPassword


class Pace(NamedTuple):
    """So many wrong passwords cost no wait; then one at a time, a second apart, doubling up to `longest`."""

    free: int
    longest: int
    forgotten: int
    """Milliseconds after which one of them is forgotten."""


STRANGER = Pace(5, 15_000, 180_000)
"""One account tried from a network from which its owner has not come lately."""
OWNER = Pace(5, 2_000, 60_000)
"""One account tried from a network from which its owner has come lately, whoever it is this time."""
NETWORK = Pace(20, 5_000, 15_000)
"""All accounts tried from one network by strangers to them."""
FIRST_WAIT = 1_000

EVERYWHERE_FREE = 60
"""Wrong passwords for one account by strangers, wherever they are, that cost nobody a wait. Every so many
more cost all strangers another second."""
EVERYWHERE_LONGEST = 5_000
EVERYWHERE_FORGOTTEN = 60_000

HELD_MOST = 30_000
"""Who would wait longer is told so at once, and when to come again: a client does not hang for minutes."""
REFUSED_AFTER = 0.25
"""Seconds after which somebody is told to come later: one who does not care would ask again at once."""
WAITING_MOST = 64
REMEMBERED = 50_000
LATELY = 30 * 86_400_000
ASKED_EVERY = 30_000
"""How long it is believed that an owner has not come from a network: many tries are not many reads."""

SIGNED_IN = "signed in"
"""The place of those who are in already and are asked once more: nobody outside slows them."""

_Key = tuple[str, Hashable, str]


class _NotNow(Exception):
    """More wait already than are let wait."""

    def __init__(self, seconds: int) -> None:
        super().__init__(seconds)
        self.seconds = seconds


class _Waiter:
    __slots__ = ("woken",)

    def __init__(self) -> None:
        self.woken: asyncio.Future[None] | None = None

    def wake(self) -> None:
        if self.woken is not None and not self.woken.done():
            self.woken.set_result(None)


class _Gate:
    """Where tries of one kind pass: how many were wrong, how many are looked at, how many wait."""

    __slots__ = ("asked_at", "at", "looking", "waiting", "wrong")

    def __init__(self) -> None:
        self.wrong = 0.0
        self.at: int = 0
        self.looking = 0
        self.waiting: list[_Waiter] = []
        self.asked_at: int = -ASKED_EVERY
        """When the database last knew of no owner here."""

    def count(self, now: int, forgotten: int) -> int:
        return math.ceil(max(0.0, self.wrong - max(0, now - self.at) / forgotten) - 1e-9)

    def add(self, now: int, forgotten: int, most: int) -> None:
        self.wrong = min(most, max(0.0, self.wrong - max(0, now - self.at) / forgotten) + 1)
        self.at = now

    def wait(self, pace: Pace, now: int) -> int:
        """How far apart tries are, with as many wrong ones as there were."""
        over = self.count(now, pace.forgotten) - pace.free
        return 0 if over < 0 else min(pace.longest, FIRST_WAIT << over)

    def has_room(self, pace: Pace, now: int) -> bool:
        # Those that are looked at may all be wrong: many at once are no more than one after the other.
        return self.looking == 0 or self.count(now, pace.forgotten) + self.looking < pace.free

    def wake(self) -> None:
        for waiter in self.waiting:
            waiter.wake()

    @property
    def is_idle(self) -> bool:
        return not (self.looking or self.waiting)


# Why: docs/decisions.md#slow-not-locked
class Patience:
    """Counts wrong passwords by account and network. `came_from` knows whence an owner has come lately."""

    def __init__(self, clock: Clock, came_from: Callable[[int, str], Awaitable[bool]]) -> None:
        self._clock = clock
        self._came_from = came_from
        self._gates: OrderedDict[_Key, _Gate] = OrderedDict()
        self._owners: OrderedDict[tuple[int, str], int] = OrderedDict()

    @asynccontextmanager
    async def turn(self, who: int | str, place: str) -> AsyncIterator[bool]:
        """Around one look at a password; gives whether the owner has come from this network lately.

        Waits its turn, holding nothing that others need. `who` is an account, or a name that nobody has.
        WrongPassword and UnknownAccount inside are counted. Raises TooMany.
        """
        try:
            async with self._turn(who, place) as is_owner:
                yield is_owner
        except _NotNow as refused:
            await asyncio.sleep(REFUSED_AFTER)
            raise TooMany(refused.seconds, "sign_in") from None

    @asynccontextmanager
    async def _turn(self, who: int | str, place: str) -> AsyncIterator[bool]:
        is_owner = await self._is_owner(who, place)
        gates = [(self._gate("pair", who, place), OWNER if is_owner else STRANGER)]
        not_before = self._clock.ticks()
        if not is_owner and place != SIGNED_IN:
            not_before += self._everywhere_wait(who)
            if place:
                # Passed last, so that who waits for one account keeps nobody of his network from another.
                gates.append((self._gate("network", "", place), NETWORK))
        async with AsyncExitStack() as passing:
            for gate, pace in gates:
                await passing.enter_async_context(self._passing(gate, pace, not_before))
            try:
                yield is_owner
            except (WrongPassword, UnknownAccount, asyncio.CancelledError):
                # Whoever hangs up before the answer has cost as much as who waited for it.
                self._was_wrong(who, place, gates)
                raise
            gates[0][0].wrong = 0.0
            if isinstance(who, int) and place not in ("", SIGNED_IN):
                self._remember_owner(who, place)

    def _was_wrong(self, who: int | str, place: str, gates: list[tuple[_Gate, Pace]]) -> None:
        now = self._clock.ticks()
        for gate, pace in gates:
            gate.add(now, pace.forgotten, pace.free + math.ceil(math.log2(pace.longest / FIRST_WAIT)))
        if gates[0][1] is STRANGER and place != SIGNED_IN:
            most = EVERYWHERE_FREE * EVERYWHERE_LONGEST // FIRST_WAIT
            self._gate("everywhere", who, "").add(now, EVERYWHERE_FORGOTTEN, most)

    def _everywhere_wait(self, who: int | str) -> int:
        gate = self._gates.get(("everywhere", who, ""))
        wrong = 0 if gate is None else gate.count(self._clock.ticks(), EVERYWHERE_FORGOTTEN)
        return wrong // EVERYWHERE_FREE * FIRST_WAIT

    @asynccontextmanager
    async def _passing(self, gate: _Gate, pace: Pace, not_before: int) -> AsyncIterator[None]:
        await self._wait_turn(gate, pace, not_before)
        gate.looking += 1
        try:
            yield
        finally:
            gate.looking -= 1
            gate.wake()

    async def _wait_turn(self, gate: _Gate, pace: Pace, not_before: int) -> None:
        if len(gate.waiting) >= WAITING_MOST:
            raise _NotNow(1 + HELD_MOST // 1000)
        mine = _Waiter()
        came = self._clock.ticks()
        gate.waiting.append(mine)
        try:
            while True:
                now = self._clock.ticks()
                each = gate.wait(pace, now)
                opens = max(not_before, gate.at + each)
                ahead = gate.waiting.index(mine)
                wait = max(0, opens - now) + ahead * each
                if now - came + wait > HELD_MOST:
                    raise _NotNow(math.ceil(wait / 1000))
                if ahead == 0 and opens <= now and gate.has_room(pace, now):
                    return
                mine.woken = asyncio.get_running_loop().create_future()
                later = self._clock.now() + opens - now
                timer = self._clock.call_at(later, mine.wake) if opens > now else None
                try:
                    await mine.woken
                finally:
                    if timer is not None:
                        timer.cancel()
        finally:
            gate.waiting.remove(mine)
            gate.wake()

    def _gate(self, kind: str, who: Hashable, place: str) -> _Gate:
        key = (kind, who, place)
        gate = self._gates.get(key)
        if gate is None:
            gate = self._gates[key] = _Gate()
            if len(self._gates) > REMEMBERED:
                oldest, known = self._gates.popitem(last=False)
                if not known.is_idle:
                    self._gates[oldest] = known
        else:
            self._gates.move_to_end(key)
        return gate

    async def _is_owner(self, who: int | str, place: str) -> bool:
        if not isinstance(who, int) or place in ("", SIGNED_IN):
            return False
        now = self._clock.ticks()
        if now - self._owners.get((who, place), -LATELY) < LATELY:
            return True
        # The database is asked only where it makes a difference: few networks are ever slow.
        keys: list[_Key] = [("pair", who, place), ("network", "", place), ("everywhere", who, "")]
        if not any(key in self._gates and self._gates[key].wrong > 0 for key in keys):
            return False
        pair = self._gate("pair", who, place)
        if now - pair.asked_at < ASKED_EVERY:
            return False
        pair.asked_at = now
        if await self._came_from(who, place):
            self._remember_owner(who, place)
            return True
        return False

    def _remember_owner(self, who: int, place: str) -> None:
        self._owners[who, place] = self._clock.ticks()
        self._owners.move_to_end((who, place))
        if len(self._owners) > REMEMBERED:
            self._owners.popitem(last=False)
