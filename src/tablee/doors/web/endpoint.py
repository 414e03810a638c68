"""From a Starlette request to a route's function and back: identity, checks, decoding, answer, refusal."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
import structlog
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from tablee.club import ClubError
from tablee.club.scopes import Scope

from . import crossing
from .ask import Ask, identified
from .decoding import converted, decoded
from .errors import ErrorAnswer, Refusal, Shown
from .house import House
from .registry import Route

BODY_SECONDS = 30.0
# Why: docs/decisions.md#an-answer-can-be-read
DISCARD_LIMIT = 1024 * 1024
"""Of a body that is too large, so much is read and thrown away, for the answer to arrive."""

BACK_IN_SECONDS = 3
"""After so long somebody who comes while the house closes may hope to find it open again."""

log = structlog.get_logger("tablee.web")


def endpoint(house: House, routes: dict[str, Route]) -> Callable[[Request], Awaitable[Response]]:
    """The Starlette endpoint of one path, with a route for each of its methods."""

    async def answer(request: Request) -> Response:
        method = "GET" if request.method == "HEAD" else request.method
        language = crossing.language_of(request.headers)
        ask: Ask | None = None
        try:
            route = routes[method]
            if house.live.stopping:
                raise Refusal("stopping", seconds=BACK_IN_SECONDS)
            ask = await _ask(house, request, language, route)
            language = ask.language
            return await _answered(ask, request, route)
        except ClientDisconnect:
            return Response(status_code=400)
        except Exception as error:
            return _with_cookies(ask, refused(house.shown(error, language, request.url.path)))

    return answer


def refused(shown: Shown) -> Response:
    """The answer to a request that is refused."""
    headers = {}
    if shown.retry_after is not None:
        headers["Retry-After"] = str(shown.retry_after)
    if shown.status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    if shown.detail.code in ("too_large", "too_slow"):
        headers["Connection"] = "close"
    return _json(ErrorAnswer(shown.detail), shown.status, headers)


def _json(value: Any, status: int, headers: dict[str, str] | None = None) -> Response:
    return Response(msgspec.json.encode(value), status, headers, "application/json")


async def _ask(house: House, request: Request, language: str, route: Route) -> Ask:
    address = request.client.host if request.client else ""
    house.limit_request(address)
    try:
        identity, by_cookie = await identified(house, request.headers)
    except (Refusal, ClubError):
        if not route.signs_in:
            raise
        identity, by_cookie = None, False
    unsafe = request.method not in crossing.SAFE_METHODS
    if by_cookie and unsafe and not crossing.comes_from_our_page(request.headers, house.settings.origins):
        raise Refusal("cross_site")
    if identity is not None:
        language = identity.account.language or language
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
        raw = await _body(ask, request, route.body_limit)
        if raw or not route.body_optional:
            _must_be_json(request)
            arguments["body"] = decoded(raw, route.body_type, route.elements_most)
    result = await route.handler(ask, **arguments)
    if isinstance(result, Response):
        response = result
    elif result is None:
        response = Response(status_code=route.status)
    else:
        response = _json(result, route.status)
    return _with_cookies(ask, response)


def _with_cookies(ask: Ask | None, response: Response) -> Response:
    for cookie in ask.cookies_to_set if ask is not None else ():
        response.headers.append("Set-Cookie", cookie)
    return response


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


def _must_be_json(request: Request) -> None:
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != "application/json":
        raise Refusal("not_json")


async def _body(ask: Ask, request: Request, limit: int) -> bytes:
    announced = request.headers.get("content-length", "0")
    if announced.isdigit() and int(announced) > DISCARD_LIMIT:
        raise Refusal("too_large", limit=limit)
    chunks: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for chunk in request.stream():
                size += len(chunk)
                if size > DISCARD_LIMIT:
                    break
                if size <= limit:
                    chunks.append(chunk)
    except TimeoutError:
        raise Refusal("too_slow") from None
    ask.house.limit_bytes(ask.account_id_if_any, ask.address, size)
    if size > limit:
        raise Refusal("too_large", limit=limit)
    return b"".join(chunks)
