"""Deadlines that wait for people: behind an absence, once a phase; a day more for who asks, once a game."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import TYPE_CHECKING

import structlog

from tablee.clock import Instant
from tablee.club.absences import Absence
from tablee.rules.contract import CLOCK, Illegal, Postpone, Seat
from tablee.store import StoreError
from tablee.tables.calendar import ClubCalendar
from tablee.tables.errors import NotSeated, NotStarted, TableError
from tablee.tables.roles import holders
from tablee.tables.submission import Attachment

if TYPE_CHECKING:
    from tablee.tables.hall import Tables
    from tablee.tables.loaded import LoadedTable

log = structlog.get_logger("tablee.tables")

DAY = 86_400_000
AT_ONCE = 50


class Excusing:
    """Looks at each new deadline once, and again when somebody declares an absence."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._club = tables.club
        self._looked: dict[int, Instant] = {}

    def consider(self, loaded: LoadedTable) -> None:
        """See soon whether the deadline of this table falls into an absence, unless that is known."""
        due = self._deadline(loaded)
        if due is not None and self._looked.get(loaded.info.id) != due:
            self._tables.spawn(self.excuse(loaded), f"absences at table {loaded.info.id}")

    async def excuse(self, loaded: LoadedTable) -> None:
        """Move the deadline of this table behind the absences of those who still owe something by it."""
        due, calendar = self._deadline(loaded), self._tables.calendar
        if due is None or not isinstance(calendar, ClubCalendar):
            return
        self._looked[loaded.info.id] = due
        people = self._owing(loaded)
        try:
            absences = await self._club.absences.reaching(people.keys(), calendar.day_of(due))
            used, last = _chain(absences, calendar.day_of(due))
            if not used:
                return
            seats = tuple(sorted({people[each.account_id] for each in used}))
            action = Postpone(
                seats,
                calendar.evening_of(last + timedelta(days=1), 0),
                "absence",
                named=not loaded.info.terms.anonymous,
            )
            attached = Attachment(writes=[self._club.absences.using(each) for each in used])
            await self._tables.submit(loaded, CLOCK, action, attached=attached)
        except (Illegal, TableError) as refusal:
            log.debug("not_postponed", table=loaded.info.id, refusal=str(refusal))
        except StoreError as error:
            # Whoever loads the table, or the next event, tries again; nobody is kept from playing by it.
            self._looked.pop(loaded.info.id, None)
            log.warning("absences_not_looked_at", table=loaded.info.id, error=str(error))

    async def declared(self, account_id: int) -> None:
        """Somebody will be away: look at every game that he plays."""
        before: int | None = None
        while True:
            found = await self._tables.lobby.of_account(account_id, ("running",), before, AT_ONCE)
            for info in found:
                if self._tables.rules(info.game, info.variant).postpones:
                    await self.excuse(await self._tables.open(info.id))
            if len(found) < AT_ONCE:
                return
            before = found[-1].id

    async def extend(self, table_id: int, account_id: int) -> None:
        """A player has a day more, once a game. Raises NotSeated, NotStarted, TableError, Illegal."""
        loaded = await self._tables.open(table_id)
        taken = loaded.info.seat_of(account_id)
        if taken is None:
            raise NotSeated()
        if not loaded.rules.postpones or not loaded.info.terms.extensions:
            raise TableError("no_extensions")
        if loaded.state is None:
            raise NotStarted()
        owed = loaded.rules.owed(loaded.state)
        if owed is None:
            raise TableError("no_extensions")
        named = not loaded.info.terms.anonymous
        action = Postpone((taken.seat,), owed.by + DAY - 1, "extension", named)
        await self._tables.submit(loaded, CLOCK, action)

    def forget(self, table_id: int) -> None:
        self._looked.pop(table_id, None)

    def _deadline(self, loaded: LoadedTable) -> Instant | None:
        """The date by which something is owed here, where absences count."""
        if (
            not loaded.rules.postpones
            or loaded.state is None
            or loaded.is_over
            or not loaded.info.terms.absences
        ):
            return None
        owed = loaded.rules.owed(loaded.state)
        return None if owed is None else owed.by

    def _owing(self, loaded: LoadedTable) -> dict[int, Seat]:
        """The people who still owe something, with their seats."""
        owed = None if loaded.state is None else loaded.rules.owed(loaded.state)
        dealt = holders(loaded)
        seats = set() if owed is None else {dealt[role - 1] for role in owed.roles}
        return {
            taken.account_id: taken.seat
            for taken in loaded.info.taken
            if taken.seat in seats and taken.robot is None
        }


def _chain(absences: Sequence[Absence], day: date) -> tuple[list[Absence], date]:
    """The absences that stand in the way of this day, and of the first one behind those, and so on."""
    used: list[Absence] = []
    while True:
        found = [each for each in absences if each.covers(day)]
        if not found:
            return used, day - timedelta(days=1)
        used += found
        day = max(each.last for each in found) + timedelta(days=1)
