"""What was worked out last, kept as long as it is not too much in all: size is counted, not number."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

V = TypeVar("V")


class Kept(Generic[V]):
    """Values by key, together no larger than `most`; the longest unused go first.

    One that alone is larger than `largest` is not kept at all. Robots think in threads: so may its users.
    """

    def __init__(self, most: int, largest: int | None = None) -> None:
        self._most, self._largest = most, most if largest is None else largest
        self._kept: OrderedDict[Hashable, tuple[V, int]] = OrderedDict()
        self._lock = Lock()
        self.size = 0

    def get(self, key: Hashable) -> V | None:
        with self._lock:
            found = self._kept.get(key)
            if found is None:
                return None
            self._kept.move_to_end(key)
            return found[0]

    def keep(self, key: Hashable, value: V, size: int) -> None:
        if size > self._largest:
            return
        with self._lock:
            self.size += size - self._kept.pop(key, (value, 0))[1]
            self._kept[key] = (value, size)
            while self.size > self._most:
                self.size -= self._kept.popitem(last=False)[1][1]

    def clear(self) -> None:
        """Forget all."""
        with self._lock:
            self._kept.clear()
            self.size = 0

    def made(self, key: Hashable, make: Callable[[], V], size_of: Callable[[V], int]) -> V:
        """What is kept, or else made now and kept from now on."""
        found = self.get(key)
        if found is None:
            found = make()
            self.keep(key, found, size_of(found))
        return found
