"""Webhooks by the API: who may add, see, try and end them; what may be called; what is never shown again."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from tests.doors.conftest import Opener
from tests.doors.web.test_scopes import bot_of
from tests.kit.receiving import GONE, Receiver, receiving
from tests.kit.web import Guest, House

from tablee.club.limits import Bucket
from tablee.club.outside import Outside

Json = Any


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    async with receiving() as receiver:
        yield receiver


@pytest.fixture
async def house(open_house: Opener, receiver: Receiver) -> House:
    house = await open_house(outside=Outside([receiver.place]))
    assert isinstance(house, House)
    return house


async def laid(host: Guest, **choices: Json) -> int:
    table = await host.post("/tables", {"game": "chess", "variant": "classic", **choices}, status=201)
    return int(table["id"])


async def test_a_host_adds_a_webhook_tries_it_and_ends_it(house: House, receiver: Receiver) -> None:
    host = await house.member()
    table = await laid(host, name="Chez moi")
    path = f"/tables/{table}/webhooks"
    assert await host.get(path) == {"webhooks": [], "may_add": True}
    url = receiver.url("/api/webhooks/99/tresSecretABCD")
    added = await host.post(path, {"kind": "generic", "url": url}, status=201)
    assert len(added["secret"]) >= 43
    shown = added["webhook"]
    assert shown["address"] == f"{receiver.place}/…ABCD"
    assert shown["events"] == ["begun", "moved", "over"]
    listed = await host.ask("GET", path)
    assert listed.json() == {"webhooks": [shown], "may_add": True}
    for secret in (added["secret"], "tresSecret"):
        assert secret not in listed.text
    tried = await host.post(f"/webhooks/{shown['id']}/test")
    assert tried == {"arrived": True, "error": None}
    assert receiver.heard[0].is_signed_with(added["secret"])
    assert receiver.heard[0].said["table"]["name"] == "Chez moi"
    receiver.usual = GONE
    assert (await host.post(f"/webhooks/{shown['id']}/test"))["error"] == "404 Unknown Webhook"
    await host.delete(f"/webhooks/{shown['id']}")
    assert (await host.get(path))["webhooks"] == []
    assert (await host.refused("POST", f"/webhooks/{shown['id']}/test"))["code"] == "webhook_unknown"


async def test_a_channel_has_no_secret_but_its_address(house: House, receiver: Receiver) -> None:
    host = await house.member()
    added = await host.post(
        f"/tables/{await laid(host)}/webhooks",
        {"kind": "discord", "url": receiver.url(), "language": "en", "events": ["over"]},
        status=201,
    )
    assert added["secret"] is None
    await host.post(f"/webhooks/{added['webhook']['id']}/test")
    assert "This is a trial" in receiver.heard[0].said["content"]


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("http://exemple.fr/", "outside_https"),
        ("https://127.0.0.1/", "outside_private"),
        ("https://10.1.2.3/", "outside_private"),
        ("https://169.254.169.254/latest/meta-data", "outside_private"),
        ("https://[::1]/", "outside_private"),
        ("https://[::ffff:127.0.0.1]/", "outside_private"),
        ("https://2130706433/", "outside_private"),
        ("https://moi:secret@exemple.fr/", "outside_form"),
        ("ftp://exemple.fr/", "outside_form"),
        ("https://exemple.fr/\r\nX-Autre: 1", "outside_form"),
        ("https://", "outside_form"),
        ("javascript:alert(1)", "outside_form"),
    ],
)
async def test_the_house_calls_public_machines_only(house: House, url: str, code: str) -> None:
    host = await house.member()
    table = await laid(host)
    refusal = await host.refused("POST", f"/tables/{table}/webhooks", {"kind": "generic", "url": url})
    assert refusal["code"] == code
    assert refusal["parts"]["field"] == "url"


async def test_an_address_that_is_too_long_is_refused(house: House) -> None:
    host = await house.member()
    body = {"kind": "generic", "url": "https://exemple.fr/" + "a" * 2048}
    assert (await host.refused("POST", f"/tables/{await laid(host)}/webhooks", body))["code"] == "invalid"


async def test_nobody_but_the_host_and_administrators_has_to_do_with_them(
    house: House, receiver: Receiver
) -> None:
    host, player, chief = await house.member(), await house.member(), await house.administrator()
    table = await laid(host)
    body = {"kind": "generic", "url": receiver.url()}
    added = await host.post(f"/tables/{table}/webhooks", body, status=201)
    hook = f"/webhooks/{added['webhook']['id']}"
    await player.post(f"/tables/{table}/join")
    for method, path, said in (
        ("GET", f"/tables/{table}/webhooks", None),
        ("POST", f"/tables/{table}/webhooks", body),
    ):
        assert (await player.refused(method, path, said))["code"] == "not_host"
    for method, path in (("DELETE", hook), ("POST", f"{hook}/test"), ("POST", f"{hook}/resume")):
        assert (await player.refused(method, path))["code"] == "not_found"
    assert receiver.heard == []
    by_chief = await chief.post(f"/tables/{table}/webhooks", body, status=201)
    assert len((await host.get(f"/tables/{table}/webhooks"))["webhooks"]) == 2
    await host.delete(f"/webhooks/{by_chief['webhook']['id']}")
    await chief.delete(hook)
    assert (await host.get(f"/tables/{table}/webhooks"))["webhooks"] == []


async def test_to_a_private_table_only_its_host_adds_one_and_an_administrator_may_end_it(
    house: House, receiver: Receiver
) -> None:
    host, chief = await house.member(), await house.administrator()
    body = {"kind": "generic", "url": receiver.url()}
    for access in ("private", "invited"):
        table = await laid(host, access=access)
        path = f"/tables/{table}/webhooks"
        assert (await chief.get(path))["may_add"] is False
        assert (await chief.refused("POST", path, body))["code"] == "not_host"
        added = await host.post(path, body, status=201)
        await chief.delete(f"/webhooks/{added['webhook']['id']}")


async def test_a_table_that_is_over_gets_no_more_of_them(house: House, receiver: Receiver) -> None:
    host = await house.member()
    table = await laid(host)
    await house.tables.creating.close(table, host.id)
    refusal = await host.refused(
        "POST", f"/tables/{table}/webhooks", {"kind": "generic", "url": receiver.url()}
    )
    assert refusal["code"] == "over"


async def test_administrators_have_webhooks_of_the_whole_house_and_see_all(
    house: House, receiver: Receiver
) -> None:
    host, chief = await house.member("Hôtesse"), await house.administrator()
    table = await laid(host, name="Chez moi")
    body = {"kind": "discord", "url": receiver.url()}
    await host.post(f"/tables/{table}/webhooks", body, status=201)
    await chief.post("/admin/webhooks", body, status=201)
    seen = (await chief.get("/admin/webhooks"))["webhooks"]
    assert [(each["table"], each["table_name"], each["owner_name"]) for each in seen] == [
        (None, None, "Cheffe"),
        (table, "Chez moi", "Hôtesse"),
    ]
    assert (await host.refused("DELETE", f"/webhooks/{seen[0]['id']}"))["code"] == "not_found"
    deeds = (await chief.get("/admin/deeds"))["deeds"]
    noted = [deed["about"] for deed in deeds if deed["what"] == "add_webhook"]
    assert noted == [{"table": 0, "machine": "127.0.0.1"}, {"table": table, "machine": "127.0.0.1"}]


async def test_a_token_of_a_program_adds_none(house: House, receiver: Receiver) -> None:
    host = await house.member()
    table = await laid(host)
    bot = await bot_of(host)
    body = {"kind": "generic", "url": receiver.url()}
    assert (await bot.refused("POST", f"/tables/{table}/webhooks", body))["code"] == "scope_missing"
    assert (await bot.refused("POST", "/account/follow-key"))["code"] == "scope_missing"


async def test_who_tries_out_too_often_is_told_to_wait(
    house: House, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = await house.member()
    body = {"kind": "generic", "url": receiver.url()}
    added = await host.post(f"/tables/{await laid(host)}/webhooks", body, status=201)
    monkeypatch.setitem(house.club.limits._rules, "webhook", Bucket(3, 3600))
    tries = [await host.ask("POST", f"/webhooks/{added['webhook']['id']}/test") for _ in range(5)]
    assert [answer.status_code for answer in tries][-2:] == [429, 429]
    assert len(receiver.heard) <= 3
