"""Who may call what: every call as nobody, a stranger, players, the master and an administrator."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from tests.kit.afjd import Game, House, Person, hold

from tablee.doors.afjd.calls import ALL, GAMES

Json = Any
WHO = ("nobody", "stranger", "player elsewhere", "other player", "player", "master", "administrator")

# The status of each call for each of WHO, in that order. The calls are about role 2 of a running game and the
# account of its player unless the table says otherwise; masters' calls name role 0 where they name one.
PUBLIC_200 = (200,) * 7
PUBLIC_404 = (404,) * 7
MATRIX: dict[str, tuple[int, ...]] = {
    "USERS POST /add": (403,) * 7,
    "USERS POST /remove": (403,) * 7,
    "USERS POST /change": (403,) * 7,
    "USERS POST /login": (401,) * 7,
    "USERS GET /verify": (401, 200, 200, 200, 200, 200, 200),
    "EMAILS POST /emails": (403,) * 7,
    "EMAILS GET /emails": (403,) * 7,
    "PLAYERS GET /player_identifiers/{name}": PUBLIC_200,
    "PLAYERS GET /players/{name}": (400, 400, 400, 400, 200, 400, 400),
    "PLAYERS PUT /players/{name}": (400, 400, 400, 400, 200, 400, 400),
    "PLAYERS DELETE /players/{name}": (400,) * 7,  # the player: he is still in a game
    "PLAYERS GET /players": PUBLIC_200,
    "PLAYERS POST /players": (400,) * 7,  # without a country: nobody is made
    "PLAYERS POST /emails": (400,) * 7,  # a wrong code
    "PLAYERS POST /email-codes": (401, 201, 201, 201, 201, 201, 201),
    "PLAYERS POST /forgotten-passwords": (201,) * 7,
    "PLAYERS PUT /forgotten-passwords": (400,) * 7,
    "PLAYERS GET /player-identifications/{name}": PUBLIC_200,
    "PLAYERS GET /player-facts/{name}": PUBLIC_200,
    "PLAYERS GET /administrators": PUBLIC_200,
    "PLAYERS POST /administrators": (401, 403, 403, 403, 403, 403, 403),  # it takes the super-administrator
    "PLAYERS DELETE /administrators": (401, 403, 403, 403, 403, 403, 403),
    "PLAYERS POST /usurpations": (401, 403, 403, 403, 403, 403, 404),  # of a player who does not exist
    "PLAYERS GET /usurpations": (401, 200, 200, 200, 200, 200, 200),
    "GAMES GET /variants/{name}": PUBLIC_200,
    "GAMES GET /game-identifiers/{name}": PUBLIC_200,
    "GAMES GET /games/{name}": PUBLIC_200,
    "GAMES PUT /games/{name}": (401, 403, 403, 403, 403, 200, 403),
    "GAMES DELETE /games/{name}": (401, 403, 403, 403, 403, 200, 403),
    "GAMES GET /games": PUBLIC_200,
    "GAMES POST /games": (401, 201, 201, 201, 201, 201, 201),
    "GAMES POST /allocations": (401, 403, 403, 403, 405, 201, 403),
    "GAMES DELETE /allocations": (401, 403, 403, 403, 405, 405, 403),
    "GAMES GET /game-allocations/{game_id}": PUBLIC_200,
    "GAMES GET /player-allocations/{player_id}": PUBLIC_200,
    "GAMES POST /game-positions/{game_id}": (401, 403, 403, 403, 403, 201, 403),
    "GAMES GET /game-positions/{game_id}": PUBLIC_200,
    "GAMES GET /game-reports/{game_id}": PUBLIC_200,
    "GAMES POST /game-orders/{game_id}": (401, 403, 403, 403, 201, 201, 403),
    "GAMES GET /game-orders/{game_id}": (401, 403, 403, 403, 200, 200, 403),
    "GAMES POST /game-adjudications/{game_id}": (401, 403, 403, 403, 403, 400, 403),  # orders are missing
    "GAMES POST /simulation": (201,) * 7,
    "GAMES POST /game-messages/{game_id}": (401, 403, 403, 403, 201, 403, 403),
    "GAMES GET /game-messages/{game_id}": (401, 403, 403, 403, 200, 403, 403),
    "GAMES POST /game-declarations/{game_id}": (401, 403, 403, 403, 201, 403, 403),
    "GAMES GET /game-declarations/{game_id}": (401, 403, 403, 403, 200, 403, 403),
    "GAMES POST /game-visits/{game_id}": (401, 403, 403, 403, 201, 403, 403),
    "GAMES GET /game-visits/{game_id}": (401, 403, 403, 403, 200, 403, 403),
    "GAMES POST /game-civil-disorders/{game_id}": (401, 403, 403, 403, 403, 201, 403),
    "GAMES GET /game-validations/{game_id}": (401, 403, 403, 403, 200, 403, 403),
    "GAMES GET /game-corrections/{game_id}": (401, 403, 403, 403, 200, 403, 403),
    "GAMES POST /game-votes/{game_id}": (401, 403, 403, 403, 201, 403, 403),
    "GAMES GET /game-votes/{game_id}": (401, 403, 403, 403, 200, 403, 403),
    "GAMES GET /game-histories/{game_id}": PUBLIC_200,
    "GAMES GET /game-histories/{game_id}/{advancement}": PUBLIC_404,  # nothing is resolved yet
    "GAMES POST /game-position-codes/{game_id}": (401, 403, 403, 403, 403, 403, 201),
    "GAMES DELETE /game-position-codes/{game_id}": (401, 403, 403, 403, 403, 403, 200),
    "GAMES POST /game-subscriptions/{game_id}": (401, 403, 403, 201, 201, 201, 403),
    "GAMES GET /game-subscriptions/{game_id}": (401, 200, 200, 200, 200, 200, 200),
    "GAMES GET /unsubscriptions/{key}": PUBLIC_404,
    "GAMES POST /unsubscriptions/{key}": PUBLIC_404,
    "SOLVER POST /solve": (403,) * 7,
}
MASTERLY_403 = (401, 403, 403, 403, 403, 200, 403)
"""For role 0 of calls by role, GET."""


async def test_each_call_answers_each_kind_of_person_as_the_table_says(house: House) -> None:
    game, people = await _people(house)
    found: dict[str, tuple[int, ...]] = {}
    last = ("DELETE /games/{name}",)
    calls = [call for service in ALL for call in service.routes]
    for call in sorted(calls, key=lambda call: f"{call.method} {call.path}" in last):
        statuses = {
            who: await _status(house, game, call, who, people[who], WHO.index(who))
            for who in sorted(WHO, key=lambda who: who == "master")  # what he does may end it for others
        }
        found[call.name] = tuple(statuses[who] for who in WHO)
    wrong = {
        name: f"{status}, and {MATRIX.get(name)} is expected"
        for name, status in found.items()
        if status != MATRIX.get(name)
    }
    assert wrong == {}
    assert set(MATRIX) == set(found)


SUPER = {
    "PLAYERS POST /email-codes": 400,  # he has no address
    "PLAYERS POST /administrators": 404,  # of a player who does not exist
    "PLAYERS DELETE /administrators": 404,
}
"""What the super-administrator is answered, where it is something else than another administrator is."""


async def test_the_master_of_another_game_is_a_stranger_and_the_super_administrator_no_master(
    house: House,
) -> None:
    game, _ = await _people(house)
    elsewhere = await house.running()
    chief = Person(house, "Cheffe", 0, await house.log_in("Cheffe", "Cheffe"))
    for call in [call for service in ALL for call in service.routes]:
        as_stranger, as_administrator = MATRIX[call.name][1], MATRIX[call.name][-1]
        status = await _status(house, game, call, "master elsewhere", elsewhere.master, 10)
        assert status == as_stranger, call.name
        status = await _status(house, game, call, "super administrator", chief, 11)
        assert status == SUPER.get(call.name, as_administrator), call.name
    assert (await house.get(f"/game-positions/{game.id}"))["units"]["2"]


WITH_SECRET: dict[str, tuple[int, ...]] = {
    "USERS POST /add": (201,) * 7,
    "USERS POST /remove": (401, 405, 405, 405, 400, 405, 405),  # the player: he is still in a game
    "USERS POST /change": (401, 405, 405, 405, 201, 405, 405),
    "EMAILS POST /emails": (201,) * 7,
    "EMAILS GET /emails": (200,) * 7,
    "SOLVER POST /solve": (201,) * 7,
}
"""The grey calls once more, by who has the services' secret: it stands for no account."""


