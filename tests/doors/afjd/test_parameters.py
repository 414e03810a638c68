"""JSON in parameters: what is refused is refused whichever way it is looked at."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tablee.doors.afjd.parameters import DEPTH_MOST, demand_modest, is_plain, parsed
from tablee.doors.afjd.refusal import Refusal

Json = Any
NUMBERS = st.integers(-(10**20), 10**20) | st.floats(allow_nan=False, allow_infinity=False)
TEXTS = st.text(st.sampled_from('[]{}"\\\0a1eé\ud800'), max_size=8)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
)


def is_modest(value: Json) -> bool:
    try:
        demand_modest(value, "x")
    except Refusal:
        return False
    return True


def nested(deep: int, inside: Json = 1) -> Json:
    for _ in range(deep):
        inside = [inside]
    return inside


@given(VALUES, st.booleans(), st.integers(0, 40))
@example(["]" * 40, nested(40)], True, 0)
@example(['"]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]', nested(33)], True, 0)
@example([9_007_199_254_740_992], True, 0)
@example([1e300, -1e300], True, 0)
def test_no_text_that_looks_plain_has_anything_to_refuse(value: Json, ascii_only: bool, deep: int) -> None:
    value = nested(deep, value)
    text = json.dumps(value, ensure_ascii=ascii_only)
    if is_plain(text):
        assert is_modest(json.loads(text))
    if text.isascii():
        assert is_plain(text) == is_plain(text.encode())


def test_orders_and_positions_look_plain() -> None:
    orders = [[1, 4, zone, 0, 0] for zone in range(1, 60)]
    assert is_plain(json.dumps({"orders": orders, "names": {"1": 'a [b] {c} \\ " e'}}))


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
