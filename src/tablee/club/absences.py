"""Days on which members are away: declared ahead, so many a year, so that no deadline falls on them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from datetime import date, timedelta

import msgspec
from sqlalchemy import bindparam, delete, insert, select, update

from tablee.club.errors import Invalid, NotFound, Refused
from tablee.store import Duplicate, Query, Store, Unit, Write
from tablee.store.query import Row
from tablee.store.schema import absence

DAYS_A_YEAR = 21
AHEAD_MOST = timedelta(days=2 * 366)
"""Nobody plans further ahead than that."""

_OWN = (absence.c.account_id == bindparam("who"), absence.c.first == bindparam("begins"))
_OF = Query(select(absence).where(absence.c.account_id == bindparam("who")).order_by(absence.c.first))
_REACHING = Query(
    select(absence)
    .where(absence.c.account_id.in_(bindparam("people", expanding=True)), absence.c.last >= bindparam("day"))
    .order_by(absence.c.first)
)
_DECLARE = Query(insert(absence))
_END = Query(update(absence).where(*_OWN).values(last=bindparam("ends")))
_DROP = Query(delete(absence).where(*_OWN, ~absence.c.used))
_USED = Query(update(absence).where(*_OWN).values(used=True))


class Absence(msgspec.Struct, frozen=True):
    """From the first day to the last, both included, by the calendar of the club."""

    account_id: int
    first: date
    last: date
    used: bool = False
    """Whether it has moved a deadline."""

    def covers(self, day: date) -> bool:
        return self.first <= day <= self.last

    def days(self) -> Counter[int]:
        """How many of them fall into each year."""
        number = (self.last - self.first).days + 1
        return Counter((self.first + timedelta(days=each)).year for each in range(number))


class Absences:
    def __init__(self, store: Store, days_a_year: int = DAYS_A_YEAR) -> None:
        self._store = store
        self.days_a_year = days_a_year

    async def of(self, account_id: int) -> list[Absence]:
        """All that somebody has declared, the first one first."""
        return [_read(row) for row in await self._store.rows(_OF, who=account_id)]

    async def reaching(self, people: Collection[int], day: date) -> list[Absence]:
        """The absences of these people that last until this day or longer."""
        if not people:
            return []
        found = await self._store.rows(_REACHING, people=sorted(people), day=day.toordinal())
        return [_read(row) for row in found]

    async def declare(self, account_id: int, first: date, last: date, today: date) -> Absence:
        """From now on no deadline of his falls on these days. Raises Invalid."""
        if first < today:
            raise Invalid("absence_past", "first")
        if last < first:
            raise Invalid("absence_ends_before", "last")
        if last > today + AHEAD_MOST:
            raise Invalid("absence_too_far", "last")
        wanted = Absence(account_id, first, last)
        others = await self.of(account_id)
        if any(each.first <= last and first <= each.last for each in others):
            raise Invalid("absence_overlaps", "first")
        taken = sum((each.days() for each in (*others, wanted)), Counter[int]())
        if any(taken[year] > self.days_a_year for year in wanted.days()):
            raise Invalid("absence_too_long", "last", most=self.days_a_year)
        row = {"account_id": account_id, "first": first.toordinal(), "last": last.toordinal(), "used": False}
        try:
            await self._store.commit(Unit(writes=[Write(_DECLARE, row)]))
        except Duplicate:
            raise Invalid("absence_overlaps", "first") from None
        return wanted

    async def end(self, account_id: int, first: date, today: date) -> None:
        """He is back today, or does not go at all. Raises NotFound; Refused where it has moved a deadline."""
        found = next((each for each in await self.of(account_id) if each.first == first), None)
        if found is None or found.last < today:
            raise NotFound("absence_unknown")
        own = {"who": account_id, "begins": first.toordinal()}
        if found.first <= today:
            await self._store.commit(Unit(writes=[Write(_END, {**own, "ends": today.toordinal()})]))
            return
        if found.used:
            raise Refused("absence_used")
        await self._store.commit(Unit(writes=[Write(_DROP, own)]))

    def using(self, used: Absence) -> Write:
        """The write by which an absence has moved a deadline."""
        return Write(_USED, {"who": used.account_id, "begins": used.first.toordinal()})


def _read(row: Row) -> Absence:
    return Absence(row.account_id, date.fromordinal(row.first), date.fromordinal(row.last), bool(row.used))
