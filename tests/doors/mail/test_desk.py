"""Letters that come in: who may play by them, what they change, what is answered, and to whom."""

from __future__ import annotations

import asyncio
import threading
from datetime import UTC, datetime
from random import Random
from typing import Any

import msgspec
import pytest
from sqlalchemy import select
from tests.doors.mail.corpus.bodies import mutated
from tests.kit.mail import MAILBOX, House, message, opened, proven
from tests.rules.plainly import write_plainly

from tablee.clock import HandClock
from tablee.club import Account
from tablee.club.bounds import UNSENT_MOST
from tablee.club.post import Sender
from tablee.doors.mail import Verdict
from tablee.doors.mail.reading import Message, read_message
from tablee.store import Query, Store
from tablee.store.schema import reply_token
from tablee.tables import HouseTable, TablePlan, Terms
from tablee.tables.lobby import Lobby


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


def of(people: list[Account], power: str) -> Account:
    return next(each for each in people if each.pseudo.startswith(power))


async def test_an_answer_to_a_letter_saves_orders_and_is_answered_to_the_accounts_address(
    house: House,
) -> None:
    info, people = await house.europe()
    france = of(people, "France")
    to = await house.address(info, france)
    said = "A PAR - BUR\nA MAR S A PAR - BUR\nF BRE - MDI\n"
    assert await house.write(to, said, "elsewhere@autre.fr") is Verdict.READ
    assert await house.orders(info, france) == ("A PAR - BUR", "A MAR S A PAR - BUR")
    (answer,) = await house.posted()
    assert answer.to == france.email
    assert answer.subject == "Re: [Raspoutine] reçu"
    assert "    A PAR - BUR\n    A MAR S A PAR - BUR\n" in answer.text
    assert "Il manque\u00a0:\n    F BRE\n" in answer.text
    assert "Vouliez-vous dire F BRE - MID\u00a0?" in answer.text
    sent = opened(Sender("club@exemple.fr", "Club").content(1, answer))
    assert sent["Auto-Submitted"] == "auto-replied"
    assert sent["In-Reply-To"] == f"<{answer.answers}>"
    assert sent["Reply-To"] == answer.reply_to
    assert await house.write(str(answer.reply_to), "F BRE - MID\ndéfinitif") is Verdict.READ
    assert len(await house.orders(info, france)) == 3
    assert "Ils sont définitifs." in (await house.posted())[-1].text


async def test_an_english_reader_is_answered_in_english(house: House) -> None:
    info, people = await house.europe()
    france, _ = await house.club.accounts.change(of(people, "France"), language="en")
    await house.write(await house.address(info, france), "A PRA - BUR\nhelp")
    (answer,) = await house.posted()
    assert "Did you mean A PAR - BUR?" in answer.text
    assert "to Italy: …" in answer.text


async def test_an_answer_names_the_deadline_in_the_zone_of_who_reads_it(
    house: House, clock: HandClock
) -> None:
    deadline = clock.now() + 3 * 86_400_000  # 17 November 2023 at 22:13 UTC
    info, people = await house.europe(calendar=True, first_deadline=deadline)
    await house.club.accounts.change(of(people, "Turquie"), time_zone="UTC + 3")
    for power, said in (
        ("France", "vendredi 17 novembre à 23 h 13"),
        ("Turquie", "samedi 18 novembre à 1 h 13"),
    ):
        person = await house.club.accounts.by_id(of(people, power).id)
        await house.write(await house.address(info, person), "état")
        assert said in (await house.posted())[-1].text


async def test_tokens_are_kept_hashed_and_are_as_long_as_they_should_be(house: House, store: Store) -> None:
    info, people = await house.europe()
    token = (await house.address(info, people[0])).partition("+")[2].partition("@")[0]
    assert len(token) == 26
    kept = await house.store.rows(Query(select(reply_token)))
    assert token not in str(kept)
    found = await house.tables.replies.find(token)
    assert found is not None
    assert (found.account_id, found.table_id) == (people[0].id, info.id)


