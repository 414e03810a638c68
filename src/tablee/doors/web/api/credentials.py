"""Who asks: tokens of programs, cookies of browsers, and proof that a cookie's request is our page's own."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import cookie_parser

ACCESS_COOKIE = "tablee_access"
REFRESH_COOKIE = "tablee_refresh"
REFRESH_PATH = "/api/v1/session"
OWN_HEADER = "x-tablee"
"""A header that another site's page cannot send without asking first, which we never allow."""
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
LANGUAGES = ("fr", "en")


def cookies(headers: Headers) -> dict[str, str]:
    """The request's cookies."""
    return cookie_parser(headers.get("cookie", ""))


def comes_from_our_page(headers: Headers, own_origins: Iterable[str]) -> bool:
    """Whether a browser certainly sent this from a page of ours: our own header, or our own Origin."""
    return OWN_HEADER in headers or has_own_origin(headers, own_origins)


def has_own_origin(headers: Headers, own_origins: Iterable[str]) -> bool:
    """Whether the Origin is the very host that was asked, or one that the club has named."""
    origin = headers.get("origin")
    if not origin or origin == "null":
        return False
    if origin in own_origins:
        return True
    try:
        return urlsplit(origin).netloc.lower() == headers.get("host", "").lower()
    except ValueError:  # brackets that are no IPv6 address: no browser sends this
        return False


def set_cookie(name: str, value: str, *, path: str, seconds: int, secure: bool) -> str:
    """A cookie that no script reads and that other sites do not send with what changes anything."""
    flags = "; Secure" if secure else ""
    return f"{name}={value}; Path={path}; Max-Age={seconds}; HttpOnly; SameSite=Lax{flags}"


def language_of(headers: Headers) -> str:
    """French, unless Accept-Language prefers English."""
    best, best_weight = "fr", 0.0
    for choice in headers.get("accept-language", "").split(",")[:20]:
        tag, _, parameters = choice.strip().partition(";")
        language = tag.strip().lower().partition("-")[0]
        weight = _weight(parameters)
        if language in LANGUAGES and weight > best_weight:
            best, best_weight = language, weight
    return best


def _weight(parameters: str) -> float:
    name, _, value = parameters.strip().partition("=")
    if name.strip() != "q":
        return 1.0
    try:
        return float(value)
    except ValueError:
        return 0.0
