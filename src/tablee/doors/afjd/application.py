"""Each service as an ASGI application: from a request to its call, and back."""

from __future__ import annotations

import asyncio
import secrets
from typing import Any

import msgspec
import structlog
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tablee.club import ClubError, TooMany, patience
from tablee.club.limits import network
from tablee.doors.afjd.calls import Call, Service
from tablee.doors.afjd.house import Ask, House
from tablee.doors.afjd.openapi import describe
from tablee.doors.afjd.parameters import demand_text
from tablee.doors.afjd.reading import read_parameters
from tablee.doors.afjd.refusal import Refusal, said
from tablee.doors.afjd.tokens import token_of
from tablee.store import Conflict, Duplicate, Refused, Unavailable
from tablee.tables import NoSuchTable, TableError
from tablee.wire.http import application as kit
from tablee.wire.http.bodies import TooLarge, TooSlow

log = structlog.get_logger("tablee.afjd")
Json = Any
MISSING = {404: "There is no such call", 405: "This call has no such method"}
SAFE_HEADERS = {"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store"}


def application(house: House, service: Service, prefix: str) -> Starlette:
    """One service; its description is at `/openapi.json`."""
    description = msgspec.json.encode(describe(service, prefix))

    async def openapi(request: Request) -> Response:
        return Response(description, media_type="application/json", headers=SAFE_HEADERS)

    async def answer(request: Request, call: Call) -> Response:
        return await _answered(house, call, request)

    app = kit.application(
        service.routes,
        answer,
        _refused,
        beside=[Route("/openapi.json", openapi)],
        middleware=_other_origins(house.settings.origins),
    )
    app.router.redirect_slashes = False  # a path with a slash too many is no call, and told so in our words
    return app


async def _answered(house: House, call: Call, request: Request) -> Response:
    address = kit.address_of(request)
    headers = {name.lower(): request.headers.get(name, "") for name in _HEADERS}
    asked = f"{call.method} {request.url.path}"
    ask = Ask(house, "", token_of(headers), headers["servicesecret"], address, asked, call.scope)
    try:
        _admit(house, ask, call)
        values, ask.pseudo = await read_parameters(request, call, lambda size: _count_bytes(house, ask, size))
    except TooMany:
        await asyncio.sleep(patience.REFUSED_AFTER)
        raise
    in_path = {}
    for name, value in request.path_params.items():
        demand_text(value, name)
        in_path[f"{name}_in_path" if name in values else name] = value
    result = await call.handler(ask, **in_path, **values)
    if isinstance(result, Response):
        result.headers.update({k: v for k, v in SAFE_HEADERS.items() if k not in result.headers})
        return result
    return _answer(result, call.status)


def _admit(house: House, ask: Ask, call: Call) -> None:
    """Decide who may call, and how often, before anything of it is read. Raises Refusal, TooMany."""
    if ask.has_secret:
        return
    house.limits.take("afjd", network(ask.address))
    if call.secret and not (call.opened_by and getattr(house.settings, call.opened_by)):
        raise Refusal(403, "This call is closed: the services' secret is needed")
    if call.reckons:
        ask.may_reckon()


def _count_bytes(house: House, ask: Ask, size: int) -> None:
    """A caller with the secret is no stranger: nothing of his is counted."""
    if not ask.has_secret:
        house.limits.take("afjd_bytes", network(ask.address), size)


_HEADERS = ("AccessToken", "Authorization", "ServiceSecret")


def _other_origins(origins: tuple[str, ...]) -> list[Middleware]:
    """Let browsers show pages of these origins what we answer; cookies are none of it."""
    if not origins:
        return []
    return [
        Middleware(
            CORSMiddleware,
            allow_origins=origins,
            allow_methods=("GET", "POST", "PUT", "DELETE"),
            allow_headers=(*_HEADERS, "Content-Type"),
            expose_headers=("Retry-After",),
        )
    ]


def _answer(value: Json, status: int, **headers: str) -> Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return kit.json_answer(value, status, {**SAFE_HEADERS, **named})


def _refused(request: Request, error: Exception) -> Response:
    match error:
        case Refusal():
            return _answer({"msg": error.sentence, **error.more}, error.status)
        case HTTPException():
            return _answer({"msg": MISSING.get(error.status_code, error.detail)}, error.status_code)
        case TooLarge():
            return _answer({"msg": str(error)}, 413, Connection="close")
        case TooSlow():
            return _answer({"msg": "The body came too slowly"}, 400)
        case TooMany():
            return _answer({"msg": said(error)}, 429, Retry_After=str(error.seconds))
        case ClubError():
            return _answer({"msg": said(error)}, 400)
        case NoSuchTable():
            return _answer({"msg": error.sentence("en")}, 404)
        case Conflict() | Duplicate():
            sentence = "Somebody else has changed the same thing at the same moment: try again"
            return _answer({"msg": sentence}, 503, Retry_After="1")
        case Unavailable() | TableError(kind="unavailable"):
            return _answer({"msg": "The database cannot be used now: try again"}, 503, Retry_After="5")
        case TableError():
            return _answer({"msg": error.sentence("en")}, 400)
        case Refused():
            return _answer({"msg": "The database does not take this"}, 400)
    reference = secrets.token_hex(4)
    log.error(
        "a call failed", method=request.method, path=request.url.path, reference=reference, exc_info=error
    )
    return _answer({"msg": f"Internal error; the log knows it as {reference}"}, 500)
