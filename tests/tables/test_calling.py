"""People who are not looking are called: once, in time, with what their seat may know, as they wish."""

from __future__ import annotations

import asyncio
import email
import email.policy
from collections.abc import Sequence
from datetime import UTC, datetime

import msgspec
import pytest
from sqlalchemy import select, update
from tests.kit.playing import play
from tests.kit.rooms import PASSWORD
from tests.tables.conftest import GAMES as NIM
from tests.tables.conftest import Node, Opener
from tests.tables.nim import Take

from tablee.clock import HandClock
from tablee.club import Account
from tablee.club.calling.caller import AGAIN_AFTER, TOGETHER, Said
from tablee.club.calling.calls import LOOKED_LATELY, Call, call_write
from tablee.club.calling.catalogue import UNSEEN
from tablee.club.calling.wishes import Choice, Wishes
from tablee.club.letters import Letter
from tablee.club.post import Sender
from tablee.rules import GAMES
from tablee.store import Query, Unit, Write, open_store
from tablee.store.schema import account, call, outbox, presence
from tablee.tables import TablePlan, Way
from tablee.tables.clocks import Days

MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000
_CONFIRM = Query(update(account).values(email_confirmed=True).returning(account.c.id))
_LETTERS = Query(select(outbox.c.payload).order_by(outbox.c.id))
_PRESENT = Query(select(presence.c.looks).where(presence.c.place == "table"))
_CALLS = Query(select(call).order_by(call.c.kind, call.c.account_id))


async def members(node: Node, *names: str) -> list[int]:
    """Members whose addresses are confirmed."""
    made = [
        await node.club.accounts.create(name, "mot de passe", email=f"{name}@exemple.fr") for name in names
    ]
    await node.store.change(_CONFIRM)
    return [member.id for member in made]


async def letters(node: Node, to: str) -> list[Letter]:
    """The letters that call somebody, the oldest first."""
    found = [msgspec.json.decode(row.payload, type=Letter) for row in await node.store.rows(_LETTERS)]
    return [letter for letter in found if letter.to == f"{to}@exemple.fr" and letter.html is not None]


async def sweep(node: Node, clock: HandClock, milliseconds: int = 0) -> int:
    """Write the letters of so long afterwards, at one leap: nothing else runs meanwhile."""
    clock._now += milliseconds
    return await node.club.caller.write_letters()


@pytest.fixture(autouse=True)
def home(node: Node) -> None:
    node.club.home = "https://jeux.exemple.fr"


async def test_a_turn_is_told_in_one_letter_with_what_happened(node: Node, clock: HandClock) -> None:
    lea, tom = await members(node, "lea", "tom")
    info = await node.nim(lea, tom, time_control=Days(4), name="Chez Léa")
    await sweep(node, clock, 2 * TOGETHER)
    (begun,) = await letters(node, "lea")
    assert begun.subject == "Chez Léa\u00a0: C’est à vous de jouer"
    assert "La partie a commencé" in begun.text
    await play(node.tables, info.id, 1, Take(1), "a")
    assert await sweep(node, clock, MINUTE) == 0, "the page is given five minutes"
    assert await sweep(node, clock, UNSEEN) == 1
    letter = (await letters(node, "tom"))[-1]
    assert "C’est à vous de jouer." in letter.text
    assert "lea" in letter.text
    assert f"https://jeux.exemple.fr/tables/{info.id}" in letter.text
    assert letter.stop is not None
    assert await sweep(node, clock, UNSEEN) == 0, "nothing is told twice"


async def test_who_has_the_table_before_him_is_not_written_to(node: Node, clock: HandClock) -> None:
    lea, tom = await members(node, "lea", "tom")
    info = await node.nim(lea, tom, time_control=Days(4))
    await node.tables.presence.arrive(info.id, 2, tom)
    await node.tables.presence.arrive(info.id, 1, lea)
    await play(node.tables, info.id, 1, Take(1), "a")
    assert await sweep(node, clock, UNSEEN + MINUTE) == 0
    await node.tables.presence.depart(info.id, 2, tom)
    await play(node.tables, info.id, 2, Take(1), "b")
    await node.tables.presence.depart(info.id, 1, lea)
    await play(node.tables, info.id, 1, Take(1), "c")
    assert await sweep(node, clock, UNSEEN + MINUTE) == 1
    assert await letters(node, "tom")


