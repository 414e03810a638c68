"""Letters: written with what causes them, sent by a real server, tried again when it fails."""

from __future__ import annotations

import email
import email.policy
import ssl
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from aiosmtpd.controller import Controller
from sqlalchemy import select
from tests.club.conftest import Member
from tests.club.mailboxes import Mailbox, code_in, serve, text_of
from tests.kit.waiting import until

from tablee.clock import HandClock
from tablee.club import Club, Invalid, InvalidToken, Refused, TooMany, WrongPassword
from tablee.club.post import FolderPost, Sender, SmtpPost, mail_handler, post_office
from tablee.club.sweeping import sweep
from tablee.store import Query, Store
from tablee.store.outbox import AT_ONCE, FIRST_WAIT, Outbox
from tablee.store.schema import mail_code, outbox

SENDER = Sender("club@exemple.fr", "Club d’Étampes")


@pytest.fixture
def mailbox() -> Mailbox:
    return Mailbox()


@pytest.fixture
def server(mailbox: Mailbox) -> Iterator[Controller]:
    controller = serve(mailbox)
    yield controller
    controller.stop(no_assert=True)


@pytest.fixture
def errands(club: Club, store: Store, clock: HandClock, server: Controller) -> Outbox:
    """The outbox of a club that sends by the server."""
    post = SmtpPost(f"smtp://127.0.0.1:{server.port}", SENDER)
    return Outbox(store, clock, {"mail": mail_handler(post, club.addresses.refused)})


async def test_a_new_address_is_confirmed_by_the_code_that_is_sent_to_it(
    club: Club, errands: Outbox, mailbox: Mailbox
) -> None:
    lea = await club.accounts.create("Léa", "motdepasse", email="lea@exemple.fr")
    assert await errands.run_due() == 1
    letter = mailbox.letters[0]
    assert letter["To"] == "lea@exemple.fr"
    assert letter["From"] == "Club d’Étampes <club@exemple.fr>"
    assert letter["Subject"] == "Tablée\u00a0: confirmez votre adresse"
    assert "Bonjour Léa," in text_of(letter)
    confirmed = await club.addresses.confirm(lea, code_in(text_of(letter)))
    assert confirmed.email_confirmed
    with pytest.raises(Refused) as spent:
        await club.addresses.confirm(lea, code_in(text_of(letter)))
    assert spent.value.code == "code_spent"
    with pytest.raises(Refused):
        await club.addresses.send_confirmation(confirmed)


async def test_a_letter_is_in_the_language_of_its_reader(
    club: Club, errands: Outbox, mailbox: Mailbox
) -> None:
    await club.accounts.create("Ann", "motdepasse", email="ann@exemple.fr", language="en")
    await errands.run_due()
    assert mailbox.letters[0]["Subject"] == "Tablée: confirm your address"
    assert "Hello Ann," in text_of(mailbox.letters[0])
    assert mailbox.letters[0]["Content-Language"] == "en"


async def test_five_wrong_codes_and_the_right_one_comes_too_late(
    club: Club, errands: Outbox, mailbox: Mailbox
) -> None:
    lea = await club.accounts.create("Lea", "motdepasse", email="lea@exemple.fr")
    await errands.run_due()
    right = code_in(text_of(mailbox.letters[0]))
    left = []
    for wrong in ("", "000000", "x" * 10_000, "\x00", str(int(right) ^ 1)):
        with pytest.raises(Refused) as refused:
            await club.addresses.confirm(lea, wrong)
        left.append(refused.value.parts.get("left"))
    assert left == [4, 3, 2, 1, 0]
    with pytest.raises(Refused) as late:
        await club.addresses.confirm(lea, right)
    assert late.value.code == "code_spent"
    await club.addresses.send_confirmation(lea)
    await errands.run_due()
    await club.addresses.confirm(lea, code_in(text_of(mailbox.letters[1])))


async def test_a_code_lives_for_a_day(
    club: Club, errands: Outbox, mailbox: Mailbox, clock: HandClock
) -> None:
    lea = await club.accounts.create("Lea", "motdepasse", email="lea@exemple.fr")
    await errands.run_due()
    await clock.advance(24 * 3_600_000)
    with pytest.raises(Refused):
        await club.addresses.confirm(lea, code_in(text_of(mailbox.letters[0])))


async def test_a_code_for_the_old_address_does_not_confirm_the_new(
    club: Club, errands: Outbox, mailbox: Mailbox
) -> None:
    lea = await club.accounts.create("Lea", "motdepasse", email="lea@exemple.fr")
    await errands.run_due()
    lea, _ = await club.accounts.change(lea, email="lea@ailleurs.fr")
    with pytest.raises(Refused):
        await club.addresses.confirm(lea, code_in(text_of(mailbox.letters[0])))
    await errands.run_due()
    assert mailbox.letters[1]["To"] == "lea@ailleurs.fr"
    lea = await club.addresses.confirm(lea, code_in(text_of(mailbox.letters[1])))
    again, _ = await club.accounts.change(lea, email="LEA@ailleurs.fr")
    assert again.email_confirmed


