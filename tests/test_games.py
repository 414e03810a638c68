"""Games of installed packages stand beside the house's own; what cannot be used is named and left out."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint, distributions
from pathlib import Path
from typing import Any

import pytest
from tests.sixth_game.installed import dist_info, install
from tests.sixth_game.puissance4 import RULES

from tablee.games import GROUP, find_games, with_packages
from tablee.rules import games_of
from tablee.rules.contract import Rules
from tablee.rules.mines import MinesRules

OWN = games_of(MinesRules())


def packages(folder: Path) -> list[EntryPoint]:
    """The entry points of every package in a folder."""
    found = distributions(path=[str(folder)])
    return [entry for each in found for entry in each.entry_points if entry.group == GROUP]


@pytest.fixture
def on_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder from which packages are imported, forgotten after the test."""
    monkeypatch.syspath_prepend(tmp_path)
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        del sys.modules[name]


def brings(folder: Path, name: str, code: str) -> None:
    """Install a package whose one module has this code and brings its RULES."""
    module = name.replace("-", "_")
    (folder / f"{module}.py").write_text(code)
    dist_info(folder, name, {module: f"{module}:RULES"})


def test_the_game_of_an_installed_package_is_in_the_house(on_path: Path, monkeypatch: Any) -> None:
    for place in install(on_path).split(":")[:2]:
        monkeypatch.syspath_prepend(place)
    found = with_packages(OWN, packages(on_path))
    assert set(found.games) == {("mines", "classic"), ("puissance4", "classic")}
    assert found.troubles == ()


def test_without_packages_the_house_has_its_own_games() -> None:
    assert with_packages(OWN, []) == (OWN, ())
    assert {game for game, _ in find_games().games} == {"mines", "diplomacy", "chess", "robots", "arena"}


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("raise OSError('no board')", "no board"),
        ("raise SystemExit", "SystemExit"),
        ("import nowhere_at_all", "No module named 'nowhere_at_all'"),
        ("x = 1", "no attribute 'RULES'"),
        ("RULES = 3", "not iterable"),
        ("RULES = ['chess']", "'chess', which is no Rules"),
    ],
)
def test_a_broken_package_is_named_and_does_not_stop_the_house(on_path: Path, code: str, said: str) -> None:
    brings(on_path, "game-of-woe", code)
    found = with_packages(OWN, packages(on_path))
    assert found.games is OWN
    (trouble,) = found.troubles
    assert trouble.startswith("The games of the package “game-of-woe” cannot be used: ")
    assert said in trouble


def test_a_game_without_words_is_left_out(on_path: Path) -> None:
    wordless = "from tests.sixth_game.puissance4.rules import Puissance4Rules\n"
    wordless += "class Mute(Puissance4Rules):\n    def words(self, language): return {}\nRULES = [Mute()]\n"
    brings(on_path, "mute", wordless)
    found = with_packages(OWN, packages(on_path))
    assert found.games is OWN
    assert "“name” has no words in “fr”" in found.troubles[0]


SAME = "from tests.sixth_game.puissance4 import RULES\n"


def test_a_name_that_two_packages_bring_is_given_to_neither(on_path: Path) -> None:
    brings(on_path, "one", SAME)
    brings(on_path, "other", SAME)
    found = with_packages(OWN, sorted(packages(on_path), key=lambda each: each.name))
    assert found.games is OWN
    assert found.troubles == (
        "The packages “one” and “other” both bring a game “puissance4”: it is left out. Keep one.",
    )


def test_the_name_of_a_game_of_the_house_stays_its_own(on_path: Path) -> None:
    brings(on_path, "one", SAME)
    found = with_packages(games_of(*RULES), packages(on_path))
    assert isinstance(next(iter(found.games.values())), Rules)
    assert found.troubles == (
        "The house has a game “puissance4” already: that of the package “one” is left out.",
    )


def test_a_package_that_brings_a_variant_twice_is_left_out(on_path: Path) -> None:
    brings(on_path, "twice", SAME + "RULES = RULES * 2\n")
    found = with_packages(OWN, packages(on_path))
    assert found.games is OWN
    assert "it brings puissance4 (classic) twice" in found.troubles[0]
