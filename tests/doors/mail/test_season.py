"""Two years of Diplomacy by mail alone, beside the same two years in the page; the two logs are one.

The house is the whole program with its settings, on a clock that is moved by hand. Its own letters (the code
that confirms an address, a phase that has opened, a date that is near or has passed, the receipts) leave its
own outbox by SMTP for a server that keeps them; seven members answer to the `Reply-To` of what came there, in
every form of the corpus, by a mail server that hands over by LMTP. Seven others play a second table over the
API as the page does, each act at the moment of its twin.

Of the two logs everything is compared, moments and dates too, but for the names of requests and of people.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import re
import smtplib
from collections import defaultdict
from collections.abc import AsyncIterator
from email.message import EmailMessage
from pathlib import Path
from random import Random
from typing import Any

import httpx
import msgspec
import pytest
from aiosmtpd.smtp import SMTP, Envelope, Session
from tests.club.mailboxes import Mailbox, code_in, serve
from tests.doors.mail.corpus.bodies import FORMS
from tests.kit.http import NO_CERTIFICATES
from tests.kit.mail import MAILBOX, POWERS, SERVER, message
from tests.kit.rooms import PASSWORD, furnished
from tests.kit.waiting import PATIENCE, as_time_passes, until

from tablee.app import Node
from tablee.clock import HandClock
from tablee.config import Settings
from tablee.rules.diplomacy.model import Order
from tablee.rules.diplomacy.names import names_of
from tablee.rules.diplomacy.variant import load_variant
from tablee.rules.diplomacy.views import DiplomacyView
from tablee.rules.diplomacy.writing import write_order
from tablee.store import Store
from tablee.store.outbox import unfinished

Json = Any
STANDARD = load_variant("standard")
OPTIONS = {
    "deal": list(range(1, 8)), "cycles": 2, "calendar": True, "moves_days": 0, "retreats_days": 0,
    "adjustments_days": 0, "grace": 1, "hour": "23:59",
}  # fmt: skip
SILENT = 2
"""The phase in which somebody says nothing before its date."""
_numbers = itertools.count(1)


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


class Player:
    """Somebody who plays over the API."""

    def __init__(self, url: str) -> None:
        self.http = httpx.AsyncClient(base_url=f"{url}/api/v1", timeout=PATIENCE, verify=NO_CERTIFICATES)
        self.refresh = ""
        self.seat = 0

    async def ask(self, method: str, path: str, body: Json = None) -> Json:
        answer = await self.http.request(method, path, json=body)
        if answer.status_code == 401:  # a quarter of an hour later the house asks again who one is
            again = await self.http.post("/session/refresh", json={"refresh": self.refresh})
            self.became(again.raise_for_status().json())
            answer = await self.http.request(method, path, json=body)
        assert answer.is_success, f"{path}: {answer.status_code} {answer.text}"
        return answer.json() if answer.content else None

    def became(self, signed_in: Json) -> None:
        self.refresh = signed_in["refresh"]
        self.http.headers["Authorization"] = f"Bearer {signed_in['access']}"

    async def sign_up(self, pseudo: str, **fields: str) -> None:
        self.became(await self.ask("POST", "/accounts", {"pseudo": pseudo, "password": PASSWORD, **fields}))

    async def view(self, table: int) -> DiplomacyView:
        answer = await self.ask("GET", f"/tables/{table}/view")
        return msgspec.json.decode(json.dumps(answer["view"]), type=DiplomacyView)

    async def play(self, table: int, action: Json) -> None:
        body = {"action": action, "request_id": f"page-{next(_numbers)}"}
        await self.ask("POST", f"/tables/{table}/play", body)


class Season:
    """The house, the two tables, and all that is written to and fro."""

    def __init__(
        self, node: Node, doors: dict[str, str], relay: Mailbox, server: MailServer, port: int
    ) -> None:
        assert isinstance(node.clock, HandClock)
        assert node._store is not None
        self.clock = node.clock
        self.store: Store = node._store
        self.url = doors["http"]
        self.relay = relay
        self._server = server
        self._port = port
        self.by_mail = 0
        """The table that is played by letters."""
        self.by_page = 0
        """Its twin."""
        self.forms: set[str] = set()
        self._letters: dict[tuple[str, bool], list[EmailMessage]] = defaultdict(list)
        self._sorted = 0

    async def furnish(self) -> list[Member]:
        """Fourteen members, two tables; everybody sits in the seat of his role."""
        members = [Member(self, power, Player(self.url), Player(self.url)) for power in POWERS]
        for place, member in enumerate(members):
            language = ("fr", "en")[place % 2]
            await member.signs.sign_up(f"M-{member.power}", email=member.email, language=language)
            await member.twin.sign_up(f"P-{member.power}")
            member.language = language
        await as_time_passes(
            self.clock, lambda: all(m.letters(any_=True) for m in members), 1_000, "the codes"
        )
        for member in members:
            code = code_in(text_of(member.letters(any_=True)[-1]))
            await member.signs.ask("POST", "/account/confirm", {"code": code})
        for name, players in (
            ("by_mail", [m.signs for m in members]),
            ("by_page", [m.twin for m in members]),
        ):
            plan = {"game": "diplomacy", "variant": "standard", "options": OPTIONS, "seats": 7}
            made = await players[0].ask("POST", "/tables", {**plan, "name": "Raspoutine"})
            setattr(self, name, made["id"])
            for player in players[1:]:
                made = await player.ask("POST", f"/tables/{made['id']}/join", {})
            assert made["status"] == "running"
        return members

    async def hand_in(self, sender: str, to: str, raw: bytes, vouched: bool = False) -> None:
        """Somebody's program sends a message; the house has obeyed it when its server takes it."""
        self._server.vouches = vouched

        def work() -> None:
            with smtplib.SMTP("127.0.0.1", self._port) as client:
                client.sendmail(sender, [to], re.sub(rb"\r?\n", b"\r\n", raw))

        await asyncio.to_thread(work)

    async def sent(self) -> None:
        """The outbox has sent all that lies in it."""

        async def is_empty() -> bool:
            await self.clock.advance(1_000)
            return not await unfinished(self.store, "mail")

        await until(is_empty, "an empty outbox")

    def sorted_letters(self) -> dict[tuple[str, bool], list[EmailMessage]]:
        """What has come, by reader: all of it, and what can be answered."""
        for letter in self.relay.letters[self._sorted :]:
            self._sorted += 1
            self._letters[str(letter["To"]), True].append(letter)
            if letter["Reply-To"]:
                self._letters[str(letter["To"]), False].append(letter)
        return self._letters

    async def log_of(self, table: int) -> list[Json]:
        rows = await self.store.events(table)
        actions = [json.loads(row.action) for row in rows]
        for sitting in actions[0]["seats"]:
            sitting["name"] = sitting["name"].removeprefix("M-").removeprefix("P-")
        return [
            (row.at, row.seat, action, json.loads(row.facts))
            for row, action in zip(rows, actions, strict=True)
        ]


