"""The letters of the house itself: every kind, in both languages, and what nobody may read or do by them."""

from __future__ import annotations

import gc
import re
import tracemalloc

import pytest
from structlog.testing import capture_logs
from tests.kit.letters import DAY, MINUTE, SECURITY, Gallery, kinds_in
from tests.kit.mail import MAILBOX, House, message, opened
from tests.kit.playing import play

from tablee.clock import HandClock
from tablee.club.calling.catalogue import KINDS
from tablee.club.calling.composing import THINGS_MOST
from tablee.club.letters import Letter
from tablee.club.post import Sender
from tablee.doors.mail import Verdict
from tablee.rules.contract import CLOCK, Timeout
from tablee.tables import TablePlan, Terms

SENDER = Sender("club@club.example", "Le club")
HOSTILE = "x\r\nBcc: all@exemple.fr\r\n\r\n<b>1</b>\u2028X-Evil: 1\u0085X-Evil: 2\x0bX-Evil: 3\x00" + "é" * 9
HTML = '<img src=x onerror="alert(1)"> </p><script>alert(2)</script> & \r\nBcc: all@exemple.fr'


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def gallery(house: House, clock: HandClock) -> Gallery:
    house.club.home = "https://club.example"
    return Gallery(house, clock)


@pytest.mark.parametrize("language", ["fr", "en"])
async def test_every_kind_of_the_catalogue_is_a_whole_letter_in_each_language(
    gallery: Gallery, language: str
) -> None:
    await gallery.fill(language)
    assert kinds_in(gallery) == set(KINDS)
    for name, letter in gallery.found.items():
        assert letter.html is not None
        assert letter.text.startswith(("Bonjour " if language == "fr" else "Hello ") + gallery.reader.pseudo)
        for text in (letter.subject, letter.text, letter.html):
            assert not re.search(r"[{}]|\bNone\b", text), name
        codes = r"\b(chess|arena|robots|diplomacy|lagune|standard|your_turn|deadline_near)\b"
        assert not re.search(codes, re.sub(r"https://\S+", "", letter.text)), name
        assert letter.subject == opened(SENDER.content(7, letter))["Subject"].strip(), name
        assert "https://club.example/" in letter.text, name
        assert letter.stop is not None or name in SECURITY, name


async def test_who_begins_a_game_reads_what_he_plays(gallery: Gallery) -> None:
    await gallery.fill()
    assert "Diplomatie, Standard. Vous jouez\u00a0: France." in gallery.found["begun"].text
    assert "Échecs. Vous jouez\u00a0: Blancs." in gallery.found["your_turn"].text


async def test_whose_time_has_run_out_is_told_at_once_and_what_came_of_it(
    house: House, clock: HandClock
) -> None:
    people = [await house.member(name) for name in ("Lea", "Tom", "Zoe")]
    plan = TablePlan(
        "arena", "standard", None, people[0].id, seats=3, name="Le cirque",
        time_control={"kind": "days", "days": 3},
    )  # fmt: skip
    made = await house.tables.creating.create(plan)
    for person in people[1:]:
        await house.tables.sitting.join(made.id, person.id)
    clock._now += 10 * MINUTE
    await house.club.caller.write_letters()
    live = await house.tables.open(made.id)
    (late,) = live.waiting()
    clock._now += 3 * DAY
    before = len(await house.letters())
    await play(house.tables, made.id, CLOCK, Timeout(late))
    clock._now += MINUTE
    await house.club.caller.write_letters()
    (letter,) = (await house.letters())[before:]
    info = await house.tables.info(made.id)
    taken = info.at(late)
    assert taken is not None
    assert letter.to == f"{taken.name.lower()}@exemple.fr"
    assert letter.subject.startswith("Le cirque\u00a0: Votre temps s’est écoulé le ")
    assert "la partie continue sans attendre votre coup." in letter.text
    assert "La partie a avancé." in letter.text


async def test_who_shares_a_rank_is_told_so(gallery: Gallery) -> None:
    await gallery.fill()
    assert "Votre rang\u00a0: 1, ex æquo, sur 7." in gallery.found["over"].text


async def test_a_subject_is_one_sentence(gallery: Gallery) -> None:
    await gallery.fill()
    assert gallery.found["changed"].subject == "Tablée\u00a0: Un administrateur a modifié votre compte"


async def test_letters_of_an_anonymous_game_name_powers_and_never_people(gallery: Gallery) -> None:
    await gallery.fill(terms=Terms(mastered=True, anonymous=True))
    others = [person for person in gallery.people if person.id != gallery.reader.id]
    about_the_game = ("begun", "letter", "declaration", "digest", "deadline_near", "late", "resolved", "over")
    for name in about_the_game:
        letter = gallery.found[name]
        assert letter.html is not None
        for person in others:
            for text in (letter.subject, letter.text, letter.html, str(opened(SENDER.content(1, letter)))):
                assert person.pseudo not in text, name
                assert str(person.email) not in text, name
    assert "Italie vous écrit" in gallery.found["letter"].text
    assert "Russie déclare" in gallery.found["declaration"].text


