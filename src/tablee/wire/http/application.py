"""Routes as an ASGI application: one way in, one way to answer, one way to refuse."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import BaseRoute
from starlette.routing import Route as StarletteRoute

from .routes import R

Answer = Callable[[Request, R], Awaitable[Response]]
Refuse = Callable[[Request, Exception], Response]


def application(
    routes: Sequence[R],
    answer: Answer[R],
    refuse: Refuse,
    *,
    prefix: str = "",
    beside: Sequence[BaseRoute] = (),
    middleware: Sequence[Middleware] = (),
) -> Starlette:
    """Serve these routes: `answer` calls one, `refuse` says what it raised in the words of the door.

    It is given an HTTPException where no route is, or none of that method. `beside` are other routes.
    """
    by_path: dict[str, dict[str, R]] = {}
    for route in routes:
        there = by_path.setdefault(route.path, {})
        if route.method in there:
            raise ValueError(f"{route.method} {prefix}{route.path} is declared twice")
        there[route.method] = route
    served = [
        StarletteRoute(prefix + path, _endpoint(there, answer, refuse), methods=list(there))
        for path, there in by_path.items()
    ]

    async def missing(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        response = refuse(request, error)
        response.headers.update(error.headers or {})
        return response

    return Starlette(
        routes=[*served, *beside], exception_handlers={HTTPException: missing}, middleware=middleware
    )


def _endpoint(
    routes: dict[str, R], answer: Answer[R], refuse: Refuse
) -> Callable[[Request], Awaitable[Response]]:
    async def answered(request: Request) -> Response:
        try:
            return await answer(request, routes["GET" if request.method == "HEAD" else request.method])
        except ClientDisconnect:
            return Response(status_code=400)
        except Exception as error:
            return refuse(request, error)

    return answered


def json_answer(value: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """An answer that programs read."""
    return Response(msgspec.json.encode(value), status, headers, "application/json")


def address_of(connection: HTTPConnection) -> str:
    """Whence a request or a WebSocket comes."""
    return connection.client.host if connection.client else ""


def bearer(headers: Mapping[str, str]) -> str:
    """The token of an `Authorization: Bearer …` header; empty where there is none."""
    scheme, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""