async def test_a_token_dies_with_its_phase_and_the_answer_says_so(house: House) -> None:
    info, people = await house.europe()
    france = of(people, "France")
    late = await house.address(info, france)
    for person in people:
        await house.write(await house.address(info, person), "définitif")
    assert (await house.view(info, france)).advancement == 1 or (
        await house.view(info, france)
    ).advancement == 2
    before = len(await house.posted())
    assert await house.write(late, "A PAR - BUR") is Verdict.READ
    assert await house.orders(info, france) == ()
    answer = (await house.posted())[-1]
    assert len(await house.posted()) == before + 1
    assert "une phase qui est passée" in answer.text
    assert await house.write(str(answer.reply_to), "A PAR - BUR") is Verdict.READ
    assert await house.orders(info, france) == ("A PAR - BUR",)


async def test_lines_after_the_one_that_ends_a_phase_are_not_orders_of_the_next(house: House) -> None:
    info, people = await house.europe()
    for person in people[:-1]:
        await house.write(await house.address(info, person), "définitif")
    last = people[-1]
    await house.write(await house.address(info, last), "définitif\nA CON - BUL")
    assert await house.orders(info, last) == ()
    assert "La partie a avancé entre-temps." in (await house.posted())[-1].text


async def test_a_message_that_is_delivered_twice_is_played_once_and_answered_once(house: House) -> None:
    info, people = await house.europe()
    france = of(people, "France")
    raw = message(await house.address(info, france), "A PAR - BUR\n\npresse: Bonjour l’Europe !")
    assert await house.desk.take(raw) is Verdict.READ
    await house.write(await house.address(info, france), "A PAR - PIC")
    version = (await house.tables.open(info.id)).seq
    assert await house.desk.take(raw) is Verdict.READ
    assert (await house.tables.open(info.id)).seq == version
    assert await house.orders(info, france) == ("A PAR - PIC",)
    assert len(await house.posted()) == 2
    assert len(await house.tables.press.declarations(info.id)) == 1


async def test_orders_and_press_of_a_letter_count_once_on_every_database(any_house: House) -> None:
    info, people = await any_house.europe()
    france = of(people, "France")
    raw = message(await any_house.address(info, france), "A PAR - BUR\n\npresse: Une fois.")
    for _ in range(2):
        assert await any_house.desk.take(raw) is Verdict.READ
    assert await any_house.orders(info, france) == ("A PAR - BUR",)
    assert len(await any_house.posted()) == 1
    assert len(await any_house.tables.press.declarations(info.id)) == 1


async def test_press_and_letters_are_said_in_ones_role(house: House) -> None:
    info, people = await house.europe()
    france, italy = of(people, "France"), of(people, "Italie")
    text = "presse:\nLa Manche est à moi.\nVraiment.\n\nA PAR - BUR\n"
    text += "à l’Italie, Autriche: Rendez-vous à Trieste.\n"
    await house.write(await house.address(info, france), text)
    chair = await house.tables.chair_of(info.id, france.id)
    (role,) = chair.roles
    (said,) = await house.tables.press.declarations(info.id)
    assert (said.author_role, said.text) == (role, "La Manche est à moi.\nVraiment.")
    (letter,) = await house.tables.press.letters(info, italy.id, chair.role_named("italie", "fr") or 0)
    assert letter.text == "Rendez-vous à Trieste."
    assert await house.orders(info, france) == ("A PAR - BUR",)
    assert "Votre message est remis à Italie, Autriche." in (await house.posted())[-1].text


async def test_in_an_anonymous_game_what_is_said_waits_for_one_click(house: House) -> None:
    info, people = await house.europe(terms=Terms(mastered=True, anonymous=True))
    france = of(people, "France")
    raw = message(await house.address(info, france), "presse: C’est moi, Jean !")
    await house.desk.take(raw)
    await house.desk.take(raw)
    assert await house.tables.press.declarations(info.id) == []
    (waiting,) = await house.tables.unsent.of(info.id, france.id)
    assert "attend que vous l’ayez relu" in (await house.posted())[-1].text
    assert await house.tables.unsent.of(info.id, people[0].id) == []
    await house.tables.unsent.say(info, france, waiting.id)
    assert [each.text for each in await house.tables.press.declarations(info.id)] == ["C’est moi, Jean !"]
    assert await house.tables.unsent.of(info.id, france.id) == []