async def test_who_has_played_meanwhile_is_not_reminded(node: Node, clock: HandClock) -> None:
    lea, tom = await members(node, "lea", "tom")
    info = await node.nim(lea, tom, time_control=Days(4))
    await sweep(node, clock, 2 * TOGETHER)
    await play(node.tables, info.id, 1, Take(1), "a")
    await clock.advance(MINUTE)
    await play(node.tables, info.id, 2, Take(1), "b")
    before = len(await letters(node, "tom"))
    await sweep(node, clock, UNSEEN)
    assert len(await letters(node, "tom")) == before
    assert len(await letters(node, "lea")) == 2


async def test_reminders_come_a_day_and_three_hours_before_the_end(node: Node, clock: HandClock) -> None:
    lea, tom = await members(node, "lea", "tom")
    await node.nim(lea, tom, time_control=Days(4))
    await sweep(node, clock, 2 * TOGETHER)
    assert await sweep(node, clock, 3 * DAY - 2 * TOGETHER - MINUTE) == 0
    assert await sweep(node, clock, MINUTE) == 1
    assert "Il vous reste jusqu’au" in (await letters(node, "lea"))[-1].text
    assert await sweep(node, clock, 20 * HOUR) == 0
    assert await sweep(node, clock, HOUR) == 1
    assert not [letter for letter in await letters(node, "tom") if "Il vous reste" in letter.text]


async def test_of_a_short_time_parts_are_near_its_end(node: Node, clock: HandClock) -> None:
    lea, tom = await members(node, "lea", "tom")
    await node.nim(lea, tom, time_control=Days(1))
    await sweep(node, clock, 2 * TOGETHER)
    assert await sweep(node, clock, 18 * HOUR - 2 * TOGETHER) == 1
    assert await sweep(node, clock, round(4.7 * HOUR)) == 0
    assert await sweep(node, clock, round(0.2 * HOUR)) == 1


async def test_the_end_is_told_with_rank_and_rating(node: Node, clock: HandClock) -> None:
    lea, tom = await members(node, "lea", "tom")
    info = await node.nim(lea, tom, time_control=Days(4), options={"matches": 1})
    await sweep(node, clock, 2 * TOGETHER)
    await play(node.tables, info.id, 1, Take(1), "last")
    await sweep(node, clock, 2 * TOGETHER)
    over = (await letters(node, "tom"))[-1]
    assert "La partie est terminée." in over.text
    assert "Votre rang\u00a0: 2 sur 2." in over.text
    assert "Votre cote\u00a0: 1500 → " in over.text


async def test_what_several_others_did_stands_under_one_headline(node: Node, clock: HandClock) -> None:
    lea, tom, eva = await members(node, "lea", "tom", "eva")
    info = await node.nim(lea, tom, eva, time_control=Days(4))
    await sweep(node, clock, 2 * TOGETHER)
    for seat in (1, 2):
        await play(node.tables, info.id, seat, Take(seat), f"{seat}")
        clock._now += 2 * TOGETHER
    await sweep(node, clock)
    letter = (await letters(node, "eva"))[-1]
    assert letter.html is not None
    for text in (letter.text, letter.html):
        assert text.count("La partie a avancé.") == 1
        assert text.index("La partie a avancé.") < text.index("lea") < text.index("tom")
        assert text.index("tom") < text.index("C’est à vous de jouer.")


async def test_a_live_game_calls_nobody_at_each_move(node: Node, clock: HandClock) -> None:
    lea, tom = await members(node, "lea", "tom")
    info = await node.nim(lea, tom)
    await play(node.tables, info.id, 1, Take(1), "a")
    assert {row.kind for row in await node.store.rows(_CALLS)} == {"begun"}


