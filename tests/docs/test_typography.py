"""Every French text: spaces before its marks, none that a line can end at, no plural in brackets."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tablee.club.letters import templates
from tablee.rules.words import load_sentences, load_words, typeset

ROOT = Path(__file__).parents[2]
CATALOGUES = sorted(
    [*(ROOT / "src/tablee").rglob("*.toml"), *(ROOT / "web/src").rglob("*words.ts")],
    key=lambda path: path.as_posix(),
)
CROWDED = re.compile(r"[^\s\d/][:;!?»](?=\s|$)|«\S")
"""A mark without its space: `Attention!`; an emoticon, an address and `12:30` are none."""
BY_THE_LETTER = ("Re: ", "presse: ", "Italie: ", "Content-Type: ", "D!")
"""What programs and letters spell so: headers, the grammar of orders by mail, marks of squares."""
BRACKETED = re.compile(r"\w\((s|e|es|x)\)")
FOR_MEN_ALONE = re.compile(
    r"^(absent|parti|invité|(dé)?connecté)$|(Vous êtes|arrivé) premier\b|êtes (déconnecté|invité)\b", re.I
)
"""What is said of anybody fits everybody: `hors ligne`, `a quitté la table`, `vous avez gagné`."""
RAW = re.compile(r"Robot-\w|\bgreedy\b|Le plus sauté|\bNf\d|Reine noir\b")
"""What programs call things, and words that no player says."""
_FRENCH = re.compile(r"\bfr: \{(.*?)^  \},?$", re.DOTALL | re.MULTILINE)
_TEXT = re.compile(r"'((?:[^'\\]|\\.)*)'|`([^`]*)`")


def french(path: Path) -> Iterator[str]:
    """The French texts of one catalogue."""
    content = path.read_text("utf-8")
    if path.suffix == ".ts":
        for block in _FRENCH.finditer(content):
            yield from (found[1] or found[2] or "" for found in _TEXT.finditer(block[1]))
    else:
        yield from _texts(tomllib.loads(content), within=False)


def _texts(table: Any, *, within: bool) -> Iterator[str]:
    if isinstance(table, str):
        if within:
            yield table
    elif isinstance(table, dict):
        for key, value in table.items():
            yield from _texts(value, within=within or key == "fr")


def test_catalogues_are_found() -> None:
    texts = {path: list(french(path)) for path in CATALOGUES}
    assert sum(map(len, texts.values())) > 3_000
    assert sum(bool(found) for found in texts.values()) > 60


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_french_has_its_spaces_and_no_plural_in_brackets(path: Path) -> None:
    texts = list(french(path))
    for spelled in BY_THE_LETTER:
        texts = [text.replace(spelled, "") for text in texts]
    wrong = [text for text in texts if CROWDED.search(text) or BRACKETED.search(text)]
    assert not wrong


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_french_fits_everybody_and_names_nothing_as_programs_do(path: Path) -> None:
    assert not [text for text in french(path) if FOR_MEN_ALONE.search(text) or RAW.search(text)]


def test_a_line_ends_at_none_of_these_spaces() -> None:
    assert (
        typeset("« Oui ; et vous ? » : non !") == "«\u00a0Oui\u00a0; et vous\u00a0?\u00a0»\u00a0: non\u00a0!"
    )


@pytest.mark.parametrize(
    "said",
    [
        load_sentences("tablee.club", "fr"),
        load_sentences("tablee.tables", "fr"),
        load_sentences("tablee.club.calling", "fr"),
        load_words("tablee.rules.diplomacy")["fr"],
        {name: spoken["fr"].text for name, spoken in templates().items()},
    ],
    ids=["club", "tables", "calling", "diplomacy", "letters"],
)
def test_what_the_house_says_is_typeset(said: dict[str, str]) -> None:
    assert any("\u00a0:" in text for text in said.values())
    assert not [text for text in said.values() if re.search(r" [:;!?»]|« ", text)]
