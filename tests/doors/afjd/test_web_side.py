"""Games of the services in the page's API: what it shows, what it plays, and whom it does not give away."""

from __future__ import annotations

from typing import Any

import httpx
from tests.kit.afjd import Game, House, Person, checked

Json = Any


async def signed_in(house: House, person: Person) -> dict[str, str]:
    body = {"name": person.pseudo, "password": person.pseudo}
    answer = await house.http.post(f"{house.url}/api/v1/session", json=body)
    return {"Authorization": f"Bearer {answer.json()['access']}"}


async def ask(
    house: House, method: str, path: str, headers: Json = None, body: Json = None
) -> httpx.Response:
    return await house.http.request(method, f"{house.url}/api/v1{path}", headers=headers, json=body)


async def finished(house: House, **given: Json) -> Game:
    game = await house.running(fast=1, nb_max_cycles_to_play=1, **given)
    for _ in range(2):
        await game.hold(*range(1, 8), final=1)
    return game


async def test_an_anonymous_game_names_nobody_in_the_page(house: House) -> None:
    game = await house.running(anonymous=1)
    names = [person.pseudo for person in game.people]
    lea = game.player[1]
    headers = await signed_in(house, lea)
    for path in ("/tables", f"/tables/{game.id}", f"/tables/{game.id}/view", f"/tables/{game.id}/history"):
        public = await ask(house, "GET", path)
        assert public.status_code == 200
        assert not [name for name in names if f'"{name}"' in public.text], path
        for person in game.people:
            assert f'"account":{person.id},' not in public.text
        mine = await ask(house, "GET", path, headers)
        assert not [name for name in names if name != lea.pseudo and f'"{name}"' in mine.text], path
    shown = (await ask(house, "GET", f"/tables/{game.id}", headers)).json()
    assert [seat["name"] for seat in shown["seats"] if seat["name"]] == [lea.pseudo]
    master = (await ask(house, "GET", f"/tables/{game.id}", await signed_in(house, game.master))).json()
    assert sorted(seat["name"] for seat in master["seats"]) == sorted(names)
    chat = await ask(house, "POST", f"/channels/table:{game.id}/messages", headers, {"text": "C’est moi"})
    assert chat.status_code == 403
    assert chat.json()["error"]["code"] == "no_chat_here"


async def test_a_finished_anonymous_game_is_in_nobodys_list_but_his_own(house: House) -> None:
    game = await finished(house, anonymous=1)
    lea = game.player[1]
    for path in (f"/players/{lea.pseudo}/games", f"/players/{lea.pseudo}/statistics/diplomacy/standard"):
        assert f'"table":{game.id}' not in (await ask(house, "GET", path)).text
    own = await ask(house, "GET", f"/players/{lea.pseudo}/games", await signed_in(house, lea))
    assert [each["table"] for each in own.json()["games"]] == [game.id]
    results = (await ask(house, "GET", f"/tables/{game.id}/results")).json()
    assert results["outcomes"] == []
    assert results["result"]["reason"] == "cycles"


async def test_an_open_game_is_in_the_lists_of_its_players(house: House) -> None:
    game = await finished(house)
    lea = game.player[1]
    games = (await ask(house, "GET", f"/players/{lea.pseudo}/games")).json()["games"]
    assert [each["table"] for each in games] == [game.id]


async def test_the_access_code_is_asked_in_the_page_too(house: House) -> None:
    game = await house.game(await house.person(), access_code=77)
    headers = await signed_in(house, await house.person())
    refused = await ask(house, "POST", f"/tables/{game.id}/join", headers, {})
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "wrong_access_code")
    joined = await ask(house, "POST", f"/tables/{game.id}/join", headers, {"access_code": 77})
    assert joined.status_code == 200
    assert "77" not in str((await ask(house, "GET", f"/tables/{game.id}")).json()["options"])


