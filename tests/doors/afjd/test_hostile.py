"""Hostile input: every parameter of every call with values that nobody expects, as form, JSON and query."""

from __future__ import annotations

import asyncio
import json
import random
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.doors.afjd.test_rights import _given, _path
from tests.kit.afjd import LIMITS, ZONE, Game, House, Person, checked, open_house

from tablee.doors.afjd import AfjdSettings
from tablee.doors.afjd.calls import ALL, Call

Json = Any
DEEP = "[" * 5000 + "]" * 5000
HOSTILE: tuple[Json, ...] = (
    "", " ", "x", "-1", "0", "1.5", "1e9", "NaN", "Infinity", "true", "null", str(2**63), str(-(2**63)),
    "9" * 400, "\0", "a\0b", "😀", "é" * 300, "'; DROP TABLE account; --", "<script>", "../../etc",
    "%00", "{}", "[]", '{"a":', DEEP, "[1,2,3]", '[{"a":{"b":[null]}}]', '{"roles":{}}', "\u202e", "٣",
    "2026-13-45", "0000-00-00",
)  # fmt: skip
HOSTILE_JSON: tuple[Json, ...] = (
    None, True, False, 0, -1, 1.5, 2**62, 2**200, -(2**80), 1e308, [], {}, [[]], [None], {"a": None}, "x",
    [[1, 2, 3, 4, 5]], [[2, 1, 47, 0, 999]], [{"order_type": 1}], [{"order_type": "1", "active_unit": []}],
    {"units": {"2": [[1, 2, 3]]}}, {"ownerships": [1]}, {"2": 3}, [{"role": {}, "center_num": []}],
    [{"type_unit": 1, "role": 2, "zone": 47}] * 3, "\ud800",
)  # fmt: skip


@pytest.fixture
async def game(house: House) -> Game:
    return await house.running()


async def test_no_value_of_any_parameter_brings_the_house_to_fall(house: House, game: Game) -> None:
    chief = await house.super_administrator()
    master, player = game.master, game.player[2]
    chance = random.Random(5)
    tried = 0
    for call in [call for service in ALL for call in service.routes]:
        if call.method == "DELETE" and call.path in ("/games/{name}", "/players/{name}"):
            continue  # they would end what the others are about
        who = chief if "administrator" in call.path or "codes" in call.path else master
        who = player if call.group == "players" and "{name}" in call.path else who
        for param in call.params:
            values = [("form", value) for value in HOSTILE] + [("json", value) for value in HOSTILE_JSON]
            values += [("query", value) for value in HOSTILE if len(value) < 1000]
            for where, value in chance.sample(values, 8):
                answer = await _ask(house, game, call, who, where, {param.name: value})
                tried += 1
                if call.method == "PUT" and param.name == "name":
                    game.name = (await house.get("/games"))[str(game.id)]  # some of them are names
                assert answer.status_code < 500, (call.name, param.name, where, str(value)[:80], answer.text)
                assert answer.headers["content-type"] == "application/json"
                if answer.status_code >= 400:
                    assert answer.json()["msg"], (call.name, param.name, where)
    assert tried > 500
    assert (await game.informations())["name"] == game.name
    assert (await house.ask("GET", "/verify", "users", token=player.token)).status_code == 200


@pytest.mark.long
@pytest.mark.timeout(1200)
async def test_every_value_of_every_parameter_in_every_place(tmp_path: Path) -> None:
    # Tokens outlive the run: an expired one would answer every hostile value with the same 401.
    settings = AfjdSettings(limits=LIMITS, token_minutes=60)
    async with open_house(f"sqlite:///{tmp_path / 't'}", tmp_path, settings=settings) as house:
        await _every_value(house, await house.running())


