"""The master of a game at the web door: seat 0, over HTTP and live."""

from __future__ import annotations

from tests.doors.web.mastered import mastered_game
from tests.kit.waiting import until
from tests.kit.web import House, patched

from tablee.tables import TablePlan, Terms


async def test_the_master_who_listens_sees_from_seat_0_what_he_may_do(house: House) -> None:
    game = await mastered_game(house)
    for topic in ({}, {"as": "seat"}):
        live = await game.master.live()
        await live.subscribe("table", table=game.table, **topic)
        whole = await live.take("table")
        assert whole["seat"] == 0
        assert "adjudicate" in whole["legal"]
        assert whole["info"]["master"] == game.master.id
        assert whole["info"]["my_seat"] is None
        assert whole["info"]["spectators"] == 0
    outside = await game.master.live()
    await outside.subscribe("table", table=game.table, **{"as": "spectator"})
    assert (await outside.take("table"))["seat"] is None


async def test_the_master_plays_over_the_websocket_and_hears_of_sealed_orders(house: House) -> None:
    game = await mastered_game(house)
    player = game.players[0]
    live, watching = await game.master.live(), await game.players[1].live()
    await live.subscribe("table", table=game.table)
    await watching.subscribe("table", table=game.table)
    whole = await live.take("table")
    [role, *_] = await game.roles_of(player)
    await game.play(player, {"do": "submit", "role": role, "orders": [], "final": False}, "orders")
    update = await live.take("update")
    view = patched(whole["view"], update["patch"])
    assert view["orders"] == {str(role): []}
    assert update["version"] == whole["version"] + 1
    await live.send(
        {
            "type": "play",
            "table": game.table,
            "request_id": "resolve",
            "action": {"do": "adjudicate", "civil_disorder": True},
        }
    )
    assert (await live.take("played"))["version"] == whole["version"] + 2
    update = await live.take("update")
    assert update["facts"][0]["is"] == "adjudicated"
    told = await watching.take("update")
    assert told["facts"][0]["is"] == "adjudicated"
    again = await game.master.live()
    await again.subscribe("table", table=game.table, since=whole["version"] + 1)
    assert [(await again.take("update"))["version"]] == [update["version"]]


async def test_a_player_is_told_of_orders_that_the_master_corrects(house: House) -> None:
    game = await mastered_game(house, players=3)
    player, other = game.players[:2]
    [role] = await game.roles_of(player)
    legal = (await player.get(f"{game.path}/legal"))["legal"]["submit"][str(role)]["orders"]
    orders = [choices[-1] for choices in legal.values()]
    live = await game.master.live()

    async def correct(request: str) -> None:
        action = {"do": "submit", "role": role, "orders": orders, "final": False}
        await live.send({"type": "play", "table": game.table, "request_id": request, "action": action})
        await live.take("played")

    await correct("corrected")
    await correct("corrected")  # the same once more: it is one correction
    seen = (await player.get(f"{game.path}/view"))["view"]
    assert (seen["orders"], seen["corrected"]) == ({str(role): orders}, [role])
    assert (await game.master.get(f"{game.path}/view"))["view"]["corrected"] == [role]
    assert (await other.get(f"{game.path}/view"))["view"]["corrected"] == []
    [notice] = (await player.get("/notices"))["notices"]
    assert (notice["kind"], notice["about"]["table"]) == ("orders_corrected", game.table)
    assert (await other.get("/notices"))["notices"] == []
    # The player has the last word until his orders are final.
    await game.play(player, {"do": "submit", "role": role, "orders": [], "final": False}, "mine")
    assert (await player.get(f"{game.path}/view"))["view"]["corrected"] == []
    await game.play(game.master, {"do": "submit", "role": role, "orders": orders, "final": False}, "rest")
    assert len((await player.get("/notices"))["notices"]) == 2


