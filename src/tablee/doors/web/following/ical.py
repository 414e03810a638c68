"""Deadlines as a calendar (RFC 5545) to which a program subscribes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from urllib.parse import urlsplit

from tablee.clock import Instant
from tablee.tables.following import Deadline

MEDIA_TYPE = "text/calendar"
REFRESH = "PT15M"
"""How often a program should look again."""
OCTETS_MOST = 75


def calendar(name: str, home: str, deadlines: Sequence[Deadline]) -> str:
    """The whole calendar: what is no longer in it is gone from whoever subscribes to it."""
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Tablee//Tablee//FR",
        "CALSCALE:GREGORIAN",
        f"NAME:{_text(name)}",
        f"X-WR-CALNAME:{_text(name)}",
        f"REFRESH-INTERVAL;VALUE=DURATION:{REFRESH}",
        f"X-PUBLISHED-TTL:{REFRESH}",
        *(line for date in deadlines for line in _event(date, home)),
        "END:VCALENDAR",
    ]
    return "".join(f"{part}\r\n" for line in lines for part in _folded(line))


def _event(date: Deadline, home: str) -> Iterator[str]:
    """An instant that keeps nobody from doing something else meanwhile; when to be reminded is his choice."""
    url = f"{home}/tables/{date.table_id}"
    yield "BEGIN:VEVENT"
    # One for each table: a date that moves, or the next one, is a revision of it.
    yield f"UID:table-{date.table_id}@{urlsplit(home).hostname or 'tablee'}"
    yield f"DTSTAMP:{_moment(date.set_at)}"
    yield f"LAST-MODIFIED:{_moment(date.set_at)}"
    yield f"SEQUENCE:{date.revision}"
    yield f"DTSTART:{_moment(date.by)}"
    yield f"SUMMARY:{_text(date.title)}"
    yield f"DESCRIPTION:{_text(url)}"
    yield f"URL:{url}"
    yield "TRANSP:TRANSPARENT"
    yield "END:VEVENT"


def _moment(at: Instant) -> str:
    return datetime.fromtimestamp(at // 1000, UTC).strftime("%Y%m%dT%H%M%SZ")


def _text(text: str) -> str:
    said = " ".join(text.split())
    return said.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")


def _folded(line: str) -> Iterator[str]:
    """A line in pieces of so many octets, none of which ends within a character."""
    piece, size = "", 0
    for character in line:
        octets = len(character.encode())
        if size + octets > OCTETS_MOST:
            yield piece
            piece, size = " ", 1
        piece += character
        size += octets
    yield piece
