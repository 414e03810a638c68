"""A position of Diplomacy drawn on its map: the atlas stands above the rules, so it is drawn here."""

from __future__ import annotations

from tablee.atlas.form import game_map
from tablee.atlas.picture import draw
from tablee.rules.diplomacy.variant import load_variant
from tablee.rules.diplomacy.views import DiplomacyView


def picture(view: DiplomacyView) -> str:
    """The map with the position, by its codes: they can be read at any size."""
    variant = load_variant(view.variant)
    return draw(game_map(view.variant), variant, view.situation.situation, "codes")
