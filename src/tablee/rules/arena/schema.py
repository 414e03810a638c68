"""The JSON Schema of a games file, made from the same forms as the loader reads.

Whatever loads is valid under it. What it cannot say, the loader checks: rows that fill the board, colours and
trumps that exist, names that come once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tablee.rules.arena.description import MOVEMENTS, SPECIAL_ACTIONS
from tablee.rules.arena.shapes import MOST, MOST_NAME
from tablee.rules.arena.spelling import (
    BOARD,
    CARD,
    CARDS,
    EFFECT_ALSO,
    EFFECTS,
    ELEMENT,
    FILL,
    FILL_TAG,
    GAME,
    LINE_TAG,
    MOVEMENT_ALSO,
    SPECIAL_ACTION,
    SVG,
    TRUMP,
    Form,
)

Schema = dict[str, Any]


def schema() -> Schema:
    """The schema of a games file, or of a file of one description."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Arena of Titans: a file of games",
        "description": "Games by their names, or one description, named after its file.",
        "if": {"type": "object", "required": ["board"]},
        "then": _named("description"),
        "else": {
            "type": "object",
            "minProperties": 1,
            "propertyNames": _named("name"),
            "additionalProperties": _named("description"),
        },
        "$defs": {
            "name": {"type": "string", "minLength": 1, "maxLength": MOST_NAME, "pattern": NAME},
            "number": {
                "anyOf": [
                    {"type": "number", "exclusiveMinimum": 0, "maximum": MOST},
                    {"type": "string", "pattern": f"^{NUMBER}$"},
                ]
            },
            "point": {
                "anyOf": [
                    {
                        "type": "array",
                        "items": {"type": "number", "minimum": -MOST, "maximum": MOST},
                        "minItems": 2,
                        "maxItems": 2,
                    },
                    {"type": "string", "pattern": f"^{NUMBER},{NUMBER}$"},
                ]
            },
            "color": {
                "type": "string",
                "minLength": 1,
                "maxLength": MOST_NAME,
                "pattern": r"^[^\sa-z,]([^a-z,]*[^\sa-z,])?$",
            },
            "colors": {
                "description": "An array, or a text with commas between the colours; ALL is every colour.",
                "anyOf": [
                    {"type": "array", "items": _named("color")},
                    {"type": "string", "pattern": "^[^a-z]*$"},
                ],
            },
            "description": _object(
                GAME,
                number_players=_integer(2, "Largest number of players; by default the number of arms."),
                colors={
                    **_named("colors"),
                    "description": "Of squares and cards, in upper case.",
                },
                board=_named("board"),
                movements_cards=_named("cards"),
                trumps={"type": "array", "items": _named("trump")},
            ),
            "board": _object(
                BOARD,
                number_arms=_integer(2),
                arms_width=_integer(1, "Columns of an arm."),
                arms_length=_integer(0, "How many of the arm rows, the last ones, are drawn with `fill`."),
                inner_circle_colors=_rows("Rows that go all the way round, the innermost first.", 0),
                arms_colors=_rows("Rows with a wall between two arms, from the middle outwards.", 1),
                svg=_named("svg"),
            ),
            "svg": _object(
                SVG,
                rotation_center=_named("point"),
                fill_origin=_named("point"),
                fill=_object(FILL, tag={"const": FILL_TAG}, width=_named("number"), height=_named("number")),
                lines={
                    "description": "Of one arm, the squares of each row before those drawn with `fill`.",
                    "type": "array",
                    "items": {
                        "type": "array",
                        "minItems": 1,
                        "items": _object(
                            ELEMENT, tag={"const": LINE_TAG}, d={"type": "string", "pattern": r"^\s*[Mm]"}
                        ),
                    },
                },
            ),
            "cards": _object(
                CARDS,
                number_cards_per_color=_integer(1, "How often a deck has each card in each colour."),
                cards={"type": "array", "minItems": 1, "items": _named("card")},
            ),
            "card": _object(
                CARD,
                name=_named("name"),
                number_of_movements=_integer(1, "The most steps that it allows."),
                description={"type": "string", "description": "Shown to players."},
                movements_type={
                    "anyOf": [
                        {"type": "array", "minItems": 1, "items": {"enum": list(MOVEMENTS)}},
                        {"enum": [*MOVEMENTS, *MOVEMENT_ALSO]},
                    ]
                },
                additional_movements_colors=_named("colors"),
                complementary_colors={
                    "description": "By the card's own colour, others that it may step on.",
                    "type": "object",
                    "propertyNames": _named("color"),
                    "additionalProperties": _named("colors"),
                },
                special_actions={
                    "type": "array",
                    "items": {
                        "anyOf": [
                            _named("action"),
                            _object(SPECIAL_ACTION, name=_named("action")),
                        ]
                    },
                },
            ),
            "action": {"type": "string", "pattern": f"^({'|'.join(map(_any_case, SPECIAL_ACTIONS))})$"},
            "trump": _object(
                TRUMP,
                name=_named("name"),
                description={"type": "string"},
                cost=_integer(0),
                duration=_integer(1, "Turns of the target."),
                repeat_for_each_color={"type": "boolean", "description": "One such trump for each colour."},
                must_target_player={"type": "boolean", "description": "Played on another player."},
                weight=_integer(1, "How readily it is dealt."),
                parameters=_named("effect"),
            ),
            "effect": {"oneOf": [_effect(kind, form) for kind, form in EFFECTS.items()]},
        },
    }


