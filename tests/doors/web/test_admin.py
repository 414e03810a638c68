"""What administrators may do, and nobody else."""

from __future__ import annotations

from pathlib import Path

import msgspec
from sqlalchemy import select
from tests.club.mailboxes import code_in
from tests.kit.rooms import PASSWORD
from tests.kit.web import Guest, House

from tablee.club.post import FolderPost, Sender, mail_handler
from tablee.store import Outbox, Query
from tablee.store.schema import outbox


async def test_the_super_administrator_names_and_dismisses_administrators(any_house: House) -> None:
    chief, member = await any_house.administrator(), await any_house.member()
    named = await chief.put(f"/admin/accounts/{member.id}/role", {"role": "administrator"})
    assert named["role"] == "administrator"
    await member.get("/admin/accounts")
    refused = await member.refused("PUT", f"/admin/accounts/{chief.id}/role", {"role": "player"})
    assert refused["code"] == "not_allowed"
    await chief.put(f"/admin/accounts/{member.id}/role", {"role": "player"})
    assert (await member.refused("GET", "/admin/accounts"))["code"] == "not_allowed"
    deeds = (await chief.get("/admin/deeds", account=member.id))["deeds"]
    assert [deed["what"] for deed in deeds][:2] == ["role", "role"]


async def test_a_ban_ends_sessions_and_connections_at_once_and_can_be_lifted(house: House) -> None:
    chief, member = await house.administrator(), await house.member()
    live = await member.live()
    await chief.put(f"/admin/accounts/{member.id}/ban", {"reason": "triche"}, status=204)
    assert await live.end() == 4001
    await member.get("/session", status=401)
    nobody = house.nobody()
    body = {"name": member.pseudo, "password": PASSWORD}
    assert (await nobody.refused("POST", "/session", body))["code"] == "banned"
    await chief.delete(f"/admin/accounts/{member.id}/ban")
    await nobody.post("/session", body)


async def test_sessions_of_administrators_are_for_the_super_administrator_to_end(house: House) -> None:
    chief, deputy, other = await house.administrator(), await house.member(), await house.member()
    for who in (deputy, other):
        await chief.put(f"/admin/accounts/{who.id}/role", {"role": "administrator"})

    async def sessions_of(who: Guest) -> str:
        [session] = (await chief.get(f"/admin/accounts/{who.id}/sessions"))["sessions"]
        return f"/admin/accounts/{who.id}/sessions/{session['id']}"

    for whom in (chief, other):
        assert (await deputy.refused("DELETE", await sessions_of(whom)))["code"] == "not_allowed"
        await whom.get("/session")
    await chief.delete(await sessions_of(other))
    await other.get("/session", status=401)
    await deputy.delete(await sessions_of(deputy))
    await deputy.get("/session", status=401)


async def test_accounts_are_found_by_name_and_by_mail(house: House) -> None:
    chief = await house.administrator()
    await house.member("Zébulon", email="z@example.org")
    await house.visitor()
    by_name = (await chief.get("/admin/accounts", search="zéb"))["accounts"]
    by_mail = (await chief.get("/admin/accounts", search="Z@example.org"))["accounts"]
    assert by_name == by_mail
    assert by_name[0]["email"] == "z@example.org"
    assert "password_hash" not in by_name[0]
    visitors = (await chief.get("/admin/accounts", kind="visitor"))["accounts"]
    assert len(visitors) == 1
    assert (await chief.get(f"/admin/accounts/{by_name[0]['id']}"))["pseudo"] == "Zébulon"
    await chief.get("/admin/accounts/99999", status=404)


async def test_an_administrator_acts_as_somebody_and_it_is_noted_and_told(house: House) -> None:
    chief, member = await house.administrator(), await house.member()
    acting = house.nobody()
    acting.became(await chief.post(f"/admin/accounts/{member.id}/act", status=201))
    me = await acting.get("/session")
    assert me["account"] == member.id
    assert me["acting"] == chief.pseudo
    deeds = (await chief.get("/admin/deeds", account=member.id))["deeds"]
    assert deeds[0]["what"] == "acting"
    assert deeds[0]["actor"] == chief.id
    assert (await member.get("/notices"))["notices"][0]["kind"] == "acting"
    await acting.get("/admin/accounts", status=403)


async def test_an_administrator_who_is_connected_goes_on_as_the_one_he_acts_for(house: House) -> None:
    chief, member, other = await house.administrator(), await house.member(), await house.member()
    acting = await chief.post(f"/admin/accounts/{member.id}/act", status=201)
    live = await chief.live()
    await live.subscribe("chat", channel="private")
    await live.send({"type": "hello", "token": acting["access"]})
    assert (await live.take("welcome"))["account"] == member.id
    await live.subscribe("friends")
    refused = await live.refusal_of({"type": "hello", "token": other.access})
    assert refused["code"] == "not_allowed"


async def test_sessions_of_others_are_listed_and_ended_by_administrators(house: House) -> None:
    chief, member = await house.administrator(), await house.member()
    found = (await chief.get(f"/admin/accounts/{member.id}/sessions"))["sessions"]
    await chief.delete(f"/admin/accounts/{member.id}/sessions/{found[0]['id']}")
    await member.get("/session", status=401)


async def test_the_outbox_is_shown_without_the_codes_in_it(house: House) -> None:
    chief = await house.administrator()
    await house.member(email="lettre@example.org")
    errand = (await chief.get("/admin/outbox"))["errands"][0]
    assert errand["to"] == "lettre@example.org"
    assert "text" not in errand
    await chief.post(f"/admin/outbox/{errand['id']}/retry", status=204)
    await chief.post("/admin/outbox/424242/retry", status=404)