async def test_nobody_but_the_master_acts_as_one(house: House) -> None:
    game = await mastered_game(house)
    player, stranger, chief = game.players[0], await house.member(), await house.administrator()
    resolve = {"do": "adjudicate", "civil_disorder": True}
    assert (await game.refused(player, resolve, "r"))["parts"]["reason"] == "master_only"
    for guest in (stranger, chief):
        assert (await game.refused(guest, resolve, "r"))["code"] == "not_seated"
        live = await guest.live()
        asked = {"type": "subscribe", "to": {"topic": "table", "table": game.table, "as": "seat"}}
        assert (await live.refusal_of(asked))["code"] == "not_seated"
        await live.subscribe("table", table=game.table)
        whole = await live.take("table")
        assert (whole["seat"], whole["legal"]) == (None, None)


async def test_a_host_with_a_seat_is_no_master(house: House) -> None:
    host = await house.member()
    body = {"game": "diplomacy", "variant": "lagune", "robots": ["strategist"]}
    made = await host.post("/tables", body, status=201)
    assert (made["host"], made["master"], made["my_seat"]) == (host.id, None, 1)


async def test_the_master_pauses_resumes_and_takes_back_at_a_real_table(any_house: House) -> None:
    game = await mastered_game(any_house, players=3, minutes=60)
    player = game.players[0]
    [role] = await game.roles_of(player)
    live = await player.live()
    await live.subscribe("table", table=game.table)
    view = (await live.take("table"))["view"]
    deadline = view["deadline"]
    await game.play(game.master, {"do": "pause"}, "pause")
    update = await live.take("update")
    view = patched(view, update["patch"])
    assert (view["paused"], view.get("deadline"), update["waiting"]) == (True, None, [0])
    assert update["facts"] == [{"is": "paused"}]
    assert any_house.tables.loaded[game.table].due() is None, "nothing is due while it is paused"
    await game.play(player, {"do": "submit", "role": role, "orders": [], "final": False}, "orders")
    await game.play(game.master, {"do": "resume"}, "resume")
    view = (await player.get(f"{game.path}/view"))["view"]
    assert view["deadline"] > deadline
    assert any_house.tables.loaded[game.table].due() == view["deadline"]
    await game.play(game.master, {"do": "adjudicate", "civil_disorder": True}, "resolve")
    assert (await player.get(f"{game.path}/view"))["view"]["advancement"] == 2
    assert (await game.refused(player, {"do": "undo"}, "mine"))["parts"]["reason"] == "master_only"
    played = await game.play(game.master, {"do": "undo"}, "undo")
    assert played["facts"][0] == {"is": "undone", "advancement": 0}
    view = (await player.get(f"{game.path}/view"))["view"]
    assert (view["advancement"], view["may_undo"], view["orders"]) == (0, False, {str(role): []})
    refusal = await game.refused(game.master, {"do": "undo"}, "again")
    assert refusal["parts"]["reason"] == "nothing_to_undo"


async def test_robots_go_on_after_a_pause(house: House) -> None:
    master = await house.member()
    made = await house.tables.creating.create(
        TablePlan("diplomacy", "lagune", {}, master.id, robots=["strategist"] * 3, terms=Terms(mastered=True))
    )
    path = f"/tables/{made.id}"
    await master.post(f"{path}/start")

    async def advanced() -> bool:
        return bool((await master.get(f"{path}/view"))["view"]["advancement"] > 1)

    await until(advanced, "the robots play")
    await master.post(f"{path}/play", {"action": {"do": "pause"}, "request_id": "p"})
    before = (await master.get(f"{path}/view"))["view"]["advancement"]
    await master.post(f"{path}/play", {"action": {"do": "resume"}, "request_id": "r"})

    async def further() -> bool:
        return bool((await master.get(f"{path}/view"))["view"]["advancement"] > before)

    await until(further, "the robots go on")


async def test_orders_are_taken_in_the_form_in_which_they_are_shown(house: House) -> None:
    game = await mastered_game(house, players=3)
    player = game.players[0]
    [role] = await game.roles_of(player)
    legal = (await player.get(f"{game.path}/legal"))["legal"]["submit"][str(role)]["orders"]
    orders = [choices[-1] for choices in legal.values()]
    await game.play(player, {"do": "submit", "role": role, "orders": orders, "final": False}, "as-shown")
    assert (await player.get(f"{game.path}/view"))["view"]["orders"] == {str(role): orders}
