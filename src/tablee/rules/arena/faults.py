"""What is wrong with a description: where, what was found, what was expected, in both languages."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import msgspec

from tablee.rules.words import Words, load_words

EXCERPT = 60
"""Longer values are cut when they are told."""
MOST_FAULTS = 1_000
"""Nobody mends more at once, and a hostile file must not fill the memory with its faults."""
MOST_SQUARES = 100_000
PLAIN_KEY = re.compile(r"[A-Za-z_]\w*", re.ASCII)


class Fault(msgspec.Struct, frozen=True):
    """One thing that is wrong."""

    path: str
    """A JSON path: `$.board.arms_colors[2]`."""
    found: str
    """JSON, shortened; empty where something is missing."""
    expected: str
    wanted: str
    """What was expected, as a key of `faults.toml`, with its values."""
    values: dict[str, str | int]

    def said(self, language: str = "en") -> str:
        """The fault as a sentence."""
        words = fault_words()[language]
        return words["said"].format(
            path=self.path, found=self.found or words["nothing"], expected=self.wanted_in(language)
        )

    def warned(self, language: str = "en") -> str:
        """The same as a warning: what is there is left aside, what is not there is done without."""
        words = fault_words()[language]
        return words["left_aside" if self.found else "done_without"].format(
            path=self.path, expected=self.wanted_in(language)
        )

    def wanted_in(self, language: str) -> str:
        """What was expected, in a language."""
        return fault_words()[language][self.wanted].format_map(self.values)


class Faults(ValueError):
    """A description that does not hold together, with everything that is wrong with it."""

    def __init__(self, faults: Sequence[Fault], warnings: Sequence[Fault] = ()) -> None:
        super().__init__("\n".join(fault.said() for fault in faults))
        self.faults = list(faults)
        self.warnings = list(warnings)


class Squares(NamedTuple):
    """How many squares the boards of a file may have together, and the words for one that is too much."""

    most: int
    wanted: str = "squares"


class Findings:
    """What a file is found to have: faults, for which it is refused, and warnings, for which it is not."""

    def __init__(self, squares: Squares | None = None) -> None:
        self._squares, self._counted = squares, 0
        self.faults: list[Fault] = []
        self.warnings: list[Fault] = []

    def add(self, fault: Fault) -> None:
        """Keep a fault; raises Faults when there are more than anybody mends."""
        self.faults.append(fault)
        if len(self.faults) >= MOST_FAULTS:
            self.refuse()

    def too_large(self, squares: int) -> Squares | None:
        """What a board of so many squares breaks, if anything: it alone, or with those before it."""
        self._counted += squares
        if self._squares is not None and self._counted > self._squares.most:
            return self._squares
        return Squares(MOST_SQUARES) if squares > MOST_SQUARES else None

    def refuse(self) -> None:
        """Raises Faults where there is any."""
        if self.faults:
            raise Faults(self.faults, self.warnings)


@cache
def fault_words() -> Words:
    return load_words("tablee.rules.arena", "faults.toml")


class Spot:
    """A value of a file, with where it is and where what is wrong with it is kept."""

    __slots__ = ("findings", "path", "value")

    def __init__(self, value: Any, path: str, findings: Findings) -> None:
        self.value, self.path, self.findings = value, path, findings

    @property
    def faults(self) -> list[Fault]:
        return self.findings.faults

    def beside(self, value: Any) -> Spot:
        """Another value at the same place."""
        return Spot(value, self.path, self.findings)

    def key(self, key: str) -> Spot:
        """What an object has under a key."""
        return Spot(self.value[key], self.path + step(key), self.findings)

    def items(self) -> list[Spot]:
        """What a list has."""
        return [Spot(each, f"{self.path}[{place}]", self.findings) for place, each in enumerate(self.value)]

    def fault(self, wanted: str, **values: str | int) -> None:
        """Keep that the value is not what was wanted."""
        self.fault_of(excerpt(self.value), wanted, **values)

    def missing(self, wanted: str, **values: str | int) -> None:
        """Keep that something is not there."""
        self.fault_of("", wanted, **values)

    def fault_of(self, found: str, wanted: str, **values: str | int) -> None:
        """Keep a fault where what was found is said otherwise than by the value."""
        self.findings.add(self._found(found, wanted, values))

    def warn(self, wanted: str, **values: str | int) -> None:
        """Keep that the value is left aside, though nothing forbids it."""
        if len(self.findings.warnings) < MOST_FAULTS:
            self.findings.warnings.append(self._found(excerpt(self.value), wanted, values))

    def lacks(self, key: str) -> None:
        """Keep that a key is done without, though files have it."""
        if len(self.findings.warnings) < MOST_FAULTS:
            place = Spot(None, self.path + step(key), self.findings)
            self.findings.warnings.append(place._found("", "missing", {"key": key}))

    def _found(self, found: str, wanted: str, values: dict[str, str | int]) -> Fault:
        expected = fault_words()["en"][wanted].format_map(values)
        return Fault(self.path, found, expected, wanted, values)


def step(key: str) -> str:
    """One step of a JSON path into an object."""
    return f".{key}" if PLAIN_KEY.fullmatch(key) else f"[{_json(key)}]"


def excerpt(value: Any) -> str:
    """A value as JSON, shortened to be told."""
    text = _json(_shallow(value))
    return text if len(text) <= EXCERPT else text[: EXCERPT - 1] + "…"


def _json(value: Any) -> str:
    """Half a surrogate pair, which JSON can say and no terminal can show, is left as JSON says it."""
    text = json.dumps(value, ensure_ascii=False)
    return text if text.isprintable() else json.dumps(value)


def _shallow(value: Any, depth: int = 4) -> Any:
    """As much of a value as an excerpt can show: a hostile one may be a thousand lists in one another."""
    if isinstance(value, dict):
        return {key: _shallow(value[key], depth - 1) for key in list(value)[:EXCERPT]} if depth else {}
    if isinstance(value, list | tuple):
        return [_shallow(each, depth - 1) for each in value[:EXCERPT]] if depth else []
    return value
