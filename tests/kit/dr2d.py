"""A house with a DR2D door in this process, and consoles over real WebSockets."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from tests.kit.rooms import PASSWORD, Rooms
from tests.kit.waiting import PATIENCE
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tablee.clock import Clock
from tablee.club import Account
from tablee.club.limits import Bucket
from tablee.doors.dr2d import Dr2dSettings
from tablee.doors.dr2d.door import Dr2dDoor
from tablee.rules import games_of
from tablee.rules.robots import PracticeRules, RaceRules
from tablee.store import Store
from tablee.tables import HouseTable, TablePlan
from tablee.wire.http.server import WebServer

Json = Any


class House(Rooms):
    """The rooms and a DR2D door, on a free port."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        data: Path | None = None,
        *,
        serve: Any = WebServer,
        arrivals: int = 600,
        **changed: Any,
    ) -> None:
        limits = {"visitor": Bucket(10_000, 1), "sign_up": Bucket(10_000, 1)}
        limits["console"] = Bucket(arrivals, 3600)
        super().__init__(store, clock, data, games=games_of(RaceRules(), PracticeRules()), limits=limits)
        settings = Dr2dSettings(port=0, **changed)
        self.door = Dr2dDoor(store, self.club, self.tables, clock, settings, serve)
        self._consoles: list[Console] = []

    async def open_door(self) -> None:
        await self.door.start()

    async def close_door(self) -> None:
        for console in self._consoles:
            await console.close()
        await self.door.stop(1.0)

    def url(self, query: str = "") -> str:
        return f"ws://127.0.0.1:{self.door.port}/dr2d{query}"

    async def console(self, query: str = "", **options: Any) -> Console:
        """A connection, whatever becomes of it."""
        options.setdefault("subprotocols", ["dr2d"])
        socket = await connect(self.url(query), max_size=None, close_timeout=2, **options)
        console = Console(socket)
        self._consoles.append(console)
        return console

    async def table(self, seats: int, host: int | None = None, **options: Any) -> HouseTable:
        """A table as the page makes it."""
        options = {"seats": seats, **options}
        host = host or (await self.club.accounts.create_visitor()).id
        return await self.tables.creating.create(TablePlan("robots", "race", options, host, people=()))

    async def pair(self, **changed: Any) -> tuple[Console, Console]:
        """Two consoles whose game has begun, past PlayersDiscovery."""
        first = await self.console()
        assert await first.service() == "PlayersDiscovery"
        second = await self.console()
        assert await second.service() == "PlayersDiscovery"
        return first, second

    async def racing(self) -> tuple[Console, Console]:
        """Two consoles that are asked for their first cartouche."""
        pair = await self.pair()
        for console in pair:
            while await console.call() != "InitPlayerLocalization":
                await console.echo()
        for console in pair:
            await console.echo()
        for console in pair:
            while await console.call() != "RoundRequireCartouche":
                await console.echo()
        return pair

    async def member(self, name: str) -> tuple[Account, str]:
        """A member and a token of his."""
        account = await self.club.accounts.create(name, PASSWORD)
        return account, (await self.club.sessions.open(account, "bot", "console")).access

    def view(self, table_id: int, seat: int = 1) -> Json:
        return self.tables.loaded[table_id].view(seat)

    @property
    def table_id(self) -> int:
        """The table that consoles play at here, where there is one."""
        [table_id] = self.door.races
        return table_id


class Console:
    """One end of a real WebSocket, driven frame by frame. Every frame that came is in `frames`."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.frames: list[Json] = []
        self.asked: Json = None
        self.player_uid = ""

    async def frame(self) -> Json:
        """The next frame; None when the other end has closed."""
        async with asyncio.timeout(PATIENCE):
            try:
                text = await self.socket.recv()
            except ConnectionClosed:
                return None
        assert isinstance(text, str), "frames are text"
        self.frames.append(json.loads(text))
        return self.frames[-1]

    async def service(self) -> str:
        """The code of the next frame, which is a service message."""
        frame = await self.frame()
        assert "ShortMessageService" in (frame or {}), frame
        return str(frame["ShortMessageService"]["msgCode"])

    async def call(self) -> str:
        """The sequence of the next frame, which is a call."""
        frame = await self.frame()
        assert "stgyCall" in (frame or {}), frame
        self.asked = frame["stgyCall"]
        if self.asked["seq"] == "GameInitialisation":
            self.player_uid = self.asked["argsIn"]["playerUID"]
        return str(self.asked["seq"])

    async def reply(self, **changed: Any) -> None:
        """Answer the last call, with its own arguments but for what is changed."""
        frame = {name: self.asked[name] for name in ("seq", "token", "argsRef")}
        await self.say({"stgyReply": {**frame, **changed}})

    async def echo(self) -> None:
        """The elementary reply of the document."""
        await self.reply()

    async def program(self, *registers: list[str]) -> None:
        await self.reply(argsRef={"cartouche": list(registers)})

    async def say(self, frame: Json) -> None:
        await self.socket.send(json.dumps(frame))

    async def until(self, seq: str) -> list[str]:
        """Echo every call until this one has come, which waits; gives the sequences on the way."""
        met: list[str] = []
        while True:
            frame = await self.frame()
            assert frame is not None, f"closed before {seq}: {met}"
            if "stgyCall" not in frame:
                continue
            self.asked = frame["stgyCall"]
            met.append(self.asked["seq"])
            if met[-1] == seq:
                return met
            await self.echo()

    async def closed(self) -> tuple[int, str]:
        """Read to the end; gives its code and reason."""
        while await self.frame() is not None:
            pass
        return self.socket.close_code or 0, self.socket.close_reason or ""

    async def close(self) -> None:
        await self.socket.close()

    def reset(self) -> None:
        """Break the connection without a word."""
        self.socket.transport.abort()


Opener = Callable[..., Awaitable[House]]
