"""Bad input costs a clear error and, if it goes on, that one connection."""

from __future__ import annotations

import asyncio
import contextlib
import re
import socket

import httpx
import pytest
from tests.kit.waiting import PATIENCE, until
from tests.kit.web import WEB_PLENTY, Guest, House, Live, open_house
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from tablee.club.limits import Bucket
from tablee.doors.web import WebSettings
from tablee.doors.web.api.registry import Who
from tablee.doors.web.routes import ALL
from tablee.tables import TablePlan
from tablee.wire.http.server import FRAME_LIMIT

JSON = {"Content-Type": "application/json"}


async def _raw(house: House, request: bytes) -> bytes:
    """What a raw request is answered, until the connection closes or the answer is there."""
    reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
    writer.write(request)
    await writer.drain()
    async with asyncio.timeout(PATIENCE):
        answer = await reader.read(65536)
    writer.close()
    return answer


@pytest.mark.parametrize(
    ("body", "headers", "status", "code"),
    [
        (b"{", JSON, 400, "malformed"),
        (b"", JSON, 400, "malformed"),
        (b'{"name": "\xff", "password": "x"}', JSON, 400, "malformed"),
        (b'{"name": "a\\u0000", "password": "x"}', JSON, 400, "invalid"),
        (b'{"name": "\\ud800", "password": "x"}', JSON, 400, "malformed"),
        (b"[" * 60_000, JSON, 400, "invalid"),
        (b"[" + b"[]," * 20_000 + b"[]]", JSON, 400, "invalid"),
        (b'{"name": ' + b"9" * 10_000 + b', "password": "x"}', JSON, 400, "invalid"),
        (b'{"name": 1e999, "password": "x"}', JSON, 400, "invalid"),
        (b'{"name": "a"}', JSON, 400, "invalid"),
        (b'{"name": "a", "password": "x", "more": 1}', JSON, 400, "invalid"),
        (b'"just a text"', JSON, 400, "invalid"),
        (b"name=a&password=b", {"Content-Type": "application/x-www-form-urlencoded"}, 415, "not_json"),
        (b'{"name": "a", "password": "b"}', {"Content-Type": "text/plain"}, 415, "not_json"),
        (b'{"name": "' + b"a" * (64 * 1024) + b'", "password": "x"}', JSON, 413, "too_large"),
    ],
    ids=lambda value: str(value)[:30],
)
async def test_a_bad_body_is_refused_with_a_code(
    house: House, body: bytes, headers: dict[str, str], status: int, code: str
) -> None:
    response = await house.nobody().http.post("/api/v1/session", content=body, headers=headers)
    assert response.status_code == status
    assert response.json()["error"]["code"] == code
    assert response.json()["error"]["message"]


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/api/v1/tables/abc", 404, "not_found"),
        ("/api/v1/tables/0", 404, "not_found"),
        ("/api/v1/tables/-3", 404, "not_found"),
        ("/api/v1/tables/99999999999999999999999999", 404, "not_found"),
        ("/api/v1/tables/4242", 404, "no_such_table"),
        ("/api/v1/players/%00", 404, "not_found"),
        ("/api/v1/players/%FF%FE", 404, "account_unknown"),
        ("/api/v1/players/" + "a" * 5000, 404, "not_found"),
        ("/api/v1/nowhere", 404, "no_such_route"),
        ("/api/v1/tables?limit=0", 400, "invalid"),
        ("/api/v1/tables?limit=99999999999999999999", 400, "invalid"),
        ("/api/v1/tables?sicne=3", 400, "invalid"),
        ("/api/v1/tables?limit=3&limit=4", 400, "invalid"),
        ("/api/v1/tables?game=%00", 400, "invalid"),
        ("/api/v1/tables?status=dreaming", 400, "invalid"),
        ("/api/v1/channels/table:99999999999999999999/messages", 404, "not_found"),
        ("/api/v1/rankings/mines/ludo", 404, "not_found"),
    ],
)
async def test_a_bad_address_is_refused_with_a_code(house: House, path: str, status: int, code: str) -> None:
    response = await house.nobody().http.get(path)
    assert (response.status_code, response.json()["error"]["code"]) == (status, code)


