"""Every way in which the web door says no: one shape, a code for programs, a sentence for people."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any

import msgspec

from tablee.rules.words import typeset

Json = Any


class Word(msgspec.Struct, frozen=True):
    """A refusal of this door: its HTTP status and its sentences."""

    status: int
    fr: str
    en: str

    def said(self, language: str, parts: dict[str, Json]) -> str:
        return filled(self.en if language == "en" else typeset(self.fr), parts)


WORDS: dict[str, Word] = msgspec.convert(
    tomllib.loads(files(__package__).joinpath("words.toml").read_text("utf-8")), dict[str, Word]
)


class ErrorDetail(msgspec.Struct, frozen=True):
    """What was wrong: a code that programs know, a sentence for a person, the parts of that sentence."""

    code: str
    message: str
    parts: dict[str, Json] = {}


class ErrorAnswer(msgspec.Struct, frozen=True):
    """The body of every answer that is not a success."""

    error: ErrorDetail


class Refusal(Exception):
    """The request is refused; `code` is one of words.toml."""

    def __init__(self, code: str, **parts: Json) -> None:
        super().__init__(code)
        self.code = code
        self.parts = parts


class Shown(msgspec.Struct, frozen=True):
    """An error ready to be sent: over HTTP with its status, over the WebSocket without."""

    status: int
    detail: ErrorDetail
    retry_after: int | None = None


class _Parts(dict[str, Json]):
    def __missing__(self, key: str) -> str:
        return "{" + key + "}"


def filled(sentence: str, parts: dict[str, Json]) -> str:
    """The sentence with its parts; a part that is missing stays visible as {name}."""
    try:
        return sentence.format_map(_Parts(parts))
    except (ValueError, KeyError, IndexError, AttributeError, TypeError):
        return sentence


def shown(code: str, language: str, parts: dict[str, Json]) -> Shown:
    """A refusal of this door in the language of who asked."""
    word = WORDS[code]
    seconds = parts.get("seconds")
    return Shown(
        word.status,
        ErrorDetail(code, word.said(language, parts), parts),
        seconds if isinstance(seconds, int) else None,
    )
