"""The boards that the house ships: files in the document's own form, and what people call them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

import msgspec

from tablee.rules.robots.board import BoardDocument
from tablee.rules.words import typeset


class Shipped(msgspec.Struct, frozen=True):
    """One of our boards, with its names and one sentence about it in both languages."""

    name: str
    title: Mapping[str, str]
    about: Mapping[str, str]
    document: BoardDocument
    set: str | None
    """Boards of the same set are made to be played together."""


@cache
def shipped_boards() -> Mapping[str, Shipped]:
    """Every board we ship, by name, in the order in which they are proposed."""
    folder = files(__name__)
    listed = tomllib.loads((folder / "boards.toml").read_text(encoding="utf-8"))
    return MappingProxyType(
        {
            name: Shipped(
                name=name,
                title={"fr": typeset(words["fr"]), "en": words["en"]},
                about={"fr": typeset(words["about_fr"]), "en": words["about_en"]},
                document=msgspec.json.decode((folder / f"{name}.json").read_bytes(), type=BoardDocument),
                set=words.get("set"),
            )
            for name, words in listed.items()
        }
    )
