"""The desktop programs of the AFJD of November 2020: what they send, byte by byte, and what they read."""

from __future__ import annotations

import datetime
import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from tests.kit.afjd import LIMITS, ZONE, House, checked, hold, move, open_house

from tablee.club.limits import Bucket
from tablee.club.places import countries, time_zones
from tablee.doors.afjd import AfjdSettings
from tablee.doors.afjd.fields import PARAMS
from tablee.tables import TablePlan

Json = Any
FORM = "application/x-www-form-urlencoded"
LISTS = Path(__file__).with_name("places.txt").read_text().split("\n\n")
PASSWORD = "Tartempion"
GAME_FORM = (
    "name={name}&description={description}%0A&variant=standard&archive=0&current_state={state}"
    "&anonymous=0&silent=0&cumulate=0&fast={fast}&deadline={deadline}"
    "&speed_moves=2&cd_possible_moves=0&speed_retreats=1&cd_possible_retreats=1"
    "&speed_adjustments=1&cd_possible_builds=0&cd_possible_removals=1&play_weekend=0"
    "&manual=0&access_code={access_code}&access_restriction_reliability=0"
    "&access_restriction_regularity=0&access_restriction_performance=0"
    "&current_advancement=0&nb_max_cycles_to_play={cycles}&victory_centers=18&pseudo={pseudo}"
)
"""All the fields of a game, as the arbiter's program sends them whether he makes a game or changes one."""
PLAYER_FORM = (
    "pseudo={pseudo}&password={password}&email={email}&email_confirmed=0&telephone={telephone}"
    "&replace={replace}&family_name={family_name}&first_name=John&country={country}&time_zone={time_zone}"
)
"""All the fields of a player, as the program for accounts sends them, the password always among them."""


def game_form(**given: Json) -> bytes:
    usual = {
        "description": "test", "state": 0, "fast": 0, "deadline": "", "access_code": 0, "cycles": 99,
    }  # fmt: skip
    return GAME_FORM.format(**{**usual, **given}).encode()


def player_form(**given: Json) -> bytes:
    usual = {
        "password": "", "email": "toto%40labas.com", "telephone": "111", "replace": 0, "family_name": "Doe",
        "country": "FRA", "time_zone": "UTC+%2B+1",
    }  # fmt: skip
    return PLAYER_FORM.format(**{**usual, **given}).encode()


class Program:
    """A program that sends bytes and keeps its token, as they do."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.token = ""

    async def send(
        self, method: str, service: str, path: str, body: bytes = b"", kind: str = FORM, **headers: str
    ) -> httpx.Response:
        sent = {"Content-Type": kind, **({"AccessToken": self.token} if self.token else {}), **headers}
        url = self.house.at(service, path)
        return await self.house.http.request(method, url, content=body, headers=sent)

    async def log_in(self, pseudo: str, password: str) -> None:
        body = b'{"user_name": "%s", "password": "%s"}' % (pseudo.encode(), password.encode())
        answer = await self.send("POST", "users", "/login", body, "application/json")
        self.token = str(checked(answer, 200)["AccessToken"])

    async def sign_up(self, pseudo: str, **given: Json) -> None:
        form = player_form(pseudo=pseudo, **{"password": PASSWORD, "email": f"{pseudo}%40labas.com", **given})
        made = await Program(self.house).send("POST", "players", "/players", form)
        assert checked(made, 201) == {"pseudo": pseudo, "msg": "Ok player created"}
        await self.log_in(pseudo, PASSWORD)


async def arbiter(house: House, pseudo: str = "Tartempion") -> Program:
    program = Program(house)
    await program.sign_up(pseudo)
    return program


def as_date(text: str) -> datetime.date:
    """A date as the arbiter's program takes it apart."""
    year, month, day = map(int, text.split("-"))
    return datetime.date(year, month, day)


def today(house: House) -> datetime.date:
    return house.tables.calendar.day_of(house.clock.now())  # type: ignore[attr-defined, no-any-return]


# --- games ----------------------------------------------------------------------------------------------


