"""Hints between those who must look again. A hint may be lost; the log is the truth."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol, TypeVar

from tablee.store.units import Hint

Callback = Callable[[int | str, int | str], None]
Unsubscribe = Callable[[], None]
_C = TypeVar("_C", bound=Callable[..., Any])

VERSIONED = frozenset({"table"})
"""Topics whose value is a version: of several hints for one key the last one says it all."""


# Why: docs/decisions.md#hints-not-facts
class Bus(Protocol):
    """How the nodes of a house hear of each other's changes; one's own are heard at once."""

    carried_by_commit: bool
    """Whether hints of a transaction travel with its commit, so that only this node is left to tell."""

    def subscribe(self, topic: str, callback: Callback) -> Unsubscribe:
        """Call `callback(key, value)` in the event loop for every hint of this topic."""
        ...

    def on_lost(self, callback: Callable[[], object]) -> Unsubscribe:
        """Call `callback` when hints of other nodes may have gone missing: look at everything again."""
        ...

    def publish(self, hints: Sequence[Hint]) -> None:
        """Tell this node at once and the others soon."""
        ...

    def deliver(self, hints: Iterable[Hint]) -> None:
        """Tell this node alone."""
        ...

    def healthy(self) -> str | None:
        """None while other nodes can be heard, else a sentence."""
        ...

    async def close(self) -> None: ...


class InProcessBus:
    """The bus of a house with one node."""

    carried_by_commit = False

    def __init__(self) -> None:
        self._callbacks: dict[str, list[Callback]] = {}
        self._lost: list[Callable[[], object]] = []

    def subscribe(self, topic: str, callback: Callback) -> Unsubscribe:
        return _enter(self._callbacks.setdefault(topic, []), callback)

    def on_lost(self, callback: Callable[[], object]) -> Unsubscribe:
        return _enter(self._lost, callback)

    def deliver(self, hints: Iterable[Hint]) -> None:
        for topic, key, value in hints:
            for callback in tuple(self._callbacks.get(topic, ())):
                try:
                    callback(key, value)
                except Exception as error:
                    report(f"a subscriber of {topic!r} failed", error)

    def publish(self, hints: Sequence[Hint]) -> None:
        self.deliver(hints)

    def tell_lost(self) -> None:
        for callback in tuple(self._lost):
            try:
                callback()
            except Exception as error:
                report("a subscriber failed to catch up", error)

    def healthy(self) -> str | None:
        return None

    async def close(self) -> None:
        self._callbacks.clear()
        self._lost.clear()


def gathered(hints: Iterable[Hint]) -> list[Hint]:
    """The hints of a batch without those that a later one makes needless."""
    last: dict[tuple[str, int | str, int | str | None], Hint] = {}
    for hint in hints:
        last[hint.topic, hint.key, None if hint.topic in VERSIONED else hint.value] = hint
    return list(last.values())


def report(what: str, error: BaseException) -> None:
    """Hand a callback's failure to the event loop, so that the others are still called."""
    asyncio.get_running_loop().call_exception_handler({"message": what, "exception": error})


def _enter(callbacks: list[_C], callback: _C) -> Unsubscribe:
    callbacks.append(callback)

    def leave() -> None:
        if callback in callbacks:
            callbacks.remove(callback)

    return leave
