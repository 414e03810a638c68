"""A game of chess that goes on at another table, without a clock and with nothing agreed upon."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from tablee.rules.chess.model import Began, ChessOptions, Moved, TakenBack
from tablee.rules.contract import Fact, Instant, Resumption


def resumed(options: ChessOptions, facts: Sequence[Fact], at: Instant) -> Resumption:
    """The moves alone, as if they had all been played just now."""
    kept: list[Fact] = []
    for fact in facts:
        match fact:
            case Began():
                kept.append(replace(fact, live=False, turn_limit=0, at=at))
            case Moved() | TakenBack():
                kept.append(replace(fact, at=at))
    return Resumption(replace(options, pace="days"), kept)
