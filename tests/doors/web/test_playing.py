"""Stories of games played through the web door, over real sockets."""

from __future__ import annotations

from typing import Any

from tests.doors.web.house import Guest, House, Live, patched

Json = Any
SMALL = {"width": 8, "height": 8, "mines": 8, "seats": 4}


async def mines(guest: Guest, **fields: Json) -> Json:
    """A small table of mines, with its maker seated."""
    body = {"game": "mines", "variant": "custom", "options": SMALL, **fields}
    return await guest.post("/tables", body, status=201)


async def play_to_the_end(live: Live, table: int, view: Json) -> tuple[Json, int]:
    """Click every square that the view shows hidden until the game ends; gives the view made of patches."""
    version = 0
    clicks = 0
    while not view.get("ended"):
        hidden = [
            (x, int(y)) for y, row in view["rows"].items() for x, letter in enumerate(row) if letter == "X"
        ]
        x, y = hidden[clicks % len(hidden)]
        clicks += 1
        request = f"click-{clicks}"
        await live.send(
            {"type": "play", "table": table, "action": {"do": "click", "x": x, "y": y}, "request_id": request}
        )
        answer = await live.take("played", lambda m, request=request: m["request_id"] == request)
        while version < answer["version"]:
            update = await live.take("update", lambda m: m["table"] == table)
            assert version in (0, update["version"] - 1)
            version = update["version"]
            view = patched(view, update["patch"])
    return view, version


async def test_a_visitor_makes_a_table_with_a_robot_and_plays_to_the_end(any_house: House) -> None:
    visitor = await any_house.visitor()
    strength = (await visitor.get("/games/mines/custom"))["robots"][0]
    table = await mines(visitor, robots=[strength])
    assert table["status"] == "running"
    assert table["my_seat"] is not None
    assert len(table["seats"]) == 2
    live = await visitor.live()
    await live.subscribe("table", table=table["id"])
    whole = await live.take("table")
    assert whole["seat"] == table["my_seat"]
    assert "click" in whole["legal"]
    view, _ = await play_to_the_end(live, table["id"], whole["view"])
    assert view["ended"] == "cleared"
    info = await live.take("info", lambda message: message["info"]["status"] == "over")
    assert info["info"]["result"]["reason"] == "cleared"
    seen = await visitor.get(f"/tables/{table['id']}/view")
    assert seen["view"]["rows"] == view["rows"]
    assert seen["view"]["players"] == view["players"]
    results = await visitor.get(f"/tables/{table['id']}/results")
    assert {outcome["seat"] for outcome in results["outcomes"]} == {1, 2}
