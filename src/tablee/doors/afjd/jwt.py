"""JSON Web Tokens with HS256 (RFC 7519), the one kind that the services know."""

from __future__ import annotations

import hmac
from typing import Any

import msgspec

from tablee.club import base64url

_HEADER = {"typ": "JWT", "alg": "HS256"}


class _Header(msgspec.Struct):
    alg: str
    crit: Any = None
    """What a reader must understand or refuse; there is nothing of it that we understand."""


def signed(claims: dict[str, Any], key: str) -> str:
    """These claims as a token."""
    content = (
        f"{base64url.shown(msgspec.json.encode(_HEADER))}.{base64url.shown(msgspec.json.encode(claims))}"
    )
    return f"{content}.{_signature(content, key)}"


def read(token: str, key: str) -> dict[str, Any]:
    """The claims of a token that was signed with this key; raises ValueError for any other."""
    content, _, signature = token.rpartition(".")
    if not hmac.compare_digest(_signature(content, key).encode(), signature.encode()):
        raise ValueError("the signature is another's")
    header, _, claims = content.partition(".")
    said = msgspec.json.decode(base64url.read(header), type=_Header)
    if said.alg != "HS256" or said.crit is not None:
        raise ValueError("a token of another kind")
    return msgspec.json.decode(base64url.read(claims), type=dict[str, Any])


def _signature(content: str, key: str) -> str:
    return base64url.shown(hmac.digest(key.encode(), content.encode(), "sha256"))
