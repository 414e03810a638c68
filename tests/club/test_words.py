"""Every refusal has its sentence, every letter its text, in both languages."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

import tablee.club
from tablee.club import Banned, TooMany
from tablee.club.letters import templates

SOURCES = sorted(Path(tablee.club.__file__).parent.rglob("*.py"))
CATALOGUE: dict[str, dict[str, str]] = tomllib.loads(
    files("tablee.club").joinpath("words.toml").read_text("utf-8")
)


def test_every_code_in_the_club_has_a_sentence_and_every_sentence_a_code() -> None:
    text = "\n".join(path.read_text("utf-8") for path in SOURCES)
    used = set(re.findall(r'"([a-z]+(?:_[a-z]+)*)"', text))
    assert set(CATALOGUE) <= used
    raised = set(
        re.findall(r'(?:Invalid|Refused|NotFound|InvalidToken|super\(\).__init__)\(\s*"([a-z_]+)"', text)
    )
    assert raised - {"account", "members_only"} <= set(CATALOGUE)


@pytest.mark.parametrize("code", sorted(CATALOGUE))
def test_both_languages_fill_in_the_same_parts(code: str) -> None:
    parts = [set(re.findall(r"{(\w+)}", CATALOGUE[code][language])) for language in ("fr", "en")]
    assert parts[0] == parts[1]


def test_every_letter_is_written_in_both_languages_with_the_same_parts() -> None:
    for name, letter in templates().items():
        assert set(letter) == {"fr", "en"}, name
        for field in ("subject", "text"):
            found = [set(re.findall(r"{(\w+)}", getattr(letter[lang], field))) for lang in ("fr", "en")]
            assert found[0] == found[1], name


def test_a_refusal_speaks_french_and_english_and_is_counted_in_seconds() -> None:
    refused = TooMany(12, "say")
    assert refused.sentence("fr") == "Trop de demandes\u00a0; réessayez dans 12 s."
    assert refused.sentence("en") == "Too many requests; try again in 12 s."
    assert (refused.kind, refused.seconds) == ("too_many", 12)
    assert Banned(5).sentence("de") == "Ce compte est suspendu."