async def test_the_master_acts_in_the_page_as_seat_0(house: House) -> None:
    game = await house.running()
    headers = await signed_in(house, game.master)
    view = (await ask(house, "GET", f"/tables/{game.id}/view", headers)).json()
    assert view["seat"] == 0
    assert "adjudicate" in view["legal"]
    await game.hold(*range(1, 8))
    seen = (await ask(house, "GET", f"/tables/{game.id}/view", headers)).json()["view"]["orders"]
    assert set(seen) == {"1", "2", "3", "4", "5", "6", "7"}
    body = {"action": {"do": "adjudicate"}, "request_id": "a1"}
    played = await ask(house, "POST", f"/tables/{game.id}/play", headers, body)
    assert played.status_code == 200, played.text
    assert (await game.informations())["current_advancement"] == 2
    other = await signed_in(house, game.player[1])
    refused = await ask(house, "POST", f"/tables/{game.id}/play", other, {**body, "request_id": "a2"})
    assert refused.status_code == 409


async def test_press_and_letters_are_the_same_in_the_page_and_the_services(house: House) -> None:
    game = await house.running()
    headers = await signed_in(house, game.player[6])
    path = f"/tables/{game.id}"
    said = await ask(house, "POST", f"{path}/press", headers, {"role": 6, "text": "Hello world"})
    assert said.status_code == 201, said.text
    sent = await ask(
        house, "POST", f"{path}/letters", headers, {"role": 6, "to": 3, "text": "Time for attack"}
    )
    assert sent.status_code == 201
    heard = await game.player[3].get(f"/game-messages/{game.id}", role_id=3)
    assert [message[1:] for message in heard["messages_list"]] == [[6, 3, "Time for attack"]]
    await game.player[3].post(f"/game-messages/{game.id}", role_id=3, dest_role_id=6, content="Da")
    letters = (await ask(house, "GET", f"{path}/letters?role=6", headers)).json()["spoken"]
    assert [(each["author"], each["to"], each["text"]) for each in letters] == [
        (3, 6, "Da"),
        (6, 3, "Time for attack"),
    ]
    press = (await ask(house, "GET", f"{path}/press?role=6", headers)).json()["spoken"]
    assert [each["text"] for each in press] == ["Hello world"]
    for role in (0, 3, 99):
        assert (await ask(house, "GET", f"{path}/letters?role={role}", headers)).status_code == 403
    wrong = await ask(house, "POST", f"{path}/letters", headers, {"role": 6, "to": 8, "text": "x"})
    assert wrong.status_code == 400
    silent = await house.running(silent=1)
    headers = await signed_in(house, silent.player[1])
    mute = await ask(house, "POST", f"/tables/{silent.id}/press", headers, {"role": 1, "text": "psst"})
    assert (mute.status_code, mute.json()["error"]["code"]) == (403, "silent")


async def test_who_hides_his_visits_shows_his_last_identification_to_nobody_but_administrators(
    house: House,
) -> None:
    lea, max_ = await house.person("Lea"), await house.person("Max")
    await house.club.roles.name_super("Cheffe", "clef de la maison")
    body = {"user_name": "Cheffe", "password": "clef de la maison"}
    chief = checked(await house.http.post(house.at("users", "/login"), json=body), 200)["AccessToken"]

    async def seen(token: str) -> list[int]:
        stamp = await house.get("/player-identifications/Lea", service="players", token=token)
        facts = await house.get("/player-facts/Lea", service="players", token=token)
        return [stamp["time_stamp"], facts["last_identification"]]

    assert min(await seen(max_.token)) > 0
    hiding = {"settings": {"hide_seen": True}}
    changed = await ask(house, "PATCH", "/account", await signed_in(house, lea), hiding)
    assert changed.status_code == 200, changed.text
    for token in ("", "no token", max_.token):
        assert await seen(token) == [0, 0]
    for token in (lea.token, chief):
        assert min(await seen(token)) > 0
