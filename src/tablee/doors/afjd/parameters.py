"""The parameters of calls: what each is called, which values it takes, and how a text becomes one."""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from tablee.doors.afjd.refusal import Refusal

Json = Any
DEPTH_MOST = 32
INTEGER_MOST = 2**53 - 1
_INTEGER = re.compile(r"[+-]?[0-9]{1,16}")
_ODD = re.compile(r"[0-9]{16}|[0-9][eE]|\\u|\0")
_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_BRACKET = re.compile(r"[\[\]{}]")
_DATE = re.compile(r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})")


@dataclass(frozen=True)
class Param:
    """One parameter of a call."""

    name: str
    kind: str
    says: str
    read: Callable[[str, Any], Any]
    schema: Json
    required: bool = True

    @property
    def shown_kind(self) -> str:
        return self.kind if self.required else f"{self.kind}, optional"


def optional(param: Param) -> Param:
    """The same, which may be left out and is then None."""
    return replace(param, required=False)


def integer(name: str, says: str, least: int = 0, most: int = INTEGER_MOST) -> Param:
    def read(given: str, value: Any) -> int:
        if isinstance(value, str) and _INTEGER.fullmatch(value.strip()):
            value = int(value)
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise Refusal(400, f"{given} must be a whole number from {least} to {most}, not {short(value)}")
        return value

    return Param(name, "int", says, read, {"type": "integer", "minimum": least, "maximum": most})


def flag(name: str, says: str) -> Param:
    def read(given: str, value: Any) -> bool:
        if value is True or value is False:
            return value
        if value in (0, 1, "0", "1"):
            return value in (1, "1")
        raise Refusal(400, f"{given} must be 0 or 1, not {short(value)}")

    return optional(Param(name, "int", says, read, {"type": "integer", "enum": [0, 1]}))


def text(name: str, says: str, most: int = 10_000, least: int = 0) -> Param:
    def read(given: str, value: Any) -> str:
        if isinstance(value, int) and not isinstance(value, bool):
            value = str(value)  # a float has no one spelling: 1.50 would become 1.5
        if not isinstance(value, str):
            raise Refusal(400, f"{given} must be a text, not {short(value)}")
        if len(value) > most:
            raise Refusal(400, f"{given} must have at most {most} characters, not {len(value)}")
        if len(value) < least:
            raise Refusal(400, f"{given} must have at least {least} characters")
        return value

    return Param(name, "str", says, read, {"type": "string", "minLength": least, "maxLength": most})


def document(name: str, says: str, schema: Json | None = None) -> Param:
    """JSON text in a string, or the JSON itself."""

    def read(given: str, value: Any) -> Json:
        if isinstance(value, str):
            value = parsed(value, given)
        if value is None:
            raise Refusal(400, f"{given} must not be null")
        return value

    return Param(name, "str - json", says, read, schema or {})


def name_or_document(name: str, says: str) -> Param:
    """A name, or JSON (itself or as text) in its place."""

    def read(given: str, value: Any) -> Json:
        if isinstance(value, str) and value.lstrip().startswith("{"):
            return parsed(value, given)
        if not isinstance(value, str | dict):
            raise Refusal(400, f"{given} must be a name or a dictionary, not {short(value)}")
        return value

    return Param(name, "str", says, read, {"type": ["string", "object"]})


def day(name: str, says: str) -> Param:
    def read(given: str, value: Any) -> datetime.date:
        found = _DATE.fullmatch(value) if isinstance(value, str) else None
        try:
            if found is None:
                raise ValueError
            chosen = datetime.date(*map(int, found.groups()))
        except ValueError:
            raise Refusal(400, f"{given} must be a date like 2026-03-29, not {short(value)}") from None
        if not 1990 <= chosen.year <= 2200:
            raise Refusal(400, f"{given} must be between 1990 and 2200, not {short(value)}")
        return chosen

    return Param(name, "str", says, read, {"type": "string"}, required=False)


def parsed(source: str | bytes, what: str) -> Json:
    """The value that a JSON text says, not too deep, with no number out of bounds; raises Refusal."""
    try:
        value = json.loads(source, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        reason = "it is nested too deep" if isinstance(error, RecursionError) else str(error)
        raise Refusal(400, f"{what} is no JSON: {reason[:200]}") from None
    if not is_plain(source):
        demand_modest(value, what)
    return value


def is_plain(source: str | bytes) -> bool:
    """Whether the text itself shows that `demand_modest` finds nothing, which saves the walk.

    It has neither numbers of sixteen digits or with an exponent, nor escapes by number, and is not deep.
    """
    if not source.isascii():
        return False
    text = source if isinstance(source, str) else source.decode("ascii")
    if _ODD.search(text):
        return False
    if text.count("[") + text.count("{") <= DEPTH_MOST:
        return True
    depth = 0
    for bracket in _BRACKET.findall(_STRING.sub("", text)):
        depth += 1 if bracket in "[{" else -1
        if depth > DEPTH_MOST:
            return False
    return True


def demand_modest(value: Json, what: str) -> None:
    """Refuse what is nested too deeply, numbers that are too large, and texts that no database keeps."""
    level, depth = [value], 0
    while level:
        depth += 1
        below: list[Json] = []
        for item in level:
            kind = type(item)
            if kind is int or kind is float:
                if not -INTEGER_MOST <= item <= INTEGER_MOST:
                    raise Refusal(400, f"{what} has a number beyond {INTEGER_MOST}")
            elif kind is str:
                demand_text(item, what)
            elif kind is list or kind is dict:
                if depth > DEPTH_MOST:
                    raise Refusal(400, f"{what} is nested more than {DEPTH_MOST} deep")
                below += item
                if kind is dict:
                    below += item.values()
        level = below


def demand_text(value: str, what: str) -> None:
    """Refuse NUL characters and halves of surrogate pairs."""
    if "\0" in value:
        raise Refusal(400, f"{what} must not have a NUL character")
    if not value.isascii() and any("\ud800" <= c <= "\udfff" for c in value):
        raise Refusal(400, f"{what} is no Unicode text")


def _no_constant(name: str) -> Json:
    raise ValueError(f"{name} is no number")


def short(value: Any) -> str:
    """A value as an error shows it."""
    shown = repr(value)
    return shown if len(shown) <= 60 else shown[:60] + "…"
