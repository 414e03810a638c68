"""How much JSON a stranger may send: depth, size and numbers, looked at as bytes before anything is decoded.

A body of a hundred thousand empty lists is small on the wire and slow to read: whoever decodes it first and
looks then has lost already. Nothing here goes through a text letter by letter in Python; all of it is
searching, replacing and counting of bytes.
"""

from __future__ import annotations

import re

DEPTH_MOST = 32
ELEMENTS_MOST = 5_000
"""Values of lists and objects together, where a route does not say otherwise."""
INTEGER_MOST = 2**53 - 1
"""The largest whole number that every JSON reader, JavaScript's among them, reads exactly."""
QUOTED_MOST = 300
"""So much of what somebody sent is repeated to him in the sentence that says what is wrong with it."""

_NOT_BRACKETS = bytes(letter for letter in range(256) if letter not in b"[]{}")
_OF_ONE_KIND = bytes.maketrans(b"{}", b"[]")
_ALIKE = bytes.maketrans(b"123456789E", b"000000000e")
_NUMBER = re.compile(rb"[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")


class OutOfBounds(ValueError):
    """The text is more than the house reads; says what is too much of it."""


# Why: docs/decisions.md#bytes-before-values
def demand_bounded(raw: bytes, *, elements_most: int = ELEMENTS_MOST, depth_most: int = DEPTH_MOST) -> None:
    """Raises OutOfBounds for JSON with too many values, too deep, with too large a number or with a NUL.

    What is no JSON at all is left to whoever decodes it.
    """
    if b"\0" in raw or (b"\\u0000" in raw and b"\\u0000" in raw.replace(b"\\\\", b"")):
        raise OutOfBounds("a NUL character")
    demand_small(raw, elements_most=elements_most, depth_most=depth_most)
    if _has_long_numbers(raw) and _has_long_numbers(outside := _outside(raw)):
        for number in _NUMBER.findall(outside):
            if float(number) > INTEGER_MOST:
                raise OutOfBounds(f"a number beyond ±{INTEGER_MOST}")


def demand_small(raw: bytes, *, elements_most: int = ELEMENTS_MOST, depth_most: int = DEPTH_MOST) -> None:
    """Raises OutOfBounds for JSON with too many values or too deep, and looks at nothing else."""
    # Nearly every request shows at once that it is small, whatever is in its texts.
    openings = raw.count(b"[") + raw.count(b"{")
    if openings <= depth_most and openings + raw.count(b",") <= elements_most:
        return
    outside = _outside(raw)
    if outside.count(b"[") + outside.count(b"{") + outside.count(b",") > elements_most:
        raise OutOfBounds(f"more than {elements_most} values")
    _demand_shallow(outside, depth_most)


def quoted(text: str) -> str:
    """A sentence that may repeat what somebody sent, not longer than is worth reading."""
    return text if len(text) <= QUOTED_MOST else text[:QUOTED_MOST] + "…"


def _outside(raw: bytes) -> bytes:
    """The JSON without what its texts say: once escaped quotes are gone, every second piece is a text."""
    if b"\\" in raw:
        raw = raw.replace(b"\\\\", b"").replace(b'\\"', b"")
    return b'"'.join(raw.split(b'"')[::2])


def _has_long_numbers(raw: bytes) -> bool:
    """Whether sixteen digits stand together anywhere, or an exponent behind one."""
    alike = raw.translate(_ALIKE)
    return b"0" * 16 in alike or b"0e" in alike


def _demand_shallow(outside: bytes, depth_most: int) -> None:
    """Brackets that enclose nothing are taken away, again and again: once for each level there is."""
    brackets = outside.translate(_OF_ONE_KIND, _NOT_BRACKETS)
    for _ in range(depth_most):
        fewer = brackets.replace(b"[]", b"")
        if len(fewer) == len(brackets):
            break
        brackets = fewer
    if b"[]" in brackets or len(brackets) > depth_most:
        raise OutOfBounds(f"nested more than {depth_most} deep")
