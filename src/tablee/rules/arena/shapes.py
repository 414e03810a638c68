"""The shapes that the values of a description have; what has another one is kept as a fault."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import Any

from tablee.rules.arena.faults import Spot, step
from tablee.rules.arena.spelling import Form

MOST = 1_000_000
"""No integer of a description is larger."""
MOST_LIST = 100_000
MOST_NAME = 60
MOST_DIGITS = 40
"""Of a number that is written as a text."""
NUMBER = re.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*", re.ASCII)


class Entries(dict[str, Any]):
    """An object of a file, with the keys that it has twice."""

    twice: tuple[str, ...] = ()


def entries(pairs: list[tuple[str, Any]]) -> Entries:
    """An object from its keys and values as they are read."""
    found = Entries(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        twice = []
        for key, _ in pairs:
            if key in seen:
                twice.append(key)
            seen.add(key)
        found.twice = tuple(twice)
    return found


def read_keys(spot: Spot) -> list[str] | None:
    """The keys of an object, whatever they are."""
    if not isinstance(spot.value, dict):
        spot.fault("object")
        return None
    for key in getattr(spot.value, "twice", ()):
        spot.key(key).fault("once")
    return list(spot.value)


def read_object(spot: Spot, form: Form) -> dict[str, Spot] | None:
    """What an object has under each key of its form, as we spell them; any other key is a warning."""
    keys = read_keys(spot)
    if keys is None:
        return None
    found: dict[str, Spot] = {}
    spelled: dict[str, str] = {}
    for key in keys:
        ours = form.ours.get(key)
        if ours is None:
            spot.key(key).warn("key", keys=", ".join(form.keys))
        elif ours in found:
            spot.key(key).fault("one_spelling", key=ours, other=spelled[ours])
        else:
            found[ours], spelled[ours] = spot.key(key), key
    for key in form.required:
        if key not in found:
            Spot(None, spot.path + step(key), spot.findings).missing("missing", key=key)
    return found


def read_integer(spot: Spot, least: int, most: int | None = None) -> int | None:
    """An integer within bounds; true and false are none."""
    value = spot.value
    if not isinstance(value, int) or isinstance(value, bool):
        spot.fault("integer")
    elif value < least:
        spot.fault("least", least=least)
    elif value > (MOST if most is None else most):
        spot.fault("most", least=least, most=MOST if most is None else most)
    else:
        return value
    return None


def read_boolean(spot: Spot) -> bool | None:
    if isinstance(spot.value, bool):
        return spot.value
    spot.fault("boolean")
    return None


def read_name(spot: Spot) -> str | None:
    """A name: short, printable, without a space at its ends."""
    if isinstance(spot.value, str) and is_name(spot.value):
        return spot.value
    spot.fault("name", most=MOST_NAME)
    return None


def is_name(text: str) -> bool:
    return 0 < len(text) <= MOST_NAME and text == text.strip() and text.isprintable()


def read_text(spot: Spot) -> str | None:
    """Any text that can be written."""
    if isinstance(spot.value, str) and not any("\ud800" <= each <= "\udfff" for each in spot.value):
        return spot.value
    spot.fault("text")
    return None


def read_list(spot: Spot, wanted: str = "list") -> list[Spot] | None:
    """What a list has; none is longer than the largest board could need."""
    if not isinstance(spot.value, list | tuple):
        spot.fault(wanted)
    elif len(spot.value) > MOST_LIST:
        spot.fault_of(str(len(spot.value)), "list_most", most=MOST_LIST)
    else:
        return spot.items()
    return None


def read_choices(spot: Spot, choices: Iterable[str]) -> tuple[str, ...] | None:
    """A list of some of these words, in our order."""
    items = read_list(spot)
    if items is None:
        return None
    known = tuple(choices)
    wrong = [item for item in items if item.value not in known]
    for item in wrong:
        item.fault("choice", names=", ".join(known))
    return None if wrong else tuple(word for word in known if word in spot.value)


def read_number(spot: Spot) -> float | None:
    """A number greater than 0, also as a text."""
    number = _number(spot.value)
    if number is None or number <= 0:
        spot.fault("length")
        return None
    return number


def read_point(spot: Spot) -> tuple[float, float] | None:
    """Two numbers, in a list or in a text with a comma between them."""
    value = spot.value
    numbers: list[float | None] = []
    if isinstance(value, str):
        numbers = [_number(each) for each in value.split(",")]
    elif isinstance(value, list | tuple) and not any(isinstance(each, str) for each in value):
        numbers = [_number(each) for each in value]
    if len(numbers) == 2 and numbers[0] is not None and numbers[1] is not None:
        return numbers[0], numbers[1]
    spot.fault("point")
    return None


def _number(value: Any) -> float | None:
    if isinstance(value, str):
        value = float(value) if len(value) <= MOST_DIGITS and NUMBER.fullmatch(value) else None
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return float(value) if abs(value) <= MOST else None
