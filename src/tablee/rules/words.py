"""Sentences for people: each game keeps them in a `words.toml` beside its rules."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from importlib.resources import files
from types import MappingProxyType
from typing import Any

Words = Mapping[str, Mapping[str, str]]
"""By language, then by key (`fact.opened`)."""

LANGUAGES = ("fr", "en")


def load_words(package: str, file: str = "words.toml") -> Words:
    """The sentences of a game's package. Raises ValueError where a language lacks a key that another has."""
    return parse_words((files(package) / file).read_text(encoding="utf-8"), f"{package}/{file}")


def parse_words(text: str, source: str) -> Words:
    """The sentences in a TOML text: a table a language, a table a kind of key."""
    tables = tomllib.loads(text)
    words = {language: dict(_flat(tables.get(language, {}), "")) for language in LANGUAGES}
    every = set().union(*words.values())
    for language in LANGUAGES:
        missing = sorted(every - words[language].keys())
        if missing:
            raise ValueError(f"{source} has no “{language}” words for: {', '.join(missing)}.")
    return MappingProxyType({language: MappingProxyType(found) for language, found in words.items()})


def _flat(table: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, str]]:
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield prefix + key, str(value)
