"""Two years of Diplomacy by mail alone: seven members, real SMTP both ways, all that goes wrong with letters.

Members hand their letters to a mail server (`aiosmtpd`), which says what it found out about the sender and
hands them over by LMTP; answers leave by SMTP into a server that keeps them. Beside it the same orders are
entered in another game as the page enters them: the two logs say the same.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import re
import smtplib
from collections.abc import AsyncIterator
from email.message import EmailMessage
from random import Random
from typing import Any

import msgspec
import pytest
from aiosmtpd.smtp import SMTP, Envelope, Session
from tests.club.mailboxes import Mailbox, serve, text_of
from tests.doors.conftest import Opener
from tests.doors.mail.corpus.bodies import FORMS
from tests.kit.mail import MAILBOX, SERVER, SETTINGS, House, message
from tests.kit.playing import play

from tablee.clock import WallClock
from tablee.club import Account
from tablee.club.letters import Letter
from tablee.club.post import Sender, SmtpPost, mail_handler
from tablee.rules.diplomacy.game import Save, Submit
from tablee.rules.diplomacy.model import Order
from tablee.rules.diplomacy.names import names_of
from tablee.rules.diplomacy.variant import load_variant
from tablee.rules.diplomacy.writing import write_order
from tablee.store.outbox import Outbox
from tablee.tables import TableInfo, TablePlan

STANDARD = load_variant("standard")
_numbers = itertools.count(1)


@pytest.fixture
def clock() -> WallClock:
    return WallClock()


class MailServer:
    """The club's receiving server: it notes from where a message came, and hands it over by LMTP."""

    def __init__(self, lmtp: str) -> None:
        self._host, _, port = lmtp.rpartition(":")
        self._port = int(port)
        self.vouches = False
        """Whether the next sender is who he says."""

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        content = envelope.content
        assert isinstance(content, bytes)
        sender = (envelope.mail_from or "").strip("<>")
        found = "dmarc=pass" if self.vouches else "dmarc=fail"
        head = (
            f"Return-Path: <{sender}>\r\n"
            f"Authentication-Results: {SERVER}; {found} header.from={sender.rpartition('@')[2] or 'none'}\r\n"
            f"Received: from somewhere by {SERVER} with ESMTP; Mon, 3 Mar 2025 10:12:00 +0100\r\n"
        )
        with smtplib.LMTP(self._host, self._port) as client:
            client.sendmail(sender, envelope.rcpt_tos, head.encode() + content)
        return "250 OK"


class Post:
    """Letters in both directions, and who has which mailbox."""

    def __init__(self, house: House, relay: Mailbox, relay_port: int, server: MailServer, port: int) -> None:
        self.house = house
        self.relay = relay
        self._server = server
        self._port = port
        post = SmtpPost(f"smtp://127.0.0.1:{relay_port}", Sender("club@club.example", "Le club"))
        self._outbox = Outbox(house.store, house.clock, {"mail": mail_handler(post)})

    async def hand_in(self, sender: str, to: str, raw: bytes, vouched: bool = False) -> None:
        """Somebody's program sends a message, and what the house answers is sent."""
        self._server.vouches = vouched

        def work() -> None:
            with smtplib.SMTP("127.0.0.1", self._port) as client:
                client.sendmail(sender, [to], re.sub(rb"\r?\n", b"\r\n", raw))

        await asyncio.to_thread(work)
        await self._outbox.run_due()

    async def call(self, info: TableInfo, who: Account) -> None:
        """The letter of a phase to somebody, with an address to answer to."""
        offered = await self.house.tables.replies.answerable_at(info.id, who.id)
        assert offered is not None
        assert who.email is not None
        now = self.house.clock.now()
        letter = Letter(who.email, "À vous", "A PAR - PIC\n", "fr", now, reply_to=offered.address)
        posted = await self.house.club.letters.post(letter, who.id)
        await self.house.tables.replies.note(offered.write, posted)
        await self._outbox.run_due()

    def of(self, who: Account) -> list[EmailMessage]:
        """What lies in somebody's mailbox of letters about games."""
        return [each for each in self.relay.letters if each["To"] == who.email and each["Reply-To"]]


