"""The ASGI application: the API, the WebSocket, what the house mounts beside them, and safe headers."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, WebSocketRoute
from starlette.routing import Route as StarletteRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from tablee.wire.http import application as kit

from ..house import House
from ..live.connection import live_endpoint
from ..page import Page
from ..previews import preview_of
from .endpoint import answering, refusing
from .registry import PREFIX, Route

API_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
"""Nothing that the API answers is ever a page."""
SAFE_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def application(
    house: House, routes: Sequence[Route], beside: Sequence[BaseRoute] = (), page: Page | None = None
) -> ASGIApp:
    """The whole application. `beside` are the house's own routes (/healthz, /metrics); without a page there
    is only a sign at `/` that says where the API is."""
    served: list[BaseRoute] = [WebSocketRoute(f"{PREFIX}/live", live_endpoint(house)), *beside]
    if page is None:
        served.append(StarletteRoute("/", _index))
    app = kit.application(routes, answering(house), refusing(house), prefix=PREFIX, beside=served)
    if page is not None:
        app.router.default = _page_or_nothing(house, page)
        app.router.redirect_slashes = False
    return SafeHeaders(app)


def _page_or_nothing(house: House, page: Page) -> ASGIApp:
    """What answers where no route does."""

    async def fallback(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await WebSocketClose()(scope, receive, send)
            return
        request = Request(scope, receive)
        response = page.answer(request, await preview_of(house, request))
        if response is None:
            raise HTTPException(404)
        await response(scope, receive, send)

    return fallback


async def _index(request: Request) -> Response:
    index = {
        "house": "Tablée",
        "api": f"{PREFIX}/",
        "openapi": f"{PREFIX}/openapi.json",
        "live": f"{PREFIX}/live",
    }
    return kit.json_answer(index)


class SafeHeaders:
    """Adds the headers that keep browsers careful; a route that has set one of them keeps its own."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        is_api = scope["path"].startswith(PREFIX)

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in SAFE_HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("Content-Security-Policy", API_POLICY)
                if is_api:
                    headers.setdefault("Cache-Control", "no-store")
                    headers.setdefault("Vary", "Accept-Language, Cookie, Authorization")
                if scope["scheme"] == "https":
                    headers.setdefault("Strict-Transport-Security", "max-age=31536000")
            await send(message)

        await self._app(scope, receive, send_safely)
