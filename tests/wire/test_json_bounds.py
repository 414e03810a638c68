"""How much JSON a stranger may send."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablee.wire.json_bounds import INTEGER_MOST, OutOfBounds, demand_bounded, quoted

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=4), inner, max_size=5),
    max_leaves=30,
)


def depth(value: Any) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if inner is None else 1 + max(map(depth, inner), default=0)


def numbers(value: Any) -> list[float]:
    if isinstance(value, dict | list):
        return [n for each in (value.values() if isinstance(value, dict) else value) for n in numbers(each)]
    return [abs(value)] if isinstance(value, int | float) and not isinstance(value, bool) else []


def texts(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [*value, *(t for each in value.values() for t in texts(each))]
    if isinstance(value, list):
        return [t for each in value for t in texts(each)]
    return [value] if isinstance(value, str) else []


@given(JSON, st.integers(0, 4), st.booleans())
def test_what_the_bytes_show_is_what_a_reader_finds(value: Any, depth_most: int, ascii: bool) -> None:
    raw = json.dumps(value, ensure_ascii=ascii).encode("utf-8", "surrogatepass")
    too_much = (
        depth(value) > depth_most
        or any(n > INTEGER_MOST for n in numbers(value))
        or any("\0" in text for text in texts(value))
    )
    try:
        demand_bounded(raw, depth_most=depth_most)
    except OutOfBounds:
        assert too_much
    else:
        assert not too_much


@pytest.mark.parametrize(
    "raw",
    [
        b"[" + b"[]," * 6_000 + b"[]]",
        b"[" + b"0," * 6_000 + b"0]",
        b"[" + b'"",' * 6_000 + b'""]',
        b"{" + b",".join(b'"%d":{}' % n for n in range(6_000)) + b"}",
        b"[" * 6_000,
        b"[" * 33 + b"]" * 33,
        b'{"a":' * 33 + b"0" + b"}" * 33,
        b'{"a":[' * 17 + b"]}" * 17,
        b"[1e300]",
        b"9" * 5_000,
    ],
    ids=lambda raw: raw[:12].decode(),
)
def test_what_is_small_to_send_and_slow_to_read_is_refused(raw: bytes) -> None:
    with pytest.raises(OutOfBounds):
        demand_bounded(raw)


def test_a_text_may_be_full_of_brackets_commas_and_digits() -> None:
    demand_bounded(json.dumps({"text": '[{,"\\' * 20_000 + "12345678901234567890 1e999"}).encode())


def test_a_route_may_ask_for_more_values() -> None:
    demand_bounded(b"[" + b"0," * 6_000 + b"0]", elements_most=10_000)


def test_a_sentence_repeats_little_of_what_was_sent() -> None:
    assert len(quoted("x" * 60_000)) < 400
    assert quoted("short") == "short"
