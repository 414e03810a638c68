"""Everybody is told once, though the node that writes is killed and the mail server refuses letters."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack
from email.message import EmailMessage
from pathlib import Path
from typing import NamedTuple

import pytest
from aiosmtpd.smtp import SMTP, Envelope, Session
from sqlalchemy import bindparam, delete, func, select, update
from tests.club.mailboxes import Mailbox, serve
from tests.kit.playing import play
from tests.kit.process import House
from tests.kit.rooms import PASSWORD, Rooms
from tests.kit.servers import PostgresServer, free_port
from tests.kit.waiting import until

from tablee.clock import HandClock, Instant
from tablee.club.calling.catalogue import UNSEEN
from tablee.store import Query, open_store
from tablee.store.outbox import AT_ONCE
from tablee.store.schema import account, outbox
from tablee.tables import TablePlan
from tablee.tables.clocks import Days

MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000
SERVE = """
import asyncio, sys, time
from tablee.clock import WallClock
begun, was, speed = (int(sys.argv.pop(1)) for _ in range(3))
WallClock.machine = lambda self: was + (time.time_ns() // 1_000_000 - begun) * speed
WallClock.ticks = lambda self: time.monotonic_ns() * speed // 1_000_000
WallClock.call_at = lambda self, when, callback: asyncio.get_running_loop().call_later(
    max(0, when - self.now()) / 1000 / speed, callback
)
from tablee.cli import main
main()
"""
"""The command as it is, at another date, on a machine whose clock may run faster."""
SAID = {
    "deadline_near": "Il vous reste jusqu’au",
    "your_turn": "C’est à vous de jouer.",
    "resolved": "La partie a avancé.",
    "late": "La date limite du",
}
"""By what somebody knows what he is told."""

_CONFIRMED = Query(
    update(account)
    .where(account.c.id == bindparam("which"))
    .values(email=bindparam("address"), email_key=bindparam("address"), email_confirmed=True)
)
_FORGET_LETTERS = Query(delete(outbox))
_UNSENT = Query(select(func.count().label("number")).select_from(outbox).where(outbox.c.done_at.is_(None)))


class Notice(NamedTuple):
    """That one person is told one thing about one table."""

    address: str
    table_id: int
    kind: str


class Came(NamedTuple):
    """A letter as it came, by the real time, and which node brought it."""

    letter: EmailMessage
    at: float
    node: str

    @property
    def id(self) -> str:
        return str(self.letter["Message-ID"])

    @property
    def text(self) -> str:
        body = self.letter.get_body(("plain",))
        assert body is not None
        return str(body.get_content())

    def notices(self) -> set[Notice]:
        text = self.text
        table = re.search(r"<tablee\.table\.(\d+)@", str(self.letter["References"]))
        assert table is not None, text
        kinds = {kind for kind, sentence in SAID.items() if sentence in text}
        assert kinds, text
        return {Notice(str(self.letter["To"]), int(table[1]), kind) for kind in kinds}


class Server(Mailbox):
    """Refuses every third letter that is handed over, and kills the node of the one that is `fatal`.

    `processes` are those of the nodes, by name.
    """

    def __init__(self, fatal: int, processes: dict[str, int]) -> None:
        super().__init__()
        self.came: list[Came] = []
        self.told: dict[Notice, list[Came]] = defaultdict(list)
        self.handed_over = 0
        self.killed = ""
        self.killed_at = 0.0
        self._fatal = fatal
        self._processes = processes

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        self.handed_over += 1
        if self.handed_over % 3 == 0:
            return "451 4.3.0 Not now"
        said = await super().handle_DATA(server, session, envelope)
        letter = self.letters[-1]
        came = Came(letter, time.time(), str(letter["From"]).rpartition("<")[2].partition("@")[0])
        self.came.append(came)
        for notice in came.notices():
            self.told[notice].append(came)
        if len(self.came) == self._fatal:
            # It will never know that its letter has arrived.
            os.kill(self._processes[came.node], signal.SIGKILL)
            self.killed, self.killed_at = came.node, came.at
        return said


class Prepared(NamedTuple):
    """Games by days in a database, and the moment at which each person must be told what."""

    begins: Instant
    expected: dict[Notice, Instant]


async def prepare(url: str, tables: int, window: int) -> Prepared:
    """Games in which something falls due within `window`: a deadline, a date that is near, a turn."""
    clock = HandClock()
    begins = clock.now() + 3 * DAY
    house = await Rooms.open(url, clock)
    people = [(await house.club.accounts.create(f"Membre{number}", PASSWORD)).id for number in range(1, 57)]
    address = {who: f"membre{who}@exemple.fr" for who in people}
    for who in people:
        await house.store.change(_CONFIRMED, which=who, address=address[who])
    expected: dict[Notice, Instant] = {}
    sevens = tables // 5
    pairs = (tables - sevens) // 2

    def moments(number: int) -> Iterator[tuple[int, Instant]]:
        for place in range(number):
            yield place, begins + window * place // number

    async def written(at: Instant) -> None:
        clock._now = at
        await house.club.caller.write_letters()

    clock._now = begins - 2 * DAY - HOUR
    for place, moment in moments(sevens):
        seven = [people[(7 * place + seat) % len(people)] for seat in range(7)]
        options = {"calendar": True, "first_deadline": moment, "deal": list(range(1, 8))}
        plan = TablePlan("diplomacy", "standard", options, people=seven, seats=7, name=f"Europe {place}")
        info = await house.tables.creating.create(plan)
        assert info.status == "running"
        expected |= {Notice(address[who], info.id, "late"): moment for who in seven}
    await written(begins - 2 * DAY)
    for place, moment in moments(pairs):  # a quarter of the day is left
        clock._now = moment - 18 * HOUR
        two = [people[(2 * place + seat) % len(people)] for seat in range(2)]
        plan = TablePlan("chess", "classic", {}, people=two, seats=2, time_control=Days(1))
        info = await house.tables.creating.create(plan)
        (white,) = (await house.tables.open(info.id)).waiting()
        expected[Notice(address[two[white - 1]], info.id, "deadline_near")] = moment
    await written(begins - 17 * HOUR)
    clock._now = begins - HOUR
    games = []
    for place in range(pairs):
        two = [people[(2 * place + 1 + seat) % len(people)] for seat in range(2)]
        plan = TablePlan("chess", "classic", {}, people=two, seats=2, time_control=Days(1))
        games.append((await house.tables.creating.create(plan), two))
    await written(begins - HOUR // 2)
    for place, moment in moments(pairs):
        clock._now = moment - UNSEEN
        info, two = games[place]
        (white,) = (await house.tables.open(info.id)).waiting()
        await play(house.tables, info.id, white, {"do": "move", "move": "e2e4"}, "first")
        for kind in ("your_turn", "resolved"):
            expected[Notice(address[two[2 - white]], info.id, kind)] = moment
    await house.store.change(_FORGET_LETTERS)
    await house.close()
    return Prepared(begins, expected)


@pytest.fixture
def furnished_url(postgres_server: PostgresServer, postgres_pattern: str) -> Iterator[str]:
    url = postgres_server.create_database(postgres_pattern)
    yield url
    postgres_server.drop_database(url)


@pytest.mark.parametrize(
    ("tables", "seconds", "speed"), [(40, 30, 3), pytest.param(200, 60, 1, marks=pytest.mark.long)]
)
async def test_nobody_is_forgotten_and_nobody_told_twice_when_a_node_is_killed(
    tables: int, seconds: int, speed: int, tmp_path: Path, furnished_url: str, closing: ExitStack
) -> None:
    begins, expected = await prepare(furnished_url, tables, seconds * 1000)
    letters = len({(notice.address, notice.table_id) for notice in expected})
    port = free_port()
    opened = time.time_ns() // 1_000_000
    opens = begins - 20_000  # by then both are open, unless the machine is very busy
    houses = {
        name: House(
            *(tmp_path / name, "--database", furnished_url, "--no-demo"),
            *("--smtp", f"smtp://127.0.0.1:{port}", "--mail-from", f"{name}@club.exemple"),
        )
        for name in ("east", "west")
    }
    for house in houses.values():
        closing.callback(house.close)
        house.program = [sys.executable, "-c", SERVE, str(opened), str(opens), str(speed)]
    await asyncio.gather(*(asyncio.to_thread(house.start) for house in houses.values()))
    server = Server(letters // 2, {name: house.pid for name, house in houses.items()})
    controller = serve(server, port)
    closing.callback(controller.stop, no_assert=True)

    await until(lambda: expected.keys() <= server.told.keys(), "everybody to be told everything")
    store = await open_store(furnished_url)

    async def all_sent() -> bool:
        row = await store.one(_UNSENT)
        return row is not None and row.number == 0

    await until(all_sent, "the outbox to be empty")
    await store.close()
    (survivor,) = houses.keys() - {server.killed}
    assert await asyncio.to_thread(houses[survivor].stop) == 0

    found = server.told
    assert found.keys() == expected.keys(), "nobody is told what is not so"
    assert {len({came.id for came in each}) for each in found.values()} == {1}, "each is told by one letter"
    copies: dict[str, list[Came]] = defaultdict(list)
    for came in server.came:
        copies[came.id].append(came)
    twice = [each for each in copies.values() if len(each) > 1]
    assert 1 <= len(twice) <= AT_ONCE, "only what was in flight at the kill comes twice"
    for first, *again in twice:
        assert first.node == server.killed
        assert [came.node for came in again] == [survivor]
        assert again[0].text == first.text

    def waited(notice: Notice) -> float:
        """Seconds of the house's time from the moment to the letter."""
        came = found[notice][0]
        return (opens + (came.at * 1000 - opened) * speed - expected[notice]) / 1000

    killed = opens + (server.killed_at * 1000 - opened) * speed
    after = [waited(notice) for notice, moment in expected.items() if moment >= killed]
    every = [waited(notice) for notice in expected]
    print(
        f"\n{tables} tables, {len(expected)} notices in {len(copies)} letters; {server.handed_over} handed "
        f"over, {server.handed_over // 3} refused, {len(twice)} in flight at the kill came twice. Seconds "
        f"from the moment to the letter: median {statistics.median(every):.1f}, most {max(every):.1f}; of "
        f"the {len(after)} after the kill most {max(after, default=0):.1f}; more than 60: "
        f"{sum(wait > 60 for wait in every)}."
    )
