"""Routes as data: one method of one path, and what a function's signature says that it takes and gives."""

from __future__ import annotations

import inspect
import re
import typing
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import msgspec

BODY_LIMIT = 64 * 1024
"""Bytes of the largest body where a route does not say otherwise."""

Handler = Callable[..., Awaitable[Any]]
H = TypeVar("H", bound=Handler)


@dataclass(frozen=True, kw_only=True)
class Route:
    """What every door knows of a route; each adds who may call it, and what else it needs to know."""

    group: str
    method: str
    path: str
    handler: Handler
    status: int
    refusals: tuple[int, ...] = ()
    """Statuses of its own with which it refuses."""
    body_limit: int = BODY_LIMIT
    """Bytes of the largest body."""

    @property
    def operation(self) -> str:
        return self.handler.__name__

    @property
    def summary(self) -> str:
        return " ".join((self.handler.__doc__ or "").split("\n\n")[0].split())

    @property
    def in_path(self) -> list[str]:
        return re.findall(r"{(\w+)}", self.path)


R = TypeVar("R", bound=Route)


@dataclass
class Declared(Generic[R]):
    """The routes of one subject, in the order in which the documentation shows them."""

    group: str
    routes: list[R] = field(default_factory=list)

    def declare(self, read: Callable[[Handler], R]) -> Callable[[H], H]:
        """A decorator that keeps the route which `read` makes of a function; it needs a sentence."""

        def keep(handler: H) -> H:
            if not handler.__doc__:
                raise TypeError(f"{handler.__qualname__} needs a sentence: it becomes the route's summary")
            self.routes.append(read(handler))
            return handler

        return keep


@dataclass(frozen=True, kw_only=True)
class Signature:
    """What a function takes besides who asks, and what it gives: from the path, the query and the body."""

    path_types: dict[str, Any]
    query_type: type[msgspec.Struct] | None
    body_type: Any
    body_optional: bool
    answer_type: Any


def signature_of(handler: Handler, path: str) -> Signature:
    """Parameters named in the path come from there, `query` and `body` from those; raises TypeError."""
    hints = typing.get_type_hints(handler, include_extras=True)
    parameters = inspect.signature(handler).parameters
    in_path = re.findall(r"{(\w+)}", path)
    names = list(parameters)[1:]  # the first is always who asks
    if set(names) - {"query", "body"} != set(in_path):
        raise TypeError(f"{handler.__qualname__}: the parameters {names} do not fit the path {path}")
    body = parameters.get("body")
    return Signature(
        path_types={name: hints[name] for name in in_path},
        query_type=hints.get("query"),
        body_type=hints.get("body"),
        body_optional=body is not None and body.default is not inspect.Parameter.empty,
        answer_type=hints["return"],
    )
