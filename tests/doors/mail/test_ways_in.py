"""Messages on their way to the desk: LMTP, a mailbox, the folder of a pipe; and deadlines that wait."""

from __future__ import annotations

import asyncio
import smtplib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.doors.conftest import Opener
from tests.kit.imap import ImapServer
from tests.kit.mail import MAILBOX, SETTINGS, House, message
from tests.kit.waiting import until

from tablee.clock import HandClock, WallClock
from tablee.doors.mail import Verdict
from tablee.doors.mail.spool import FOLDER, Envelope, lay
from tablee.rules.diplomacy.variant import load_variant
from tablee.store import Unavailable


@pytest.fixture
def clock() -> WallClock:
    return WallClock()


def changed(**settings: Any) -> Any:
    return msgspec.structs.replace(SETTINGS, **settings)


# --- LMTP -------------------------------------------------------------------------------------------------


async def hand_over(where: str, to: str, raw: bytes, sender: str = "a@exemple.fr") -> Any:
    """As Postfix does it."""

    def work() -> Any:
        host, _, port = where.rpartition(":")
        with smtplib.LMTP(host or where, int(port) if host else 0) as client:
            return client.sendmail(sender, [to], raw)

    return await asyncio.to_thread(work)


async def test_a_message_that_is_handed_over_is_obeyed_before_it_is_answered_for(open_house: Opener) -> None:
    house: Any = await open_house(settings=changed(lmtp="127.0.0.1:0"))
    info, people = await house.europe()
    where = house.door.lmtp.address
    await hand_over(where, await house.address(info, people[1]), message(MAILBOX, "A PAR - BUR"))
    assert await house.orders(info, people[1]) == ("A PAR - BUR",)
    with pytest.raises(smtplib.SMTPRecipientsRefused):
        await hand_over(where, "autre@club.example", message(MAILBOX, "A PAR - BUR"))
    with pytest.raises(smtplib.SMTPRecipientsRefused):
        await hand_over(where, "ordres@ailleurs.example", message(MAILBOX, "A PAR - BUR"))


async def test_a_socket_does_as_well_and_a_bounce_is_taken_in_silence(
    open_house: Opener, tmp_path: Path
) -> None:
    where = str(tmp_path / "lmtp")
    house: Any = await open_house(settings=changed(lmtp=where))
    info, people = await house.europe()
    await hand_over(where, await house.address(info, people[1]), message(MAILBOX, "A PAR - BUR"), "")
    assert await house.orders(info, people[1]) == ()
    await hand_over(where, await house.address(info, people[1]), message(MAILBOX, "A PAR - BUR"))
    assert await house.orders(info, people[1]) == ("A PAR - BUR",)