async def test_the_deadline_of_a_game_is_always_a_date(house: House) -> None:
    program = await arbiter(house)
    chosen = today(house) + datetime.timedelta(days=4)
    for name, fast, deadline, shown in (
        ("Sans", 0, "", today(house)),
        ("Avec", 0, chosen, chosen),
        ("Vite", 1, chosen, chosen),
        ("ViteSans", 1, "", today(house)),
    ):
        form = game_form(name=name, fast=fast, deadline=deadline, pseudo="Tartempion")
        checked(await program.send("POST", "games", "/games", form), 201)
        assert as_date((await house.get(f"/games/{name}"))["deadline"]) == shown, name
    archive = game_form(name="Archive", pseudo="Tartempion").replace(b"archive=0", b"archive=1")
    checked(await program.send("POST", "games", "/games", archive), 201)
    assert as_date((await house.get("/games/Archive"))["deadline"]) == today(house)


async def test_what_was_read_of_a_game_is_sent_back_without_a_change(house: House) -> None:
    program = await arbiter(house)
    for name, fast in (("Lente", 0), ("Vite", 1)):
        form = game_form(name=name, fast=fast, pseudo="Tartempion", access_code=4711, cycles=500)
        checked(await program.send("POST", "games", "/games", form), 201)
        shown = await house.get(f"/games/{name}")
        same = game_form(
            name=name, fast=fast, pseudo="Tartempion", deadline=shown["deadline"],
            access_code=shown["access_code"], cycles=shown["nb_max_cycles_to_play"],
        )  # fmt: skip
        again = checked(await program.send("PUT", "games", f"/games/{name}", same), 200)
        assert again == {"name": name, "msg": "Ok but no change !"}


async def test_a_game_without_dates_keeps_the_date_that_its_master_gives_it(house: House) -> None:
    game = await house.running(fast=1)
    later = today(house) + datetime.timedelta(days=9)
    for _ in range(2):
        await game.master.put(f"/games/{game.name}", deadline=later.isoformat())
        shown = await game.informations()
        assert (as_date(shown["deadline"]), shown["fast"]) == (later, 1)
    live = await house.tables.open(game.id)
    assert live.info.due_at is None


async def test_the_access_code_is_told_nobody_and_stays_when_its_sign_comes_back(house: House) -> None:
    game = await house.game(await house.person(), access_code=4711)
    lea = await house.person()
    asked = {"game_id": game.id, "player_id": lea.id}
    for shown in (await house.get(f"/games/{game.name}"), await game.informations()):
        assert shown["access_code"] == 1
    unchanged = await game.master.put(f"/games/{game.name}", access_code=1)
    assert unchanged["msg"] == "Ok but no change !"
    assert (await lea.ask("POST", "/allocations", access_code=1, **asked)).status_code == 403
    await lea.post("/allocations", access_code=4711, **asked)
    await game.master.put(f"/games/{game.name}", access_code=0)
    assert (await game.informations())["access_code"] == 0
    again = await house.person()
    await again.post("/allocations", game_id=game.id, player_id=again.id)
    # 1 is the sign, so that it is no code: nobody could tell the two apart.
    assert (await game.master.ask("PUT", f"/games/{game.name}", access_code=1)).status_code == 400
    made = await game.master.ask("POST", "/games", name="Autre", access_code=1)
    assert "access_code" in checked(made, 400)["msg"]


async def test_any_number_of_years_is_kept_and_what_is_beyond_the_bounds_is_refused(house: House) -> None:
    game = await house.game(await house.person(), nb_max_cycles_to_play=500)
    assert (await game.informations())["nb_max_cycles_to_play"] == 500
    await game.master.put(f"/games/{game.name}", nb_max_cycles_to_play=1_000_000)
    assert (await game.informations())["nb_max_cycles_to_play"] == 1_000_000
    for param in PARAMS:
        most = param.schema.get("maximum")
        if most is not None and param.name != "victory_centers":
            await game.master.put(f"/games/{game.name}", **{param.name: most})
            assert (await game.informations())[param.name] in (most, 1), param.name
            refused = await game.master.ask("PUT", f"/games/{game.name}", **{param.name: most + 1})
            assert param.name in checked(refused, 400)["msg"]
    running = await house.running(nb_max_cycles_to_play=500)
    assert (await running.informations())["nb_max_cycles_to_play"] == 500


