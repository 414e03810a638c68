"""Tables that nobody comes to any more are closed: their people are told before, and nothing is counted.

A tournament's never: who is late, and what becomes of his board, is for the tournament to say.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import structlog

from tablee.clock import Instant
from tablee.rules.contract import CLOCK
from tablee.store import Conflict, Hint, TimeOwed, Unit, Write
from tablee.tables import rows
from tablee.tables.clocks import Days
from tablee.tables.codec import Void
from tablee.tables.errors import NoSuchGame, NoSuchTable, Over, Started
from tablee.tables.info import TOURNAMENT, HouseTable
from tablee.tables.submission import Attachment

if TYPE_CHECKING:
    from tablee.tables.hall import Tables

log = structlog.get_logger("tablee.tables")

MINUTE = 60_000
HOUR = 60 * MINUTE
DAY = 24 * HOUR
CLAIMED_AT_ONCE = 50
"""So many tables are seen to in one round; the others wait for the next."""
LEASE = 5 * MINUTE
"""A table that one node has claimed is left alone by the others for so long."""
KEPT = 30 * DAY
"""A table that was swept, and at which no member ever was, is forgotten after so long."""


class Fate(NamedTuple):
    """Why and when a table is closed unless somebody comes, and how long before that its people are told."""

    reason: str
    at: Instant
    lead: int
    since: Instant
    """A warning from before this moment is none: somebody has come since."""


class Sweeping:
    """Every table has a time at which somebody looks whether it is still wanted; one node claims it."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._store = tables.store
        self._clock = tables.clock
        self._club = tables.club

    async def sweep(self) -> int:
        """See to the tables whose time has come, a few at once; answers how many there were."""
        await self._tables.looks.write()
        now = self._clock.now()
        claimed = await self._store.change(
            rows.CLAIM_SWEEP, b_now=now, b_until=now + LEASE, b_limit=CLAIMED_AT_ONCE
        )
        for row in claimed:
            try:
                await self._see_to(row)
            except (Conflict, NoSuchTable, Over, Started):
                continue  # somebody has just come, or it has just ended: the lease brings it back
            except Exception:
                log.exception("table_not_swept", table=row.id)
        return len(claimed)

    async def give_back(self, pause: TimeOwed) -> None:
        """Nobody could come while no node ran: that time does not count."""
        later = Write(rows.SWEEP_LATER, {"b_by": pause.milliseconds})
        with suppress(Conflict):  # another node that started with us has said so
            await self._store.commit(Unit(writes=[*pause.settled(), later]))

    async def _see_to(self, row: Any) -> None:
        now = self._clock.now()
        info = await self._tables.read_info(row.id)
        if info.door == TOURNAMENT:  # its tournament sees to it: docs/tournaments.md
            await self._look_again(info.id, None)
            return
        if info.status not in ("open", "running"):
            await self._forget(info, now)
            return
        looked_at = info.created_at if row.looked_at is None else row.looked_at
        fate = await self._fate(info, looked_at)
        if fate is None:
            await self._look_again(info.id, now + HOUR)
            return
        warned_at = row.warned_at if row.warned_at is not None and row.warned_at >= fate.since else None
        if warned_at is None and now < fate.at - fate.lead:
            await self._look_again(info.id, fate.at - fate.lead)
        elif warned_at is None:
            await self._warn(info, fate, now, row.sweep_at)
        elif now < max(fate.at, warned_at + fate.lead):
            await self._look_again(info.id, max(fate.at, warned_at + fate.lead))
        else:
            await self._end(info, fate, now)

    async def _fate(self, info: HouseTable, looked_at: Instant) -> Fate | None:
        """What becomes of a table if nobody looks at it any more; None where nothing does."""
        people = [taken for taken in info.taken if taken.robot is None]
        has_member = any(taken.kind == "member" for taken in people)
        if info.host_id is None and not people:
            return None  # laid out by the house for whoever comes first
        by_days = self.is_by_days(info)
        unattended = Fate("unattended", looked_at + HOUR, 15 * MINUTE, looked_at)
        if info.status == "open":
            if not has_member and not await self._is_member(info.host_id):
                return unattended
            age, lead = (60 * DAY, 7 * DAY) if by_days else (7 * DAY, DAY)
            # Not while somebody sits there and waits.
            return Fate("never_begun", max(info.created_at + age, looked_at + HOUR), lead, info.created_at)
        if info.terms.mastered:
            return None  # its master cares for it, and ends it
        if not has_member:
            return unattended
        if len(people) > 1:
            return None if by_days else Fate("deserted", looked_at + DAY, 6 * HOUR, looked_at)
        return Fate("unattended", looked_at + 60 * DAY, 7 * DAY, looked_at) if by_days else unattended

    def is_by_days(self, info: HouseTable) -> bool:
        """Whether its players look in once a day or less."""
        if isinstance(info.time_control, Days):
            return True
        try:
            rules = self._tables.rules(info.game, info.variant)
        except NoSuchGame:
            return True  # nobody can play there now; whoever brings the game back finds his table
        return rules.by_days(msgspec.convert(info.options, rules.options_type))

    async def _is_member(self, account_id: int | None) -> bool:
        found = await self._club.accounts.many([] if account_id is None else [account_id])
        return any(account.is_member for account in found.values())

    async def _look_again(self, table_id: int, at: Instant | None) -> None:
        await self._store.commit(Unit(writes=[Write(rows.SWEEP_AGAIN, {"b_id": table_id, "b_sweep_at": at})]))

    async def _warn(self, info: HouseTable, fate: Fate, now: Instant, claimed: Instant) -> None:
        """Tell its people, once: who was so slow that another node has claimed the table since is refused."""
        at = max(fate.at, now + fate.lead)
        notices, hints = await self._notices("closing_soon", info, fate, at)
        warned = {"b_id": info.id, "b_at": now, "b_sweep_at": at, "b_claimed": claimed}
        await self._store.commit(Unit(writes=[Write(rows.WARNED, warned, expect=1), *notices], hints=hints))

    async def _end(self, info: HouseTable, fate: Fate, now: Instant) -> None:
        void = Void(fate.reason)
        writes = [Write(rows.SWEEP_AGAIN, {"b_id": info.id, "b_sweep_at": now})]
        hints: list[Hint] = []
        if fate.reason != "unattended":  # who practises alone was told once, and that is enough
            notices, hints = await self._notices("table_swept", info, fate, now)
            writes += notices
        if info.status == "open":
            await self._tables.creating.close(info.id, None, result=void.result, also=writes, hints=hints)
        else:
            loaded = await self._tables.open(info.id)
            await self._tables.submit(loaded, CLOCK, void, attached=Attachment(writes=writes, hints=hints))
        log.info("table_swept", table=info.id, game=info.game, reason=fate.reason)

    async def _notices(
        self, kind: str, info: HouseTable, fate: Fate, at: Instant
    ) -> tuple[list[Write], list[Hint]]:
        """What the host and those who sit there are told."""
        people = {taken.account_id for taken in info.taken if taken.robot is None}
        if info.host_id is not None:
            people.add(info.host_id)
        about = {
            "table": info.id,
            "name": info.name,
            "game": info.game,
            "variant": info.variant,
            "reason": fate.reason,
            "at": at,
        }
        notices = self._club.notices
        writes = [
            write
            for account_id in sorted(people)
            for write in await notices.add_writes(account_id, kind, about)
        ]
        return writes, [notices.hint(account_id) for account_id in sorted(people)]

    async def _forget(self, info: HouseTable, now: Instant) -> None:
        """A table that is over is let alone; of one without members and without an end nothing is kept."""
        is_kept = info.status == "over" and not info.is_void
        is_kept = is_kept or any(taken.kind == "member" for taken in info.seats)
        if is_kept or await self._is_member(info.host_id):
            await self._look_again(info.id, None)
        elif info.ended_at is not None and now < info.ended_at + KEPT:
            await self._look_again(info.id, info.ended_at + KEPT)
        else:
            await self._tables.mastering.erase(info.id)