@pytest.fixture
async def post(open_house: Opener) -> AsyncIterator[Post]:
    house: Any = await open_house(settings=msgspec.structs.replace(SETTINGS, lmtp="127.0.0.1:0"))
    house.club.limits._rules["mail_answer"] = house.club.limits._rules["mail_played"]
    relay = Mailbox()
    out = serve(relay)
    server = MailServer(house.door.lmtp.address)
    incoming = serve(server)  # type: ignore[arg-type]
    yield Post(house, relay, out.port, server, incoming.port)
    await asyncio.to_thread(out.stop)
    await asyncio.to_thread(incoming.stop)


class Member:
    """A player who only reads his mail; his program has a form of its own for each letter."""

    def __init__(self, post: Post, info: TableInfo, twin: TableInfo, who: Account, rng: Random) -> None:
        self.post = post
        self.info = info
        self.twin = twin
        self.who = who
        self.rng = rng
        self.language = "en" if who.id % 2 else "fr"
        sitting = info.seat_of(who.id)
        assert sitting is not None
        self.seat = sitting.seat
        self.role = sitting.seat
        self.last: tuple[str, bytes] | None = None

    @property
    def house(self) -> House:
        return self.post.house

    async def view(self) -> Any:
        return (await self.house.tables.chair(self.info.id, self.seat, self.who.id)).view()

    def address(self) -> str:
        return str(self.post.of(self.who)[-1]["Reply-To"])

    async def write(self, lines: list[str], to: str = "", sender: str = "") -> None:
        """Answer the newest letter, in the next form."""
        to = to or self.address()
        number = next(_numbers)
        raw = list(FORMS.values())[number % len(FORMS)]("\n".join(lines))
        raw = re.sub(rb"^(Return-Path|To):.*\n", b"", raw, flags=re.M)
        raw = raw.replace(b"<Alice@exemple.fr>", f"<{sender or self.who.email}>".encode())
        raw = raw.replace(b"<1@exemple.fr>", f"<{number}@courrier.example>".encode())
        self.last = to, f"To: {to}\n".encode() + raw
        await self.post.hand_in(sender or str(self.who.email), *self.last)

    async def orders(self) -> list[Order]:
        """Some legal orders, one for each unit, or as many adjustments as are due."""
        legal: Any = (await self.house.tables.chair(self.info.id, self.seat, self.who.id)).legal()
        return list(legal.some_orders(self.role, self.rng))

    def said(self, order: Order, view: Any) -> str:
        names = names_of(STANDARD, self.language)
        return write_order(STANDARD, names, order, view.unwritten.situation, self.language)

    async def enter(self, orders: list[Order], final: bool) -> None:
        """The same in the other game as the page does it: each order is saved when it is given."""
        given: list[Order] = []
        view = (await self.house.tables.chair(self.twin.id, self.seat, self.who.id)).view()
        region_of = STANDARD.region_of
        saved = list(view.orders.get(self.role, ()))
        for order in orders:
            saved = [each for each in saved if region_of[each.zone] != region_of[order.zone]] + [order]
            given = saved
            await self._submit(given, False, view.advancement)
        if final:
            await self._submit(saved, True, view.advancement)

    async def _submit(self, orders: list[Order], final: bool, phase: int) -> None:
        whole = Submit(self.role, tuple(orders), True, meant_for=phase)
        action = whole if final else Save(self.role, tuple(orders), meant_for=phase)
        await play(self.house.tables, self.twin.id, self.seat, action)


async def log_of(house: House, info: TableInfo) -> list[Any]:
    """What a log says, without its moments and the names of requests."""

    def timeless(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: timeless(each) for key, each in value.items() if key not in ("at", "deadline")}
        return [timeless(each) for each in value] if isinstance(value, list) else value

    rows = await house.store.events(info.id)
    return [(row.seat, timeless(json.loads(row.action)), timeless(json.loads(row.facts))) for row in rows[1:]]


