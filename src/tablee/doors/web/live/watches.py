"""What is read anew and sent when a hint says that it has changed: friends, notices, queue, turns."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Literal

Spawn = Callable[[Coroutine[Any, Any, Any]], object]
Interest = tuple[Literal["account", "table"], int]
"""Something that a watch wants to hear of besides its own account: another account, or a table."""


class Watch:
    """One connection's interest in one thing; many pokes at once are one reading."""

    def __init__(
        self,
        spawn: Spawn,
        read: Callable[[], Awaitable[None]],
        leave: Callable[[Watch], None],
        pause: float = 0.0,
    ) -> None:
        self._spawn = spawn
        self._read = read
        self._leave = leave
        self._pause = pause
        self._running = False
        self._again = False
        self._closed = False
        self.interest: frozenset[Interest] = frozenset()

    def poke(self) -> None:
        """Read and send, now or once more after the reading that goes on."""
        if self._running:
            self._again = True
        elif not self._closed:
            self._running = True
            self._spawn(self._run())

    def close(self) -> None:
        self._closed = True
        self._leave(self)

    async def _run(self) -> None:
        try:
            while True:
                self._again = False
                await self._read()
                if self._pause:
                    await asyncio.sleep(self._pause)
                if not self._again or self._closed:
                    return
        finally:
            self._running = False


class Watches:
    """All watches of this node, by kind and account."""

    def __init__(self, spawn: Spawn) -> None:
        self._spawn = spawn
        self._watches: dict[str, dict[int, set[Watch]]] = {}
        self._interested: dict[Interest, set[Watch]] = {}

    def add(
        self, kind: str, account_id: int, read: Callable[[], Awaitable[None]], pause: float = 0.0
    ) -> Watch:
        """Read now and again, whenever it is poked; with a `pause` of so many seconds after each time."""

        def leave(watch: Watch) -> None:
            there = self._watches.get(kind, {}).get(account_id)
            if there is not None:
                there.discard(watch)
                if not there:
                    del self._watches[kind][account_id]
            self.set_interest(watch, frozenset())

        watch = Watch(self._spawn, read, leave, pause)
        self._watches.setdefault(kind, {}).setdefault(account_id, set()).add(watch)
        return watch

    def set_interest(self, watch: Watch, interest: frozenset[Interest]) -> None:
        """This watch also wants to hear when one of these accounts comes or goes, or a table moves."""
        for what in watch.interest - interest:
            there = self._interested.get(what)
            if there is not None:
                there.discard(watch)
                if not there:
                    del self._interested[what]
        for what in interest - watch.interest:
            self._interested.setdefault(what, set()).add(watch)
        watch.interest = interest

    def poke(self, kind: str, account_id: int) -> None:
        for watch in list(self._watches.get(kind, {}).get(account_id, ())):
            watch.poke()

    def poke_interested(self, what: Interest) -> None:
        for watch in list(self._interested.get(what, ())):
            watch.poke()

    def anybody(self, kind: str) -> bool:
        return bool(self._watches.get(kind))

    def poke_everybody(self, kind: str) -> None:
        for there in list(self._watches.get(kind, {}).values()):
            for watch in list(there):
                watch.poke()

    def poke_all(self) -> None:
        for kind in list(self._watches):
            self.poke_everybody(kind)
