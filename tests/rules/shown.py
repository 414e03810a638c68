"""What the seats of the golden logs were shown and told: the same bytes of JSON, whatever makes them today.

A file `shown/LOG.txt` has a line for each fact and seat with two digests, of what is told and of the view
after it; some lines, the first of each shape of fact, some states and the last one, have the JSON itself.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from tests.rules.golden import GoldenLog, read_log

from tablee.rules import rules_of
from tablee.rules.contract import MASTER, SPECTATOR

WHOLE_STATES = 3


def shown_lines(log: GoldenLog) -> Iterator[str]:
    """Everything that leaves the rules while a log is read."""
    rules: Any = rules_of(log.game, log.variant)
    facts = [msgspec.convert(rules.upgrade(form), rules.fact_type, str_keys=True) for form in log.facts]
    seats = (*_seats(log), MASTER, SPECTATOR)
    whole = {round(n * (len(facts) - 1) / WHOLE_STATES) for n in range(1, WHOLE_STATES + 1)}
    shapes: set[tuple[str, ...]] = set()
    state: Any = None
    for number, fact in enumerate(facts):
        before, state = state, rules.evolve(state, fact)
        for seat in seats:
            told, view = rules.tell(before, fact, state, seat), rules.view(state, seat)
            heard, seen = msgspec.json.encode(told), msgspec.json.encode(view)
            yield f"{number} {seat} {_digest(heard)} {_digest(seen)}"
            shape = (str(min(seat, 1)), *_shape(heard))
            if shape not in shapes:
                shapes.add(shape)
                yield f"{number} {seat} told {heard.decode()}"
            if number in whole and seat in (seats[0], MASTER, SPECTATOR):
                yield f"{number} {seat} view {seen.decode()}"


def assert_shown_as_ever(path: Path) -> None:
    """The log of this path shows and tells the bytes that are kept beside it."""
    kept = (path.parent.parent / "shown" / f"{path.stem}.txt").read_text().splitlines()
    now = list(shown_lines(read_log(path)))
    for then, line in zip(kept, now, strict=False):
        assert line == then
    assert len(now) == len(kept)


def _seats(log: GoldenLog) -> tuple[int, ...]:
    first = log.facts[0]
    return tuple(sorted(first.get("seats", first.get("order", ()))))


def _shape(heard: bytes) -> tuple[str, ...]:
    """What is told, without its values."""
    told = msgspec.json.decode(heard)
    return () if told is None else (told["is"], *told)


def _digest(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()[:12]
