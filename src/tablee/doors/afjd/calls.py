"""Calls declared once: the service, the method, the path, the parameters, what is answered.

The application, the OpenAPI description and the table of `docs/protocols/afjd.md` are made from them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tablee.club.scopes import Scope
from tablee.doors.afjd.parameters import Param
from tablee.wire.http.routes import BODY_LIMIT, Declared, H, Handler, Route

Json = Any


@dataclass(frozen=True, kw_only=True)
class Call(Route):
    """One method of one path of one service, which is its group."""

    params: tuple[Param, ...]
    secret: bool
    """Whether only who has the services' secret may call it."""
    opened_by: str
    """The setting that opens such a call to everybody, where there is one."""
    token: bool
    """Whether a token is needed."""
    scope: Scope
    """What a token must be good for."""
    answer: Json
    json_only: bool

    @property
    def name(self) -> str:
        return f"{self.group.upper()} {self.method} {self.path}"


MESSAGE: Json = {
    "type": "object",
    "properties": {"msg": {"type": "string"}},
    "required": ["msg"],
}


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
        opened_by: str = "",
        token: bool = False,
        scope: Scope | None = None,
        answer: Json = MESSAGE,
        json_only: bool = False,
        body_limit: int = BODY_LIMIT,
    ) -> Callable[[H], H]:
        """Declare a call; `errors` are the statuses that it may answer besides those of every call.

        A token must be good for `scope`: unless told otherwise for reading with GET, else for playing.
        """
        needed = scope or (Scope.READ if method == "GET" else Scope.PLAY)
        refused = (403,) if secret or (token and needed is not Scope.READ) else ()

        def read(handler: Handler) -> Call:
            return Call(
                group=self.group,
                method=method,
                path=path,
                handler=handler,
                params=params,
                status=status,
                refusals=tuple(sorted({*errors, 400, 413, 429, 503, *refused})),
                secret=secret,
                opened_by=opened_by,
                token=token,
                scope=needed,
                answer=answer,
                json_only=json_only,
                body_limit=body_limit,
            )

        return self.declare(read)


USERS = Service("users")
EMAILS = Service("emails")
PLAYERS = Service("players")
GAMES = Service("games")
SOLVER = Service("solver")
ALL = (USERS, EMAILS, PLAYERS, GAMES, SOLVER)
