"""A whole house in this process, with a real socket: store, club, tables and the web door."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import msgspec
from sqlalchemy import select
from tests.kit.http import NO_CERTIFICATES
from tests.kit.rooms import PASSWORD, Rooms
from tests.kit.waiting import PATIENCE
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tablee.clock import Clock, WallClock
from tablee.club.limits import Bucket
from tablee.doors.web import WebDoor, WebSettings
from tablee.store import Query, Store
from tablee.store.schema import outbox
from tablee.tables import Pace

Json = Any
WEB_PLENTY = {
    name: Bucket(1_000_000, 60)
    for name in (
        *("web", "web_play", "web_create", "web_invite", "web_solver", "web_analysis", "web_history"),
        "web_own_games",
    )
} | {"web_bytes": Bucket(1_000_000_000, 60)}
_names = itertools.count(1)


class House(Rooms):
    """The house under test, and whoever comes to it."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        data: Path | None = None,
        *,
        settings: WebSettings | None = None,
        **choices: Any,
    ) -> None:
        super().__init__(store, clock, data, seed=7, pace=Pace(1, 2), **choices)
        chosen = settings or WebSettings(limits=WEB_PLENTY)
        self.door = WebDoor(store, self.club, self.tables, clock, port=0, settings=chosen)
        self._guests: list[Guest] = []

    async def open_door(self) -> None:
        self.port = await self.door.start()
        self.url = f"http://127.0.0.1:{self.port}"

    async def close_door(self) -> None:
        for guest in self._guests:
            await guest.close()
        await self.door.stop(patience=2)

    def nobody(self, **headers: str) -> Guest:
        """Somebody who has not said who he is."""
        guest = Guest(self, headers)
        self._guests.append(guest)
        return guest

    async def visitor(self, **headers: str) -> Guest:
        guest = self.nobody(**headers)
        guest.became(await guest.post("/visitors", {}, status=201))
        return guest

    async def member(self, pseudo: str | None = None, **fields: Json) -> Guest:
        guest = self.nobody()
        name = pseudo or f"Membre{next(_names)}"
        body = {"pseudo": name, "password": PASSWORD, **fields}
        guest.became(await guest.post("/accounts", body, status=201))
        return guest

    async def administrator(self, pseudo: str = "Cheffe") -> Guest:
        """The super-administrator."""
        await self.club.roles.name_super(pseudo, PASSWORD)
        guest = self.nobody()
        guest.became(await guest.post("/session", {"name": pseudo, "password": PASSWORD}))
        return guest

    async def last_letter(self, to: str) -> str:
        """The text of the newest letter to this address."""
        rows = await self.store.rows(Query(select(outbox.c.payload).order_by(outbox.c.id)))
        letters = [json.loads(row.payload) for row in rows]
        return str([letter["text"] for letter in letters if letter["to"] == to][-1])


class Guest:
    """A client with a token, over HTTP and over WebSockets."""

    def __init__(self, house: House, headers: dict[str, str]) -> None:
        self.house = house
        self.http = httpx.AsyncClient(
            base_url=house.url, headers=headers, timeout=PATIENCE, verify=NO_CERTIFICATES
        )
        self.id = 0
        self.pseudo = ""
        self.access = ""
        self.refresh = ""
        self._lives: list[Live] = []

    def became(self, signed_in: Json) -> None:
        self.id = signed_in["account"]
        self.pseudo = signed_in["pseudo"]
        self.access = signed_in["access"]
        self.refresh = signed_in["refresh"]
        self.http.headers["Authorization"] = f"Bearer {self.access}"

    async def ask(self, method: str, path: str, body: Json = None, **parameters: Json) -> httpx.Response:
        content = None if body is None else msgspec.json.encode(body)
        headers = {} if body is None else {"Content-Type": "application/json"}
        given = {name: value for name, value in parameters.items() if value is not None}
        return await self.http.request(
            method, "/api/v1" + path, content=content, headers=headers, params=given or None
        )

    async def get(self, path: str, status: int = 200, **parameters: Json) -> Json:
        return _checked(await self.ask("GET", path, **parameters), status)

    async def post(self, path: str, body: Json = None, status: int = 200) -> Json:
        return _checked(await self.ask("POST", path, body), status)

    async def put(self, path: str, body: Json = None, status: int = 200) -> Json:
        return _checked(await self.ask("PUT", path, body), status)

    async def patch(self, path: str, body: Json, status: int = 200) -> Json:
        return _checked(await self.ask("PATCH", path, body), status)

    async def delete(self, path: str, status: int = 204) -> Json:
        return _checked(await self.ask("DELETE", path), status)

    async def refused(self, method: str, path: str, body: Json = None, **parameters: Json) -> Json:
        """What is wrong with a request that must be refused."""
        response = await self.ask(method, path, body, **parameters)
        assert 400 <= response.status_code < 500, response.text
        return response.json()["error"]

    async def live(self, **options: Json) -> Live:
        """A WebSocket, welcomed already."""
        headers = {"Authorization": f"Bearer {self.access}"} if self.access else {}
        socket = await connect(
            f"ws://127.0.0.1:{self.house.port}/api/v1/live",
            additional_headers=headers,
            compression=None,
            max_size=None,
            close_timeout=0.2,  # who leaves does not wait for what he has not read
            **options,
        )
        live = Live(socket)
        self._lives.append(live)
        live.welcome = await live.take("welcome")
        return live

    async def close(self) -> None:
        for live in self._lives:
            await live.close()
        await self.http.aclose()


