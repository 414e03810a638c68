"""The document's ranking.xml: who has how many points, brought in from an old server and written out.

<ranking><player username="Adil"><points>120</points></player>…</ranking>
"""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from msgspec import Struct

from tablee.club import Club
from tablee.club import fields as forms
from tablee.club.errors import Invalid, UnknownAccount
from tablee.club.points import set_write
from tablee.doors.minehive.messages import BadMessage, number
from tablee.doors.minehive.present import GAME, VARIANT, Present
from tablee.store import Store, Unit

LARGEST = 64 * 1024 * 1024
DEEPEST = 20


class BadRanking(ValueError):
    """The file is no ranking, in a sentence."""


class Ranked(Struct, frozen=True):
    """One player of the file."""

    name: str
    points: int
    password: str | None = None


class Brought(Struct, frozen=True):
    """What came of one player: `made`, `known` (his points were set), or why he was left out."""

    name: str
    outcome: str
    has_password: bool = True


# --- writing --------------------------------------------------------------------------------------------


def written(players: list[tuple[str, int]]) -> str:
    """The file for these players. It never has a password."""
    lines = [
        f"  <player username={quoteattr(name)}><points>{escape(str(points))}</points></player>\n"
        for name, points in players
    ]
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<ranking>\n{"".join(lines)}</ranking>\n'


# --- reading --------------------------------------------------------------------------------------------


def read(content: bytes) -> list[Ranked]:
    """The players of a file; raises BadRanking. Nothing outside the file is ever looked at."""
    if len(content) > LARGEST:
        raise BadRanking(f"The file has more than {LARGEST // 1024 // 1024} MiB: that is no ranking.")
    reading = _Reading()
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
    parser.StartElementHandler = reading.start
    parser.EndElementHandler = reading.end
    parser.CharacterDataHandler = reading.text
    parser.StartDoctypeDeclHandler = reading.doctype
    parser.EntityDeclHandler = reading.entity
    try:
        parser.Parse(content, True)
    except expat.ExpatError as error:
        raise BadRanking(f"The file is not XML: {error}.") from error
    return reading.players


class _Reading:
    def __init__(self) -> None:
        self.players: list[Ranked] = []
        self._names: set[str] = set()
        self._path: list[str] = []
        self._found: dict[str, str] = {}

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if len(self._path) >= DEEPEST:
            raise BadRanking(f"The file is nested deeper than {DEEPEST}: that is no ranking.")
        if not self._path and tag != "ranking":
            raise BadRanking(f"The file begins with <{tag}>, not with <ranking>.")
        self._path.append(tag)
        if self._path == ["ranking", "player"]:
            self._found = dict(attributes)

    def text(self, data: str) -> None:
        if len(self._path) == 3 and self._path[1] == "player":
            self._found[self._path[2]] = self._found.get(self._path[2], "") + data

    def end(self, tag: str) -> None:
        if self._path == ["ranking", "player"]:
            self._add()
        self._path.pop()

    def _add(self) -> None:
        name = self._found.get("username", "").strip()
        if not name:
            raise BadRanking(f"Player {len(self.players) + 1} of the file has no username.")
        key = forms.pseudo_key(name)
        if key in self._names:
            raise BadRanking(f"{name!r} is in the file twice.")
        self._names.add(key)
        try:
            points = number(self._found.get("points", "0").strip() or "0")
        except BadMessage as error:
            raise BadRanking(f"The points of {name!r}: {error}.") from error
        self.players.append(Ranked(name, points, self._found.get("password") or None))

    def doctype(self, name: str, system: str | None, public: str | None, has_subset: int) -> None:
        if has_subset:
            raise BadRanking(
                "The file declares a document type of its own: that is not allowed in a ranking."
            )

    def entity(self, *declared: Any) -> None:
        raise BadRanking("The file declares entities: that is not allowed in a ranking.")


# --- in and out of the house ----------------------------------------------------------------------------


async def export(present: Present, file: Path) -> int:
    """Write the ranking of the house to a file, whole or not at all; gives the number of players."""
    players = sorted(await present.users(), key=lambda user: -user[1])
    beside = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    try:
        beside.write_text(written(players), "utf-8")
        beside.replace(file)
    finally:
        beside.unlink(missing_ok=True)
    return len(players)


async def bring(store: Store, club: Club, present: Present, players: list[Ranked]) -> AsyncIterator[Brought]:
    """Take players over one by one.

    Unknown ones get an account, with the password of the file or one that nobody knows; those who have an
    account keep its password. The points of the file are theirs afterwards.
    """
    for player in players:
        try:
            forms.pseudo(player.name)
            if player.password is not None:
                forms.password(player.password)
        except Invalid as refusal:
            yield Brought(player.name, str(refusal))
            continue
        try:
            account, outcome = await club.accounts.by_pseudo(player.name), "known"
        except UnknownAccount:
            password = player.password or secrets.token_urlsafe(32)
            account, outcome = await club.accounts.create(player.name, password), "made"
        points = set_write(account.id, GAME, VARIANT, player.points)
        await store.commit(Unit(writes=[present.known(account.id), points]))
        yield Brought(account.pseudo, outcome, outcome == "known" or player.password is not None)