async def test_a_game_is_made_waiting_or_not_at_all(house: House) -> None:
    program = await arbiter(house)
    for state in (1, 2):
        form = game_form(name="Raspoutine", state=state, pseudo="Tartempion")
        answer = await program.send("POST", "games", "/games", form)
        assert "current_state" in checked(answer, 400)["msg"]
    form = game_form(name="Raspoutine", pseudo="Tartempion")
    checked(await program.send("POST", "games", "/games", form), 201)


# --- players --------------------------------------------------------------------------------------------


async def test_an_empty_password_is_none(house: House) -> None:
    program = await arbiter(house)
    edited = player_form(pseudo="Tartempion", family_name="Dupond", email="Tartempion%40labas.com")
    answer = await program.send("PUT", "players", "/players/Tartempion", edited)
    assert checked(answer, 200) == {"msg": "Ok updated"}
    shown = checked(await program.send("GET", "players", "/players/Tartempion"), 200)
    assert shown["family_name"] == "Dupond"
    await program.log_in("Tartempion", PASSWORD)


async def test_an_empty_value_is_none_for_every_parameter_that_may_be_left_out(house: House) -> None:
    game = await house.running()
    lea = game.player[2]
    shown = await game.informations()
    nothing = {param.name: "" for param in PARAMS}
    for as_json in (False, True):
        answer = await game.master.ask(
            "PUT", f"/games/{game.name}", name="", current_state="", as_json=as_json, **nothing
        )
        assert checked(answer, 200)["msg"] == "Ok but no change !"
        details = dict.fromkeys(
            ("password", "email", "telephone", "replace", "family_name", "first_name", "country"), ""
        )
        answer = await lea.ask(
            "PUT", f"/players/{lea.pseudo}", "players", as_json=as_json, time_zone="", **details
        )
        assert checked(answer, 200)["msg"] == "Ok but no change !"
        orders = [hold(2, kind, zone) for kind, zone in (await game.position())["units"]["2"]]
        answer = await lea.ask(
            "POST", f"/game-orders/{game.id}", role_id=2, orders=orders, fake_units="", names="", final="",
            as_json=as_json,
        )  # fmt: skip
        checked(answer, 201)
        read = await lea.ask("GET", f"/game-messages/{game.id}", role_id=2, limit="", as_json=as_json)
        assert checked(read, 200) == {"messages_list": []}
        read = await house.ask("GET", f"/game-reports/{game.id}", names="", as_json=as_json)
        assert checked(read, 200) == {"content": ""}
    assert await game.informations() == shown
    made = await game.master.ask("POST", "/games", name="Rien", current_state="", **nothing)
    checked(made, 201)


async def test_who_would_stand_in_for_others_is_kept_with_the_player(any_house: House) -> None:
    program = Program(any_house)
    await program.sign_up("Un", replace=1)
    await program.sign_up("Tartempion")
    path = "/players/Tartempion"
    for replace in (0, 1, 0):
        form = player_form(pseudo="Tartempion", email="Tartempion%40labas.com", replace=replace)
        checked(await program.send("PUT", "players", path, form), 200)
        assert checked(await program.send("GET", "players", path), 200)["replace"] == replace
    wrong = player_form(pseudo="Tartempion", replace=2)
    assert "replace" in checked(await program.send("PUT", "players", path, wrong), 400)["msg"]
    await program.log_in("Un", PASSWORD)
    assert checked(await program.send("GET", "players", "/players/Un"), 200)["replace"] == 1


def test_the_lists_of_the_programs_are_in_ours() -> None:
    """The two files that the document names, by their codes."""
    theirs, zones = (set(part.splitlines()) for part in LISTS)
    assert len(theirs) == 241
    assert len(zones) == 37
    assert theirs - set(countries()) == set()
    assert zones - set(time_zones()) == set()


@pytest.mark.parametrize("zone", ["UTC + 10:30", "UTC + 12:45", "UTC - 3:30", "UTC"])
@pytest.mark.parametrize("country", ["ANT", "SCG"])
async def test_a_player_lives_where_the_lists_of_the_programs_say(
    house: House, zone: str, country: str
) -> None:
    program = Program(house)
    await program.sign_up("Tartempion", country=country, time_zone=quote(zone))
    shown = checked(await program.send("GET", "players", "/players/Tartempion"), 200)
    assert (shown["country"], shown["time_zone"]) == (country, zone)


