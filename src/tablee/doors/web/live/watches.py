"""What is read anew and sent when a hint says that it has changed: friends, notices, queue, turns."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

Spawn = Callable[[Coroutine[Any, Any, Any]], object]


class Watch:
    """One connection's interest in one thing; many pokes at once are one reading."""

    def __init__(
        self, spawn: Spawn, read: Callable[[], Awaitable[None]], leave: Callable[[Watch], None]
    ) -> None:
        self._spawn = spawn
        self._read = read
        self._leave = leave
        self._running = False
        self._again = False
        self._closed = False
        self.interest: frozenset[int] = frozenset()

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
                if not self._again or self._closed:
                    return
        finally:
            self._running = False


class Watches:
    """All watches of this node, by kind and account."""

    def __init__(self, spawn: Spawn) -> None:
        self._spawn = spawn
        self._watches: dict[str, dict[int, set[Watch]]] = {}
        self._interested: dict[int, set[Watch]] = {}

    def add(self, kind: str, account_id: int, read: Callable[[], Awaitable[None]]) -> Watch:
        def leave(watch: Watch) -> None:
            there = self._watches.get(kind, {}).get(account_id)
            if there is not None:
                there.discard(watch)
                if not there:
                    del self._watches[kind][account_id]
            self.set_interest(watch, frozenset())

        watch = Watch(self._spawn, read, leave)
        self._watches.setdefault(kind, {}).setdefault(account_id, set()).add(watch)
        return watch

    def set_interest(self, watch: Watch, accounts: frozenset[int]) -> None:
        """This watch also wants to hear when one of these accounts comes or goes."""
        for account_id in watch.interest - accounts:
            there = self._interested.get(account_id)
            if there is not None:
                there.discard(watch)
                if not there:
                    del self._interested[account_id]
        for account_id in accounts - watch.interest:
            self._interested.setdefault(account_id, set()).add(watch)
        watch.interest = accounts

    def poke(self, kind: str, account_id: int) -> None:
        for watch in list(self._watches.get(kind, {}).get(account_id, ())):
            watch.poke()

    def poke_interested(self, account_id: int) -> None:
        for watch in list(self._interested.get(account_id, ())):
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
