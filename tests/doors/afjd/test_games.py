"""GAMES as masters and players see them: games, allocations, positions, orders, adjudications, talk."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from sqlalchemy import func, select
from tests.kit.afjd import STANDARD, ZONE, House, Person, checked, hold, move

from tablee.rules.contract import CLOCK
from tablee.store import Query, Unavailable
from tablee.store.schema import metadata
from tablee.tables import TablePlan
from tablee.tables.calendar import ClubCalendar
from tablee.tables.codec import Void

BASIC = {"speed_moves": 2, "speed_retreats": 1, "speed_adjustments": 1}


def today(house: House) -> str:
    calendar = house.tables.calendar
    assert isinstance(calendar, ClubCalendar)
    return calendar.day_of(house.clock.now()).isoformat()


async def test_a_game_is_made_found_changed_and_taken_away(any_house: House) -> None:
    house = any_house
    lea = await house.person("Lea")
    made = await lea.post("/games", name="Raspoutine", description="test", **BASIC)
    assert made == {"name": "Raspoutine", "msg": "Ok game created"}
    number = await house.get("/game-identifiers/Raspoutine")
    assert (await house.get("/games"))[str(number)] == "Raspoutine"
    shown = await house.get("/games/Raspoutine")
    expected = {
        "name": "Raspoutine", "description": "test", "variant": "standard", "archive": 0, "anonymous": 0,
        "silent": 0, "cumulate": 0, "fast": 0, "deadline": today(house),
        "speed_moves": 2, "cd_possible_moves": 0,
        "speed_retreats": 1, "cd_possible_retreats": 1, "speed_adjustments": 1, "cd_possible_builds": 0,
        "cd_possible_removals": 1, "play_weekend": 0, "manual": 0, "access_code": 0,
        "access_restriction_reliability": 0, "access_restriction_regularity": 0,
        "access_restriction_performance": 0, "current_advancement": 0, "nb_max_cycles_to_play": 99,
        "victory_centers": 18, "current_state": 0,
    }  # fmt: skip
    assert shown == expected
    again = await lea.ask("POST", "/games", name="Raspoutine")
    assert checked(again, 400) == {"msg": "Game Raspoutine already exists"}
    same = await lea.put("/games/Raspoutine", description="test", speed_moves=2)
    assert same == {"name": "Raspoutine", "msg": "Ok but no change !"}
    changed = await lea.put("/games/Raspoutine", description="autre", silent=1, victory_centers=20)
    assert changed == {"name": "Raspoutine", "msg": "Ok updated"}
    shown = await house.get("/games/Raspoutine")
    assert (shown["description"], shown["silent"], shown["victory_centers"]) == ("autre", 1, 20)
    renamed = await lea.put("/games/Raspoutine", name="Anastasia")
    assert renamed == {"name": "Anastasia", "msg": "Ok updated"}
    assert (await house.get("/games"))[str(number)] == "Anastasia"
    await house.get("/game-identifiers/Raspoutine", 404)
    assert await lea.delete("/games/Anastasia") == {"msg": "Ok removed"}
    assert await house.get("/games") == {}
    await house.get(f"/game-positions/{number}", 404)


async def test_the_names_of_games_have_one_to_fifty_characters(house: House) -> None:
    lea = await house.person()
    for name in ("", "x" * 51, "a/b", " a", "a\nb", ".."):
        assert (await lea.ask("POST", "/games", name=name)).status_code == 400, name
    for name in ("x" * 50, "L’été #1", "a b"):
        await lea.post("/games", name=name)
        assert isinstance(await house.get(f"/game-identifiers/{name.replace('#', '%23')}"), int)


async def test_states_go_from_waiting_to_running_to_stopped_and_no_other_way(house: House) -> None:
    game = await house.game(await house.person(), "P")
    master = game.master
    for state in (2, 3, -1):
        assert (await master.ask("PUT", "/games/P", current_state=state)).status_code == 400
    refused = await master.ask("PUT", "/games/P", current_state=1)
    assert checked(refused, 400) == {"msg": "Not enough players !"}
    for _ in range(7):
        await game.join(await house.person())
    assert (await game.informations())["current_state"] == 0
    assert await master.put("/games/P", current_state=1) == {"name": "P", "msg": "Ok updated"}
    assert await master.put("/games/P", current_state=1) == {"name": "P", "msg": "Ok but no change !"}
    assert (await master.ask("PUT", "/games/P", current_state=0)).status_code == 400
    await master.put("/games/P", current_state=2)
    assert (await game.informations())["current_state"] == 2
    assert (await master.ask("PUT", "/games/P", current_state=1)).status_code == 400
    assert (await master.ask("PUT", "/games/P", description="x")).status_code == 400


async def test_starting_deals_every_role_to_another_player(house: House) -> None:
    game = await house.game(await house.person())
    people = [await house.person() for _ in range(7)]
    for person in people:
        await game.join(person)
    before = await house.get(f"/game-allocations/{game.id}")
    assert before == {str(game.master.id): 0, **{str(person.id): -1 for person in people}}
    await game.start()
    assert sorted(game.player) == [1, 2, 3, 4, 5, 6, 7]
    role, player = next(iter(game.player.items()))
    assert await house.get(f"/player-allocations/{player.id}") == {str(game.id): role}
    assert await house.get(f"/player-allocations/{game.master.id}") == {str(game.id): 0}


async def test_players_come_and_go_until_the_game_starts(house: House) -> None:
    game = await house.game(await house.person())
    lea, max_ = await house.person(), await house.person()
    given = {"game_id": game.id, "player_id": lea.id}
    assert await lea.post("/allocations", **given) == {"msg": "Ok allocation updated or created"}
    assert await lea.post("/allocations", **given) == {"msg": "Ok allocation updated or created"}
    stranger = await max_.ask("POST", "/allocations", **given)
    assert checked(stranger, 403)["msg"].startswith("You do not seem to be either the game master")
    assert (await max_.ask("DELETE", "/allocations", **given)).status_code == 403
    assert await lea.delete("/allocations", **given) == {"msg": "Ok allocation deleted if present"}
    assert await lea.delete("/allocations", **given) == {"msg": "Ok allocation deleted if present"}
    await game.master.post("/allocations", **given)
    await game.master.post("/allocations", game_id=game.id, player_id=game.master.id)
    assert await house.get(f"/game-allocations/{game.id}") == {str(game.master.id): 0, str(lea.id): -1}
    for _ in range(6):
        await game.join(await house.person())
    full = await max_.ask("POST", "/allocations", game_id=game.id, player_id=max_.id)
    assert checked(full, 400) == {"msg": "Game is full"}
    await game.master.put(f"/games/{game.name}", current_state=1)
    for method, who in (("POST", max_), ("DELETE", lea)):
        late = await who.ask(method, "/allocations", game_id=game.id, player_id=who.id)
        assert checked(late, 405)["msg"].endswith("please proceed to replacement")


async def test_cumulating_players_have_lists_of_roles(house: House) -> None:
    game = await house.running(players=3, cumulate=1)
    found = await house.get(f"/game-allocations/{game.id}")
    dealt = [role for roles in found.values() if isinstance(roles, list) for role in roles]
    assert sorted(dealt) == [1, 2, 3, 4, 5, 6, 7]
    crowd = await house.game(await house.person(), cumulate=1)
    for _ in range(8):
        await crowd.join(await house.person())
    await crowd.start()
    assert sorted(crowd.player) == [1, 2, 3, 4, 5, 6, 7]
    assert -1 in (await house.get(f"/game-allocations/{crowd.id}")).values()


async def test_in_a_manual_game_the_master_deals_the_roles(house: House) -> None:
    game = await house.game(await house.person(), manual=1)
    people = [await house.person() for _ in range(7)]
    for role, person in enumerate(people[:6], 1):
        await game.master.post("/allocations", game_id=game.id, player_id=person.id, role_id=role)
    await game.join(people[6])
    refused = await game.master.ask("PUT", f"/games/{game.name}", current_state=1)
    assert refused.status_code == 400
    assert refused.json()["msg"].startswith("Not enough players !")
    wrong = await game.master.ask("POST", "/allocations", game_id=game.id, player_id=people[6].id, role_id=8)
    assert wrong.status_code == 400
    await game.master.post("/allocations", game_id=game.id, player_id=people[6].id, role_id=7)
    await game.master.put(f"/games/{game.name}", current_state=1)
    found = await house.get(f"/game-allocations/{game.id}")
    assert [found[str(person.id)] for person in people] == [1, 2, 3, 4, 5, 6, 7]


async def test_a_role_that_cannot_be_dealt_puts_nobody_in(house: House) -> None:
    lea = await house.person()
    for manual, role in ((0, 3), (1, 8)):
        game = await house.game(await house.person(), manual=manual)
        asked = {"game_id": game.id, "player_id": lea.id, "role_id": role}
        refused = await game.master.ask("POST", "/allocations", **asked)
        assert checked(refused, 400)["msg"].startswith("role_id")
        assert await house.get(f"/game-allocations/{game.id}") == {str(game.master.id): 0}


async def test_a_player_who_does_not_exist_is_unknown_whoever_asks(house: House) -> None:
    game, lea = await house.game(await house.person()), await house.person()
    for method in ("POST", "DELETE"):
        for who in (game.master, lea):
            answer = await who.ask(method, "/allocations", game_id=game.id, player_id=999_999)
            assert checked(answer, 404) == {"msg": "Player 999999 doesn't exist"}


async def test_an_access_code_and_restrictions_keep_people_out_but_not_whom_the_master_puts_in(
    house: House,
) -> None:
    game = await house.game(await house.person(), access_code=4711)
    lea = await house.person()
    asked = {"game_id": game.id, "player_id": lea.id}
    for code in (None, 0, 1234):
        assert (await lea.ask("POST", "/allocations", access_code=code, **asked)).status_code == 403
    assert (await house.get(f"/games/{game.name}"))["access_code"] == 1
    await lea.post("/allocations", access_code=4711, **asked)
    for restriction, value in (("regularity", 1), ("performance", 1501)):
        picky = await house.game(await house.person(), **{f"access_restriction_{restriction}": value})
        asked = {"game_id": picky.id, "player_id": lea.id}
        refused = await lea.ask("POST", "/allocations", **asked)
        assert refused.status_code == 403
        assert restriction in refused.json()["msg"]
        await picky.master.post("/allocations", **asked)
    reliable = await house.game(await house.person(), access_restriction_reliability=100)
    await reliable.join(lea)


async def test_orders_are_given_seen_and_resolved(house: House) -> None:
    game = await house.running()
    france = game.player[2]
    orders = [move(2, 1, "par", "bur"), move(2, 1, "mar", "spa"), move(2, 2, "bre", "mid")]
    given = {"role_id": 2, "orders": orders}
    done = await france.post(f"/game-orders/{game.id}", **given)
    assert done["msg"].startswith("Ok orders submitted SOLVEUR : INFORMATION")
    assert "A PAR - BUR" in done["msg"]
    seen = await france.get(f"/game-orders/{game.id}", role_id=2)
    assert [game.id, 2, 1, ZONE["par"], 0, ZONE["bur"]] in seen["orders"]
    assert seen["fake_units"] == []
    assert (await game.master.get(f"/game-orders/{game.id}", role_id=0))["orders"] == seen["orders"]
    missing = await game.master.ask("POST", f"/game-adjudications/{game.id}")
    assert checked(missing, 400)["msg"].startswith("Failed to adjudicate ")
    assert "1, 3, 4, 5, 6, 7" in missing.json()["msg"]
    await game.hold(1, 3, 4, 5, 6, 7)
    report = (await game.master.post(f"/game-adjudications/{game.id}"))["msg"]
    assert report.startswith(
        "Ok adjudication performed and game updated : SOLVEUR : INFORMATION : "
        "Résolution ou validation d'ordres pour Mouvements printemps 1901\n\n"
    )
    assert (await house.get(f"/game-reports/{game.id}"))["content"] in report
    shown = await game.informations()
    assert shown["current_advancement"] == 2  # nobody was dislodged: summer is passed over
    assert [1, ZONE["bur"]] in (await game.position())["units"]["2"]
    assert (await france.get(f"/game-orders/{game.id}", role_id=2))["orders"] == []


async def test_a_submission_that_is_not_whole_is_refused_with_every_fault(house: House) -> None:
    game = await house.running()
    path = f"/game-orders/{game.id}"
    france = game.player[2]
    orders = [move(2, 1, "par", "lon"), move(2, 1, "mar", "mar")]
    refused = checked(await france.ask("POST", path, role_id=2, orders=orders), 400)
    assert refused["msg"].startswith("Failed to submit orders ")
    assert refused["report"].count("(invalide)") == 2
    assert "BRE" in refused["report"]
    master = await game.master.ask("POST", path, role_id=0, orders=[])
    assert checked(master, 400)["msg"].startswith("Game master cannot submit orders in game")
    assert (await france.get(path, role_id=2))["orders"] == []


async def test_the_master_corrects_orders_which_the_player_sees(house: House) -> None:
    game = await house.running()
    france, path = game.player[2], f"/game-orders/{game.id}"
    await game.hold(2)
    orders = [move(2, 1, "par", "bur"), move(2, 1, "mar", "spa"), move(2, 2, "bre", "mid")]
    await game.master.post(path, role_id=2, orders=orders)
    assert [game.id, 2, 1, ZONE["par"], 0, ZONE["bur"]] in (await france.get(path, role_id=2))["orders"]
    seen = (await france.get(f"/game-corrections/{game.id}", role_id=2))["corrections_list"]
    assert [(advancement, role) for _, advancement, role, _ in seen] == [(0, 2)]
    assert [notice.kind for notice in await house.club.notices.list(france.id)] == ["orders_corrected"]
    other = game.player[3]
    assert (await other.get(f"/game-corrections/{game.id}", role_id=3))["corrections_list"] == []
    # To order the same as the player is an act of the master too.
    await game.hold(3)
    units = (await game.position())["units"]["3"]
    same = [hold(3, kind, zone) for kind, zone in units]
    await game.master.post(path, role_id=3, orders=same)
    assert len((await other.get(f"/game-corrections/{game.id}", role_id=3))["corrections_list"]) == 1
    assert [notice.kind for notice in await house.club.notices.list(other.id)] == ["orders_corrected"]
    assert (await game.master.get(path, role_id=2))["orders"]


async def test_final_orders_of_all_resolve_the_phase_in_a_fast_game(house: House) -> None:
    game = await house.running(fast=1)
    assert (await game.informations())["deadline"] == today(house)
    await game.hold(1, 2, 3, 4, 5, 6, 7)
    assert (await game.informations())["current_advancement"] == 0
    await game.hold(1, 2, 3, 4, 5, 6, final=1)
    validated = await game.master.get(f"/game-validations/{game.id}", role_id=0)
    assert (validated["final"], validated["submitted"]) == ([1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6, 7])
    own = await game.player[3].get(f"/game-validations/{game.id}", role_id=3)
    assert (own["final"], own["submitted"]) == ([3], [3])
    await game.hold(7, final=1)
    assert (await game.informations())["current_advancement"] == 2


async def test_a_role_in_civil_disorder_by_the_master_is_not_waited_for(house: House) -> None:
    game = await house.running()
    await game.hold(1, 2, 3, 4, 5, 6)
    refused = await game.player[1].ask("POST", f"/game-civil-disorders/{game.id}", role_id=7)
    assert refused.status_code == 403
    await game.master.post(f"/game-civil-disorders/{game.id}", role_id=7)
    assert (await game.master.get(f"/game-validations/{game.id}", role_id=0))["civil_disorder"] == [7]
    assert "PAR DEFAUT" in (await game.master.post(f"/game-adjudications/{game.id}"))["msg"]


async def test_the_master_rectifies_a_position_which_empties_the_orders(house: House) -> None:
    game = await house.running()
    await game.hold(2)
    given: dict[str, Any] = {
        "center_ownerships": [{"role": 3, "center_num": 8}],
        "units": [
            {"type_unit": 2, "role": 3, "zone": ZONE["den"]},
            {"type_unit": 1, "role": 2, "zone": ZONE["par"]},
        ],
        "forbiddens": [{"region_num": ZONE["tyr"]}, ZONE["sil"]],
    }
    done = await game.master.post(f"/game-positions/{game.id}", **given)
    assert done == {"msg": "Ok position rectified"}
    assert await game.position() == {
        "ownerships": {"8": 3},
        "units": {"2": [[1, ZONE["par"]]], "3": [[2, ZONE["den"]]]},
        "dislodged_ones": {},
        "forbiddens": sorted([ZONE["tyr"], ZONE["sil"]]),
    }
    assert (await game.master.get(f"/game-orders/{game.id}", role_id=0))["orders"] == []
    # The call has no season: a dislodged unit is kept, and destroyed where nobody can retreat.
    dislodged = {"type_unit": 1, "role": 3, "zone": ZONE["boh"], "dislodged_origin": ZONE["vie"]}
    await game.master.post(f"/game-positions/{game.id}", **{**given, "units": [*given["units"], dislodged]})
    assert (await game.position())["dislodged_ones"] == {"3": [[1, ZONE["boh"], ZONE["vie"]]]}
    for wrong in (
        {**given, "units": [*given["units"], dislodged, dislodged]},
        {**given, "units": [{"type_unit": 1, "role": 3, "zone": ZONE["adr"]}]},
        {**given, "units": [{"type_unit": 3, "role": 3, "zone": 1}]},
        {**given, "units": [{"type_unit": 1, "role": 9, "zone": ZONE["par"]}]},
        {**given, "center_ownerships": [{"role": 3, "center_num": 35}]},
        {**given, "forbiddens": [76]},
        {**given, "units": "[[[["},
        {**given, "units": {"a": 1}},
    ):
        assert (await game.master.ask("POST", f"/game-positions/{game.id}", **wrong)).status_code == 400
    assert (await game.player[2].ask("POST", f"/game-positions/{game.id}", **given)).status_code == 403


async def test_a_position_with_units_to_retreat_is_set_in_a_season_of_retreats_and_goes_round(
    house: House,
) -> None:
    game = await house.running(fast=1)
    units = (await game.position())["units"]
    for role in range(1, 8):
        orders = [hold(role, kind, zone) for kind, zone in units[str(role)]]
        if role == 3:
            orders = [
                hold(3, kind, zone) if zone != ZONE["mun"] else move(3, 1, "mun", "bur")
                for kind, zone in units["3"]
            ]
        await game.player[role].post(f"/game-orders/{game.id}", role_id=role, orders=orders, final=1)
    stands = await game.position()
    orders = [move(2, 1, "par", "bur"), hold(2, 2, ZONE["bre"])]
    orders.append(
        {
            "order_type": 2,
            "active_unit": {"type_unit": 1, "role": 2, "zone": ZONE["mar"]},
            "passive_unit": {"type_unit": 1, "role": 2, "zone": ZONE["par"]},
            "destination_zone": ZONE["bur"],
        }
    )
    await game.player[2].post(f"/game-orders/{game.id}", role_id=2, orders=orders, final=1)
    await game.hold(1, 3, 4, 5, 6, 7, final=1)
    assert (await game.informations())["current_advancement"] == 3
    before = await game.position()
    assert before["dislodged_ones"] == {"3": [[1, ZONE["bur"], ZONE["par"]]]}
    # What an old client reads, it may send back as it is.
    listed = [
        {"type_unit": kind, "role": int(role), "zone": zone}
        for role, found in before["units"].items()
        for kind, zone in found
    ]
    listed += [
        {"type_unit": kind, "role": int(role), "zone": zone, "dislodged_origin": origin}
        for role, found in before["dislodged_ones"].items()
        for kind, zone, origin in found
    ]
    owned = [{"role": role, "center_num": int(centre)} for centre, role in stands["ownerships"].items()]
    await game.master.post(
        f"/game-positions/{game.id}",
        center_ownerships=owned,
        units=listed,
        forbiddens=before["forbiddens"],
    )
    assert await game.position() == before
    assert (await game.informations())["current_advancement"] == 3


async def test_a_position_changes_only_under_the_code_of_an_administrator_where_one_asks(
    house: House,
) -> None:
    chief = await house.super_administrator()
    game = await house.running()
    given: dict[str, Any] = {
        "center_ownerships": [],
        "units": [{"type_unit": 1, "role": 2, "zone": ZONE["par"]}],
    }
    path, code = f"/game-positions/{game.id}", f"/game-position-codes/{game.id}"
    assert (await game.master.ask("POST", code, admin_code="abcd")).status_code == 403
    await chief.post(code, admin_code="sesame")
    for wrong in (None, "", "sesam"):
        assert (await game.master.ask("POST", path, admin_code=wrong, **given)).status_code == 403
    await game.master.post(path, admin_code="sesame", **given)
    await chief.delete(code)
    await game.master.post(path, **given)


async def test_a_player_is_replaced_in_a_running_game(house: House) -> None:
    game = await house.running()
    before, after = game.player[4], await house.person()
    await before.post(f"/game-declarations/{game.id}", role_id=4, content="Adieu")
    asked = {"game_id": game.id, "player_id": after.id, "role_id": 4}
    assert (await after.ask("POST", "/allocations", **asked)).status_code == 405
    assert (await before.ask("POST", "/allocations", **asked)).status_code == 403
    await game.master.post("/allocations", **asked)
    allocations = await house.get(f"/game-allocations/{game.id}")
    assert allocations[str(after.id)] == 4
    assert str(before.id) not in allocations
    game.player[4] = after
    await game.hold(4)
    assert (await before.ask("GET", f"/game-orders/{game.id}", role_id=4)).status_code == 403
    assert (await house.get(f"/player-facts/{before.pseudo}", service="players"))["reliability"] < 100
    twice = await game.master.ask("POST", "/allocations", **{**asked, "player_id": game.player[5].id})
    assert twice.status_code == 400


async def test_where_roles_are_cumulated_a_replacement_takes_over_one_role(any_house: House) -> None:
    house = any_house
    game = await house.running(players=3, cumulate=1)
    several = next(person for person in game.people if [*game.player.values()].count(person) == 3)
    given, kept, other = (role for role, person in game.player.items() if person is several)
    await game.hold(given, kept)

    async def replace(person: Person, role: int) -> None:
        await game.master.post("/allocations", game_id=game.id, player_id=person.id, role_id=role)

    newcomer = await house.person()
    game.people.append(newcomer)
    await replace(newcomer, given)
    await replace(newcomer, given)  # again changes nothing
    found = await house.get(f"/game-allocations/{game.id}")
    assert found[str(newcomer.id)] == given
    assert sorted(found[str(several.id)]) == sorted([kept, other])
    # He has the orders that were given, and gives others; who had the role has no part in it any more.
    path = f"/game-orders/{game.id}"
    assert (await newcomer.get(path, role_id=given))["orders"]
    assert (await several.ask("GET", path, role_id=given)).status_code == 403
    assert (await newcomer.ask("GET", path, role_id=kept)).status_code == 403
    game.player[given] = newcomer
    await game.hold(given)
    # Somebody who plays already takes over another role; with his last role a player is out.
    await replace(newcomer, kept)
    await replace(newcomer, other)
    found = await house.get(f"/game-allocations/{game.id}")
    assert sorted(found[str(newcomer.id)]) == sorted([given, kept, other])
    assert str(several.id) not in found
    assert await house.get(f"/player-allocations/{several.id}") == {}
    await game.learn()
    await game.hold(*range(1, 8))
    await game.master.post(f"/game-adjudications/{game.id}")
    # The log says the same to a node that reads it anew.
    state = (await house.tables.open(game.id)).state
    rules, codec = house.tables.rules("diplomacy", "standard"), house.tables.codec("diplomacy", "standard")
    replayed: Any = None
    for row in await house.store.events(game.id, after=0, limit=1000):
        for fact in codec.facts(row.facts):
            replayed = rules.evolve(replayed, fact)
    assert replayed == state
    # And who is out comes back into his old seat.
    await replace(several, kept)
    assert (await house.get(f"/game-allocations/{game.id}"))[str(several.id)] == kept


async def test_where_each_has_one_role_nobody_takes_over_a_second(house: House) -> None:
    game = await house.running()
    asked = {"game_id": game.id, "player_id": game.player[1].id, "role_id": 2}
    refused = await game.master.ask("POST", "/allocations", **asked)
    assert checked(refused, 400) == {"msg": "This player has a role in the game already"}
    for role in (8, 99):
        wrong = await game.master.ask("POST", "/allocations", **{**asked, "role_id": role})
        assert checked(wrong, 400)["msg"].startswith("role_id: role")


async def test_messages_and_declarations_come_newest_first_and_only_ones_own(house: House) -> None:
    game = await house.running()
    path = f"/game-messages/{game.id}"
    for content in ("un", "deux"):
        said = await game.player[6].post(path, role_id=6, dest_role_id=3, content=content)
        assert said == {"msg": f"Ok message inserted : {content}"}
    await game.master.post(path, role_id=0, dest_role_id=3, content="Arbitre")
    await game.player[1].post(path, role_id=1, dest_role_id=0, content="À l’arbitre\nsur deux lignes")
    got = (await game.player[3].get(path, role_id=3))["messages_list"]
    assert [message[1:] for message in got] == [[0, 3, "Arbitre"], [6, 3, "deux"], [6, 3, "un"]]
    assert abs(got[0][0] - house.clock.now() // 1000) < 60
    assert len((await game.player[3].get(path, role_id=3, limit=2))["messages_list"]) == 2
    assert (await game.player[2].get(path, role_id=2))["messages_list"] == []
    assert [m[1] for m in (await game.master.get(path, role_id=0))["messages_list"]] == [1, 0]
    for limit in (0, -1, "x"):
        assert (await game.player[3].ask("GET", path, role_id=3, limit=limit)).status_code == 400
    wrong = await game.player[3].ask("POST", path, role_id=3, dest_role_id=8, content="x")
    assert wrong.status_code == 400
    press = f"/game-declarations/{game.id}"
    for role in (6, 0):
        who = game.player[6] if role else game.master
        said = await who.post(press, role_id=role, content="Hello world")
        assert said == {"msg": "Ok declaration inserted : Hello world"}
    for role, person in game.player.items():
        read = (await person.get(press, role_id=role))["declarations_list"]
        assert [line[1:] for line in read] == [[0, "Hello world"], [6, "Hello world"]]


async def test_in_a_silent_game_only_the_line_to_the_master_is_open(house: House) -> None:
    game = await house.running(silent=1)
    path, press = f"/game-messages/{game.id}", f"/game-declarations/{game.id}"
    refused = await game.player[1].ask("POST", path, role_id=1, dest_role_id=2, content="psst")
    assert refused.status_code == 403
    assert (await game.player[1].ask("POST", press, role_id=1, content="psst")).status_code == 403
    await game.player[1].post(path, role_id=1, dest_role_id=0, content="Monsieur l’arbitre")
    await game.master.post(path, role_id=0, dest_role_id=1, content="Oui ?")
    await game.master.post(press, role_id=0, content="Bonne partie")


async def test_visits_are_remembered_by_role(house: House) -> None:
    game = await house.running()
    path, lea = f"/game-visits/{game.id}", game.player[1]
    never = (await lea.get(path, role_id=1))["time_stamp"]
    assert abs(never - house.clock.now() // 1000) < 60
    assert await lea.post(path, role_id=1) == {"msg": "Ok visit inserted"}
    assert (await lea.get(path, role_id=1))["time_stamp"] >= never
    await game.master.post(path, role_id=0)
    assert (await lea.ask("POST", path, role_id=0)).status_code == 403


async def test_a_unanimous_vote_is_a_draw(house: House) -> None:
    game = await house.running()
    for role, person in sorted(game.player.items()):
        await person.post(f"/game-votes/{game.id}", role_id=role)
        if role == 3:
            shown = await game.master.get(f"/game-votes/{game.id}", role_id=0)
            assert shown["votes"] == [1, 2, 3]
            await person.post(f"/game-votes/{game.id}", role_id=role, value=0)
            await person.post(f"/game-votes/{game.id}", role_id=role, value=1)
    assert (await game.informations())["current_state"] == 2
    refused = await game.player[1].ask("POST", f"/game-orders/{game.id}", role_id=1, orders=[])
    assert checked(refused, 400)["msg"].startswith("Failed to submit orders game is not running")


async def test_the_agreed_years_end_a_game(house: House) -> None:
    game = await house.running(fast=1, nb_max_cycles_to_play=1)
    for _ in range(2):
        await game.hold(1, 2, 3, 4, 5, 6, 7, final=1)
    assert (await game.informations())["current_state"] == 2


async def test_an_archive_needs_no_players_and_the_master_enters_everything(house: House) -> None:
    game = await house.game(await house.person(), archive=1)
    await game.start()
    units = (await game.position())["units"]
    for role in range(1, 8):
        orders = [hold(role, kind, zone) for kind, zone in units[str(role)]]
        await game.master.post(f"/game-orders/{game.id}", role_id=role, orders=orders)
    await game.master.post(f"/game-adjudications/{game.id}")
    shown = await game.informations()
    assert (shown["current_advancement"], shown["deadline"]) == (2, today(house))


async def test_the_history_has_every_phase_with_position_orders_and_report(house: House) -> None:
    game = await house.running(fast=1)
    for _ in range(2):
        await game.hold(1, 2, 3, 4, 5, 6, 7, final=1)
    listed = (await house.get(f"/game-histories/{game.id}"))["history"]
    assert [entry[:2] for entry in listed] == [
        [0, "Mouvements printemps 1901"],
        [2, "Mouvements automne 1901"],
    ]
    first = await house.get(f"/game-histories/{game.id}/0")
    assert len(first["orders"]) == 22
    assert first["position"]["units"] == first["result"]["units"]
    assert first["report"].startswith("SOLVEUR : INFORMATION")
    for missing in ("1", "x", "-1", "99999999999999999999"):
        await house.get(f"/game-histories/{game.id}/{missing}", 404)


async def test_nothing_of_a_game_that_is_taken_away_is_left(house: House) -> None:
    game = await house.running()
    await game.player[1].post(f"/game-declarations/{game.id}", role_id=1, content="Bonjour")
    await game.player[1].post(f"/game-messages/{game.id}", role_id=1, dest_role_id=2, content="Bonjour")
    await game.player[1].post(f"/game-visits/{game.id}", role_id=1)
    await game.player[1].post(f"/game-subscriptions/{game.id}", declaration=1)
    await house.tables.reckoning.up_to_date()
    await game.master.delete(f"/games/{game.name}")
    for table in metadata.sorted_tables:
        columns = {"event", "snapshot", "seat", "outcome", "invitation", "visit", "wish", "call", "tally"}
        if table.name in columns | {"game_table", "message", "reading"}:
            row = await house.store.one(Query(select(func.count().label("number")).select_from(table)))
            assert row is not None
            assert row.number == 0, table.name
    for path in ("game-positions", "game-allocations", "game-reports"):
        await house.get(f"/{path}/{game.id}", 404)


async def test_what_does_not_change_in_a_running_game_is_refused_and_the_rest_is_changed(
    house: House,
) -> None:
    game = await house.running(anonymous=1)
    path = f"/games/{game.name}"
    for field, value in (
        ("anonymous", 0),
        ("cumulate", 1),
        ("manual", 1),
        ("archive", 1),
        ("variant", "detroit"),
    ):
        assert (await game.master.ask("PUT", path, **{field: value})).status_code == 400, field
    await game.master.put(path, speed_moves=5, play_weekend=1, victory_centers=20, nb_max_cycles_to_play=3)
    shown = await game.informations()
    assert (shown["speed_moves"], shown["play_weekend"], shown["victory_centers"]) == (5, 1, 20)
    assert shown["nb_max_cycles_to_play"] == 3
    assert await game.master.put(path, **shown) == {
        "name": game.name,
        "msg": "Ok but no change !",
    }


async def test_an_anonymous_game_gives_nobody_away(house: House) -> None:
    game = await house.running(anonymous=1)
    master, lea = game.master, game.player[1]
    path = f"/game-allocations/{game.id}"
    assert await house.get(path) == {str(master.id): 0}
    assert await lea.get(path) == {str(master.id): 0, str(lea.id): 1}
    assert len(await master.get(path)) == 8
    assert await house.get(f"/player-allocations/{lea.id}") == {}
    assert await lea.get(f"/player-allocations/{lea.id}") == {str(game.id): 1}
    assert await game.player[2].get(f"/player-allocations/{lea.id}") == {}
    assert await master.get(f"/player-allocations/{lea.id}") == {str(game.id): 1}
    other = await house.game(await house.person())
    assert await other.master.get(f"/player-allocations/{lea.id}") == {}


async def test_a_table_of_the_page_is_a_game_of_the_services_and_the_other_way_round(house: House) -> None:
    game = await house.running()
    listed = (await house.http.get(f"{house.url}/api/v1/tables")).json()["tables"]
    assert [(table["id"], table["name"], table["game"]) for table in listed] == [
        (game.id, game.name, "diplomacy")
    ]
    view = (await house.http.get(f"{house.url}/api/v1/tables/{game.id}/view")).json()["view"]
    assert view["situation"]["units"] == (await game.position())["units"]
    lea = await house.person()
    signed = await house.http.post(
        f"{house.url}/api/v1/session", json={"name": lea.pseudo, "password": lea.pseudo}
    )
    made = await house.http.post(
        f"{house.url}/api/v1/tables",
        json={"game": "diplomacy", "variant": "standard"},
        headers={"Authorization": f"Bearer {signed.json()['access']}"},
    )
    number = made.json()["id"]
    name = (await house.get("/games"))[str(number)]
    for _ in range(6):
        await house.tables.sitting.join(number, (await house.person()).id)
    shown = await house.get(f"/games/{name}")
    assert (shown["current_state"], shown["victory_centers"]) == (1, 18)
    role = (await house.get(f"/game-allocations/{number}"))[str(lea.id)]
    units = (await house.get(f"/game-positions/{number}"))["units"][str(role)]
    orders = [hold(role, kind, zone) for kind, zone in units]
    await lea.post(f"/game-orders/{number}", role_id=role, orders=orders)
    assert len((await lea.get(f"/game-orders/{number}", role_id=role))["orders"]) == len(units)
    assert (await lea.ask("POST", f"/game-adjudications/{number}")).status_code == 403


@pytest.mark.parametrize("where", ["form", "json", "query"])
async def test_parameters_come_from_a_form_json_or_the_query_on_every_method(
    house: House, where: str
) -> None:
    game = await house.running()
    france = game.player[2]
    url = house.at("games", f"/game-orders/{game.id}")
    headers = {"Authorization": f"Bearer {france.token}"}
    units = (await game.position())["units"]["2"]
    orders = [hold(2, kind, zone) for kind, zone in units]
    given = {"role_id": 2, "pseudo": france.pseudo, "orders": json.dumps(orders)}
    asked = {"role_id": "2", "pseudo": france.pseudo}
    if where == "form":
        posted = await house.http.post(url, data=given, headers=headers)
        got = await house.http.request("GET", url, data=asked, headers=headers)
    elif where == "json":
        posted = await house.http.post(url, json={**given, "orders": orders}, headers=headers)
        got = await house.http.request("GET", url, json={**asked, "role_id": 2}, headers=headers)
    else:
        posted = await house.http.post(url, params={k: str(v) for k, v in given.items()}, headers=headers)
        got = await house.http.get(url, params=asked, headers=headers)
    assert posted.status_code == 201, posted.text
    assert len(got.json()["orders"]) == len(units) == len(STANDARD.home[2])


async def test_games_of_the_page_with_one_name_are_told_apart(house: House) -> None:
    for _ in range(2):
        await house.tables.creating.create(TablePlan("diplomacy", "standard", {}, None, name="Doublon"))
    names = list((await house.get("/games")).values())
    assert names[0] == "Doublon"
    assert names[1].startswith("Doublon #")
    number = await house.get(f"/game-identifiers/{names[1].replace('#', '%23')}")
    assert f"Doublon #{number}" == names[1]
    lea = await house.person()
    assert (await lea.ask("POST", "/games", name="Doublon")).status_code == 400


async def test_a_game_is_found_by_its_name_as_it_is_now(any_house: House) -> None:
    house = any_house
    lea = await house.person()
    page = await house.tables.creating.create(TablePlan("diplomacy", "standard", {}, lea.id, name="Salon"))
    assert await house.get("/game-identifiers/Salon") == page.id
    game = await house.game(lea, "Raspoutine")
    await lea.put("/games/Raspoutine", name="Salon 2")
    assert await house.get("/game-identifiers/Salon 2") == game.id
    await house.get("/game-identifiers/Raspoutine", 404)
    later = await house.tables.creating.create(TablePlan("diplomacy", "standard", {}, lea.id, name="Salon 2"))
    assert await house.get("/game-identifiers/Salon 2") == game.id
    await lea.delete("/games/Salon%202")
    assert await house.get("/game-identifiers/Salon 2") == later.id
    assert await house.get("/games") == {str(page.id): "Salon", str(later.id): "Salon 2"}


async def test_what_changed_while_the_database_was_away_is_listed_once_it_is_back(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    lea = await house.person()
    first = await house.game(lea, "Un")
    assert await house.get("/games") == {str(first.id): "Un"}
    second = await house.tables.creating.create(TablePlan("diplomacy", "standard", {}, lea.id, name="Deux"))

    async def away(*_: Any, **__: Any) -> Any:
        raise Unavailable("away")

    with monkeypatch.context() as broken:
        broken.setattr(house.store, "rows", away)
        assert (await house.ask("GET", "/games")).status_code == 503
    assert await house.get("/games") == {str(first.id): "Un", str(second.id): "Deux"}


async def test_who_asks_while_the_list_is_read_sees_what_was_made_before(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    lea = await house.person()
    await house.game(lea, "Un")
    await house.get("/games")
    made = await house.tables.creating.create(TablePlan("diplomacy", "standard", {}, lea.id, name="Deux"))
    through = house.store.rows

    async def slowly(*given: Any, **more: Any) -> Any:
        found = await through(*given, **more)
        for _ in range(20):
            await asyncio.sleep(0)
        return found

    monkeypatch.setattr(house.store, "rows", slowly)
    lists = await asyncio.gather(*(house.door.house.listing.encoded() for _ in range(3)))
    assert all(json.loads(each)[str(made.id)] == "Deux" for each in lists)


async def test_a_game_that_the_house_has_ended_is_over(house: House) -> None:
    game = await house.running()
    live = await house.tables.open(game.id)
    await house.tables.submit(live, CLOCK, Void("deserted"))
    assert (await house.get(f"/games/{game.name}"))["current_state"] == 2
    orders = {"role_id": 1, "orders": []}
    assert (await game.player[1].ask("POST", f"/game-orders/{game.id}", **orders)).status_code == 400