class Member:
    """A power twice: somebody who only reads his mail, and his twin who only plays in the page."""

    def __init__(self, season: Season, power: str, signs: Player, twin: Player) -> None:
        self.season = season
        self.power = power
        self.signs = signs
        """He signs up and sits down in the page, as everybody does; from then on he writes."""
        self.twin = twin
        self.role = POWERS.index(power) + 1
        self.email = f"{power.lower()}@exemple.fr"
        self.language = "fr"
        self.last: tuple[str, bytes] = "", b""

    def letters(self, *, any_: bool = False) -> list[EmailMessage]:
        """What lies in his mailbox, of letters that can be answered unless of any."""
        return self.season.sorted_letters()[self.email, any_]

    async def answer(self, lines: list[str], to: str = "", sender: str = "") -> None:
        """Answer the newest letter, in the next form; it is quoted as that program does."""
        newest = self.letters()[-1]
        to = to or str(newest["Reply-To"])
        number = next(_numbers)
        name = list(FORMS)[number % len(FORMS)]
        self.season.forms.add(name)
        raw = FORMS[name]("\n".join(lines), text_of(newest))
        raw = re.sub(rb"^(Return-Path|To):.*\n", b"", raw, flags=re.M)
        raw = raw.replace(b"<Alice@exemple.fr>", f"<{sender or self.email}>".encode())
        raw = raw.replace(b"<1@exemple.fr>", f"<{number}@courrier.example>".encode())
        self.last = to, f"To: {to}\n".encode() + raw
        await self.season.hand_in(sender or self.email, *self.last)

    async def orders(self, rng: Random) -> list[Order]:
        """Some legal orders as the house lists them: one for each unit, or as many adjustments as are due."""
        answer = await self.twin.ask("GET", f"/tables/{self.season.by_page}/legal")
        listed = answer["legal"]["submit"][str(self.role)]
        choices = list(listed["orders"].values())
        if listed["most"] is not None:
            choices = rng.sample(choices, min(listed["most"], len(choices)))
        return [Order._make(rng.choice(each)) for each in choices]

    def said(self, order: Order, view: DiplomacyView) -> str:
        names = names_of(STANDARD, self.language)
        return write_order(STANDARD, names, order, view.situation.situation, self.language)

    async def save(self, orders: list[Order], view: DiplomacyView) -> None:
        """The twin gives the same orders, one after the other: the page saves all of them each time."""
        saved = list((await self.twin.view(self.season.by_page)).orders.get(self.role, ()))
        region_of = STANDARD.region_of
        for order in orders:
            saved = [each for each in saved if region_of[each.zone] != region_of[order.zone]] + [order]
            await self._give({"do": "save"}, saved, view)

    async def finish(self, view: DiplomacyView) -> None:
        """The twin makes final what is saved."""
        saved = (await self.twin.view(self.season.by_page)).orders.get(self.role, ())
        await self._give({"do": "submit", "final": True}, list(saved), view)

    async def reconsider(self, view: DiplomacyView) -> None:
        action = {"do": "reconsider", "role": self.role, "meant_for": view.advancement}
        await self.twin.play(self.season.by_page, action)

    async def _give(self, action: Json, orders: list[Order], view: DiplomacyView) -> None:
        numbers = [[bool(number) if at == 5 else int(number) for at, number in enumerate(o)] for o in orders]
        given = {**action, "role": self.role, "orders": numbers, "meant_for": view.advancement}
        await self.twin.play(self.season.by_page, given)

    @property
    def final(self) -> str:
        return "définitif" if self.language == "fr" else "final"

    @property
    def not_final(self) -> str:
        return "brouillon" if self.language == "fr" else "not final"


