"""A race that goes on at another table, with no limit of time and every robot driven by somebody."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from tablee.rules.contract import Fact, Instant, Resumption
from tablee.rules.robots.model import (
    Asked,
    Began,
    BoardSwapped,
    Clashed,
    Featured,
    Placed,
    PracticeOptions,
    RegisterPlayed,
    RoundEnded,
)


def resumed(options: PracticeOptions, facts: Sequence[Fact], at: Instant) -> Resumption:
    """The rounds that were played; wishes and cartouches of the one that was open are asked for again."""
    kept: list[Fact] = []
    for fact in facts:
        match fact:
            case Began():
                kept.append(replace(fact, localization=0, cartouche=0, at=at))
            case Clashed():
                kept.append(replace(fact, at=at))
            case Asked():
                kept.append(replace(fact, until=None))
            case Featured() | Placed() | RegisterPlayed() | BoardSwapped() | RoundEnded():
                kept.append(fact)
    return Resumption(replace(options, cartouche_seconds=0, localization_seconds=0), kept)
