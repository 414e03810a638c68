"""The ports of the matches: any free one, or the free ones of a range."""

from __future__ import annotations

from collections.abc import Iterator


class NoPort(Exception):
    """There is no port at which a match could be reached."""


class Ports:
    """Gives out numbers to try; 0 stands for any that is free."""

    def __init__(self, between: tuple[int, int] | None) -> None:
        self._between = between
        self._next = between[0] if between else 0

    def candidates(self, wished: int = 0) -> Iterator[int]:
        """What to try, one after the other: the port wished for, then every other that may be."""
        if wished:
            yield wished
        if self._between is None:
            yield 0
            return
        first, last = self._between
        begin = self._next
        for place in range(last - first + 1):
            port = first + (begin - first + place) % (last - first + 1)
            # The next match begins behind this one, so that a port just left is the last to be used again.
            self._next = port + 1 if port < last else first
            yield port
