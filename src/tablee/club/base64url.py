"""Bytes as they stand in links, tokens and keys: base64 in its alphabet for URLs, without padding."""

from __future__ import annotations

import base64


def shown(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


def read(text: str) -> bytes:
    """The bytes of a text, padded or not. Raises ValueError."""
    text = text.rstrip("=")
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
