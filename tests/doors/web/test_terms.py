"""On what terms a table is played: made, shown, changed, and who is put in or taken out by its master."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from tests.doors.web.mastered import mastered_game
from tests.kit.web import Guest, House

from tablee.rules.diplomacy.game import DiplomacyState, SetPosition

Json = Any
BOARD = {"game": "diplomacy", "variant": "lagune"}


async def _mastered(master: Guest, **more: Json) -> Json:
    terms = {"mastered": True, **more.pop("terms", {})}
    return await master.post("/tables", {**BOARD, **more, "terms": terms}, status=201)


async def _open_table(house: House, **terms: Json) -> tuple[Guest, list[Guest], str]:
    """An open table with two players and their master, and room for a third."""
    master, people = await house.member(), [await house.member() for _ in range(2)]
    made = await _mastered(master, terms=terms)
    path = f"/tables/{made['id']}"
    for each in people:
        await master.post(f"{path}/seats", {"pseudo": each.pseudo})
    return master, people, path


async def test_the_terms_are_shown_and_the_code_to_the_master_alone(house: House) -> None:
    master, player = await house.member(), await house.member()
    terms = {"description": "Une longue partie", "silent": True, "access_code": 4711, "reliability": 10}
    made = await _mastered(master, name="Printemps", terms=terms)
    assert (made["master"], made["my_seat"], made["terms"]["access_code"]) == (master.id, None, 4711)
    path = f"/tables/{made['id']}"
    seen = (await player.get(path))["terms"]
    assert {**seen, "deal": None} == {
        "mastered": True,
        "description": "Une longue partie",
        "anonymous": False,
        "silent": True,
        "manual": False,
        "handed_on": False,
        "fast": False,
        "absences": True,
        "extensions": True,
        "has_code": True,
        "access_code": None,
        "deal": None,
        "reliability": 10,
        "regularity": 0,
        "performance": 0,
    }
    for guest in (player, house.nobody(), await house.administrator()):
        for text in ((await guest.ask("GET", path)).text, (await guest.ask("GET", "/tables")).text):
            assert "4711" not in text
    live = await player.live()
    await live.subscribe("lobby")
    await live.subscribe("table", table=made["id"])
    await master.patch(path, {"terms": {"description": "Plus courte"}})
    await live.take("info", lambda news: news["info"]["terms"]["description"] == "Plus courte")
    assert "4711" not in str(await live.settled())
    assert (await player.refused("POST", f"{path}/join", {}))["code"] == "wrong_access_code"
    assert [table["id"] for table in (await master.get("/account/tables"))["tables"]] == [made["id"]]
    assert (
        await player.refused("POST", "/tables", {**BOARD, "name": "Printemps", "terms": {"mastered": True}})
    )["code"] == "name_taken"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"game": "mines", "variant": "classic", "terms": {"silent": True}}, "no_terms"),
        ({**BOARD, "terms": {"anonymous": True}}, "needs_master"),
        ({**BOARD, "terms": {"manual": True}}, "needs_master"),
        ({**BOARD, "terms": {"access_code": -1}}, "invalid"),
        ({**BOARD, "terms": {"deal": {"1": 1}}}, "invalid"),
        ({**BOARD, "terms": {"position_code": "x"}}, "invalid"),
        ({**BOARD, "terms": {"description": "x" * 10_001}}, "invalid"),
    ],
)
async def test_terms_that_do_not_fit_are_refused(house: House, body: Json, code: str) -> None:
    assert (await (await house.member()).refused("POST", "/tables", body))["code"] == code


async def test_before_the_start_everything_changes_but_the_master(any_house: House) -> None:
    master = await any_house.member()
    made = await _mastered(master)
    path = f"/tables/{made['id']}"
    body = {
        "name": "Automne",
        "variant": "standard",
        "options": {"calendar": True, "sharing": "none"},
        "rated": False,
        "terms": {"anonymous": True, "manual": True},
    }
    changed = await master.patch(path, body)
    assert (changed["name"], changed["variant"], changed["rated"]) == ("Automne", "standard", False)
    assert (changed["options"]["calendar"], changed["seats_least"]) == (True, 7)
    assert (changed["terms"]["anonymous"], changed["terms"]["manual"]) == (True, True)
    assert (await master.patch(path, {"terms": {"fast": True}}))["options"]["calendar"] is False
    assert (await master.patch(path, {"terms": {"anonymous": False}}))["terms"]["anonymous"] is False
    refusal = await master.refused("PATCH", path, {"terms": {"mastered": False}})
    assert (refusal["code"], refusal["parts"]) == ("term_fixed", {"term": "mastered"})
    assert (await master.refused("PATCH", path, {"options": {"cycles": 0}}))["code"] == "bad_options"
    assert (await master.refused("PATCH", path, {"variant": "nulle-part"}))["code"] == "no_such_game"


async def test_a_running_game_keeps_what_its_players_came_for(house: House) -> None:
    game = await mastered_game(house, terms={"anonymous": True})
    changed = await game.master.patch(
        game.path, {"options": {"cycles": 3}, "terms": {"silent": True}, "name": "Courte"}
    )
    assert (changed["options"]["cycles"], changed["terms"]["silent"], changed["name"]) == (3, True, "Courte")
    assert (await game.players[0].get(f"{game.path}/view"))["view"]["cycles"] == 3
    for body in ({"terms": {"anonymous": False}}, {"terms": {"manual": True}}, {"variant": "standard"}):
        assert (await game.master.refused("PATCH", game.path, body))["code"] == "term_fixed"
    refusal = await game.master.refused("PATCH", game.path, {"options": {"choices": "AFJD"}})
    assert refusal["parts"]["reason"] == "option_fixed"
    await game.play(game.master, {"do": "stop"}, "stop")
    assert (await game.master.refused("PATCH", game.path, {"name": "Tard"}))["code"] == "over"


async def test_the_master_deals_by_hand_to_people_and_robots(any_house: House) -> None:
    master, people = await any_house.member(), [await any_house.member()]
    made = await _mastered(master, robots=["strategist", "strategist"], terms={"manual": True})
    path = f"/tables/{made['id']}"
    seated = await master.post(f"{path}/seats", {"pseudo": people[0].pseudo, "role": 2})
    assert seated["terms"]["deal"] == {"2": 3}
    assert (await people[0].get(path))["terms"]["deal"] is None
    assert [each["kind"] for each in (await people[0].get("/notices"))["notices"]] == ["seated"]
    assert (await master.refused("POST", f"{path}/start"))["code"] == "deal_incomplete"
    for roles in ({"9": 1}, {"0": 1}, {"1": 4}, {"1": -1}):
        refusal = await master.refused("POST", f"{path}/deal", {"roles": roles})
        assert refusal["code"] == "bad_deal_of_master"
    assert (await master.refused("POST", f"{path}/deal", {"roles": {"un": 1}}))["code"] == "invalid"
    dealt = await master.post(f"{path}/deal", {"roles": {"1": 2, "2": 3, "3": 1}})
    assert dealt["terms"]["deal"] == {"1": 2, "2": 3, "3": 1}
    await master.delete(f"{path}/seats/2")
    assert (await master.get(path))["terms"]["deal"] == {"2": 3, "3": 1}
    await master.post(f"{path}/robots", {"strength": "strategist"})
    await master.post(f"{path}/deal", {"roles": {"1": 2, "2": 3, "3": 1}})
    await master.post(f"{path}/start")
    roles = (await master.get(f"{path}/view"))["view"]["roles"]
    assert [roles[role]["seat"] for role in "123"] == [2, 3, 1]


async def test_the_master_replaces_and_takes_out_in_a_running_game(house: House) -> None:
    game = await mastered_game(house, players=3, terms={"anonymous": True})
    leaver, newcomer = game.players[0], await house.member("Relève")
    [role] = await game.roles_of(leaver)
    shown = await game.master.post(f"{game.path}/seats", {"pseudo": "Relève", "role": role})
    assert "Relève" in [seat["name"] for seat in shown["seats"]]
    assert await game.roles_of(newcomer) == [role]
    assert (await leaver.get(game.path))["my_seat"] is None
    assert "Relève" not in str(await game.players[1].get(game.path))
    seat = (await newcomer.get(game.path))["my_seat"]
    twice = {"pseudo": game.players[1].pseudo, "seat": seat}
    assert (await game.master.refused("POST", f"{game.path}/seats", twice))["code"] == "seat_taken"
    nowhere = {"pseudo": leaver.pseudo, "role": 99}
    assert (await game.master.refused("POST", f"{game.path}/seats", nowhere))["code"] == "role_without_player"
    own = {"pseudo": game.master.pseudo, "seat": seat}
    assert (await game.master.refused("POST", f"{game.path}/seats", own))["code"] == "master_sits_not"
    await game.master.delete(f"{game.path}/seats/{seat}")
    assert (await game.master.get(f"{game.path}/view"))["view"]["gone"] == [seat]
    await game.master.post(f"{game.path}/seats", {"pseudo": leaver.pseudo, "seat": seat})
    assert await game.roles_of(leaver) == [role]


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("PATCH", "", {"name": "Volée"}),
        ("POST", "/seats", {"pseudo": "Membre"}),
        ("DELETE", "/seats/1", None),
        ("POST", "/deal", {"roles": {"1": 1}}),
    ],
)
async def test_nobody_but_the_master_changes_his_table(
    house: House, method: str, path: str, body: Json
) -> None:
    master, people, table = await _open_table(house, manual=True)
    before = await master.get(table)
    assert (await house.nobody().refused(method, table + path, body))["code"] == "not_identified"
    for guest in (await house.member("Membre"), await house.administrator(), *people):
        assert (await guest.refused(method, table + path, body))["code"] == "not_host"
    assert await master.get(table) == before
    assert (await master.ask(method, table + path, body)).status_code < 300


async def test_a_position_under_a_code_is_not_changed_without_it(house: House) -> None:
    game = await mastered_game(house, terms={"position_code": "digest"})
    live = await house.tables.open(game.table)
    assert isinstance(live.state, DiplomacyState)
    action = msgspec.to_builtins(SetPosition(live.state.situation, 0), str_keys=True)
    assert (await game.refused(game.master, action, "p"))["code"] == "position_code"
