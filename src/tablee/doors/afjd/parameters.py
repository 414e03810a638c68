"""The parameters of calls: what each is called, which values it takes, and how a text becomes one."""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from tablee.doors.afjd.refusal import Refusal
from tablee.wire.json_bounds import ELEMENTS_MOST, INTEGER_MOST, OutOfBounds, demand_bounded, quoted

Json = Any
DOCUMENT_ELEMENTS = 20_000
"""Values in one document: a variant of four hundred regions has half as many."""
_INTEGER = re.compile(r"[+-]?[0-9]{1,16}")
_DATE = re.compile(r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})")


# Why: docs/decisions.md#a-parameter-of-afjd-reads-itself
@dataclass(frozen=True)
class Param:
    """One parameter of a call."""

    name: str
    kind: str
    says: str
    read: Callable[[str, Any], Any]
    schema: Json
    required: bool = True


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
            value = parsed(value, given, DOCUMENT_ELEMENTS)
        if value is None:
            raise Refusal(400, f"{given} must not be null")
        return value

    return Param(name, "str - json", says, read, schema or {})


def name_or_document(name: str, says: str) -> Param:
    """A name, or JSON (itself or as text) in its place."""

    def read(given: str, value: Any) -> Json:
        if isinstance(value, str) and value.lstrip().startswith("{"):
            return parsed(value, given, DOCUMENT_ELEMENTS)
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


def parsed(source: str | bytes, what: str, elements_most: int = ELEMENTS_MOST) -> Json:
    """The value that a JSON text says, not too large, with no number out of bounds; raises Refusal."""
    raw = source.encode("utf-8", "surrogatepass") if isinstance(source, str) else source
    try:
        demand_bounded(raw, elements_most=elements_most)
        value = json.loads(source, parse_constant=_no_constant)
    except OutOfBounds as error:
        raise Refusal(400, f"{what} is more than we read: {error}") from None
    except (ValueError, RecursionError) as error:
        raise Refusal(400, f"{what} is no JSON: {quoted(str(error))}") from None
    if not raw.isascii() or b"\\u" in raw:
        _demand_texts(value, what)
    return value


def _demand_texts(value: Json, what: str) -> None:
    """Refuse texts that no database keeps, wherever they are."""
    todo = [value]
    while todo:
        item = todo.pop()
        if isinstance(item, str):
            demand_text(item, what)
        elif isinstance(item, list):
            todo += item
        elif isinstance(item, dict):
            todo += item
            todo += item.values()


def demand_text(value: str, what: str) -> None:
    """Refuse NUL characters and halves of surrogate pairs."""
    if "\0" in value:
        raise Refusal(400, f"{what} must not have a NUL character")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise Refusal(400, f"{what} is no Unicode text") from None


def _no_constant(name: str) -> Json:
    raise ValueError(f"{name} is no number")


def short(value: Any) -> str:
    """A value as an error shows it."""
    shown = repr(value)
    return shown if len(shown) <= 60 else shown[:60] + "…"