@pytest.mark.timeout(600)
async def test_two_years_are_played_by_mail_alone(post: Post) -> None:
    house = post.house
    info, people = await house.europe("Raspoutine", cycles=2)
    options = {"deal": list(range(1, 8)), "cycles": 2}
    plan = TablePlan("diplomacy", "standard", options, people[0].id, name="Jumelle", seats=7)
    twin = await house.tables.creating.create(plan)
    for person in people[1:]:
        await house.tables.sitting.join(twin.id, person.id)
    twin = await house.tables.info(twin.id)
    rng = Random(17)
    members = [Member(post, info, twin, person, rng) for person in people]
    odd: set[str] = set()
    phases = 0
    late: tuple[Member, str] | None = None
    while not (await house.tables.chair(info.id, 1)).is_over:
        view = await members[0].view()
        owing = [each for each in members if view.roles[each.role].owes]
        phases += 1
        for member in owing:
            await post.call(info, member.who)
        if late is not None:
            # An answer to the phase before comes now.
            who, address = late
            before = await log_of(house, info)
            await who.write(["A PAR - BUR", "définitif"], address)
            assert await log_of(house, info) == before
            assert "phase" in text_of(post.of(who.who)[-1])
            odd.add("late")
        late = (owing[0], owing[0].address())
        for place, member in enumerate(owing):
            await _one_player(member, members, view, place, phases, odd)
        assert phases < 20
    assert odd >= {
        *("typo", "duplicate", "late", "forged", "out of office", "forwarded", "without a token"),
    }
    assert (await members[0].view()).advancement >= 9
    assert await log_of(house, info) == await log_of(house, twin)
    assert all(letter["Auto-Submitted"] for letter in post.relay.letters)
    assert len(post.relay.letters) > 2 * len(members)


async def _one_player(
    member: Member, members: list[Member], view: Any, place: int, phase: int, odd: set[str]
) -> None:
    """A player's letters of one phase; something is odd about most of them."""
    post, house = member.post, member.house
    orders = await member.orders()
    said = [member.said(order, view) for order in orders]
    other = members[(members.index(member) + 1) % len(members)]
    await member.enter(orders, final=False)
    kind = (place + phase) % 7
    if kind == 0 and len(said) > 1:
        # A typo: it is refused with a guess, and corrected by answering the receipt.
        good, zone = said[0], said[0].split()[1]
        await member.write([good.replace(zone, zone[::-1] + "X"), "Cordialement,", "moi"])
        receipt = text_of(post.of(member.who)[-1])
        assert "« " in receipt or "“" in receipt
        await member.write(["Bonjour,", "", *said])
        odd.add("typo")
    elif kind == 1:
        await member.write(said)
        assert member.last is not None
        before = len(post.of(member.who))
        await post.hand_in(str(member.who.email), *member.last)
        assert len(post.of(member.who)) == before
        odd.add("duplicate")
    elif kind == 2:
        # Somebody writes in another's name, without a token: nothing is played, the other is told.
        before = len(post.of(member.who))
        forged = message(MAILBOX, "A PAR - BUR\ndéfinitif", str(member.who.email), Subject="[Raspoutine]")
        await post.hand_in(str(member.who.email), MAILBOX, forged)
        answer = text_of(post.of(member.who)[-1])
        assert "sans preuve" in answer or "without proof" in answer
        assert len(post.of(member.who)) == before + 1
        await member.write(said)
        odd.add("forged")
    elif kind == 3:
        absent = message(member.address(), "Je suis absent.\nA PAR - BUR", Auto_Submitted="auto-replied")
        before = len(post.of(member.who))
        await post.hand_in(str(member.who.email), member.address(), absent)
        assert len(post.of(member.who)) == before
        await member.write(said)
        odd.add("out of office")
    elif kind == 4:
        # The letter was forwarded, and somebody else answers it: its owner has the receipt.
        before = len(post.of(member.who))
        await member.write(said, sender=str(other.who.email))
        assert len(post.of(member.who)) == before + 1
        odd.add("forwarded")
    elif kind == 5:
        raw = message(
            MAILBOX, "\n".join(said), str(member.who.email), Subject=f"Re: [table {member.info.id}]"
        )
        await post.hand_in(str(member.who.email), MAILBOX, raw, vouched=True)
        odd.add("without a token")
    else:
        await member.write(said)
    shown = await house.tables.chair(member.info.id, member.seat, member.who.id)
    assert sorted(shown.written(0, member.language).given) == sorted(said)
    await member.write(["définitif" if member.language == "fr" else "final"])
    await member.enter([], final=True)
