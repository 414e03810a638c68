"""The caller: takes what is due, asks whether it still matters, and makes letters of it."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Sequence, Set
from typing import NamedTuple, Protocol

import msgspec
import structlog

from tablee.breath import Breath
from tablee.clock import Clock, Instant
from tablee.club.accounts import Accounts
from tablee.club.calling.calls import MAIL, Call, Calls, Key
from tablee.club.calling.catalogue import KINDS
from tablee.club.calling.composing import Composer
from tablee.club.calling.wishes import EVERYWHERE, Chosen, Preferences
from tablee.club.people import Account
from tablee.store import Conflict, Store, StoreError, Unavailable, Unit, Write
from tablee.store.repeating import Repeating

log = structlog.get_logger("tablee.calling")

LOOK_EVERY = 5_000
AT_ONCE = 100
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
    until: Instant | None = None
    """When it will no longer be so, where that is known: a push message is not kept for longer."""


class Wording(Protocol):
    """Somebody who has the words for calls about tables."""

    async def word(self, account: Account, table_id: int, calls: Sequence[Call]) -> list[Said | None]:
        """Each call in words; None for one that is no longer so, or no longer his to know."""
        ...


class _Asked(NamedTuple):
    """All that is known of those of whom something is due."""

    now: Instant
    calls: dict[int, list[Call]]
    """By person: what is due, and what else waits to be told to him."""
    due: Set[Key]
    accounts: dict[int, Account]
    wishes: dict[tuple[int, int], Chosen]
    lookers: Set[tuple[int, int]]
    last: dict[tuple[int, int], Instant]


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
        """Set by the tables while they are open: nobody is called before, since nobody has the words."""
        self.on_letters: Callable[[], object] = lambda: None
        """Told that letters were laid in the outbox."""
        self.calls = Calls(store, clock, MAIL)
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
        while self.of_tables is not None:
            due = await self.calls.claim(AT_ONCE)
            letters = await self._write(due)
            if letters:
                self.on_letters()
            written += letters
            if len(due) < AT_ONCE:
                break
        return written

    async def _write(self, due: Sequence[Call]) -> int:
        if not due:
            return 0
        asked = await self._ask(due)
        units: list[tuple[Unit, int]] = []
        breath = Breath()
        for account_id, calls in asked.calls.items():
            letters, settled = self._sort(asked, account_id, calls)
            units += [(Unit(writes=[write]), 0) for write in settled]
            for group in letters:
                units += await self._tried(asked, account_id, group)
                await breath.take()
        return sum(await asyncio.gather(*(self._commit(unit, letters) for unit, letters in units)))

    async def _ask(self, due: Sequence[Call]) -> _Asked:
        """All that must be known of those of whom something is due, in a few questions."""
        now = self._clock.now()
        people = sorted({call.account_id for call in due})
        claimed = {call.key: call for call in due}
        for call in await self.calls.pending(people, now):
            claimed.setdefault(call.key, call)
        calls: dict[int, list[Call]] = defaultdict(list)
        for call in claimed.values():
            calls[call.account_id].append(call)
        tables = sorted({call.table_id for call in claimed.values()})
        return _Asked(
            now,
            calls,
            {call.key for call in due},
            await self._accounts.many(people),
            await self._preferences.of_many({(call.account_id, call.table_id) for call in claimed.values()}),
            await self.calls.lookers(people, tables),
            await self.calls.last_told(people, now - TOGETHER + 1, now),
        )

    def _sort(
        self, asked: _Asked, account_id: int, calls: Sequence[Call]
    ) -> tuple[list[list[Call]], list[Write]]:
        """What of somebody's calls makes a letter now, each with what it is told together with; and the rest.

        What is not due yet waits for its own time, unless a letter goes there now.
        """
        now, account = asked.now, asked.accounts.get(account_id)
        letters: dict[int | None, list[Call]] = defaultdict(list)
        settled: list[Write] = []
        for call in calls:
            wishes = asked.wishes[account_id, call.table_id]
            is_due = call.key in asked.due
            if call.kind not in KINDS:
                # Written by a node of a newer version, which will take it.
                settled += [self.calls.later(call, now + AGAIN_AFTER)] if is_due else []
                continue
            is_reached = account is not None and account.is_reached
            if account is not None and account.is_shut_out(now) and not KINDS[call.kind].must:
                is_reached = False  # he could not come
            way = wishes.mail(call.kind, is_master=call.is_masters) if is_reached else "off"
            if way == "off" or account is None or (account_id, call.table_id) in asked.lookers:
                settled += [self.calls.told(call, written=False)] if is_due else []
            elif way == "now":
                letters[call.place].append(call)
            elif (at := self._preferences.digest_at(account, wishes, call.at)) <= now:
                letters[None].append(call)
            elif is_due:
                settled.append(self.calls.later(call, at))
        ready = []
        for place, group in letters.items():
            mine = [call for call in group if call.key in asked.due]
            lately = None if place is None else asked.last.get((account_id, place))
            if lately is not None and not any(KINDS[call.kind].must for call in mine):
                settled += [self.calls.later(call, lately + TOGETHER) for call in mine]
            elif mine:
                ready.append(group)
        return ready, settled

    async def _tried(self, asked: _Asked, account_id: int, group: list[Call]) -> list[tuple[Unit, int]]:
        """One letter; where we have a fault that keeps it from being written, it keeps no other."""
        try:
            return [await self._letter(asked.accounts[account_id], group, asked.due)]
        except StoreError:
            raise
        except Exception:
            log.exception("letter_failed", account=account_id, table=group[0].table_id)
            mine = [call for call in group if call.key in asked.due]
            again = asked.now + AGAIN_AFTER
            return [(Unit(writes=[self.calls.later(call, again)]), 0) for call in mine]

    async def _letter(self, account: Account, group: list[Call], is_due: Set[Key]) -> tuple[Unit, int]:
        """One letter with everything of the group that still matters, and the note that it was told.

        Where nothing that is due matters any more there is none, and the rest waits for its time.
        """
        group = sorted(group, key=lambda call: (call.table_id, call.at, call.kind))
        by_table: dict[int, list[Call]] = defaultdict(list)
        for call in group:
            by_table[call.table_id].append(call)
        said: list[tuple[Call, Said]] = []
        for table_id, calls in by_table.items():
            said += await self.word(account, table_id, calls)
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

    async def word(self, account: Account, table_id: int, calls: Sequence[Call]) -> list[tuple[Call, Said]]:
        """What is still so of some calls about one table, or about none, in words. Raises Unavailable."""
        wording = self._own if table_id == EVERYWHERE else self.of_tables
        if wording is None:
            raise Unavailable("The tables are closed.")  # what was claimed is another node's soon
        worded = await wording.word(account, table_id, calls)
        return [(call, words) for call, words in zip(calls, worded, strict=True) if words is not None]

    async def _commit(self, unit: Unit, letters: int) -> int:
        try:
            await self._store.commit(unit)
        except Conflict:
            return 0  # another node was faster
        return letters
