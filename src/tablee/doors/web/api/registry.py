"""Routes declared once: a function's signature says what it takes and gives, for Starlette and for OpenAPI.

    routes = Routes("tables")

    @routes.get("/tables/{table_id}", who=Who.ANYONE)
    async def table(ask: Ask, table_id: Id) -> TableAnswer:
        \"\"\"One sentence that becomes the summary.\"\"\"

Parameters named in the path come from the path, `query` from the query, `body` from the body. An answer of
None is 204. Nothing about a route is written twice, so the served OpenAPI cannot differ from what is served.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

import msgspec

from tablee.club.scopes import Scope
from tablee.wire.http import routes as kit
from tablee.wire.http.routes import H, Handler, Signature, signature_of
from tablee.wire.json_bounds import ELEMENTS_MOST

PREFIX = "/api/v1"

Id = Annotated[int, msgspec.Meta(ge=1, le=2**53 - 1, description="A number that the house gave.")]
Limit = Annotated[int, msgspec.Meta(ge=1, le=200, description="At most so many.")]
Invitation = Annotated[
    str, msgspec.Meta(max_length=200, description="The secret part of a private table's link.")
]
Offset = Annotated[int, msgspec.Meta(ge=0, le=1_000_000, description="Leave out so many.")]


class Who(enum.Enum):
    """Who may call a route at all; what he may see or do there is for the route itself."""

    ANYONE = "anyone"
    KNOWN = "known"  # anybody identified, a visitor too
    MEMBER = "member"
    ADMINISTRATOR = "administrator"
    SUPER = "super"


class Body(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a request may say; an unknown field is refused by name, since it is a mistake of the caller."""


@dataclass(frozen=True, kw_only=True)
class Route(kit.Route, Signature):
    """One method of one path, with all that is known of it."""

    who: Who
    scope: Scope
    """What a token must be good for."""
    signs_in: bool = False
    """Whether a dead token is no token here: one comes for a new one."""
    media_type: str = "application/json"
    waits: bool = False
    """Whether it may wait for more than the database: for a long reading, say, or for a thread."""
    elements_most: int = ELEMENTS_MOST
    """Values of lists and objects in its body, together."""

    @property
    def name(self) -> str:
        return f"{self.method} {PREFIX}{self.path}"

    @property
    def takes_turns(self) -> bool:
        """Whether it goes through the turnstile: reading that is done as soon as it is begun."""
        return self.method == "GET" and not self.waits


class Routes(kit.Declared[Route]):
    """The routes of one subject."""

    def get(self, path: str, **traits: Any) -> Callable[[H], H]:
        return self.add("GET", path, **traits)

    def post(self, path: str, **traits: Any) -> Callable[[H], H]:
        return self.add("POST", path, **traits)

    def put(self, path: str, **traits: Any) -> Callable[[H], H]:
        return self.add("PUT", path, **traits)

    def patch(self, path: str, **traits: Any) -> Callable[[H], H]:
        return self.add("PATCH", path, **traits)

    def delete(self, path: str, **traits: Any) -> Callable[[H], H]:
        return self.add("DELETE", path, **traits)

    def add(
        self,
        method: str,
        path: str,
        *,
        who: Who = Who.KNOWN,
        scope: Scope | None = None,
        status: int | None = None,
        answer: Any = None,
        **traits: Any,
    ) -> Callable[[H], H]:
        """Declare a route; `answer` is what a stream gives, line by line, where the function returns one.

        A token must be good for `scope`: unless told otherwise for reading where nothing changes, for
        administrators' work where only they may call, and for playing elsewhere.
        """

        def read(handler: Handler) -> Route:
            said = vars(signature_of(handler, path))
            gives = answer or said["answer_type"]
            given = {"group": self.group, "method": method, "path": path, "handler": handler, **traits}
            return Route(
                **{**said, **given, "answer_type": gives},
                who=who,
                scope=scope or _usual_scope(method, who),
                status=status or (204 if gives is type(None) else 200),
            )

        return self.declare(read)


def _usual_scope(method: str, who: Who) -> Scope:
    if who in (Who.ADMINISTRATOR, Who.SUPER):
        return Scope.ADMIN
    return Scope.READ if method == "GET" or who is Who.ANYONE else Scope.PLAY
