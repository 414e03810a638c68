"""What has happened at somebody's tables, as a feed (Atom, RFC 4287)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from html import escape
from typing import NamedTuple

from tablee.clock import Instant
from tablee.tables.following import Happening

MEDIA_TYPE = "application/atom+xml"
_UNWRITABLE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML cannot say, however it is escaped."""


class About(NamedTuple):
    """What a feed says of itself."""

    id: str
    title: str
    club: str
    home: str
    own: str
    """Its own address."""
    language: str
    since: Instant
    """Its date while there is nothing in it."""


def feed(about: About, happenings: Sequence[Happening]) -> str:
    """The whole feed, the newest first."""
    updated = max((each.at for each in happenings), default=about.since)
    head = [
        '<?xml version="1.0" encoding="utf-8"?>',
        f'<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="{about.language}">',
        f"<title>{_text(about.title)}</title>",
        f"<id>{_text(about.id)}</id>",
        f'<link rel="self" type="{MEDIA_TYPE}" href="{_text(about.own)}"/>',
        f'<link rel="alternate" type="text/html" href="{_text(about.home)}/"/>',
        f"<updated>{_moment(updated)}</updated>",
        f"<author><name>{_text(about.club)}</name></author>",
        "<generator>Tablée</generator>",
    ]
    entries = (line for each in happenings for line in _entry(each, about.home))
    return "\n".join([*head, *entries, "</feed>", ""])


def _entry(happening: Happening, home: str) -> Iterator[str]:
    moment = _moment(happening.at)
    yield "<entry>"
    yield f"<id>{happening.id}</id>"
    yield f"<title>{_text(happening.title)}</title>"
    yield f"<published>{moment}</published>"
    yield f"<updated>{moment}</updated>"
    yield f'<link rel="alternate" type="text/html" href="{_text(home + happening.path)}"/>'
    content = "\n".join(happening.lines) or happening.title
    yield f'<content type="text">{_text(content)}</content>'
    yield "</entry>"


def _moment(at: Instant) -> str:
    return datetime.fromtimestamp(at // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _text(text: str) -> str:
    return escape(_UNWRITABLE.sub("", text))
