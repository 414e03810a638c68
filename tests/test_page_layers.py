"""The page's frame names no game: what it knows of one stands in `web/src/games/<game>/`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tablee.rules import GAMES

PAGE = Path(__file__).parent.parent / "web" / "src"
FRAME = ("screens", "shell", "style", "house", "words", "plain", "App.svelte", "main.ts")
WRITTEN_BY_THE_HOUSE = PAGE / "house" / "types.ts"
"""The types of the house's answers, those of games among them: written by `make types`."""

IDS = {game for game, _ in GAMES}
NAMES = {rules.words(language)["name"].lower() for rules in GAMES.values() for language in ("fr", "en")}
VARIANTS = {variant for _, variant in GAMES}
ROBOT_PLAYERS = "robots"
"""The game's id is also the word for players that are programs, so only what cannot be that word counts:
a literal of just this word, a folder or a path of the game, a colour or a name that begins with it."""
ROBOTS_GAME = r"""(['"`])robots\1|games/robots|/robots/|(?<![\w.])robots-|--robots"""
THEME = "dark"
"""The variant's id is also the name of a theme of the page: a literal of it says nothing about a game."""


def names_of_games(text: str) -> Iterator[str]:
    """Every place in a source of the page that names a game or a variant."""
    for name in sorted((IDS | NAMES) - {ROBOT_PLAYERS}):
        yield from (found[0] for found in re.finditer(rf"(?<![^\W_]){re.escape(name)}(?![^\W_])", text, re.I))
    yield from (found[0] for found in re.finditer(ROBOTS_GAME, text))
    for variant in sorted(VARIANTS - {THEME}):
        yield from (found[0] for found in re.finditer(rf"""(['"`]){re.escape(variant)}\1""", text))


def sources() -> Iterator[Path]:
    for part in FRAME:
        found = [PAGE / part] if (PAGE / part).is_file() else sorted((PAGE / part).rglob("*.*"))
        assert found, part
        yield from (path for path in found if path != WRITTEN_BY_THE_HOUSE)


def test_nothing_outside_a_games_folder_names_a_game() -> None:
    found = {str(path.relative_to(PAGE)): [*names_of_games(path.read_text())] for path in sources()}
    assert {path: names for path, names in found.items() if names} == {}


def test_the_list_of_games_names_none_either() -> None:
    for file in ("index.ts", "page.ts"):
        assert [*names_of_games((PAGE / "games" / file).read_text())] == []


def test_every_game_of_the_house_brings_one_folder_with_a_manifest() -> None:
    assert {path.parent.name for path in (PAGE / "games").glob("*/manifest.ts")} == IDS
    assert {path.name for path in (PAGE / "games").iterdir() if path.is_dir()} == IDS


@pytest.mark.parametrize(
    "text",
    [
        "import { squareName } from '../games/mines/names';",
        "{#if info.game !== 'mines'}",
        "  --chess-light: #f0e7d0;",
        "  --robots-floor: #eee8da;",
        "{ name: 'robots-editor', pattern: '/x' }",
        "load: () => import('../games/robots/editor/EditorScreen.svelte')",
        "{#if info.game === 'robots'}",
        "const USUAL = 'standard';",
        "first: 'White in chess'",
        "hint: 'mon robot démineur'",
        "aria: 'Diplomatie'",
    ],
)
def test_a_name_of_a_game_is_found(text: str) -> None:
    assert len([*names_of_games(text)]) >= 1


@pytest.mark.parametrize(
    "text",
    [
        "variant.robots.map(String)",
        "post(`/tables/${table.id}/robots`, {})",
        "atOnceText: 'against {n} robots'",
        "theme: 'system' | 'light' | 'dark';",
        "examines, determines, jokers and the chessboard",
    ],
)
def test_robot_players_and_themes_are_no_games(text: str) -> None:
    assert [*names_of_games(text)] == []
