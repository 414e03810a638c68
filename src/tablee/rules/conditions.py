"""The options of a table as lines that are read before sitting down: "Victory", "18 centres"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

_TRUTH = {"fr": ("non", "oui"), "en": ("no", "yes")}


class Condition(NamedTuple):
    """A line of the card of a table."""

    name: str
    text: str


def plain_conditions(
    words: Mapping[str, str], options: msgspec.Struct, language: str, names: Sequence[str] | None = None
) -> list[Condition]:
    """These options, or all, by the game's own words for them; those that say nothing are left out."""
    wanted = options.__struct_fields__ if names is None else names
    found = ((name, _said(words, name, getattr(options, name), language)) for name in wanted)
    return [Condition(words[f"option.{name}"], text) for name, text in found if text]


def _said(words: Mapping[str, str], name: str, value: Any, language: str) -> str:
    if isinstance(value, bool):
        return _TRUTH[language][value]
    if isinstance(value, int | float | str):
        return words.get(f"option.{name}.{value}", str(value))
    if isinstance(value, tuple):
        return ", ".join(text for each in value if (text := _said(words, name, each, language)))
    return ""


def counted(words: Mapping[str, str], key: str, number: int) -> str:
    """`1 jour`, `2 jours`: the words of a number, which are its key for one and `KEY.many` for the others."""
    return words[key if number == 1 else f"{key}.many"].format(n=number)