async def test_in_an_anonymous_game_a_letter_to_one_power_waits_likewise(house: House) -> None:
    info, people = await house.europe(terms=Terms(mastered=True, anonymous=True))
    france, italy = of(people, "France"), of(people, "Italie")
    await house.write(await house.address(info, france), "à Italie: Tyr est à vous. Jean\n\nA PAR - BUR")
    chair = await house.tables.chair_of(info.id, france.id)
    role = chair.role_named("italie", "fr") or 0
    assert await house.tables.press.letters(info, italy.id, role) == []
    assert await house.orders(info, france) == ("A PAR - BUR",), "orders do not wait"
    (waiting,) = await house.tables.unsent.of(info.id, france.id)
    assert (waiting.to_roles, waiting.text) == ((role,), "Tyr est à vous. Jean")
    await house.tables.unsent.say(info, france, waiting.id)
    (letter,) = await house.tables.press.letters(info, italy.id, role)
    assert letter.text == "Tyr est à vous. Jean"
    assert await house.tables.unsent.of(info.id, france.id) == []


async def test_what_waits_to_be_read_again_is_bounded(house: House) -> None:
    info, people = await house.europe(terms=Terms(mastered=True, anonymous=True))
    france = of(people, "France")
    await house.write(await house.address(info, france), "presse: Encore moi.\n\n" * (UNSENT_MOST + 10))
    assert len(await house.tables.unsent.of(info.id, france.id)) == UNSENT_MOST
    assert f"{UNSENT_MOST} textes attendent déjà" in (await house.posted())[-1].text


async def test_an_absence_by_mail_moves_the_date_behind_it_once(house: House) -> None:
    info, people = await house.europe(calendar=True, moves_days=2, sharing="none")
    france = of(people, "France")
    before = (await house.view(info, france)).deadline or 0
    raw = message(await house.address(info, france), "Bonjour,\nabsent jusqu’au 20 novembre\nMerci")
    for _ in range(2):
        assert await house.desk.take(raw) is Verdict.READ
    (away,) = await house.club.absences.of(france.id)
    assert (away.first.isoformat(), away.last.isoformat()) == ("2023-11-14", "2023-11-20")
    moved = (await house.view(info, france)).deadline or 0
    assert before < moved
    assert datetime.fromtimestamp(moved / 1000, UTC).isoformat() > "2023-11-21"
    (answer,) = await house.posted()
    assert "Votre absence est notée, jusqu’au lundi 20 novembre compris." in answer.text


@pytest.mark.parametrize("day", ["12 mars", "hier", "31 février", "1 janvier 1970", "12 mars 99999"])
async def test_an_absence_that_cannot_be_is_refused_with_a_sentence(house: House, day: str) -> None:
    info, people = await house.europe(calendar=True, moves_days=2, sharing="none")
    france = of(people, "France")
    before = (await house.view(info, france)).deadline
    await house.write(await house.address(info, france), f"absent jusqu’au {day}")
    assert await house.club.absences.of(france.id) == []
    assert (await house.view(info, france)).deadline == before
    (answer,) = await house.posted()
    assert "Ce qui n’a pas été pris\u00a0:" in answer.text


async def test_final_orders_are_taken_back_by_a_letter_and_changed(house: House) -> None:
    info, people = await house.europe()
    france = of(people, "France")
    await house.write(await house.address(info, france), "A PAR - PIC\ndéfinitif")
    assert (await house.view(info, france)).roles[2].is_in is True
    await house.write(await house.address(info, france), "A PAR - BUR\nbrouillon\nA PAR - GAS")
    assert await house.orders(info, france) == ("A PAR - GAS",)
    assert (await house.view(info, france)).roles[2].is_in is False
    answer = (await house.posted())[-1].text
    assert "«\u00a0A PAR - BUR\u00a0» — Les ordres du rôle 2 sont définitifs." in answer
    assert "Ils ne sont pas définitifs" in answer
    await house.write(await house.address(info, france), "pas définitif")
    assert "Ce qui n’a pas été pris" not in (await house.posted())[-1].text, "nothing was to be taken back"


# --- without a token --------------------------------------------------------------------------------------


async def write_proven(
    house: House, who: Account, subject: str, text: str, head: str | None = None
) -> Verdict:
    raw = message(MAILBOX, text, str(who.email), Subject=subject)
    return await house.desk.take((proven(str(who.email)) if head is None else head).encode() + raw)


@pytest.mark.parametrize(
    "form", ["[table {id}]", "Re: [Table {id}] ordres", "[Raspoutine]", "Re: [raspoutine]"]
)
async def test_a_proven_sender_names_his_table_in_the_subject(house: House, form: str) -> None:
    info, people = await house.europe()
    france = of(people, "France")
    said = await write_proven(house, france, form.format(id=info.id), "A PAR - BUR")
    assert said is Verdict.READ
    assert await house.orders(info, france) == ("A PAR - BUR",)


