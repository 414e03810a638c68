"""The services' tokens: JSON Web Tokens around the house's own sessions, so that both end together."""

from __future__ import annotations

from tablee.clock import Clock
from tablee.club import Account, Club, ClubError, Identity
from tablee.club.sessions import Tokens
from tablee.doors.afjd import jwt
from tablee.store import Store
from tablee.store.keys import shared_key
from tablee.wire.http.application import bearer

NAME = "afjd-tokens"
LONGEST = 2_000
REMEMBERED = 10_000


class BadToken(Exception):
    """A token that proves nothing, in a sentence."""


# Why: docs/decisions.md#a-service-token-is-a-session
class ServiceTokens:
    """Makes and reads tokens, with a key that all nodes of the house share."""

    def __init__(self, store: Store, club: Club, clock: Clock, minutes: float) -> None:
        self._store = store
        self._club = club
        self._clock = clock
        self._lives = round(minutes * 60_000)
        self._key: str | None = None
        self._read: dict[str, tuple[str, int]] = {}
        """Tokens whose signature was right: what is in them."""

    async def start(self) -> None:
        """Find the key, or make it at the first start."""
        self._key = await shared_key(self._store, NAME)

    async def issue(self, account: Account, address: str) -> str:
        """A token for somebody who has proven who he is."""
        tokens = await self._club.sessions.open(account, "service", "AFJD", address, self._lives)
        return self.wrap(account, tokens)

    def wrap(self, account: Account, tokens: Tokens) -> str:
        """A session of the house as a token of the services."""
        assert self._key is not None
        claims = {
            "sub": account.pseudo,
            "iat": self._clock.now() // 1000,
            "exp": tokens.access_until // 1000,
            "jti": tokens.access,
        }
        return jwt.signed(claims, self._key)

    async def who(self, token: str) -> Identity:
        """Whose token this is; raises BadToken."""
        access, expires = self._opened(token)
        if expires * 1000 <= self._clock.now():
            raise BadToken("Token has expired")
        try:
            return await self._club.sessions.who(access)
        except ClubError as refusal:
            raise BadToken("Token was revoked" if refusal.kind == "unidentified" else str(refusal)) from None

    def _opened(self, token: str) -> tuple[str, int]:
        assert self._key is not None
        known = self._read.get(token)
        if known is not None:
            return known
        if not token:
            raise BadToken("Missing token")
        if len(token) > LONGEST or token.count(".") != 2:
            raise BadToken("Not a token: three parts separated by dots are expected")
        try:
            claims = jwt.read(token, self._key)
            found = str(claims["jti"]), int(claims["exp"])
        except (ValueError, KeyError, TypeError):
            raise BadToken("Signature verification failed") from None
        if len(self._read) >= REMEMBERED:
            self._read.clear()
        self._read[token] = found
        return found


def token_of(headers: dict[str, str]) -> str:
    """The token that a request carries, in either header; empty where there is none."""
    return headers.get("accesstoken", "").strip() or bearer(headers)
