"""Tokens, cookies, languages and the proof that a request is our own page's."""

from __future__ import annotations

import pytest
from starlette.datastructures import Headers

from tablee.doors.web.api import credentials


@pytest.mark.parametrize(
    ("asked", "language"),
    [
        ("", "fr"),
        ("en", "en"),
        ("en-GB,en;q=0.9,fr;q=0.5", "en"),
        ("fr-CA,en;q=0.9", "fr"),
        ("de,es;q=0.8", "fr"),
        ("de,en;q=0.1", "en"),
        ("en;q=zero,fr;q=0.1", "fr"),
        (",;;q=,", "fr"),
    ],
)
def test_french_unless_english_is_preferred(asked: str, language: str) -> None:
    assert credentials.language_of(Headers({"accept-language": asked})) == language


@pytest.mark.parametrize(
    ("headers", "ours"),
    [
        ({}, False),
        ({"x-tablee": "1"}, True),
        ({"origin": "http://club.example", "host": "club.example"}, True),
        ({"origin": "http://evil.example", "host": "club.example"}, False),
        ({"origin": "http://club.example.evil.example", "host": "club.example"}, False),
        ({"origin": "null", "host": "club.example"}, False),
        ({"origin": "http://[club", "host": "club.example"}, False),
        ({"origin": "https://jeux.club.example", "host": "backend:8000"}, True),
    ],
)
def test_only_our_own_page_may_change_things_with_a_cookie(headers: dict[str, str], ours: bool) -> None:
    assert credentials.comes_from_our_page(Headers(headers), ("https://jeux.club.example",)) is ours


def test_our_cookies_are_hidden_from_scripts_and_from_other_sites() -> None:
    cookie = credentials.set_cookie("name", "value", path="/api", seconds=60, secure=True)
    assert cookie == "name=value; Path=/api; Max-Age=60; HttpOnly; SameSite=Lax; Secure"
