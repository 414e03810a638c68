"""One letter at one chair: its lines are obeyed in order, and what became of each is written down."""

from __future__ import annotations

import asyncio
from hashlib import sha256
from typing import cast

import msgspec

from tablee.club import Account, ClubError
from tablee.doors.mail.commands import ITEMS_MOST, Absent, Finish, Help, Item, Line, Said, items_of
from tablee.doors.mail.days import read_day
from tablee.doors.mail.reading import Message
from tablee.rules.contract import Action, Illegal, NotRead
from tablee.rules.words import load_words
from tablee.store import Conflict
from tablee.tables import Chair, TableError, Tables
from tablee.tables.calendar import ClubCalendar

GUESSES_MOST = 12
"""Lines of one letter for which somebody thinks about what was meant."""
WORDS = load_words("tablee.doors.mail")


class Refusal(msgspec.Struct, frozen=True):
    """A line that was not taken, why not, and what may have been meant."""

    text: str
    why: str
    guess: str = ""


class Obeyed(msgspec.Struct):
    """What became of a letter."""

    played: int = 0
    refused: list[Refusal] = []
    said: list[str] = []
    """Sentences on what was said to others."""
    notes: list[str] = []
    wants_help: bool = False
    waits: bool = False
    """Whether something was said that its author must look at first."""


def request_id(account_id: int, message_id: str, number: int, text: str) -> str:
    """The name of a line in the log: who delivers it twice has it played once."""
    return "mail-" + sha256(f"{account_id}\n{message_id}\n{number}\n{text}".encode()).hexdigest()[:32]


class Obeying:
    """Plays what one letter asks for, at the phase for which it was written."""

    def __init__(
        self, tables: Tables, chair: Chair, account: Account, role: int, phase: int, message: Message
    ) -> None:
        self._tables = tables
        self._chair = chair
        self._account = account
        self._role = role
        self._phase = phase
        self._message = message
        self._language = "en" if account.language == "en" else "fr"
        self._words = WORDS[self._language]
        self._guesses = 0
        self._done = Obeyed()

    async def obey(self) -> Obeyed:
        """Take every line that is understood; nothing else changes. Raises Unavailable."""
        items = items_of(self._message.lines, lambda name: self._chair.role_named(name, self._language))
        for item in items:
            await self._obey(item)
            await asyncio.sleep(0)  # a letter of many lines keeps nobody waiting
        if len(items) == ITEMS_MOST:
            self._done.notes.append(self._words["too_many_lines"].format(most=ITEMS_MOST))
        return self._done

    async def _obey(self, item: Item) -> None:
        match item:
            case Line():
                await self._play(item)
            case Finish(final=final):
                await self._finish(item, final)
            case Said(to=to, speech=speech):
                await self._say(item, to, speech)
            case Help():
                self._done.wants_help = True
            case Absent():
                await self._be_absent(item)

    async def _be_absent(self, item: Absent) -> None:
        """Declare an absence from today on; deadlines that fall into it move behind it."""
        calendar = cast(ClubCalendar, self._tables.calendar)
        today = calendar.day_of(self._tables.clock.now())
        until = read_day(item.until, today)
        if until is None:
            self._refuse(item, self._words["no_day"])
            return
        try:
            await self._tables.club.absences.declare(self._account.id, today, until, today)
        except ClubError as refusal:
            self._refuse(item, refusal.sentence(self._language))
            return
        await self._tables.excusing.declared(self._account.id)
        self._done.notes.append(
            self._words["absent"].format(day=self._tables.call_words.day(self._account, until))
        )

    async def _play(self, item: Line) -> None:
        try:
            self._demand_phase()
            action = self._chair.dictated(item.text, self._role, self._language)
            if action is not None:
                await self._chair.play(action, self._named(item))
                self._done.played += 1
        except NotRead as refusal:
            if not item.is_farewell or refusal.guess:
                self._guesses += 1
                guess = refusal.guess if self._guesses <= GUESSES_MOST else ""
                self._refuse(item, refusal.sentence, guess)
        except (Illegal, ClubError) as refusal:
            self._refuse(item, refusal.sentence(self._language))

    async def _finish(self, item: Item, final: bool) -> None:
        try:
            self._demand_phase()
            actions: list[Action] = self._chair.finishing(self._role, final, self._language)
            for place, action in enumerate(actions):
                await self._chair.play(action, self._named(item, place))
                self._done.played += 1
        except NotRead as refusal:
            self._refuse(item, refusal.sentence)
        except (Illegal, ClubError) as refusal:
            self._refuse(item, refusal.sentence(self._language))

    def _demand_phase(self) -> None:
        """Another phase than the one that was answered is not meant, be it that this letter has ended it."""
        if self._chair.is_over or self._chair.phase != self._phase:
            raise NotRead(self._words["over" if self._chair.is_over else "moved_on"])

    async def _say(self, item: Item, to: tuple[int, ...], speech: str) -> None:
        roles = tuple(role for role in self._chair.roles if role and self._role in (0, role))
        if not roles:
            self._refuse(item, self._words["no_roles"])
            return
        info, press, role = self._chair.info, self._tables.press, roles[0]
        to = tuple(each for each in to if each != role)
        try:
            if info.terms.anonymous:
                await self._tables.unsent.keep(info, self._account.id, role, to, speech, self._named(item))
                self._done.waits = True
            elif to:
                await press.write_all(info, self._account, role, to, speech, once=self._named(item))
                names = ", ".join(self._chair.role_name(each, self._language) for each in to)
                self._done.said.append(self._words["said_to"].format(roles=names))
            else:
                await press.declare(info, self._account, role, speech, once=self._named(item))
                self._done.said.append(self._words["said_to_all"])
        except Conflict:
            return  # said already, by the same letter
        except (ClubError, TableError) as refusal:
            self._refuse(item, refusal.sentence(self._language))

    def _refuse(self, item: Item, why: str, guess: str = "") -> None:
        self._done.refused.append(Refusal(item.text, why, guess))

    def _named(self, item: Item, place: int = 0) -> str:
        text = f"{item.text}\n{place}" if place else item.text
        return request_id(self._account.id, self._message.id, item.number, text)
