"""The check that people can read what happens, in every language of the house."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, get_args, get_origin

import msgspec

from tablee.rules.conformance.breach import breach
from tablee.rules.contract import Json, Rules
from tablee.rules.words import LANGUAGES


def check_words(rules: Rules[Any]) -> None:
    """Words exist for the game, variant, options, robots, and every action and fact. Raises Breach."""
    for key in _keys(rules):
        demand(rules, key)


def _keys(rules: Rules[Any]) -> Iterator[str]:
    yield "name"
    yield f"name.{rules.variant}"
    yield f"about.{rules.variant}"
    for action in _members(rules.action_type):
        yield f"action.{_tag(action)}"
    for fact in _members(rules.fact_type):
        yield f"fact.{_tag(fact)}"
    for option in msgspec.structs.fields(rules.options_type):
        yield f"option.{option.name}"
        yield f"option.{option.name}.help"
        if get_origin(option.type) is Literal:
            yield from (f"option.{option.name}.{value}" for value in get_args(option.type))
    for strength in rules.robots:
        yield f"robot.{strength}"
    for scoring in rules.scorings:
        yield f"scoring.{scoring}"


def demand(rules: Rules[Any], key: str, parts: Json = None) -> None:
    """A sentence exists in every language, and `parts`, where given, fill it in."""
    for language in LANGUAGES:
        sentence = rules.words(language).get(key)
        if not sentence:
            breach("words", f"“{key}” has no words in “{language}”.")
        if parts is None:
            continue
        try:
            sentence.format_map(parts)
        except (KeyError, IndexError, ValueError) as problem:
            breach("words", f"“{key}” in “{language}” asks for {problem}, but there is only {sorted(parts)}.")


def _members(union: Any) -> tuple[Any, ...]:
    return get_args(union) or (union,)


def _tag(struct: Any) -> str:
    return str(struct.__struct_config__.tag)
