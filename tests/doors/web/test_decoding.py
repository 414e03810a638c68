"""Bytes from strangers give a value or a clear refusal, whatever they are."""

from __future__ import annotations

import contextlib
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablee.doors.web.api.decoding import decoded
from tablee.doors.web.api.errors import WORDS, Refusal, filled


class Drawer(msgspec.Struct, forbid_unknown_fields=True):
    label: str = ""
    count: int = 0
    inside: Any = None


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (b"", "malformed"),
        (b"{", "malformed"),
        (b"\xff", "malformed"),
        (b'{"label": "\xc3\x28"}', "malformed"),
        (b'{"label": "\\ud800"}', "malformed"),
        (b'{"label": "a\\u0000b"}', "invalid"),
        (b'{"label": "a\x00b"}', "invalid"),
        (b"[" * 100_000, "invalid"),
        (b'{"inside": ' + b"[" * 40 + b"]" * 40 + b"}", "invalid"),
        (b'{"count": 1e400}', "invalid"),
        (b'{"inside": 99999999999999999999}', "invalid"),
        (b'{"inside": [1e300]}', "invalid"),
        (b'{"count": ' + b"9" * 5000 + b"}", "invalid"),
        (b'{"count": "three"}', "invalid"),
        (b'{"colour": "red"}', "invalid"),
        (b"[]", "invalid"),
        (b"NaN", "malformed"),
    ],
)
def test_what_cannot_be_read_is_refused_with_a_code(raw: bytes, code: str) -> None:
    with pytest.raises(Refusal) as refusal:
        decoded(raw, Drawer)
    assert refusal.value.code == code
    assert refusal.value.parts["detail"]


def test_the_refusal_says_where_it_is_wrong() -> None:
    with pytest.raises(Refusal) as refusal:
        decoded(b'{"count": "three"}', Drawer)
    assert refusal.value.parts["at"] == "$.count"


def test_a_backslash_before_u0000_is_only_text() -> None:
    assert decoded(b'{"label": "\\\\u0000"}', Drawer).label == "\\u0000"


def test_many_brackets_side_by_side_and_long_digits_in_a_text_are_fine() -> None:
    raw = b'{"label": "12345678901234567890", "inside": [' + b",".join([b"[]"] * 500) + b"]}"
    assert len(decoded(raw, Drawer).inside) == 500


@given(st.binary(max_size=200))
def test_any_bytes_give_a_value_or_a_refusal(raw: bytes) -> None:
    with contextlib.suppress(Refusal):
        decoded(raw, Drawer)


def test_a_sentence_keeps_the_name_of_a_part_that_is_missing() -> None:
    assert filled("{what} in {seconds} s", {"seconds": 3}) == "{what} in 3 s"


def test_every_refusal_has_words_in_both_languages_and_a_status_of_its_own_kind() -> None:
    for code, word in WORDS.items():
        assert word.fr, code
        assert word.en, code
        assert 400 <= word.status < 600
