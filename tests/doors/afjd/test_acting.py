"""An administrator acts as a player through the services: he plays for him, and takes nothing away."""

from __future__ import annotations

from typing import Any

from sqlalchemy import select
from tests.kit.afjd import House, Person, checked

from tablee.store import Query
from tablee.store.schema import account

Json = Any
_KEPT = Query(select(account.c.password_hash, account.c.email, account.c.pseudo, account.c.deleted_at))


async def usurped(house: House, chief: Person, whom: Person) -> Person:
    """The one as whom the administrator acts, by the token that he was given."""
    taken = await chief.ask("POST", "/usurpations", "players", administered_pseudo=whom.pseudo)
    return Person(house, whom.pseudo, whom.id, checked(taken, 201)["AccessToken"])


async def test_the_token_of_a_usurpation_changes_nothing_about_the_account(house: House) -> None:
    chief, victim = await house.super_administrator(), await house.person()
    game = await house.running()
    acting = await usurped(house, chief, victim)
    before = await house.store.rows(_KEPT)
    name = victim.pseudo
    for method, path, service, given in (
        ("PUT", f"/players/{name}", "players", {"password": "volé"}),
        ("PUT", f"/players/{name}", "players", {"email": "voleur@exemple.fr"}),
        ("PUT", f"/players/{name}", "players", {"first_name": "Autre"}),
        ("DELETE", f"/players/{name}", "players", {}),
        ("POST", "/email-codes", "players", {}),
        ("POST", "/usurpations", "players", {"administered_pseudo": chief.pseudo}),
        ("POST", "/administrators", "players", {"administered_pseudo": name}),
    ):
        answer = await acting.ask(method, path, service, **given)
        assert answer.status_code == 403, (method, path, answer.text)
        assert "while acting" in answer.json()["msg"], answer.text
    player = await usurped(house, chief, game.player[1])
    answer = await player.ask("POST", f"/game-subscriptions/{game.id}", "games", message=0)
    assert answer.status_code == 403, answer.text
    for path, body in (("/change", {"password": "volé"}), ("/remove", {})):
        answer = await house.ask(
            "POST", path, "users", token=acting.token, secret=True, as_json=True, user_name=name, **body
        )
        assert answer.status_code == 403, answer.text
    assert await house.store.rows(_KEPT) == before
    assert await house.log_in(name, name)


async def test_what_an_administrator_does_as_a_player_is_noted_under_his_own_name(house: House) -> None:
    chief = await house.super_administrator()
    game = await house.running(fast=1)
    victim = game.player[1]
    acting = await usurped(house, chief, victim)
    await acting.post(f"/game-visits/{game.id}", role_id=1)
    for path, given in (
        (f"/game-declarations/{game.id}", {"role_id": 1, "content": "Je me rends"}),
        (f"/game-messages/{game.id}", {"role_id": 1, "dest_role_id": 2, "content": "Je me rends"}),
    ):
        assert (await acting.ask("POST", path, **given)).status_code == 403
    deeds = await house.club.deeds.list(account=victim.id)
    acted = [(deed.about["call"], deed.actor_id, deed.account_id) for deed in deeds if deed.what == "acted"]
    assert acted == [(f"POST /afjd/games/game-visits/{game.id}", chief.id, victim.id)]
    told = checked(await victim.ask("GET", "/usurpations", "players"), 200)["acting_list"]
    assert [by for _, by in told] == [chief.pseudo]
