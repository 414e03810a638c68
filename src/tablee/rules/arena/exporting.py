"""A description as JSON in our spelling; what is read from it again is the same."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any

import msgspec

from tablee.rules.arena.coloring import in_order
from tablee.rules.arena.description import (
    ALL,
    Card,
    Description,
    ModifyTrumpDurations,
    Plan,
    RemoveColor,
    Svg,
    Trump,
)
from tablee.rules.arena.spelling import FILL_TAG, LINE_TAG


def export_games(games: Mapping[str, Description]) -> str:
    """The text of a file of these games."""
    told = {name: export(description) for name, description in games.items()}
    return json.dumps(told, indent=2, ensure_ascii=False) + "\n"


def export(description: Description) -> dict[str, Any]:
    """One description, every default left out but the number of players."""
    return {
        "number_players": description.number_players,
        "colors": list(description.colors),
        "board": _board(description.board),
        "movements_cards": {
            "number_cards_per_color": description.number_cards_per_color,
            "cards": [_card(card, description.colors) for card in description.cards],
        },
        "trumps": [
            _trump(list(versions), description.colors)
            for _, versions in groupby(description.trumps, key=lambda trump: trump.base)
        ],
    }


def _board(plan: Plan) -> dict[str, Any]:
    told: dict[str, Any] = {
        "number_arms": plan.number_arms,
        "arms_width": plan.arms_width,
        "arms_length": plan.arms_length,
        "inner_circle_colors": [",".join(row) for row in plan.circle_rows],
        "arms_colors": [",".join(row) for row in plan.arm_rows],
    }
    if plan.svg is not None:
        told["svg"] = _svg(plan.svg)
    return told


def _svg(svg: Svg) -> dict[str, Any]:
    return {
        "rotation_center": [_number(each) for each in svg.rotation_center],
        "fill_origin": [_number(each) for each in svg.fill_origin],
        "fill": {"tag": FILL_TAG, "width": _number(svg.fill.width), "height": _number(svg.fill.height)},
        "lines": [[{"tag": LINE_TAG, "d": data} for data in row] for row in svg.lines],
    }


def _card(card: Card, colors: tuple[str, ...]) -> dict[str, Any]:
    told: dict[str, Any] = {
        "name": card.name,
        "number_of_movements": card.steps,
        "movements_type": list(card.types),
    }
    always = _in_all(card.colors.values())
    # With one colour, what it may always step on is itself.
    more = always if len(colors) > 1 else set()
    if more:
        told["additional_movements_colors"] = _listed(more, colors)
    complementary = {
        own: _listed(rest, colors) for own in colors if (rest := {*card.colors[own]} - more - {own})
    }
    if complementary:
        told["complementary_colors"] = complementary
    if card.special_actions:
        told["special_actions"] = list(card.special_actions)
    if card.description:
        told["description"] = card.description
    return told


def _trump(versions: list[Trump], colors: tuple[str, ...]) -> dict[str, Any]:
    trump = versions[0]
    repeated = trump.name != trump.base
    parameters: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(trump.effect))
    if isinstance(trump.effect, RemoveColor):
        taken = _in_all(each.effect.colors for each in versions if isinstance(each.effect, RemoveColor))
        if repeated and len(colors) == 1:
            taken = set()
        parameters["colors"] = _listed(taken, colors)
        if not taken:
            del parameters["colors"]
    if isinstance(trump.effect, ModifyTrumpDurations) and not trump.effect.trump_names:
        del parameters["trump_names"]
    told: dict[str, Any] = {"name": trump.base, "description": trump.description, "cost": trump.cost}
    if trump.duration != 1:
        told["duration"] = trump.duration
    if repeated:
        told["repeat_for_each_color"] = True
    if trump.must_target_player:
        told["must_target_player"] = True
    if trump.weight != 1:
        told["weight"] = trump.weight
    told["parameters"] = parameters
    return told


def _in_all(sets: Iterable[Iterable[str]]) -> set[str]:
    return set.intersection(*map(set, sets))


def _listed(some: set[str], colors: tuple[str, ...]) -> list[str]:
    return [ALL] if some == {*colors} else list(in_order(some, colors))


def _number(value: float) -> int | float:
    return int(value) if value == int(value) else value
