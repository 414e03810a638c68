"""What every route and connection of this door leans on, and how every error is shown."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as package_version
from types import MappingProxyType

import msgspec
import structlog

from tablee.clock import Clock
from tablee.club import Club, Identity
from tablee.club.errors import ClubError, InvalidToken, TooMany
from tablee.club.limits import Bucket, Limits, Window, network
from tablee.rules.contract import Illegal
from tablee.store import Conflict, Duplicate, Refused, Store, Unavailable
from tablee.tables import Tables
from tablee.tournaments.office import Tournaments
from tablee.wire.http.bodies import TooLarge, TooSlow
from tablee.wire.turnstile import Turnstile

from .api.decoding import invalid
from .api.errors import ErrorDetail, Refusal, Shown, shown
from .api.signing import Refreshing
from .live.hub import Hub
from .tables.pictures import Draw, Pictures

log = structlog.get_logger("tablee.web")

LIMITS: dict[str, Bucket | Window] = {
    "web": Bucket(1200, 60),  # requests from one address
    "web_bytes": Bucket(4 * 1024 * 1024, 60),  # sent by one account; by one address where nobody is named
    "web_play": Bucket(600, 30),  # moves of one account
    "web_create": Bucket(60, 600),  # tables made by one account
    "web_invite": Bucket(40, 600),  # people invited by one account
    "web_analysis": Bucket(90, 60),  # positions of chess thought about for one address
    "web_history": Bucket(300, 60),  # pages of histories read by one account, or one address
    "web_own_games": Bucket(60, 60),  # readings of all games of one account
    "web_picture": Bucket(60, 60),  # pictures painted for one address
    "web_solver": Bucket(600, 60),  # positions worked out for one address
}
AT_ONCE = 2
"""Requests of one network that are answered at a time, as far as they only read, or make a table."""
KINDS = {
    "invalid": 400,
    "unidentified": 401,
    "refused": 403,
    "not_found": 404,
    "taken": 409,
    "too_many": 429,
    "broken": 500,
    "unavailable": 503,
}
"""The HTTP status of each kind of refusal by the club and the tables."""


class WebSettings(msgspec.Struct, frozen=True):
    """What a club may choose about this door."""

    origins: tuple[str, ...] = ()
    """Origins besides the asked host itself whose pages may use cookies here."""
    secure_cookies: bool = False
    """Cookies only over HTTPS; set by itself when the request came over HTTPS."""
    most_connections: int = 500
    """WebSockets of one address at a time: a whole club may sit behind one."""
    most_subscriptions: int = 100
    most_queued: int = 1000
    most_queued_bytes: int = 4 * 1024 * 1024
    most_plays_in_flight: int = 64
    page_build: str = ""
    """Which build of the page is served beside the API: an open page sees by it that it is out of date."""
    limits: Mapping[str, Bucket | Window] = MappingProxyType({})


class House:
    """The one object that is passed around."""

    def __init__(
        self,
        store: Store,
        club: Club,
        tables: Tables,
        clock: Clock,
        settings: WebSettings | None = None,
        drawn: Mapping[str, Draw] = MappingProxyType({}),
        tournaments: Tournaments | None = None,
    ) -> None:
        self.store = store
        self.club = club
        self.tables = tables
        self.tournaments = tournaments or Tournaments(tables)
        self.clock = clock
        self.settings = settings or WebSettings()
        self.limits = Limits(clock, {**LIMITS, **self.settings.limits})
        self.turnstile = Turnstile(AT_ONCE)
        self.live = Hub(self)
        self.pictures = Pictures(tables, drawn)
        self.refreshing = Refreshing(clock, club.sessions.refresh)
        self.version = _version()
        self.build = self.settings.page_build or self.version

    @property
    def epoch(self) -> str:
        """Which database this is: another one after a restore."""
        return self.epoch_text(self.store.epoch)

    @staticmethod
    def epoch_text(epoch: int) -> str:
        """An epoch as it is sent: a text, since a page cannot count so far."""
        return f"{epoch:x}"

    def limit_request(self, address: str) -> None:
        """Count one request of this address; raises TooMany."""
        self.limits.take("web", network(address))

    def limit_bytes(self, account_id: int | None, address: str, size: int) -> None:
        """Count what somebody has sent, to be read; raises TooMany."""
        self.limits.take("web_bytes", network(address) if account_id is None else account_id, size)

    async def who(self, token: str) -> Identity | None:
        """Whose access token this is, if anybody's."""
        try:
            return await self.club.sessions.who(token)
        except InvalidToken:
            return None

    def shown(self, error: Exception, language: str, where: str) -> Shown:
        """Any error as it is sent: its own words where it has some, a reference to the log where not."""
        match error:
            case Refusal(code=code, parts=parts):
                return shown(code, language, parts)
            case TooLarge(limit=limit):
                return shown("too_large", language, {"limit": limit})
            case TooSlow():
                return shown("too_slow", language, {})
            case TooMany(seconds=seconds):
                return shown("too_many", language, {"seconds": seconds})
            case ClubError():
                detail = ErrorDetail(error.code, error.sentence(language), error.parts)
                return Shown(KINDS[error.kind], detail)
            case Illegal():
                said = {"reason": error.code, **error.parts}
                return Shown(409, ErrorDetail("illegal", error.sentence(language), said))
            case Refused():
                return shown("invalid", language, {"detail": str(error), "at": "$"})
            case Conflict() | Duplicate():
                return shown("busy", language, {"seconds": 1})
            case Unavailable():
                return shown("unavailable", language, {"seconds": 5})
            case msgspec.ValidationError():
                refusal = invalid(error)
                return shown(refusal.code, language, refusal.parts)
        reference = secrets.token_hex(4)
        log.error("a request failed", where=where, reference=reference, exc_info=error)
        return shown("house_error", language, {"reference": reference})


def _version() -> str:
    try:
        return package_version("tablee")
    except PackageNotFoundError:
        return "0"
