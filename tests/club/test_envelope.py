from __future__ import annotations

import email
from email.message import EmailMessage
from email.policy import SMTP

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablee.club.envelope import in_words, sealed
from tablee.club.letters import Letter, on_one_line
from tablee.club.post import Sender

SENDER = Sender("club@exemple.fr", "Club d’Évreux")
STOP = "https://jeux.exemple.fr/un/long/chemin/stop/" + "a1_-" * 60

texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\n\x85"), max_size=200)


def read(content: bytes) -> EmailMessage:
    message = email.message_from_bytes(content, policy=SMTP)
    assert isinstance(message, EmailMessage)
    assert not message.defects
    return message


def letter(**others: object) -> Letter:
    usual = {"to": "lea@exemple.fr", "subject": "Bonjour", "text": "Bonjour,\n", "language": "fr", "at": 0}
    return Letter(**{**usual, **others})  # type: ignore[arg-type]


@given(st.lists(texts, max_size=8), st.lists(texts, max_size=8), texts)
def test_a_mail_program_reads_what_was_written(lines: list[str], html: list[str], subject: str) -> None:
    subject = on_one_line(subject)
    written = letter(subject=subject, text="\n".join(lines) + "\n", html="\n".join(html) + "\n")
    message = read(SENDER.content(7, written))
    text, page = message.iter_parts()
    assert isinstance(text, EmailMessage)
    assert isinstance(page, EmailMessage)
    for part, was in ((text, written.text), (page, written.html)):
        content = part.get_payload(decode=True)
        assert isinstance(content, bytes)
        assert content.decode().replace("\r\n", "\n") == was
    assert message["Subject"] == subject
    assert message["From"] == "Club d’Évreux <club@exemple.fr>"


def test_a_letter_without_html_is_one_part() -> None:
    message = read(SENDER.content(7, letter(text="À vous.\n.\nFrom ici\n-- \nClub\n")))
    assert message.get_content_type() == "text/plain"
    assert message.get_content() == "À vous.\r\n.\r\nFrom ici\r\n-- \r\nClub\r\n"


def test_the_link_that_ends_letters_stays_a_link_however_long_it_is() -> None:
    lines = SENDER.content(7, letter(stop=STOP)).split(b"\r\n")
    assert f"List-Unsubscribe: <{STOP}>".encode() in lines
    assert b"List-Unsubscribe-Post: List-Unsubscribe=One-Click" in lines


def test_the_same_letter_is_the_same_bytes_at_every_try() -> None:
    written = letter(html="<p>Bonjour</p>", stop=STOP, reply_to="ordres+abc@exemple.fr", thread="table.12")
    assert SENDER.content(7, written) == SENDER.content(7, written)


def test_no_line_is_longer_than_a_server_takes() -> None:
    content = SENDER.content(7, letter(subject="Une très longue table " * 9, text="é" * 5_000))
    assert max(map(len, content.split(b"\r\n"))) <= 78


@pytest.mark.parametrize("value", ["a\r\nBcc: x@y", "a\nBcc: x@y", "a\r\n\r\nb", "é", "a\x00", "x" * 999])
def test_no_header_begins_another(value: str) -> None:
    with pytest.raises(ValueError, match="To"):
        sealed({"To": value}, "", None)


def test_plain_words_stay_as_they_are() -> None:
    assert in_words("Your turn") == "Your turn"
