"""A game in the arena that goes on at another table: the same cards, everybody plays for himself."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from tablee.rules.arena.model import ArenaOptions, Returned, StoodIn, TurnBegan
from tablee.rules.contract import Fact, Instant, Resumption


def resumed(options: ArenaOptions, facts: Sequence[Fact], at: Instant) -> Resumption:
    """All that happened, as if the turn had begun just now."""
    kept = [
        replace(fact, at=at) if isinstance(fact, TurnBegan) else fact
        for fact in facts
        if not isinstance(fact, StoodIn | Returned)
    ]
    return Resumption(options, kept)
