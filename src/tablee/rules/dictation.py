"""Actions as lines of text, for letters: the plain form that every game has, and what a game answers in text.

The plain form is the name of an action and the values of its fields, `place 3 4`; or its sentence in the
game's words, `Partir de la dalle 3, 4`; or its JSON. A game with a notation of its own reads that first.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches
from json import JSONDecoder
from typing import Any, get_args

import msgspec

from tablee.rules.words import load_words

TEXT_MOST = 300
_WORDS = load_words("tablee.rules", "dictation.toml")
_JSON = JSONDecoder()


class NotRead(ValueError):
    """A line that means no action: `sentence` says why, `guess` is what may have been meant, or empty."""

    def __init__(self, sentence: str, guess: str = "") -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.guess = guess


class Written(msgspec.Struct, frozen=True):
    """What a seat has given and still owes, in lines for its player."""

    phase: str = ""
    """What is played now, by its name."""
    given: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    is_final: bool | None = None
    """Whether what is given is final; None where nothing ever is."""
    by: int | None = None
    """The instant by which it is owed, where the game has set one."""


def read_plainly(action_type: Any, words: Mapping[str, str], text: str, language: str) -> Any:
    """The action that has this plain form. Raises NotRead."""
    said = " ".join(text.split())
    if len(said) > TEXT_MOST:
        raise not_read("too_long", language, text=said[:40] + "…")
    kinds = {str(kind.__struct_config__.tag): kind for kind in get_args(action_type)}
    try:
        if said.startswith("{"):
            return msgspec.json.decode(said, type=action_type)
        for name, kind in kinds.items():
            found = _in_sentence(words.get(f"action.{name}", ""), kind, said)
            if found is not None:
                return msgspec.convert({"do": name, **found}, action_type, strict=False)
        name, values = _apart(said)
        kind = kinds.get(name.lower())
        if kind is not None:
            fields = kind.__struct_fields__
            if len(values) <= len(fields):
                given = dict(zip(fields, values, strict=False))
                return msgspec.convert({"do": name.lower(), **given}, action_type, strict=False)
    except msgspec.MsgspecError as error:
        raise not_read("bad_values", language, text=said, reason=str(error)[:200]) from None
    near = get_close_matches(said.split(" ")[0].lower(), kinds, n=1)
    guess = " ".join([near[0], *(f"<{field}>" for field in kinds[near[0]].__struct_fields__)]) if near else ""
    raise not_read("unknown", language, guess, text=said)


def not_read(code: str, language: str, guess: str = "", **parts: Any) -> NotRead:
    """A refusal in the words that every game shares."""
    return NotRead(_WORDS[language][code].format(**parts), guess)


def _apart(said: str) -> tuple[str, list[Any]]:
    """The first word, and the values after it: JSON where one begins like some, else words."""
    name, _, rest = said.partition(" ")
    values: list[Any] = []
    while rest:
        if rest[0] in '"[{':
            try:
                value, end = _JSON.raw_decode(rest)
            except (ValueError, RecursionError):
                return name, [*values, rest]
            values.append(value)
            rest = rest[end:].lstrip()
        else:
            word, _, rest = rest.partition(" ")
            values.append(word)
    return name, values


def _in_sentence(sentence: str, kind: Any, said: str) -> dict[str, str] | None:
    """The fields of an action that is said by its sentence; None where it is not said so."""
    fields = re.findall(r"\{(\w+)\}", sentence)
    if not sentence or len(set(fields)) != len(fields) or not set(fields) <= set(kind.__struct_fields__):
        return None
    pattern = "".join(
        f"(?P<{part[1:-1]}>.+)" if part.startswith("{") else re.escape(part.replace("’", "'"))
        for part in re.split(r"(\{\w+\})", sentence)
        if part
    )
    found = re.fullmatch(pattern, said.replace("’", "'"), re.I)
    return found.groupdict() if found else None
