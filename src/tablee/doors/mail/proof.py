"""Whether the receiving server found that a message is from whom it says: its own `Authentication-Results`.

Anybody can write such a header. Ours is the topmost one that names our server, and it stands above the line
by which that server says that it received the message: whatever came with the message stands below.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from tablee.doors.mail.reading import without_comments

_BY = re.compile(r"\bby\s+([^\s;()]+)", re.I)
_TOKEN = re.compile(r'\s*([\w.-]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^\s;"]+)')


class Finding(NamedTuple):
    """One method of a header, with what it was about: `dkim`, `pass`, `{"header.d": "exemple.fr"}`."""

    method: str
    result: str
    about: dict[str, str]


def is_proven(headers: Sequence[tuple[str, str]], authserv_id: str, sender: str) -> bool:
    """Whether DMARC passed, or a signature of the sender's own domain did, as our server says."""
    domain = sender.rpartition("@")[2].lower()
    if not authserv_id or not domain:
        return False
    for finding in findings(headers, authserv_id):
        if finding.result != "pass":
            continue
        if finding.method == "dmarc" and finding.about.get("header.from", domain) == domain:
            return True
        if finding.method == "dkim" and finding.about.get("header.d") == domain:
            return True
    return False


def findings(headers: Sequence[tuple[str, str]], authserv_id: str) -> list[Finding]:
    """What the topmost header of our own server says; nothing where it has none."""
    for name, value in headers[: _received(headers, authserv_id)]:
        if name == "authentication-results":
            parts = without_comments(value).split(";")
            said = parts[0].split()
            if said and said[0].lower() == authserv_id.lower():
                return [found for part in parts[1:] if (found := _finding(part)) is not None]
    return []


def _received(headers: Sequence[tuple[str, str]], authserv_id: str) -> int:
    """Where the line stands by which our server received it; where none is ours, the topmost of all."""
    first: int | None = None
    for place, (name, value) in enumerate(headers):
        if name == "received":
            by = _BY.search(without_comments(value))
            if by is not None and by[1].lower().rstrip(".") == authserv_id.lower():
                return place
            first = place if first is None else first
    return 0 if first is None else first


def _finding(part: str) -> Finding | None:
    found = [(name.lower(), value.strip('"').lower()) for name, value in _TOKEN.findall(part)]
    return Finding(found[0][0], found[0][1], dict(reversed(found[1:]))) if found else None
