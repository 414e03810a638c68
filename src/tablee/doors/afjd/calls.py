"""Calls declared once: the service, the method, the path, the parameters, what is answered.

The application, the OpenAPI description and the table of `docs/protocols/afjd.md` are made from them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tablee.club.scopes import Scope
from tablee.doors.afjd.parameters import Param
from tablee.wire.http.routes import Declared, H, Route

Json = Any

MESSAGE: Json = {
    "type": "object",
    "properties": {"msg": {"type": "string"}},
    "required": ["msg"],
}


@dataclass(frozen=True, kw_only=True)
class Call(Route):
    """One method of one path of one service, which is its group."""

    params: tuple[Param, ...]
    scope: Scope
    """What a token must be good for."""
    secret: bool
    """Whether only who has the services' secret may call it."""
    token: bool
    """Whether a token is needed."""
    opened_by: str = ""
    """The setting that opens such a call to everybody, where there is one."""
    answer: Json = field(default_factory=lambda: MESSAGE)
    json_only: bool = False
    reckons: bool = False
    """Whether a position is worked out for it: of these one network has fewer than of other calls."""

    @property
    def name(self) -> str:
        return f"{self.group.upper()} {self.method} {self.path}"


class Service(Declared[Call]):
    """The calls of one service."""

    def call(
        self,
        method: str,
        path: str,
        *params: Param,
        status: int = 200,
        errors: tuple[int, ...] = (),
        secret: bool = False,
        token: bool = False,
        scope: Scope | None = None,
        **traits: Any,
    ) -> Callable[[H], H]:
        """Declare a call; `errors` are the statuses that it may answer besides those of every call.

        A token must be good for `scope`: unless told otherwise for reading with GET, else for playing.
        """
        needed = scope or (Scope.READ if method == "GET" else Scope.PLAY)
        refused = (403,) if secret or (token and needed is not Scope.READ) else ()
        refusals = tuple(sorted({*errors, 400, 413, 429, 503, *refused}))
        said: dict[str, Any] = {
            "method": method,
            "path": path,
            "params": params,
            "status": status,
            "refusals": refusals,
        }
        said |= {"scope": needed, "secret": secret, "token": token, **traits}
        return self.declare(lambda handler: Call(group=self.group, handler=handler, **said))


USERS = Service("users")
EMAILS = Service("emails")
PLAYERS = Service("players")
GAMES = Service("games")
SOLVER = Service("solver")
ALL = (USERS, EMAILS, PLAYERS, GAMES, SOLVER)