async def test_what_is_not_wished_is_not_written(node: Node, clock: HandClock) -> None:
    lea, tom = await members(node, "lea", "tom")
    off = Wishes(kinds={kind: Choice(mail="off") for kind in ("begun", "your_turn", "resolved")})
    await node.club.preferences.put(tom, off)
    info = await node.nim(lea, tom, time_control=Days(4))
    here = Wishes(kinds={"your_turn": Choice(mail="now")})
    await play(node.tables, info.id, 1, Take(1), "a")
    await sweep(node, clock, 2 * UNSEEN)
    assert await letters(node, "tom") == []
    await node.club.preferences.put(tom, here, info.id)
    await play(node.tables, info.id, 2, Take(1), "b")
    await play(node.tables, info.id, 1, Take(1), "c")
    await sweep(node, clock, 2 * UNSEEN)
    assert len(await letters(node, "tom")) == 1, "what is wished at a table goes before what is everywhere"


async def test_a_digest_comes_at_the_hour_of_its_reader(node: Node, clock: HandClock) -> None:
    (lea, tom) = await members(node, "lea", "tom")
    account_of_tom = await node.club.accounts.by_id(tom)
    who = await node.club.accounts.by_id(lea)
    await node.club.friends.ask(who, account_of_tom)
    await node.club.friends.accept(account_of_tom, who)
    channel = f"private:{min(lea, tom)}:{max(lea, tom)}"
    await sweep(node, clock, MINUTE)
    for text in ("un", "deux"):
        await node.club.messages.say(who, channel, text)
        await sweep(node, clock, MINUTE)
    written = len(await letters(node, "tom"))
    at = node.club.preferences.next_minute(account_of_tom, clock.now(), 18 * 60)
    assert datetime.fromtimestamp(at / 1000, UTC).minute == 0
    assert await sweep(node, clock, at - clock.now() - 1) == 0
    assert await sweep(node, clock, 1) == 1
    digest = (await letters(node, "tom"))[-1]
    assert len(await letters(node, "tom")) == written + 1
    assert "un" in digest.text
    assert "deux" in digest.text


async def test_a_message_that_was_read_is_not_sent(node: Node, clock: HandClock) -> None:
    (lea, tom) = await members(node, "lea", "tom")
    who = await node.club.accounts.by_id(lea)
    other = await node.club.accounts.by_id(tom)
    await node.club.friends.ask(who, other)
    await node.club.friends.accept(other, who)
    await sweep(node, clock, MINUTE)
    channel = f"private:{min(lea, tom)}:{max(lea, tom)}"
    said = await node.club.messages.say(who, channel, "lu dans la page")
    await node.club.messages.read(other.id, channel, said.id)
    assert await sweep(node, clock, 2 * DAY) == 0


async def test_an_address_that_is_not_confirmed_gets_nothing(node: Node, clock: HandClock) -> None:
    lea = (await node.club.accounts.create("lea", "mot de passe", email="lea@exemple.fr")).id
    visitor = (await node.club.accounts.create_visitor()).id
    info = await node.nim(lea, visitor, time_control=Days(4))
    await play(node.tables, info.id, 1, Take(1), "a")
    assert await sweep(node, clock, 4 * DAY) == 0


async def test_a_link_stops_letters_without_signing_in(node: Node, clock: HandClock) -> None:
    lea, tom = await members(node, "lea", "tom")
    preferences = node.club.preferences
    token = await preferences.stop_token(tom, 0, "your_turn")
    assert await preferences.stopped_by(token) == (tom, 0, "your_turn")
    first, _, second = token.partition(".")
    other = (await preferences.stop_token(lea, 0, "your_turn")).partition(".")[0]
    changed = token[:-2] + ("BA" if token[-2] == "A" else "AA")
    for forged in ("", "x", changed, f"{other}.{second}", f"{first}.", f".{second}", "é.é"):
        assert await preferences.stopped_by(forged) is None
    await preferences.stop(tom, 0, "your_turn")
    await preferences.stop(tom, 0, "begun")
    await preferences.stop(tom, 0, "resolved")
    info = await node.nim(lea, tom, time_control=Days(4))
    await play(node.tables, info.id, 1, Take(1), "a")
    await sweep(node, clock, 2 * UNSEEN)
    assert await letters(node, "tom") == []


async def test_what_must_be_told_cannot_be_stopped(node: Node, clock: HandClock) -> None:
    (lea,) = await members(node, "lea")
    await node.club.preferences.stop(lea, 0, "")
    who = await node.club.accounts.by_id(lea)
    await node.club.sessions.open(who, address="192.0.2.7")
    await node.club.sessions.open(who, address="198.51.100.7")
    assert await sweep(node, clock) == 1
    assert "198.51.100.7" in (await letters(node, "lea"))[-1].text