async def test_a_wrong_method_names_the_right_ones(house: House) -> None:
    response = await house.nobody().http.put("/api/v1/session")
    assert response.status_code == 405
    assert response.json()["error"]["code"] == "method_not_allowed"
    assert {"GET", "POST", "DELETE"} <= set(response.headers["allow"].split(", "))


async def test_errors_speak_the_language_that_is_asked_for(house: House) -> None:
    english = await house.nobody(**{"Accept-Language": "en-GB,fr;q=0.3"}).refused("GET", "/account")
    french = await house.nobody().refused("GET", "/account")
    assert english["code"] == french["code"] == "not_identified"
    assert english["message"].startswith("Log in")
    assert french["message"].startswith("Identifiez-vous")


async def test_every_answer_has_the_headers_that_keep_browsers_careful(house: House) -> None:
    nobody = house.nobody()
    for path in ("/", "/api/v1/games", "/api/v1/nowhere", "/elsewhere"):
        headers = (await nobody.http.get(path)).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["content-security-policy"].startswith("default-src 'none'")
        assert headers["referrer-policy"] == "same-origin"
        assert "server" not in headers
    assert (await nobody.http.get("/api/v1/games")).headers["cache-control"] == "no-store"


async def test_raw_junk_gets_an_answer_or_a_closed_connection(house: House) -> None:
    assert (await _raw(house, b"\x00\x01\x02\x03\r\n\r\n")).startswith(b"HTTP/1.1 400")
    assert (await _raw(house, b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 20_000)).startswith(b"HTTP/1.1 4")
    hello = b"GET /api/v1/live HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n"
    assert b"400" in (await _raw(house, hello)).split(b"\r\n")[0]
    assert (await house.nobody().http.get("/api/v1/games")).status_code == 200


