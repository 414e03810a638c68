"""A visitor and a member who try every way into a seat, an account and an office that are not theirs."""

from __future__ import annotations

import asyncio
import itertools
import json
import secrets
from collections import Counter
from typing import Any

import httpx
import websockets
from attack.target import Target

Json = Any
PASSWORD = "un assez long mot de passe"
PATIENCE = 5
"""So often something is tried again that the house had no time for: only a refusal shows that it holds."""


async def attack(target: Target) -> str:
    """Goes on for about `target.seconds`; answers what was refused and what was let in: none is wanted."""
    thief = Thief(target)
    try:
        async with asyncio.timeout(max(target.seconds, 1) + 20):
            await thief.prepare()
            await thief.go_on()
    except TimeoutError:
        thief.tried["broken off"] += 1
    finally:
        await thief.http.aclose()
    let_in = ", ".join(thief.let_in) or "nothing"
    hurried = thief.tried["told to wait"]
    return f"{thief.tried['refused']} refused, {hurried} told to wait, {len(thief.let_in)} let in ({let_in})"


class Thief:
    def __init__(self, target: Target) -> None:
        self.target = target
        self.http = httpx.AsyncClient(base_url=target.url, timeout=30)
        self.tried: Counter[str] = Counter()
        self.let_in: list[str] = []
        self.tokens: dict[str, str] = {}
        self.ids: dict[str, int] = {}
        self.mark = secrets.token_hex(3)

    # --- the house as it is found --------------------------------------------------------------------------

    async def prepare(self) -> None:
        """A mastered game with a code that somebody has left, and tokens of everybody concerned."""
        name, password = self.target.admin
        await self.sign_in("admin", "/session", {"name": name, "password": password})
        mark = self.mark
        for who in ("master", "first", "second", "member", "victim"):
            await self.sign_in(who, "/accounts", {"pseudo": f"{who}-{mark}", "password": PASSWORD})
        await self.sign_in("visitor", "/visitors", {})
        terms = {"mastered": True, "access_code": 4711, "reliability": 100}
        wish = {"game": "diplomacy", "variant": "lagune", "terms": terms, "name": f"Coffre {mark}"}
        table = (await self.must("master", "POST", "/tables", wish))["id"]
        self.table = f"/tables/{table}"
        for who in ("first", "second"):
            body = {"pseudo": f"{who}-{mark}"}
            await self.must("master", "POST", f"{self.table}/seats", body)
        await self.must("master", "POST", f"{self.table}/start")
        self.seat = (await self.must("first", "GET", self.table))["my_seat"]
        await self.must("first", "POST", f"{self.table}/leave")
        bot = await self.must("admin", "POST", "/sessions/bots", {"label": "seat thief"})
        self.tokens["bot of the administrator"] = bot["access"]
        reader = await self.must("victim", "POST", "/sessions/bots", {"label": "reader", "scopes": ["read"]})
        self.tokens["token that reads"] = reader["access"]
        acting = await self.must("admin", "POST", f"/admin/accounts/{self.ids['victim']}/act")
        self.tokens["acting"] = acting["access"]

    async def sign_in(self, who: str, path: str, body: Json) -> None:
        signed = await self.must("", "POST", path, body)
        self.tokens[who], self.ids[who] = signed["access"], signed["account"]

    async def must(self, who: str, method: str, path: str, body: Json = None) -> Json:
        answer = await self.ask(who, method, path, body)
        answer.raise_for_status()
        return answer.json() if answer.content else None

    async def ask(self, who: str, method: str, path: str, body: Json = None) -> httpx.Response:
        """What the house says, once it has time for somebody who asks that much."""
        headers = {"Authorization": f"Bearer {self.tokens[who]}"} if who else {}
        for _ in range(PATIENCE):
            answer = await self.http.request(method, f"/api/v1{path}", json=body, headers=headers)
            if answer.status_code != 429:
                break
            await asyncio.sleep(min(float(answer.headers.get("Retry-After", 1)), 2))
        return answer

    # --- what is tried --------------------------------------------------------------------------------------

    def tries(self) -> list[tuple[str, str, str, Json]]:
        """Who, how, where, with what: none of it may be allowed."""
        table, seat, victim = self.table, self.seat, self.ids["victim"]
        found: list[tuple[str, str, str, Json]] = []
        players = ("first", "second", "master")
        for who in ("", "visitor", "member", *players, "bot of the administrator", "acting"):
            for more in ({}, {"access_code": 4711}, {"invitation": "x"}):
                found += [(who, "POST", f"{table}/replace", {"seat": seat, **more})]
            if who != "second":  # who sits there already stays
                found += [
                    (who, "POST", f"{table}/join", {"access_code": 4711, "seat": seat}),
                    (who, "POST", f"{table}/join", {}),
                ]
            if who != "master":
                found += [
                    (who, "POST", f"{table}/replace", {"seat": seat, "robot": "novice"}),
                    (who, "POST", f"{table}/robots", {"strength": "novice", "seat": seat}),
                    (who, "POST", f"{table}/seats", {"pseudo": "x", "seat": seat}),
                    (who, "DELETE", f"{table}/seats/{seat}", None),
                    (who, "POST", f"{table}/deal", {"roles": {"1": seat}}),
                ]
            if who not in ("second", "master"):
                found += [(who, "GET", f"{table}/letters", None), (who, "GET", f"{table}/press", None)]
        for who in ("", "visitor", "member", "bot of the administrator", "token that reads", "acting"):
            found += [
                (who, "GET", "/admin/accounts", None),
                (who, "GET", "/admin/deeds", None),
                (who, "GET", f"/admin/accounts/{victim}/sessions", None),
                (who, "POST", f"/admin/accounts/{victim}/act", None),
                (who, "PUT", f"/admin/accounts/{victim}/ban", {}),
                (who, "PUT", f"/admin/accounts/{victim}/role", {"role": "administrator"}),
            ]
        for who in ("bot of the administrator", "token that reads", "acting"):
            found += [
                (who, "PATCH", "/account", {"first_name": "Volé"}),
                (who, "PUT", "/account/password", {"current": PASSWORD, "password": "volé volé"}),
                (who, "POST", "/account/delete", {"password": PASSWORD}),
                (who, "POST", "/sessions/bots", {"label": "encore"}),
                (who, "GET", "/sessions", None),
                (who, "DELETE", "/sessions", None),
            ]
        for who in ("token that reads", "acting"):
            found.append((who, "POST", "/channels/global/messages", {"text": "Coucou"}))
        found += [
            ("token that reads", "POST", "/tables", {"game": "mines", "variant": "classic"}),
            ("token that reads", "PUT", "/queue", {"game": "chess", "variant": "classic"}),
            ("victim", "POST", "/sessions/bots", {"label": "x", "scopes": ["admin"]}),
        ]
        return found

    async def go_on(self) -> None:
        end = asyncio.get_running_loop().time() + self.target.seconds
        for turn in itertools.count():
            for who, method, path, body in self.tries():
                answer = await self.ask(who, method, path, body)
                if answer.status_code < 300:
                    self.note(f"{who or 'nobody'}: {method} {path}")
                else:
                    self.tried["told to wait" if answer.status_code == 429 else "refused"] += 1
                if turn and asyncio.get_running_loop().time() > end:
                    return
            try:
                await self.live()
                await self.console()
            except websockets.WebSocketException:
                self.tried["told to wait"] += 1
            await self.usurp()
            readiness = (await self.http.get("/readyz")).json()
            if set(readiness) != {"status"}:
                self.note("/readyz tells of the inside")
            if asyncio.get_running_loop().time() > end:
                return

    def note(self, what: str) -> None:
        if what not in self.let_in:
            self.let_in.append(what)

    async def live(self) -> None:
        """The same over the WebSocket: moves and words with tokens that are not good for them."""
        where = self.target.url.replace("http", "ws", 1) + "/api/v1/live"
        for who, message in (
            ("token that reads", {"type": "say", "channel": "global", "text": "Coucou"}),
            ("acting", {"type": "say", "channel": "global", "text": "Coucou"}),
            ("token that reads", {"type": "subscribe", "to": {"topic": "turns"}}),
        ):
            headers = {"Authorization": f"Bearer {self.tokens[who]}"}
            async with websockets.connect(where, additional_headers=headers) as socket:
                await socket.send(json.dumps({"id": 1, **message}))
                async for text in socket:
                    answer = json.loads(text)
                    if answer.get("id") == 1:
                        break
                if answer["type"] == "error":
                    self.tried["refused"] += 1
                else:
                    self.note(f"{who}: {message['type']} over the WebSocket")

    async def console(self) -> None:
        """A console of robots with a token that only reads."""
        port = self.target.ports.get("dr2d")
        if port is None:
            return
        headers = {"Authorization": f"Bearer {self.tokens['token that reads']}"}
        async with websockets.connect(f"ws://127.0.0.1:{port}/dr2d", additional_headers=headers) as socket:
            said = json.loads(await socket.recv())
            if "PlayersDiscovery" in json.dumps(said):
                self.note("token that reads: a robot over DR2D")
            else:
                self.tried["refused"] += 1

    async def usurp(self) -> None:
        """The services, with the token by which an administrator acts as somebody."""
        name, password = self.target.admin
        body = {"user_name": name, "password": password}
        answer = await self.http.post("/afjd/users/login", json=body)
        if answer.status_code != 200:
            return  # the door is off
        headers = {"AccessToken": answer.json()["AccessToken"]}
        victim = f"victim-{self.mark}"
        form = {"pseudo": name, "administered_pseudo": victim}
        answer = await self.http.post("/afjd/players/usurpations", data=form, headers=headers)
        if answer.status_code != 201:
            return
        acting = {"AccessToken": answer.json()["AccessToken"]}
        for method, path, given in (
            ("PUT", f"/players/{victim}", {"password": "volé volé"}),
            ("PUT", f"/players/{victim}", {"email": "voleur@example.org"}),
            ("DELETE", f"/players/{victim}", {}),
            ("POST", "/usurpations", {"administered_pseudo": name}),
        ):
            form = {"pseudo": victim, **given}
            answer = await self.http.request(method, f"/afjd/players{path}", data=form, headers=acting)
            if answer.status_code < 300:
                self.note(f"usurped: {method} {path}")
            else:
                self.tried["refused"] += 1
