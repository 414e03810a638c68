"""What the lines of a letter ask for: orders, and the few words that are no orders."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence

import msgspec

ITEMS_MOST = 200
"""More lines than any game has units: what comes after them is not looked at."""


class Item(msgspec.Struct, frozen=True, tag=True):
    """Something that a letter asks for; `number` is its line, from 1."""

    number: int
    text: str


class Line(Item, frozen=True):
    """Words for the game: an order, a move, or nothing that anybody understands."""

    is_farewell: bool = False
    """It stands below a greeting at the end: a name, perhaps, that nobody need be told of."""


class Finish(Item, frozen=True):
    """All that was given is final, or no longer so."""

    final: bool


class Status(Item, frozen=True):
    """Nothing but how it stands: every answer says that."""


class Help(Item, frozen=True):
    """How one writes such letters."""


class Absent(Item, frozen=True):
    """`until` is a day as it was written."""

    until: str


class Said(Item, frozen=True):
    """`speech` goes to all, or to some roles."""

    to: tuple[int, ...]
    speech: str


_FINAL = ("definitif", "final", "tout est definitif", "ordres definitifs", "orders final")
_NOT_FINAL = ("brouillon", "pas definitif", "not final", "draft", "non definitif")
_STATUS = ("etat", "status", "ou en suis-je ?", "etat ?", "status?")
_HELP = ("aide", "help", "aide !", "help!", "?")
_ABSENT = re.compile(
    r"(?:je suis |i am )?(?:absente?|away)\s+(?:jusqu['’ ]?(?:au|a)|until|till?)\s+(.{1,60})", re.I
)
_PRESS = re.compile(r"(?:presse|press|declaration)\s*:\s*(.*)", re.I)
_TO = re.compile(r"(?:[àaÀ]|aux?|to)\s+(?:l['’]\s?|la\s+|le\s+)?([^:]{1,120}?)\s*:\s*(.*)", re.I)
_GREETING = re.compile(
    r"(?:bonjour|bonsoir|salut|coucou|cher|chere|chers|hello|hi|dear|good (?:morning|evening))\b[^:]{0,40}$",
    re.I,
)
_FAREWELL = re.compile(
    r"(?:cordialement|amicalement|amities|bien (?:a vous|cordialement)|merci|a bientot"
    r"|bonne (?:journee|soiree)|regards|best(?: regards| wishes)?|kind regards|cheers|thanks|thank you|yours"
    r"|sincerely)\b[^:]{0,40}$",
    re.I,
)


def items_of(lines: Sequence[str], role_named: Callable[[str], int | None]) -> list[Item]:
    """What a letter asks for, in order; at most `ITEMS_MOST`. `role_named` knows who can be written to."""
    found: list[Item] = []
    is_farewell = False
    at = 0
    while at < len(lines) and len(found) < ITEMS_MOST:
        text, number = lines[at].strip(), at + 1
        at += 1
        plain = _plain(text)
        said = plain.rstrip(" .!,;")
        speech = _speech(text, plain, role_named)
        if not text or _GREETING.match(plain):
            continue
        if speech is not None:
            to, first = speech
            spoken = [first] if first else []
            while at < len(lines) and lines[at].strip():
                spoken.append(lines[at].strip())
                at += 1
            found.append(Said(number, text, to, "\n".join(spoken)))
        elif _FAREWELL.match(plain):
            is_farewell = True
        elif said in _FINAL or said in _NOT_FINAL:
            found.append(Finish(number, text, final=said in _FINAL))
        elif said in _STATUS or plain in _STATUS:
            found.append(Status(number, text))
        elif said in _HELP or plain in _HELP:
            found.append(Help(number, text))
        elif absent := _ABSENT.fullmatch(plain):
            found.append(Absent(number, text, until=absent[1].strip(" .")))
        else:
            found.append(Line(number, text, is_farewell))
    return found


def _speech(
    text: str, plain: str, role_named: Callable[[str], int | None]
) -> tuple[tuple[int, ...], str] | None:
    """To whom something is said from this line on, and what of it stands in the line itself."""
    _, colon, rest = text.partition(":")
    if not colon:
        return None
    if _PRESS.match(plain):
        return (), rest.strip()
    addressed = _TO.match(text)
    if addressed is None:
        return None
    names = re.split(r"\s*,\s*|\s+(?:et|and)\s+(?:à\s+|to\s+)?(?:l['’]|la\s+|le\s+)?", addressed[1])
    roles = [role_named(name) for name in names if name]
    known = tuple(role for role in roles if role is not None)
    return (known, rest.strip()) if known and len(known) == len(roles) else None


def _plain(text: str) -> str:
    """Small letters without accents."""
    apart = unicodedata.normalize("NFD", text.lower())
    return "".join(letter for letter in apart if not unicodedata.combining(letter))
