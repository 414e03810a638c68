"""Messages of every form, read: what their writers wrote is found, and nothing of what they answered."""

from __future__ import annotations

import tracemalloc
from time import perf_counter

import pytest
from tests.doors.mail.corpus.bodies import ASKED, FORMS, LETTERS, Letter, corpus, mutated

from tablee.doors.mail.reading import Message, TooLarge, read_message

ALL = [pytest.param(raw, letter, id=name) for name, raw, letter in corpus()]


def read(text: str) -> Message:
    return read_message(text.encode())


def test_the_corpus_has_two_hundred_messages() -> None:
    assert (len(FORMS), len(LETTERS), len(ALL)) == (20, 10, 200)


@pytest.mark.parametrize(("raw", "letter"), ALL)
def test_what_somebody_wrote_is_found_and_nothing_else(raw: bytes, letter: Letter) -> None:
    found = [_plainly(line) for line in read_message(raw).lines if line]
    assert found == [_plainly(line) for line in letter.lines if line]


def _plainly(line: str) -> str:
    """ISO-8859-1 has no long dashes and no arrows."""
    for sign, plain in (("–", "-"), ("—", "-"), ("→", "->")):
        line = line.replace(sign, plain)
    return line


def test_who_wrote_to_whom_is_read_with_accents_and_names() -> None:
    message = read_message(next(corpus())[1])
    assert message.sender == "alice@exemple.fr"
    assert message.recipients == ("ordres+abc@club.example",)
    assert message.subject == "Re: Raspoutine : à vous"
    assert message.id == "1@exemple.fr"
    assert not message.is_automatic


def test_a_message_that_is_from_two_is_from_nobody() -> None:
    assert read("From: a@b.fr, c@d.fr\n\nA PAR - BUR").sender is None
    assert read("From: a@b.fr\nFrom: c@d.fr\n\nA PAR - BUR").sender is None
    assert read("From: a@b.fr\nFrom: \n\nA PAR - BUR").sender is None
    assert read("From: a@b.fr]<c@d.fr>\n\nA PAR - BUR").sender is None
    assert read("From: a@b.fr, x\n\nA PAR - BUR").sender is None
    assert read("To: a@b.fr\n\nA PAR - BUR").sender is None
    assert read('From: "a@b.fr, moi" (c@d.fr) <E@f.fr>\n\nA PAR - BUR').sender == "e@f.fr"


@pytest.mark.parametrize(
    "header",
    [
        "Auto-Submitted: auto-replied",
        "Auto-Submitted: auto-generated; owner-email=a@b.fr",
        "Precedence: bulk",
        "Precedence: list",
        "X-Autoreply: yes",
        "Return-Path: <>",
        "Content-Type: multipart/report; report-type=delivery-status; boundary=x",
    ],
)
def test_what_a_program_wrote_is_known(header: str) -> None:
    assert read(f"From: a@b.fr\n{header}\n\nJe suis absent.").is_automatic
    assert not read("From: a@b.fr\nAuto-Submitted: no\n\nA PAR - BUR").is_automatic


def test_a_message_without_an_id_has_one_of_its_own() -> None:
    first, again, other = (read(f"From: a@b.fr\n\n{text}") for text in ("un", "un", "deux"))
    assert first.id == again.id != other.id


def test_a_message_over_a_mebibyte_is_refused_and_one_below_is_read() -> None:
    with pytest.raises(TooLarge):
        read("\n" + "x" * (1 << 20))
    assert read("\n" + "x" * 1_000_000).lines == ["x" * 2_000]


def test_attachments_are_never_opened() -> None:
    bomb = 'Content-Type: multipart/mixed; boundary="b"\n\n--b\nContent-Type: text/plain\n' + (
        "Content-Disposition: attachment\n\nA PAR - PIC\n--b\nContent-Type: application/zip\n\nPK\n--b--\n"
    )
    assert read(bomb).lines == []


def test_after_fifty_parts_nobody_looks_further() -> None:
    part = "--b\nContent-Type: image/png\n\nx\n"
    text = "--b\nContent-Type: text/plain\n\nA PAR - BUR\n--b--\n"
    head = 'Content-Type: multipart/mixed; boundary="b"\n\n'
    assert read(head + part * 40 + text).lines == ["A PAR - BUR"]
    assert read(head + part * 60 + text).lines == []


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\n" * 500_000,
        b"Content-Type: multipart/mixed; boundary=b\n\n"
        + b"--b\nContent-Type: multipart/mixed; boundary=b\n\n" * 20_000,
        b"".join(b'Content-Type: multipart/mixed; boundary="%d"\n\n--%d\n' % (n, n) for n in range(15_000)),
        b"Content-Type: text/html\n\n" + b"<div><blockquote>" * 50_000,
        b"Content-Type: text/html\n\n" + b"<style></style>" * 60_000,
        b"Content-Type: text/html\n\n" + b"a<b>" * 250_000,
        b"Content-Type: text/html\n\n" + b"<!--" * 250_000,
        b"Content-Type: text/html\n\n" + b"<style" * 150_000,
        b"Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\n" + b"=A" * 400_000,
        b"Subject: " + b"=?utf-8?q?x?= " * 60_000 + b"\n\n",
        b"From: " + b'"a" <' * 200_000 + b"\n\n",
        b"From: " + b"(" * 1_000_000 + b"\n\n",
        b"A: b\n" * 200_000,
        b"x: y\n " + b"z\n " * 300_000,
        b"\n" + b"Le 3 mars a" * 90_000,
        b"\n" + b"Le 3 mars\n" * 90_000,
        b"\n" + b"De : x\n" * 140_000,
        b"Content-Type: text/plain; " + b'a="' * 300_000 + b"\n\nA PAR - BUR",
        b"Content-Type: text/plain; charset=punycode\n\n" + b"a-b" * 300_000,
    ],
    ids=lambda raw: repr(raw[:40]),
)
def test_a_hostile_message_costs_little_time(raw: bytes) -> None:
    began = perf_counter()
    read_message(raw[: 1 << 20])
    assert perf_counter() - began < 3


def _read_mutated(number: int) -> None:
    """Each is read, whatever it says, and the second half needs no more memory than the first."""
    half = 0
    tracemalloc.start()
    try:
        for done, raw in enumerate(mutated(number)):
            read_message(raw)
            if done == number // 2:
                half = tracemalloc.get_traced_memory()[0]
        after = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert after - half < 500_000


def test_five_hundred_mutated_messages_are_read() -> None:
    _read_mutated(500)


@pytest.mark.long
def test_ten_thousand_mutated_messages_are_read_and_memory_stays_flat() -> None:
    _read_mutated(10_000)


def test_what_is_answered_is_never_taken_for_what_was_written() -> None:
    asked = {line for line in ASKED.splitlines() if line}
    for _, raw, letter in corpus():
        assert not asked.difference(letter.lines).intersection(read_message(raw).lines)
