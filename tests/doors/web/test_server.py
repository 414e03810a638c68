"""How the web door opens and closes."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from tests.kit.waiting import PATIENCE, until
from tests.kit.web import WEB_PLENTY, House, open_house

from tablee.doors.web import WebDoor, WebSettings
from tablee.doors.web.live import connection as live_module
from tablee.wire.gate import Gate
from tablee.wire.http import server
from tablee.wire.http.server import WebServer


async def test_the_end_of_the_house_is_told_to_everybody_connected(house: House) -> None:
    member = await house.member()
    table = (await member.post("/tables", {"game": "mines", "variant": "classic"}, status=201))["id"]
    lives = [await member.live(), await house.nobody().live()]
    await lives[0].subscribe("table", table=table)
    await house.door.stop()
    for live in lives:
        bye = await live.take("bye")
        assert bye["reason"] == "stopping"
        assert bye["back_in"] > 0
        assert await live.end() == 1012
    with pytest.raises(ConnectionRefusedError):
        await asyncio.open_connection("127.0.0.1", house.port)


async def test_a_bot_stream_ends_with_the_house(house: House) -> None:
    member = await house.member()
    async with member.http.stream("GET", "/api/v1/bot/stream") as response:
        stopping = asyncio.create_task(house.door.stop())
        lines = [line async for line in response.aiter_lines()]
        await stopping
    assert [line for line in lines if line] == []


async def test_a_request_in_flight_is_finished_before_the_end() -> None:
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def slow(request: Request) -> PlainTextResponse:
        begun.set()
        await go_on.wait()
        return PlainTextResponse("done")

    server = WebServer(Starlette(routes=[Route("/", slow)]), "127.0.0.1", 0)
    port = await server.start()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    await begun.wait()
    stopping = asyncio.create_task(server.stop())
    await asyncio.sleep(0)
    go_on.set()
    async with asyncio.timeout(PATIENCE):
        assert (await reader.read()).endswith(b"done")
        await stopping
    writer.close()


async def test_a_second_request_that_never_comes_to_the_point_is_cut_off(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "FIRST_REQUEST_SECONDS", 0.3)
    reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
    writer.write(b"GET /api/v1/ HTTP/1.1\r\nHost: x\r\n\r\n")
    await reader.readuntil(b"}")
    await asyncio.sleep(0.5)
    writer.write(b"GET /api/v1/ HTTP/1.1\r\nHost: x\r\n\r\n")  # between requests one may take one's time
    await reader.readuntil(b"}")
    writer.write(b"GET /api/v1/ HT")
    async with asyncio.timeout(PATIENCE):
        with contextlib.suppress(ConnectionError):
            assert await reader.read() == b""
    writer.close()


@pytest.mark.parametrize("version", ["1.0", "1.1"])
async def test_who_asks_and_never_reads_is_cut_off(
    house: House, monkeypatch: pytest.MonkeyPatch, version: str
) -> None:
    monkeypatch.setattr(server, "UNREAD_SECONDS", 0.5)
    ask = f"GET /large HTTP/{version}\r\nHost: x\r\n\r\n".encode()

    async def large(request: Request) -> PlainTextResponse:
        return PlainTextResponse("x" * 30_000_000)

    listening = WebServer(Starlette(routes=[Route("/large", large)]), "127.0.0.1", 0)
    port = await listening.start()
    with socket.create_connection(("127.0.0.1", port)) as client:
        client.sendall(ask * 3)
        connections = listening._server.server_state.connections
        await until(lambda: connections, "it is connected")
        await until(lambda: not connections, "it is cut off")
    await listening.stop()


async def test_a_taken_port_is_said_in_a_sentence(house: House) -> None:
    door = WebDoor(
        house.store, house.club, house.tables, house.door.house.clock, host="127.0.0.1", port=house.port
    )
    with pytest.raises(OSError, match=f"cannot listen on 127.0.0.1 port {house.port}"):
        await door.start()


async def test_a_house_without_a_page_says_where_the_api_is(house: House) -> None:
    answer = (await house.nobody().http.get("/")).json()
    assert answer["openapi"] == "/api/v1/openapi.json"
    index = await house.nobody().get("/")
    assert index["live"] == "/api/v1/live"
    assert index["time_zone"] == "Europe/Paris"


async def test_the_club_s_name_and_the_build_of_its_page_are_said_first(tmp_path: Path) -> None:
    settings = WebSettings(page_build="7f3a", limits=WEB_PLENTY)
    async with open_house(f"sqlite:///{tmp_path}/house.sqlite", settings=settings, name="Le Cercle") as house:
        index = await house.nobody().get("/")
        welcome = (await house.nobody().live()).welcome
        for said in (index, welcome):
            assert (said["name"], said["build"]) == ("Le Cercle", "7f3a")
        assert index["house"] == "Tablée"


async def test_without_a_page_the_build_is_the_version(house: House) -> None:
    index = await house.nobody().get("/")
    assert index["build"] == index["version"] == (await house.nobody().live()).welcome["build"]


async def test_what_the_house_mounts_beside_the_api_is_served(house: House) -> None:
    async def fine(request: Request) -> PlainTextResponse:
        return PlainTextResponse("ok")

    door = WebDoor(
        house.store,
        house.club,
        house.tables,
        house.door.house.clock,
        port=0,
        beside=[Route("/healthz", fine), Route("/", fine)],
    )
    port = await door.start()
    guest = house.nobody()
    for path in ("/healthz", "/"):
        assert (await guest.http.get(f"http://127.0.0.1:{port}{path}")).text == "ok"
    await door.stop()


async def test_an_ipv6_address_works_where_the_machine_has_one(house: House) -> None:
    with socket.socket(socket.AF_INET6) as probe:
        try:
            probe.bind(("::1", 0))
        except OSError:
            pytest.skip("this machine has no IPv6")
    door = WebDoor(house.store, house.club, house.tables, house.door.house.clock, host="::1", port=0)
    port = await door.start()
    assert (await house.nobody().http.get(f"http://[::1]:{port}/")).status_code == 200
    await door.stop()


async def test_moves_made_before_a_restart_are_there_after_it(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'tablee.sqlite'}"
    async with open_house(database) as house:
        member = await house.member("Revenante")
        table = (await member.post("/tables", {"game": "mines", "variant": "classic"}, status=201))["id"]
        move = {"action": {"do": "click", "x": 3, "y": 3}, "request_id": "before"}
        played = await member.post(f"/tables/{table}/play", move)
        before = await member.get(f"/tables/{table}/view")
        token, seat = member.access, played["seat"]
    async with open_house(database) as house:
        again = house.nobody()
        again.access = token
        again.http.headers["Authorization"] = f"Bearer {token}"
        live = await again.live()
        await live.subscribe("table", table=table, since=before["version"])
        sent_again = {"type": "play", "table": table, **move}
        await live.send(sent_again)
        assert (await live.take("played"))["duplicate"] is True
        view = await again.get(f"/tables/{table}/view")
        assert view["seat"] == seat
        assert view["view"]["rows"] == before["view"]["rows"]


async def _drips(port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A request that is answered before its body has ended, and whose body goes on."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{")
    await reader.readuntil(b"\r\n\r\n")
    return reader, writer


async def test_a_body_that_goes_on_after_its_answer_ends_the_connection(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "LAST_WORDS_SECONDS", 0.2)
    reader, writer = await _drips(house.port)

    async def drip() -> None:
        while True:
            writer.write(b" ")
            await asyncio.sleep(0.02)

    dripping = asyncio.create_task(drip())
    async with asyncio.timeout(PATIENCE):
        with contextlib.suppress(ConnectionError):
            await reader.read()
    dripping.cancel()


async def test_a_flood_after_the_answer_ends_the_connection(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "BODY_LIMIT", 1000)
    reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
    writer.write(b"POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n{")
    await reader.readuntil(b"\r\n\r\n")
    async with asyncio.timeout(PATIENCE):
        with contextlib.suppress(ConnectionError):
            while not reader.at_eof():
                writer.write(b" " * 500)
                await writer.drain()
                await asyncio.sleep(0)


async def test_a_body_that_ends_soon_after_its_answer_keeps_the_connection(house: House) -> None:
    reader, writer = await _drips(house.port)
    writer.write(b" " * 999)
    for _ in range(2):
        writer.write(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        async with asyncio.timeout(PATIENCE):
            while b"HTTP/1.1 " not in await reader.readline():
                pass
    writer.close()


async def test_whom_a_proxy_brings_is_counted_by_his_own_address() -> None:
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def slow(request: Request) -> PlainTextResponse:
        begun.set()
        await go_on.wait()
        return PlainTextResponse("done")

    app = Starlette(routes=[Route("/", slow)])
    gate = Gate(most=1, trusted=("127.0.0.1",))
    listening = WebServer(app, "127.0.0.1", 0, trusted_proxies=("127.0.0.1",), gate=gate)
    port = await listening.start()

    kept: list[asyncio.StreamWriter] = []

    async def ask(address: str) -> asyncio.StreamReader:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        kept.append(writer)
        writer.write(
            f"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Forwarded-For: {address}\r\n\r\n".encode()
        )
        return reader

    async with asyncio.timeout(PATIENCE):
        first = await ask("192.0.2.1")
        await begun.wait()
        second = await ask("192.0.2.1")
        assert b" 503 " in await second.read()
        other = await ask("192.0.2.2")
        go_on.set()
        assert b" 200 " in await other.read()
        assert b" 200 " in await first.read()
        assert b" 200 " in await (await ask("192.0.2.1")).read()
    await listening.stop()


async def test_nobody_who_says_nothing_is_sent_away(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_module, "SPEAK_SECONDS", 0.2)
    silent = await house.nobody().live()
    assert (await silent.take("bye"))["reason"] == "silent"
    assert await silent.end() == 4004


async def test_who_has_spoken_or_is_known_may_be_silent(house: House) -> None:
    watching, known = await house.nobody().live(), await (await house.member()).live()
    await watching.subscribe("lobby")
    for connection in tuple(house.door.house.live._connections):
        connection._should_have_spoken()
    await watching.subscribe("lobby")
    await known.subscribe("lobby")
