"""A message as bytes, taken apart within bounds: its headers in order, and the text of its first text part.

The parser of the standard library takes time that grows with the square of what is nested; a stranger chooses
what is nested here. This one reads at most so many parts, and never opens what is attached.
"""

from __future__ import annotations

import base64
import quopri
import re
from email.errors import HeaderParseError
from email.header import decode_header
from typing import NamedTuple

from tablee.doors.mail.html import text_of_html

SIZE_MOST = 1 << 20
PARTS_MOST = 50
DEPTH_MOST = 8
HEADERS_MOST = 500
HEADER_MOST = 8_000
"""Characters of one header that are looked at."""
FLOWED_LEAST = 55

_CHARSETS = re.compile(
    r"utf-?(8|16|32)([lb]e)?|(us-)?ascii|iso-?8859-?\d{1,2}|latin-?\d|windows-?125\d|cp(125\d|437|850|866)"
    r"|koi8-?[ru]|mac-?roman|gb(2312|k|18030)|big5|shift[_-]jis|euc-(jp|kr)|iso-2022-jp",
    re.ASCII,
)
_PARAMETER = re.compile(r';\s*([\w*-]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^;\s]*)', re.ASCII)
_WESTERN = re.compile(r"iso-?8859-?1|latin-?1|(us-)?ascii", re.ASCII)
_BREAK = re.compile(rb"\r\n|\r|\n")


class Part(NamedTuple):
    """Headers in the order in which they stand, the top one first, and what comes after them."""

    headers: list[tuple[str, str]]
    """Names in small letters; values unfolded, not decoded."""
    body: bytes

    def header(self, name: str) -> str:
        """The first of this name, empty where there is none."""
        return next((value for each, value in self.headers if each == name), "")

    def all(self, name: str) -> list[str]:
        return [value for each, value in self.headers if each == name]


def split(raw: bytes) -> Part:
    """A message, or a part of one: what has no headers is all body."""
    lines = _BREAK.sub(b"\n", raw)
    if lines.startswith(b"\n"):
        return Part([], lines[1:])
    head, _, body = lines.partition(b"\n\n")
    headers: list[tuple[str, str]] = []
    for line in head.split(b"\n"):
        text = _plain(line)
        if text[:1] in (" ", "\t") and headers:
            name, value = headers[-1]
            if len(value) < HEADER_MOST:
                headers[-1] = (name, f"{value} {text.strip()}"[:HEADER_MOST])
            continue
        name, colon, value = text.partition(":")
        if not colon or not re.fullmatch(r"[!-9;-~]{1,76}", name.strip()):
            continue  # the line of an mbox, or nothing that anybody could mean
        if len(headers) == HEADERS_MOST:
            break
        headers.append((name.strip().lower(), value.strip()[:HEADER_MOST]))
    return Part(headers, body)


def decoded(value: str) -> str:
    """A header with its encoded words read, on one line."""
    try:
        found = decode_header(value)
    except (HeaderParseError, ValueError):
        found = [(value, None)]
    text = "".join(
        piece if isinstance(piece, str) else in_charset(piece, charset or "us-ascii")
        for piece, charset in found
    )
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def text_in(message: Part) -> str:
    """The first part that is plain text, else the first that is HTML, without its marks; or nothing."""
    plain: str | None = None
    html: str | None = None
    seen = 0
    ahead = [(message, 0)]
    while ahead and plain is None and seen < PARTS_MOST:
        part, depth = ahead.pop()
        seen += 1
        kind, parameters = _content_type(part)
        if kind.startswith("multipart/"):
            boundary = parameters.get("boundary", "")
            if boundary and depth < DEPTH_MOST:
                inside = _parts(part.body, boundary.encode("utf-8", "replace"), PARTS_MOST - seen)
                ahead += [(each, depth + 1) for each in reversed(inside)]
        elif kind in ("text/plain", "text/html") and not _is_attached(part):
            text = in_charset(_content(part), parameters.get("charset", ""))
            if kind == "text/plain":
                flows = parameters.get("format", "").lower() == "flowed"
                plain = (_unflowed(text) if flows else text) if text.strip() else None
            else:
                html = html if html is not None else text_of_html(text)
    return plain if plain is not None else html or ""


def _unflowed(text: str) -> str:
    """Lines that a program has broken at a space (RFC 3676) joined again; short ones it has not broken."""
    joined: list[str] = []
    goes_on = False
    for line in text.split("\n"):
        if goes_on and not line.startswith(">"):
            joined.append(line)
        else:
            joined += ["\n", line]
        goes_on = line.endswith(" ") and len(line) >= FLOWED_LEAST and not line.startswith(">")
    return "".join(joined[1:])


def in_charset(content: bytes, charset: str) -> str:
    """A text in a charset that is well known; in any other it is UTF-8 where it can be, else western."""
    name = charset.strip().strip("\"'").lower()
    if _CHARSETS.fullmatch(name) and not _WESTERN.fullmatch(name):
        try:
            return content.decode(name, "replace")
        except LookupError:
            pass
    try:
        if not name.startswith(("iso", "latin")):
            return content.decode("utf-8")
    except UnicodeDecodeError:
        pass
    return content.decode("cp1252", "replace")  # what says ISO-8859-1 means that, more often than not


def _plain(line: bytes) -> str:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        return line.decode("cp1252", "replace")


def _content_type(part: Part) -> tuple[str, dict[str, str]]:
    value = part.header("content-type") or "text/plain"
    kind = value.partition(";")[0].strip().lower()
    found = {name.lower().rstrip("*"): text.strip('"') for name, text in _PARAMETER.findall(value)}
    return kind if "/" in kind else "text/plain", found


def _is_attached(part: Part) -> bool:
    return part.header("content-disposition").strip().lower().startswith("attachment")


def _content(part: Part) -> bytes:
    encoding = part.header("content-transfer-encoding").strip().lower()
    if encoding == "base64":
        letters = re.sub(rb"[^A-Za-z0-9+/]", b"", part.body)
        return base64.b64decode(letters[: len(letters) // 4 * 4] + _last_of_base64(letters))
    if encoding == "quoted-printable":
        return quopri.decodestring(part.body)
    return part.body


def _last_of_base64(letters: bytes) -> bytes:
    """What is left of a text that does not end where it should; a single letter says nothing."""
    rest = letters[len(letters) // 4 * 4 :]
    return rest + b"=" * (4 - len(rest)) if len(rest) > 1 else b""


def _parts(body: bytes, boundary: bytes, most: int) -> list[Part]:
    """The parts between lines of this boundary; what stands before the first and after the last is none."""
    found: list[Part] = []
    marker = b"--" + boundary.strip()
    begun: int | None = None
    at = 0
    while len(found) < most:
        at = body.find(marker, at)
        if at < 0:
            break
        if at and body[at - 1 : at] != b"\n":
            at += len(marker)
            continue
        if begun is not None:
            found.append(split(body[begun : max(begun, at - 1)]))
        end = body.find(b"\n", at)
        rest = body[at + len(marker) : len(body) if end < 0 else end].strip()
        if rest == b"--" or end < 0:
            return found
        begun = at = end + 1
    if begun is not None and len(found) < most:
        found.append(split(body[begun:]))  # a message that was cut off
    return found
