"""The keys of a description's objects and their other spellings: the document's, and published files'."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType


@dataclass(frozen=True)
class Form:
    """The keys of an object: those it must have, those it may have, and other spellings of either."""

    required: tuple[str, ...]
    optional: tuple[str, ...] = ()
    also: Mapping[str, str] = field(default_factory=dict)
    """Key as we write it, by its other spelling."""

    @property
    def keys(self) -> tuple[str, ...]:
        """As we write them."""
        return self.required + self.optional

    def spellings(self, key: str) -> tuple[str, ...]:
        """Every way to write a key, ours first, each in camel case too."""
        written = [key, *(other for other, ours in self.also.items() if ours == key)]
        return tuple(dict.fromkeys([*written, *map(camel_case, written)]))

    @cached_property
    def ours(self) -> Mapping[str, str]:
        """The key as we write it, by every spelling."""
        return {spelling: key for key in self.keys for spelling in self.spellings(key)}


def camel_case(key: str) -> str:
    """`must_target_player` as the first published files had it: `mustTargetPlayer`."""
    return re.sub("_([a-z])", lambda found: found[1].upper(), key)


GAME = Form(
    required=("colors", "board", "movements_cards"),
    optional=("trumps", "number_players"),
)
BOARD = Form(
    required=("number_arms", "arms_width", "arms_length", "inner_circle_colors", "arms_colors"),
    optional=("svg",),
    also={"circle_colors": "inner_circle_colors", "arm_colors": "arms_colors"},
)
SVG = Form(required=("rotation_center", "fill_origin", "fill", "lines"))
FILL = Form(required=("tag", "width", "height"))
ELEMENT = Form(required=("tag", "d"))
CARDS = Form(required=("number_cards_per_color", "cards"))
CARD = Form(
    required=("name", "number_of_movements", "movements_type"),
    optional=("description", "additional_movements_colors", "complementary_colors", "special_actions"),
)
SPECIAL_ACTION = Form(required=("name",))
"""Where it is an object, as in the files since 2016, and not its name alone."""
TRUMP = Form(
    required=("name", "description", "cost", "parameters"),
    optional=("duration", "repeat_for_each_color", "must_target_player", "weight"),
    also={"type": "parameters"},
)
EFFECTS: Mapping[str, Form] = MappingProxyType(
    {
        "ModifyNumberMoves": Form(required=("type", "delta_moves"), also={"delta_of_moves": "delta_moves"}),
        "RemoveColor": Form(
            required=("type",),
            optional=("colors",),
            also={"additionnal_colors": "colors", "additional_colors": "colors"},
        ),
        "RemoveEffects": Form(required=("type", "effects")),
        "ModifyTrumpDurations": Form(required=("type", "delta_duration"), optional=("trump_names",)),
    }
)
"""By the type of an effect, as we write it."""
EFFECT_ALSO: Mapping[str, str] = MappingProxyType(
    {"ModifyNumberOfMovesInATurnTrump": "ModifyNumberMoves", "RemovingColorTrump": "RemoveColor"}
)
MOVEMENT_ALSO: Mapping[str, tuple[str, ...]] = MappingProxyType({"lineAndDiagonal": ("line", "diagonal")})
"""Types of movements that the first files had in one word."""
FILL_TAG, LINE_TAG = "rect", "path"