# --- e-mail codes ---------------------------------------------------------------------------------------


async def test_a_code_stored_in_emails_is_the_one_that_players_confirm(any_house: House) -> None:
    house = any_house
    program = await arbiter(house)
    address = "Tartempion@labas.com"
    mailed = int(re.findall(r"\b\d{4}\b", (await house.letters(address))[-1])[0])
    asked = {"email_value": address, "service": "emails", "secret": True}
    assert await house.get("/emails", code=mailed, **asked) == {"msg": "Email is correct"}
    chosen = 4321 if mailed != 4321 else 1234
    await house.post("/emails", code=chosen, **asked)
    body = b'{"pseudo": "Tartempion", "code": %d}'
    old = await program.send("POST", "players", "/emails", body % mailed, "application/json")
    assert checked(old, 400)["msg"].startswith("Wrong code!:")
    new = await program.send("POST", "players", "/emails", body % chosen, "application/json")
    assert checked(new, 200) == {"msg": "Ok code is correct"}
    shown = checked(await program.send("GET", "players", "/players/Tartempion"), 200)
    assert shown["email_confirmed"] == 1


async def test_codes_of_who_leaves_are_gone(house: House) -> None:
    program = await arbiter(house)
    asked: Json = {"email_value": "tartempion@labas.com", "service": "emails", "secret": True, "code": 4711}
    await house.post("/emails", **asked)
    assert checked(await program.send("DELETE", "players", "/players/Tartempion"), 200)
    assert (await house.ask("GET", "/emails", **asked)).status_code == 404


# --- who may call ---------------------------------------------------------------------------------------


async def test_who_may_call_is_decided_before_anything_is_read(tmp_path: Path) -> None:
    few = AfjdSettings(limits={**LIMITS, "afjd": Bucket(20, 3600)})
    async with open_house(f"sqlite:///{tmp_path / 'tablee.sqlite'}", tmp_path, settings=few) as house:
        program = Program(house)
        closed = [
            ("solver", "POST", "/solve"), ("users", "POST", "/add"), ("users", "POST", "/remove"),
            ("users", "POST", "/change"), ("emails", "POST", "/emails"), ("emails", "GET", "/emails"),
        ]  # fmt: skip
        for service, method, path in closed:
            for body, kind in ((b"", FORM), (b"{", "application/json"), (b"\xff=%00", FORM)):
                answer = await program.send(method, service, path, body, kind)
                assert "secret" in checked(answer, 403)["msg"], (path, body)
        checked(await house.ask("GET", "/games"), 200)
        checked(await house.ask("GET", "/games"), 200)
        refused = await house.ask("GET", "/games")
        assert refused.status_code == 429
        for _ in range(30):
            answer = await program.send("POST", "solver", "/solve", ServiceSecret=house.door.secret)
            assert checked(answer, 400) == {"msg": "Missing variant parameter"}
        for number in range(30):
            who = json.dumps({"user_name": f"un{number}", "password": "un"}).encode()
            answer = await program.send(
                "POST", "users", "/add", who, "application/json", ServiceSecret=house.door.secret
            )
            checked(answer, 201)
        assert (await house.ask("GET", "/games")).status_code == 429


async def test_who_has_the_secret_makes_more_accounts_than_one_address_may(tmp_path: Path) -> None:
    async with open_house(f"sqlite:///{tmp_path / 'tablee.sqlite'}", tmp_path) as house:
        house.club.limits._rules["sign_up"] = Bucket(2, 3600)
        secret = {"service": "users", "secret": True, "as_json": True}
        for number in range(5):
            await house.post("/add", user_name=f"un{number}", password="un", **secret)
            made = await house.club.accounts.by_pseudo(f"un{number}")
            (deed,) = await house.club.deeds.list(account=made.id)
            assert (deed.what, deed.address) == ("sign_up", "127.0.0.1")


# --- whom the lists name --------------------------------------------------------------------------------


