"""The letters of the club: written from templates, laid in the outbox with the change that causes them."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec

from tablee.clock import Clock, Instant
from tablee.rules.words import typeset
from tablee.store import Store, Write
from tablee.store.outbox import errand

NO_BREAK = "\u00a0"
"""Between a French word and the sign that belongs to it."""


class Template(msgspec.Struct, frozen=True):
    subject: str
    text: str


class Letter(msgspec.Struct, frozen=True):
    """What waits in the outbox to be sent."""

    to: str
    subject: str
    text: str
    language: str
    at: Instant
    html: str | None = None
    reply_to: str | None = None
    thread: str | None = None
    """What a mail program shows it together with."""
    stop: str | None = None
    """The address at which one click ends letters like this one (RFC 8058)."""
    answers: str | None = None
    """The Message-ID of what it answers, where it answers something."""


@cache
def templates() -> dict[str, dict[str, Template]]:
    """Every letter by name and language."""
    text = files("tablee.club").joinpath("letters.toml").read_text("utf-8")
    found = msgspec.convert(tomllib.loads(text), dict[str, dict[str, Template]])
    for spoken in found.values():
        spoken["fr"] = Template(typeset(spoken["fr"].subject), typeset(spoken["fr"].text))
    return found


class Letters:
    """Writes letters in the name of the club."""

    def __init__(self, store: Store, clock: Clock, club_name: str) -> None:
        self._store = store
        self._clock = clock
        self._club_name = club_name

    def compose(self, name: str, to: str, language: str, **parts: Any) -> Letter:
        """A letter from its template, in the language of who gets it."""
        template = templates()[name]["en" if language == "en" else "fr"]
        parts["club"] = self._club_name
        subject, text = template.subject.format(**parts), template.text.strip().format(**parts) + "\n"
        return Letter(to, on_one_line(subject), text, language, self._clock.now())

    async def post(self, letter: Letter, account_id: int | None) -> Write:
        """The write that lays a letter in the outbox."""
        payload = msgspec.json.encode(letter).decode()
        return await errand(self._store, "mail", payload, letter.at, account_id=account_id)


def on_one_line(text: str) -> str:
    """Names of tables and people stand in subjects: nothing in them begins a header of its own."""
    shown = "".join(c if c.isprintable() or c == NO_BREAK else " " for c in text)
    return re.sub(" +", " ", shown).strip()
