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
import inspect
import re
import typing
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, TypeVar

import msgspec

from tablee.club.scopes import Scope
from tablee.wire.json_bounds import ELEMENTS_MOST

from .decoding import BODY_LIMIT

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


Handler = Callable[..., Awaitable[Any]]
H = TypeVar("H", bound=Handler)


@dataclass(frozen=True)
class Route:
    """One method of one path, with all that is known of it."""

    group: str
    method: str
    path: str
    handler: Handler
    who: Who
    scope: Scope
    status: int
    signs_in: bool  # a dead token is no token here: one comes for a new one
    refusals: tuple[int, ...]
    media_type: str
    path_types: dict[str, Any]
    query_type: type[msgspec.Struct] | None
    body_type: Any
    body_optional: bool
    body_limit: int
    """Bytes of the largest body."""
    elements_most: int
    """Values of lists and objects in it, together."""
    answer_type: Any

    @property
    def name(self) -> str:
        return f"{self.method} {PREFIX}{self.path}"

    @property
    def summary(self) -> str:
        return " ".join((self.handler.__doc__ or "").split("\n\n")[0].split())


@dataclass
class Routes:
    """The routes of one subject, in the order in which the documentation shows them."""

    group: str
    routes: list[Route] = field(default_factory=list)

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
        signs_in: bool = False,
        refusals: tuple[int, ...] = (),
        media_type: str = "application/json",
        answer: Any = None,
        body_limit: int = BODY_LIMIT,
        elements_most: int = ELEMENTS_MOST,
    ) -> Callable[[H], H]:
        """Declare a route; `answer` is what a stream gives, line by line, where the function returns one.

        `body_limit` and `elements_most` are for the few that need a larger body than the others.
        A token must be good for `scope`: unless told otherwise for reading where nothing changes, for
        administrators' work where only they may call, and for playing elsewhere.
        """
        needed = scope or _usual_scope(method, who)

        def declare(handler: H) -> H:
            route = _read(
                self.group, method, path, handler, who, needed, status, signs_in, refusals, media_type, answer
            )
            self.routes.append(replace(route, body_limit=body_limit, elements_most=elements_most))
            return handler

        return declare


def _usual_scope(method: str, who: Who) -> Scope:
    if who in (Who.ADMINISTRATOR, Who.SUPER):
        return Scope.ADMIN
    return Scope.READ if method == "GET" or who is Who.ANYONE else Scope.PLAY


def _read(
    group: str,
    method: str,
    path: str,
    handler: Handler,
    who: Who,
    scope: Scope,
    status: int | None,
    signs_in: bool,
    refusals: tuple[int, ...],
    media_type: str,
    answer: Any,
) -> Route:
    hints = typing.get_type_hints(handler, include_extras=True)
    signature = inspect.signature(handler)
    answer = answer or hints["return"]
    in_path = re.findall(r"{(\w+)}", path)
    names = list(signature.parameters)[1:]  # the first is always the Ask
    strange = set(names) - set(in_path) - {"query", "body"}
    if strange or set(in_path) - set(names):
        raise TypeError(f"{handler.__qualname__}: the parameters {names} do not fit the path {path}")
    if not handler.__doc__:
        raise TypeError(f"{handler.__qualname__} needs a sentence: it becomes the route's summary")
    body = hints.get("body")
    optional = body is not None and signature.parameters["body"].default is not inspect.Parameter.empty
    if status is None:
        status = 204 if answer is type(None) else 200
    return Route(
        group=group,
        method=method,
        path=path,
        handler=handler,
        who=who,
        scope=scope,
        status=status,
        signs_in=signs_in,
        refusals=refusals,
        media_type=media_type,
        path_types={name: hints[name] for name in in_path},
        query_type=hints.get("query"),
        body_type=body,
        body_optional=optional,
        body_limit=BODY_LIMIT,
        elements_most=ELEMENTS_MOST,
        answer_type=answer,
    )
