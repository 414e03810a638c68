"""Sentences for people: each game keeps them in a `words.toml` beside its rules."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from importlib.resources import files
from types import MappingProxyType
from typing import Any

Words = Mapping[str, Mapping[str, str]]
"""By language, then by key (`fact.opened`)."""

LANGUAGES = ("fr", "en")
_BREAKABLE = re.compile(r" (?=[:;!?»])|(?<=«) |(?<=\d) (?=h\b)")


def typeset(french: str) -> str:
    """A French text as it is printed: no line ends before `: ; ! ? »`, after `«` or in « 20 h ».

    The space is U+00A0, which every font and the Latin-1 of old programs has. Catalogues are written with
    plain spaces, since nobody sees in an editor which one it is.
    """
    return _BREAKABLE.sub("\u00a0", french)


def load_words(package: str, file: str = "words.toml") -> Words:
    """The sentences of a game's package. Raises ValueError where a language lacks a key that another has."""
    return parse_words((files(package) / file).read_text(encoding="utf-8"), f"{package}/{file}")


def parse_words(text: str, source: str) -> Words:
    """The sentences in a TOML text: a table a language, a table a kind of key."""
    tables = tomllib.loads(text)
    words = {language: dict(_flat(tables.get(language, {}), "")) for language in LANGUAGES}
    words["fr"] = {key: typeset(said) for key, said in words["fr"].items()}
    every = set().union(*words.values())
    for language in LANGUAGES:
        missing = sorted(every - words[language].keys())
        if missing:
            raise ValueError(f"{source} has no “{language}” words for: {', '.join(missing)}.")
    return MappingProxyType({language: MappingProxyType(found) for language, found in words.items()})


def load_sentences(package: str, language: str, file: str = "words.toml") -> dict[str, str]:
    """The sentences of a package that keeps both languages beside each other, by code or `kind.code`.

    French where the language is not one of ours.
    """
    found: dict[str, str] = {}
    for key, entry in tomllib.loads((files(package) / file).read_text(encoding="utf-8")).items():
        spoken = {key: entry} if "fr" in entry else {f"{key}.{name}": said for name, said in entry.items()}
        for code, said in spoken.items():
            found[code] = said["en"] if language == "en" else typeset(said["fr"])
    return found


def _flat(table: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, str]]:
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield prefix + key, str(value)


def game_name(words: Mapping[str, str], variant: str) -> str:
    """What a game is called, in its own words."""
    return words.get(f"name.{variant}", words["name"])


def role_names(words: Mapping[str, str], roles: Iterable[int]) -> str:
    """What some roles of a game are called; nothing where there are none."""
    return ", ".join(words.get(f"role.{role}", str(role)) for role in roles)
