"""The AFJD door as the house opens and closes it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from starlette.routing import Mount
from starlette.types import ASGIApp

from tablee.clock import Clock
from tablee.club import Club
from tablee.doors.afjd import (
    administration,
    allocations,
    emails,
    games,
    mastering,
    players,
    playing,
    solver,
    subscriptions,
    talking,
    users,
)
from tablee.doors.afjd.application import application
from tablee.doors.afjd.calls import ALL, Service
from tablee.doors.afjd.house import House
from tablee.doors.afjd.secret import shared_secret
from tablee.doors.afjd.settings import SERVICES, AfjdSettings
from tablee.store import Store
from tablee.tables import Tables
from tablee.wire.http.server import WebServer

PREFIX = "/afjd"
DECLARED = (
    *(administration, allocations, emails, games, mastering, players, playing),
    *(solver, subscriptions, talking, users),
)
"""Every module with calls: importing it declares them."""


class AfjdDoor:
    """Five services: as `mounts` of the main port, and on ports of their own where the settings say so.

    `serve` makes a server for an application, a host and a port.
    """

    def __init__(
        self,
        store: Store,
        club: Club,
        tables: Tables,
        clock: Clock,
        data: Path,
        settings: AfjdSettings | None = None,
        serve: Callable[[ASGIApp, str, int], WebServer] | None = None,
    ) -> None:
        self.settings = settings or AfjdSettings()
        self._data = data
        self.house = House(store, club, tables, clock, self.settings, data)
        self._serve = serve
        self._servers: list[WebServer] = []
        self.ports: dict[str, int] = {}
        self.mounts = [_mount(self.house, service) for service in ALL]

    async def start(self) -> None:
        """Find the key of the tokens and the secret, open the ports, send letters. Raises OSError."""
        self.house.secret = await shared_secret(self.house.store, self._data)
        await self.house.tokens.start()
        by_name = {service.group: service for service in ALL}
        for name, port in zip(SERVICES, self.settings.ports, strict=False):
            assert self._serve is not None
            server = self._serve(application(self.house, by_name[name], ""), self.settings.host, port)
            self.ports[name] = await server.start()
            self._servers.append(server)

    @property
    def secret(self) -> str:
        """What the calls that are grey in the document want to hear."""
        return self.house.secret

    async def stop(self, patience: float = 10.0) -> None:
        """Take nobody new, finish what is in flight."""
        for server in self._servers:
            await server.stop(patience)
        self._servers.clear()
        self.house.listing.close()


def _mount(house: House, service: Service) -> Mount:
    """A service under its prefix; a path with a line break in it is the service's to refuse, too."""
    prefix = f"{PREFIX}/{service.group}"
    mount = Mount(prefix, app=application(house, service, prefix))
    mount.path_regex = re.compile(mount.path_regex.pattern, re.DOTALL)
    return mount
