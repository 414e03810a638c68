"""What a chair tells whoever listens on it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tablee.clock import Instant
from tablee.rules.contract import Fact, Json, Seat
from tablee.tables.happened import Happened


class Told:
    """One event as a seat is told of it."""

    __slots__ = ("_happened", "_seat", "facts", "version")

    def __init__(self, happened: Happened, seat: Seat, facts: list[Fact], version: int) -> None:
        self.facts = facts
        """The facts as the seat may know them."""
        self.version = version
        """The seat's version with this event."""
        self._happened = happened
        self._seat = seat

    @property
    def at(self) -> Instant:
        return self._happened.at

    @property
    def view(self) -> Any:
        """All that the seat may know after this event."""
        return self._happened.view(self._seat)

    @property
    def patch(self) -> Json:
        """What this event changed in the JSON of the view, as a merge patch."""
        return self._happened.patch(self._seat)

    @property
    def request_id(self) -> str | None:
        """By which request of this very seat it came to be."""
        return self._happened.request_id if self._happened.seat == self._seat else None


class Listener:
    """What a chair calls, in the order of what happened."""

    def told(self, news: Sequence[Told]) -> None:
        """Events that told the seat something."""

    def void(self, reason: str) -> None:
        """The house has ended the game; nobody has won or lost."""

    def marked(self, facts: list[Fact], patch: Json) -> None:
        """The seat has marked something for itself."""

    def anew(self) -> None:
        """The table was opened again, and everything may be another: the database was replaced."""

    def gone(self) -> None:
        """There is no such table any more."""
