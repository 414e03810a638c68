"""A match of mines that goes on at another table: the board as it was, with other people at it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from tablee.rules.contract import Fact, Instant, Join, Resumption, Seat
from tablee.rules.mines.model import Joined, Laid, MineMoved, Opened


def resumed(options: Any, facts: Sequence[Fact], people: Mapping[Seat, Join], at: Instant) -> Resumption:
    """What was opened and by which seat, so that the last of it was just now; all are there and awake."""
    last = max((fact.at for fact in facts if isinstance(fact, Laid | Joined | Opened)), default=at)
    kept: list[Fact] = []
    joined: set[Seat] = set()
    for fact in facts:
        match fact:
            case Laid() | Opened():
                kept.append(replace(fact, at=fact.at + at - last))
            case Joined(seat) if seat in people:
                joined.add(seat)
                kept.append(_joined(seat, people[seat], at))
            case MineMoved():
                kept.append(fact)
    kept += [_joined(seat, person, at) for seat, person in people.items() if seat not in joined]
    return Resumption(options, kept)


def _joined(seat: Seat, person: Join, at: Instant) -> Joined:
    return Joined(seat, person.name, person.total, at, person.robot)