MX = "Received: from a by mx.club.example with ESMTP; Mon, 3 Mar 2025\r\n"
GOOD = "Authentication-Results: mx.club.example; dkim=pass (2048-bit key) header.d=exemple.fr\r\n"
TOP = "Received: from mx.club.example by imap.club.example with LMTP; Mon, 3 Mar 2025\r\n"


@pytest.mark.parametrize(
    ("head", "is_taken"),
    [
        (GOOD + MX, True),
        (TOP + GOOD + MX, True),
        ("Authentication-Results: mx.club.example 1; spf=pass; dmarc=pass (p=none)\r\n" + MX, True),
        (MX + GOOD, False),
        (MX + GOOD + MX, False),
        (GOOD.replace("=pass", "=fail") + GOOD + MX, False),
        (GOOD.replace("mx.club.example", "club.example") + MX, False),
        (GOOD.replace("mx.club.example", "mx.club.example.evil.org") + MX, False),
        (GOOD.replace("header.d=exemple.fr", "header.d=evil.org") + MX, False),
        (GOOD.replace("header.d=exemple.fr", "header.i=@exemple.fr") + MX, False),
        (GOOD.replace("dkim=pass", "(dkim=pass) dkim=none") + MX, False),
        ("Authentication-Results: mx.club.example; dmarc=pass header.from=evil.org\r\n" + MX, False),
        ("Authentication-Results: mx.club.example; spf=pass\r\n" + MX, False),
        (GOOD, False),
        ("", False),
    ],
)
async def test_only_what_the_receiving_server_itself_has_found_counts(
    house: House, head: str, is_taken: bool
) -> None:
    info, people = await house.europe()
    france = of(people, "France")
    await write_proven(house, france, f"[table {info.id}]", "A PAR - BUR", head)
    assert bool(await house.orders(info, france)) is is_taken
    (answer,) = await house.posted()
    assert answer.to == france.email
    assert ("sans preuve" in answer.text) is not is_taken


async def test_the_letter_that_asks_for_a_proof_can_be_answered(house: House) -> None:
    info, people = await house.europe()
    france = of(people, "France")
    await house.write(MAILBOX, "A PAR - BUR", str(france.email), Subject="[Raspoutine]")
    (answer,) = await house.posted()
    await house.write(str(answer.reply_to), "A PAR - BUR", str(france.email))
    assert await house.orders(info, france) == ("A PAR - BUR",)


async def test_a_forged_sender_makes_the_house_write_five_letters_an_hour_at_most(house: House) -> None:
    info, people = await house.europe()
    for _ in range(30):
        await house.write(MAILBOX, "A PAR - BUR", str(people[1].email), Subject=f"[table {info.id}]")
    assert len(await house.posted()) == 5


@pytest.mark.parametrize("subject", ["[Raspoutine]", "no table at all"])
async def test_letters_forged_in_the_name_of_a_member_do_not_have_his_tables_read_again_and_again(
    house: House, monkeypatch: pytest.MonkeyPatch, subject: str
) -> None:
    _, people = await house.europe()
    read: list[int] = []
    plain = Lobby.of_account

    async def counted(lobby: Lobby, account_id: int, *given: Any, **named: Any) -> list[HouseTable]:
        read.append(account_id)
        return await plain(lobby, account_id, *given, **named)

    monkeypatch.setattr(Lobby, "of_account", counted)
    for _ in range(30):
        assert await house.write(MAILBOX, "A PAR - BUR", str(people[1].email), Subject=subject) is (
            Verdict.REFUSED
        )
    assert len(read) == 5