async def test_what_an_administrator_does_with_an_account_is_written_to_its_owner(
    node: Node, clock: HandClock
) -> None:
    (lea,) = await members(node, "lea")
    chief, _ = await node.club.roles.name_super("Cheffe", PASSWORD)
    who = await node.club.accounts.by_id(lea)
    await node.club.preferences.stop(lea, 0, "")

    async def newest() -> str:
        assert await sweep(node, clock) == 1
        return (await letters(node, "lea"))[-1].text

    await node.club.accounts.change(who, by=chief.id, first_name="Léa")
    assert "Un administrateur a modifié votre compte." in await newest()
    await node.club.accounts.change(who, by=lea, first_name="Léon")
    assert await sweep(node, clock) == 0
    until = datetime(2031, 7, 14, 12, tzinfo=UTC)
    await node.club.roles.ban(chief, who, round(until.timestamp() * 1000))
    assert "exclu du club jusqu’au 14/07/2031" in await newest()
    await node.club.roles.lift_ban(chief, who)
    assert "levé votre exclusion" in await newest()
    await node.club.roles.ban(chief, who)
    assert "sans limite de durée" in await newest()


async def test_who_is_shut_out_is_written_nothing_of_his_tables(node: Node, clock: HandClock) -> None:
    lea, tom = await members(node, "lea", "tom")
    chief, _ = await node.club.roles.name_super("Cheffe", PASSWORD)
    await node.club.roles.ban(chief, await node.club.accounts.by_id(tom))
    await sweep(node, clock)
    before = len(await letters(node, "tom"))
    info = await node.nim(lea, tom, time_control=Days(4))
    await play(node.tables, info.id, 1, Take(1), "a")
    await sweep(node, clock, 2 * UNSEEN)
    assert len(await letters(node, "tom")) == before


async def test_letters_of_a_table_are_a_thread_and_can_be_stopped_by_one_click(
    node: Node, clock: HandClock
) -> None:
    lea, tom = await members(node, "lea", "tom")
    await node.nim(lea, tom, time_control=Days(4), name="Bcc: x@y\r\nX: <b>1</b>")
    await sweep(node, clock, 2 * TOGETHER)
    letter = (await letters(node, "lea"))[0]
    sender = Sender("club@exemple.fr", "Club")
    message = email.message_from_bytes(sender.content(7, letter), policy=email.policy.default)
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert message["List-Unsubscribe"].strip().startswith("<https://jeux.exemple.fr/stop/")
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["References"].strip().startswith("<tablee.table.")
    assert message["Bcc"] is None
    assert message["X"] is None
    assert [part.get_content_type() for part in message.iter_parts()] == ["text/plain", "text/html"]
    assert letter.html is not None
    assert "<b>1</b>" not in letter.html


async def test_two_nodes_write_each_letter_once(open_node: Opener, clock: HandClock) -> None:
    first = await open_node()
    if not first.store.is_shared:
        pytest.skip("two nodes share a PostgreSQL")
    second = await open_node()
    lea, tom = await members(first, "lea", "tom")
    for _ in range(10):
        info = await first.nim(lea, tom, time_control=Days(4))
        await play(first.tables, info.id, 1, Take(1), "a")
    await clock.advance(2 * UNSEEN)
    for _ in range(3):
        await asyncio.gather(*(node.club.caller.write_letters() for node in (first, second)))
        await clock.advance(MINUTE)
    subjects = [letter.text for letter in await letters(first, "tom")]
    assert len(subjects) == 10


async def test_who_has_left_the_table_is_not_called(node: Node, clock: HandClock) -> None:
    lea, tom, mia = await members(node, "lea", "tom", "mia")
    info = await node.nim(lea, tom, mia, time_control=Days(4))
    await sweep(node, clock, 2 * TOGETHER)
    written = len(await letters(node, "tom"))
    await node.tables.sitting.leave(info.id, tom)
    await sweep(node, clock, 4 * DAY)
    assert not [
        letter for letter in (await letters(node, "tom"))[written:] if "à vous de jouer" in letter.text
    ]


