"""Push by the API: one's own browsers, and nobody else's; only what a browser could have made up."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from tests.kit.push import Browser, PushService, push_service
from tests.kit.rooms import PLENTY
from tests.kit.web import House

from tablee.club import base64url
from tablee.club.limits import Bucket
from tablee.club.outside import Outside

Opener = Callable[..., Awaitable[House]]


@pytest.fixture
async def service() -> AsyncIterator[PushService]:
    async with push_service() as service:
        yield service


@pytest.fixture
async def house(open_house: Opener, service: PushService) -> House:
    return await open_house(outside=Outside([service.machine]))


async def test_a_browser_asks_for_messages_is_tried_and_is_taken_away(
    house: House, service: PushService
) -> None:
    lea = await house.member("Léa")
    before = await lea.get("/push")
    assert before["devices"] == []
    assert len(base64url.read(before["key"])) == 65
    browser = Browser(service)
    after = await lea.post("/push/devices", browser.subscription, status=201)
    assert after["key"] == before["key"]
    (device,) = after["devices"]
    assert (device["this"], device["reached_at"], device["error"]) == (True, None, None)
    assert browser.endpoint not in str(after), "where a browser takes messages is between it and the house"
    await lea.post(f"/push/devices/{device['id']}/trial", status=204)
    assert service.shown_to(browser)[0]["body"] == "Les notifications arrivent bien sur cet appareil."
    service.answers = [500]
    refused = await lea.refused("POST", f"/push/devices/{device['id']}/trial")
    assert refused["code"] == "push_untaken"
    assert "500" in refused["message"]
    await lea.delete(f"/push/devices/{device['id']}")
    assert (await lea.get("/push"))["devices"] == []
    assert (await lea.refused("POST", f"/push/devices/{device['id']}/trial"))["code"] == "push_device"


async def test_who_signs_out_has_no_device_there_any_more(house: House, service: PushService) -> None:
    lea = await house.member("Léa")
    other = house.nobody()
    other.became(
        await other.post("/session", {"name": "Léa", "password": "un bon mot de passe", "label": "Chrome"})
    )
    await lea.post("/push/devices", Browser(service).subscription, status=201)
    await other.post("/push/devices", Browser(service).subscription, status=201)
    devices = (await lea.get("/push"))["devices"]
    assert [(device["label"], device["this"]) for device in devices] == [("Chrome", False), ("", True)]
    await other.delete("/session")
    assert [device["this"] for device in (await lea.get("/push"))["devices"]] == [True]


async def test_the_devices_of_another_are_out_of_reach(house: House, service: PushService) -> None:
    lea, eve = await house.member("Léa"), await house.member("Ève")
    (device,) = (await lea.post("/push/devices", Browser(service).subscription, status=201))["devices"]
    assert (await eve.refused("DELETE", f"/push/devices/{device['id']}"))["code"] == "push_device"
    assert (await eve.refused("POST", f"/push/devices/{device['id']}/trial"))["code"] == "push_device"
    assert (await eve.get("/push"))["devices"] == []
    assert service.asked == 0
    assert len((await lea.get("/push"))["devices"]) == 1


async def test_programs_visitors_and_administrators_acting_as_somebody_get_no_messages_of_his(
    house: House, service: PushService
) -> None:
    lea = await house.member("Léa")
    bot = house.nobody()
    bot.became(await lea.post("/sessions/bots", {"label": "robot"}, status=201))
    chief = await house.administrator()
    acting = house.nobody()
    acting.became(await chief.post(f"/admin/accounts/{lea.id}/act", status=201))
    visitor = await house.visitor()
    for guest in (bot, acting, visitor, house.nobody()):
        answer = await guest.ask("POST", "/push/devices", Browser(service).subscription)
        assert answer.status_code in (401, 403)
        assert (await guest.ask("GET", "/push")).status_code in (401, 403)
    assert (await lea.get("/push"))["devices"] == []


async def test_addresses_and_keys_that_no_browser_makes_are_refused_with_a_sentence(
    house: House, service: PushService
) -> None:
    lea = await house.member("Léa")
    good = Browser(service).subscription
    for changed, code in (
        ({"endpoint": "https://127.0.0.1:1/x"}, "outside_private"),
        ({"endpoint": "https://192.168.1.1/x"}, "outside_private"),
        ({"endpoint": "http://push.example.org/x"}, "outside_https"),
        ({"endpoint": "x"}, "outside_form"),
        ({"endpoint": "https://e.example/" + "x" * 5000}, "invalid"),
        ({"p256dh": base64url.shown(b"\x04" + b"\x07" * 64)}, "push_keys"),
        ({"auth": "AAAA"}, "push_keys"),
        ({"auth": "A" * 1000}, "invalid"),
    ):
        refused = await lea.refused("POST", "/push/devices", {**good, **changed})
        assert refused["code"] == code, changed
    assert (await lea.get("/push"))["devices"] == []


async def test_who_asks_too_often_is_told_to_wait(open_house: Opener, service: PushService) -> None:
    few = {**PLENTY, "push_device": Bucket(2, 3600), "push_trial": Bucket(2, 3600)}
    house = await open_house(outside=Outside([service.machine]), limits=few)
    lea = await house.member("Léa")
    for _ in range(2):
        known = await lea.post("/push/devices", Browser(service).subscription, status=201)
    assert (await lea.refused("POST", "/push/devices", Browser(service).subscription))["code"] == "too_many"
    path = f"/push/devices/{known['devices'][0]['id']}/trial"
    for _ in range(2):
        await lea.post(path, status=204)
    assert (await lea.refused("POST", path))["code"] == "too_many"
    assert service.asked == 2


async def test_letters_and_push_are_chosen_apart_and_hours_one_by_one(house: House) -> None:
    lea = await house.member("Léa")

    def of(calling: dict[str, object], kind: str) -> dict[str, object]:
        return next(each for each in calling["kinds"] if each["kind"] == kind)  # type: ignore[attr-defined]

    first = await lea.get("/calling")
    assert (of(first, "letter")["mail"], of(first, "letter")["push"]) == ("digest", True)
    assert of(first, "security")["push"] is None
    await lea.put("/calling/kinds/letter", {"mail": "off"})
    chosen = of(await lea.put("/calling/kinds/letter", {"push": False}), "letter")
    assert (chosen["mail"], chosen["push"], chosen["own"], chosen["own_push"]) == ("off", False, True, True)
    chosen = of(await lea.put("/calling/kinds/letter", {"mail": None}), "letter")
    assert (chosen["mail"], chosen["push"], chosen["own"], chosen["own_push"]) == (
        "digest",
        False,
        False,
        True,
    )
    assert of(await lea.put("/calling/kinds/letter", {"push": None}), "letter")["push"] is True
    assert (await lea.refused("PUT", "/calling/kinds/security", {"push": True}))["code"] == "calling_must"
    assert (first["quiet_from"], first["quiet_until"]) == (22 * 60, 8 * 60)
    await lea.put("/calling/hours", {"digest_at": 600})
    hours = await lea.put("/calling/hours", {"quiet_from": 0, "quiet_until": 0})
    assert [hours[name] for name in ("digest_at", "quiet_from", "quiet_until")] == [600, 0, 0]
    assert (await lea.refused("PUT", "/calling/hours", {"quiet_from": 1440}))["code"] == "invalid"
