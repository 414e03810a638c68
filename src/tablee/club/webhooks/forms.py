"""What a webhook is sent: signed JSON for programs, or the form that Discord shows in a channel."""

from __future__ import annotations

import hashlib
import hmac
import re
from datetime import UTC, datetime
from typing import Any, NamedTuple

import msgspec

from tablee.clock import Instant
from tablee.club.letters import on_one_line
from tablee.rules.words import load_words

Json = Any
CONTENT_MOST = 1_900
"""Characters of a message to a channel, of which Discord takes 2,000."""
TIMESTAMP, SIGNATURE = "X-Tablee-Timestamp", "X-Tablee-Signature"
_WORDS = load_words("tablee.club.webhooks")
_SPECIAL = re.compile(r"([\\`*_~|<>#\[\]()])")


class Announcement(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that happened at a table, as every spectator may know it."""

    event: str
    """begun, moved, over; or trial."""
    at: Instant
    table: int
    name: str
    game: str = ""
    variant: str = ""
    players: dict[str, str] = {}
    """Names by seat; none where nobody may know them."""
    phase: int = 0
    lines: dict[str, list[str]] = {}
    """In each language: a headline, and what follows it."""
    told: Json = None
    """The facts as a spectator was told them; None where they are too long."""
    result: Json = None


class Posted(NamedTuple):
    """A request on its way out."""

    body: bytes
    headers: dict[str, str]


class Form(NamedTuple):
    """How one webhook wants to be told, and in whose name."""

    kind: str
    secret: str
    language: str
    club: str
    home: str
    """The address of the page, to which links lead."""

    def posted(self, said: Announcement, number: str, at: Instant) -> Posted:
        """The request that tells it; `number` names it inside the house, and is the same at every try."""
        body = self._channel(said) if self.kind == "discord" else self._generic(said, number)
        content = msgspec.json.encode(body)
        headers = {"Content-Type": "application/json", "User-Agent": "Tablee"}
        if self.kind == "generic":
            timestamp = str(at // 1000)
            signed = hmac.digest(self.secret.encode(), f"{timestamp}.".encode() + content, hashlib.sha256)
            headers |= {TIMESTAMP: timestamp, SIGNATURE: f"v1={signed.hex()}"}
        return Posted(content, headers)

    def _generic(self, said: Announcement, number: str) -> Json:
        # What a receiver knows a thing by when it comes twice says nothing about how many there were.
        name = hmac.digest(self.secret.encode(), f"id.{number}".encode(), hashlib.sha256)
        return {
            "id": name.hex()[:32],
            "event": said.event,
            "at": datetime.fromtimestamp(said.at // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "club": self.club,
            "language": self.language,
            "table": None if not said.table else self._table(said),
            "phase": said.phase or None,
            "text": said.lines.get(self.language, []),
            "told": said.told,
            "result": said.result,
        }

    def _table(self, said: Announcement) -> Json:
        return {
            "id": said.table,
            "name": said.name,
            "game": said.game,
            "variant": said.variant,
            "url": self._url(said),
            "players": [{"seat": int(seat), "name": name} for seat, name in said.players.items()],
        }

    def _url(self, said: Announcement) -> str:
        return f"{self.home}/tables/{said.table}" if said.table else self.home

    def _channel(self, said: Announcement) -> Json:
        lines = [plain(line) for line in said.lines.get(self.language, [])]
        first = _WORDS[self.language]["headline"].format(place=f"**{plain(said.name)}**", text=lines[0])
        link = f"<{self._url(said)}>"
        room = CONTENT_MOST - len(link) - 3
        text = first
        for line in lines[1:]:
            if len(text) + len(line) + 1 > room:
                text += "\n…"
                break
            text += f"\n{line}"
        return {"content": f"{text[:room]}\n{link}", "allowed_mentions": {"parse": []}}


def trial(name: str, table_id: int, at: Instant) -> Announcement:
    """What is sent to find out whether it arrives."""
    lines = {language: [words["trial"]] for language, words in _WORDS.items()}
    return Announcement("trial", at, table_id, name, lines=lines)


def plain(text: str) -> str:
    """A text that a channel shows as it is: no markup, no link, nobody called by it."""
    line = _SPECIAL.sub(r"\\\1", on_one_line(text))
    return line.replace("@", "@\u200b").replace("://", ":\u200b//")
