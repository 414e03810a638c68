"""A view, the moves and the facts of any game as lines of text, from the game's own words."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from tablee.terminal.catalogue import Catalogue

Json = Any
SEATS = frozenset({"seat", "turn", "winner"})
"""Fields whose number is a seat, in the facts of every game and in its view."""
MOST_LISTED = 60
"""More than so many moves are not listed one by one."""


class Move(NamedTuple):
    """A move that is ready to be played: what one types for it, what it says, the action."""

    key: str
    label: str
    action: dict[str, Json]


class Form(NamedTuple):
    """An action that is typed by its name and the values of its fields."""

    name: str
    fields: dict[str, Json]


class Showing:
    """One table of one game, told to one person."""

    def __init__(self, texts: Mapping[str, str], schemas: Mapping[str, Json], words: Catalogue) -> None:
        self._texts = texts
        self._words = words
        self._fields = {name: _fields(schema) for name, schema in schemas.items()}
        self.names: dict[int, str] = {}
        """Who sits where, by seat."""

    def word(self, key: str, other: str | None = None) -> str:
        """The game's word for a key; `other`, or the key itself, where it has none."""
        return self._texts.get(key, key if other is None else other)

    def name(self, seat: Json) -> str:
        return self.names.get(seat, self._words("someone"))

    # --- what happened ----------------------------------------------------------------------------------

    def sentence(self, fact: Mapping[str, Json]) -> str:
        """A fact in the game's words; empty where it has none for it."""
        text = self._texts.get(f"fact.{fact['is']}")
        parts = {key: value for key, value in fact.items() if isinstance(value, str | int | float)}
        target = {"target": self.name(fact["target"])} if isinstance(fact.get("target"), int) else {}
        return (
            "" if text is None else _filled(text, {**parts, **target, "player": self.name(fact.get("seat"))})
        )

    # --- what is there ----------------------------------------------------------------------------------

    def view(self, view: Mapping[str, Json]) -> Iterator[str]:
        """Boards of text first, with numbers beside them, then everything else as names and values."""
        signs = view.get("signs")
        for key, value in view.items():
            rows = rows_of(value)
            if rows is not None:
                yield self._words("named", name=self._label(key), value="")
                yield from _numbered(rows)
        if isinstance(signs, Mapping):
            yield ", ".join(f"{sign} = {self.name(int(seat))}" for seat, sign in signs.items())
        rest = {key: value for key, value in view.items() if key != "signs" and rows_of(value) is None}
        yield from self._tree(rest, "")

    def _tree(self, values: Mapping[str, Json], indent: str) -> Iterator[str]:
        by_seat = bool(values) and all(key.isdigit() and int(key) in self.names for key in values)
        for key, value in values.items():
            label = self.name(int(key)) if by_seat else self._label(key)
            if value is None:
                continue
            if isinstance(value, Mapping) and value:
                yield indent + self._words("named", name=label, value="")
                yield from self._tree(value, indent + "  ")
            elif isinstance(value, list) and any(isinstance(each, Mapping) for each in value):
                yield indent + self._words("named", name=label, value="")
                for place, each in enumerate(value, 1):
                    is_deep = isinstance(each, Mapping)
                    yield f"{indent}  {place}." + ("" if is_deep else f" {self._value(key, each)}")
                    yield from self._tree(each if is_deep else {}, indent + "     ")
            else:
                yield indent + self._words("named", name=label, value=self._value(key, value))

    def _label(self, key: str) -> str:
        return self.word(f"view.{key}", key.replace("_", " ").capitalize())

    def _value(self, key: str, value: Json) -> str:
        if value in (None, "", [], {}):
            return self._words("none")
        if isinstance(value, bool):
            return self._words("yes" if value else "no")
        if isinstance(value, list):
            return ", ".join(self._value(key, each) for each in value)
        if key in SEATS and isinstance(value, int) and value > 0:
            return self.name(value)
        return self.word(f"view.{key}.{value}", str(value))

    # --- what may be done -------------------------------------------------------------------------------

    def moves(self, legal: Json) -> tuple[list[Move], list[Form]]:
        """What `legal` describes by the name of each action: a list to choose from, or fields to fill in.

        Where it names no action, every action may be tried: the house says what is wrong with it.
        """
        described: Mapping[str, Json] = legal if isinstance(legal, Mapping) else {}
        by_name = any(name in described for name in self._fields)
        ready: list[dict[str, Json]] = []
        forms: list[Form] = []
        for name, fields in self._fields.items() if described else ():
            what = described.get(name) if by_name else {}
            if what is None or what is False or what == []:
                continue
            if not fields:
                ready.append({"do": name})
            elif isinstance(what, list) and len(what) <= MOST_LISTED:
                first = next(iter(fields))
                ready += [
                    {"do": name, **(each if isinstance(each, Mapping) else {first: each})} for each in what
                ]
            else:
                forms.append(Form(name, fields))
        return _keyed([(self.label(action), action) for action in ready]), forms

    def label(self, action: Mapping[str, Json]) -> str:
        """What an action does, in the game's words, its values by their names."""
        parts = {
            key: self.word(f"field.{key}.{value}", str(value)) for key, value in action.items() if key != "do"
        }
        text = _filled(self.word(f"action.{action['do']}", str(action["do"])), parts)
        if "{" not in text and (parts == {} or f"action.{action['do']}" in self._texts):
            return text
        return " ".join([re.sub(r"\{\w+\}", "", text).strip(), *parts.values()])

    def read(self, line: str, legal: Json) -> dict[str, Json] | None:
        """The action that a line means: a key, a name with values, or JSON; None where it is none."""
        text = line.strip()
        ready, _ = self.moves(legal)
        for move in ready:
            if text.casefold() in (move.key.casefold(), move.label.casefold()):
                return move.action
        if text.startswith("{"):
            try:
                action = json.loads(text)
            except ValueError:
                return None
            return action if isinstance(action, dict) and "do" in action else None
        name, *values = text.split()
        fields = self._fields.get(name)
        if fields is None or len(values) > len(fields):
            return None
        given = zip(fields.items(), values, strict=False)
        return {"do": name, **{field: _read(value, schema) for (field, schema), value in given}}