async def test_letters_that_come_at_once_are_read_one_at_a_time(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each may be long to read, in a thread that wants the interpreter as much as the loop does."""
    at_work = threading.Semaphore(1)
    together: list[bool] = []

    def alone(raw: bytes) -> Message:
        is_alone = at_work.acquire(blocking=False)
        together.append(not is_alone)
        try:
            return read_message(raw)
        finally:
            if is_alone:
                at_work.release()

    monkeypatch.setattr("tablee.doors.mail.desk.read_message", alone)
    long = "<p>" * 20_000
    await asyncio.gather(*(house.write(MAILBOX, long, Content_Type="text/html") for _ in range(12)))
    assert together == [False] * 12


async def test_two_froms_a_stranger_an_unconfirmed_address_and_a_bystander_are_not_answered(
    house: House,
) -> None:
    info, people = await house.europe()
    stranger = await house.member("Hugo")
    unconfirmed = await house.member("Zoe", confirmed=False)
    head = proven("a@exemple.fr").encode()
    for sender in ("nobody@exemple.fr", str(unconfirmed.email), str(stranger.email)):
        raw = message(MAILBOX, "A PAR - BUR", sender, Subject=f"[table {info.id}]")
        await house.desk.take(head + raw)
    raw = message(MAILBOX, "A PAR - BUR", str(people[1].email), Subject=f"[table {info.id}]")
    twice = head + b"From: x@exemple.fr\r\n" + raw
    assert await house.desk.take(twice) is Verdict.REFUSED
    assert await house.posted() == []


async def test_who_names_no_table_is_told_which_he_has(house: House) -> None:
    info, people = await house.europe()
    await write_proven(house, people[1], "mes ordres", "A PAR - BUR")
    (answer,) = await house.posted()
    assert f"[table {info.id}] Raspoutine" in answer.text


# --- what is never answered ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "headers",
    [
        {"Auto_Submitted": "auto-replied"},
        {"Precedence": "bulk"},
        {"Return_Path": "<>"},
        {"From": MAILBOX},
        {"From": "Ordres+ABC@CLUB.example"},
    ],
)
async def test_programs_are_neither_obeyed_nor_answered(house: House, headers: dict[str, str]) -> None:
    info, people = await house.europe()
    france = of(people, "France")
    to = await house.address(info, france)
    assert await house.write(to, "A PAR - BUR", **headers) is Verdict.REFUSED
    assert await house.desk.take(message(to, "A PAR - BUR"), return_path="") is Verdict.REFUSED
    assert await house.orders(info, france) == ()
    assert await house.posted() == []


async def test_a_storm_of_bounces_costs_no_letter(house: House) -> None:
    info, people = await house.europe()
    to = await house.address(info, people[1])
    for _ in range(300):
        bounce = message(to, "Undelivered Mail Returned to Sender", "mailer-daemon@exemple.fr")
        await house.desk.take(bounce, return_path="")
    assert await house.posted() == []


async def test_after_twenty_letters_within_an_hour_orders_are_taken_without_an_answer(
    house: House, clock: HandClock
) -> None:
    info, people = await house.europe()
    france = of(people, "France")
    to = await house.address(info, france)
    for number in range(25):
        await house.write(to, "A PAR - BUR" if number % 2 else "A PAR - PIC")
    assert len(await house.posted()) == 20
    assert await house.orders(info, france) == ("A PAR - PIC",)
    for _ in range(110):
        await house.write(to, "A PAR - PIC")
    assert await house.write(to, "A PAR - BUR") is Verdict.REFUSED
    await clock.advance(3_600_000)
    await house.write(to, "état")
    assert len(await house.posted()) == 21


async def test_an_answer_loop_ends_with_its_first_letter(house: House) -> None:
    """Somebody's program answers each of our answers, as ours answer it."""
    info, people = await house.europe()
    to = await house.address(info, people[1])
    await house.write(to, "A PAR - BUR", str(people[1].email))
    for _ in range(5):
        answer = (await house.posted())[-1]
        replied = message(
            str(answer.reply_to), f"Je suis absent.\n> {answer.subject}", Auto_Submitted="auto-replied"
        )
        await house.desk.take(replied)
    assert len(await house.posted()) == 1


# --- strangers ----------------------------------------------------------------------------------------------


async def test_guessed_tokens_are_silently_refused_and_a_right_one_passes_among_them(house: House) -> None:
    info, people = await house.europe()
    france = of(people, "France")
    for number in range(200):
        guess = f"ordres+{number:026}@club.example".translate(str.maketrans("0189", "abcd"))
        assert await house.write(guess, "A PAR - BUR", str(france.email)) is Verdict.REFUSED
    assert await house.posted() == []
    assert (
        await house.write(await house.address(info, france), "A PAR - BUR", str(france.email)) is Verdict.READ
    )


async def test_a_forwarded_token_plays_for_its_owner_who_is_told(house: House) -> None:
    info, people = await house.europe()
    france, italy = of(people, "France"), of(people, "Italie")
    to = await house.address(info, france)
    await house.write(to, "A PAR - PIC\nA VEN - TYR", str(italy.email))
    assert await house.orders(info, france) == ("A PAR - PIC",)
    assert await house.orders(info, italy) == ()
    (answer,) = await house.posted()
    assert answer.to == france.email
    assert "A VEN - TYR" in answer.text


async def test_who_has_left_or_is_banned_plays_no_more_by_his_token(house: House) -> None:
    info, people = await house.europe()
    france = of(people, "France")
    to = await house.address(info, france)
    await house.tables.sitting.leave(info.id, france.id)
    assert await house.write(to, "A PAR - BUR") is Verdict.REFUSED
    assert await house.posted() == []


async def test_names_of_tables_and_subjects_add_no_header(house: House) -> None:
    info, people = await house.europe(name="Raspoutine")
    live = await house.tables.open(info.id)
    live.update_info(msgspec.structs.replace(live.info, name="x\r\nBcc: all@exemple.fr\r\n\r\nA"))
    to = await house.address(info, people[1])
    raw = message(to, "état").replace(b"Message-ID: <", b"Message-ID: <a\xc3\xa9")
    await house.desk.take(raw)
    (answer,) = await house.posted()
    assert "\n" not in answer.subject
    sent = opened(Sender("club@exemple.fr", "Club").content(1, answer))
    assert sent["Bcc"] is None
    assert "In-Reply-To" not in sent


async def test_ten_thousand_lines_and_a_line_of_a_megabyte_are_answered_shortly(house: House) -> None:
    info, people = await house.europe()
    to = await house.address(info, people[1])
    await house.write(to, "A PRA - BUR\n" * 10_000)
    await house.desk.take(b"To: " + to.encode() + b"\nFrom: a@b.fr\nMessage-ID: <m@b>\n\n" + b"A" * 1_000_000)
    first, second = await house.posted()
    assert "plus de 200 lignes" in first.text
    assert len(first.text) < 8_000
    assert len(second.text) < 3_000


@pytest.mark.parametrize("number", [200, pytest.param(10_000, marks=pytest.mark.long)])
async def test_mutated_messages_are_obeyed_or_refused_and_never_answered_more_than_twenty_times(
    house: House, number: int
) -> None:
    info, people = await house.europe()
    france = of(people, "France")
    to = await house.address(info, france)
    for place, raw in enumerate(mutated(number)):
        await house.desk.take(raw.replace(b"<1@", b"<%d@" % place), (to,))
    assert len(await house.posted()) <= 20
    assert {letter.to for letter in await house.posted()} == {france.email}


async def test_chess_takes_a_move_and_the_next_letter_is_for_the_next_move(house: House) -> None:
    white, black = await house.member("Blanche"), await house.member("Noe", language="en")
    by_days = {"kind": "days", "days": 3}
    plan = TablePlan("chess", "classic", None, white.id, time_control=by_days)
    info = await house.tables.creating.create(plan)
    await house.tables.sitting.join(info.id, black.id)
    first = await house.address(info, white)
    await house.write(first, "Cf3")
    await house.write(await house.address(info, black), "Nf6\n")
    await house.write(first, "d4")
    chair = await house.tables.chair_of(info.id, white.id)
    assert chair.view().ply == 2
    answers = [letter.text for letter in await house.posted()]
    assert "1. Cf3" in answers[0]
    assert "somebody else’s turn" in answers[1]
    assert "une phase qui est passée" in answers[2]


async def test_any_game_takes_the_plain_form_of_an_action(house: House) -> None:
    ada, bob = await house.member("Ada"), await house.member("Bob")
    info: HouseTable = await house.tables.creating.create(TablePlan("robots", "race", None, ada.id, seats=2))
    await house.tables.sitting.join(info.id, bob.id)
    info = await house.tables.info(info.id)
    if info.status == "open":
        info = await house.tables.creating.start(info.id, ada.id)
    chair = await house.tables.chair_of(info.id, ada.id)
    action = next(each for _ in range(99) if (each := chair.legal().sample(Random(_))) is not None)
    before = chair.version
    await house.write(await house.address(info, ada), f"{write_plainly(action)}\nplcae 1 1")
    (answer,) = await house.posted()
    assert "Vouliez-vous dire place" in answer.text
    assert chair.version > before
