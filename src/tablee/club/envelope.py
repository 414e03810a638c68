"""A message of the internet (RFC 5322, 2045, 2047): headers and text in the bytes that go over the wire.

Python's `email` reads every header into a tree and folds it again: forty times as long, and a link that is
longer than a line becomes encoded words, which no mail program takes for a link.
"""

from __future__ import annotations

import re
from binascii import b2a_qp
from collections.abc import Mapping
from email.header import Header
from email.utils import formataddr

BOUNDARY = "=_tablee"
"""Between the parts: these two signs never follow one another in quoted-printable."""
HEADER_MOST = 998
"""Of one line, by RFC 5322."""
_HEADER = re.compile(r"[ -~]*(?:\r\n [ -~]+)*")
_LINE_END = re.compile(r"\r\n|\r|\n")


def sealed(headers: Mapping[str, str], text: str, html: str | None) -> bytes:
    """The whole message, in one part or two. Raises ValueError for a header that would begin another."""
    parts = [_part("plain", text)]
    if html is not None:
        parts.append(_part("html", html))
        kind = f'Content-Type: multipart/alternative; boundary="{BOUNDARY}"\r\n\r\n'
        opening = f"--{BOUNDARY}\r\n".encode()
        ending = f"--{BOUNDARY}--\r\n".encode()
        body = kind.encode() + b"".join(opening + part + b"\r\n" for part in parts) + ending
    else:
        body = parts[0]
    lines = [_line(name, value) for name, value in {**headers, "MIME-Version": "1.0"}.items()]
    return "".join(lines).encode("ascii") + body


def in_words(text: str) -> str:
    """What a reader is shown in a header: as it is, or in encoded words where it has other letters."""
    return text if text.isascii() else Header(text, "utf-8", header_name="Subject").encode(linesep="\r\n")


def mailbox(name: str, address: str) -> str:
    """Somebody by name and address."""
    return formataddr((name, address)) if name.isascii() else f"{in_words(name)} <{address}>"


def _part(kind: str, text: str) -> bytes:
    head = f"Content-Type: text/{kind}; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n"
    content = b2a_qp(_LINE_END.sub("\n", text).encode(), istext=True)
    return head.encode() + content.replace(b"\n", b"\r\n")


def _line(name: str, value: str) -> str:
    if not _HEADER.fullmatch(value) or max(map(len, value.split("\r\n"))) > HEADER_MOST - len(name) - 2:
        raise ValueError(f"the header {name} of a letter is not one line of ASCII")
    return f"{name}: {value}\r\n"
