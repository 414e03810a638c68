"""A running game in a few words, as one of its people may know it: kept until something happens there."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import TYPE_CHECKING

import msgspec
import structlog

from tablee.clock import Instant
from tablee.rules.contract import MASTER, Glance, Seat
from tablee.rules.words import role_names
from tablee.tables.calling import deadline_of, names_for
from tablee.tables.errors import NoSuchGame, NoSuchTable
from tablee.tables.info import HouseTable
from tablee.tables.loaded import LoadedTable
from tablee.tables.roles import roles_in

if TYPE_CHECKING:
    from tablee.tables.hall import Tables

log = structlog.get_logger("tablee.tables")

KEPT_MOST = 20_000
"""About half a kilobyte each."""
NAMED_MOST = 3
"""Of those who are waited for so many are named; the others are counted."""
LATEST_MOST = 200
"""Characters of the sentence on what happened last."""
CATCH_UP = 2_000
LOOK_EVERY = 20
"""Milliseconds for which a table that is behind its log is waited for, and between two looks at it."""
SOON_PUT_AWAY = 50_000
"""A table that was opened for this alone may go so many milliseconds sooner than one at which people play."""


class Seen(msgspec.Struct, frozen=True):
    """A game as it stands for somebody."""

    glance: Glance = Glance()
    roles: tuple[int, ...] = ()
    is_waited_for: bool = False
    """Whether it is his turn, or his orders are owed."""
    waiting: tuple[str, ...] = ()
    """Who else is waited for, by name or role; the first of them."""
    others: int = 0
    """How many more there are."""
    until: Instant | None = None
    is_late: bool = False
    """Whether he has missed the date, and is waited for in grace."""
    latest: str = ""
    latest_at: Instant | None = None

    def waits(self, now: Instant) -> bool:
        """Whether the game needs something of him before it can go on.

        Not where all that he owes is there by a date at which it counts. A master is needed when nobody else
        is waited for, or the date has passed.
        """
        if not self.is_waited_for:
            return False
        if self.roles == (MASTER,):
            return not (self.waiting or self.others) or (self.until is not None and self.until <= now)
        seen = self.glance
        is_given = seen.of > 0 and seen.given == seen.of and self.until is not None and not self.is_late
        return not (seen.is_final or is_given)


class _Kept(msgspec.Struct):
    seq: int
    version: int
    info: HouseTable
    seen: Seen


class Glances:
    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._kept: OrderedDict[tuple[int, int, str], _Kept] = OrderedDict()

    def forget(self) -> None:
        """The database was replaced: what is kept is no longer true."""
        self._kept.clear()

    # Why: docs/decisions.md#a-glance-is-kept-until-the-log-grows
    async def of(self, info: HouseTable, seq: int, account_id: int, language: str) -> Seen:
        """The game for somebody who has a seat there or is its master; `seq` is how long its log is.

        A table is read from its log only where it has grown since the last time.
        """
        key = (info.id, account_id, language)
        kept = self._kept.get(key)
        if kept is not None and kept.seq >= seq and _is_as_it_was(kept.info, info):
            self._kept.move_to_end(key)
            return kept.seen
        was_loaded = info.id in self._tables.loaded
        try:
            loaded = await self._tables.open(info.id)
        except (NoSuchTable, NoSuchGame):
            return Seen()
        await _caught_up(loaded, seq)
        if not was_loaded and loaded.is_idle:
            loaded.used_at -= SOON_PUT_AWAY
        place = info.place_of(account_id)
        version = 0 if loaded.state is None else loaded.version(place)
        if kept is None or kept.version != version or not _is_as_it_was(kept.info, info):
            kept = _Kept(0, version, info, self._look(loaded, info, place, account_id, language))
            self._kept[key] = kept
            if len(self._kept) > KEPT_MOST:
                self._kept.popitem(last=False)
        # An event that told him nothing changes nothing that he sees.
        kept.seq, kept.info = loaded.seq, info
        self._kept.move_to_end(key)
        return kept.seen

    def _look(
        self, loaded: LoadedTable, info: HouseTable, place: Seat, account_id: int, language: str
    ) -> Seen:
        if loaded.state is None or loaded.is_over:
            return Seen()
        try:
            return _seen(loaded, info, place, account_id, language)
        except Exception:  # a game that finds no words must not hide the others from its player
            log.exception("glance_failed", table=info.id, game=info.game)
            return Seen()


def _is_as_it_was(before: HouseTable, now: HouseTable) -> bool:
    return before.seats == now.seats and before.terms == now.terms


async def _caught_up(loaded: LoadedTable, seq: int) -> None:
    """Wait a little for what another node has written."""
    loaded.hint(seq)
    for _ in range(CATCH_UP // LOOK_EVERY):
        if loaded.seq >= seq or loaded.is_closed:
            return
        await asyncio.sleep(LOOK_EVERY / 1000)


def _seen(loaded: LoadedTable, info: HouseTable, place: Seat, account_id: int, language: str) -> Seen:
    rules, state = loaded.rules, loaded.state
    assert state is not None
    names = names_for(info, account_id)
    latest, latest_at = _latest(loaded, info, place, names, language)
    # Where all come and go nobody waits for anybody.
    waiting = loaded.waiting() if info.seats_least else frozenset[Seat]()
    others = [_called(loaded, names, seat, language) for seat in sorted(waiting - {place, MASTER})]
    if MASTER in waiting and place != MASTER and info.host_name and not others:
        others = [info.host_name]
    roles = (MASTER,) if place == MASTER else roles_in(loaded, place)
    late = rules.late(state)
    is_late = late is not None and place != MASTER and not set(roles).isdisjoint(late.roles)
    glance = rules.glance(loaded.view(place), language)
    until = late.until if late is not None and is_late else _until(loaded, place, waiting) or glance.until
    return Seen(
        glance,
        roles,
        place in waiting,
        tuple(others[:NAMED_MOST]),
        len(others[NAMED_MOST:]),
        until,
        is_late,
        latest,
        latest_at,
    )


def _called(loaded: LoadedTable, names: dict[Seat, str], seat: Seat, language: str) -> str:
    """A seat by what it plays where that has a name, else by who sits there."""
    return role_names(loaded.rules.words(language), roles_in(loaded, seat)) or names.get(seat, f"№ {seat}")


def _until(loaded: LoadedTable, place: Seat, waiting: frozenset[Seat]) -> Instant | None:
    """By when he must have played, or where it is not his turn, whoever must first."""
    assert loaded.state is not None
    own = deadline_of(loaded.rules, loaded.state, loaded.clocks, place)
    if own is not None:
        return own
    return min((until for seat, until in loaded.clocks.until.items() if seat in waiting), default=None)


def _latest(
    loaded: LoadedTable, info: HouseTable, place: Seat, names: dict[Seat, str], language: str
) -> tuple[str, Instant | None]:
    """The last thing that he was told; what his seat was told before he came was told to somebody else."""
    sitting = info.at(place)
    since = 0 if sitting is None or info.terms.handed_on else sitting.joined_at
    for happened in loaded.newest():
        if happened.at < since:
            break
        if told := happened.told(place):
            latest = loaded.rules.latest(told, happened.view(place), names, language)
            if latest:
                return latest[:LATEST_MOST], happened.at
    return "", None
