"""The rules of each variant, to read."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files


@cache
def rules_of(variant: str, language: str) -> tuple[str, ...]:
    """The rules of a variant, line by line, in French or English."""
    book = tomllib.loads(files("tablee.doors.pawnhub").joinpath("rulebook.toml").read_text("utf-8"))
    texts: dict[str, str] = book[variant]
    return tuple(texts.get(language, texts["fr"]).strip().splitlines())