async def test_a_letter_that_is_sent_keeps_its_envelope_and_not_its_text(
    house: House, tmp_path: Path
) -> None:
    chief = await house.administrator()
    member = await house.member(email="lettre@example.org")
    post = FolderPost(tmp_path / "mail", Sender("club@example.org", "Club"))
    await Outbox(house.store, house.door.house.clock, {"mail": mail_handler(post)}).run_due()
    errand = (await chief.get("/admin/outbox"))["errands"][0]
    assert errand["done_at"] is not None
    assert errand["to"] == "lettre@example.org"
    assert errand["subject"] == "Tablée\u00a0: confirmez votre adresse"
    assert (errand["account"], errand["account_name"]) == (member.id, member.pseudo)
    (row,) = await house.store.rows(Query(select(outbox.c.payload)))
    assert set(msgspec.json.decode(row.payload)) == {"to", "subject"}


async def test_where_somebody_who_left_was_reached_is_forgotten_with_his_last_letter(
    house: House, tmp_path: Path
) -> None:
    chief = await house.administrator()
    member = await house.member(email="adieu@example.org")
    post = FolderPost(tmp_path / "mail", Sender("club@example.org", "Club"))
    errands = Outbox(house.store, house.door.house.clock, {"mail": mail_handler(post)})
    await errands.run_due()
    letter = max((tmp_path / "mail").iterdir())
    code = code_in(letter.read_text())
    await member.post("/account/confirm", {"code": code}, status=200)
    await member.post("/account/delete", {"password": PASSWORD}, status=204)
    await errands.run_due()
    (errand,) = (await chief.get("/admin/outbox"))["errands"]
    assert (errand["subject"], errand["to"]) == ("Tablée\u00a0: votre compte est supprimé", None)
    (row,) = await house.store.rows(Query(select(outbox.c.payload)))
    assert "adieu" not in row.payload


async def test_deeds_and_tables_name_whom_they_speak_of(house: House) -> None:
    chief, member = await house.administrator(), await house.member("Zoé")
    await chief.put(f"/admin/accounts/{member.id}/role", {"role": "administrator"})
    deed = (await chief.get("/admin/deeds", account=member.id))["deeds"][0]
    assert (deed["actor_name"], deed["account_name"]) == (chief.pseudo, "Zoé")
    await member.post("/tables", {"game": "mines", "variant": "classic"}, status=201)
    assert (await chief.get("/admin/tables"))["tables"][0]["host_name"] == "Zoé"


async def test_messages_are_taken_away_and_tables_are_listed(house: House) -> None:
    chief, member = await house.administrator(), await house.member()
    said = await member.post("/channels/global/messages", {"text": "gros mot"}, status=201)
    live = await member.live()
    await live.subscribe("chat", channel="global")
    await member.delete(f"/admin/messages/{said['id']}", status=403)
    await chief.delete(f"/admin/messages/{said['id']}")
    assert (await live.take("message_gone"))["message"] == said["id"]
    assert (await member.get("/channels/global/messages"))["messages"] == []
    body = {"game": "mines", "variant": "classic", "access": "private"}
    table = await member.post("/tables", body, status=201)
    listed = (await chief.get("/admin/tables"))["tables"]
    assert listed[0]["id"] == table["id"]
    assert listed[0]["invitation"] is None
    await chief.get(f"/tables/{table['id']}/view")
    error = await chief.refused("POST", f"/admin/tables/{table['id']}/close")
    assert error["code"] == "started"


async def test_health_tells_of_the_database_and_of_who_is_here(house: House) -> None:
    chief = await house.administrator()
    live = await chief.live()
    health = await chief.get("/admin/health")
    assert health["database"] == "sqlite"
    assert health["trouble"] is None
    assert health["connections"] == 1
    await live.close()


async def test_health_counts_people_tables_and_letters(house: House) -> None:
    chief = await house.administrator()
    before = (await chief.get("/admin/health"))["counts"]
    member = await house.member(email="compte@example.org")
    await house.visitor()
    await member.post("/tables", {"game": "mines", "variant": "classic", "access": "private"}, status=201)
    after = (await chief.get("/admin/health"))["counts"]
    more = {name: after[name] - before[name] for name in after}
    assert more == {
        "members": 1,
        "visitors": 1,
        "tables_open": 0,
        "tables_running": 1,
        "mail_waiting": 1,
        "mail_failed": 0,
    }


async def test_an_account_is_deleted_by_an_administrator(house: House) -> None:
    chief, member = await house.administrator(), await house.member("Indésirable")
    await chief.delete(f"/admin/accounts/{member.id}")
    await member.get("/session", status=401)
    await chief.get("/players/Indésirable", status=404)
    assert (await chief.refused("DELETE", f"/admin/accounts/{chief.id}"))["code"] == "last_super"


async def test_a_dismissed_administrator_no_longer_hears_what_was_not_his(house: House) -> None:
    chief, deputy, member = await house.administrator(), await house.member(), await house.member()
    await chief.put(f"/admin/accounts/{deputy.id}/role", {"role": "administrator"})
    body = {"game": "mines", "variant": "classic", "access": "private"}
    table = (await member.post("/tables", body, status=201))["id"]
    live = await deputy.live()
    await live.subscribe("table", table=table)
    await chief.put(f"/admin/accounts/{deputy.id}/role", {"role": "player"})
    assert (await live.take("bye"))["reason"] == "role_changed"
    again = await deputy.live()
    refused = await again.refusal_of({"type": "subscribe", "to": {"topic": "table", "table": table}})
    assert refused["code"] == "no_such_table"