async def test_a_body_announced_as_huge_is_refused_before_it_is_sent(house: House) -> None:
    head = b"POST /api/v1/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    answer = await _raw(house, head + b"Content-Length: 999999999999\r\n\r\n{")
    assert answer.startswith(b"HTTP/1.1 413")
    assert b"too_large" in answer


async def test_too_many_requests_from_one_address_must_wait(tmp_path: object) -> None:
    settings = WebSettings(limits={**WEB_PLENTY, "web": Bucket(5, 60)})
    async with open_house(f"sqlite:///{tmp_path}/t.sqlite", settings=settings) as house:
        nobody = house.nobody()
        answers = [await nobody.ask("GET", "/games") for _ in range(6)]
        assert [answer.status_code for answer in answers] == [200] * 5 + [429]
        seconds = answers[-1].json()["error"]["parts"]["seconds"]
        assert int(answers[-1].headers["retry-after"]) == seconds > 0


async def test_what_is_small_to_send_and_slow_to_read_is_refused_unread_on_every_route(house: House) -> None:
    lists = b"[" + b"[]," * 20_000 + b"[]]"
    member = await house.member()
    for route in [route for route in ALL if route.body_type is not None]:
        path = re.sub(r"{\w+}", "1", route.path)
        for body in (b'{"x":' + lists + b"}", b" " * (1 + route.body_limit)):
            answer = await member.http.request(route.method, "/api/v1" + path, content=body, headers=JSON)
            refused = answer.json()["error"]
            if route.who in (Who.ADMINISTRATOR, Who.SUPER):
                assert refused["code"] == "not_allowed"
            elif len(body) > route.body_limit:
                assert (answer.status_code, refused["code"]) == (413, "too_large"), route.name
            else:
                assert refused["parts"]["detail"].startswith("more than"), route.name


async def test_nobody_sends_more_bytes_than_the_house_reads(tmp_path: object) -> None:
    settings = WebSettings(limits={**WEB_PLENTY, "web_bytes": Bucket(100_000, 60)})
    async with open_house(f"sqlite:///{tmp_path}/t.sqlite", settings=settings) as house:
        member, nobody = await house.member(), house.nobody()
        large = b'{"name": "' + b"a" * 60_000 + b'", "password": "x"}'

        async def sent(guest: Guest) -> httpx.Response:
            return await guest.http.post("/api/v1/session", content=large, headers=JSON)

        answers = [await sent(nobody), await sent(nobody)]
        assert [answer.status_code for answer in answers] == [400, 429]
        assert int(answers[1].headers["retry-after"]) > 0
        # Who is named has bytes of his own, and a WebSocket counts with all else that he sends.
        assert (await sent(member)).status_code == 400
        live = await member.live()
        await live.send({"type": "ping", "id": "x" * 60_000})
        assert (await live.take("error"))["error"]["code"] == "too_many"


async def test_histories_are_not_read_without_end(tmp_path: object) -> None:
    settings = WebSettings(limits={**WEB_PLENTY, "web_history": Bucket(3, 60)})
    async with open_house(f"sqlite:///{tmp_path}/t.sqlite", settings=settings) as house:
        member = await house.member()
        table = (await member.post("/tables", {"game": "mines", "variant": "classic"}, status=201))["id"]
        answers = [await member.ask("GET", f"/tables/{table}/history") for _ in range(4)]
        assert [answer.status_code for answer in answers] == [200, 200, 200, 429]


async def test_a_move_of_many_values_is_refused_unread(house: House) -> None:
    member = await house.member()
    table = (await member.post("/tables", {"game": "mines", "variant": "classic"}, status=201))["id"]
    live = await member.live()
    lists = "[" + "[]," * 20_000 + "[]]"
    await live.socket.send(
        f'{{"type":"play","table":{table},"action":{{"do":"click","x":{lists}}},"request_id":"a"}}'
    )
    assert (await live.take("error"))["error"]["parts"]["detail"].startswith("more than")


async def test_a_refusal_does_not_repeat_a_long_word(house: House) -> None:
    member = await house.member()
    table = (await member.post("/tables", {"game": "mines", "variant": "classic"}, status=201))["id"]
    long = "x" * 50_000
    answers = [
        await member.ask("POST", f"/tables/{table}/play", {"action": {"do": long}, "request_id": "a"}),
        await member.ask("POST", "/session", {long: 1}),
    ]
    assert all(answer.status_code == 400 and len(answer.content) < 2_000 for answer in answers)


async def test_nobody_is_flooded_with_invitations(tmp_path: object) -> None:
    settings = WebSettings(limits={**WEB_PLENTY, "web_invite": Bucket(3, 60)})
    async with open_house(f"sqlite:///{tmp_path}/t.sqlite", settings=settings) as house:
        host, guest = await house.visitor(), await house.member()
        table = (await host.post("/tables", {"game": "mines", "variant": "classic"}, status=201))["id"]
        for _ in range(3):
            await host.post(f"/tables/{table}/invite", {"pseudo": guest.pseudo}, status=204)
        refused = await host.refused("POST", f"/tables/{table}/invite", {"pseudo": guest.pseudo})
        assert refused["code"] == "too_many"


# --- the WebSocket ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "message",
    [
        b"\x00\x01",
        "not json",
        "[]",
        "{}",
        '{"type": "dance"}',
        '{"type": "ping", "extra": 1}',
        '{"type": "subscribe", "to": {"topic": "moon"}}',
        '{"type": "subscribe", "to": {"topic": "table", "table": -1}}',
        '{"type": "play", "table": 1, "action": {}, "request_id": ""}',
        '{"type": "play", "table": 1, "action": {}, "request_id": "avec espace"}',
        '{"type": "play", "table": 99999999999999999999, "action": {}, "request_id": "a"}',
        '{"type": "say", "channel": "global", "text": "a\\u0000b"}',
        "[" * 30_000,
    ],
    ids=lambda value: str(value)[:40],
)
async def test_a_message_that_is_not_understood_is_answered_and_forgiven(
    house: House, message: bytes | str
) -> None:
    live = await (await house.member()).live()
    await live.socket.send(message)
    error = (await live.take("error"))["error"]
    assert error["code"] in ("malformed", "invalid")
    assert await live.settled() == []


