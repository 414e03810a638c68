"""The guides on adding a game print what the sixth game is, and say the same in both languages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GUIDES = [ROOT / "docs" / name for name in ("ajouter-un-jeu.md", "add-a-game.md")]
GAME = ROOT / "tests" / "sixth_game"


def blocks(guide: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", guide.read_text(), re.M | re.S)


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.name)
def test_its_code_is_that_of_the_game(guide: Path) -> None:
    (python,), (toml,) = blocks(guide, "python"), blocks(guide, "toml")
    assert python in (GAME / "puissance4" / "model.py").read_text()
    assert toml in (GAME / "pyproject.toml").read_text()
    assert "RULES = (Puissance4Rules(),)" in (GAME / "puissance4" / "__init__.py").read_text()


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.name)
def test_every_file_that_it_links_is_there(guide: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)\)", guide.read_text())
    assert len(links) >= 7
    assert [link for link in links if not (guide.parent / link).exists()] == []


def test_both_languages_tell_the_same() -> None:
    french, english = GUIDES
    assert blocks(french, "ts") == blocks(english, "ts")
    assert len(blocks(french, "sh")) == len(blocks(english, "sh")) == 2
    headings = [re.findall(r"^#+ ", guide.read_text(), re.M) for guide in GUIDES]
    assert headings[0] == headings[1]


@pytest.mark.parametrize("page", ["README.md", "docs/architecture.md"])
def test_who_reads_about_the_house_finds_them(page: str) -> None:
    text = (ROOT / page).read_text()
    assert "ajouter-un-jeu.md" in text
    assert "add-a-game.md" in text
