"""Accounts, sessions, cookies and tokens through the web door."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import pytest
from tests.kit.http import NO_CERTIFICATES
from tests.kit.rooms import PASSWORD
from tests.kit.web import House
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed


async def test_sign_up_confirm_log_in_and_change_everything(any_house: House) -> None:
    nobody = any_house.nobody()
    signed = await nobody.post(
        "/accounts",
        {"pseudo": "Éloïse", "password": PASSWORD, "email": "eloise@example.org", "country": "FRA"},
        status=201,
    )
    nobody.became(signed)
    account = await nobody.get("/account")
    assert account["email_confirmed"] is False
    letter = await any_house.last_letter("eloise@example.org")
    code = re.search(r"\b\d{6}\b", letter)
    assert code is not None
    wrong = await nobody.refused("POST", "/account/confirm", {"code": "000000"})
    assert wrong["code"] == "code_wrong"
    assert wrong["parts"]["left"] == 4
    confirmed = await nobody.post("/account/confirm", {"code": code[0]})
    assert confirmed["email_confirmed"] is True
    changed = await nobody.patch(
        "/account",
        {"first_name": "Éloïse", "time_zone": "UTC + 1", "language": "en", "settings": {"theme": "dark"}},
    )
    assert changed["settings"] == {"theme": "dark"}
    assert changed["language"] == "en"
    assert (await nobody.refused("PATCH", "/account", {"email": "x@example.org"}))["code"] == "password_wrong"
    moved = await nobody.patch("/account", {"email": "el@example.org", "password": PASSWORD})
    assert moved["email_confirmed"] is False
    again = any_house.nobody()
    again.became(await again.post("/session", {"name": "el@example.org", "password": PASSWORD}))
    assert again.id == nobody.id


async def test_a_forgotten_password_is_replaced_by_the_code_of_the_mail(house: House) -> None:
    member = await house.member(email="perdu@example.org")
    nobody = house.nobody()
    await nobody.post("/recovery", {"email": "inconnu@example.org"}, status=202)
    await nobody.post("/recovery", {"email": "perdu@example.org"}, status=202)
    code = re.search(r"\b\d{6}\b", await house.last_letter("perdu@example.org"))
    assert code is not None
    body = {"email": "perdu@example.org", "code": code[0], "password": "tout nouveau"}
    back = await nobody.post("/recovery/confirm", body)
    assert back["account"] == member.id
    await member.get("/account", status=401)
    await nobody.post("/session", {"name": member.pseudo, "password": PASSWORD}, status=401)
    await nobody.post("/session", {"name": member.pseudo, "password": "tout nouveau"})


async def test_wrong_passwords_and_taken_names_are_said_clearly(house: House) -> None:
    member = await house.member("Pris")
    nobody = house.nobody()
    assert (await nobody.refused("POST", "/session", {"name": "Pris", "password": "non"}))[
        "code"
    ] == "credentials_bad"
    body = {"pseudo": "pris", "password": PASSWORD}
    assert (await nobody.refused("POST", "/accounts", body))["code"] == "pseudo_taken"
    short = await nobody.refused("POST", "/accounts", {"pseudo": "Autre", "password": "court"})
    assert short["code"] == "password_too_short"
    assert short["parts"]["least"] == 8
    assert (await member.refused("PATCH", "/account", {"pseudo": "admin"}))["code"] == "pseudo_reserved"


async def test_a_new_password_ends_every_other_session(house: House) -> None:
    member = await house.member()
    other = house.nobody()
    other.became(await other.post("/session", {"name": member.pseudo, "password": PASSWORD}))
    await member.put("/account/password", {"current": PASSWORD, "password": "encore un autre"}, status=204)
    await member.get("/session")
    await other.get("/session", status=401)
    error = await member.refused("PUT", "/account/password", {"current": "faux", "password": "12345678"})
    assert error["code"] == "password_wrong"


async def test_a_deleted_account_is_gone_and_its_seats_are_free(house: House) -> None:
    member, other = await house.member("Partante"), await house.member()
    table = await member.post("/tables", {"game": "mines", "variant": "classic"}, status=201)
    assert (await member.refused("POST", "/account/delete", {"password": "faux"}))["code"] == "password_wrong"
    live = await member.live()
    await member.post("/account/delete", {"password": PASSWORD}, status=204)
    await member.get("/session", status=401)
    assert await live.end() == 4001
    assert (await other.refused("GET", "/players/Partante"))["code"] == "account_unknown"
    seats = (await other.get(f"/tables/{table['id']}"))["seats"]
    assert seats[0]["left"] is True


async def test_a_session_is_refreshed_and_a_second_try_within_seconds_gets_the_same(house: House) -> None:
    member = await house.member()
    first, second = await asyncio.gather(
        member.post("/session/refresh", {"refresh": member.refresh}),
        member.post("/session/refresh", {"refresh": member.refresh}),
    )
    assert first["access"] == second["access"]
    old = member.access
    member.became(first)
    assert member.access != old
    assert (await member.get("/session"))["session"] == first["session"]
    member.http.headers["Authorization"] = f"Bearer {old}"
    response = await member.ask("GET", "/session")
    assert response.status_code == 401
    assert response.headers["www-authenticate"] == "Bearer"
    assert response.json()["error"]["code"] == "token_expired"
    nonsense = await house.nobody().refused("POST", "/session/refresh", {"refresh": "nonsense"})
    assert nonsense["code"] == "token_invalid"


async def test_sessions_are_listed_and_ended_and_their_connections_close(house: House) -> None:
    member = await house.member()
    other = house.nobody()
    other.became(
        await other.post("/session", {"name": member.pseudo, "password": PASSWORD, "label": "téléphone"})
    )
    live = await other.live()
    listed = (await member.get("/sessions"))["sessions"]
    assert {session["label"] for session in listed} == {"", "téléphone"}
    assert sum(session["this"] for session in listed) == 1
    phone = next(session for session in listed if session["label"] == "téléphone")
    await member.delete(f"/sessions/{phone['id']}")
    assert (await live.take("bye"))["reason"] == "session_ended"
    await other.get("/session", status=401)
    stranger = await house.member()
    mine = (await member.get("/sessions"))["sessions"][0]["id"]
    await stranger.delete(f"/sessions/{mine}", status=404)
    await member.delete("/session")
    await member.get("/session", status=401)


async def test_a_refresh_does_not_close_the_connection_of_its_session(house: House) -> None:
    member = await house.member()
    live = await member.live()
    member.became(await member.post("/session/refresh", {"refresh": member.refresh}))
    await live.send({"type": "hello", "token": member.access})
    assert (await live.take("welcome"))["account"] == member.id
    assert not [message for message in await live.settled() if message["type"] == "bye"]


async def test_who_connects_as_nobody_may_say_hello_later_but_never_change_his_name(house: House) -> None:
    member, other, nobody = await house.member(), await house.member(), house.nobody()
    live = await nobody.live()
    assert live.welcome["account"] is None
    assert (await live.refusal_of({"type": "subscribe", "to": {"topic": "notices"}}))[
        "code"
    ] == "not_identified"
    assert (await live.refusal_of({"type": "hello", "token": "wrong"}))["code"] == "token_expired"
    await live.send({"type": "hello", "token": member.access})
    assert (await live.take("welcome"))["pseudo"] == member.pseudo
    await live.subscribe("notices")
    assert (await live.refusal_of({"type": "hello", "token": other.access}))["code"] == "not_allowed"


async def test_a_bot_token_plays_but_does_not_take_the_account_over(house: House) -> None:
    member = await house.member()
    made = await member.post("/sessions/bots", {"label": "mon robot"}, status=201)
    bot = house.nobody()
    bot.became(made)
    assert (await bot.get("/session"))["session_kind"] == "bot"
    await bot.post("/tables", {"game": "mines", "variant": "classic"}, status=201)
    for method, path, body in (
        ("PATCH", "/account", {"pseudo": "Volé"}),
        ("PUT", "/account/password", {"current": PASSWORD, "password": "12345678"}),
        ("POST", "/account/delete", {"password": PASSWORD}),
        ("POST", "/sessions/bots", {"label": "un autre"}),
    ):
        assert (await bot.refused(method, path, body))["code"] == "scope_missing", path
    visitor = await house.visitor()
    assert (await visitor.refused("POST", "/sessions/bots", {"label": "x"}))["code"] == "members_only"


# --- cookies ----------------------------------------------------------------------------------------------


@asynccontextmanager
async def _with_cookies(house: House) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=house.url, verify=NO_CERTIFICATES) as browser:
        response = await browser.post("/api/v1/visitors", json={"cookies": True}, headers={"X-Tablee": "1"})
        assert response.status_code == 201
        assert response.json()["access"] is None
        assert response.json()["refresh"] is None
        for cookie in response.headers.get_list("set-cookie"):
            assert "HttpOnly" in cookie
            assert "SameSite=Lax" in cookie
            assert "Path=/api" in cookie
        yield browser


async def test_a_browser_with_cookies_changes_things_only_from_our_own_page(house: House) -> None:
    async with _with_cookies(house) as browser:
        assert (await browser.get("/api/v1/session")).json()["kind"] == "visitor"
        new_table = {"game": "mines", "variant": "classic"}
        bare = await browser.post("/api/v1/tables", json=new_table)
        assert (bare.status_code, bare.json()["error"]["code"]) == (403, "cross_site")
        evil = await browser.post("/api/v1/tables", json=new_table, headers={"Origin": "http://evil.example"})
        assert evil.status_code == 403
        ours = await browser.post("/api/v1/tables", json=new_table, headers={"X-Tablee": "1"})
        assert ours.status_code == 201
        same = await browser.post("/api/v1/tables", json=new_table, headers={"Origin": house.url})
        assert same.status_code == 201


async def test_another_sites_page_cannot_log_a_browser_in(house: House) -> None:
    member = await house.member()
    body = {"name": member.pseudo, "password": PASSWORD, "cookies": True}
    async with httpx.AsyncClient(base_url=house.url, verify=NO_CERTIFICATES) as browser:
        evil = await browser.post("/api/v1/session", json=body, headers={"Origin": "http://evil.example"})
        assert evil.json()["error"]["code"] == "cross_site"
        assert "set-cookie" not in evil.headers


async def test_cookies_are_refreshed_and_dropped(house: House) -> None:
    async with _with_cookies(house) as browser:
        before = browser.cookies["tablee_access"]
        refreshed = await browser.post("/api/v1/session/refresh", headers={"X-Tablee": "1"})
        assert refreshed.status_code == 200, refreshed.text
        assert refreshed.json()["access"] is None
        assert browser.cookies["tablee_access"] != before
        gone = await browser.delete("/api/v1/session", headers={"X-Tablee": "1"})
        assert gone.status_code == 204
        assert "tablee_access" not in browser.cookies
        assert (await browser.get("/api/v1/session")).status_code == 401


async def test_the_cookies_of_a_session_that_is_over_are_taken_back(house: House) -> None:
    async with _with_cookies(house) as browser:
        kept = dict(browser.cookies)
        assert (await browser.delete("/api/v1/session", headers={"X-Tablee": "1"})).status_code == 204
        for cookies in (kept, {"tablee_access": "dead"}):
            browser.cookies.clear()
            browser.headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in cookies.items())
            assert (await browser.get("/api/v1/games")).json()["error"]["code"] == "token_expired"
            refused = await browser.post("/api/v1/session/refresh", headers={"X-Tablee": "1"})
            assert refused.status_code == 401
            cleared = refused.headers.get_list("set-cookie")
            assert [each.split("=")[0] for each in cleared] == ["tablee_access", "tablee_refresh"]
            assert all("Max-Age=0" in each for each in cleared)


async def test_a_dead_cookie_does_not_keep_anybody_from_logging_in(house: House) -> None:
    member = await house.member()
    dead = {"tablee_access": "dead"}
    async with httpx.AsyncClient(base_url=house.url, cookies=dead, verify=NO_CERTIFICATES) as browser:
        read = await browser.get("/api/v1/games")
        assert read.json()["error"]["code"] == "token_expired"
        body = {"name": member.pseudo, "password": PASSWORD, "cookies": True}
        logged_in = await browser.post("/api/v1/session", json=body, headers={"X-Tablee": "1"})
        assert logged_in.status_code == 200


async def test_a_websocket_with_cookies_is_only_for_our_own_page(house: House) -> None:
    async with _with_cookies(house) as browser:
        cookie = "; ".join(f"{each.name}={each.value}" for each in browser.cookies.jar)
    url = f"ws://127.0.0.1:{house.port}/api/v1/live"
    for origin in (None, "http://evil.example"):
        async with connect(url, additional_headers={"Cookie": cookie}, origin=origin) as evil:  # type: ignore[arg-type]
            with pytest.raises(ConnectionClosed) as closed:
                await evil.recv()
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1008
    async with connect(url, additional_headers={"Cookie": cookie}, origin=house.url) as ours:  # type: ignore[arg-type]
        assert '"type":"welcome"' in str(await ours.recv())


async def test_a_websocket_with_a_dead_token_is_closed_with_its_own_code(house: House) -> None:
    url = f"ws://127.0.0.1:{house.port}/api/v1/live"
    async with connect(url, additional_headers={"Authorization": "Bearer dead"}) as socket:
        with pytest.raises(ConnectionClosed) as closed:
            await socket.recv()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4001


async def test_who_has_left_the_club_has_no_name_in_the_games_he_finished(any_house: House) -> None:
    gone, other = await any_house.member("Gertrude"), await any_house.member("Gertrudeau")
    options = {"width": 6, "height": 6, "mines": 4}
    body = {"game": "mines", "variant": "custom", "options": options}
    table = (await gone.post("/tables", body, status=201))["id"]
    await other.post(f"/tables/{table}/join", {})
    await gone.patch("/account", {"pseudo": "Gertrude-2"})
    for x in range(6):
        for y in range(6):
            move = {"action": {"do": "click", "x": x, "y": y}, "request_id": f"{x}.{y}"}
            await gone.ask("POST", f"/tables/{table}/play", move)
    assert (await other.get(f"/tables/{table}"))["status"] == "over"
    await gone.post("/account/delete", {"password": PASSWORD}, status=204)
    history = (await other.ask("GET", f"/tables/{table}/history")).text
    assert '"Gertrude"' not in history
    assert f'"name":"Parti-{gone.id}"' in history
    assert '"name":"Gertrudeau"' in history


async def test_a_visitor_who_signs_up_is_called_by_his_new_name_at_his_tables(any_house: House) -> None:
    visitor, watcher = await any_house.visitor(), await any_house.member()
    table = await visitor.post("/tables", {"game": "mines", "variant": "classic"}, status=201)
    assert table["host_name"] == table["seats"][0]["name"] == visitor.pseudo
    live = await watcher.live()
    await live.subscribe("table", table=table["id"])
    await live.take("table")
    board = await watcher.live()
    await board.subscribe("lobby")
    body = {"pseudo": "Ondine", "password": PASSWORD}
    visitor.became(await visitor.post("/accounts", body, status=201))
    told = await live.take("info", lambda news: news["info"]["seats"][0]["name"] == "Ondine")
    assert told["info"]["host_name"] == "Ondine"
    await board.take("lobby_table", lambda news: news["info"]["host_name"] == "Ondine")
    for path in (f"/tables/{table['id']}", "/tables"):
        found = await watcher.get(path)
        shown = found["tables"][0] if "tables" in found else found
        assert (shown["host_name"], shown["seats"][0]["name"]) == ("Ondine", "Ondine")
    played = {"action": {"do": "click", "x": 0, "y": 0}, "request_id": "ondine-1"}
    assert (await visitor.post(f"/tables/{table['id']}/play", played))["seat"] == 1
