"""The games of the house, pure: no clock, no network, no database."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from tablee.rules.arena import ArenaRules, description_names
from tablee.rules.chess import VARIANTS as CHESS_VARIANTS
from tablee.rules.chess import ChessRules
from tablee.rules.contract import Rules
from tablee.rules.diplomacy.rules import DiplomacyRules
from tablee.rules.diplomacy.variant import variant_names
from tablee.rules.mines import CustomMinesRules, MinesRules
from tablee.rules.robots import PracticeRules, RaceRules

Games = Mapping[tuple[str, str], Rules[Any]]
"""By name of the game and of the variant."""


def games_of(*rules: Rules[Any]) -> Games:
    """A house with just these games; tests make their own."""
    return MappingProxyType({(each.name, each.variant): each for each in rules})


GAMES: Games = games_of(
    MinesRules(),
    CustomMinesRules(),
    *map(DiplomacyRules, variant_names()),
    *map(ChessRules, CHESS_VARIANTS),
    RaceRules(),
    PracticeRules(),
    *map(ArenaRules, description_names()),
)


def rules_of(game: str, variant: str, games: Games = GAMES) -> Rules[Any]:
    """The rules of a variant, be it one that is no longer offered.

    Raises KeyError with a sentence where there is none.
    """
    try:
        return games[game, variant]
    except KeyError:
        alike = (rules.kin(variant) for rules in games.values() if rules.name == game)
        found = next((kin for kin in alike if kin is not None), None)
        if found is not None:
            return found
        known = ", ".join(f"{name} ({kind})" for name, kind in games)
        raise KeyError(f"There is no game “{game}” with a variant “{variant}”. There are: {known}.") from None