async def test_the_services_secret_opens_the_grey_calls_and_proves_nobody(house: House) -> None:
    game, people = await _people(house)
    player = game.player[2]
    grey = [call for service in ALL for call in service.routes if call.name in WITH_SECRET]
    assert {call.name for call in grey} == {
        call.name for service in ALL for call in service.routes if call.secret or call.group == "solver"
    }
    for call in grey:
        found = []
        for number, who in enumerate(WHO):
            person = people[who]
            given = _given(game, call, number)
            if "user_name" in given:
                given["user_name"] = f"Neuf{number}" if call.path == "/add" else player.pseudo
            if call.group == "solver":
                given["orders"] = []
            answer = await house.ask(
                call.method,
                call.path,
                call.group,
                token="" if person is None else person.token,
                secret=True,
                as_json=call.json_only,
                **given,
            )
            found.append(answer.status_code)
        assert tuple(found) == WITH_SECRET[call.name], call.name


async def test_role_0_is_the_masters_and_his_alone(house: House) -> None:
    game, people = await _people(house)
    people["master elsewhere"] = (await house.running()).master
    for call in GAMES.routes:
        by_role = any(param.name == "role_id" for param in call.params)
        if call.method == "GET" and by_role:
            for n, (who, person) in enumerate(people.items()):
                status = await _status(house, game, call, who, person, n, role_id=0)
                assert status == (*MASTERLY_403, 403)[n], (call.name, who)


