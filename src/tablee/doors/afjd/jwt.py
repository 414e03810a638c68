"""JSON Web Tokens with HS256 (RFC 7519), the one kind that the services know."""

from __future__ import annotations

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any

import msgspec

_HEADER = {"typ": "JWT", "alg": "HS256"}


class _Header(msgspec.Struct):
    alg: str
    crit: Any = None
    """What a reader must understand or refuse; there is nothing of it that we understand."""


def signed(claims: dict[str, Any], key: str) -> str:
    """These claims as a token."""
    content = f"{_packed(msgspec.json.encode(_HEADER))}.{_packed(msgspec.json.encode(claims))}"
    return f"{content}.{_signature(content, key)}"


def read(token: str, key: str) -> dict[str, Any]:
    """The claims of a token that was signed with this key; raises ValueError for any other."""
    content, _, signature = token.rpartition(".")
    if not hmac.compare_digest(_signature(content, key).encode(), signature.encode()):
        raise ValueError("the signature is another's")
    header, _, claims = content.partition(".")
    said = msgspec.json.decode(_unpacked(header), type=_Header)
    if said.alg != "HS256" or said.crit is not None:
        raise ValueError("a token of another kind")
    return msgspec.json.decode(_unpacked(claims), type=dict[str, Any])


def _signature(content: str, key: str) -> str:
    return _packed(hmac.digest(key.encode(), content.encode(), "sha256"))


def _packed(raw: bytes) -> str:
    return urlsafe_b64encode(raw).decode().rstrip("=")


def _unpacked(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
