"""A house that is reached by mail alone: members with addresses, letters in, letters out."""

from __future__ import annotations

import itertools
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import bindparam, select, update
from tests.kit.rooms import PASSWORD, PLENTY, Rooms

from tablee.clock import Clock
from tablee.club import Account
from tablee.club.letters import Letter
from tablee.doors.mail import MailDoor, MailSettings, Verdict
from tablee.rules.diplomacy.views import DiplomacyView
from tablee.store import Query, Store
from tablee.store.schema import account, outbox
from tablee.tables import HouseTable, TablePlan

MAILBOX = "ordres@club.example"
SERVER = "mx.club.example"
SETTINGS = MailSettings(mailbox=MAILBOX, authserv_id=SERVER, public_url="https://club.example")
POWERS = ("Angleterre", "France", "Allemagne", "Italie", "Autriche", "Russie", "Turquie")

_CONFIRM = Query(update(account).where(account.c.id == bindparam("which")).values(email_confirmed=True))
_ADDRESS = Query(
    update(account)
    .where(account.c.id == bindparam("which"))
    .values(email=bindparam("address"), email_key=bindparam("address"), email_confirmed=True)
)
_POSTED = Query(select(outbox.c.id, outbox.c.payload).where(outbox.c.kind == "mail").order_by(outbox.c.id))
_numbers = itertools.count(1)


def opened(content: bytes) -> EmailMessage:
    """A message as who gets it reads it."""
    found = message_from_bytes(content, policy=policy.default)
    assert isinstance(found, EmailMessage)
    return found


class House(Rooms):
    """The house under test, with the door for letters and no other."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        data: Path | None = None,
        *,
        settings: MailSettings = SETTINGS,
        **choices: Any,
    ) -> None:
        choices.setdefault("limits", PLENTY)
        super().__init__(store, clock, data, **choices)
        assert data is not None
        self.door = MailDoor(store, self.club, self.tables, clock, settings, data)
        self.desk = self.door.desk

    async def open_door(self) -> None:
        await self.door.start()

    async def close_door(self) -> None:
        await self.door.stop()

    async def member(self, pseudo: str, *, confirmed: bool = True, language: str = "fr") -> Account:
        made = await self.club.accounts.create(
            pseudo, PASSWORD, email=f"{pseudo.lower()}@exemple.fr", language=language
        )
        if confirmed:
            await self.store.change(_CONFIRM, which=made.id)
        return await self.club.accounts.by_id(made.id)

    async def give_address(self, account_id: int) -> None:
        """Somebody who had no address has a confirmed one."""
        await self.store.change(_ADDRESS, which=account_id, address=f"membre{account_id}@exemple.fr")

    async def europe(self, name: str = "Raspoutine", **options: Any) -> tuple[HouseTable, list[Account]]:
        """A running game of Diplomacy; the seventh of seven members has role 7."""
        terms = options.pop("terms", None)
        number = next(_numbers)
        people = [await self.member(f"{power}{number}") for power in POWERS]
        chosen = {"deal": list(range(1, 8)), **options}
        more = {} if terms is None else {"terms": terms}
        host = people[0].id
        if terms is not None and terms.mastered:
            host = (await self.member(f"Arbitre{number}")).id
        plan = TablePlan("diplomacy", "standard", chosen, host, name=name, seats=7, **more)
        made = await self.tables.creating.create(plan)
        for person in people:
            if made.seat_of(person.id) is None:
                await self.tables.sitting.join(made.id, person.id)
        info = await self.tables.info(made.id)
        if info.status == "open":
            info = await self.tables.creating.start(made.id, host)
        return info, people

    async def address(self, info: HouseTable, who: Account, role: int = 0) -> str:
        """To which a letter of this phase is answered."""
        offered = await self.tables.replies.answerable_at(info.id, who.id, role)
        assert offered is not None
        await self.tables.replies.note(offered.write)
        return offered.address

    async def write(self, to: str, text: str, sender: str = "x@exemple.fr", **headers: str) -> Verdict:
        """A letter comes in; `headers` are named with `_` for `-`."""
        return await self.desk.take(message(to, text, sender, **headers))

    async def posted(self) -> list[Letter]:
        """Every letter that was laid in the outbox, without those that confirm an address."""
        rows = await self.store.rows(_POSTED)
        found = [msgspec.json.decode(row.payload, type=Letter) for row in rows]
        return [letter for letter in found if letter.answers is not None]

    async def letters(self) -> list[Letter]:
        """Every letter that calls somebody, the oldest first."""
        rows = await self.store.rows(_POSTED)
        found = [msgspec.json.decode(row.payload, type=Letter) for row in rows]
        return [letter for letter in found if letter.html is not None]

    async def orders(self, info: HouseTable, who: Account) -> tuple[str, ...]:
        """What is saved for somebody, as it is printed in French."""
        sitting = info.seat_of(who.id)
        assert sitting is not None
        chair = await self.tables.chair(info.id, sitting.seat, who.id)
        return chair.written(0, "fr").given

    async def view(self, info: HouseTable, who: Account) -> DiplomacyView:
        chair = await self.tables.chair_of(info.id, who.id)
        view = chair.view()
        assert isinstance(view, DiplomacyView)
        return view


def message(to: str, text: str, sender: str = "x@exemple.fr", **headers: str) -> bytes:
    """A message as a plain program writes it."""
    letter = EmailMessage()
    letter["From"] = sender
    letter["To"] = to
    letter["Message-ID"] = f"<{next(_numbers)}@exemple.fr>"
    for name, value in headers.items():
        del letter[name.replace("_", "-")]
        letter[name.replace("_", "-")] = value
    letter.set_content(text)
    return letter.as_bytes()


def proven(sender: str, result: str = "dmarc=pass", server: str = SERVER) -> str:
    """What a receiving server puts on top of a message."""
    domain = sender.rpartition("@")[2]
    return (
        f"Authentication-Results: {server}; {result} header.from={domain}\r\n"
        f"Received: from exemple.fr by {SERVER} with ESMTP; Mon, 3 Mar 2025 10:12:00 +0100\r\n"
    )
