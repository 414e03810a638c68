"""The web door as the house opens and closes it."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.routing import BaseRoute

from tablee.clock import Clock
from tablee.club import Club
from tablee.club.limits import network
from tablee.store import Store
from tablee.tables import Tables
from tablee.tournaments.office import Tournaments
from tablee.wire.gate import Gate
from tablee.wire.http.server import WebServer

from .api.application import application
from .api.endpoint import BACK_IN_SECONDS
from .house import House, WebSettings
from .page import Page
from .routes import ALL, DRAWN
from .stopping import stop_routes


class WebDoor:
    """API, WebSocket and page on one port. `beside` are routes of the house's own: /healthz, /metrics."""

    def __init__(
        self,
        store: Store,
        club: Club,
        tables: Tables,
        clock: Clock,
        *,
        host: str = "127.0.0.1",
        port: int = 8000,
        settings: WebSettings | None = None,
        trusted_proxies: tuple[str, ...] = (),
        beside: Sequence[BaseRoute] = (),
        page: Page | None = None,
        gate: Gate | None = None,
        tournaments: Tournaments | None = None,
    ) -> None:
        self.house = House(store, club, tables, clock, settings, DRAWN, tournaments)
        self.app = application(self.house, ALL, [*stop_routes(self.house), *beside], page)
        gate = gate or Gate(trusted=trusted_proxies, network_of=network)
        self._server = WebServer(self.app, host, port, trusted_proxies=trusted_proxies, gate=gate)

    async def start(self) -> int:
        """Open the door; gives the port that is really bound. Raises OSError with a sentence."""
        port = await self._server.start()
        self.house.live.start()
        return port

    async def stop(self, patience: float = 10.0) -> None:
        """Say goodbye to those who are connected, finish the requests in flight, close."""
        await self.house.live.stop("stopping", BACK_IN_SECONDS * 1000)
        await self._server.stop(patience)

    def connections(self) -> int:
        """How many WebSockets are open, for the metrics."""
        return self.house.live.count()