async def test_who_stops_his_digest_is_still_told_that_it_is_his_turn(node: Node, clock: HandClock) -> None:
    (tom,) = await members(node, "tom")
    await node.club.preferences.stop(tom, 0, "letter+message")
    chosen = await node.club.preferences.of(tom)
    assert [chosen.mail(kind) for kind in ("letter", "message", "declaration", "your_turn")] == [
        *("off", "off"),
        *("digest", "now"),
    ]


async def test_a_letter_that_cannot_be_worded_is_tried_again_later_and_keeps_no_other(
    node: Node, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    lea, tom = await members(node, "lea", "tom")
    broken = await node.nim(lea, tom, time_control=Days(4))
    await node.nim(lea, tom, time_control=Days(4))
    words, word = node.tables.call_words, type(node.tables.call_words).word

    async def stumble(account: Account, table_id: int, calls: Sequence[Call]) -> list[Said | None]:
        if table_id == broken.id:
            raise RuntimeError("no words")
        return await word(words, account, table_id, calls)

    monkeypatch.setattr(words, "word", stumble)
    assert await sweep(node, clock, 2 * UNSEEN) == 2
    assert await sweep(node, clock, UNSEEN) == 0
    monkeypatch.undo()
    assert await sweep(node, clock, AGAIN_AFTER) == 2


async def test_a_page_that_nobody_sees_counts_as_closed(node: Node, clock: HandClock) -> None:
    lea, tom = await members(node, "lea", "tom")
    info = await node.nim(lea, tom, time_control=Days(4))
    chairs = [await node.tables.chair(info.id, 2, tom) for _ in range(2)]
    for chair in chairs:
        chair.stay()
        await chair.arrived()
    lookers = node.club.caller.calls.lookers
    for chair, hides, is_seen in (
        (chairs[0], True, True),
        (chairs[1], True, False),
        (chairs[0], False, True),
        (chairs[0], True, False),
    ):
        chair.hide(hides)
        row = None
        while row is None or bool(row.looks) is not is_seen:  # it is noted on the side
            await asyncio.sleep(0.01)
            row = await node.store.one(_PRESENT)
        clock._now += LOOKED_LATELY + 1
        assert ((tom, info.id) in await lookers([tom], [info.id])) is is_seen
    await play(node.tables, info.id, 1, Take(1), "a")
    assert await sweep(node, clock, UNSEEN) == 1
    for chair in chairs:
        chair.close()


async def test_invitations_to_many_tables_fill_nobodys_mailbox(node: Node, clock: HandClock) -> None:
    lea, tom = await members(node, "lea", "tom")
    tables = [await node.nim(lea, name=f"Table {number}") for number in range(4)]
    for number, info in enumerate(tables):
        await node.tables.sitting.invite(info.id, lea, tom)
        assert await sweep(node, clock, MINUTE) == (number == 0), "the others wait for five minutes"
    assert await sweep(node, clock, TOGETHER) == 1
    first, others = [letter.text for letter in await letters(node, "tom")]
    assert "Table 0" in first
    assert [f"Table {number}" in others for number in range(4)] == [False, True, True, True]


async def test_what_happens_to_an_account_is_told_at_once_whatever_was_written_before(
    node: Node, clock: HandClock
) -> None:
    lea, tom = await members(node, "lea", "tom")
    asker, asked = [await node.club.accounts.by_id(who) for who in (lea, tom)]
    await node.club.friends.ask(asker, asked)
    assert await sweep(node, clock) == 1
    await node.club.sessions.open(asked, address="192.0.2.7")
    await node.club.sessions.open(asked, address="198.51.100.7")
    assert await sweep(node, clock, MINUTE) == 1


async def test_a_clock_that_is_set_back_keeps_no_letter(node: Node, clock: HandClock) -> None:
    lea, tom = await members(node, "lea", "tom")
    info = await node.nim(lea, tom, time_control=Days(4))
    await node.tables.presence.arrive(info.id, 2, tom)
    await node.tables.presence.depart(info.id, 2, tom)
    assert await sweep(node, clock, 2 * TOGETHER) == 2
    await clock.advance(0)
    clock.step(-DAY)
    clock.follow()
    await play(node.tables, info.id, 1, Take(1), "a")
    assert await sweep(node, clock, UNSEEN) == 1


async def test_a_kind_of_a_newer_version_waits_for_a_node_that_knows_it(node: Node, clock: HandClock) -> None:
    lea, tom = await members(node, "lea", "tom")
    known = call_write(tom, "begun", clock.now())
    newer = {**known.params, "new_kind": "horoscope"}
    await node.store.commit(Unit(writes=[Write(known.query, newer)]))
    await node.nim(lea, tom, time_control=Days(4))
    assert await sweep(node, clock, 2 * UNSEEN) == 2
    (kept,) = [row for row in await node.store.rows(_CALLS) if row.kind == "horoscope"]
    assert kept.mail_at == clock.now() + AGAIN_AFTER


async def test_two_choices_of_one_moment_both_count(node: Node) -> None:
    (lea,) = await members(node, "lea")
    preferences = node.club.preferences
    kinds = ("begun", "your_turn", "over", "late")
    for _ in range(2):  # the first of them makes the row
        await asyncio.gather(*(preferences.stop(lea, 0, kind) for kind in kinds))
        chosen = await preferences.of(lea)
        assert [chosen.mail(kind) for kind in kinds] == ["off"] * 4
        await preferences.put(lea, Wishes())


async def test_a_game_that_begins_complete_calls_its_players_like_any_other(
    node: Node, clock: HandClock
) -> None:
    lea, tom = await members(node, "lea", "tom")
    plan = TablePlan("nim", "plain", {}, people=[lea, tom], seats=2, time_control=Days(4))
    await node.tables.creating.create(plan)
    kinds = sorted((row.account_id, row.kind) for row in await node.store.rows(_CALLS))
    assert kinds == [
        *((lea, "begun"), (lea, "deadline_near"), (lea, "deadline_near"), (lea, "your_turn")),
        (tom, "begun"),
    ]


async def test_what_fell_due_while_the_house_was_shut_is_told_when_the_tables_are_open(
    database_url: str, clock: HandClock, open_node: Opener
) -> None:
    node = await open_node()
    lea, tom = await members(node, "lea", "tom")
    await node.nim(lea, tom, time_control=Days(4))
    await node.tables.stop()
    clock._now += 2 * UNSEEN
    again = Node(await open_store(database_url), clock, games=NIM)
    assert await again.club.caller.write_letters() == 0, "nobody has the words yet"
    await again.tables.start()
    assert await again.club.caller.write_letters() == 2
    await again.close()


async def test_who_is_late_is_told_when_the_deadline_is_played_and_not_before(
    open_node: Opener, clock: HandClock
) -> None:
    node = await open_node(games=GAMES)
    node.club.home = "https://jeux.exemple.fr"
    people = await members(node, *"abcdefg")
    options = {"calendar": True, "first_deadline": clock.now() + 3 * DAY}
    await node.tables.creating.create(TablePlan("diplomacy", "standard", options, people=people, seats=7))
    assert await sweep(node, clock, 2 * DAY + 22 * HOUR) == 7
    # What came by mail is read before a deadline is played, which may take half a minute.
    assert await sweep(node, clock, 2 * HOUR) == 0
    await node.tables.deadlines.sweep()
    await node.tables.quiet()
    assert await sweep(node, clock) == 7
    late = (await letters(node, "a"))[-1]
    assert "La date limite du" in late.text
    assert "On vous attend encore jusqu’au" in late.text


async def test_a_letter_names_who_came_in_anothers_place(node: Node, clock: HandClock) -> None:
    lea, tom, mia = await members(node, "lea", "tom", "mia")
    info = await node.nim(lea, tom, mia, time_control=Days(4))
    await play(node.tables, info.id, 1, Take(1), "a")
    await play(node.tables, info.id, 2, Take(1), "b")
    robot = await node.tables.replacing.replace(info.id, 2, "one", Way(by=tom))
    calls = [row for row in await node.store.rows(_CALLS) if (row.kind, row.account_id) == ("resolved", lea)]
    news = [said for row in calls for said in msgspec.json.decode(row.about)["fr"]]
    assert sorted(news) == sorted(["tom prend 1.", f"{robot.name} arrive."])
