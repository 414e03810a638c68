"""Calls declared once: the service, the method, the path, the parameters, what is answered.

The application, the OpenAPI description and the table of `docs/protocols/afjd.md` are made from them.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from tablee.club.scopes import Scope
from tablee.doors.afjd.parameters import Param

Json = Any
Handler = Callable[..., Awaitable[Any]]
BODY_MOST = 64 * 1024


@dataclass(frozen=True)
class Call:
    """One method of one path of one service."""

    service: str
    method: str
    path: str
    handler: Handler
    params: tuple[Param, ...]
    status: int
    errors: tuple[int, ...]
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
    body_most: int
    """Bytes of the largest body."""

    @property
    def name(self) -> str:
        return f"{self.service.upper()} {self.method} {self.path}"

    @property
    def summary(self) -> str:
        return " ".join((self.handler.__doc__ or "").split("\n\n")[0].split())

    @property
    def in_path(self) -> list[str]:
        return re.findall(r"{(\w+)}", self.path)


MESSAGE: Json = {
    "type": "object",
    "properties": {"msg": {"type": "string"}},
    "required": ["msg"],
}


@dataclass
class Service:
    """The calls of one service, in the order in which the documentation shows them."""

    name: str
    calls: list[Call] = field(default_factory=list)

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
        body_most: int = BODY_MOST,
    ) -> Callable[[Handler], Handler]:
        """Declare a call; `errors` are the statuses that it may answer besides those of every call.

        A token must be good for `scope`: unless told otherwise for reading with GET, else for playing.
        """
        needed = scope or (Scope.READ if method == "GET" else Scope.PLAY)
        refused = (403,) if secret or (token and needed is not Scope.READ) else ()

        def declare(handler: Handler) -> Handler:
            if not handler.__doc__:
                raise TypeError(f"{handler.__qualname__} needs a sentence: it becomes the call's summary")
            self.calls.append(
                Call(
                    self.name,
                    method,
                    path,
                    handler,
                    params,
                    status,
                    tuple(sorted({*errors, 400, 413, 429, 503, *refused})),
                    secret,
                    opened_by,
                    token,
                    needed,
                    answer,
                    json_only,
                    body_most,
                )
            )
            return handler

        return declare


USERS = Service("users")
EMAILS = Service("emails")
PLAYERS = Service("players")
GAMES = Service("games")
SOLVER = Service("solver")
ALL = (USERS, EMAILS, PLAYERS, GAMES, SOLVER)
