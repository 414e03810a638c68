"""`tablee push`: what waits, sent again, whose devices, and a trial."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli.test_commands import done, tablee
from tests.kit.push import Browser, PushService, push_service_aside
from tests.kit.rooms import cheap_passwords, furnished

from tablee.clock import WallClock
from tablee.club import Club
from tablee.club.outside import Outside
from tablee.store import Unit, open_store
from tablee.store.outbox import GiveUp, Outbox, errand


@pytest.fixture
def service() -> Iterator[PushService]:
    with push_service_aside() as service:
        yield service


@pytest.fixture
def data(tmp_path: Path, service: PushService) -> Path:
    """A house that has given up on one message to a member with one device, and has a letter to send."""
    furnished(tmp_path / "tablee.sqlite")

    async def fail(_: object) -> str:
        raise GiveUp("403 wrong key")

    async def write() -> None:
        store, clock = await open_store(tmp_path / "tablee.sqlite"), WallClock()
        club = Club(store, clock, passwords=cheap_passwords(), outside=Outside([service.machine]))
        lea = await club.accounts.create("Lea", "mot de passe")
        await club.accounts.create("Tom", "mot de passe")
        tokens = await club.sessions.open(lea, label="Firefox · Linux")
        await club.push.devices.put(lea.id, tokens.session_id, **Browser(service).subscription)
        await store.commit(Unit(writes=[await errand(store, "push", "{}", clock.now())]))
        await Outbox(store, clock, {"push": fail}).run_due()
        await store.commit(Unit(writes=[await errand(store, "mail", "{}", clock.now())]))
        club.close()
        await store.close()

    asyncio.run(write())
    return tmp_path


def test_what_waits_is_listed_and_what_was_given_up_is_sent_again(data: Path) -> None:
    where = ("--data", str(data))
    (row,) = json.loads(done("push", "waiting", "--json", *where))
    assert (row["error"], row["due_at"]) == ("403 wrong key", None)
    assert "given up" in done("push", "waiting", *where)
    assert "No push message 999 waits" in tablee("push", "send-again", "999", *where).stderr
    letter = json.loads(done("mail", "waiting", "--json", *where))[0]["id"]
    assert "No push message" in tablee("push", "send-again", str(letter), *where).stderr
    assert done("push", "send-again", *where) == "1 to be sent again.\n"
    assert json.loads(done("push", "waiting", "--json", *where))[0]["due_at"] is not None


def test_devices_are_listed_without_what_is_theirs_alone_and_tried(data: Path, service: PushService) -> None:
    where = ("--data", str(data))
    allowed = ("--outside-allow", service.machine, "--name", "Le Club")
    listed = done("push", "devices", "Lea", *where)
    assert "Firefox · Linux" in listed
    assert "reached never" in listed
    (device,) = json.loads(done("push", "devices", "Lea", "--json", *where))
    assert not {"endpoint", "p256dh", "auth"} & device.keys()
    assert "has no device" in done("push", "devices", "Tom", *where)
    assert "taken" in done("push", "test", "Lea", *where, *allowed)
    assert service.messages[0].shown["title"] == "Le Club"
    service.answers = [403]
    refused = tablee("push", "test", "Lea", *where, *allowed)
    assert refused.returncode == 1
    assert "403 no" in refused.stdout
    assert "refused: 403 no" in done("push", "devices", "Lea", *where)
    assert "has no device" in tablee("push", "test", "Tom", *where, *allowed).stderr
