"""Descriptions for tests: a small one that loads, in both spellings, and ways to spoil it."""

from __future__ import annotations

import json
from typing import Any

Json = dict[str, Any]

SMALL: Json = {
    "number_players": 2,
    "colors": ["RED", "DARK_BLUE"],
    "board": {
        "number_arms": 2,
        "arms_width": 2,
        "arms_length": 1,
        "inner_circle_colors": ["RED,DARK_BLUE"],
        "arms_colors": [["RED", "RED", "DARK_BLUE", "DARK_BLUE"], "DARK_BLUE"],
        "svg": {
            "rotation_center": [50, 50],
            "fill_origin": [40, 80.5],
            "fill": {"tag": "rect", "width": 10, "height": 12},
            "lines": [[{"tag": "path", "d": "M 1 2 L 3 4"}] * 2] * 2,
        },
    },
    "movements_cards": {
        "number_cards_per_color": 2,
        "cards": [
            {"name": "Pawn", "number_of_movements": 1, "movements_type": ["line"]},
            {
                "name": "Jester",
                "number_of_movements": 2,
                "movements_type": ["knight", "diagonal"],
                "additional_movements_colors": ["ALL"],
                "complementary_colors": {"RED": ["DARK_BLUE"]},
                "special_actions": ["assassination"],
            },
        ],
    },
    "trumps": [
        {
            "name": "Tower",
            "description": "Loses a colour.",
            "cost": 4,
            "duration": 2,
            "repeat_for_each_color": True,
            "must_target_player": True,
            "weight": 3,
            "parameters": {"type": "RemoveColor", "colors": ["RED"]},
        },
        {
            "name": "Wind",
            "description": "One more move.",
            "cost": 0,
            "parameters": {"type": "ModifyNumberMoves", "delta_moves": 1},
        },
        {
            "name": "Ram",
            "description": "Breaks towers.",
            "cost": 1,
            "parameters": {"type": "RemoveEffects", "effects": ["Tower"]},
        },
    ],
}

OLD: Json = {
    "number_players": 2,
    "colors": "RED, DARK_BLUE, ALL",
    "board": {
        "number_arms": 2,
        "arms_width": 2,
        "arms_length": 1,
        "circle_colors": [["RED", "DARK_BLUE"]],
        "arm_colors": ["RED,RED,DARK_BLUE,DARK_BLUE", ["DARK_BLUE"]],
        "svg": {
            "rotationCenter": "50,50",
            "fillOrigin": "40, 80.5",
            "fill": {"tag": "rect", "height": "12", "width": "10"},
            "lines": [[{"tag": "path", "d": "M 1 2 L 3 4"}] * 2] * 2,
        },
    },
    "movementsCards": {
        "number_cards_per_color": 2,
        "cards": [
            {"name": "Pawn", "number_of_movements": 1, "movements_type": ["line"]},
            {
                "name": "Jester",
                "number_of_movements": 2,
                "movements_type": ["diagonal", "knight"],
                "additional_movements_colors": "RED,DARK_BLUE",
                "complementary_colors": {"RED": "DARK_BLUE"},
                "special_actions": ["assassination"],
            },
        ],
    },
    "trumps": [
        {
            "name": "Tower",
            "description": "Loses a colour.",
            "cost": 4,
            "duration": 2,
            "repeatForEachColor": True,
            "must_target_player": True,
            "weight": 3,
            "type": {"type": "RemovingColorTrump", "additionnalColors": ["RED"]},
        },
        {
            "name": "Wind",
            "description": "One more move.",
            "cost": 0,
            "type": {"type": "ModifyNumberOfMovesInATurnTrump", "delta_of_moves": 1},
        },
        {
            "name": "Ram",
            "description": "Breaks towers.",
            "cost": 1,
            "type": {"type": "RemoveEffects", "effects": ["Tower"]},
        },
    ],
}

GONE = object()


def spoiled(*changes: tuple[str, object], of: Json = SMALL) -> Json:
    """The description with a value put at each path (`board.arms_colors.0`), or taken away."""
    made: Json = json.loads(json.dumps(of))
    for path, value in changes:
        *way, last = [int(step) if step.isdecimal() else step for step in path.split(".")]
        inside: Any = made
        for step in way:
            inside = inside[step]
        if value is GONE:
            del inside[last]
        elif isinstance(inside, list) and last == len(inside):
            inside.append(value)
        else:
            inside[last] = value
    return made


def paths(value: Any, path: str = "") -> list[str]:
    """Where there is something in a description."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [
        found for key, each in inside for found in (f"{path}{key}", *paths(each, f"{path}{key}."))
    ]  # fmt: skip