async def test_a_game_with_robots_or_visitors_is_in_no_list(any_house: House) -> None:
    house = any_house
    lea = await house.person()
    visitor = await house.club.accounts.create_visitor()
    plain = await house.tables.creating.create(
        TablePlan("diplomacy", "standard", {"sharing": "fewer"}, lea.id, name="Membres")
    )
    robots = await house.tables.creating.create(
        TablePlan("diplomacy", "standard", {}, lea.id, name="Robots", robots=["strategist"])
    )
    guests = await house.tables.creating.create(
        TablePlan("diplomacy", "standard", {}, visitor.id, name="Visiteurs")
    )
    mastered = await house.game(await house.person(), "Arbitre")

    async def check(*listed: int) -> None:
        assert {int(number) for number in await house.get("/games")} == set(listed)
        people = await house.get("/players", service="players")
        for number in listed:
            assert set(await house.get(f"/game-allocations/{number}")) <= set(people)
        for number in {plain.id, robots.id, guests.id, mastered.id} - set(listed):
            assert (await house.ask("GET", f"/game-allocations/{number}")).status_code == 404
        assert {int(number) for number in await house.get(f"/player-allocations/{lea.id}")} <= set(listed)

    await check(plain.id, mastered.id)
    await house.tables.sitting.join(plain.id, visitor.id)
    await check(mastered.id)
    await house.tables.sitting.leave(plain.id, visitor.id)
    await check(plain.id, mastered.id)
    # A robot that the master calls in takes his game out of the lists; who knows its number plays on.
    await house.tables.sitting.add_robot(mastered.id, "strategist")
    await check(plain.id)
    assert (await mastered.informations())["current_state"] == 0
    assert len((await mastered.position())["units"]) == 7
    # A visitor who signs up is a player.
    await house.club.accounts.upgrade_visitor(visitor, "Devenue", "Devenue")
    await check(plain.id, guests.id)


async def test_who_has_left_the_club_is_in_no_allocation(house: House) -> None:
    game = await house.running()
    await game.master.put(f"/games/{game.name}", current_state=2)
    gone = game.player[3]
    await gone.delete(f"/players/{gone.pseudo}", service="players")
    people = await house.get("/players", service="players")
    shown = await house.get(f"/game-allocations/{game.id}")
    assert str(gone.id) not in shown
    assert set(shown) <= set(people)
    await game.master.delete(f"/players/{game.master.pseudo}", service="players")
    assert str(game.master.id) not in await house.get(f"/game-allocations/{game.id}")


async def test_no_role_yet_is_written_minus_one_in_both_directions(house: House) -> None:
    game = await house.game(await house.person())
    lea = await house.person()
    await game.master.post("/allocations", game_id=game.id, player_id=lea.id, role_id=-1)
    assert (await house.get(f"/game-allocations/{game.id}"))[str(lea.id)] == -1
    wrong = await game.master.ask("DELETE", "/allocations", game_id=game.id, player_id=lea.id, role_id=3)
    assert "role_id" in checked(wrong, 400)["msg"]
    await game.master.delete("/allocations", game_id=game.id, player_id=lea.id, role_id=-1)
    assert str(lea.id) not in await house.get(f"/game-allocations/{game.id}")
    wrong = await lea.ask("POST", "/allocations", game_id=game.id, player_id=lea.id, role_id=3)
    assert "role_id" in checked(wrong, 400)["msg"]


async def test_a_single_role_is_a_number_and_several_are_a_list(house: House) -> None:
    game = await house.game(await house.person(), cumulate=1)
    for _ in range(6):
        await game.join(await house.person())
    await game.start()
    found = await game.master.get(f"/game-allocations/{game.id}")
    roles = [found[str(person.id)] for person in game.people]
    assert len([role for role in roles if isinstance(role, int)]) == 5
    assert [len(role) for role in roles if isinstance(role, list)] == [2]
    for person in game.people:
        own = await person.get(f"/player-allocations/{person.id}")
        assert own == {str(game.id): found[str(person.id)]}


# --- orders ---------------------------------------------------------------------------------------------


