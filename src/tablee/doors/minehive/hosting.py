"""The matches that this node hosts: each behind a port of its own, here or in a process of its own."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Protocol

import structlog

from tablee.doors.minehive.desk import TableDesk
from tablee.doors.minehive.host import SECRET_VARIABLE
from tablee.doors.minehive.match import Match
from tablee.doors.minehive.ports import NoPort
from tablee.tables import Chair
from tablee.wire.gate import Listener

if TYPE_CHECKING:
    from tablee.doors.minehive.door import MinehiveDoor
    from tablee.doors.minehive.hosts import HostConnection

log = structlog.get_logger("tablee.minehive")

RESTARTS = 5
"""Deaths of a host in a row, none of them after a login, after which it is not started again by itself."""


class TooManyMatches(Exception):
    """As many matches run as there may be."""


class TooManyOfOne(Exception):
    """This player has made as many of the running matches as one may."""


class Hosting(Protocol):
    """A match and where it is reached."""

    name: str
    chair: Chair
    """SPECTATOR's, from which the match is looked at."""
    port: int

    async def open(self) -> None:
        """Begin to host; raises NoPort."""
        ...

    async def ready(self) -> None:
        """Wait until clients can join; raises NoPort."""
        ...

    @property
    def hears(self) -> bool:
        """Whether it is told what happens at its table: then it ends by itself."""
        ...

    def accounts(self) -> set[int]:
        """Who is in the match by this host."""
        ...

    def shut_out(self, account_id: int) -> None:
        """Close the connection of somebody who may not play any more."""
        ...

    async def close(self) -> None:
        """Send everybody away and let go of the port."""
        ...


class InlineHosting:
    """A host in this process: the match asks its desk directly."""

    def __init__(self, door: MinehiveDoor, chair: Chair, ended: Callable[[], None]) -> None:
        self.chair = chair
        self.name = chair.info.name
        self.port = 0
        self._door = door
        self._listener: Listener | None = None
        self._match = Match(self.name, chair.view(), door.settings, door.wheel, ended)
        self._match.desk = self._desk = TableDesk(door, chair, self._match, ended)

    async def open(self) -> None:
        host = self._door.settings.host
        for port in self._door.ports.candidates():
            with suppress(OSError):
                self._listener = await self._door.gate.listen(self._match.connection, host, port)
                self.port = self._listener.address[1]
                return
        await self._desk.close()
        raise NoPort

    async def ready(self) -> None:
        if self._listener is None:
            raise NoPort

    @property
    def hears(self) -> bool:
        return True

    def accounts(self) -> set[int]:
        return self._desk.accounts()

    def shut_out(self, account_id: int) -> None:
        self._desk.shut_out(account_id)

    async def close(self) -> None:
        listener, self._listener = self._listener, None
        if listener is not None:
            listener.close()
            await self._match.finish_clicks()
        self._match.end()
        await self._desk.close()


