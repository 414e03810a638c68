"""USERS, EMAILS and PLAYERS as their clients see them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from sqlalchemy import select
from tests.kit.afjd import House, checked, open_house

from tablee.clock import HandClock
from tablee.doors.afjd import AfjdSettings
from tablee.store import Query
from tablee.store.schema import call, conduct, visit, wish

PLAYER = {
    "pseudo": "Tartempion",
    "password": "secret",
    "email": "toto@labas.com",
    "country": "FRA",
    "time_zone": "UTC + 1",
}


async def test_users_are_added_with_the_services_secret_alone(any_house: House) -> None:
    house = any_house
    body = {"user_name": "Lea", "password": "p"}
    assert (await house.ask("POST", "/add", "users", as_json=True, **body)).status_code == 403
    assert (await house.ask("POST", "/add", "users", secret=True, **body)).json() == {
        "msg": "Missing JSON in request"
    }
    for missing in body:
        rest = {key: value for key, value in body.items() if key != missing}
        answer = await house.ask("POST", "/add", "users", secret=True, as_json=True, **rest)
        assert checked(answer, 400) == {"msg": f"Missing {missing} parameter"}
    added = await house.ask("POST", "/add", "users", secret=True, as_json=True, **body)
    assert checked(added, 201) == {"msg": "User was added"}
    again = await house.ask("POST", "/add", "users", secret=True, as_json=True, **body)
    assert checked(again, 400) == {"msg": "User already exists"}


async def test_a_login_gives_a_token_of_three_parts_that_either_header_carries(house: House) -> None:
    lea = await house.person("Lea")
    assert re.fullmatch(r"[\w-]+\.[\w-]+\.[\w-]+", lea.token)
    for headers in ({"AccessToken": lea.token}, {"Authorization": f"Bearer {lea.token}"}):
        answer = await house.http.get(house.at("users", "/verify"), headers=headers)
        assert checked(answer, 200) == {"logged_in_as": "Lea"}
    for bad in ("", "a.b.c", lea.token[:-2] + "xx", "x" * 5000, "é.é.é"):
        header = {b"AccessToken": bad.encode()}
        answer = await house.http.get(house.at("users", "/verify"), headers=header)
        assert answer.status_code == 401, bad
    for password in ("x", "é" * 500):
        wrong = await house.ask("POST", "/login", "users", as_json=True, user_name="Lea", password=password)
        assert checked(wrong, 401) == {"msg": "Bad user_name or password"}
    nobody = await house.ask("POST", "/login", "users", as_json=True, user_name="Nul", password="x")
    assert checked(nobody, 401) == {"msg": "Bad user_name or password"}


async def test_a_token_is_good_for_its_minutes_and_not_after_a_new_password(tmp_path: Path) -> None:
    clock = HandClock()
    settings = AfjdSettings(token_minutes=15)
    async with open_house(f"sqlite:///{tmp_path / 't'}", tmp_path, clock=clock, settings=settings) as house:
        lea = await house.person("Lea")
        clock._now += 14 * 60_000
        assert (await lea.ask("GET", "/verify", "users")).status_code == 200
        clock._now += 61_000
        assert checked(await lea.ask("GET", "/verify", "users"), 401) == {"msg": "Token has expired"}
        first, second = await house.log_in("Lea", "Lea"), await house.log_in("Lea", "Lea")
        changed = await house.ask("PUT", "/players/Lea", "players", token=first, password="neuf")
        assert checked(changed, 200) == {"msg": "Ok updated"}
        assert (await house.ask("GET", "/verify", "users", token=first)).status_code == 200
        assert (await house.ask("GET", "/verify", "users", token=second)).status_code == 401


async def test_users_change_and_remove_themselves_alone(house: House) -> None:
    lea, max_ = await house.person("Lea"), await house.person("Max")

    async def ask(path: str, token: str, **body: str) -> tuple[int, str]:
        answer = await house.ask("POST", path, "users", token=token, secret=True, as_json=True, **body)
        return answer.status_code, answer.json()["msg"]

    assert await ask("/change", lea.token, user_name="Max", password="x") == (
        405,
        "This is not you! Good try!",
    )
    assert await ask("/remove", lea.token, user_name="Max") == (405, "This is not you! Good try!")
    assert await ask("/remove", lea.token, user_name="Nul") == (404, "User does not exist")
    assert (await ask("/remove", "", user_name="Max"))[0] == 401
    assert await ask("/change", max_.token, user_name="Max", password="y") == (201, "User was changed")
    assert await ask("/remove", max_.token, user_name="Max") == (200, "User was removed")
    assert (await house.ask("GET", "/player_identifiers/Max", "players")).status_code == 404


async def test_every_event_of_users_is_in_a_file_without_secrets(house: House) -> None:
    lea = await house.person("Lea")
    passwords = ("fauxmotdepasse", "nouveaumotdepasse")

    async def ask(path: str, token: str = "", **body: str) -> int:
        answer = await house.ask("POST", path, "users", token=token, secret=True, as_json=True, **body)
        return answer.status_code

    assert await ask("/login", user_name="Lea", password=passwords[0]) == 401
    assert await ask("/add", user_name="Lea", password=passwords[0]) == 400
    assert await ask("/add", user_name="a b", password=passwords[0]) == 400
    assert await ask("/add", user_name="Max", password=passwords[0]) == 201
    assert await ask("/change", lea.token, user_name="Max", password=passwords[1]) == 405
    assert await ask("/remove", lea.token, user_name="Nul") == 404
    assert await ask("/remove", "a.b.c", user_name="Max") == 401
    assert (await house.ask("GET", "/verify", "users", token="a.b.c")).status_code == 401
    assert (await lea.ask("GET", "/verify", "users")).status_code == 200
    assert await ask("/change", lea.token, user_name="Lea", password=passwords[1]) == 201
    game = await house.game(lea)
    assert await ask("/remove", lea.token, user_name="Lea") == 400
    await lea.delete(f"/games/{game.name}")
    assert await ask("/remove", lea.token, user_name="Lea") == 200
    assert house.data is not None
    kept = (house.data / "afjd-users.log").read_text()
    lines = [json.loads(line) for line in kept.splitlines()]
    assert [(line["event"], line["user"]) for line in lines] == [
        ("add", "Lea"),
        ("login", "Lea"),
        ("login refused", "Lea"),
        ("add refused", "Lea"),
        ("add refused", "a b"),
        ("add", "Max"),
        ("change refused", "Max"),
        ("remove refused", "Nul"),
        ("remove refused", "Max"),
        ("verify refused", ""),
        ("verify", "Lea"),
        ("change", "Lea"),
        ("remove refused", "Lea"),
        ("remove", "Lea"),
    ]
    assert all(line["address"] == "127.0.0.1" and line["at"] for line in lines)
    for secret in (*passwords, lea.token, house.door.secret):
        assert secret not in kept


async def test_codes_of_addresses_live_a_day_and_five_tries(tmp_path: Path) -> None:
    clock = HandClock()
    async with open_house(f"sqlite:///{tmp_path / 't'}", tmp_path, clock=clock) as house:

        async def ask(method: str, code: int | str, email: str = "a@b.fr") -> tuple[int, str]:
            answer = await house.ask(method, "/emails", "emails", secret=True, email_value=email, code=code)
            return answer.status_code, answer.json()["msg"]

        refused = await house.ask("GET", "/emails", "emails", email_value="a@b.fr", code=1234)
        assert refused.status_code == 403
        assert await ask("GET", 1234) == (404, "Email a@b.fr does not exists")
        assert await ask("POST", 1234) == (201, "Email was added or updated")
        assert await ask("GET", 1234) == (200, "Email is correct")
        assert await ask("GET", 1234, "A@B.FR") == (200, "Email is correct")
        for _ in range(5):
            assert await ask("GET", 4321) == (401, "Code is incorrect")
        assert await ask("GET", 1234) == (401, "Code is incorrect")
        assert (await ask("POST", 5678))[0] == 201
        assert (await ask("GET", 5678))[0] == 200
        clock._now += 24 * 3_600_000
        assert (await ask("GET", 5678))[0] == 404
        for wrong in (999, 10_000, "x", -1, 2**70):
            assert (await ask("POST", wrong))[0] == 400


async def test_a_player_signs_up_confirms_changes_and_leaves(any_house: House) -> None:
    house = any_house
    assert await house.post("/players", service="players", **PLAYER) == {
        "pseudo": "Tartempion",
        "msg": "Ok player created",
    }
    number = await house.get("/player_identifiers/tartempion", service="players")
    assert (await house.get("/players", service="players"))[str(number)] == "Tartempion"
    token = await house.log_in("Tartempion", "secret")

    async def ask(method: str, path: str, **given: str | int) -> tuple[int, str]:
        answer = await house.ask(method, path, "players", token=token, **given)
        return answer.status_code, answer.json().get("msg", answer.json())

    code = re.search(r"\b\d{4}\b", (await house.letters("toto@labas.com"))[0])
    assert code is not None
    assert (await ask("POST", "/emails", pseudo="Tartempion", code=9999 if code[0] != "9999" else 1000))[
        0
    ] == 400
    assert await ask("POST", "/emails", pseudo="Tartempion", code=code[0]) == (200, "Ok code is correct")
    assert (await ask("POST", "/emails", pseudo="Nul", code=1234)) == (404, "Player Nul does not exist")
    shown = (await house.ask("GET", "/players/Tartempion", "players", token=token)).json()
    assert (shown["email_confirmed"], shown["time_zone"], shown["country"]) == (1, "UTC + 1", "FRA")
    assert await ask("PUT", "/players/Tartempion", first_name="Zoé") == (200, "Ok updated")
    assert await ask("PUT", "/players/Tartempion", first_name="Zoé") == (200, "Ok but no change !")
    assert await ask("PUT", "/players/Tartempion", email="autre@labas.com") == (200, "Ok updated")
    shown = (await house.ask("GET", "/players/Tartempion", "players", token=token)).json()
    assert (shown["email"], shown["email_confirmed"], shown["first_name"]) == ("autre@labas.com", 0, "Zoé")
    assert re.search(r"\b\d{4}\b", (await house.letters("autre@labas.com"))[0])
    assert await ask("PUT", "/players/Tartempion", password="neuf", first_name="Non") == (200, "Ok updated")
    shown = (await house.ask("GET", "/players/Tartempion", "players", token=token)).json()
    assert shown["first_name"] == "Zoé"
    assert await ask("DELETE", "/players/Nul") == (404, "Player Nul does not exist")
    assert await ask("DELETE", "/players/Tartempion") == (200, "Ok removed")
    assert (await house.ask("GET", "/player_identifiers/Tartempion", "players")).status_code == 404


async def test_what_a_player_says_has_its_form_and_nothing_is_cut(house: House) -> None:
    wrong = {
        "pseudo": ["x" * 13, "", "a b", "admin", "a/b"],
        "password": ["", "x" * 129, "a\tb"],
        "email": ["", "toto", "x" * 250 + "@a.fr"],
        "telephone": ["1" * 16],
        "family_name": ["x" * 31],
        "first_name": ["x" * 21],
        "country": ["", "FRANCE", "XXX"],
        "time_zone": ["", "UTC + 99", "Europe/Paris"],
    }
    for field, values in wrong.items():
        for value in values:
            answer = await house.ask("POST", "/players", "players", **{**PLAYER, field: value})
            assert answer.status_code == 400, (field, value, answer.text)
            assert field in answer.json()["msg"], answer.json()
    for field in ("pseudo", "password", "email", "country", "time_zone"):
        rest = {key: value for key, value in PLAYER.items() if key != field}
        answer = await house.ask("POST", "/players", "players", **rest)
        assert checked(answer, 400) == {"msg": f"Missing {field} parameter"}
    assert (await house.get("/players", service="players")) == {}
    kept = {**PLAYER, "first_name": "Élodie-Ève", "family_name": "Müller"}
    await house.post("/players", service="players", as_json=True, **kept)
    token = await house.log_in("Tartempion", "secret")
    shown = (await house.ask("GET", "/players/Tartempion", "players", token=token)).json()
    assert (shown["first_name"], shown["family_name"]) == ("Élodie-Ève", "Müller")


async def test_no_two_accounts_have_one_name_or_one_address(house: House) -> None:
    await house.post("/players", service="players", **PLAYER)
    same = await house.ask("POST", "/players", "players", **PLAYER)
    assert checked(same, 400) == {"msg": "Player Tartempion already exists"}
    other = await house.ask("POST", "/players", "players", **{**PLAYER, "pseudo": "Autre"})
    assert checked(other, 400) == {"msg": "Email toto@labas.com is already used"}
    lea = await house.person("Lea")
    taken = await lea.ask("PUT", "/players/Lea", "players", email="TOTO@labas.com")
    assert checked(taken, 400) == {"msg": "Email TOTO@labas.com is already used"}


async def test_somebody_elses_token_never_helps(house: House) -> None:
    lea, max_ = await house.person("Lea"), await house.person("Max")
    for method, verb in (("GET", "retrieve"), ("PUT", "update"), ("DELETE", "remove")):
        for token in (max_.token, "", "a.b.c"):
            answer = await house.ask(method, "/players/Lea", "players", token=token, first_name="X")
            assert answer.status_code == 400
            assert answer.json()["msg"].startswith(f"Not allowed for {verb}!:")
    assert (await lea.ask("GET", "/players/Lea", "players")).json()["first_name"] == ""


async def test_a_forgotten_password_is_replaced_by_the_code_that_was_mailed(house: House) -> None:
    lea = await house.person("Lea")
    for email in ("lea@exemple.fr", "personne@exemple.fr"):
        answer = await house.post("/forgotten-passwords", service="players", email=email)
        assert answer == {"msg": "Ok code sent if the email is known"}
    code = re.search(r"\b\d{6}\b", (await house.letters("lea@exemple.fr"))[-1])
    assert code is not None
    given = {"email": "lea@exemple.fr", "password": "neuf"}
    wrong = await house.ask("PUT", "/forgotten-passwords", "players", code=111111, **given)
    assert wrong.status_code == 400
    done = await house.ask("PUT", "/forgotten-passwords", "players", code=code[0], **given)
    assert checked(done, 200) == {"msg": "Ok updated"}
    assert (await lea.ask("GET", "/verify", "users")).status_code == 401
    assert await house.log_in("Lea", "neuf")


async def test_everybody_may_know_some_facts_of_a_player_and_when_he_was_last_here(house: House) -> None:
    await house.person("Lea")
    facts = await house.get("/player-facts/Lea", service="players")
    assert facts["country"] == "FRA"
    assert facts["time_zone"] == "UTC + 1"
    assert (facts["reliability"], facts["regularity"], facts["performance"]) == (100, 0, 1500)
    stamp = await house.get("/player-identifications/Lea", service="players")
    assert abs(stamp["time_stamp"] - house.clock.now() // 1000) < 60
    assert "email" not in str(facts)
    await house.get("/player-facts/Nul", 404, service="players")


async def test_administrators_are_named_and_act_as_an_account_which_is_told(house: House) -> None:
    chief, lea, max_ = await house.super_administrator(), await house.person("Lea"), await house.person("Max")
    about = {"administered_pseudo": "Lea"}
    refused = await max_.ask("POST", "/administrators", "players", **about)
    assert checked(refused, 403) == {"msg": "You do not seem to be the super administrator"}
    assert (await lea.ask("POST", "/usurpations", "players", administered_pseudo="Max")).status_code == 403
    assert (await chief.ask("POST", "/administrators", "players", **about)).status_code == 201
    assert (await house.get("/administrators", service="players"))["administrators"] == ["Cheffe", "Lea"]
    taken = await lea.ask("POST", "/usurpations", "players", administered_pseudo="Max")
    token = checked(taken, 201)["AccessToken"]
    who = await house.ask("GET", "/verify", "users", token=token)
    assert checked(who, 200) == {"logged_in_as": "Max"}
    told = checked(await max_.ask("GET", "/usurpations", "players"), 200)["acting_list"]
    assert [by for _, by in told] == ["Lea"]
    assert (await lea.ask("POST", "/usurpations", "players", administered_pseudo="Cheffe")).status_code == 403
    assert (await chief.ask("DELETE", "/administrators", "players", **about)).status_code == 200
    assert (await house.ask("GET", "/verify", "users", token=token)).status_code == 401


@pytest.mark.parametrize("zone", ["UTC + 1", "UTC   1", "UTC 1", "utc+1"])
async def test_a_plus_that_arrived_as_a_space_is_read_as_one(house: House, zone: str) -> None:
    await house.post("/players", service="players", **{**PLAYER, "time_zone": zone})
    token = await house.log_in("Tartempion", "secret")
    shown = await house.ask("GET", "/players/Tartempion", "players", token=token)
    assert shown.json()["time_zone"] == "UTC + 1"


async def test_who_leaves_takes_his_figures_and_subscriptions_with_him(house: House) -> None:
    game = await house.running(fast=1, nb_max_cycles_to_play=1)
    lea = game.player[1]
    await lea.post(f"/game-visits/{game.id}", role_id=1)
    await lea.post(f"/game-subscriptions/{game.id}", declaration=1)
    await lea.post(f"/game-declarations/{game.id}", role_id=1, content="Je pars")
    still = await lea.ask("DELETE", f"/players/{lea.pseudo}", "players")
    assert checked(still, 400) == {"msg": "Player is still in a game"}
    for _ in range(2):
        await game.hold(*range(1, 8), final=1)
    assert checked(await lea.ask("DELETE", f"/players/{lea.pseudo}", "players"), 200) == {"msg": "Ok removed"}
    for table in (visit, wish, call, conduct):
        rows = await house.store.rows(Query(select(table).where(table.c.account_id == lea.id)))
        assert rows == []
    press = await game.player[2].get(f"/game-declarations/{game.id}", role_id=2)
    assert press["declarations_list"] == []