async def test_where_somebody_was_reached_until_now_he_is_told_that_his_address_has_changed(
    club: Club, errands: Outbox, mailbox: Mailbox
) -> None:
    lea = await club.accounts.create("Lea", "motdepasse", email="lea@exemple.fr")
    lea, _ = await club.accounts.change(lea, email="lea@ailleurs.fr")
    await errands.run_due()
    assert [letter["To"] for letter in mailbox.letters] == ["lea@exemple.fr", "lea@ailleurs.fr"]
    lea = await club.addresses.confirm(lea, code_in(text_of(mailbox.letters[1])))
    await club.accounts.change(lea, email="voleur@exemple.fr")
    await errands.run_due()
    told = next(letter for letter in mailbox.letters[2:] if letter["To"] == "lea@ailleurs.fr")
    assert told["Subject"] == "Tablée\u00a0: votre adresse a changé"
    assert "voleur" not in text_of(told)


async def test_neither_the_codes_nor_sent_letters_are_readable_in_the_database(
    club: Club, store: Store, errands: Outbox, mailbox: Mailbox
) -> None:
    await club.accounts.create("Lea", "motdepasse", email="lea@exemple.fr")
    await errands.run_due()
    code = code_in(text_of(mailbox.letters[0]))
    for table in (mail_code, outbox):
        rows = await store.rows(Query(select(table)))
        assert rows
        assert code not in repr(rows)


async def test_of_a_letter_that_was_sent_nothing_is_left_after_a_month(
    club: Club, store: Store, errands: Outbox, clock: HandClock
) -> None:
    await club.accounts.create("Lea", "motdepasse", email="lea@exemple.fr")
    await errands.run_due()
    for days, left in ((29, 1), (2, 0)):
        await clock.advance(days * 86_400_000)
        await sweep(store, clock)
        assert len(await store.rows(Query(select(outbox)))) == left


async def test_who_forgot_his_password_gets_back_in_and_everybody_else_out(
    club: Club, errands: Outbox, mailbox: Mailbox
) -> None:
    lea = await club.accounts.create("Lea", "motdepasse", email="lea@exemple.fr")
    tokens = await club.sessions.open(lea)
    await errands.run_due()
    await club.addresses.send_recovery(" LEA@exemple.fr ")
    await errands.run_due()
    code = code_in(text_of(mailbox.letters[1]))
    with pytest.raises(Invalid):
        await club.accounts.recover("lea@exemple.fr", code, "court", least=8)
    with pytest.raises(Refused):
        await club.accounts.recover("lea@exemple.fr", "111111", "nouveau-mot")
    found = await club.accounts.recover("lea@exemple.fr", code, "nouveau-mot")
    assert found.id == lea.id
    assert found.email_confirmed
    await club.accounts.verify("Lea", "nouveau-mot")
    with pytest.raises(WrongPassword):
        await club.accounts.verify("Lea", "motdepasse")
    with pytest.raises(InvalidToken):
        await club.sessions.who(tokens.access)
    with pytest.raises(Refused):
        await club.accounts.recover("lea@exemple.fr", code, "encore-un-mot")


async def test_asking_for_a_stranger_says_nothing_and_sends_nothing(
    club: Club, errands: Outbox, mailbox: Mailbox
) -> None:
    before = club.passwords.works
    for odd in ("personne@exemple.fr", "pas une adresse", "\x00", "x" * 10_000):
        await club.addresses.send_recovery(odd)
        with pytest.raises(Refused) as refused:
            await club.accounts.recover(odd, "123456", "motdepasse")
        assert refused.value.code == "code_refused"
    assert club.passwords.works - before == 8  # the same work as for somebody who exists
    assert await errands.run_due() == 0


async def test_a_wrong_code_says_nothing_about_who_has_the_address(club: Club) -> None:
    await club.accounts.create("Lea", "motdepasse", email="lea@exemple.fr")
    answers = []
    for address in ("lea@exemple.fr", "personne@exemple.fr"):
        await club.addresses.send_recovery(address)
        for _ in range(7):
            before = club.passwords.works
            with pytest.raises(Refused) as refused:
                await club.accounts.recover(address, "111111", "nouveau-mot")
            answers.append((refused.value.code, refused.value.parts, club.passwords.works - before))
    assert answers == [("code_refused", {}, 1)] * 14


