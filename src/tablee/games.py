"""The games of this house: its own, and those of installed packages.

A package brings games by an entry point of the group `tablee.games` that names its rules, one instance a
variant. What cannot be used is left out with a sentence, and the house goes on without it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, NamedTuple

from tablee.rules import GAMES, Games, games_of
from tablee.rules.conformance import check_words
from tablee.rules.contract import Rules

GROUP = "tablee.games"


class FoundGames(NamedTuple):
    """All games that can be played, and a sentence on each package that was left out."""

    games: Games
    troubles: tuple[str, ...]


@cache
def find_games() -> FoundGames:
    """The games of the house and of all packages that are installed beside it."""
    return with_packages(GAMES, entry_points(group=GROUP))


def with_packages(games: Games, packages: Iterable[EntryPoint]) -> FoundGames:
    """These games and those of the packages; a name that two bring is given to neither."""
    troubles: list[str] = []
    brought: dict[str, dict[str, list[Rules[Any]]]] = defaultdict(dict)
    for package in packages:
        try:
            for rules in _rules_of(package):
                brought[rules.name].setdefault(_name(package), []).append(rules)
        except (Exception, SystemExit) as error:
            said = str(error) or type(error).__name__
            troubles.append(f"The games of the package “{_name(package)}” cannot be used: {said}")
    own = {name for name, _ in games}
    more: list[Rules[Any]] = []
    for game, by_package in brought.items():
        if game in own:
            named = " and ".join(f"“{name}”" for name in by_package)
            troubles.append(
                f"The house has a game “{game}” already: that of the package {named} is left out."
            )
        elif len(by_package) > 1:
            named = " and ".join(f"“{name}”" for name in by_package)
            troubles.append(f"The packages {named} both bring a game “{game}”: it is left out. Keep one.")
        else:
            more += next(iter(by_package.values()))
    return FoundGames(games_of(*games.values(), *more) if more else games, tuple(troubles))


def _rules_of(package: EntryPoint) -> list[Rules[Any]]:
    """What a package brings, looked at before it is offered to anybody."""
    found = list(package.load())
    for rules in found:
        if not isinstance(rules, Rules):
            raise TypeError(f"“{package.value}” gives {rules!r}, which is no Rules.")
        check_words(rules)
    variants = [(rules.name, rules.variant) for rules in found]
    twice = next((each for each in variants if variants.count(each) > 1), None)
    if twice is not None:
        raise ValueError(f"it brings {twice[0]} ({twice[1]}) twice.")
    return found


def _name(package: EntryPoint) -> str:
    return package.dist.name if package.dist is not None else package.name
