"""From the bytes of a message to who wrote what to whom, within bounds, whatever the bytes are."""

from __future__ import annotations

import re
from hashlib import sha256

import msgspec

from tablee.doors.mail.mime import SIZE_MOST, Part, decoded, split, text_in
from tablee.doors.mail.quotation import own_lines

_BARE = r"([^<>@\s]{1,64}@[^<>@\s]{1,255})"
_ADDRESS = re.compile(rf"[^<>@]*<\s*{_BARE}\s*>\s*|\s*{_BARE}\s*")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_ID = re.compile(r"<([^<>\s]{1,500})>")
_RECIPIENTS = ("delivered-to", "x-original-to", "envelope-to", "x-envelope-to", "to", "cc")
_AUTOMATIC = ("x-autoreply", "x-autorespond", "x-auto-reply")


class TooLarge(ValueError):
    """A message of more bytes than are read."""


class Message(msgspec.Struct, frozen=True):
    """What a message says, as far as anybody needs it here."""

    id: str
    """Its Message-ID; where it has none, a name made from its bytes."""
    senders: tuple[str, ...]
    """Every address of every From, in small letters; empty for what is no address."""
    from_headers: int
    recipients: tuple[str, ...]
    subject: str
    lines: list[str]
    """What its writer has written himself."""
    is_automatic: bool
    """Whether a program wrote it, or a list sent it: nobody waits for an answer."""
    headers: list[tuple[str, str]]
    """All of them in order, for whoever asks what the receiving server found out."""

    @property
    def sender(self) -> str | None:
        """Who it says that it is from; None unless exactly one."""
        return (self.senders[0] or None) if self.from_headers == 1 and len(self.senders) == 1 else None


def read_message(raw: bytes) -> Message:
    """What a message says. Raises TooLarge, and nothing else."""
    if len(raw) > SIZE_MOST:
        raise TooLarge(f"{len(raw)} bytes, at most {SIZE_MOST}")
    part = split(raw)
    found = _ID.search(part.header("message-id"))
    senders = part.all("from")
    return Message(
        id=found[1] if found else f"{sha256(raw).hexdigest()[:32]}@sans-id",
        senders=_addresses(senders),
        from_headers=len(senders),
        recipients=tuple(filter(None, _addresses([v for name in _RECIPIENTS for v in part.all(name)]))),
        subject=decoded(part.header("subject"))[:300],
        lines=own_lines(text_in(part)),
        is_automatic=_is_automatic(part),
        headers=part.headers,
    )


def _addresses(values: list[str]) -> tuple[str, ...]:
    """Addresses in the order in which they stand, each once; empty for one that is none.

    Names, comments and quoted texts are left out first: nothing in them can be taken for an address.
    """
    found: list[str] = []
    for value in values[:20]:
        for each in without_comments(_QUOTED.sub(" ", value)).split(","):
            if each.strip():
                address = _ADDRESS.fullmatch(each)
                found.append(address[1 if address[1] else 2].lower() if address else "")
    return tuple(dict.fromkeys(found))


def without_comments(value: str) -> str:
    """A value of a header without what stands in brackets."""
    depth, kept = 0, []
    for letter in value:
        depth += letter == "("
        if not depth:
            kept.append(letter)
        depth -= letter == ")" and depth > 0
    return "".join(kept)


def _is_automatic(part: Part) -> bool:
    submitted = part.header("auto-submitted").partition(";")[0].strip().lower()
    precedence = part.header("precedence").strip().lower()
    return (
        submitted not in ("", "no")
        or precedence in ("bulk", "junk", "list", "auto_reply")
        or any(part.header(name) for name in _AUTOMATIC)
        or part.header("return-path").strip() == "<>"
        or part.header("content-type").lower().startswith(("multipart/report", "message/delivery-status"))
    )