async def test_names_and_texts_add_no_header_and_no_markup_to_any_letter(gallery: Gallery) -> None:
    await gallery.fill(table=HOSTILE[:60], said=HTML)
    for name, letter in gallery.found.items():
        sent = opened(SENDER.content(7, letter))
        assert not sent.defects, name
        assert {"Bcc", "X-Evil"}.isdisjoint(sent.keys()), name
        assert letter.html is not None
        assert "<b>1" not in letter.html, name
        assert "<img" not in letter.html, name
        assert "<script" not in letter.html, name
        assert re.fullmatch(r"[^\r\n\x00-\x1f\x7f\u0085\u2028\u2029]{1,250}", letter.subject), name
        lines = SENDER.content(7, letter).split(b"\r\n\r\n")[0].split(b"\r\n")
        assert max(map(len, lines)) <= 998, name


async def test_however_much_was_said_a_digest_has_some_pages(house: House, clock: HandClock) -> None:
    info, people = await house.europe()
    for number in range(100):
        await house.tables.press.declare(info, people[3], 4, f"{number}\n" + "A PAR - BUR " * 190)
        clock._now += 60_000
    clock._now += 2 * 86_400_000
    await house.club.caller.write_letters()
    letter = [letter for letter in await house.letters() if letter.to == people[1].email][-1]
    assert letter.text.count("Italie déclare\u00a0:") == THINGS_MOST
    assert f"… et d’autres choses encore ({100 - THINGS_MOST}), à lire sur la page." in letter.text
    assert len(letter.text) < 100_000


# --- what comes back ----------------------------------------------------------------------------------------


def bounces(letter: Letter, number: int) -> list[tuple[bytes, str]]:
    """A letter of ours on its way back, in the ways in which servers and programs send one back."""
    ours = SENDER.content(number, letter)
    to = str(opened(ours)["Reply-To"] or MAILBOX)
    report = (
        (
            f"From: MAILER-DAEMON@exemple.fr\r\nTo: {to}\r\nMessage-ID: <b{number}@exemple.fr>\r\n"
            "Auto-Submitted: auto-replied\r\nMIME-Version: 1.0\r\n"
            'Content-Type: multipart/report; report-type=delivery-status; boundary="r"\r\n\r\n'
            "--r\r\nContent-Type: text/plain\r\n\r\n550 5.1.1 no such user\r\nA PAR - BUR\r\n"
            "--r\r\nContent-Type: message/delivery-status\r\n\r\nAction: failed\r\nStatus: 5.1.1\r\n"
            f"Final-Recipient: rfc822; {letter.to}\r\n"
            "--r\r\nContent-Type: message/rfc822\r\n\r\n"
        ).encode()
        + ours
        + b"\r\n--r--\r\n"
    )
    # A server that says nothing of itself but the empty return path, and one that only says what it is.
    bare = message(to, "550 5.1.1 no such user", letter.to, Message_ID=f"<c{number}@exemple.fr>")
    poor = re.sub(rb"Auto-Submitted: .*\r\n", b"", report)
    return [(report, ""), (bare, ""), (poor, "daemon@exemple.fr"), (ours, "club@club.example")]


async def test_a_thousand_letters_of_ours_that_come_back_cost_nothing(house: House, clock: HandClock) -> None:
    info, people = await house.europe()
    france = people[1]
    await house.write(await house.address(info, france), "A PAR - BUR", str(france.email))
    (answer,) = await house.posted()
    orders = await house.orders(info, france)
    before = (await house.tables.open(info.id)).seq
    tracemalloc.start()
    try:
        sizes = []
        for half in range(2):
            for number in range(125):
                for raw, return_path in bounces(answer, 1_000 * half + number):
                    assert await house.desk.take(raw, (), return_path) is Verdict.REFUSED
            gc.collect()
            sizes.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
    assert len(await house.posted()) == 1, "nobody is answered"
    assert await house.orders(info, france) == orders
    assert (await house.tables.open(info.id)).seq == before
    assert (await house.club.accounts.by_id(france.id)).email_refused is None
    assert sizes[1] - sizes[0] < 200_000, "what came back is forgotten"


async def test_guessed_tokens_are_never_answered_and_fill_no_log(house: House) -> None:
    with capture_logs() as logged:
        for number in range(300):
            guess = f"ordres+{number:026}@club.example".translate(str.maketrans("0189", "abcd"))
            assert await house.write(guess, "A PAR - BUR") is Verdict.REFUSED
    assert await house.posted() == []
    assert len([line for line in logged if line["event"] == "mail_token_unknown"]) == 20
    assert not [line for line in logged if "abab" in str(line)], "a token, right or wrong, is in no log"
