"""A race of robots over the web door: whole, secret, and with whatever a hostile page may send."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import msgspec
import pytest
from tests.kit.waiting import until
from tests.kit.web import Guest, House, Live, patched
from tests.rules.robots.races import field

from tablee.rules import GAMES
from tablee.rules.robots.robot import STRENGTHS
from tablee.rules.robots.views import RobotsView

Json = Any
PILOT = STRENGTHS["pilot"]


class Described:
    """The legal actions as the door describes them: all that a robot outside the house has."""

    def __init__(self, legal: Json) -> None:
        self.legal = legal

    def describe(self) -> Json:
        return self.legal


async def race(host: Guest, *others: Guest, **fields: Json) -> Json:
    body = {"game": "robots", "variant": "race", "options": {"seats": 1 + len(others)}, **fields}
    table = await host.post("/tables", body, status=201)
    for other in others:
        await other.post(f"/tables/{table['id']}/join", {})
    return await host.get(f"/tables/{table['id']}")


async def play(guest: Guest, table: int, action: Json, number: object) -> Json:
    return await guest.post(f"/tables/{table}/play", {"action": action, "request_id": str(number)})


async def place(guest: Guest, table: int) -> None:
    spot = (await guest.get(f"/tables/{table}/view"))["view"]["you"]["proposed"]
    await play(guest, table, {"do": "place", **spot}, "place")


async def test_two_members_race_over_sockets_and_see_the_same_end(any_house: House) -> None:
    guests = [await any_house.member(), await any_house.member()]
    table = (await race(*guests, options={"boards": ["cour"]}))["id"]
    lives: list[Live] = []
    views: list[Json] = []
    for guest in guests:
        live = await guest.live()
        await live.subscribe("table", table=table)
        lives.append(live)
        views.append((await live.take("table"))["view"])
    rng, number = Random(2), 0
    while not views[0].get("ended"):
        for guest in guests:
            asked = await guest.get(f"/tables/{table}/view")
            legal = asked["legal"]
            if legal is None or not (legal.get("place") or legal.get("program")):
                continue
            full = {"place": None, "program": None, **legal}
            seen = msgspec.convert(asked["view"], RobotsView, str_keys=True)
            action = PILOT.choose(seen, Described(full), rng)  # type: ignore[arg-type]
            assert action is not None
            number += 1
            await play(guest, table, msgspec.to_builtins(action), number)
        for seat, live in enumerate(lives):
            for message in await live.settled():
                if message["type"] == "update":
                    views[seat] = patched(views[seat], message["patch"])
    assert [view["ended"] for view in views] == ["quest", "quest"]
    assert views[0]["ranks"] == views[1]["ranks"]
    assert patched(views[0], {"you": None}) == patched(views[1], {"you": None})
    result = (await guests[0].get(f"/tables/{table}"))["result"]
    assert {str(seat): rank for seat, rank in result["ranks"].items()} == views[0]["ranks"]


async def test_nothing_that_is_sent_to_another_tells_of_a_cartouche_or_a_wish(any_house: House) -> None:
    lea, max_, watcher = [await any_house.member() for _ in range(3)]
    table = (await race(lea, max_))["id"]
    lives = {}
    for name, guest in (("max", max_), ("watcher", watcher)):
        lives[name] = await guest.live()
        await lives[name].subscribe("table", table=table)
    tiles = (await lea.get(f"/tables/{table}/view"))["legal"]["place"]["tiles"]
    wish = {"x": tiles[-1] % 12 + 1, "y": tiles[-1] // 12 + 1, "azimuth": "West"}
    await play(lea, table, {"do": "place", **wish}, "wish")

    async def heard(guest: Guest, live: Live) -> str:
        answers = [
            await guest.ask("GET", f"/tables/{table}{path}") for path in ("", "/view", "/history", "/legal")
        ]
        came = await live.settled()
        return "\n".join([*(answer.text for answer in answers), json.dumps(came[1:])])

    for guest, live in ((max_, lives["max"]), (watcher, lives["watcher"])):
        text = await heard(guest, live)
        assert '"wished"' in text
        assert "West" not in text
    await place(max_, table)
    await play(lea, table, {"do": "program", "cartouche": [["Move_180Left"], ["Move_180Right"]]}, "one")
    for guest, live in ((max_, lives["max"]), (watcher, lives["watcher"])):
        text = await heard(guest, live)
        assert '"programmed"' in text
        assert "Move_180" not in text
    await play(max_, table, {"do": "program", "cartouche": []}, "two")
    for guest, live in ((max_, lives["max"]), (watcher, lives["watcher"])):
        assert "Move_180Left" in await heard(guest, live)


@pytest.mark.parametrize(
    "action",
    [
        {"do": "program"},
        {"do": "program", "cartouche": None},
        {"do": "program", "cartouche": "Move_Ahead"},
        {"do": "program", "cartouche": ["Move_Ahead"]},
        {"do": "program", "cartouche": [[1]]},
        {"do": "program", "cartouche": [[["Move_Ahead"]]]},
        {"do": "program", "cartouche": {"1": ["Move_Ahead"]}},
        {"do": "program", "cartouche": [["Move_Ahead"]] * 6},
        {"do": "program", "cartouche": [["Move_Ahead"] * 5_000]},
        {"do": "program", "cartouche": [["x" * 20_000]]},
        {"do": "program", "cartouche": [["\u0000"]]},
        {"do": "place", "x": 1, "y": 1, "azimuth": "North"},
        {"do": "place", "x": 1e300, "y": 1, "azimuth": "North"},
        {"do": "place", "x": 1, "y": 1, "azimuth": "Up"},
        {"do": "feature", "name": "x", "color": "#FFFFFFFF"},
        {"do": "alarm", "name": "programming"},
        {"do": "time_given_back", "milliseconds": 10**9},
        {"do": "replace", "name": "Max"},
        {"do": "fly"},
    ],
    ids=lambda action: json.dumps(action)[:60],
)
async def test_what_may_not_be_done_is_refused_in_a_sentence_and_changes_nothing(
    house: House, action: Json
) -> None:
    lea, max_ = await house.member(), await house.member()
    table = (await race(lea, max_))["id"]
    for guest in (lea, max_):
        await place(guest, table)
    before = (await lea.get(f"/tables/{table}/view"))["view"]
    error = await lea.refused("POST", f"/tables/{table}/play", {"action": action, "request_id": "bad"})
    assert error["message"]
    assert len(error["message"]) < 500
    assert (await lea.get(f"/tables/{table}/view"))["view"] == before


async def test_a_bad_board_is_refused_with_its_errors_and_a_good_one_is_raced_on(house: House) -> None:
    lea, max_ = await house.member(), await house.member()
    bad = msgspec.to_builtins(field(("presse", 5, 5), ("conv_eOsE", 12, 6)))
    error = await lea.refused(
        "POST", "/tables", {"game": "robots", "variant": "race", "options": {"boards": [bad]}}
    )
    assert (error["code"], error["parts"]["reason"]) == ("illegal", "bad_boards")
    assert "[5,5]" in error["message"]
    assert "[12,6]" in error["message"]
    good = msgspec.to_builtins(field(("clef_1rep", 5, 5)))
    table = await race(lea, max_, options={"boards": [good]})
    assert table["status"] == "running"
    assert table["options"]["boards"][0]["boardActiveTiles"] == list(good["boardActiveTiles"])


async def test_the_host_lets_a_robot_go_on_for_who_has_left(house: House) -> None:
    lea, max_, eve = [await house.member() for _ in range(3)]
    table = (await race(lea, max_, eve))["id"]
    for guest in (lea, max_, eve):
        await place(guest, table)
    await eve.post(f"/tables/{table}/leave")
    assert (await max_.refused("POST", f"/tables/{table}/replace", {"seat": 3, "robot": "pilot"}))["code"]
    await lea.post(f"/tables/{table}/replace", {"seat": 3, "robot": "pilot"})

    async def ready() -> bool:
        return bool((await lea.get(f"/tables/{table}/view"))["view"]["robots"]["3"]["ready"])

    await until(ready, "the pilot has handed in its cartouche")


async def test_the_form_of_the_options_is_published(house: House) -> None:
    guest = await house.visitor()
    for (game, variant), rules in GAMES.items():
        if game == "robots":
            shown = await guest.get(f"/games/{game}/{variant}")
            assert shown["has_clocks"] is False
            assert set(shown["robots"]) == set(rules.robots)
            assert "boards" in json.dumps(shown["options"])
