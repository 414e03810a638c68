"""The caller: takes what is due, asks whether it still matters, and makes letters of it."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Sequence, Set
from typing import NamedTuple, Protocol

import msgspec
import structlog

from tablee.clock import Clock, Instant
from tablee.club.accounts import Accounts
from tablee.club.calling.calls import Call, Calls
from tablee.club.calling.composing import Composer
from tablee.club.calling.wishes import EVERYWHERE, Preferences
from tablee.club.people import Account
from tablee.store import Conflict, Store, StoreError, Unit, Write
from tablee.store.repeating import Repeating

log = structlog.get_logger("tablee.calling")

LOOK_EVERY = 5_000
AT_ONCE = 200
TOGETHER = 5 * 60_000
"""Things of one table within so long are one letter."""
AGAIN_AFTER = 3_600_000
"""A letter that could not be written, by a fault of ours, is tried again after so long."""


class Answerable(NamedTuple):
    """The address to which an answer to a letter goes, and the write without which it is nobody's."""

    address: str
    write: Write


class Said(msgspec.Struct, frozen=True):
    """What a call comes to in words, for one person: a headline, what follows it, where it leads."""

    headline: str
    lines: list[str] = []
    path: str = "/"
    place: str = ""
    """What it is about, such as the name of a table: the subject of a letter."""
    reply_to: Answerable | None = None


class Wording(Protocol):
    """Somebody who has the words for calls about tables."""

    async def word(self, account: Account, table_id: int, calls: Sequence[Call]) -> list[Said | None]:
        """Each call in words; None for one that is no longer so, or no longer his to know."""
        ...


class Caller:
    """`own` has the words for calls about no table."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        accounts: Accounts,
        preferences: Preferences,
        composer: Composer,
        own: Wording,
    ) -> None:
        self._store = store
        self._clock = clock
        self._accounts = accounts
        self._preferences = preferences
        self._composer = composer
        self._own = own
        self.of_tables: Wording | None = None
        """Set by the tables, when they are there."""
        self.calls = Calls(store, clock)
        self._repeating = Repeating("calling", clock, self._turn, LOOK_EVERY)
        self.start = self._repeating.start
        self.stop = self._repeating.stop
        self.wake = self._repeating.wake

    async def _turn(self) -> Instant:
        await self.write_letters()
        return self._clock.now() + LOOK_EVERY

    async def write_letters(self) -> int:
        """Lay every letter that is due in the outbox; answers how many. Raises Unavailable."""
        written = 0
        while True:
            due = await self.calls.claim(AT_ONCE)
            written += await self._write(due)
            if len(due) < AT_ONCE:
                return written

    async def _write(self, due: Sequence[Call]) -> int:
        if not due:
            return 0
        now = self._clock.now()
        people = sorted({call.account_id for call in due})
        accounts = await self._accounts.many(people)
        claimed = {call.key: call for call in due}
        for call in await self.calls.pending(people, now):
            claimed.setdefault(call.key, call)
        tables = sorted({call.table_id for call in claimed.values()})
        chosen = await self._preferences.of_many(people, tables)
        lookers = await self.calls.lookers(people, tables)
        last = await self.calls.last_letters(people)

        is_due = {call.key for call in due}
        units: list[tuple[Unit, int]] = []
        letters: dict[tuple[int, int | None], list[Call]] = defaultdict(list)
        for call in claimed.values():
            account = accounts.get(call.account_id)
            wishes = chosen[call.account_id, call.table_id]
            way = (
                "off"
                if account is None or not account.is_reached
                else wishes.mail(call.kind, is_master=call.is_masters)
            )
            if way == "off" or account is None or (call.account_id, call.table_id) in lookers:
                if call.key in is_due:
                    units.append((Unit(writes=[self.calls.told(call, written=False)]), 0))
            elif way == "now":
                letters[call.account_id, call.table_id].append(call)
            elif (at := self._preferences.digest_at(account, wishes, call.at)) <= now:
                letters[call.account_id, None].append(call)
            elif call.key in is_due:
                units.append((Unit(writes=[self.calls.later(call, at)]), 0))
        for (account_id, table_id), group in letters.items():
            mine = [call for call in group if call.key in is_due]
            lately = last.get((account_id, table_id), 0) if table_id else 0
            if lately + TOGETHER > now:
                wait = [self.calls.later(call, lately + TOGETHER) for call in mine]
                units += [(Unit(writes=[write]), 0) for write in wait]
            elif mine:
                try:
                    units.append(await self._letter(accounts[account_id], group, is_due))
                except StoreError:
                    raise
                except Exception:
                    log.exception("letter_failed", account=account_id, table=table_id)
                    again = [self.calls.later(call, now + AGAIN_AFTER) for call in mine]
                    units += [(Unit(writes=[write]), 0) for write in again]
        return sum(await asyncio.gather(*(self._commit(unit, letters) for unit, letters in units)))

    async def _letter(
        self, account: Account, group: list[Call], is_due: Set[tuple[int, int, str, str]]
    ) -> tuple[Unit, int]:
        """One letter with everything of the group that still matters, and the note that it was told.

        Where nothing that is due matters any more there is none, and the rest waits for its time.
        """
        group = sorted(group, key=lambda call: (call.table_id, call.at, call.kind))
        by_table: dict[int, list[Call]] = defaultdict(list)
        for call in group:
            by_table[call.table_id].append(call)
        said: list[tuple[Call, Said]] = []
        for table_id, calls in by_table.items():
            wording = self._own if table_id == EVERYWHERE else self.of_tables
            worded = [None] * len(calls) if wording is None else await wording.word(account, table_id, calls)
            said += [(call, words) for call, words in zip(calls, worded, strict=True) if words is not None]
        told = {call.key for call, _ in said}
        if told.isdisjoint(is_due):
            group, said = [call for call in group if call.key in is_due], []
            told = set()
        writes = [self.calls.told(call, written=call.key in told) for call in group]
        if said:
            writes.append(await self._composer.write(account, said))
            answers = {words.reply_to.address: words.reply_to for _, words in said if words.reply_to}
            writes += [answer.write for answer in answers.values()]
        return Unit(writes=writes), int(bool(said))

    async def _commit(self, unit: Unit, letters: int) -> int:
        try:
            await self._store.commit(unit)
        except Conflict:
            return 0  # another node was faster
        return letters