async def test_another_accounts_token_does_nothing_in_the_name_of_the_right_one(house: House) -> None:
    game, people = await _people(house)
    victims = {"player": people["player"], "master": people["master"]}
    thief = people["stranger"]
    assert thief is not None
    for call in GAMES.routes:
        if not call.token:
            continue
        for victim in victims.values():
            assert victim is not None
            given = {**_given(game, call, 9), "pseudo": victim.pseudo}
            answer = await house.ask(call.method, _path(game, call), call.group, token=thief.token, **given)
            assert answer.status_code == 403, (call.name, answer.text)
            assert answer.json()["msg"] == f"Bad authentication!:token is not of {victim.pseudo}"


async def test_block_a_comes_before_the_game_and_the_game_before_its_people(house: House) -> None:
    game, people = await _people(house)
    player = people["player"]
    assert player is not None
    for call in GAMES.routes:
        if "game_id" not in call.in_path:
            continue
        for unknown in ("999999", "x", "-1", "1.5", "9" * 40, "%00", "é"):
            path = call.path.replace("{game_id}", unknown).replace("{advancement}", "0")
            given = _given(game, call, 5)
            if call.token:
                without = await house.ask(call.method, path, call.group, **{**given, "pseudo": player.pseudo})
                assert without.status_code in (400, 401), (call.name, unknown, without.text)
                nobody = await house.ask(call.method, path, call.group, **given)
                assert nobody.status_code in (400, 401)
            answer = await player.ask(call.method, path, call.group, **given)
            assert answer.status_code == (400 if unknown == "%00" else 404), (call.name, unknown, answer.text)
    missing = await player.ask("GET", f"/game-orders/{game.id}", role_id=2, pseudo="Personne")
    assert missing.status_code == 404
    assert missing.json()["msg"].startswith("Failed to get id from pseudo ")


# --- below ----------------------------------------------------------------------------------------------


async def _people(house: House) -> tuple[Game, dict[str, Person | None]]:
    elsewhere = await house.running()
    game = await house.running()
    chief, administrator = await house.super_administrator(), await house.person()
    named = await chief.ask("POST", "/administrators", "players", administered_pseudo=administrator.pseudo)
    assert named.status_code == 201
    return game, {
        "nobody": None,
        "stranger": await house.person(),
        "player elsewhere": elsewhere.player[2],
        "other player": game.player[3],
        "player": game.player[2],
        "master": game.master,
        "administrator": administrator,
    }


def _path(game: Game, call: Any) -> str:
    named = game.player[2].pseudo if call.group == "players" else game.name
    if "variants" in call.path:
        named = "standard"
    parts = {
        "name": named,
        "game_id": str(game.id),
        "player_id": str(game.player[2].id),
        "advancement": "0",
        "key": "x",
    }
    path: str = call.path
    for part, value in parts.items():
        path = path.replace("{" + part + "}", quote(value))
    return path


def _given(game: Game, call: Any, number: int) -> dict[str, Json]:
    start = [hold(2, 1, zone) for zone in (37, 47)] + [hold(2, 2, 14)]
    values: dict[str, Json] = {
        "user_name": "Personne",
        "password": "x",
        "email_value": "a@b.fr",
        "code": 1000,
        "email": "personne@exemple.fr",
        "administered_pseudo": "Personne",
        "name": f"Autre{number}" if call.method == "POST" else None,
        "game_id": game.id,
        "player_id": game.player[2].id,
        "role_id": 2,
        "center_ownerships": [],
        "units": [{"type_unit": kind, "role": 2, "zone": zone} for kind, zone in ((1, 47), (1, 37), (2, 14))]
        + [{"type_unit": 1, "role": 3, "zone": 40}],
        "orders": [] if call.path == "/simulation" else start,
        "variant_name": "standard",
        "dest_role_id": 3,
        "content": "Bonjour",
        "admin_code": "sesame" if "codes" in call.path else None,
        "variant": "standard" if call.group == "solver" else None,
        "advancement": 0,
        "situation": {},
        "declaration": 1,
        "value": 1,
    }
    known = {param.name for param in call.params}
    return {name: value for name, value in values.items() if name in known and value is not None}


async def _status(
    house: House, game: Game, call: Any, who: str, person: Person | None, number: int, **changed: Json
) -> int:
    given = {**_given(game, call, number), **changed}
    if call.name == "PLAYERS POST /emails":
        given["pseudo"] = game.player[2].pseudo
    elif call.name == "PLAYERS POST /players":
        given["pseudo"] = "Nouveau"
    elif person is not None:
        given["pseudo"] = person.pseudo
    elif call.token:
        given["pseudo"] = game.player[2].pseudo
    token = "" if person is None else person.token
    answer = await house.ask(
        call.method, _path(game, call), call.group, token=token, as_json=call.json_only, **given
    )
    return answer.status_code
