"""The games of somebody from afar: the dates by which he must play, and what has happened at his tables."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID

from tablee.clock import Instant
from tablee.club import Account
from tablee.club.calling.calls import Call
from tablee.club.calling.composing import language_of
from tablee.rules.contract import SPECTATOR
from tablee.rules.words import game_name, load_words
from tablee.store.keys import shared_key
from tablee.tables.calling import owes
from tablee.tables.errors import NoSuchGame, NoSuchTable
from tablee.tables.loaded import LoadedTable

if TYPE_CHECKING:
    from tablee.tables.hall import Tables

DAY = 86_400_000
REMEMBERED = 30 * DAY
"""What happened longer ago is in no feed."""
AHEAD = 366 * DAY
DATES_MOST = 500
"""Reminders that are looked at; a date has two."""
HAPPENINGS_MOST = 50
_HAPPENED = ("begun", "resolved", "over")
_WORDS = load_words("tablee.tables", "calling.toml")


class Deadline(NamedTuple):
    """A date by which somebody must have played at a table; of one table there is one at a time."""

    table_id: int
    title: str
    by: Instant
    set_at: Instant
    """When it became this date."""
    revision: int
    """It grows whenever the date at this table is another."""


class Happening(NamedTuple):
    """Something that happened at a table, as it was told to somebody's seat."""

    id: str
    at: Instant
    title: str
    lines: list[str]
    path: str


class Following:
    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._key: bytes | None = None

    async def deadlines(self, account: Account) -> list[Deadline]:
        """The dates of somebody, as far as he still owes something by them; the soonest first."""
        now = self._tables.clock.now()
        reminders = await self._tables.club.caller.calls.told_of(
            account.id, ["deadline_near"], since=now - REMEMBERED, until=now + AHEAD, most=DATES_MOST
        )
        set_at = {(call.table_id, call.about["by"]): call.about.get("set", 0) for call in reminders}
        found = []
        for table_id in sorted({table_id for table_id, _ in set_at}):
            loaded = await self._opened(table_id)
            seat = SPECTATOR if loaded is None else loaded.info.place_of(account.id)
            by = None if loaded is None or seat == SPECTATOR else owes(loaded, seat)
            if loaded is not None and by is not None and (table_id, by) in set_at:
                found.append(_deadline(loaded, account, by, set_at[table_id, by]))
        return sorted(found, key=lambda date: (date.by, date.table_id))

    async def recent(self, account: Account) -> list[Call]:
        """What somebody was told of his tables of late, the newest first; `happenings` has the words."""
        now = self._tables.clock.now()
        return await self._tables.club.caller.calls.told_of(
            account.id, _HAPPENED, since=now - REMEMBERED, until=now, most=HAPPENINGS_MOST
        )

    async def happenings(self, account: Account, recent: Sequence[Call]) -> list[Happening]:
        """The same in words, without tables that he may no longer enter."""
        found = []
        for call in recent:
            loaded = await self._opened(call.table_id)
            if loaded is None or not await self._tables.admission.may_enter(loaded.info, account.id):
                continue
            said = await self._tables.call_words.retell(account, loaded, call)
            if said is not None:
                title = f"{said.place} – {said.headline.rstrip('.')}"
                found.append(Happening(await self.name_of(*call.key), call.at, title, said.lines, said.path))
        return found

    async def _opened(self, table_id: int) -> LoadedTable | None:
        try:
            return await self._tables.open(table_id)
        except (NoSuchTable, NoSuchGame):
            return None

    async def name_of(self, *parts: object) -> str:
        """A name that stays; how many events a table has had is not to be read off it."""
        if self._key is None:
            self._key = (await shared_key(self._tables.store, "following")).encode()
        said = ".".join(map(str, parts)).encode()
        return UUID(bytes=hmac.digest(self._key, said, hashlib.sha256)[:16], version=4).urn


def _deadline(loaded: LoadedTable, account: Account, by: Instant, set_at: Instant) -> Deadline:
    language, info = language_of(account), loaded.info
    game = game_name(loaded.rules.words(language), info.variant)
    title = _WORDS[language]["deadline"].format(name=info.name, game=game)
    began = info.started_at or info.created_at
    set_at = max(set_at, began)
    return Deadline(info.id, title, by, set_at, (set_at - began) // 1000)
