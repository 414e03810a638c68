"""What was worked out last, kept as long as it is not too much in all: size is counted, not number."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from contextlib import suppress
from typing import Generic, TypeVar

V = TypeVar("V")


class Kept(Generic[V]):
    """Values by key, together no larger than `most`; the longest unused go first.

    One that alone is larger than `largest` is not kept at all. Robots think in threads: what one of them
    takes out while another looks is made again, and sizes are added up anew each time.
    """

    def __init__(self, most: int, largest: int | None = None) -> None:
        self._most, self._largest = most, most if largest is None else largest
        self._kept: OrderedDict[Hashable, tuple[V, int]] = OrderedDict()

    @property
    def size(self) -> int:
        """Of all that is kept."""
        return sum(size for _, size in list(self._kept.values()))

    def get(self, key: Hashable) -> V | None:
        found = self._kept.get(key)
        if found is None:
            return None
        with suppress(KeyError):
            self._kept.move_to_end(key)
        return found[0]

    def keep(self, key: Hashable, value: V, size: int) -> None:
        if size > self._largest:
            return
        self._kept[key] = (value, size)
        with suppress(KeyError):
            while self.size > self._most:
                self._kept.popitem(last=False)

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