async def _every_value(house: House, game: Game) -> None:
    chief = await house.super_administrator()
    answers: Counter[int] = Counter()
    for call in [call for service in ALL for call in service.routes]:
        if call.method == "DELETE" and call.path in ("/games/{name}", "/players/{name}"):
            continue
        who = chief if "administrator" in call.path or "codes" in call.path else game.master
        for param in call.params:
            for where, values in (("form", HOSTILE), ("query", HOSTILE), ("json", (*HOSTILE, *HOSTILE_JSON))):
                for value in values:
                    if where == "query" and len(value) > 1000:
                        continue
                    answer = await _ask(house, game, call, who, where, {param.name: value})
                    answers[answer.status_code] += 1
                    if call.method == "PUT" and param.name == "name":
                        game.name = (await house.get("/games"))[str(game.id)]
                    about = (call.name, param.name, where, str(value)[:80], answer.text)
                    assert answer.status_code < 500, about
                    assert answer.status_code != 401 or call.path in ("/login", "/emails"), about
    print(f"{answers.total()} requests: {dict(sorted(answers.items()))}")


async def _ask(
    house: House, game: Game, call: Call, who: Person, where: str, hostile: dict[str, Json]
) -> httpx.Response:
    given: dict[str, Json] = {"pseudo": who.pseudo, **_given(game, call, 77), **hostile}
    if call.path in ("/players", "/emails") and call.group == "players" and "pseudo" not in hostile:
        given["pseudo"] = "Nouveau"
    headers = {"AccessToken": who.token, "ServiceSecret": house.door.secret}
    url = house.at(call.group, _path(game, call))
    if where == "json" or call.json_only:
        body = json.dumps(given).encode()
        headers["Content-Type"] = "application/json"
        return await house.http.request(call.method, url, content=body, headers=headers)
    flat = {
        key: value
        if isinstance(value, str)
        else json.dumps(value)
        if not isinstance(value, int)
        else str(value)
        for key, value in given.items()
    }
    sent = {key: value.encode("utf-8", "replace") for key, value in flat.items()}
    if where == "query":
        return await house.http.request(call.method, url, params=flat, headers=headers)
    return await house.http.request(call.method, url, data=sent, headers=headers)


@pytest.mark.parametrize(
    ("content", "kind", "status"),
    [
        (b"x" * (64 * 1024 + 1), "application/x-www-form-urlencoded", 413),
        (b'{"a":"' + b"x" * (64 * 1024) + b'"}', "application/json", 413),
        (b'{"a":[' + b"[]," * 21_000 + b"[]]}", "application/json", 400),
        (b"\xff\xfe=1", "application/x-www-form-urlencoded", 400),
        (b"a=%ff%fe", "application/x-www-form-urlencoded", 400),
        (b"{", "application/json", 400),
        (b"[1]", "application/json", 400),
        (b'{"role_id": 1e999}', "application/json", 400),
        (DEEP.encode(), "application/json", 400),
        (b"--x\r\n", "multipart/form-data; boundary=x", 400),
        (b"<a/>", "text/xml", 400),
        (b"&".join(b"a%d=1" % n for n in range(500)), "application/x-www-form-urlencoded", 400),
        (b"role_id=1&role_id=2", "application/x-www-form-urlencoded", 400),
    ],
    ids=lambda value: str(value)[:24] if not isinstance(value, int) else str(value),
)
async def test_bodies_that_are_no_parameters_are_refused(
    house: House, content: bytes, kind: str, status: int
) -> None:
    lea = await house.person()
    answer = await house.http.post(
        house.at("games", "/game-orders/1"),
        content=content,
        headers={"Content-Type": kind, "AccessToken": lea.token},
    )
    assert answer.status_code == status, answer.text
    assert answer.json()["msg"]


@pytest.mark.parametrize("name", ["a%0Ab", "%0A", "a%2Fb", "%C3%A9", "a%20b", "%25", "x" * 3000])
async def test_odd_names_in_a_path_are_unknown_in_the_services_own_words(house: House, name: str) -> None:
    for service, path in (("games", "/games/"), ("games", "/game-positions/"), ("players", "/player-facts/")):
        answer = await house.http.get(house.at(service, path) + name)
        assert answer.status_code == 404
        assert answer.json()["msg"]