async def test_unknown_tables_and_missing_seats_are_refused_over_the_websocket(house: House) -> None:
    member, host = await house.member(), await house.member()
    live = await member.live()
    move = {"type": "play", "action": {"do": "click", "x": 1, "y": 1}, "request_id": "a"}
    assert (await live.refusal_of({**move, "table": 4242}))["code"] == "no_such_table"
    table = (await host.post("/tables", {"game": "mines", "variant": "classic"}, status=201))["id"]
    assert (await live.refusal_of({**move, "table": table}))["code"] == "not_seated"
    seat = {"type": "subscribe", "to": {"topic": "table", "table": table, "as": "seat"}}
    assert (await live.refusal_of(seat))["code"] == "not_seated"
    nobody = await house.nobody().live()
    assert (await nobody.refusal_of({**move, "table": table}))["code"] == "not_identified"


async def test_twenty_messages_in_a_row_that_are_not_understood_end_the_connection(house: House) -> None:
    live = await house.nobody().live()
    for _ in range(20):
        await live.socket.send("?")
    assert (await live.take("bye"))["reason"] == "not_understood"
    assert await live.end() == 4003


async def test_a_flood_is_slowed_down_and_then_ended(house: House) -> None:
    live = await house.nobody().live()
    with contextlib.suppress(ConnectionClosed):
        for _ in range(2000):
            await live.socket.send('{"type": "ping"}')
    assert await live.end() == 4029
    codes = {m["error"]["code"] for m in live.waiting if m["type"] == "error"}
    assert codes <= {"too_many"}


async def test_a_message_that_is_too_large_ends_the_connection(house: House) -> None:
    live = await house.nobody().live()
    await live.socket.send("x" * (FRAME_LIMIT + 1))
    assert await live.end() == 1009


async def test_subscriptions_are_bounded(tmp_path: object) -> None:
    settings = WebSettings(most_subscriptions=2, limits=WEB_PLENTY)
    async with open_house(f"sqlite:///{tmp_path}/t.sqlite", settings=settings) as house:
        live = await (await house.member()).live()
        await live.subscribe("notices")
        await live.subscribe("friends")
        refused = await live.refusal_of({"type": "subscribe", "to": {"topic": "queue"}})
        assert refused["code"] == "too_many_subscriptions"
        await live.subscribe("friends")
        await live.send({"type": "unsubscribe", "id": "u", "to": {"topic": "friends"}})
        await live.take("ok", lambda message: message["id"] == "u")
        await live.subscribe("queue")


async def test_a_client_that_does_not_read_is_cut_off_and_nobody_else_notices(tmp_path: object) -> None:
    settings = WebSettings(most_queued=20, limits=WEB_PLENTY)
    async with open_house(f"sqlite:///{tmp_path}/t.sqlite", settings=settings) as house:
        for number in range(100):
            await house.tables.creating.create(
                TablePlan("mines", "classic", name=f"Table au long nom, la {number}e de ce jour")
            )
        other = await house.nobody().live()
        narrow = socket.socket()
        narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        narrow.connect(("127.0.0.1", house.port))
        url = f"ws://127.0.0.1:{house.port}/api/v1/live"
        async with connect(url, compression=None, max_queue=1, max_size=None, sock=narrow) as slow:
            slow.transport.pause_reading()
            asked = 0
            while house.door.connections() > 1 and asked < 2000:
                # Each of these is answered with the whole lobby, which nobody takes away.
                await slow.send('{"type": "subscribe", "to": {"topic": "lobby"}}')
                await other.settled()
                asked += 1
            assert house.door.connections() == 1, f"still there after {asked} answers"
            slow.transport.resume_reading()
            assert await Live(slow).end() in (4008, 1006)
        await other.settled()


async def test_connections_of_one_address_are_bounded(tmp_path: object) -> None:
    settings = WebSettings(most_connections=2, limits=WEB_PLENTY)
    async with open_house(f"sqlite:///{tmp_path}/t.sqlite", settings=settings) as house:
        nobody = house.nobody()
        first = await nobody.live()
        await nobody.live()
        async with connect(f"ws://127.0.0.1:{house.port}/api/v1/live") as third:
            assert await Live(third).end() == 4029
        await first.close()
        await until(lambda: house.door.connections() == 1, "the first is gone")
        await nobody.live()
