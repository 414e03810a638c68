"""Passwords, hashed with argon2 in threads of their own, so that the event loop never waits for them."""

from __future__ import annotations

import asyncio
import hmac
import os
import sys
import threading
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple, TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from tablee.club.errors import TooMany
from tablee.club.fields import PASSWORD_MOST, password_bytes

T = TypeVar("T")

NICENESS = 10

REMEMBERED_MOST = 4096
"""Passwords that were right before and need not be hashed again; the longest unused are forgotten first."""


class Checked(NamedTuple):
    """Whether a password was right; `renewed` is its hash of today where older parameters made the old."""

    right: bool
    renewed: str | None = None


def club_hasher() -> PasswordHasher:
    """The parameters of the house: about 30 ms and 19 MiB a password."""
    return PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)


def _give_way() -> None:
    """Let the event loop go first where every core is busy hashing."""
    if sys.platform == "linux":  # elsewhere a priority belongs to the whole process
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)


_Job = tuple[Callable[[], Any], "asyncio.Future[Any]"]


class Passwords:
    """Hashes and checks passwords, a bounded number at a time; raises TooMany when too many wait.

    Those who wait are served by turns, one of each place (a network, an account that is known there), so that
    one place that asks for much keeps nobody else waiting for more than one of its own.
    """

    def __init__(
        self,
        hasher: PasswordHasher | None = None,
        *,
        workers: int | None = None,
        waiting_most: int = 512,
        waiting_most_each: int = 64,
    ) -> None:
        self._hasher = hasher or club_hasher()
        self._workers = workers or os.cpu_count() or 1
        self._executor = ThreadPoolExecutor(self._workers, "password", initializer=_give_way)
        self._most = waiting_most
        self._most_each = waiting_most_each
        self._waiting = 0  # those that are hashed just now too
        self._running = 0
        self._queues: OrderedDict[str, deque[_Job]] = OrderedDict()
        # Checked against when nobody has the name, so that it takes as long as a wrong password does.
        self._nobody = self._hasher.hash(os.urandom(16))
        # A player of the TCP doors gives his password twice a match. What was right before is remembered as a
        # keyed digest, in memory alone; it is bound to the hash that is kept, so a new password ends it.
        self._key = os.urandom(32)
        self._right: dict[bytes, None] = {}
        self.works = 0
        """How many times argon2 has run: what a check costs is seen here, not on a watch."""

    async def hash(self, password: str, *, place: str = "") -> str:
        """The hash to keep of a password."""
        return await self._run(lambda: self._hasher.hash(password_bytes(password)), place)

    async def check(self, kept: str | None, password: str, *, place: str = "") -> Checked:
        """Whether this is the password; with nothing kept the same work is done for nothing."""
        # Nobody can have chosen a longer one, and argon2 need not read a megabyte to know.
        secret = password_bytes(password) if len(password) <= PASSWORD_MOST else b""
        digest = hmac.digest(self._key, f"{kept}\0".encode() + secret, "sha256")
        if digest in self._right:
            self._remember(digest)
            return Checked(True)
        checked = await self._run(lambda: self._check(kept or self._nobody, secret), place)
        possible = kept is not None and 0 < len(password) <= PASSWORD_MOST
        if not possible:
            return Checked(False)
        if checked.right and checked.renewed is None:
            self._remember(digest)
        return checked

    def _remember(self, digest: bytes) -> None:
        self._right.pop(digest, None)
        self._right[digest] = None
        if len(self._right) > REMEMBERED_MOST:
            del self._right[next(iter(self._right))]

    def close(self) -> None:
        self._executor.shutdown(wait=False, cancel_futures=True)

    def _check(self, kept: str, secret: bytes) -> Checked:
        try:
            self._hasher.verify(kept, secret)
        except (VerificationError, InvalidHashError):
            return Checked(False)
        if self._hasher.check_needs_rehash(kept):
            return Checked(True, self._hasher.hash(secret))
        return Checked(True)

    async def _run(self, work: Callable[[], T], place: str) -> T:
        queue = self._queues.get(place, ())
        if self._waiting >= self._most or len(queue) >= self._most_each:
            raise TooMany(1 + self._waiting // (20 * self._workers), "password")
        answer: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._queues.setdefault(place, deque()).append((work, answer))
        self._waiting += 1
        self.works += 1
        self._serve()
        try:
            return await answer
        finally:
            self._waiting -= 1

    def _serve(self) -> None:
        """Give the next of the next place to every worker that is free."""
        while self._queues and self._running < self._workers:
            place, queue = self._queues.popitem(last=False)
            work, answer = queue.popleft()
            if queue:
                self._queues[place] = queue  # behind all others
            if answer.cancelled():
                continue
            self._running += 1
            done = asyncio.get_running_loop().run_in_executor(self._executor, work)
            done.add_done_callback(partial(self._served, answer))

    def _served(self, answer: asyncio.Future[T], done: asyncio.Future[T]) -> None:
        self._running -= 1
        if done.cancelled():
            answer.cancel()
        elif (error := done.exception()) is not None:
            if not answer.done():
                answer.set_exception(error)
        elif not answer.done():
            answer.set_result(done.result())
        self._serve()