async def test_a_path_with_a_slash_too_many_is_no_call_and_sends_nobody_elsewhere(house: House) -> None:
    for path in ("/games/", "/game-positions/1/", "//games", "/", "/games/x/y"):
        answer = await house.http.get(house.at("games", path), follow_redirects=False)
        assert checked(answer, 404) == {"msg": "There is no such call"}, path
    answer = await house.http.request("PATCH", house.at("games", "/games"))
    assert checked(answer, 405) == {"msg": "This call has no such method"}


async def test_a_null_is_a_parameter_that_is_missing(house: House, game: Game) -> None:
    france = game.player[2]
    given = {"role_id": 2, "pseudo": None}
    url = house.at("games", f"/game-orders/{game.id}")
    answer = await house.http.request("GET", url, json=given, headers={"AccessToken": france.token})
    assert checked(answer, 401) == {"msg": "Need a pseudo to retrieve orders in game"}
    answer = await house.http.request("GET", url, json={**given, "role_id": None})
    assert checked(answer, 400) == {"msg": "Missing role_id parameter"}


async def test_a_body_in_chunks_is_read_and_has_the_same_limit(house: House, game: Game) -> None:
    france = game.player[2]
    url = house.at("games", f"/game-orders/{game.id}")
    headers = {"AccessToken": france.token, "Content-Type": "application/x-www-form-urlencoded"}

    async def pieces(piece: bytes, number: int) -> AsyncIterator[bytes]:
        yield f"role_id=2&pseudo={france.pseudo}".encode()
        for _ in range(number):
            yield piece

    answer = await house.http.request("GET", url, content=pieces(b"&x=y", 1), headers=headers)
    assert checked(answer, 200) == {"orders": [], "fake_units": [], "via_convoy": []}
    answer = await house.http.post(url, content=pieces(b"x" * 10_000, 20), headers=headers)
    assert answer.status_code == 413


async def test_two_thousand_orders_are_refused_in_a_sentence(house: House, game: Game) -> None:
    orders = [[2, 4, ZONE["par"], 0, 0]] * 2_000
    answer = await game.player[2].ask("POST", f"/game-orders/{game.id}", role_id=2, orders=orders)
    assert answer.status_code == 400
    assert "2000 orders" in answer.json()["msg"]


async def test_a_board_that_does_not_hold_together_is_refused_by_the_solver(house: House) -> None:
    shown = await house.get("/variants/standard")
    for key in shown:
        values: tuple[Json, ...] = (
            None,
            [],
            {},
            5,
            "x",
            [[]],
            {"number": 10**9},
            [None] * 3,
            [{"1": [999]}] * 7,
        )
        for value in values:
            broken = {**shown, key: value}
            given = {"variant": broken, "advancement": 0, "situation": {}, "orders": []}
            answer = await house.ask("POST", "/solve", "solver", secret=True, as_json=True, **given)
            assert answer.status_code < 500, (key, value, answer.text)


async def test_who_asks_too_often_is_told_when_to_come_back(house: House) -> None:
    from tablee.club.limits import Bucket

    house.door.house.limits._rules["afjd"] = Bucket(5, 60)
    answers = [await house.ask("GET", "/games") for _ in range(7)]
    assert [answer.status_code for answer in answers].count(429) == 2
    assert int(answers[-1].headers["Retry-After"]) >= 1


async def test_two_who_want_the_same_name_or_the_last_seat_at_once_get_one(any_house: House) -> None:
    house = any_house
    people = [await house.person() for _ in range(4)]
    made = await asyncio.gather(*(person.ask("POST", "/games", name="Même") for person in people))
    assert sorted(answer.status_code for answer in made) == [201, 400, 400, 400]
    game = await house.game(await house.person())
    for _ in range(6):
        await game.join(await house.person())
    asked = await asyncio.gather(
        *(person.ask("POST", "/allocations", game_id=game.id, player_id=person.id) for person in people)
    )
    assert sorted(answer.status_code for answer in asked) == [201, 400, 400, 400]
