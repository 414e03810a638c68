"""The sentences of a client of the terminal, in French and English, from its `words.toml`."""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import Any


class Catalogue:
    """One language of the catalogue of a package."""

    def __init__(self, package: str, language: str) -> None:
        catalogue = resources.files(package).joinpath("words.toml").read_text(encoding="utf-8")
        self.language = language
        self.texts: dict[str, str] = tomllib.loads(catalogue)[language]

    def __call__(self, key: str, **parts: Any) -> str:
        """The sentence of a key; `n` or `points` decides the plural mark."""
        counted = parts.get("n", parts.get("points", 0))
        # French says « 0 point », English says "0 points".
        few = abs(counted) == 1 or (self.language == "fr" and counted == 0)
        return self.texts[key].format(**parts, s="" if few else "s").strip()
