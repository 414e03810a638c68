"""What may be wrong with a board, said in both languages."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Literal

import msgspec

from tablee.rules.contract import Json
from tablee.rules.words import typeset


class Trouble(msgspec.Struct, frozen=True):
    """One thing that is wrong: its code, its place where it has one, and a sentence in both languages."""

    code: str
    x: int | None
    y: int | None
    fr: str
    en: str
    board: int = 0
    """Which board of a set, from 0."""


def said(
    kind: Literal["errors", "advice"], code: str, place: tuple[int, int] | None, parts: Mapping[str, Json]
) -> Trouble:
    """The trouble with this code of `troubles.toml`, its sentences filled in."""
    x, y = place or (None, None)
    words = _sentences()[kind][code]
    filled = {"x": x, "y": y, **parts}
    french, english = typeset(words["fr"]).format(**filled), words["en"].format(**filled)
    return Trouble(code=code, x=x, y=y, fr=french, en=english)


@cache
def _sentences() -> Mapping[str, Mapping[str, Mapping[str, str]]]:
    text = files("tablee.rules.robots").joinpath("troubles.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)
