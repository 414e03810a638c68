"""A whole house in this process, with real sockets: the AFJD services and the web door."""

from __future__ import annotations

import itertools
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
from sqlalchemy import select
from tests.kit.http import NO_CERTIFICATES
from tests.kit.rooms import PLENTY, Rooms
from tests.kit.waiting import PATIENCE

from tablee.clock import Clock, WallClock
from tablee.club.limits import Bucket
from tablee.doors.afjd import AfjdDoor, AfjdSettings
from tablee.doors.web import WebDoor, WebSettings
from tablee.rules.diplomacy.variant import load_variant
from tablee.store import Query, Store
from tablee.store.schema import outbox
from tablee.tables import Pace
from tablee.tables.calendar import ClubCalendar
from tablee.wire.http.server import WebServer

Json = Any
LIMITS = PLENTY | {
    name: Bucket(1_000_000, 60)
    for name in (
        "press",
        "afjd",
        "afjd_create",
        "afjd_solver",
        "position_code",
        "web",
        "web_play",
        "web_create",
        "web_invite",
    )
}
SERVICES = ("users", "emails", "players", "games", "solver")
STANDARD = load_variant("standard")
ZONE = {code: zone for zone, code in enumerate(STANDARD.codes) if zone}
_names = itertools.count(1)


class Person:
    """Somebody with an account and a token."""

    def __init__(self, house: House, pseudo: str, number: int, token: str) -> None:
        self.house = house
        self.pseudo = pseudo
        self.id = number
        self.token = token

    async def ask(self, method: str, path: str, service: Json = "games", **given: Json) -> httpx.Response:
        """A call in one's own name."""
        given.setdefault("pseudo", self.pseudo)
        return await self.house.ask(method, path, service, token=self.token, **given)

    async def get(self, path: str, status: Json = 200, **given: Json) -> Json:
        return checked(await self.ask("GET", path, **given), status)

    async def post(self, path: str, status: Json = 201, **given: Json) -> Json:
        return checked(await self.ask("POST", path, **given), status)

    async def put(self, path: str, status: Json = 200, **given: Json) -> Json:
        return checked(await self.ask("PUT", path, **given), status)

    async def delete(self, path: str, status: Json = 200, **given: Json) -> Json:
        return checked(await self.ask("DELETE", path, **given), status)


