"""Programs that play: a token, a stream of turns, moves."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx
from tests.kit.waiting import PATIENCE, until
from tests.kit.web import WEB_PLENTY, Guest, House, open_house

from tablee.doors.web import WebSettings

Json = Any
OPTIONS = {"width": 6, "height": 6, "mines": 4}


async def _bot(house: House) -> Guest:
    member = await house.member()
    bot = house.nobody()
    bot.became(await member.post("/sessions/bots", {"label": "essai"}, status=201))
    return bot


def _first_hidden(view: Json) -> Json:
    for y, row in view["rows"].items():
        if "X" in row:
            return {"do": "click", "x": row.index("X"), "y": int(y)}
    raise AssertionError("nothing is hidden any more")


async def _play_from(lines: Any, bot: Guest) -> Json:
    async for line in lines:
        if not line:
            continue
        message = json.loads(line)
        if message["type"] == "ended":
            return message
        assert "click" in message["legal"]
        move = {"action": _first_hidden(message["view"]), "request_id": f"v{message['version']}"}
        await bot.ask("POST", f"/tables/{message['table']}/play", move)
    raise AssertionError("the stream ended before the game")


async def test_a_bot_plays_from_its_stream_of_turns_to_the_end(any_house: House) -> None:
    bot = await _bot(any_house)
    async with bot.http.stream("GET", "/api/v1/bot/stream", timeout=httpx.Timeout(PATIENCE)) as response:
        assert response.headers["content-type"].startswith("application/x-ndjson")
        body = {"game": "mines", "variant": "custom", "options": OPTIONS}
        table = await bot.post("/tables", body, status=201)
        async with asyncio.timeout(PATIENCE):
            ended = await _play_from(response.aiter_lines(), bot)
    assert ended["table"] == table["id"]
    assert ended["result"]["reason"] == "cleared"


async def test_the_stream_connects_the_bot_to_its_seat_as_long_as_it_is_open(house: House) -> None:
    bot = await _bot(house)
    table = await bot.post("/tables", {"game": "mines", "variant": "classic"}, status=201)

    async def here() -> bool:
        seats = (await house.nobody().get(f"/tables/{table['id']}"))["seats"]
        return bool(seats[0]["here"])

    assert not await here()
    async with bot.http.stream("GET", "/api/v1/bot/stream") as response:
        await until(here, "the bot is at its table")
        await response.aclose()

    async def gone() -> bool:
        return not await here()

    await until(gone, "the bot has left")


async def test_the_stream_ends_with_the_session_of_its_token(house: House) -> None:
    member = await house.member()
    bot = house.nobody()
    made = await member.post("/sessions/bots", {"label": "essai"}, status=201)
    bot.became(made)
    await member.post("/tables", {"game": "mines", "variant": "classic"}, status=201)
    async with bot.http.stream("GET", "/api/v1/bot/stream") as response:
        lines = response.aiter_lines()
        assert json.loads(await anext(lines))["type"] == "turn"
        await member.delete(f"/sessions/{made['session']}")
        async with asyncio.timeout(PATIENCE):
            async for _ in lines:
                pass


async def test_one_address_has_only_so_many_streams(tmp_path: Path) -> None:
    settings = WebSettings(most_connections=2, limits=WEB_PLENTY)
    async with open_house(f"sqlite:///{tmp_path / 'tablee.sqlite'}", settings=settings) as house:
        bot = await _bot(house)
        live = await bot.live()
        async with bot.http.stream("GET", "/api/v1/bot/stream"):
            assert (await bot.refused("GET", "/bot/stream"))["code"] == "too_many"
            await live.close()
            await until(lambda: house.door.connections() == 0, "the WebSocket is closed")
            async with bot.http.stream("GET", "/api/v1/bot/stream") as second:
                assert second.status_code == 200


async def test_a_bots_token_cannot_end_its_owners_sessions(house: House) -> None:
    member = await house.member()
    bot = house.nobody()
    bot.became(await member.post("/sessions/bots", {"label": "essai"}, status=201))
    own = (await member.get("/session"))["session"]
    assert (await bot.refused("DELETE", f"/sessions/{own}"))["code"] == "scope_missing"
    assert (await bot.refused("DELETE", "/sessions"))["code"] == "scope_missing"
    await bot.delete("/session")
    await member.get("/session")


async def test_the_same_stream_comes_over_the_websocket(house: House) -> None:
    bot = await _bot(house)
    live = await bot.live()
    await live.subscribe("turns")
    body = {"game": "mines", "variant": "custom", "options": OPTIONS}
    table = (await bot.post("/tables", body, status=201))["id"]
    while True:
        message = await live.first(lambda m: m["type"] in ("turn", "ended"))
        assert message["table"] == table
        if message["type"] == "ended":
            break
        request = {
            "type": "play",
            "table": table,
            "action": _first_hidden(message["view"]),
            "request_id": f"v{message['version']}",
        }
        await live.send(request)
    assert message["result"]["reason"] == "cleared"


async def test_a_slow_bot_is_only_told_the_newest_turn_of_a_table(house: House) -> None:
    bot = await _bot(house)
    table = (await bot.post("/tables", {"game": "mines", "variant": "classic"}, status=201))["id"]
    for number in range(20):
        move = {"action": {"do": "flag", "x": number, "y": 0}, "request_id": f"f{number}"}
        await bot.post(f"/tables/{table}/play", move)
    version = (await bot.get(f"/tables/{table}/view"))["version"]
    async with bot.http.stream("GET", "/api/v1/bot/stream") as response:
        async for line in response.aiter_lines():
            if line:
                break
        assert json.loads(line)["version"] >= version
        await response.aclose()
