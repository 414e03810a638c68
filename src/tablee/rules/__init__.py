"""The games of the house, pure: no clock, no network, no database."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from tablee.rules.contract import Rules
from tablee.rules.diplomacy.rules import DiplomacyRules
from tablee.rules.diplomacy.variant import variant_names
from tablee.rules.mines import CustomMinesRules, MinesRules

Games = Mapping[tuple[str, str], Rules[Any]]
"""By name of the game and of the variant."""


def games_of(*rules: Rules[Any]) -> Games:
    """A house with just these games; tests make their own."""
    return MappingProxyType({(each.name, each.variant): each for each in rules})


GAMES: Games = games_of(MinesRules(), CustomMinesRules(), *map(DiplomacyRules, variant_names()))


def rules_of(game: str, variant: str, games: Games = GAMES) -> Rules[Any]:
    """The rules of a variant. Raises KeyError with a sentence where there is none."""
    try:
        return games[game, variant]
    except KeyError:
        known = ", ".join(f"{name} ({kind})" for name, kind in games)
        raise KeyError(f"There is no game “{game}” with a variant “{variant}”. There are: {known}.") from None
