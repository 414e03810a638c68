"""What a token is good for: a program's for what was chosen, an administrator's who acts for play alone."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select
from tests.doors.web.mastered import mastered_game
from tests.kit.rooms import PASSWORD
from tests.kit.web import Guest, House

from tablee.store import Query
from tablee.store.schema import account

Json = Any
_HASH = Query(select(account.c.password_hash, account.c.email, account.c.pseudo, account.c.deleted_at))


async def bot_of(owner: Guest, *scopes: str) -> Guest:
    """A program with a token of this member."""
    body = {"label": "essai", **({"scopes": list(scopes)} if scopes else {})}
    bot = owner.house.nobody()
    bot.became(await owner.post("/sessions/bots", body, status=201))
    return bot


async def acting_as(chief: Guest, member: Guest) -> Guest:
    acting = chief.house.nobody()
    acting.became(await chief.post(f"/admin/accounts/{member.id}/act", status=201))
    return acting


async def test_a_program_of_an_administrator_reads_no_addresses_and_no_deeds(house: House) -> None:
    chief, member = await house.administrator(), await house.member(email="privee@example.org")
    bot = await bot_of(chief)
    for path in (
        "/admin/accounts",
        f"/admin/accounts/{member.id}",
        f"/admin/accounts/{member.id}/sessions",
        "/admin/deeds",
        "/admin/outbox",
        "/admin/tables",
        "/admin/health",
        "/sessions",
    ):
        answer = await bot.ask("GET", path)
        assert answer.status_code == 403, path
        assert answer.json()["error"]["code"] == "scope_missing", path
        assert "privee@" not in answer.text
    for method, path, body in (
        ("POST", f"/admin/accounts/{member.id}/act", None),
        ("PUT", f"/admin/accounts/{member.id}/ban", {}),
        ("PUT", f"/admin/accounts/{member.id}/role", {"role": "administrator"}),
        ("DELETE", f"/admin/accounts/{member.id}", None),
    ):
        assert (await bot.refused(method, path, body))["code"] == "scope_missing", path
    assert (await chief.get("/admin/deeds"))["deeds"]


async def test_a_program_of_an_administrator_does_not_see_the_tables_of_others(house: House) -> None:
    chief, host = await house.administrator(), await house.member()
    table = await host.post(
        "/tables", {"game": "mines", "variant": "classic", "access": "invited"}, status=201
    )
    bot = await bot_of(chief)
    await chief.get(f"/tables/{table['id']}")
    await bot.get(f"/tables/{table['id']}", status=404)
    await bot.get(f"/tables/{table['id']}/view", status=404)
    await bot.get(f"/channels/table:{table['id']}/messages", status=404)
    live = await bot.live()
    topic = {"topic": "table", "table": table["id"]}
    assert (await live.refusal_of({"type": "subscribe", "to": topic}))["code"] == "no_such_table"


async def test_a_token_is_good_for_what_was_chosen_when_it_was_made(house: House) -> None:
    member, other = await house.member(), await house.member()
    table = await member.post("/tables", {"game": "mines", "variant": "classic"}, status=201)
    move = {"action": {"do": "click", "x": 3, "y": 3}, "request_id": "premier"}
    tries = {
        "play": ("POST", f"/tables/{table['id']}/play", move, 200),
        "chat": ("POST", f"/channels/table:{table['id']}/messages", {"text": "Bonjour"}, 201),
        "block": ("PUT", f"/blocks/{other.id}", None, 204),
        "read": ("GET", f"/tables/{table['id']}/view", None, 200),
    }
    for scopes, allowed in (
        ((), {"play", "chat", "block", "read"}),
        (("read",), {"read"}),
        (("play",), {"play", "read"}),
        (("chat",), {"chat", "block", "read"}),
        (("chat", "play"), {"play", "chat", "block", "read"}),
    ):
        bot = await bot_of(member, *scopes)
        for name, (method, path, body, status) in tries.items():
            answer = await bot.ask(method, path, body)
            if name in allowed:
                assert answer.status_code == status, (scopes, name, answer.text)
            else:
                assert answer.json()["error"]["code"] == "scope_missing", (scopes, name)
    shown = {tuple(each["scopes"]) for each in (await member.get("/sessions"))["sessions"]}
    assert shown == {
        ("read", "play", "chat", "account", "admin"),
        ("read", "play", "chat"),
        ("read",),
        ("read", "play"),
        ("read", "chat"),
    }


@pytest.mark.parametrize("scope", ["admin", "account", "everything"])
async def test_no_program_gets_a_token_for_the_account_or_the_house(house: House, scope: str) -> None:
    chief = await house.administrator()
    answer = await chief.ask("POST", "/sessions/bots", {"label": "x", "scopes": ["play", scope]})
    assert answer.status_code == 400
    assert {each["kind"] for each in (await chief.get("/sessions"))["sessions"]} == {"browser"}


async def test_a_live_connection_is_bound_by_its_token_too(house: House) -> None:
    member = await house.member()
    table = await member.post("/tables", {"game": "mines", "variant": "classic"}, status=201)
    reader = await (await bot_of(member, "read")).live()
    await reader.subscribe("table", table=table["id"])
    assert (await reader.take("table"))["seat"] == 1
    play = {
        "type": "play",
        "table": table["id"],
        "action": {"do": "click", "x": 1, "y": 1},
        "request_id": "a",
    }
    assert (await reader.refusal_of(play))["code"] == "scope_missing"
    say = {"type": "say", "channel": f"table:{table['id']}", "text": "Bonjour"}
    assert (await reader.refusal_of(say))["code"] == "scope_missing"
    turns = {"type": "subscribe", "to": {"topic": "turns"}}
    assert (await reader.refusal_of(turns))["code"] == "scope_missing"
    await reader.settled()
    # Reading does not make the seat present: to some games that means something.
    assert (await member.get(f"/tables/{table['id']}"))["seats"][0]["here"] is False


async def test_every_operation_names_the_scope_that_it_needs(house: House) -> None:
    description = await house.nobody().get("/openapi.json")
    paths = description["paths"]

    def scope(method: str, path: str) -> Json:
        return paths[f"/api/v1{path}"][method]["security"][0]["bearer"]

    assert scope("get", "/admin/deeds") == ["admin"]
    assert scope("post", "/tables/{table_id}/play") == ["play"]
    assert scope("post", "/tables/{table_id}/letters") == ["chat"]
    assert scope("patch", "/account") == ["account"]
    assert scope("get", "/notices") == ["read"]
    assert "read, play, chat" in description["components"]["securitySchemes"]["bearer"]["description"]


# --- acting as somebody -----------------------------------------------------------------------------------


async def test_who_acts_as_somebody_changes_nothing_about_the_account(house: House) -> None:
    chief, member = await house.administrator(), await house.member(email="a@example.org")
    session = (await member.get("/session"))["session"]
    acting = await acting_as(chief, member)
    before = await house.store.rows(_HASH)
    for method, path, body in (
        ("PATCH", "/account", {"pseudo": "Volé"}),
        ("PATCH", "/account", {"first_name": "Corrigé"}),
        ("PATCH", "/account", {"email": "voleur@example.org", "password": PASSWORD}),
        ("PUT", "/account/password", {"current": PASSWORD, "password": "12345678"}),
        ("POST", "/account/delete", {"password": PASSWORD}),
        ("POST", "/account/confirm", {"code": "123456"}),
        ("POST", "/account/confirm/send", None),
        ("PUT", "/calling/kinds/your_turn", {"mail": "never"}),
        ("PUT", "/calling/hours", {"digest_at": 180}),
        ("POST", "/account/absences", {"first": "2026-12-01", "last": "2026-12-20"}),
        ("DELETE", "/account/absences/2026-12-01", None),
        ("POST", "/account/follow-key", None),
        ("POST", "/sessions/bots", {"label": "porte dérobée"}),
        ("DELETE", "/sessions", None),
        ("DELETE", f"/sessions/{session}", None),
        ("GET", "/sessions", None),
    ):
        assert (await acting.refused(method, path, body))["code"] == "not_while_acting", (method, path)
    assert await house.store.rows(_HASH) == before
    assert (await member.get("/session"))["account"] == member.id


async def test_who_acts_as_an_administrator_has_none_of_his_powers(house: House) -> None:
    chief, deputy, member = await house.administrator(), await house.member(), await house.member()
    await chief.put(f"/admin/accounts/{deputy.id}/role", {"role": "administrator"})
    acting = await acting_as(chief, deputy)
    for method, path, body in (
        ("GET", "/admin/accounts", None),
        ("POST", f"/admin/accounts/{member.id}/act", None),
        ("PUT", f"/admin/accounts/{member.id}/ban", {}),
    ):
        assert (await acting.refused(method, path, body))["code"] == "not_while_acting", path


async def test_what_is_done_as_somebody_is_noted_under_the_name_of_who_did_it(house: House) -> None:
    chief, member = await house.administrator(), await house.member()
    acting = await acting_as(chief, member)
    made = await acting.post("/tables", {"game": "mines", "variant": "classic"}, status=201)
    live = await acting.live()
    click = {"do": "click", "x": 3, "y": 3}
    await live.send({"type": "play", "table": made["id"], "action": click, "request_id": "a", "id": 1})
    await live.take("played")
    deeds = (await chief.get("/admin/deeds", account=member.id))["deeds"]
    acted = [
        (each["about"]["call"], each["actor"], each["account"]) for each in deeds if each["what"] == "acted"
    ]
    assert acted == [
        (f"play /tables/{made['id']}", chief.id, member.id),
        ("POST /api/v1/tables", chief.id, member.id),
    ]
    [notice] = [each for each in (await member.get("/notices"))["notices"] if each["kind"] == "acting"]
    assert notice["about"] == {"by": chief.pseudo}


async def test_who_acts_as_somebody_writes_nothing_in_his_name(house: House) -> None:
    chief = await house.administrator()
    game = await mastered_game(house)
    player, other = game.players
    [role, *_] = await game.roles_of(player)
    acting = await acting_as(chief, player)
    await acting.get(f"{game.path}/letters")
    for method, path, body in (
        ("POST", f"{game.path}/press", {"role": role, "text": "Je me rends"}),
        ("POST", f"{game.path}/letters", {"role": role, "to": 0, "text": "Je me rends"}),
        ("POST", "/channels/global/messages", {"text": "Coucou"}),
        ("POST", f"/channels/private:{other.id}/messages", {"text": "Coucou"}),
        ("POST", "/friends", {"pseudo": other.pseudo}),
    ):
        assert (await acting.refused(method, path, body))["code"] == "not_while_acting", path
    live = await acting.live()
    say = {"type": "say", "channel": "global", "text": "Coucou"}
    assert (await live.refusal_of(say))["code"] == "not_while_acting"
    assert (await player.get("/channels/global/messages"))["messages"] == []
    assert (await player.get(f"{game.path}/press"))["spoken"] == []
