"""How somebody keeps his word at games with deadlines: reliability, regularity, performance.

The formulas are written down for players in `docs/club.md`.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from sqlalchemy import bindparam, select
from sqlalchemy.dialects.postgresql import insert

from tablee.clock import Clock, Instant
from tablee.club.ratings import Ratings
from tablee.store import Query, Store, Write
from tablee.store.schema import conduct

WEEK = 7 * 86_400_000
FIRST_MONDAY = 4 * 86_400_000
REMEMBERED_WEEKS = 104
"""Older weeks no longer count for the reliability."""
REGULAR_WEEKS = 26
GOODWILL = 5
"""So many phases in time everybody is granted to start with."""
DROPPED_COUNTS = 10
"""A game given up weighs as much as so many phases too late."""

_ADD = insert(conduct)
_COUNT = Query(
    _ADD.on_conflict_do_update(
        index_elements=["account_id", "week"],
        set_={name: conduct.c[name] + _ADD.excluded[name] for name in ("owed", "late", "dropped")},
    )
)
_OF = Query(
    select(conduct.c.week, conduct.c.owed, conduct.c.late, conduct.c.dropped).where(
        conduct.c.account_id == bindparam("who"), conduct.c.week > bindparam("after")
    )
)


class Figures(msgspec.Struct, frozen=True):
    """What a master may ask of who wants to play."""

    reliability: int
    """0 to 100: the share of phases whose orders were there at the deadline."""
    regularity: int
    """0 to 100: the share of the last 26 weeks in which he played in time."""
    performance: int
    """His rating; 1500 before the first game."""


class Kept(msgspec.Struct, frozen=True):
    """How somebody has kept his word over the last two years, with what that is reckoned from."""

    reliability: int
    regularity: int
    owed: int
    late: int
    dropped: int


class Conduct:
    def __init__(self, store: Store, clock: Clock, ratings: Ratings) -> None:
        self._store = store
        self._clock = clock
        self._ratings = ratings

    def writes(self, at: Instant, counted: Mapping[int, tuple[int, int, int]]) -> list[Write]:
        """The writes that count, for each account, phases owed, late, and games dropped."""
        week = week_of(at)
        return [
            Write(
                _COUNT,
                {"account_id": account_id, "week": week, "owed": owed, "late": late, "dropped": dropped},
            )
            for account_id, (owed, late, dropped) in sorted(counted.items())
            if owed or late or dropped
        ]

    async def of(self, account_id: int, game: str, variant: str) -> Figures:
        """The three figures of somebody now, the third in one variant."""
        kept = await self.kept(account_id)
        standing = await self._ratings.standing(account_id, game, variant)
        return Figures(kept.reliability, kept.regularity, standing.rating)

    async def kept(self, account_id: int) -> Kept:
        """The two figures that belong to no game, and what they are made of."""
        now = week_of(self._clock.now())
        weeks = await self._store.rows(_OF, who=account_id, after=now - REMEMBERED_WEEKS)
        counted = [[getattr(week, name) for week in weeks] for name in ("owed", "late", "dropped")]
        owed, late, dropped = map(sum, counted)
        regular = sum(week.week > now - REGULAR_WEEKS and week.owed > week.late for week in weeks)
        return Kept(reliability(owed, late, dropped), regularity(regular), owed, late, dropped)


def week_of(at: Instant) -> int:
    """The number of a week, which begins on a Monday."""
    return (at - FIRST_MONDAY) // WEEK


def reliability(owed: int, late: int, dropped: int) -> int:
    """100 · (owed − late + 5) / (owed + 5 + 10 · dropped), rounded: a newcomer has 100."""
    in_time = max(0, owed - late) + GOODWILL
    return round(100 * in_time / (max(owed, late) + GOODWILL + DROPPED_COUNTS * dropped))


def regularity(weeks: int) -> int:
    """100 · weeks / 26, rounded."""
    return round(100 * min(weeks, REGULAR_WEEKS) / REGULAR_WEEKS)
