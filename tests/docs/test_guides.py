"""The guides for players and clubs call things by the names that the page gives them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
GUIDES = sorted(
    [*ROOT.glob("docs/jouer*.md"), ROOT / "docs/tenir-une-table.md", ROOT / "docs/administrer.md"]
)
FRENCH = re.compile(r"^  fr: \{$(.*?)^  \},?$", re.M | re.S)
TEXT = re.compile(r"'((?:[^'\\\n]|\\.)*)'")


def shown() -> set[str]:
    """Every French text of the page, and of the games in it."""
    sources = [path for path in ROOT.glob("web/src/**/*.ts") if "catalogue(" in path.read_text()]
    texts = {
        text for path in sources for part in FRENCH.findall(path.read_text()) for text in TEXT.findall(part)
    }
    for path in ROOT.glob("src/tablee/rules/*/words.toml"):
        texts |= set(leaves(tomllib.loads(path.read_text())["fr"]))
    return {plain(text) for text in texts} | {"English"}


def leaves(table: dict[str, object]) -> Iterator[str]:
    for value in table.values():
        if isinstance(value, dict):
            yield from leaves(value)
        elif isinstance(value, str):
            yield value


def plain(text: str) -> str:
    """The same text whatever its spaces, and wherever its line ends."""
    return re.sub(r"\s+", " ", text)


def labels(guide: str) -> Iterator[str]:
    """What a guide prints in bold, but for the first words of a paragraph, which end in a full stop."""
    text = re.sub(r"^```.*?^```", "", guide, flags=re.M | re.S)
    yield from (plain(label) for label in re.findall(r"\*\*(.+?)\*\*", text, re.S) if not label.endswith("."))


@pytest.mark.parametrize("guide", GUIDES, ids=[guide.name for guide in GUIDES])
def test_every_label_in_a_guide_is_in_the_page(guide: Path) -> None:
    known = shown()
    assert [label for label in labels(guide.read_text()) if label not in known] == []


def test_a_label_that_the_page_does_not_have_is_found() -> None:
    guide = "**Inviter.** Cliquez sur **Inviter**, puis sur **Jouer\ntout de suite** ou **Danser**."
    assert [label for label in labels(guide) if label not in shown()] == ["Danser"]
