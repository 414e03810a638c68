"""What was worked out last, kept as long as it is not too much in all: size is counted, not number."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

V = TypeVar("V")


class Kept(Generic[V]):
    """Values by key, together no larger than `most`; the longest unused go first.

    One that alone is larger than `largest` is not kept at all. Robots think in threads: each step here is one
    operation of a dictionary, so two threads may at worst work the same thing out twice.
    """

    def __init__(self, most: int, largest: int | None = None) -> None:
        self._most, self._largest = most, most if largest is None else largest
        self._kept: dict[Hashable, tuple[V, int]] = {}

    @property
    def size(self) -> int:
        return sum(size for _, size in list(self._kept.values()))

    def get(self, key: Hashable) -> V | None:
        found = self._kept.pop(key, None)
        if found is None:
            return None
        self._kept[key] = found  # the last to be forgotten from now on
        return found[0]

    def keep(self, key: Hashable, value: V, size: int) -> None:
        if size > self._largest:
            return
        self._kept.pop(key, None)
        self._kept[key] = (value, size)
        over = self.size - self._most
        for old, (_, freed) in list(self._kept.items()):
            if over <= 0:
                return
            over -= freed
            self._kept.pop(old, None)

    def clear(self) -> None:
        """Forget all."""
        self._kept.clear()

    def made(self, key: Hashable, make: Callable[[], V], size_of: Callable[[V], int]) -> V:
        """What is kept, or else made now and kept from now on."""
        found = self.get(key)
        if found is None:
            found = make()
            self.keep(key, found, size_of(found))
        return found