async def test_while_the_database_is_away_the_message_is_to_be_brought_again(
    open_house: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    house: Any = await open_house(settings=changed(lmtp="127.0.0.1:0"))
    info, people = await house.europe()
    to = await house.address(info, people[1])
    raw = message(MAILBOX, "A PAR - BUR")

    async def away(*_: Any) -> Any:
        raise Unavailable("away")

    with monkeypatch.context() as patch:
        patch.setattr(house.tables.replies, "find", away)
        with pytest.raises(smtplib.SMTPDataError) as refusal:
            await hand_over(house.door.lmtp.address, to, raw)
        assert refusal.value.smtp_code == 451
    await hand_over(house.door.lmtp.address, to, raw)
    assert await house.orders(info, people[1]) == ("A PAR - BUR",)


# --- IMAP -------------------------------------------------------------------------------------------------


@pytest.fixture(params=["IMAP4rev1 IDLE MOVE UIDPLUS", "IMAP4rev1"], ids=["new server", "old server"])
async def server(request: pytest.FixtureRequest) -> AsyncIterator[ImapServer]:
    made = ImapServer(request.param)
    yield made
    await made.stop()


async def test_a_mailbox_is_read_and_its_messages_laid_into_two_folders(
    open_house: Opener, server: ImapServer
) -> None:
    house: Any = await open_house(settings=changed(imap=await server.start()))
    info, people = await house.europe()
    server.receive(message(await house.address(info, people[1]), "A PAR - BUR"))
    server.receive(b"From: spam@exemple.org\n\nBuy!")
    server.receive(b"From: a@exemple.org\n\n" + b"x" * (1 << 20))
    await house.door.read_all()
    await until(lambda: not server["INBOX"])
    assert (len(server["Tablee/Lu"]), len(server["Tablee/Refuse"])) == (1, 2)
    assert await house.orders(info, people[1]) == ("A PAR - BUR",)


async def test_a_server_that_tells_of_a_message_is_heard_at_once(open_house: Opener) -> None:
    server = ImapServer()
    house: Any = await open_house(settings=changed(imap=await server.start()))
    info, people = await house.europe()
    await until(lambda: server.idling > 0)
    server.receive(message(await house.address(info, people[1]), "A PAR - BUR"))
    await until(lambda: bool(server["Tablee/Lu"]))
    assert await house.orders(info, people[1]) == ("A PAR - BUR",)
    await server.stop()


async def test_one_node_at_a_time_looks_after_the_mailbox(open_house: Opener) -> None:
    server = ImapServer()
    url = await server.start()
    first: Any = await open_house(settings=changed(imap=url))
    await until(lambda: server.idling > 0)
    second: Any = await open_house(settings=changed(imap=url))
    await asyncio.sleep(0.3)
    assert server.logins == 1
    await first.close()
    await until(lambda: server.logins == 2)
    await second.door.read_all()
    await server.stop()


async def test_a_node_has_the_mailbox_read_by_the_one_that_looks_after_it(
    postgres_url: str, open_house: Opener
) -> None:
    server = ImapServer()
    url = await server.start()
    first: Any = await open_house(postgres_url, settings=changed(imap=url))
    await until(lambda: server.idling > 0)
    second: Any = await open_house(postgres_url, settings=changed(imap=url))
    info, people = await second.europe()
    to = await second.address(info, people[1])
    server.receive(message(to, "A PAR - BUR"), tell=False)  # a server that tells of it late, or never
    await asyncio.gather(*(second.door.read_all() for _ in range(3)))
    assert (len(server["INBOX"]), len(server["Tablee/Lu"])) == (0, 1)
    assert await second.orders(info, people[1]) == ("A PAR - BUR",)
    assert server.logins == 1
    await first.close()
    await until(lambda: server.logins == 2)
    server.receive(message(to, "A PAR - PIC"), tell=False)
    await second.door.read_all()
    assert await second.orders(info, people[1]) == ("A PAR - PIC",)
    await second.close()
    await server.stop()


async def test_a_wrong_password_is_no_end_of_the_house(open_house: Opener) -> None:
    server = ImapServer()
    url = (await server.start()).replace("s3same", "faux")
    house: Any = await open_house(settings=changed(imap=url))
    await asyncio.sleep(0.2)
    await house.door.read_all()
    assert server.logins == 0
    await server.stop()


# --- a pipe -----------------------------------------------------------------------------------------------


async def test_what_a_pipe_lays_down_is_read_also_when_the_house_was_shut(
    open_house: Opener, tmp_path: Path
) -> None:
    house: Any = await open_house()
    info, people = await house.europe()
    to = await house.address(info, people[1])
    await house.close()
    folder = tmp_path / "data" / FOLDER
    lay(folder, message(MAILBOX, "A PAR - BUR"), Envelope((to,)))
    lay(folder, b"garbage", Envelope())
    (folder / "new" / "x.eml").write_bytes(b"no envelope")
    again: Any = await open_house()
    await again.door.read_all()
    assert await again.orders(info, people[1]) == ("A PAR - BUR",)
    assert list((folder / "new").iterdir()) == []
    assert len(list((folder / "refused").iterdir())) == 2


# --- deadlines --------------------------------------------------------------------------------------------


async def test_a_deadline_reads_the_mailbox_first(open_house: Opener, tmp_path: Path) -> None:
    """Orders that lie there when the deadline comes are in time, also where nobody has looked yet."""
    clock = HandClock()
    house: Any = await open_house(clock=clock)
    info, people = await house.europe(calendar=True)
    to = await house.address(info, people[1])
    for person in people:
        if person.id != people[1].id:
            await house.write(await house.address(info, person), _some(await house.view(info, person)))
    deadline = (await house.view(info, people[1])).deadline
    assert deadline is not None
    await house.door._looking.stop()
    before = (
        await house.tables.open(info.id)
    ).seq + 1  # the order of the letter, then what becomes of the phase
    lay(tmp_path / "data" / FOLDER, message(MAILBOX, "A PAR - BUR"), Envelope((to,)))
    await clock.advance(deadline - clock.now() + 1)

    async def is_resolved() -> bool:
        await clock.advance(1_000)
        return bool((await house.tables.open(info.id)).seq > before)

    await until(is_resolved)
    view = await house.view(info, people[1])
    assert view.advancement > 0
    assert not view.overdue


def _some(view: Any) -> str:
    """An order for one of somebody's units."""
    (role,) = view.roles_of(view.you)
    kind, zone = view.situation.units[role][0]
    return f"{'AF'[kind - 1]} {load_variant('standard').codes[zone]} H"


async def test_refused_is_refused_on_every_way(house: House) -> None:
    assert await house.desk.take(b"x" * (2 << 20)) is Verdict.REFUSED
