"""One request on its way: who asks, in which language, from where, and the house that answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from starlette.datastructures import Headers

from tablee.club import Account, Identity
from tablee.club.limits import network
from tablee.wire.http.application import bearer

from . import credentials
from .errors import Refusal
from .registry import Route, Who

if TYPE_CHECKING:
    from ..house import House

T = TypeVar("T")


@dataclass
class Ask:
    """What a route gets besides its own parameters."""

    house: House
    identity: Identity | None
    by_cookie: bool
    language: str
    address: str
    headers: Headers
    secure: bool
    cookies_to_set: list[str] = field(default_factory=list)

    @property
    def account(self) -> Account:
        """Who asks; raises Refusal("not_identified") if nobody in particular."""
        if self.identity is None:
            raise Refusal("not_identified")
        return self.identity.account

    @property
    def account_id(self) -> int:
        return self.account.id

    @property
    def account_id_if_any(self) -> int | None:
        return None if self.identity is None else self.identity.account.id

    @property
    def is_administrator(self) -> bool:
        return self.identity is not None and self.identity.is_administrator

    def must_be(self, route: Route) -> None:
        """Refuse whoever may not call a route at all, or not with this token."""
        if self.identity is not None:
            self._must_be(route.who)
            self.identity.require(route.scope)
        elif route.who is not Who.ANYONE:
            raise Refusal("not_identified")

    def _must_be(self, who: Who) -> None:
        if who is Who.ANYONE:
            return
        account = self.account
        if who is not Who.KNOWN and account.kind != "member":
            raise Refusal("members_only")
        if who is Who.ADMINISTRATOR and account.role not in ("administrator", "super"):
            raise Refusal("not_allowed")
        if who is Who.SUPER and account.role != "super":
            raise Refusal("not_allowed")

    def count_bytes(self, size: int) -> None:
        """Count what was sent, to be read; raises TooMany."""
        self.house.limit_bytes(self.account_id_if_any, self.address, size)

    async def worked_out(self, work: Callable[[], T]) -> T:
        """What `work` comes to, in the workshop, where networks take turns; raises TooMany."""
        workshop, whose = self.house.tables.workshop, network(self.address)
        workshop.must_have_room(whose)
        return await workshop.do(whose, work)


async def identified(house: House, headers: Headers) -> tuple[Identity | None, bool]:
    """Who sends these headers, and whether a cookie says so; raises Refusal("token_expired")."""
    token = bearer(headers)
    if token:
        identity = await house.who(token)
        if identity is None:
            raise Refusal("token_expired")
        return identity, False
    cookie = credentials.cookies(headers).get(credentials.ACCESS_COOKIE)
    if not cookie:
        return None, False
    identity = await house.who(cookie)
    if identity is None:
        raise Refusal("token_expired")
    return identity, True