async def test_orders_have_six_fields_and_convoys_stand_beside_them(house: House) -> None:
    game = await house.running()
    england = game.player[1]
    position = await game.position()
    units = [
        {"type_unit": 1, "role": 1, "zone": ZONE["bel"]}, {"type_unit": 2, "role": 1, "zone": ZONE["nth"]},
    ]  # fmt: skip
    owned = [{"role": role, "center_num": int(centre)} for centre, role in position["ownerships"].items()]
    await game.master.post(f"/game-positions/{game.id}", center_ownerships=owned, units=units)
    by_sea = {**move(1, 1, "bel", "hol"), "via_convoy": 1}
    convoy = {
        "order_type": 5,
        "active_unit": {"type_unit": 2, "role": 1, "zone": ZONE["nth"]},
        "passive_unit": {"type_unit": 1, "role": 1, "zone": ZONE["bel"]},
        "destination_zone": ZONE["hol"],
    }
    await england.post(f"/game-orders/{game.id}", role_id=1, orders=[by_sea, convoy])
    shown = await england.get(f"/game-orders/{game.id}", role_id=1)
    assert shown == {
        "orders": [
            [game.id, 1, 1, ZONE["bel"], 0, ZONE["hol"]],
            [game.id, 1, 5, ZONE["nth"], ZONE["bel"], ZONE["hol"]],
        ],
        "fake_units": [],
        "via_convoy": [ZONE["bel"]],
    }
    await game.master.post(f"/game-orders/{game.id}", role_id=1, orders=[by_sea, convoy])
    corrected = await england.get(f"/game-corrections/{game.id}", role_id=1)
    assert [row[1:] for row in corrected["corrections_list"]] == [[0, 1, shown["orders"]]]
    assert corrected["via_convoy"] == [[ZONE["bel"]]]
    await game.master.post(f"/game-adjudications/{game.id}")
    season = await house.get(f"/game-histories/{game.id}/0")
    assert [len(order) for order in season["orders"]] == [6, 6]
    assert season["via_convoy"] == [ZONE["bel"]]


async def test_a_role_that_owes_nothing_may_give_no_orders(house: House) -> None:
    game = await house.running()
    position = await game.position()
    owned = [{"role": role, "center_num": int(centre)} for centre, role in position["ownerships"].items()]
    units = [{"type_unit": 1, "role": 2, "zone": ZONE["par"]}]
    await game.master.post(f"/game-positions/{game.id}", center_ownerships=owned, units=units)
    path = f"/game-orders/{game.id}"
    given = await game.player[3].post(path, role_id=3, orders=[], final=1)
    assert given["msg"].startswith("Ok orders submitted SOLVEUR : INFORMATION")
    assert (await game.player[3].get(path, role_id=3))["orders"] == []
    await game.master.post(path, role_id=3, orders=[])
    refused = await game.player[3].ask("POST", path, role_id=3, orders=[hold(3, 1, ZONE["mun"])])
    assert "nothing to order" in checked(refused, 400)["msg"]
    # Who does owe something does not get away with it.
    owes = await game.player[2].ask("POST", path, role_id=2, orders=[])
    assert owes.status_code == 400


# --- a whole evening ------------------------------------------------------------------------------------


