"""Webhooks are told what every spectator may know: in order, once, as long as somebody takes it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from sqlalchemy import select
from tests.kit.playing import play
from tests.kit.receiving import GONE, Receiver, receiving
from tests.kit.waiting import until
from tests.tables.conftest import Node, Opener
from tests.tables.nim import Note, Take

from tablee.clock import HandClock
from tablee.club.bounds import ANNOUNCEMENTS_MOST, WEBHOOKS_MOST, WEBHOOKS_OWN_MOST
from tablee.club.errors import Invalid, Refused
from tablee.club.outside import Outside
from tablee.club.sweeping import sweep
from tablee.club.webhooks.book import EVENTS, HOUSE, LEASE, PAUSES, Webhook, announcement_write
from tablee.club.webhooks.forms import Announcement, plain
from tablee.club.webhooks.sending import AT_ONCE_EACH
from tablee.rules.chess import ChessRules
from tablee.rules.diplomacy.game import Adjudicate
from tablee.rules.diplomacy.rules import DiplomacyRules
from tablee.store import Query, Unit
from tablee.store.schema import announcement, webhook
from tablee.tables import TablePlan, Terms, Way
from tablee.tables.clocks import Days

DAY = 86_400_000
QUICK = 2.0
"""Seconds after which a receiver that says nothing is given up where one is silent: long enough for the
others to answer on a busy machine."""
_WAITING = Query(select(announcement.c.table_id, announcement.c.seq).order_by(announcement.c.seq))
_HOOKS = Query(select(webhook.c.id))
LAGUNE = {("diplomacy", "lagune"): DiplomacyRules("lagune")}


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    async with receiving() as receiver:
        yield receiver


@pytest.fixture
async def node(open_node: Opener, receiver: Receiver) -> Node:
    """A house that may call the receiver, with its own page."""
    node = await open_node(outside=Outside([receiver.place]))
    node.club.home = "https://jeux.exemple.fr"
    return node


async def members(node: Node, *names: str) -> list[int]:
    return [(await node.club.accounts.create(name, "mot de passe")).id for name in names]


async def hook(node: Node, receiver: Receiver, table_id: int, owner: int, **choices: Any) -> Webhook:
    wanted: dict[str, Any] = {"kind": "generic", "language": "fr", "events": EVENTS, **choices}
    path = wanted.pop("path", "/hook")
    return await node.club.webhooks.add(
        table_id, owner, wanted["kind"], receiver.url(path), wanted["language"], wanted["events"]
    )


async def send(*nodes: Node) -> None:
    """Let everything that is due go out, on all nodes at once."""
    while True:
        begun = await asyncio.gather(*(node.club.announcer.send_due() for node in nodes))
        tasks = [task for each in begun for task in each]
        if not tasks:
            return
        await asyncio.gather(*tasks)


async def test_a_game_by_days_is_told_from_its_beginning_to_its_end_in_order_and_signed(
    node: Node, receiver: Receiver
) -> None:
    lea, tom = await members(node, "lea", "tom")
    info = await node.nim(lea, seats=2, time_control=Days(4), name="Chez Léa", options={"matches": 3})
    added = await hook(node, receiver, info.id, lea)
    await node.tables.sitting.join(info.id, tom)
    for number, seat in enumerate((1, 2, 1)):
        await play(node.tables, info.id, seat, Take(1), str(number))
    await send(node)
    assert receiver.events == ["begun", "moved", "moved", "over"]
    assert all(heard.is_signed_with(added.secret) for heard in receiver.heard)
    begun, moved, _, over = (heard.said for heard in receiver.heard)
    assert begun["text"] == ["La partie a commencé\u00a0: Nim.", "Joueurs\u00a0: lea, tom."]
    assert begun["table"] == {
        "id": info.id,
        "name": "Chez Léa",
        "game": "nim",
        "variant": "plain",
        "url": f"https://jeux.exemple.fr/tables/{info.id}",
        "players": [{"seat": 1, "name": "lea"}, {"seat": 2, "name": "tom"}],
    }
    assert moved["text"] == ["La partie a avancé.", "lea prend 1."]
    assert moved["told"] == [{"is": "taken", "seat": 1, "matches": 1}]
    assert over["text"][:4] == [
        *("La partie est terminée.", "La dernière allumette est prise."),
        *("1. lea", "2. tom"),
    ]
    assert over["result"]["ranks"] == {"1": 1, "2": 2}
    assert len({heard.said["id"] for heard in receiver.heard}) == 4
    await send(node)
    assert len(receiver.heard) == 4, "nothing is told twice"


async def test_of_a_game_at_one_sitting_its_beginning_and_its_end_are_told(
    node: Node, receiver: Receiver
) -> None:
    lea, tom = await members(node, "lea", "tom")
    info = await node.nim(lea, seats=2, options={"matches": 2})
    await hook(node, receiver, info.id, lea, language="en")
    await node.tables.sitting.join(info.id, tom)
    await play(node.tables, info.id, 1, Take(1), "a")
    await play(node.tables, info.id, 2, Take(1), "b")
    await send(node)
    assert receiver.events == ["begun", "over"]
    assert receiver.heard[0].said["text"][0] == "The game has begun: Nim."


async def test_only_what_is_chosen_is_told(node: Node, receiver: Receiver) -> None:
    lea, tom = await members(node, "lea", "tom")
    info = await node.nim(lea, tom, time_control=Days(4), options={"matches": 2})
    await hook(node, receiver, info.id, lea, events=["over"])
    await play(node.tables, info.id, 1, Take(1), "a")
    await play(node.tables, info.id, 2, Take(1), "b")
    await send(node)
    assert receiver.events == ["over"]


async def test_what_a_spectator_is_not_told_is_told_nobody_elsewhere(node: Node, receiver: Receiver) -> None:
    lea, tom = await members(node, "lea", "tom")
    info = await node.nim(lea, tom, time_control=Days(4))
    await hook(node, receiver, info.id, lea)
    await play(node.tables, info.id, 1, Note("un secret"), "a")
    assert await node.store.rows(_WAITING) == []
    await play(node.tables, info.id, 1, Take(1), "b")
    await send(node)
    assert receiver.events == ["moved"]
    assert b"un secret" not in receiver.heard[0].body
    assert "seq" not in receiver.heard[0].said


async def test_of_a_game_in_the_dark_moves_are_told_and_nothing_about_them(
    open_node: Opener, receiver: Receiver
) -> None:
    games = {("chess", "dark"): ChessRules("dark")}
    node = await open_node(games=games, outside=Outside([receiver.place]))
    lea, tom = await members(node, "lea", "tom")
    info = await node.tables.creating.create(
        TablePlan("chess", "dark", {}, lea, people=(lea, tom), time_control=Days(3))
    )
    await hook(node, receiver, info.id, lea)
    live = await node.tables.open(info.id)
    for number in range(4):
        [seat] = live.waiting()
        action = live.legal(seat).sample(node.tables.rng)
        assert action is not None
        await play(node.tables, info.id, seat, action, str(number))
    await send(node)
    assert receiver.events == ["moved"] * 4
    for heard in receiver.heard:
        assert all(
            not fact["move"] and not fact["san"] for fact in heard.said["told"] if fact["is"] == "moved"
        )
    await node.tables.sitting.leave(info.id, tom)
    await send(node)
    assert receiver.events == [*["moved"] * 4, "over"]


async def test_an_anonymous_game_names_powers_and_nobody(open_node: Opener, receiver: Receiver) -> None:
    node = await open_node(games=LAGUNE, outside=Outside([receiver.place]))
    master, lea, tom = await members(node, "arbitre", "Mystère-un", "Mystère-deux")
    terms = Terms(mastered=True, anonymous=True)
    info = await node.tables.creating.create(TablePlan("diplomacy", "lagune", {}, master, terms=terms))
    await hook(node, receiver, info.id, master)
    for who in (lea, tom):
        await node.tables.sitting.join(info.id, who, Way(by=master))
    await node.tables.creating.start(info.id, master)
    await play(node.tables, info.id, 0, Adjudicate(civil_disorder=True), "a")
    await send(node)
    assert receiver.events == ["begun", "moved"]
    assert receiver.heard[0].said["table"]["players"] == []
    assert len(receiver.heard[1].said["text"]) > 3, "what became of the orders of all powers"
    assert not any("Mystère".encode() in heard.body for heard in receiver.heard)


async def test_a_webhook_of_the_house_is_told_of_open_tables_with_people_only(
    node: Node, receiver: Receiver
) -> None:
    lea, tom = await members(node, "lea", "tom")
    await hook(node, receiver, HOUSE, lea)
    await node.nim(lea, tom, access="private", name="cachée")
    await node.tables.creating.create(TablePlan("nim", "plain", {}, lea, robots=["dreamer"], seats=2))
    open_to_all = await node.nim(lea, tom, name="ouverte")
    await send(node)
    assert [heard.said["table"]["id"] for heard in receiver.heard] == [open_to_all.id]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("**gras** _et_ `code`", "\\*\\*gras\\*\\* \\_et\\_ \\`code\\`"),
        ("@everyone <@123> <#4>", "@\u200beveryone \\<@\u200b123\\> \\<\\#4\\>"),
        ("[ici](https://mal.exemple)", "\\[ici\\]\\(https:\u200b//mal.exemple\\)"),
        ("un\r\n> deux", "un \\> deux"),
        ("||caché|| ~~non~~ \\", "\\|\\|caché\\|\\| \\~\\~non\\~\\~ \\\\"),
    ],
)
def test_what_people_have_written_has_no_markup_in_a_channel(text: str, shown: str) -> None:
    assert plain(text) == shown


async def test_a_channel_is_told_in_its_own_form_and_nobody_is_called_by_it(
    node: Node, receiver: Receiver
) -> None:
    lea, tom = await members(node, "lea", "tom")
    info = await node.nim(lea, seats=2, name="@here **<b>**")
    await hook(node, receiver, info.id, lea, kind="discord", path="/api/webhooks/1/abc")
    await node.tables.sitting.join(info.id, tom)
    await send(node)
    [heard] = receiver.heard
    assert heard.path == "/api/webhooks/1/abc"
    assert heard.said == {
        "content": "**@\u200bhere \\*\\*\\<b\\>\\*\\***\u00a0: La partie a commencé\u00a0: Nim.\n"
        "Joueurs\u00a0: lea, tom.\n"
        f"<https://jeux.exemple.fr/tables/{info.id}>",
        "allowed_mentions": {"parse": []},
    }
    assert "x-tablee-signature" not in heard.headers


async def test_a_receiver_that_takes_nothing_is_tried_five_times_and_then_paused(
    node: Node, receiver: Receiver, clock: HandClock
) -> None:
    lea, tom = await members(node, "lea", "tom")
    info = await node.nim(lea, tom, time_control=Days(4), name="Chez Léa")
    added = await hook(node, receiver, info.id, lea)
    receiver.usual = GONE
    await play(node.tables, info.id, 1, Take(1), "a")
    await send(node)
    for number, pause in enumerate(PAUSES, 1):
        assert (await node.club.webhooks.find(added.id)).tries == number
        clock._now += pause - 1
        await send(node)
        assert len(receiver.heard) == number, "not before its time"
        clock._now += 1
        await send(node)
    assert len(receiver.heard) == 5
    assert len({heard.said["id"] for heard in receiver.heard}) == 1, "it is the same thing each time"
    paused = await node.club.webhooks.find(added.id)
    assert paused.paused_at is not None
    assert paused.error == "404 Unknown Webhook"
    [notice] = [each for each in await node.club.notices.list(lea) if each.kind == "webhook_paused"]
    assert notice.about == {"table": info.id, "name": "Chez Léa"}
    await play(node.tables, info.id, 2, Take(1), "b")
    assert await node.store.rows(_WAITING) == [], "for who is paused nothing waits"
    receiver.usual = b"HTTP/1.1 200 OK\r\n\r\n"
    await node.club.webhooks.resume(added.id)
    await play(node.tables, info.id, 1, Take(1), "c")
    await send(node)
    assert len(receiver.heard) == 6
    assert (await node.club.webhooks.find(added.id)).tries == 0


async def test_what_happens_while_a_receiver_is_away_comes_later_in_order(
    node: Node, receiver: Receiver, clock: HandClock
) -> None:
    lea, tom = await members(node, "lea", "tom")
    info = await node.nim(lea, tom, time_control=Days(4))
    await hook(node, receiver, info.id, lea)
    receiver.answers.append(GONE)
    for number, seat in enumerate((1, 2, 1, 2)):
        await play(node.tables, info.id, seat, Take(number % 3 + 1), str(number))
        await send(node)
    assert len(receiver.heard) == 1
    clock._now += PAUSES[0]
    await send(node)
    assert [heard.said["told"][0]["matches"] for heard in receiver.heard] == [1, 1, 2, 3, 1]


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (None, "no answer within 2 s"),
        (b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\n\r\n", "302"),
        (b"HTTP/1.1 500 No\r\n\r\n" + b"\x07\n" + b"a" * 1_000_000, "500"),
        (b"HTTP/1.1 200 OK\r\nX: " + b"a" * 1_000_000, None),
        (b"nonsense\r\n\r\n", "the answer is not HTTP"),
    ],
    ids=["silence", "sent on", "a long answer", "an endless head", "no HTTP"],
)
async def test_a_bad_receiver_is_a_failed_try_and_keeps_no_other(
    node: Node, receiver: Receiver, answer: bytes | None, why: str | None
) -> None:
    lea, tom = await members(node, "lea", "tom")
    info = await node.nim(lea, tom, time_control=Days(4))
    bad = await hook(node, receiver, info.id, lea, path="/bad")
    async with receiving() as other:
        node.club.outside._allowed |= {other.place}
        node.club.outside._timeout = QUICK
        await node.club.webhooks.add(info.id, lea, "generic", other.url(), "fr", EVENTS)
        receiver.usual = answer
        await play(node.tables, info.id, 1, Take(1), "a")
        await send(node)
        assert other.events == ["moved"]
    tried = await node.club.webhooks.find(bad.id)
    assert tried.tries == 1
    assert tried.error is not None
    assert len(tried.error) <= 200
    assert tried.error.isprintable()
    assert tried.error.startswith(why or "")


async def test_two_nodes_tell_each_thing_once_and_in_order(open_node: Opener, receiver: Receiver) -> None:
    outside = Outside([receiver.place])
    first = await open_node(outside=outside)
    if not first.store.is_shared:
        pytest.skip("two nodes share a PostgreSQL")
    second = await open_node(outside=outside)
    lea, tom = await members(first, "lea", "tom")
    tables = [await first.nim(lea, tom, time_control=Days(4)) for _ in range(5)]
    for info in tables:
        await hook(first, receiver, info.id, lea)
    await hook(first, receiver, HOUSE, lea, path="/house")
    for number, seat in enumerate((1, 2, 1)):
        for info in tables:
            await play((first, second)[number % 2].tables, info.id, seat, Take(number + 1), str(number))
    await send(first, second)
    for info in tables:
        for path in ("/hook", "/house"):
            heard = [
                each for each in receiver.heard if each.path == path and each.said["table"]["id"] == info.id
            ]
            assert [each.said["told"][0]["matches"] for each in heard] == [1, 2, 3]
    assert await first.store.rows(_WAITING) == []


async def test_what_a_node_that_died_had_taken_is_sent_by_another_under_the_same_name(
    node: Node, receiver: Receiver, clock: HandClock
) -> None:
    lea, tom = await members(node, "lea", "tom")
    info = await node.nim(lea, tom, time_control=Days(4))
    await hook(node, receiver, info.id, lea)
    await play(node.tables, info.id, 1, Take(1), "a")
    receiver.answers.append(None)
    [task] = await node.club.announcer.send_due()
    await until(lambda: receiver.heard, "the request that nobody answers")
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    await send(node)
    assert len(receiver.heard) == 1, "it is still the other's"
    clock._now += LEASE
    await send(node)
    first, again = receiver.heard
    assert first.said == again.said
    assert first.headers["x-tablee-timestamp"] != again.headers["x-tablee-timestamp"]


async def test_a_table_and_an_account_have_so_many_webhooks_and_no_more(
    node: Node, receiver: Receiver
) -> None:
    lea, tom = await members(node, "lea", "tom")
    made = await asyncio.gather(
        *(hook(node, receiver, 1, lea) for _ in range(3 * WEBHOOKS_MOST)), return_exceptions=True
    )
    assert sum(isinstance(each, Webhook) for each in made) == WEBHOOKS_MOST
    assert {each.code for each in made if isinstance(each, Refused)} == {"webhooks_full"}
    for table_id in range(2, 2 + WEBHOOKS_OWN_MOST - WEBHOOKS_MOST):
        await hook(node, receiver, table_id, lea)
    with pytest.raises(Refused) as refusal:
        await hook(node, receiver, 90, lea)
    assert refusal.value.code == "webhooks_own"
    await hook(node, receiver, 90, tom)
    with pytest.raises(Invalid):
        await hook(node, receiver, 91, tom, events=[])


async def test_a_queue_that_nobody_reads_does_not_grow_for_ever(node: Node, receiver: Receiver) -> None:
    lea, _ = await members(node, "lea", "tom")
    await hook(node, receiver, 7, lea)
    said = Announcement("begun", 0, 7, "Chez Léa", lines={"fr": ["La partie a commencé."]})
    more = [announcement_write(7, seq, said, to_house=False) for seq in range(ANNOUNCEMENTS_MOST + 5)]
    await node.store.commit(Unit(writes=more))
    assert len(await node.store.rows(_WAITING)) == ANNOUNCEMENTS_MOST
    await send(node)
    assert len(receiver.heard) == ANNOUNCEMENTS_MOST


async def test_who_leaves_the_club_takes_his_webhooks_along_and_is_named_nowhere(
    node: Node, receiver: Receiver
) -> None:
    lea, tom = await members(node, "lea", "tom")
    info = await node.nim(lea, tom, time_control=Days(4))
    await hook(node, receiver, info.id, lea)
    kept = await hook(node, receiver, HOUSE, lea)
    await play(node.tables, info.id, 1, Take(1), "a")
    assert len(await node.store.rows(_WAITING)) == 2
    await node.club.leaving.delete(await node.club.accounts.by_id(lea))
    assert [row.id for row in await node.store.rows(_HOOKS)] == [kept.id]
    assert await node.store.rows(_WAITING) == []


async def test_what_nobody_took_and_webhooks_of_games_long_over_are_swept(
    node: Node, receiver: Receiver, clock: HandClock
) -> None:
    lea, tom = await members(node, "lea", "tom")
    info = await node.nim(lea, tom, options={"matches": 1})
    running = await node.nim(lea, tom)
    await hook(node, receiver, info.id, lea)
    kept = await hook(node, receiver, running.id, lea)
    await play(node.tables, info.id, 1, Take(1), "a")
    clock._now += 8 * DAY
    await sweep(node.store, clock)
    assert await node.store.rows(_WAITING) == []
    assert len(await node.store.rows(_HOOKS)) == 2
    clock._now += 30 * DAY
    await sweep(node.store, clock)
    assert [row.id for row in await node.store.rows(_HOOKS)] == [kept.id]


async def test_an_erased_table_leaves_no_webhook_behind(node: Node, receiver: Receiver) -> None:
    lea, tom = await members(node, "lea", "tom")
    info = await node.nim(lea, tom, options={"matches": 1})
    await hook(node, receiver, info.id, lea)
    await play(node.tables, info.id, 1, Take(1), "a")
    await node.tables.mastering.erase(info.id)
    assert await node.store.rows(_WAITING) == []
    assert await node.store.rows(_HOOKS) == []


async def test_a_trial_says_whether_it_arrives_and_changes_nothing(node: Node, receiver: Receiver) -> None:
    lea, _ = await members(node, "lea", "tom")
    added = await hook(node, receiver, 7, lea)
    assert await node.club.announcer.trial(added, "Chez Léa") is None
    [heard] = receiver.heard
    assert heard.is_signed_with(added.secret)
    assert heard.said["event"] == "trial"
    receiver.usual = GONE
    assert await node.club.announcer.trial(added, "Chez Léa") == "404 Unknown Webhook"
    assert await node.club.webhooks.find(added.id) == added


async def test_a_host_who_leaves_hears_no_more_of_a_table_that_is_somebody_elses(
    node: Node, receiver: Receiver
) -> None:
    lea, tom, *others = await members(node, "lea", "tom", "max", "zoe")
    info = await node.nim(lea, seats=3, time_control=Days(4), access="private")
    await hook(node, receiver, info.id, lea)
    await node.tables.sitting.join(info.id, tom, Way(invitation=info.invitation))
    await node.tables.sitting.leave(info.id, lea)
    assert (await node.tables.info(info.id)).host_id == tom
    assert await node.club.webhooks.of_table(info.id) == []
    for other in others:
        await node.tables.sitting.join(info.id, other, Way(invitation=info.invitation))
    assert (await node.tables.info(info.id)).status == "running"
    await send(node)
    assert receiver.events == []


async def test_slow_receivers_of_one_account_keep_nobody_elses_webhooks_waiting(
    open_node: Opener, receiver: Receiver
) -> None:
    async with receiving() as slow:
        slow.usual = None
        node = await open_node(outside=Outside([receiver.place, slow.place], timeout=600.0))
        lea, tom = await members(node, "lea", "tom")
        for table in range(1, 5):
            for _ in range(WEBHOOKS_MOST):
                await hook(node, slow, table, lea)
        for table in range(5, 17):
            await hook(node, receiver, table, tom)
        for table in range(1, 17):
            said = Announcement("begun", 0, table, "Table", lines={"fr": ["Bonjour."]})
            await node.store.commit(Unit(writes=[announcement_write(table, 1, said, to_house=False)]))
        await node.club.announcer.send_due()
        await until(lambda: len(receiver.heard) >= AT_ONCE_EACH, "some of Tom's have arrived")
        assert len(slow.heard) < 2 * AT_ONCE_EACH, "Léa's are not more at a time than that"

        async def all_have_arrived() -> bool:
            await node.club.announcer.send_due()
            return len(receiver.heard) == 12

        await until(all_have_arrived, "all of Tom's have arrived, though nobody has answered Léa's")
        await node.club.announcer.stop()
