"""The words that a variant's orders are written with: regions, coasts and powers in French and in English."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import NamedTuple

from tablee.rules.diplomacy.variant import Variant

_COASTS = {
    "n": ("NORTH COAST", "COTE NORD", "CN", "NC", "N"),
    "s": ("SOUTH COAST", "COTE SUD", "CS", "SC", "S"),
    "e": ("EAST COAST", "COTE EST", "CE", "EC", "E"),
    "w": ("WEST COAST", "COTE OUEST", "CO", "WC", "W"),
}
"""By the first letter of a variant's code of a coast. The last spelling counts only after a stroke."""

_ALIASES = {"mao": "mid", "lyo": "gol", "nao": "nat", "nwg": "nrg", "tys": "tyn"}
"""The usual English codes of five seas, where the variant has the document's."""


class Parsed(NamedTuple):
    """What a text says, before anybody looks at the board."""

    role: int
    kind: int
    zone: int
    act: int
    passive_kind: int = 0
    passive: int = 0
    destination: int = 0
    via: bool = False
    passive_role: int = 0


class Known(NamedTuple):
    """A text that was read before."""

    said: Parsed
    is_simple: bool
    """An order for moves that names no coast: it means the same on every board where its unit stands."""
    role: int
    region: int
    act: int
    passive: int
    destination: int
    via: bool


class Lexicon(NamedTuple):
    """The words of a variant, as the reader knows them: without accents, in capitals."""

    places: Mapping[tuple[str, ...], int]
    coasts: Mapping[tuple[str, ...], str]
    """The variant's code of a coast by its spellings; empty for a coast that this board has nowhere."""
    powers: Mapping[tuple[str, ...], int]
    letters: Mapping[str, int]
    known: dict[str, Known]


def lexicon_of(variant: Variant) -> Lexicon:
    """The words of a variant, made when they are first asked for."""
    found: Lexicon | None = variant.lexicon
    if found is None:
        found = variant.lexicon = _made(variant)
    return found


def _made(variant: Variant) -> Lexicon:
    places: dict[tuple[str, ...], int] = {}
    for region in range(1, variant.regions + 1):
        for name in (variant.codes[region], variant.names_fr[region], variant.names_en[region]):
            places.setdefault(_words(name), region)
    for alias, code in _ALIASES.items():
        if code in variant.codes:
            places.setdefault(_words(alias), variant.codes.index(code))
    coasts = {_words(spelling): "" for spellings in _COASTS.values() for spelling in spellings}
    for code in variant.coast_codes[1:]:
        coasts |= {_words(spelling): code for spelling in (code, *_COASTS.get(code[:1].lower(), ()))}
    powers: dict[tuple[str, ...], int] = {}
    for role, power in enumerate(variant.powers[1:], 1):
        for word in (power.name_fr, power.adjective_fr, power.name_en, power.adjective_en):
            powers.setdefault(_words(word), role)
    letters = {power.letter.upper(): role for role, power in enumerate(variant.powers[1:], 1)}
    for zone in range(variant.regions + 1, variant.zones + 1):
        places.setdefault(_words(variant.codes[zone].replace("/", "")), zone)
    return Lexicon(places, coasts, powers, letters, {})


def _plain(text: str) -> str:
    """Capitals without accents; every dash and arrow is a hyphen, and `Germany's` is `Germany`."""
    for arrow in ("->", "=>", "→", "–", "—", "−", "‑"):
        text = text.replace(arrow, "-")
    apart = unicodedata.normalize("NFD", _APOSTROPHES.sub(" ", text))
    return "".join(letter for letter in apart if not unicodedata.combining(letter)).upper()


_APOSTROPHES = re.compile(r"['’](?:[sS]\b)?")
_SIGNS = re.compile(r"[A-Z0-9]+|[^\sA-Z0-9]")


def tokens(text: str) -> tuple[list[str], list[tuple[int, int]]]:
    plain = _plain(text)
    found = list(_SIGNS.finditer(plain))
    return [each.group() for each in found if each.group() != "."], [
        each.span() for each in found if each.group() != "."
    ]


def _words(name: str) -> tuple[str, ...]:
    return tuple(word for word in tokens(name)[0] if word != "-")
