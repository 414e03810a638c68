"""Bytes from strangers become values of our types, or a clear refusal; never an error of the house."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

from tablee.wire.json_bounds import ELEMENTS_MOST, OutOfBounds, demand_bounded, quoted

from .errors import Refusal

T = TypeVar("T")


def decoded(raw: bytes, kind: type[T] | Any, elements_most: int = ELEMENTS_MOST) -> Any:
    """The value of that type that these bytes say; raises Refusal("malformed") or Refusal("invalid")."""
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Refusal("malformed", detail=f"not UTF-8 at byte {error.start}") from None
    try:
        demand_bounded(raw, elements_most=elements_most)
        return msgspec.json.decode(raw, type=kind)
    except OutOfBounds as error:
        raise Refusal("invalid", detail=str(error), at="$") from None
    except msgspec.ValidationError as error:
        raise invalid(error) from None
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise Refusal("malformed", detail=quoted(str(error))) from None


def converted(value: Any, kind: type[T] | Any, *, strict: bool = True) -> Any:
    """The same for what has been read already (queries, paths); raises Refusal("invalid")."""
    try:
        return msgspec.convert(value, kind, strict=strict)
    except (msgspec.ValidationError, UnicodeError, OverflowError) as error:
        raise invalid(error) from None


def invalid(error: Exception) -> Refusal:
    """msgspec's sentence, split into what is wrong and where, without repeating a long word that was sent."""
    detail, _, place = str(error).rpartition(" - at `")
    if not detail:
        detail, place = place, ""
    return Refusal("invalid", detail=quoted(detail), at=quoted(place.rstrip("`")) or "$")
