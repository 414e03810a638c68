"""What a successful sign-in gives: tokens in the answer for programs, in cookies for browsers."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable

from tablee.clock import Clock
from tablee.club.people import Account
from tablee.club.sessions import Tokens

from ..shapes import Shape
from . import credentials
from .ask import Ask
from .errors import Refusal

AGAIN_WITHIN = 20_000
"""A refresh token sent twice within so many milliseconds gets the same answer twice."""


class SignedIn(Shape, frozen=True):
    """Who one is now. The tokens are null where they went into cookies."""

    account: int
    pseudo: str
    kind: str
    session: int
    access: str | None
    access_until: int
    refresh: str | None
    expires_at: int


def signed_in(ask: Ask, account: Account, tokens: Tokens, cookies: bool) -> SignedIn:
    """The answer, with cookies set on the way if the page asked for them."""
    if cookies:
        if not credentials.comes_from_our_page(ask.headers, ask.house.settings.origins):
            raise Refusal("cross_site")
        set_cookies(ask, tokens)
    return SignedIn(
        account=account.id,
        pseudo=account.pseudo,
        kind=account.kind,
        session=tokens.session_id,
        access=None if cookies else tokens.access,
        access_until=tokens.access_until,
        refresh=None if cookies else tokens.refresh,
        expires_at=tokens.expires_at,
    )


def must_be_ours(ask: Ask, cookies: bool) -> None:
    """Refuse before anything is done when another site's page asks for cookies in the visitor's name."""
    if cookies and not credentials.comes_from_our_page(ask.headers, ask.house.settings.origins):
        raise Refusal("cross_site")


def set_cookies(ask: Ask, tokens: Tokens) -> None:
    now = ask.house.clock.now()
    for name, value, path, until in (
        (credentials.ACCESS_COOKIE, tokens.access, "/api", tokens.access_until),
        (credentials.REFRESH_COOKIE, tokens.refresh or "", credentials.REFRESH_PATH, tokens.expires_at),
    ):
        seconds = max(0, (until - now) // 1000)
        ask.cookies_to_set.append(
            credentials.set_cookie(name, value, path=path, seconds=seconds, secure=ask.secure)
        )


def drop_cookies(ask: Ask) -> None:
    for name, path in (
        (credentials.ACCESS_COOKIE, "/api"),
        (credentials.REFRESH_COOKIE, credentials.REFRESH_PATH),
    ):
        ask.cookies_to_set.append(credentials.set_cookie(name, "", path=path, seconds=0, secure=ask.secure))


class Refreshing:
    """Refreshes each token once, however often it comes within a few seconds.

    Two tabs of one browser refresh at the same moment, and an answer can be lost on its way: neither is a
    theft, which is what the club takes a used token for.
    """

    def __init__(self, clock: Clock, refresh: Callable[[str, str], Awaitable[Tokens]]) -> None:
        self._clock = clock
        self._refresh = refresh
        self._recent: dict[bytes, tuple[int, asyncio.Task[Tokens]]] = {}

    async def next(self, token: str, address: str) -> Tokens:
        """The next pair of tokens; raises InvalidToken."""
        now = self._clock.now()
        for key in [key for key, (until, _) in self._recent.items() if until <= now]:
            del self._recent[key]
        key = hashlib.sha256(token.encode("utf-8", "replace")).digest()
        if key not in self._recent:
            task = asyncio.ensure_future(self._refresh(token, address))
            self._recent[key] = (now + AGAIN_WITHIN, task)
        try:
            return await asyncio.shield(self._recent[key][1])
        except Exception:
            self._recent.pop(key, None)
            raise