def text_of(letter: EmailMessage) -> str:
    body = letter.get_body(("plain",))
    assert body is not None
    return str(body.get_content()).replace("\r\n", "\n")


@pytest.fixture
async def season(tmp_path: Path) -> AsyncIterator[Season]:
    relay = Mailbox()
    out = serve(relay)
    settings = Settings(
        data=str(tmp_path), port=0, minehive_port="off", minehive_host_port="off", pawnhub_port="off",
        pawnhub_plain_port="off", dr2d_port="off", afjd=False, demo=False,
        smtp=f"smtp://127.0.0.1:{out.port}", mail_from="club@club.example", name="Le club",
        public_url="https://club.example", orders_address=MAILBOX, orders_lmtp="127.0.0.1:0",
        orders_authserv=SERVER, orders_an_hour=1_000,
    )  # fmt: skip
    furnished(tmp_path / "tablee.sqlite")
    node = Node(settings, HandClock())
    opened = await node.open()
    server = MailServer(opened.doors["lmtp"])
    incoming = serve(server)  # type: ignore[arg-type]
    season = Season(node, opened.doors, relay, server, incoming.port)
    yield season
    await asyncio.to_thread(incoming.stop)
    await node.close()
    await asyncio.to_thread(out.stop)


@pytest.mark.timeout(600)
async def test_two_years_by_mail_alone_are_two_years_in_the_page(season: Season) -> None:
    members = await season.furnish()
    rng = Random(17)
    odd: set[str] = set()
    phases = 0
    late: tuple[Member, str] | None = None
    while (view := await members[0].twin.view(season.by_page)).ended is None:
        phases += 1
        assert phases < 20
        owing = [member for member in members if view.roles[member.role].owes]
        await called(season, owing, view)
        if late is not None:
            who, address = late
            before = await season.log_of(season.by_mail)
            await who.answer(["A PAR - BUR", who.final], address)
            assert await season.log_of(season.by_mail) == before
            await season.sent()
            assert "phase" in text_of(who.letters()[-1])
            odd.add("late")
        late = (owing[0], str(owing[0].letters()[-1]["Reply-To"]))
        silent = owing[-1] if phases == SILENT else None
        for place, member in enumerate(owing):
            if member is not silent:
                await write_orders(season, members, owing, view, place, phases, odd, rng)
        if silent is not None:
            await let_the_date_pass(season, silent, view)
            await write_orders(season, members, owing, view, len(owing) - 1, phases, odd, rng)
            odd.add("after its date")
        assert await season.log_of(season.by_mail) == await season.log_of(season.by_page)
    assert odd == {
        *("typo", "duplicate", "late", "forged", "out of office", "forwarded", "without a token"),
        *("taken back", "after its date"),
    }
    assert season.forms == set(FORMS)
    assert view.advancement >= 9
    await as_time_passes(
        season.clock, lambda: all("termin" in subjects(m) or "over" in subjects(m) for m in members), 5_000
    )
    assert all(letter["Auto-Submitted"] for letter in season.relay.letters)
    assert not [letter for letter in season.relay.letters if letter["To"] not in {m.email for m in members}]


def subjects(member: Member) -> str:
    return " ".join(str(letter["Subject"]) for letter in member.letters(any_=True))


