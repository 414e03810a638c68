"""Arena of Titans through the web door: what two players and a spectator are sent of each other's cards."""

from __future__ import annotations

from typing import Any

from tests.kit.web import Guest, House, patched

Json = Any
PRIVATE = {"hand", "gauge", "trumps", "power", "put_away", "hidden_plays"}


async def seated(house: House) -> tuple[dict[int, Guest], int]:
    """Two members at a table of the arena, by seat, and the table."""
    host, guest = await house.member(), await house.member()
    body = {"game": "arena", "variant": "standard", "seats": 2}
    table = await host.post("/tables", body, status=201)
    assert table["time_control"] == {"kind": "move", "seconds": 90}
    joined = await guest.post(f"/tables/{table['id']}/join", {})
    assert joined["status"] == "running"
    return {table["my_seat"]: host, joined["my_seat"]: guest}, table["id"]


async def test_each_is_sent_his_own_hand_and_nobody_elses(house: House) -> None:
    players, table = await seated(house)
    for seat, player in players.items():
        view = (await player.get(f"/tables/{table}/view"))["view"]
        assert view["you"] == seat
        assert view.keys() >= PRIVATE
        assert len(view["hand"]) == 5
    spectator = await house.visitor()
    view = (await spectator.get(f"/tables/{table}/view"))["view"]
    assert not view.keys() & PRIVATE


async def test_a_discard_reaches_the_others_without_its_card(house: House) -> None:
    players, table = await seated(house)
    spectator = await house.visitor()
    turn = (await spectator.get(f"/tables/{table}/view"))["view"]["turn"]
    actor, other = players[turn], players[3 - turn]
    watching = {}
    for guest in (other, spectator):
        live = await guest.live()
        await live.subscribe("table", table=table)
        watching[live] = (await live.take("table"))["view"]
    card = (await actor.get(f"/tables/{table}/view"))["view"]["hand"][0]
    action = {"do": "discard", **card}
    answer = await actor.post(f"/tables/{table}/play", {"action": action, "request_id": "one"})
    assert answer["facts"][0] == {"is": "discarded", "seat": turn, **card}
    for live, view in watching.items():
        update = await live.take("update")
        assert update["facts"][0] == {"is": "discarded", "seat": turn}
        assert all("cards" not in fact for fact in update["facts"])
        seen = patched(view, update["patch"])
        assert seen["players"][str(turn)]["discarded"] == 1
        assert "put_away" not in update["patch"]


async def test_a_refusal_says_why_in_the_players_language(house: House) -> None:
    players, table = await seated(house)
    view = (await players[1].get(f"/tables/{table}/view"))["view"]
    actor = players[view["turn"]]
    action = {"do": "play", "card": "Jester", "color": "PINK", "x": 0, "y": 0}
    refused = await actor.post(
        f"/tables/{table}/play", {"action": action, "request_id": "one"}, status=409
    )  # fmt: skip
    assert refused["error"]["message"] == "Vous n’avez pas la carte Jester (PINK)."
    assert refused["error"]["parts"]["reason"] == "not_in_hand"
