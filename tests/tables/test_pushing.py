"""Who has a device is pushed what he is called for: once, when he may be woken, and while it is so."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from sqlalchemy import select, update
from tests.kit.playing import play
from tests.kit.push import Browser, PushService, push_service
from tests.tables.conftest import GAMES, Node
from tests.tables.nim import Take

from tablee.clock import HandClock
from tablee.club import NotFound
from tablee.club.calling.calls import LOOKED_LATELY
from tablee.club.calling.devices import DEVICES_MOST, FAILING_MOST
from tablee.club.calling.pusher import TOGETHER
from tablee.club.calling.sending import SILENT_FOR
from tablee.club.calling.wishes import Choice, Wishes
from tablee.club.errors import Invalid, Refused
from tablee.club.outside import Outside
from tablee.club.sweeping import sweep
from tablee.store import Query
from tablee.store.outbox import FIRST_WAIT
from tablee.store.schema import account, call, outbox
from tablee.tables.clocks import Days

MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000
COMING = 15_000
NOON = round(datetime(2027, 3, 1, 12, tzinfo=UTC).timestamp() * 1000)
NOT_QUIET = Wishes(quiet_from=0, quiet_until=0)
_PUSHES = Query(select(outbox.c.done_at, outbox.c.due_at, outbox.c.error).where(outbox.c.kind == "push"))
_LETTERS = Query(select(outbox.c.id).where(outbox.c.kind == "mail"))
_CONFIRM = Query(update(account).values(email_confirmed=True).returning(account.c.id))
_CALLS = Query(select(call.c.kind, call.c.push_at, call.c.mail_at).order_by(call.c.kind))


@pytest.fixture
def clock() -> HandClock:
    clock = HandClock()
    clock._now = NOON
    return clock


@pytest.fixture
async def service() -> AsyncIterator[PushService]:
    async with push_service() as service:
        yield service


@pytest.fixture
async def node(database_url: str, clock: HandClock, service: PushService) -> AsyncIterator[Node]:
    node = await opened(database_url, clock, service)
    yield node
    await node.close()


async def opened(url: str, clock: HandClock, service: PushService, **choices: Any) -> Node:
    outside = Outside([service.machine], timeout=choices.pop("timeout", 10.0))
    node = await Node.open(url, clock, seed=1, games=GAMES, outside=outside, name="Le Club", **choices)
    node.club.home = "https://jeux.exemple.fr"
    return node


async def member(node: Node, name: str) -> int:
    return (await node.club.accounts.create(name, "mot de passe")).id


async def signed_in(node: Node, who: int, service: PushService) -> tuple[Browser, int]:
    """A browser of somebody that takes push messages, and its session."""
    found = await node.club.accounts.by_id(who)
    tokens = await node.club.sessions.open(found, "browser", "Firefox · Linux")
    browser = Browser(service)
    await node.club.push.devices.put(who, tokens.session_id, **browser.subscription)
    return browser, tokens.session_id


async def pushed(node: Node, clock: HandClock, milliseconds: int = 0) -> int:
    """Push what is due so long afterwards, at one leap; gives how many messages were laid."""
    clock._now += milliseconds
    laid = await node.club.push.pusher.lay_messages()
    await node.club.push.outbox.run_due()
    return laid


async def test_a_turn_is_pushed_at_once_and_is_one_message_with_what_happened(
    node: Node, clock: HandClock, service: PushService
) -> None:
    lea, tom = await member(node, "lea"), await member(node, "tom")
    browser, _ = await signed_in(node, tom, service)
    info = await node.nim(lea, tom, time_control=Days(4), name="Chez Léa")
    assert await pushed(node, clock, COMING) == 1
    assert service.shown_to(browser) == [
        {
            "title": "Chez Léa",
            "body": "La partie a commencé\u00a0: Nim.",
            "path": f"/tables/{info.id}",
            "tag": f"/tables/{info.id}",
            "language": "fr",
        }
    ]
    await play(node.tables, info.id, 1, Take(1), "a")
    assert await pushed(node, clock, TOGETHER) == 1
    assert await pushed(node, clock, DAY) == 0, "nothing is told twice"
    message = service.messages[-1]
    first, until, also = message.shown["body"].split("\n")
    assert (first, also) == ("C’est à vous de jouer.", "La partie a avancé.")
    assert until.startswith("Vous avez jusqu’au vendredi 5 mars")
    assert message.headers["ttl"] == str(4 * DAY // 1000 - TOGETHER // 1000)
    assert message.headers["urgency"] == "high"
    assert message.headers["topic"] == service.messages[0].headers["topic"]
    assert message.claims["aud"] == service.url
    assert message.claims["sub"] == "mailto:tablee@localhost"


async def test_several_things_of_one_table_are_one_message_and_the_next_waits_a_minute(
    node: Node, clock: HandClock, service: PushService
) -> None:
    lea, tom = await member(node, "lea"), await member(node, "tom")
    browser, _ = await signed_in(node, tom, service)
    other, _ = await signed_in(node, tom, service)
    info = await node.nim(lea, tom, time_control=Days(4))
    await play(node.tables, info.id, 1, Take(1), "a")
    assert await pushed(node, clock) == 2, "to both of his devices"
    (shown,) = service.shown_to(browser)
    assert service.shown_to(other) == [shown]
    assert "C’est à vous" in shown["body"]
    assert "La partie a commencé" in shown["body"]
    await play(node.tables, info.id, 2, Take(1), "b")
    await play(node.tables, info.id, 1, Take(1), "c")
    assert await pushed(node, clock, TOGETHER - 1) == 0
    assert await pushed(node, clock, 1) == 2


async def test_who_has_the_table_before_him_or_was_there_since_is_not_pushed(
    node: Node, clock: HandClock, service: PushService
) -> None:
    lea, tom = await member(node, "lea"), await member(node, "tom")
    browser, _ = await signed_in(node, tom, service)
    info = await node.nim(lea, tom, time_control=Days(4))
    await node.tables.presence.arrive(info.id, 2, tom)
    await play(node.tables, info.id, 1, Take(1), "a")
    await pushed(node, clock, MINUTE)
    assert service.messages == []
    await node.tables.presence.depart(info.id, 2, tom)
    await play(node.tables, info.id, 2, Take(1), "b")
    await play(node.tables, info.id, 1, Take(1), "c")
    await pushed(node, clock, MINUTE)
    assert service.messages == [], "he went away a minute ago"
    await play(node.tables, info.id, 2, Take(1), "d")
    clock._now += LOOKED_LATELY
    await play(node.tables, info.id, 1, Take(1), "e")
    await pushed(node, clock)
    assert len(service.shown_to(browser)) == 1


async def test_quiet_hours_hold_a_message_back_until_morning_and_what_was_seen_meanwhile_for_good(
    node: Node, clock: HandClock, service: PushService
) -> None:
    lea, tom, mia = [await member(node, name) for name in ("lea", "tom", "mia")]
    browser, _ = await signed_in(node, tom, service)
    others, _ = await signed_in(node, mia, service)
    await node.club.accounts.change(await node.club.accounts.by_id(tom), time_zone="UTC - 5")
    info = await node.nim(lea, tom, mia, time_control=Days(4))
    clock._now = round(datetime(2027, 3, 1, 22, 30, tzinfo=UTC).timestamp() * 1000)
    await pushed(node, clock)
    assert [message.browser for message in service.messages] == [browser], "mia sleeps at 23:30 in Paris"
    await node.tables.presence.arrive(info.id, 3, mia)
    await node.tables.presence.depart(info.id, 3, mia)
    morning = datetime(2027, 3, 2, 7, tzinfo=UTC).timestamp() * 1000
    await pushed(node, clock, round(morning) - clock.now() - 1)
    await pushed(node, clock, 1)
    assert service.shown_to(others) == [], "she has seen it at night"


async def test_what_waits_for_the_morning_comes_then(
    node: Node, clock: HandClock, service: PushService
) -> None:
    lea, tom = await member(node, "lea"), await member(node, "tom")
    browser, _ = await signed_in(node, tom, service)
    await node.club.preferences.put(tom, Wishes(quiet_from=13 * 60, quiet_until=14 * 60 + 30))
    info = await node.nim(lea, tom, time_control=Days(4))
    await play(node.tables, info.id, 1, Take(1), "a")
    assert await pushed(node, clock, HOUR) == 0  # 13:00 UTC is 14:00 in Paris
    assert await pushed(node, clock, HOUR // 2 - 1) == 0
    assert await pushed(node, clock, 1) == 1
    assert len(service.shown_to(browser)) == 1


async def test_a_deadline_within_three_hours_is_pushed_in_quiet_hours_too(
    node: Node, clock: HandClock, service: PushService
) -> None:
    lea, tom = await member(node, "lea"), await member(node, "tom")
    browser, _ = await signed_in(node, lea, service)
    await node.nim(lea, tom, time_control=Days(4))
    await pushed(node, clock, COMING)
    await node.club.preferences.put(lea, Wishes(quiet_from=1, quiet_until=0))  # all day
    before = len(service.messages)
    await pushed(node, clock, 3 * DAY - COMING)
    assert len(service.messages) == before, "a day before the end is no reason to wake anybody"
    await pushed(node, clock, 21 * HOUR)
    assert len(service.messages) == before + 1
    assert "Il vous reste jusqu’au" in service.shown_to(browser)[-1]["body"]
    assert service.messages[-1].headers["ttl"] == str(3 * HOUR // 1000)


async def test_what_is_not_wished_is_not_pushed_and_the_wish_at_a_table_goes_first(
    node: Node, clock: HandClock, service: PushService
) -> None:
    lea, tom = await member(node, "lea"), await member(node, "tom")
    await signed_in(node, tom, service)
    off = {kind: Choice(push=False) for kind in ("begun", "your_turn", "resolved")}
    await node.club.preferences.put(tom, replace(NOT_QUIET, kinds=off))
    info = await node.nim(lea, tom, time_control=Days(4))
    await play(node.tables, info.id, 1, Take(1), "a")
    assert await pushed(node, clock, MINUTE) == 0
    await node.club.preferences.put(tom, Wishes(kinds={"your_turn": Choice(push=True)}), info.id)
    await play(node.tables, info.id, 2, Take(1), "b")
    await play(node.tables, info.id, 1, Take(1), "c")
    assert await pushed(node, clock, MINUTE) == 1


async def test_push_and_letters_know_nothing_of_each_other(
    node: Node, clock: HandClock, service: PushService
) -> None:
    lea = (await node.club.accounts.create("lea", "mot de passe", email="lea@exemple.fr")).id
    tom = await member(node, "tom")
    await signed_in(node, lea, service)
    await node.store.change(_CONFIRM)
    written = len(await node.store.rows(_LETTERS))
    await node.nim(lea, tom, time_control=Days(4))
    await pushed(node, clock, COMING)
    assert len(service.messages) == 1
    assert await node.club.caller.write_letters() == 0, "the letter has its own patience"
    clock._now += 5 * MINUTE
    assert await node.club.caller.write_letters() == 1
    assert len(await node.store.rows(_LETTERS)) == written + 1


async def test_who_has_no_device_costs_push_nothing_and_a_first_device_hears_of_what_lies_ahead(
    node: Node, clock: HandClock, service: PushService
) -> None:
    lea, tom = await member(node, "lea"), await member(node, "tom")
    await node.nim(lea, tom, time_control=Days(4))
    assert {row.push_at for row in await node.store.rows(_CALLS)} == {None}
    await signed_in(node, lea, service)
    assert await pushed(node, clock, HOUR) == 0
    assert await pushed(node, clock, 3 * DAY - HOUR) == 1
    assert "Il vous reste" in service.messages[0].shown["body"]


async def test_words_of_people_stay_out_of_a_message_and_what_was_read_is_not_sent(
    node: Node, clock: HandClock, service: PushService
) -> None:
    lea, tom = await member(node, "lea"), await member(node, "tom")
    browser, _ = await signed_in(node, tom, service)
    who, other = await node.club.accounts.by_id(lea), await node.club.accounts.by_id(tom)
    await node.club.friends.ask(who, other)
    await node.club.friends.accept(other, who)
    await pushed(node, clock)
    service.messages.clear()
    channel = f"private:{min(lea, tom)}:{max(lea, tom)}"
    await node.club.messages.say(who, channel, "entre nous")
    await pushed(node, clock, TOGETHER)
    assert [(shown["title"], shown["body"], shown["path"]) for shown in service.shown_to(browser)] == [
        ("Le Club", "lea vous a écrit.", "/messages")
    ]
    said = await node.club.messages.say(who, channel, "lu aussitôt")
    await node.club.messages.read(tom, channel, said.id)
    await pushed(node, clock, TOGETHER)
    assert len(service.messages) == 1


async def test_visitors_and_the_safety_of_an_account_are_never_pushed(
    node: Node, clock: HandClock, service: PushService
) -> None:
    lea = await member(node, "lea")
    await signed_in(node, lea, service)
    visitor = (await node.club.accounts.create_visitor()).id
    await signed_in(node, visitor, service)
    who = await node.club.accounts.by_id(lea)
    await node.club.sessions.open(who, address="192.0.2.7")
    await node.club.sessions.open(who, address="198.51.100.7")
    await node.nim(lea, visitor, time_control=Days(4))
    await node.club.notices.add(visitor, "invitation", {"table": 1, "from": "lea", "game": "nim"})
    await pushed(node, clock, MINUTE)
    assert [message.shown["title"] for message in service.messages] == ["Table 1"]
    kinds = {row.kind: row.push_at for row in await node.store.rows(_CALLS)}
    assert kinds["security"] is None


@pytest.mark.parametrize("status", [404, 410])
async def test_a_browser_that_its_service_knows_no_more_is_forgotten(
    node: Node, clock: HandClock, service: PushService, status: int
) -> None:
    lea, tom = await member(node, "lea"), await member(node, "tom")
    await signed_in(node, lea, service)
    service.answers = [status]
    info = await node.nim(lea, tom, time_control=Days(4))
    await pushed(node, clock, COMING)
    assert await node.club.push.devices.list(lea) == []
    assert all(row.done_at for row in await node.store.rows(_PUSHES))
    await play(node.tables, info.id, 1, Take(1), "a")
    assert await pushed(node, clock, DAY) == 0
    assert service.asked == 1
    assert node.club.push.sender.counts == {"gone": 1}


@pytest.mark.parametrize("status", [429, 500, 503])
async def test_a_service_in_trouble_is_asked_again_with_growing_pauses(
    node: Node, clock: HandClock, service: PushService, status: int
) -> None:
    lea, tom = await member(node, "lea"), await member(node, "tom")
    browser, _ = await signed_in(node, lea, service)
    service.answers = [status] * 3
    await node.nim(lea, tom, time_control=Days(4))
    await pushed(node, clock, COMING)
    (device,) = await node.club.push.devices.list(lea)
    assert device.error is not None
    assert device.error.startswith(str(status))
    for tries, wait in enumerate((FIRST_WAIT, 2 * FIRST_WAIT), 2):
        await pushed(node, clock, wait - 1)
        assert service.asked == tries - 1
        await pushed(node, clock, 1)
        assert service.asked == tries
    await pushed(node, clock, 4 * FIRST_WAIT)
    assert len(service.shown_to(browser)) == 1
    (device,) = await node.club.push.devices.list(lea)
    assert (device.error, device.failed_at, device.reached_at) == (None, None, clock.now())


async def test_a_service_that_names_a_time_is_left_alone_until_then(
    node: Node, clock: HandClock, service: PushService
) -> None:
    lea, tom = await member(node, "lea"), await member(node, "tom")
    await signed_in(node, lea, service)
    service.answers, service.more_headers = [429], "Retry-After: 3600\r\n"
    await node.nim(lea, tom, time_control=Days(4))
    await pushed(node, clock, COMING)
    await pushed(node, clock, HOUR - 1)
    assert service.asked == 1
    await pushed(node, clock, 1)
    assert len(service.messages) == 1


async def test_a_message_is_worded_when_it_is_sent_and_not_sent_when_it_is_over(
    node: Node, clock: HandClock, service: PushService
) -> None:
    lea, tom = await member(node, "lea"), await member(node, "tom")
    await signed_in(node, tom, service)
    wishes = {kind: Choice(push=False) for kind in ("begun", "resolved")}
    await node.club.preferences.put(tom, replace(NOT_QUIET, kinds=wishes))
    info = await node.nim(lea, tom, time_control=Days(4))
    await play(node.tables, info.id, 1, Take(1), "a")
    service.answers = [500]
    await pushed(node, clock)
    await play(node.tables, info.id, 2, Take(1), "b")
    await pushed(node, clock, HOUR)
    assert (service.asked, service.messages) == (1, []), "he has played meanwhile"
    service.answers = [500] * 50
    await play(node.tables, info.id, 1, Take(1), "c")
    await pushed(node, clock, TOGETHER)
    asked = service.asked
    assert asked == 2
    service.answers = []
    await pushed(node, clock, 5 * DAY)
    assert service.messages == [], "his time is over"


async def test_a_service_that_refuses_for_good_is_asked_no_more_until_the_browser_asks_anew(
    node: Node, clock: HandClock, service: PushService
) -> None:
    lea, tom = await member(node, "lea"), await member(node, "tom")
    browser, session = await signed_in(node, lea, service)
    service.answers = [403]
    info = await node.nim(lea, tom, time_control=Days(4))
    await pushed(node, clock, COMING)
    (device,) = await node.club.push.devices.list(lea)
    assert (device.refused, device.error) == (True, "403 no")
    (row,) = await node.store.rows(_PUSHES)
    assert (row.done_at, row.due_at, row.error) == (None, None, "403 no")
    await play(node.tables, info.id, 1, Take(1), "a")
    await play(node.tables, info.id, 2, Take(1), "b")
    assert await pushed(node, clock, DAY) == 0
    await node.club.push.devices.put(lea, session, **browser.subscription)
    await play(node.tables, info.id, 1, Take(1), "c")
    await play(node.tables, info.id, 2, Take(1), "d")
    assert await pushed(node, clock) == 1
    assert len(service.messages) == 1


async def test_a_service_that_never_answers_keeps_nobody_else_waiting(
    database_url: str, clock: HandClock, service: PushService
) -> None:
    node = await opened(database_url, clock, service, timeout=1.0)
    lea, tom = await member(node, "lea"), await member(node, "tom")
    async with push_service() as silent:
        node.club.outside._allowed |= {silent.machine}
        for _ in range(3):
            await signed_in(node, lea, silent)
        browser, _ = await signed_in(node, tom, service)
        silent.answers = [0] * 10
        await node.nim(lea, tom, time_control=Days(4))
        await pushed(node, clock, COMING)
        assert len(service.shown_to(browser)) == 1
        asked = silent.asked
        assert 1 <= asked <= 3
        await pushed(node, clock, FIRST_WAIT)
        assert silent.asked == asked, "it is left alone for a while"
        silent.answers = []
        await pushed(node, clock, SILENT_FOR)
        await pushed(node, clock, 2 * SILENT_FOR)
        assert len(silent.messages) == 3
    await node.close()


async def test_a_device_that_fails_for_a_week_is_forgotten(
    node: Node, clock: HandClock, service: PushService
) -> None:
    lea = await member(node, "lea")
    await signed_in(node, lea, service)
    devices = node.club.push.devices
    (device,) = await devices.list(lea)
    await devices.failed(device, "500")
    clock._now += FAILING_MOST + 1
    (device,) = await devices.list(lea)
    await devices.failed(device, "500")
    assert await devices.list(lea) == []


async def test_a_device_ends_with_its_session_and_with_its_account(
    node: Node, clock: HandClock, service: PushService
) -> None:
    lea, tom = await member(node, "lea"), await member(node, "tom")
    _, session = await signed_in(node, lea, service)
    await signed_in(node, lea, service)
    await node.club.sessions.revoke(lea, session)
    await node.nim(lea, tom, time_control=Days(4))
    assert await pushed(node, clock, COMING) == 1
    await sweep(node.store, clock)
    assert len(await node.club.push.devices.list(lea)) == 1
    mia = await member(node, "mia")
    await signed_in(node, mia, service)
    await node.club.leaving.delete(await node.club.accounts.by_id(mia))
    assert await node.club.push.devices.list(mia) == []
    with pytest.raises(NotFound):
        await node.club.push.devices.remove(lea, session)


async def test_a_message_that_was_laid_for_a_session_which_ended_since_is_not_sent(
    node: Node, clock: HandClock, service: PushService
) -> None:
    lea, tom = await member(node, "lea"), await member(node, "tom")
    _, session = await signed_in(node, lea, service)
    await node.nim(lea, tom, time_control=Days(4))
    clock._now += COMING
    assert await node.club.push.pusher.lay_messages() == 1
    await node.club.sessions.revoke(lea, session)
    await node.club.push.outbox.run_due()
    assert service.asked == 0


async def test_an_account_has_a_bounded_number_of_devices(
    node: Node, clock: HandClock, service: PushService
) -> None:
    lea = await member(node, "lea")
    sessions = []
    for _ in range(DEVICES_MOST + 2):
        clock._now += 1
        sessions.append((await signed_in(node, lea, service))[1])
    found = await node.club.push.devices.list(lea)
    assert [device.id for device in found] == sessions[:1:-1]


async def test_another_cannot_take_a_browser_whose_keys_he_does_not_know(
    node: Node, clock: HandClock, service: PushService
) -> None:
    lea, eve = await member(node, "lea"), await member(node, "eve")
    browser, _ = await signed_in(node, lea, service)
    tokens = await node.club.sessions.open(await node.club.accounts.by_id(eve))
    stolen = {**Browser(service).subscription, "endpoint": browser.endpoint}
    with pytest.raises(Invalid):
        await node.club.push.devices.put(eve, tokens.session_id, **stolen)
    assert len(await node.club.push.devices.list(lea)) == 1
    # Whoever signs in with the same browser after her knows them, and has it then.
    await node.club.push.devices.put(eve, tokens.session_id, **browser.subscription)
    assert await node.club.push.devices.list(lea) == []
    assert len(await node.club.push.devices.list(eve)) == 1


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://push.example.org/x",
        "https://127.0.0.1/x",
        "https://localhost/x",
        "https://[::1]/x",
        "https://[::ffff:10.0.0.1]/x",
        "https://169.254.169.254/latest/meta-data",
        "https://10.0.0.8:8443/x",
        "https://u:p@push.example.org/x",
        "ftp://push.example.org/x",
        "https://push.example.org/x\r\nX: y",
        "https://push.example.org/" + "x" * 3000,
        "",
    ],
)
async def test_addresses_that_the_house_must_not_call_are_refused(
    node: Node, service: PushService, endpoint: str
) -> None:
    lea = await member(node, "lea")
    tokens = await node.club.sessions.open(await node.club.accounts.by_id(lea))
    given = {**Browser(service).subscription, "endpoint": endpoint}
    with pytest.raises(Invalid):
        await node.club.push.devices.put(lea, tokens.session_id, **given)
    assert await node.club.push.devices.list(lea) == []


async def test_an_address_that_leads_into_the_own_network_later_is_not_called(
    node: Node, clock: HandClock, service: PushService
) -> None:
    lea, tom = await member(node, "lea"), await member(node, "tom")
    await signed_in(node, lea, service)
    node.club.outside._allowed = frozenset()  # as if the name had led elsewhere when it was given
    await node.nim(lea, tom, time_control=Days(4))
    await pushed(node, clock, COMING)
    assert service.asked == 0
    (device,) = await node.club.push.devices.list(lea)
    assert device.refused


async def test_two_nodes_push_each_message_once(
    postgres_url: str, postgres_server: Any, postgres_pattern: str, clock: HandClock, service: PushService
) -> None:
    url = postgres_server.create_database(postgres_pattern)
    first, second = [await opened(url, clock, service) for _ in range(2)]
    lea, tom = await member(first, "lea"), await member(first, "tom")
    browser, _ = await signed_in(first, tom, service)
    for _ in range(20):
        info = await first.nim(lea, tom, time_control=Days(4))
        await play(first.tables, info.id, 1, Take(1), "a")
    for _ in range(3):
        await asyncio.gather(*(node.club.push.pusher.lay_messages() for node in (first, second)))
        await asyncio.gather(*(node.club.push.outbox.run_due() for node in (first, second)))
        clock._now += COMING
    assert len(service.shown_to(browser)) == 20
    assert len({shown["path"] for shown in service.shown_to(browser)}) == 20
    for node in (second, first):
        await node.close()
    with contextlib.suppress(Exception):
        postgres_server.drop_database(url)


async def test_a_trial_reaches_one_device_and_says_what_its_service_answers(
    node: Node, clock: HandClock, service: PushService
) -> None:
    lea = await member(node, "lea")
    browser, _ = await signed_in(node, lea, service)
    await signed_in(node, lea, service)
    device = next(
        each for each in await node.club.push.devices.list(lea) if each.endpoint == browser.endpoint
    )
    await node.club.push.sender.try_out(device)
    assert [message.browser for message in service.messages] == [browser]
    assert service.messages[0].shown["body"] == "Les notifications arrivent bien sur cet appareil."
    service.answers = [500, 400, 410]
    for said in ("500 no", "400 no", "knows this browser no more"):
        with pytest.raises(Refused, match=said):
            await node.club.push.sender.try_out(device)


async def test_names_however_long_or_odd_make_a_message_that_a_browser_can_show(
    node: Node, clock: HandClock, service: PushService
) -> None:
    lea, tom = await member(node, "lea"), await member(node, "tom")
    browser, _ = await signed_in(node, lea, service)
    rng = Random(3)
    name = "".join(rng.choice('é"\\\u2028<b>🂡') for _ in range(60))
    await node.nim(lea, tom, time_control=Days(4), name=name)
    await pushed(node, clock, COMING)
    (shown,) = service.shown_to(browser)
    assert len(shown["title"]) <= 80
    assert service.messages[0].size <= 4096
