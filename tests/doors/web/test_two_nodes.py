"""Two houses over one PostgreSQL are one house to those who come to them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from tests.kit.web import Guest, House, open_house, patched

OPTIONS = {"width": 8, "height": 8, "mines": 8}


@pytest.fixture
async def houses(postgres_url: str) -> AsyncIterator[tuple[House, House]]:
    async with open_house(postgres_url) as one, open_house(postgres_url) as other:
        yield one, other


def _at(house: House, guest: Guest) -> Guest:
    """The same person at another node."""
    same = house.nobody()
    same.id, same.pseudo, same.access = guest.id, guest.pseudo, guest.access
    same.http.headers["Authorization"] = f"Bearer {guest.access}"
    return same


async def test_players_at_two_nodes_see_the_same_facts_in_the_same_order(houses: tuple[House, House]) -> None:
    anne, bruno = await houses[0].member("Anne"), await houses[1].member("Bruno")
    body = {"game": "mines", "variant": "custom", "options": OPTIONS}
    table = (await anne.post("/tables", body, status=201))["id"]
    await bruno.post(f"/tables/{table}/join", {})
    lives = [await anne.live(), await bruno.live()]
    views, versions = [], []
    for live in lives:
        await live.subscribe("table", table=table)
        whole = await live.take("table")
        views.append(whole["view"])
        versions.append(whole["version"])

    async def click(guest: Guest, squares: range) -> None:
        for square in squares:
            action = {"do": "click", "x": square % 8, "y": square // 8}
            await guest.ask(
                "POST", f"/tables/{table}/play", {"action": action, "request_id": f"{guest.id}-{square}"}
            )

    await asyncio.gather(click(anne, range(0, 64, 2)), click(bruno, range(1, 64, 2)))
    told: list[list[object]] = [[], []]
    for place, live in enumerate(lives):
        while not views[place].get("ended"):
            update = await live.take("update")
            assert update["version"] == versions[place] + 1
            versions[place] = update["version"]
            views[place] = patched(views[place], update["patch"])
            told[place] += [fact for fact in update["facts"] if fact["is"] != "missed"]
    shared = [[fact for fact in facts if fact["is"] == "opened"] for facts in told]  # type: ignore[index]
    assert shared[0] == shared[1]
    assert views[0]["rows"] == views[1]["rows"]
    assert views[0]["players"] == views[1]["players"]


async def test_talk_presence_and_sessions_cross_from_node_to_node(houses: tuple[House, House]) -> None:
    anne, bruno = await houses[0].member("Anne"), await houses[1].member("Bruno")
    await anne.post("/friends", {"pseudo": "Bruno"})
    await bruno.post(f"/friends/{anne.id}/accept", status=204)
    live = await anne.live()
    await live.subscribe("friends")
    await live.subscribe("chat", channel="private")
    his = await bruno.live()
    await live.take("friends", lambda message: message["friends"][0]["here"])
    await bruno.post(f"/channels/private:{anne.id}/messages", {"text": "d’ailleurs"}, status=201)
    assert (await live.take("message"))["message"]["text"] == "d’ailleurs"
    await his.close()
    await live.take("friends", lambda message: not message["friends"][0]["here"])
    elsewhere = _at(houses[1], anne)
    await elsewhere.delete("/session")
    assert (await live.take("bye"))["reason"] == "session_ended"


async def test_the_lobby_and_the_queue_are_one(houses: tuple[House, House]) -> None:
    anne, bruno = await houses[0].member(), await houses[1].member()
    live = await anne.live()
    await live.subscribe("lobby")
    await live.subscribe("queue")
    table = await bruno.post("/tables", {"game": "mines", "variant": "classic"}, status=201)
    await live.take("lobby_table", lambda message: message["info"]["id"] == table["id"])
    wish = {"game": "mines", "variant": "classic"}
    await anne.put("/queue", wish)
    await bruno.put("/queue", wish)
    found = await live.take("queue", lambda message: message["queue"]["table"] is not None)
    assert (await bruno.get("/queue"))["table"] == found["queue"]["table"]
