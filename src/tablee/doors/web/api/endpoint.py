"""From a Starlette request to a route's function and back: identity, checks, decoding, answer, refusal."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from typing import Any

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from tablee.club import ClubError
from tablee.club.limits import network
from tablee.club.scopes import Scope
from tablee.wire.http.application import address_of, json_answer
from tablee.wire.http.bodies import body_of, media_type_of

from ..house import House
from . import credentials
from .ask import Ask, identified
from .decoding import converted, decoded
from .errors import ErrorAnswer, Refusal, Shown
from .registry import Route

BACK_IN_SECONDS = 3
"""After so long somebody who comes while the house closes may hope to find it open again."""

ASK = "tablee.ask"
"""Where the scope of a request keeps who asks, once that is known: a refusal speaks his language."""


def answering(house: House) -> Callable[[Request, Route], Awaitable[Response]]:
    """How this house answers a request for a route."""

    async def answer(request: Request, route: Route) -> Response:
        if house.live.stopping:
            raise Refusal("stopping", seconds=BACK_IN_SECONDS)
        address = address_of(request)
        house.limit_request(address)
        async with house.turnstile.turn(network(address)) if route.takes_turns else nullcontext():
            ask = request.scope[ASK] = await _ask(house, request, route)
            return _with_cookies(ask, await _answered(ask, request, route))

    return answer


def refusing(house: House) -> Callable[[Request, Exception], Response]:
    """How this house says no, to whatever was raised."""

    def refuse(request: Request, error: Exception) -> Response:
        ask: Ask | None = request.scope.get(ASK)
        if isinstance(error, HTTPException):
            code = {404: "no_such_route", 405: "method_not_allowed"}.get(error.status_code, "invalid")
            error = Refusal(code, method=request.method, detail=error.detail)
        language = credentials.language_of(request.headers) if ask is None else ask.language
        response = _refused(house.shown(error, language, request.url.path))
        return response if ask is None else _with_cookies(ask, response)

    return refuse


def _refused(shown: Shown) -> Response:
    headers = {}
    if shown.retry_after is not None:
        headers["Retry-After"] = str(shown.retry_after)
    if shown.status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    if shown.detail.code in ("too_large", "too_slow"):
        headers["Connection"] = "close"
    return json_answer(ErrorAnswer(shown.detail), shown.status, headers)


def _with_cookies(ask: Ask, response: Response) -> Response:
    for cookie in ask.cookies_to_set:
        response.headers.append("Set-Cookie", cookie)
    return response


async def _ask(house: House, request: Request, route: Route) -> Ask:
    address = address_of(request)
    try:
        identity, by_cookie = await identified(house, request.headers)
    except (Refusal, ClubError):
        if not route.signs_in:
            raise
        identity, by_cookie = None, False
    unsafe = request.method not in credentials.SAFE_METHODS
    if by_cookie and unsafe and not credentials.comes_from_our_page(request.headers, house.settings.origins):
        raise Refusal("cross_site")
    language = identity.account.language if identity is not None else ""
    language = language or credentials.language_of(request.headers)
    secure = house.settings.secure_cookies or request.url.scheme == "https"
    return Ask(house, identity, by_cookie, language, address, request.headers, secure)


async def _answered(ask: Ask, request: Request, route: Route) -> Response:
    ask.must_be(route)
    if ask.identity is not None and route.scope is not Scope.READ:
        await ask.house.club.sessions.note_acting(
            ask.identity, f"{route.method} {request.url.path}", ask.address
        )
    arguments: dict[str, Any] = {}
    for name, kind in route.path_types.items():
        arguments[name] = _path_value(request.path_params[name], kind)
    if route.query_type is not None:
        arguments["query"] = _query(request, route.query_type)
    if route.body_type is not None:
        raw = await body_of(request, route.body_limit, ask.count_bytes)
        if raw or not route.body_optional:
            if media_type_of(request) != "application/json":
                raise Refusal("not_json")
            arguments["body"] = decoded(raw, route.body_type, route.elements_most)
    result = await route.handler(ask, **arguments)
    if isinstance(result, Response):
        return result
    return Response(status_code=route.status) if result is None else json_answer(result, route.status)


def _path_value(text: str, kind: Any) -> Any:
    try:
        if "\0" in text:
            raise Refusal("not_found")
        return converted(text, kind, strict=False)
    except Refusal:
        # An id that cannot be one names nothing: the same answer as for one that is not given yet.
        raise Refusal("not_found") from None


def _query(request: Request, kind: type[msgspec.Struct]) -> Any:
    values: dict[str, str] = {}
    for name, value in request.query_params.multi_items():
        if "\0" in name or "\0" in value:
            raise Refusal("invalid", detail="a NUL character", at=f"?{name[:50]}")
        if name in values:
            raise Refusal("invalid", detail=f"`{name[:50]}` is given twice", at="?")
        values[name] = value
    return converted(values, kind, strict=False)
