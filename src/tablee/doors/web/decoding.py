"""Bytes from strangers become values of our types, or a clear refusal; never an error of the house."""

from __future__ import annotations

import re
from typing import Any, TypeVar

import msgspec

from .errors import Refusal

BODY_LIMIT = 1024 * 1024
DEPTH_LIMIT = 32
INTEGER_LIMIT = 2**53 - 1
"""The largest whole number that every JSON reader, JavaScript's among them, reads exactly."""

T = TypeVar("T")

_brackets = re.compile(rb"[\[{]")
_escaped_nul = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")
_long_number = re.compile(rb"[0-9]{16}|[0-9][eE]")


def decoded(raw: bytes, kind: type[T] | Any) -> Any:
    """The value of that type that these bytes say; raises Refusal("malformed") or Refusal("invalid")."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Refusal("malformed", detail=f"not UTF-8 at byte {error.start}") from None
    if "\0" in text or ("\\u0000" in text and _escaped_nul.search(text)):
        raise Refusal("invalid", detail="a NUL character", at="$")
    try:
        if _needs_a_look(raw):
            _checked(msgspec.json.decode(raw))
        return msgspec.json.decode(raw, type=kind)
    except msgspec.ValidationError as error:
        raise invalid(error) from None
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise Refusal("malformed", detail=str(error)) from None


def converted(value: Any, kind: type[T] | Any, *, strict: bool = True) -> Any:
    """The same for what has been read already (queries, paths); raises Refusal("invalid")."""
    try:
        return msgspec.convert(value, kind, strict=strict)
    except (msgspec.ValidationError, UnicodeError, OverflowError) as error:
        raise invalid(error) from None


def invalid(error: Exception) -> Refusal:
    """msgspec's sentence, split into what is wrong and where."""
    detail, _, place = str(error).partition(" - at `")
    return Refusal("invalid", detail=detail, at=place.rstrip("`") or "$")


def _needs_a_look(raw: bytes) -> bool:
    # Nearly every request has few brackets and short numbers; only the others are walked through.
    return len(_brackets.findall(raw)) > DEPTH_LIMIT or _long_number.search(raw) is not None


def _checked(value: Any) -> None:
    """Refuse what is nested too deeply and numbers that are too large, wherever they are."""
    todo = [(value, 1)]
    while todo:
        item, depth = todo.pop()
        if isinstance(item, dict | list):
            if depth > DEPTH_LIMIT:
                raise Refusal("invalid", detail=f"nested more than {DEPTH_LIMIT} deep", at="$")
            inner = item.values() if isinstance(item, dict) else item
            todo.extend((each, depth + 1) for each in inner)
        elif isinstance(item, int | float) and not -INTEGER_LIMIT <= item <= INTEGER_LIMIT:
            raise Refusal("invalid", detail=f"a number beyond ±{INTEGER_LIMIT}", at="$")