class Live:
    """One WebSocket: what came and was not asked for yet waits in order."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.welcome: Json = None
        self.waiting: list[Json] = []
        self._ids = itertools.count(1)

    async def send(self, message: Json) -> None:
        await self.socket.send(json.dumps(message))

    async def take(self, kind: str, when: Callable[[Json], bool] = lambda _: True) -> Json:
        """The next message of this type that fits, leaving the others for later."""
        return await self.first(lambda message: message["type"] == kind and when(message))

    async def first(self, when: Callable[[Json], bool]) -> Json:
        """The next message that fits, whatever its type."""
        for place, message in enumerate(self.waiting):
            if when(message):
                return self.waiting.pop(place)
        try:
            async with asyncio.timeout(PATIENCE):
                while True:
                    message = json.loads(await self.socket.recv())
                    if when(message):
                        return message
                    self.waiting.append(message)
        except TimeoutError:
            raise AssertionError(f"waited in vain; what came instead: {self.waiting}") from None

    async def subscribe(self, topic: str, **fields: Json) -> None:
        number = next(self._ids)
        await self.send({"type": "subscribe", "id": number, "to": {"topic": topic, **fields}})
        await self.take("ok", lambda message: message["id"] == number)

    async def refusal_of(self, message: Json) -> Json:
        """What is wrong with a message that must be refused."""
        number = next(self._ids)
        await self.send({"id": number, **message})
        return (await self.take("error", lambda answer: answer.get("id") == number))["error"]

    async def settled(self) -> list[Json]:
        """Everything that has come by now; a ping makes sure that it has."""
        number = next(self._ids)
        await self.send({"type": "ping", "id": number})
        await self.take("pong", lambda answer: answer["id"] == number)
        came, self.waiting = self.waiting, []
        return came

    async def end(self) -> int:
        """Read to the end; gives the code with which the connection was closed."""
        async with asyncio.timeout(PATIENCE):
            while True:
                try:
                    self.waiting.append(json.loads(await self.socket.recv()))
                except ConnectionClosed as closed:
                    return closed.rcvd.code if closed.rcvd is not None else 1006

    async def close(self) -> None:
        await self.socket.close()


def _checked(response: httpx.Response, status: int) -> Json:
    assert response.status_code == status, f"{response.request.url}: {response.status_code} {response.text}"
    return response.json() if response.content else None


@asynccontextmanager
async def open_house(database: str, *, clock: Clock | None = None, **choices: Any) -> AsyncIterator[House]:
    """A house with its web door open on a free port."""
    house = await House.open(database, clock or WallClock(), **choices)
    try:
        yield house
    finally:
        await house.close()


def patched(view: Json, patch: Json) -> Json:
    """A view after a JSON merge patch, as any client would apply it (RFC 7396)."""
    if not isinstance(patch, dict):
        return patch
    result = dict(view) if isinstance(view, dict) else {}
    for key, value in patch.items():
        if value is None:
            result.pop(key, None)
        else:
            result[key] = patched(result.get(key), value)
    return result