async def called(season: Season, owing: list[Member], view: DiplomacyView) -> None:
    """The house has written to everybody who owes orders that a phase has opened: he can answer that."""
    before = {member.power: len(member.letters()) for member in owing}
    await as_time_passes(
        season.clock,
        lambda: all(len(member.letters()) > before[member.power] for member in owing),
        5_000,
        "the letters of the phase",
    )
    for member in owing:
        letter = member.letters()[-1]
        assert letter["List-Unsubscribe"]
        assert ("à vous" if member.language == "fr" else "your turn") in text_of(letter)
        if view.last is not None:
            named = "printemps 1901" if member.language == "fr" else "Spring moves 1901"
            assert view.last.advancement != 0 or named in text_of(letter)


async def let_the_date_pass(season: Season, silent: Member, view: DiplomacyView) -> None:
    """Everybody else has given his orders; the silent one is reminded, then told that he is late."""
    assert view.deadline is not None
    before = len(silent.letters())
    await season.sent()
    await season.clock.advance(view.deadline - season.clock.now() - 60_000)
    await season.sent()
    assert len(silent.letters()) > before, "he is reminded"
    await season.clock.advance(view.deadline - season.clock.now())

    async def are_late() -> bool:
        await season.clock.advance(0)
        tables = ((silent.signs, season.by_mail), (silent.twin, season.by_page))
        return all([(await player.view(table)).late == (silent.role,) for player, table in tables])

    await until(are_late, "the end of the date at both tables")
    reminded = len(silent.letters())
    await as_time_passes(season.clock, lambda: len(silent.letters()) > reminded, 5_000, "that he is late")
    newest = text_of(silent.letters()[-1])
    assert re.search("est passée sans vous|has passed without you", newest)


async def write_orders(
    season: Season,
    members: list[Member],
    owing: list[Member],
    view: DiplomacyView,
    place: int,
    phase: int,
    odd: set[str],
    rng: Random,
) -> None:
    """The letters of a player in one phase, and what his twin does; something is odd about most of them."""
    member = owing[place]
    orders = await member.orders(rng)
    said = [member.said(order, view) for order in orders]
    other = members[members.index(member) - 1]
    kind = (place + phase) % 8
    before = len(member.letters())

    async def give(lines: list[str], **how: str) -> None:
        """The orders by mail, and at the same moment in the page."""
        await member.answer(lines, **how)
        await member.save(orders, view)
        await season.sent()

    if kind == 0 and len(said) > 1:
        # A typo: it is refused with a guess, and corrected by answering the receipt.
        zone = said[0].split()[1]
        await member.answer([said[0].replace(zone, zone[::-1] + "X"), "Cordialement,", "moi"])
        await season.sent()
        assert re.search("«\u00a0.*\u00a0»|“.*”", text_of(member.letters()[-1]))
        await give(["Bonjour,", "", *said])
        odd.add("typo")
    elif kind == 1:
        await give(said)
        await season.hand_in(member.email, *member.last)
        await season.sent()
        assert len(member.letters()) == before + 1
        odd.add("duplicate")
    elif kind == 2:
        # Somebody writes in another's name, without a token: nothing is played, the other is told.
        forged = message(MAILBOX, "A PAR - BUR\ndéfinitif", member.email, Subject="[Raspoutine]")
        await season.hand_in(member.email, MAILBOX, forged)
        await season.sent()
        assert re.search("sans preuve|without proof", text_of(member.letters()[-1]))
        assert len(member.letters()) == before + 1
        await give(said)
        odd.add("forged")
    elif kind == 3:
        to = str(member.letters()[-1]["Reply-To"])
        absent = message(to, "Je suis absent.\nA PAR - BUR", member.email, Auto_Submitted="auto-replied")
        await season.hand_in(member.email, to, absent)
        await season.sent()
        assert len(member.letters()) == before
        await give(said)
        odd.add("out of office")
    elif kind == 4:
        # The letter was forwarded, and somebody else answers it: its owner has the receipt.
        others = len(other.letters())
        await give(said, sender=other.email)
        assert (len(member.letters()), len(other.letters())) == (before + 1, others)
        odd.add("forwarded")
    elif kind == 5:
        subject = f"Re: [table {season.by_mail}]"
        raw = message(MAILBOX, "\n".join(said), member.email, Subject=subject)
        await season.hand_in(member.email, MAILBOX, raw, vouched=True)
        await member.save(orders, view)
        await season.sent()
        odd.add("without a token")
    elif kind == 6 and place < len(owing) - 1:
        # Final too soon, and taken back.
        await member.answer([*said, member.final])
        await member.save(orders, view)
        await member.finish(view)
        await season.sent()
        await member.answer([member.not_final, said[0]])
        await member.reconsider(view)
        await member.save(orders[:1], view)
        await season.sent()
        odd.add("taken back")
    else:
        await give(said)
    receipt = text_of(member.letters()[-1])
    assert all(f"    {each}\n" in receipt for each in said)
    await member.answer([member.final])
    await member.finish(view)
    await season.sent()