async def test_the_programs_are_served_from_an_account_to_two_years_of_a_game(house: House) -> None:
    # The program for accounts: create, log in, read, edit, confirm, change the password, delete.
    accounts = Program(house)
    await accounts.sign_up("Passager")
    who = "/players/Passager"
    shown = checked(await accounts.send("GET", "players", who), 200)
    assert shown == {
        "pseudo": "Passager", "email": "Passager@labas.com", "email_confirmed": 0, "telephone": "111",
        "replace": 0, "family_name": "Doe", "first_name": "John", "country": "FRA", "time_zone": "UTC + 1",
    }  # fmt: skip
    edited = player_form(
        pseudo="Passager", email="passager%40ailleurs.fr", replace=1, country="SCG",
        time_zone="UTC+%2B+10%3A30",
    )  # fmt: skip
    assert checked(await accounts.send("PUT", "players", who, edited), 200) == {"msg": "Ok updated"}
    code = int(re.findall(r"\b\d{4}\b", (await house.letters("passager@ailleurs.fr"))[-1])[0])
    confirming = b'{"pseudo": "Passager", "code": %d}' % code
    checked(await accounts.send("POST", "players", "/emails", confirming, "application/json"), 200)
    shown = checked(await accounts.send("GET", "players", who), 200)
    assert (shown["email_confirmed"], shown["replace"], shown["time_zone"]) == (1, 1, "UTC + 10:30")
    secret = player_form(pseudo="Passager", password="nouveau", email="passager%40ailleurs.fr")
    assert checked(await accounts.send("PUT", "players", who, secret), 200) == {"msg": "Ok updated"}
    await accounts.log_in("Passager", "nouveau")
    assert checked(await accounts.send("DELETE", "players", who), 200) == {"msg": "Ok removed"}
    # The program for games: create, select, change.
    master = await arbiter(house)
    form = game_form(name="Raspoutine", deadline=today(house), pseudo="Tartempion", cycles=500)
    checked(await master.send("POST", "games", "/games", form), 201)
    shown = checked(await Program(house).send("GET", "games", "/games/Raspoutine"), 200)
    kept = {"deadline": shown["deadline"], "access_code": shown["access_code"], "pseudo": "Tartempion"}
    assert as_date(kept["deadline"]) == today(house)
    changed = game_form(name="Raspoutine", description="autre", cycles=500, **kept)
    checked(await master.send("PUT", "games", "/games/Raspoutine", changed), 200)
    # The program for allocations: players are put in by the arbiter.
    number = await house.get("/game-identifiers/Raspoutine")
    players: dict[str, Program] = {}
    for pseudo in ("un", "deux", "trois", "quatre", "cinq", "six", "sept"):
        players[pseudo] = Program(house)
        await players[pseudo].sign_up(pseudo)
    people = await house.get("/players", service="players")
    assert set((await house.get(f"/game-allocations/{number}")).values()) == {0}
    for player_id, pseudo in people.items():
        if pseudo in players:
            put = f"game_id={number}&player_id={player_id}&role_id=-1&pseudo=Tartempion".encode()
            checked(await master.send("POST", "games", "/allocations", put), 201)
    # The program for games again: start.
    started = game_form(name="Raspoutine", description="autre", cycles=500, state=1, **kept)
    answer = await master.send("PUT", "games", "/games/Raspoutine", started)
    assert checked(answer, 200) == {"name": "Raspoutine", "msg": "Ok updated"}
    roles = {
        role: people[player_id]
        for player_id, role in (await house.get(f"/game-allocations/{number}")).items()
        if role
    }
    assert sorted(roles) == [1, 2, 3, 4, 5, 6, 7]
    # The program to play: two years, every role in every phase, those too that owe nothing.
    while (shown := await house.get("/games/Raspoutine"))["current_advancement"] < 10:
        as_date(shown["deadline"])
        units = (await house.get(f"/game-positions/{number}"))["units"]
        for role, pseudo in roles.items():
            orders = [hold(role, kind, zone) for kind, zone in units.get(str(role), [])]
            body = f"role_id={role}&pseudo={pseudo}&names=&orders={quote(json.dumps(orders))}".encode()
            checked(await players[pseudo].send("POST", "games", f"/game-orders/{number}", body), 201)
            read = f"role_id={role}&pseudo={pseudo}".encode()
            given = checked(await players[pseudo].send("GET", "games", f"/game-orders/{number}", read), 200)
            assert [row[:4] for row in given["orders"]] == [
                [number, role, 4, zone] for _, zone in units[str(role)]
            ]
            checked(await players[pseudo].send("POST", "games", f"/game-visits/{number}", read), 201)
        resolve = b"names=&pseudo=Tartempion"
        checked(await master.send("POST", "games", f"/game-adjudications/{number}", resolve), 201)
        assert (await house.get(f"/game-reports/{number}"))["content"].startswith("SOLVEUR : INFORMATION")
    # And away with it.
    shown = await house.get("/games/Raspoutine")
    stopped = game_form(
        name="Raspoutine", description="autre", cycles=500, state=2, **{**kept, "deadline": shown["deadline"]}
    )
    checked(await master.send("PUT", "games", "/games/Raspoutine", stopped), 200)
    as_date((await house.get("/games/Raspoutine"))["deadline"])
    checked(await master.send("DELETE", "games", "/games/Raspoutine", b"pseudo=Tartempion"), 200)
    assert await house.get("/games") == {}