NAME = r"^[^\s\u0000-\u001f]([^\u0000-\u001f]*[^\s\u0000-\u001f])?$"
NUMBER = r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*"
DELTA: Schema = {"type": "integer", "minimum": -MOST, "maximum": MOST}
STRUCK: Schema = {
    "description": "Names of trumps, as before repetition.",
    "type": "array",
    "minItems": 1,
    "items": {"type": "string"},
}
PARAMETERS: Mapping[str, Schema] = {
    "delta_moves": DELTA,
    "colors": {"$ref": "#/$defs/colors"},
    "effects": STRUCK,
    "delta_duration": {**DELTA, "description": "Turns more or fewer that effects last."},
    "trump_names": STRUCK,
}


def _effect(kind: str, form: Form) -> Schema:
    kinds = [kind, *(other for other, ours in EFFECT_ALSO.items() if ours == kind)]
    parameters = {key: PARAMETERS[key] for key in form.keys if key != "type"}
    return _object(form, type={"enum": kinds}, **parameters)


def _object(form: Form, **properties: Schema) -> Schema:
    """An object with the keys of its form, each in one of its spellings."""
    if set(properties) != set(form.keys):
        raise ValueError(f"The schema has {sorted(properties)}, the form {sorted(form.keys)}.")
    told: Schema = {
        "type": "object",
        "properties": {spelling: properties[key] for key in form.keys for spelling in form.spellings(key)},
        "required": [key for key in form.required if len(form.spellings(key)) == 1],
    }
    choices = []
    for key in form.keys:
        ways = [{"required": [spelling]} for spelling in form.spellings(key)]
        if len(ways) > 1:
            none = [] if key in form.required else [{"not": {"anyOf": ways}}]
            choices.append({"oneOf": [*ways, *none]})
    if choices:
        told["allOf"] = choices
    return told


def _rows(description: str, least: int) -> Schema:
    return {"description": description, "type": "array", "minItems": least, "items": _named("colors")}


def _integer(least: int, description: str = "") -> Schema:
    told: Schema = {"type": "integer", "minimum": least, "maximum": MOST}
    return {**told, "description": description} if description else told


def _any_case(word: str) -> str:
    """A pattern of a word, whatever its capitals."""
    return "".join(f"[{letter}{letter.upper()}]" for letter in word)


def _named(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}
