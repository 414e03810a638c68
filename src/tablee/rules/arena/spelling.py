"""The keys of a description's objects and their other spellings (document, both generations)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class Form(NamedTuple):
    """The keys of an object: those it must have, those it may have, and other spellings of either."""

    required: tuple[str, ...]
    optional: tuple[str, ...] = ()
    also: Mapping[str, str] = MappingProxyType({})
    """Key as we write it, by its other spelling."""

    @property
    def keys(self) -> tuple[str, ...]:
        """As we write them."""
        return self.required + self.optional

    def spellings(self, key: str) -> tuple[str, ...]:
        """Every way to write a key, ours first."""
        return key, *(other for other, ours in self.also.items() if ours == key)


GAME = Form(
    required=("colors", "board", "movements_cards", "trumps"),
    optional=("number_players",),
    also={"movementsCards": "movements_cards"},
)
BOARD = Form(
    required=("number_arms", "arms_width", "arms_length", "inner_circle_colors", "arms_colors"),
    optional=("svg",),
    also={"circle_colors": "inner_circle_colors", "arm_colors": "arms_colors"},
)
SVG = Form(
    required=("rotation_center", "fill_origin", "fill", "lines"),
    also={"rotationCenter": "rotation_center", "fillOrigin": "fill_origin"},
)
FILL = Form(required=("tag", "width", "height"))
ELEMENT = Form(required=("tag", "d"))
CARDS = Form(required=("number_cards_per_color", "cards"))
CARD = Form(
    required=("name", "number_of_movements", "movements_type"),
    optional=("additional_movements_colors", "complementary_colors", "special_actions"),
)
TRUMP = Form(
    required=("name", "description", "cost", "parameters"),
    optional=("duration", "repeat_for_each_color", "must_target_player", "weight"),
    also={"type": "parameters", "repeatForEachColor": "repeat_for_each_color"},
)
EFFECTS: Mapping[str, Form] = MappingProxyType(
    {
        "ModifyNumberMoves": Form(required=("type", "delta_moves"), also={"delta_of_moves": "delta_moves"}),
        "RemoveColor": Form(
            required=("type",),
            optional=("colors",),
            also={"additionnalColors": "colors", "additional_colors": "colors"},
        ),
        "RemoveEffects": Form(required=("type", "effects")),
    }
)
"""By the type of an effect, as we write it."""
EFFECT_ALSO: Mapping[str, str] = MappingProxyType(
    {"ModifyNumberOfMovesInATurnTrump": "ModifyNumberMoves", "RemovingColorTrump": "RemoveColor"}
)
FILL_TAG, LINE_TAG = "rect", "path"