async def test_an_address_asked_for_too_often_costs_the_same_work(club: Club) -> None:
    await club.accounts.create("Lea", "motdepasse", email="lea@exemple.fr")
    for _ in range(8):
        before = club.passwords.works
        await club.addresses.send_recovery("lea@exemple.fr")
        assert club.passwords.works - before == 1


async def test_nobody_sends_codes_to_the_whole_world_by_changing_his_address(
    club: Club, member: Member
) -> None:
    lea = await member("Lea")
    for n in range(5):
        await club.accounts.change(lea, email=f"victime{n}@exemple.fr")
    with pytest.raises(TooMany):
        await club.accounts.change(lea, email="victime5@exemple.fr")
    await club.accounts.change(lea, email=None)


async def test_nobodys_mailbox_is_flooded(club: Club, errands: Outbox, mailbox: Mailbox) -> None:
    lea = await club.accounts.create("Lea", "motdepasse", email="lea@exemple.fr")
    for n in range(20):
        await club.addresses.send_recovery("lea@exemple.fr", address=f"192.0.2.{n}")
    with pytest.raises(TooMany):
        await club.addresses.send_confirmation(lea)
    await errands.run_due()
    assert len(mailbox.letters) == 6
    for _ in range(10):
        await club.addresses.send_recovery("lea@exemple.fr", address="198.51.100.1")
    with pytest.raises(TooMany):
        await club.addresses.send_recovery("lea@exemple.fr", address="198.51.100.1")


async def test_a_server_that_is_down_gets_the_letter_when_it_is_up_again(
    club: Club, store: Store, clock: HandClock, mailbox: Mailbox
) -> None:
    first = serve(mailbox)
    port = first.port
    first.stop()
    errands = Outbox(store, clock, {"mail": mail_handler(SmtpPost(f"smtp://127.0.0.1:{port}", SENDER))})
    await club.accounts.create("Lea", "motdepasse", email="lea@exemple.fr")
    assert await errands.run_due() == 1
    assert await errands.run_due() == 0  # not at once
    second = serve(mailbox, port)
    try:
        await clock.advance(20_000)
        assert await errands.run_due() == 1
    finally:
        second.stop()
    assert len(mailbox.letters) == 1
    assert await errands.run_due() == 0


async def test_a_refusal_for_now_is_tried_again_as_the_same_letter(
    club: Club, errands: Outbox, mailbox: Mailbox, clock: HandClock, server: Controller
) -> None:
    await club.accounts.create("Lea", "motdepasse", email="lea@exemple.fr")
    answers = iter(["450 later", "451 later still", "250 OK"])
    mailbox.answer = lambda _: next(answers)
    for wait in (15_000, 30_000, 0):
        assert await errands.run_due() == 1
        await clock.advance(wait)
    assert len(mailbox.letters) == 1
    assert str(mailbox.letters[0]["Message-ID"]).startswith("<tablee.")


async def test_an_address_that_does_not_exist_is_given_up(
    club: Club, store: Store, errands: Outbox, mailbox: Mailbox, clock: HandClock
) -> None:
    lea = await club.accounts.create("Lea", "motdepasse", email="lea@exemple.fr")
    mailbox.answer = lambda address: f"550 5.1.1 no such user {address}"
    assert await errands.run_due() == 1
    refused = (await club.accounts.by_id(lea.id)).email_refused
    assert refused is not None
    assert "no such user" in refused
    await clock.advance(7 * 86_400_000)
    assert await errands.run_due() == 0
    row = await store.one(Query(select(outbox)))
    assert row is not None
    assert row.done_at is None
    assert "no such user" in row.error
    assert "@" not in row.error


@pytest.mark.parametrize(
    "said",
    [
        "550 5.7.1 relaying denied",
        "550 no such user",
        "552 5.2.2 mailbox full",
        "450 4.1.1 not just now",
        "550 5.4.1 5.1.1 is said further on",
    ],
)
async def test_any_other_refusal_is_tried_again(
    club: Club, store: Store, errands: Outbox, mailbox: Mailbox, clock: HandClock, said: str
) -> None:
    lea = await club.accounts.create("Lea", "motdepasse", email="lea@exemple.fr")
    mailbox.answer = lambda address: said
    assert await errands.run_due() == 1
    assert (await club.accounts.by_id(lea.id)).email_refused is None
    await clock.advance(FIRST_WAIT)
    mailbox.answer = lambda address: "250 OK"
    assert await errands.run_due() == 1
    assert len(mailbox.letters) == 1