def rows_of(value: Json) -> list[str] | None:
    """A board in text: lines of one length, as a list or in one string; None for anything else."""
    lines = value.split("\n") if isinstance(value, str) else value
    if not isinstance(lines, list) or len(lines) < 2 or not all(isinstance(line, str) for line in lines):
        return None
    return lines if len(lines[0]) > 1 and len({len(line) for line in lines}) == 1 else None


def merged(value: Json, patch: Json) -> Json:
    """A JSON merge patch (RFC 7396) applied."""
    if not isinstance(patch, dict):
        return patch
    result = dict(value) if isinstance(value, dict) else {}
    for key, each in patch.items():
        if each is None:
            result.pop(key, None)
        else:
            result[key] = merged(result.get(key), each)
    return result


def _numbered(rows: list[str]) -> Iterator[str]:
    """A board with its columns and rows counted from 1."""
    wide = len(str(len(rows[0])))
    side = len(str(len(rows)))
    yield " " * side + "".join(f" {x:>{wide}}" for x in range(1, len(rows[0]) + 1))
    for y, row in enumerate(rows, 1):
        yield f"{y:>{side}}" + "".join(f" {letter:>{wide}}" for letter in row)


def _keyed(labelled: list[tuple[str, dict[str, Json]]]) -> list[Move]:
    """Moves of one kind with one field are typed by its value, others by their place in the list."""
    kinds = {action["do"] for _, action in labelled}
    values = [str(value) for _, action in labelled for key, value in action.items() if key != "do"]
    by_value = (
        len(kinds) == 1
        and len(set(values)) == len(labelled) == len(values)
        and not any(" " in v for v in values)
    )
    keys = values if by_value else [str(place) for place in range(1, len(labelled) + 1)]
    return [Move(key, label, action) for key, (label, action) in zip(keys, labelled, strict=True)]


def _fields(schema: Mapping[str, Json]) -> dict[str, Json]:
    """The fields of an action, by name, from its JSON Schema."""
    definitions = schema.get("$defs", {})
    form = definitions.get(str(schema.get("$ref", "")).rpartition("/")[2], schema)
    return {name: each for name, each in form.get("properties", {}).items() if name != "do"}


def _read(text: str, schema: Mapping[str, Json]) -> Json:
    """A value as its schema wants it: a text as it stands, anything else as JSON where it is some."""
    if schema.get("type") == "string" or (schema.get("enum") and text in schema["enum"]):
        return text
    try:
        return json.loads(text)
    except ValueError:
        return text


def _filled(text: str, parts: Mapping[str, Json]) -> str:
    return re.sub(r"\{(\w+)\}", lambda found: str(parts.get(found[1], found[0])), text)
