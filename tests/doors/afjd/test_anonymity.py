"""An anonymous game tells nobody who plays: not by answers, nor by figures, nor by the work that is done."""

from __future__ import annotations

import traceback
from pathlib import Path
from typing import Any

import pytest
from tests.doors.afjd.test_rights import _given, _path
from tests.doors.afjd.test_web_side import ask, signed_in
from tests.kit.afjd import House, Person, open_house

from tablee.doors.afjd.calls import ALL
from tablee.store import Store

Json = Any


class Watched:
    """What a store is asked for by calls of the services; rounds in the background do not count."""

    def __init__(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        self.asked: list[str] = []
        for name in ("rows", "one", "events", "commit"):
            monkeypatch.setattr(store, name, self._watching(name, getattr(store, name)))

    def _watching(self, name: str, through: Any) -> Any:
        async def asked(*given: Any, **more: Any) -> Any:
            if any(frame.filename.endswith("afjd/application.py") for frame in traceback.extract_stack()):
                self.asked.append(f"{name} {id(given[0]) if name in ('rows', 'one') else ''}")
            return await through(*given, **more)

        return asked


async def facts_of(house: House, person: Person) -> Json:
    await house.tables.reckoning.up_to_date()
    found = await house.get(f"/player-facts/{person.pseudo}", service="players")
    del found["last_identification"]
    return found


async def test_an_anonymous_game_moves_no_figure_and_no_standing(house: House) -> None:
    game = await house.running(anonymous=1, fast=1, nb_max_cycles_to_play=1)
    dated = await house.running(anonymous=1)
    lea, max_ = game.player[1], dated.player[4]
    before = [await facts_of(house, person) for person in (lea, max_)]
    await dated.hold(*range(1, 8), final=1)  # a phase with a deadline, in time
    newcomer = await house.person()
    await dated.master.post("/allocations", game_id=dated.id, player_id=newcomer.id, role_id=4)
    for _ in range(2):
        await game.hold(*range(1, 8), final=1)
    assert (await game.informations())["current_state"] == 2
    assert [await facts_of(house, person) for person in (lea, max_)] == before
    for path in (f"/players/{lea.pseudo}/statistics/diplomacy/standard", "/rankings/diplomacy/standard"):
        shown = await ask(house, "GET", path)
        assert shown.status_code == 200, shown.text
        assert '"played":1' not in shown.text, shown.text
    own = await ask(house, "GET", f"/players/{lea.pseudo}/games", await signed_in(house, lea))
    assert [each["table"] for each in own.json()["games"]] == [game.id]


async def test_the_same_work_is_done_for_who_plays_in_anonymous_games_and_who_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = f"sqlite:///{tmp_path / 't'}"
    async with open_house(database, tmp_path) as house:
        game = await house.running(anonymous=1)
        player, nobody = game.player[1], await house.person()
        stranger = await house.person()
    async with open_house(database, tmp_path) as house:  # a new start: no game is in memory
        watched = Watched(house.store, monkeypatch)
        kept = []
        for about in (player, nobody, player, nobody):
            watched.asked.clear()
            found = await house.get(f"/player-allocations/{about.id}", token=stranger.token)
            assert found == {}
            kept.append(list(watched.asked))
            assert house.tables.loaded.get(game.id) is None  # or its next answer would come sooner
        assert kept[2] == kept[3] != []
        assert kept[0][-2:] == kept[1][-2:]
        for path in ("/player_identifiers/{}", "/player-facts/{}", "/player-identifications/{}"):
            works = []
            for about in (player, nobody):
                watched.asked.clear()
                await house.get(path.format(about.pseudo), service="players")
                works.append(list(watched.asked))
            assert works[0] == works[1] != []


async def test_no_call_names_a_player_of_an_anonymous_game_to_anybody_but_its_master(house: House) -> None:
    game = await house.game(await house.person(), anonymous=1)
    for number in range(7):
        await game.join(await house.person(f"Secret{number}"))
    await game.start()
    newcomer, left = await house.person("Secret7"), game.player[7]
    await game.master.post("/allocations", game_id=game.id, player_id=newcomer.id, role_id=7)
    game.player[7] = newcomer
    await game.hold(1, 2, 3)
    await game.player[6].post(f"/game-declarations/{game.id}", role_id=6, content="Bonjour")
    await game.player[6].post(f"/game-messages/{game.id}", role_id=6, dest_role_id=2, content="Bonjour")
    chief = await house.super_administrator()
    elsewhere = (await house.running()).master
    hidden = {person.id: person.pseudo for person in (*game.people, newcomer)}
    about = await house.person("Autre")
    for person in (None, about, game.player[2], left, elsewhere, chief):
        others = {number: name for number, name in hidden.items() if person is None or number != person.id}
        for call in [call for service in ALL for call in service.routes]:
            if call.method not in ("GET", "POST") or call.name in ("PLAYERS GET /players", "USERS POST /add"):
                continue  # the list of all players names everybody, whatever he plays
            given = {**_given(game, call, 20), "player_id": about.id}
            for role in (0, 1, 2, 7) if "role_id" in given else (2,):
                asked = {**given, "pseudo": "" if person is None else person.pseudo}
                if "role_id" in given:
                    asked["role_id"] = role
                path = _path(game, call).replace(game.player[2].pseudo, about.pseudo)
                token = "" if person is None else person.token
                answer = await house.ask(
                    call.method, path, call.group, token=token, as_json=call.json_only, **asked
                )
                assert answer.status_code < 500
                assert not [name for name in others.values() if name in answer.text], (call.name, answer.text)
                if call.path.startswith("/game-allocations"):
                    assert not {str(number) for number in others} & set(answer.json()), call.name
                if call.path.startswith("/player-allocations") and person is not game.player[2]:
                    assert str(game.id) not in answer.json()
    assert len(await game.master.get(f"/game-allocations/{game.id}")) == 8