class ProcessHosting:
    """A host in a process of its own, which logs in at the hosts' port; replaced when it dies."""

    def __init__(self, door: MinehiveDoor, chair: Chair, ended: Callable[[], None]) -> None:
        self.chair = chair
        self.name = chair.info.name
        self.port = 0
        self._door = door
        self._ended = ended
        self._closing = False
        self._ready: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._process: asyncio.subprocess.Process | None = None
        self._connection: HostConnection | None = None
        self._desk: TableDesk | None = None
        self._deaths = 0
        self._starting = False
        """Whether a process is being started: one that dies meanwhile is seen to there."""

    async def open(self) -> None:
        self._door.hosts.expect(self.name, self)
        try:
            await self._start()
        except NoPort:
            self._door.hosts.forget(self.name, self)
            raise

    async def ready(self) -> None:
        try:
            self.port = await asyncio.wait_for(asyncio.shield(self._ready), self._door.settings.ready / 1000)
        except TimeoutError:
            raise NoPort from None

    @property
    def hears(self) -> bool:
        return self._desk is not None

    def accounts(self) -> set[int]:
        return set() if self._desk is None else self._desk.accounts()

    def shut_out(self, account_id: int) -> None:
        if self._desk is not None:
            self._desk.shut_out(account_id)

    async def close(self) -> None:
        self._closing = True
        self._door.hosts.forget(self.name, self)
        await self._end_process()  # it finishes the clicks in flight, for which it needs the desk
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()
        await self._let_go()

    # --- from the host's connection ---------------------------------------------------------------------

    @property
    def awaits_login(self) -> bool:
        """Whether a process of ours is about to come: nobody else is taken for it."""
        return self._connection is None and not self._closing

    def logged_in(self, connection: HostConnection) -> TableDesk:
        """Our process has come: from now on it is told everything. Gives the desk that it asks."""
        self._connection = connection
        self._deaths = 0
        self._desk = TableDesk(self._door, self.chair.of_nobody(), connection, self._ended)
        return self._desk

    def listens(self, port: int) -> None:
        """Its clients can join."""
        if not self._ready.done():
            self._ready.set_result(port)

    def ends(self) -> None:
        """It has said its last word: the match is over."""
        self._closing = True
        self._ended()

    def died(self, connection: HostConnection) -> None:
        """Its connection is gone."""
        if connection is self._connection:
            self._connection = None
            if not self._closing and not self._starting:
                self._door.spawn(self._replace())

    # --- how --------------------------------------------------------------------------------------------

    async def _start(self) -> None:
        """Start processes until one listens; raises NoPort."""
        patience = self._door.settings.ready / 1000
        self._starting = True
        try:
            for port in self._door.ports.candidates(self.port):
                if self._closing:
                    break
                self._process = process = await self._spawn(port)
                exited = asyncio.ensure_future(process.wait())
                await asyncio.wait({exited, self._ready}, timeout=patience, return_when="FIRST_COMPLETED")
                exited.cancel()
                if self._ready.done() and self._connection is not None:
                    self.port = self._ready.result()
                    return
                if self._ready.done():
                    self._ready = asyncio.get_running_loop().create_future()
                await self._let_go()
                await self._end_process()
        except asyncio.CancelledError:
            await self._end_process()
            raise
        finally:
            self._starting = False
        raise NoPort

    async def _spawn(self, port: int) -> asyncio.subprocess.Process:
        door = self._door
        ip, server_port = door.hosts.address
        here = "::1" if ":" in ip else "127.0.0.1"
        arguments = [
            here if ip in ("0.0.0.0", "::") else ip,
            server_port,
            self.name,
            door.settings.host,
            port,
        ]
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tablee.doors.minehive.host", *map(str, arguments)),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is for the server, which then ends its hosts
            env={
                **os.environ,
                SECRET_VARIABLE: door.secret,
                "TABLEE_MINEHIVE_PING_SECONDS": str(door.settings.ping / 1000),
                "TABLEE_MINEHIVE_SILENCE_SECONDS": str(door.settings.silence / 1000),
                "TABLEE_NETWORK_CONNECTIONS": str(door.settings.network_connections),
            },
        )

    async def _replace(self) -> None:
        """Its players are out at once; a new host takes the match up from what was saved."""
        log.warning("minehive_host_died", match=self.name)
        self._ready = asyncio.get_running_loop().create_future()
        if self._desk is not None:
            self._desk.put_out()
        await self._let_go()
        await self._end_process()
        while not self._closing and self._deaths < RESTARTS:
            self._deaths += 1
            try:
                await self._start()
                return
            except NoPort:
                log.warning("minehive_host_not_replaced", match=self.name)
        self._ended()

    async def _let_go(self) -> None:
        desk, self._desk = self._desk, None
        if desk is not None:
            await desk.close()

    async def _end_process(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        with suppress(ProcessLookupError):
            process.terminate()
        try:
            await asyncio.wait_for(process.wait(), 5)
        except TimeoutError:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