class House(Rooms):
    """The house under test, and whoever comes to it."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        data: Path,
        *,
        settings: AfjdSettings | None = None,
        zone: str = "Europe/Paris",
    ) -> None:
        super().__init__(
            store, clock, data, seed=7, limits=LIMITS, pace=Pace(1, 2), calendar=ClubCalendar(zone)
        )
        chosen = settings or AfjdSettings(limits=LIMITS)
        self.club.home = "https://jeux.exemple.fr"
        self.door = AfjdDoor(store, self.club, self.tables, clock, data, chosen, WebServer)
        self.http = httpx.AsyncClient(timeout=PATIENCE, verify=NO_CERTIFICATES)

    async def open_door(self) -> None:
        await self.door.start()
        self.web = WebDoor(
            self.store,
            self.club,
            self.tables,
            self.clock,
            port=0,
            settings=WebSettings(limits=LIMITS),
            beside=self.door.mounts,
        )
        self.port = await self.web.start()
        self.url = f"http://127.0.0.1:{self.port}"

    async def close_door(self) -> None:
        await self.http.aclose()
        await self.web.stop(patience=2)
        await self.door.stop(patience=2)

    def at(self, service: str, path: str) -> str:
        return f"{self.url}/afjd/{service}{path}"

    async def ask(
        self,
        method: str,
        path: str,
        service: Json = "games",
        *,
        token: Json = "",
        secret: Json = False,
        as_json: Json = False,
        **given: Json,
    ) -> httpx.Response:
        """A call with its parameters as a form, or as JSON."""
        headers = {"AccessToken": token} if token else {}
        if secret:
            headers["ServiceSecret"] = self.door.secret
        sent = {key: value for key, value in given.items() if value is not None}
        if as_json:
            return await self.http.request(method, self.at(service, path), headers=headers, json=sent)
        form = {
            key: value if isinstance(value, str | int) else json.dumps(value) for key, value in sent.items()
        }
        return await self.http.request(method, self.at(service, path), headers=headers, data=form)

    async def get(self, path: str, status: Json = 200, service: Json = "games", **given: Json) -> Json:
        return checked(await self.ask("GET", path, service, **given), status)

    async def post(self, path: str, status: Json = 201, service: Json = "games", **given: Json) -> Json:
        return checked(await self.ask("POST", path, service, **given), status)

    async def person(self, pseudo: str | None = None) -> Person:
        """A new player, signed up and logged in through the services."""
        name = pseudo or f"Joueur{next(_names)}"
        await self.post(
            "/players",
            service="players",
            pseudo=name,
            password=name,
            email=f"{name.lower()}@exemple.fr",
            country="FRA",
            time_zone="UTC + 1",
        )
        number = await self.get(f"/player_identifiers/{name}", service="players")
        return Person(self, name, number, await self.log_in(name, name))

    async def log_in(self, pseudo: str, password: str) -> str:
        body = {"user_name": pseudo, "password": password}
        answer = await self.ask("POST", "/login", "users", as_json=True, **body)
        return str(checked(answer, 200)["AccessToken"])

    async def super_administrator(self) -> Person:
        account, _ = await self.club.roles.name_super("Cheffe", "Cheffe")
        return Person(self, "Cheffe", account.id, await self.log_in("Cheffe", "Cheffe"))

    async def letters(self, to: str) -> list[str]:
        """The texts of all letters to this address, the oldest first."""
        rows = await self.store.rows(Query(select(outbox.c.payload).order_by(outbox.c.id)))
        found = [json.loads(row.payload) for row in rows]
        return [letter["text"] for letter in found if letter.get("to") == to]

    async def game(self, master: Person, name: Json = None, **given: Json) -> Game:
        """A new game of this master."""
        called = name or f"Partie{next(_names)}"
        await master.post("/games", name=called, **given)
        return Game(self, called, await self.get(f"/game-identifiers/{called}"), master)

    async def running(self, players: Json = 7, **given: Json) -> Game:
        """A game that has begun, with new people."""
        game = await self.game(await self.person(), **given)
        for _ in range(players):
            await game.join(await self.person())
        await game.start()
        return game


class Game:
    """A game, its master and, once it has begun, who plays what."""

    def __init__(self, house: House, name: str, number: int, master: Person) -> None:
        self.house = house
        self.name = name
        self.id = number
        self.master = master
        self.people: list[Person] = []
        self.player: dict[int, Person] = {}

    async def join(self, person: Person) -> None:
        await person.post("/allocations", game_id=self.id, player_id=person.id)
        self.people.append(person)

    async def start(self) -> None:
        await self.master.put(f"/games/{self.name}", current_state=1)
        await self.learn()

    async def learn(self) -> None:
        """Who plays what, as its master may know."""
        found = await self.master.get(f"/game-allocations/{self.id}")
        by_id = {person.id: person for person in self.people}
        self.player = {}
        for number, roles in found.items():
            for role in roles if isinstance(roles, list) else [roles]:
                if role > 0:
                    self.player[role] = by_id[int(number)]

    async def informations(self) -> Json:
        return await self.master.get(f"/games/{quote(self.name)}")

    async def position(self) -> Json:
        return await self.house.get(f"/game-positions/{self.id}")

    async def hold(self, *roles: int, **given: Json) -> None:
        """These roles order all their units to hold."""
        units = (await self.position())["units"]
        for role in roles:
            orders = [hold(role, kind, zone) for kind, zone in units[str(role)]]
            person = self.player[role]
            await person.post(f"/game-orders/{self.id}", role_id=role, orders=orders, **given)


def hold(role: int, kind: int, zone: int) -> Json:
    return {"order_type": 4, "active_unit": {"type_unit": kind, "role": role, "zone": zone}}


def move(role: int, kind: int, zone: str, to: str) -> Json:
    return {
        "order_type": 1,
        "active_unit": {"type_unit": kind, "role": role, "zone": ZONE[zone]},
        "destination_zone": ZONE[to],
    }


def checked(response: httpx.Response, status: int) -> Json:
    assert response.status_code == status, f"{response.request.url}: {response.status_code} {response.text}"
    return response.json()


@asynccontextmanager
async def open_house(
    database: str, data: Path, *, clock: Clock | None = None, **choices: Any
) -> AsyncIterator[House]:
    """A house with its AFJD and web doors open on free ports."""
    house = await House.open(database, clock or WallClock(), data, **choices)
    try:
        yield house
    finally:
        await house.close()
