"""The AFJD door as the house opens and closes it."""

from __future__ import annotations

import os
import secrets
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Protocol

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
from tablee.doors.afjd.calls import ALL
from tablee.doors.afjd.desk import Desk
from tablee.doors.afjd.settings import SERVICES, AfjdSettings
from tablee.store import Store
from tablee.tables import Tables
from tablee.tables.subscriptions import Subscriptions

FILE = "service-secret"
PREFIX = "/afjd"
DECLARED = (
    *(administration, allocations, emails, games, mastering, players, playing),
    *(solver, subscriptions, talking, users),
)
"""Every module with calls: importing it declares them."""


class Server(Protocol):
    """Something that serves an application on a port."""

    def start(self) -> Awaitable[int]: ...

    def stop(self, patience: float = ...) -> Awaitable[None]: ...


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
        serve: Callable[[ASGIApp, str, int], Server] | None = None,
    ) -> None:
        self.settings = settings or AfjdSettings()
        self.public_url = self.settings.public_url
        self.secret = read_secret(data)
        self._subscriptions = Subscriptions(tables, self._link)
        self.desk = Desk(store, club, tables, clock, self.settings, self.secret, data, self._subscriptions)
        self._serve = serve
        self._servers: list[Server] = []
        self.ports: dict[str, int] = {}
        self.mounts = [
            Mount(f"{PREFIX}/{service.name}", app=application(self.desk, service, f"{PREFIX}/{service.name}"))
            for service in ALL
        ]

    async def start(self) -> None:
        """Find the key of the tokens, open the ports, begin to send letters. Raises OSError."""
        await self.desk.tokens.start()
        by_name = {service.name: service for service in ALL}
        for name, port in zip(SERVICES, self.settings.ports, strict=False):
            assert self._serve is not None
            server = self._serve(application(self.desk, by_name[name], ""), self.settings.host, port)
            self.ports[name] = await server.start()
            self._servers.append(server)
        self._subscriptions.start()

    async def stop(self, patience: float = 10.0) -> None:
        """Take nobody new, finish what is in flight."""
        await self._subscriptions.stop()
        for server in self._servers:
            await server.stop(patience)
        self._servers.clear()
        self.desk.listing.close()

    def _link(self, key: str) -> str:
        return f"{self.public_url.rstrip('/')}{PREFIX}/games/unsubscriptions/{key}"


def read_secret(data: Path) -> str:
    """The services' secret in the data folder, made at the first start, for its owner's eyes alone."""
    file = data / FILE
    data.mkdir(parents=True, exist_ok=True)
    try:
        number = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        kept = file.read_text("ascii").strip()
        if kept:
            return kept
        file.unlink()
        return read_secret(data)
    made = secrets.token_urlsafe(32)
    with os.fdopen(number, "w", encoding="ascii") as opened:
        opened.write(made + "\n")
    return made