async def test_a_server_that_wants_a_name_and_password_gets_them(
    club: Club, store: Store, clock: HandClock, mailbox: Mailbox
) -> None:
    server = serve(mailbox, authenticator=mailbox.authenticate, auth_required=True, auth_require_tls=False)
    try:
        post = SmtpPost(f"smtp://secr%C3%A9taire:sesame%231@127.0.0.1:{server.port}", SENDER)
        await club.accounts.create("Lea", "motdepasse", email="lea@exemple.fr")
        await Outbox(store, clock, {"mail": mail_handler(post)}).run_due()
    finally:
        server.stop()
    assert mailbox.logins[0] == ("secrétaire".encode(), b"sesame#1")
    assert len(mailbox.letters) == 1


async def test_a_server_without_tls_gets_nothing_where_tls_is_asked_for(
    club: Club, store: Store, clock: HandClock, server: Controller, mailbox: Mailbox
) -> None:
    await club.accounts.create("Lea", "motdepasse", email="lea@exemple.fr")
    for scheme in ("starttls", "smtps"):
        post = SmtpPost(f"{scheme}://127.0.0.1:{server.port}", SENDER)
        letter = club.letters.compose("deleted", "lea@exemple.fr", "fr", pseudo="Lea")
        with pytest.raises((OSError, ssl.SSLError, Exception)):
            await post.send(1, letter)
    assert not mailbox.letters


async def test_many_letters_go_over_few_connections(club: Club, errands: Outbox, mailbox: Mailbox) -> None:
    for number in range(3 * AT_ONCE):
        await club.accounts.create(f"Lea{number}", "motdepasse", email=f"lea{number}@exemple.fr")
    assert await errands.run_due() == 3 * AT_ONCE
    assert len(mailbox.letters) == 3 * AT_ONCE
    assert len(mailbox.connections) <= AT_ONCE


async def test_a_connection_that_the_server_has_ended_keeps_no_letter(club: Club, mailbox: Mailbox) -> None:
    server = serve(mailbox, timeout=1.0)
    try:
        post = SmtpPost(f"smtp://127.0.0.1:{server.port}", SENDER)
        for number in (1, 2):
            await post.send(number, club.letters.compose("deleted", "lea@exemple.fr", "fr", pseudo="Lea"))
            await until(lambda: not post._waiting[0].client.is_connected, "the server to hang up")
        await post.close()
    finally:
        server.stop()
    assert len(mailbox.letters) == len(mailbox.connections) == 2


@pytest.mark.parametrize("url", ["http://x", "smtp://", "exemple.fr:25", ""])
def test_an_address_of_a_server_that_is_none_is_refused_with_a_sentence(url: str) -> None:
    with pytest.raises(ValueError, match="smtp://"):
        SmtpPost(url, SENDER)


async def test_without_a_server_letters_are_files_for_the_house_alone(
    club: Club, store: Store, clock: HandClock, tmp_path: Path
) -> None:
    post = post_office(None, tmp_path / "mail", SENDER)
    assert isinstance(post, FolderPost)
    lea = await club.accounts.create("Léa", "motdepasse", email="lea@exemple.fr")
    await Outbox(store, clock, {"mail": mail_handler(post)}).run_due()
    files = list((tmp_path / "mail").iterdir())
    assert [file.suffix for file in files] == [".eml"]
    assert stat.S_IMODE(files[0].stat().st_mode) == 0o600
    parsed = email.message_from_bytes(files[0].read_bytes(), policy=email.policy.default)
    assert isinstance(parsed, email.message.EmailMessage)
    await club.addresses.confirm(lea, code_in(text_of(parsed)))


async def test_a_started_club_sends_by_itself(
    club: Club, clock: HandClock, server: Controller, mailbox: Mailbox
) -> None:
    club.start(SmtpPost(f"smtp://127.0.0.1:{server.port}", SENDER))
    try:
        await club.accounts.create("Lea", "motdepasse", email="lea@exemple.fr")
        await clock.advance(10_000)
        await until(lambda: mailbox.letters, "the letter has arrived")
    finally:
        await club.stop()


async def test_codes_of_four_digits_serve_a_historic_door(club: Club, store: Store, member: Member) -> None:
    drawn = {club.codes.draw(4) for _ in range(200)}
    assert all(1000 <= int(code) <= 9999 for code in drawn)
    write = await club.codes.put(0, "afjd:lea@exemple.fr", "lea@exemple.fr", "4711")
    await store.change(write.query, **write.params)
    for _ in range(10):  # right answers are no tries
        assert await club.codes.is_right(0, "afjd:lea@exemple.fr", "4711") == "lea@exemple.fr"
    for _ in range(5):
        with pytest.raises(Refused):
            await club.codes.is_right(0, "afjd:lea@exemple.fr", "4712")
    with pytest.raises(Refused) as spent:
        await club.codes.is_right(0, "afjd:lea@exemple.fr", "4711")
    assert spent.value.code == "code_spent"
