"""JSON in parameters: what is refused is refused whichever way it is looked at."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tablee.doors.afjd.parameters import DOCUMENT_ELEMENTS, parsed
from tablee.doors.afjd.refusal import Refusal
from tablee.wire.json_bounds import DEPTH_MOST, INTEGER_MOST

Json = Any
NUMBERS = st.integers(-(10**20), 10**20) | st.floats(allow_nan=False, allow_infinity=False)
TEXTS = st.text(st.sampled_from('[]{}"\\\0a1eé\ud800'), max_size=8)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
)


def is_modest(value: Json, depth: int = 0) -> bool:
    """The same rule, said slowly."""
    if isinstance(value, str):
        return "\0" not in value and not any("\ud800" <= letter <= "\udfff" for letter in value)
    if isinstance(value, dict | list):
        inner = [*value, *value.values()] if isinstance(value, dict) else value
        return depth < DEPTH_MOST and all(is_modest(each, depth + 1) for each in inner)
    return not isinstance(value, int | float) or abs(value) <= INTEGER_MOST


def nested(deep: int, inside: Json = 1) -> Json:
    for _ in range(deep):
        inside = [inside]
    return inside


@given(VALUES, st.booleans(), st.integers(0, 40))
@example(["]" * 40, nested(40)], True, 0)
@example(['"]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]', nested(33)], True, 0)
@example([9_007_199_254_740_992], True, 0)
@example([1e300, -1e300], True, 0)
def test_a_text_is_taken_where_nothing_in_it_is_to_be_refused(
    value: Json, ascii_only: bool, deep: int
) -> None:
    value = nested(deep, value)
    text = json.dumps(value, ensure_ascii=ascii_only)
    for source in (text, text.encode("utf-8", "surrogatepass")):
        try:
            taken = parsed(source, "x")
        except Refusal:
            assert not is_modest(value)
        else:
            assert is_modest(value)
            assert taken == value


def test_a_document_of_many_values_is_refused_before_it_is_read() -> None:
    with pytest.raises(Refusal, match="more than 20000 values"):
        parsed("[" + "[]," * 20_000 + "[]]", "orders", DOCUMENT_ELEMENTS)


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(nested(DEPTH_MOST + 1)),
        json.dumps({"a": nested(DEPTH_MOST)}),
        '["]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]", ' + json.dumps(nested(DEPTH_MOST)) + "]",
        "[9007199254740992]",
        "[-9007199254740992]",
        "[1e16]",
        "[1E+300]",
        '["\\u0000"]',
        '["\\ud800"]',
        "[NaN]",
        '{"a":\0 1}',
    ],
)
def test_what_is_too_deep_too_large_or_no_text_is_refused(text: str) -> None:
    for source in (text, text.encode(), text.encode("utf-16")):
        with pytest.raises(Refusal) as refusal:
            parsed(source, "x")
        assert refusal.value.status == 400
