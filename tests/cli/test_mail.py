"""`tablee mail`: what waits, sent again, tried, and brought in by a pipe."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from tests.cli.test_commands import done, tablee
from tests.club.mailboxes import Mailbox, serve, text_of
from tests.kit.rooms import furnished

from tablee.clock import WallClock
from tablee.store import Unit, open_store
from tablee.store.outbox import GiveUp, Outbox, errand


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A house that has given up on one letter and has another to send."""
    furnished(tmp_path / "tablee.sqlite")

    async def fail(_: object) -> str:
        raise GiveUp("no such mailbox")

    async def write() -> None:
        store = await open_store(tmp_path / "tablee.sqlite")
        clock = WallClock()
        await store.commit(Unit(writes=[await errand(store, "mail", "{}", clock.now())]))
        await Outbox(store, clock, {"mail": fail}).run_due()
        await store.commit(Unit(writes=[await errand(store, "mail", "{}", clock.now())]))
        await store.close()

    asyncio.run(write())
    return tmp_path


def test_what_waits_is_listed_and_what_was_given_up_is_sent_again(data: Path) -> None:
    where = ("--data", str(data))
    first, second = json.loads(done("mail", "waiting", "--json", *where))
    assert (first["error"], first["due_at"]) == ("no such mailbox", None)
    assert second["due_at"] is not None
    assert "given up" in done("mail", "waiting", *where)
    assert done("mail", "send-again", *where) == "1 to be sent again.\n"
    assert all(row["due_at"] for row in json.loads(done("mail", "waiting", "--json", *where)))
    assert done("mail", "send-again", str(second["id"]), *where) == "1 to be sent again.\n"
    assert "No letter 999 waits" in tablee("mail", "send-again", "999", *where).stderr


def test_a_letter_is_tried_at_once(data: Path) -> None:
    mailbox = Mailbox()
    server = serve(mailbox)
    url = f"smtp://127.0.0.1:{server.port}"
    assert "has taken it" in done("mail", "test", "a@exemple.fr", "--data", str(data), "--smtp", url)
    assert "le courrier part" in text_of(mailbox.letters[0])
    mailbox.answer = lambda _: "550 5.1.1 nobody"
    refused = tablee("mail", "test", "a@exemple.fr", "--data", str(data), "--smtp", url)
    assert refused.returncode == 1
    assert "nobody" in refused.stderr
    server.stop()


def test_a_message_is_laid_before_the_house(tmp_path: Path) -> None:
    message = "From: a@exemple.fr\n\nA PAR - BUR\n"
    done("mail", "deliver", "--data", str(tmp_path), "--recipient", "ordres+x@club.example", said=message)
    (laid,) = (tmp_path / "mail-in" / "new").iterdir()
    assert laid.read_bytes().endswith(message.encode())
    assert laid.stat().st_mode & 0o077 == 0
    assert tablee("mail", "deliver", "--data", str(tmp_path), said="x" * (2 << 20)).returncode == 65
