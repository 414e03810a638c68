"""When somebody was in the house before he came this time: what has happened since is news to him."""

from __future__ import annotations

from collections import OrderedDict

import structlog
from sqlalchemy import bindparam, case, select

from tablee.clock import Clock, Instant
from tablee.store import Query, Store, Unit, Write, upsert
from tablee.store.schema import house_visit

log = structlog.get_logger("tablee.club")

MINUTE = 60_000
AWAY_FOR = 30 * MINUTE
"""Who was not seen for so long has been away: what he sees then is another visit. A page that is loaded anew,
a second one, or a telephone beside it are all the same visit."""
NOTED_EVERY = 5 * MINUTE
DAY = 24 * 60 * MINUTE
FIRST_LOOK_BACK = 7
"""How many days somebody looks back who was never seen before."""
REMEMBERED = 50_000

_at, _before = house_visit.c.at, house_visit.c.before
_SEEN = Query(
    upsert(
        house_visit,
        become=lambda offered: {
            "before": case((offered.at - _at > AWAY_FOR, _at), else_=_before),
            "at": case((offered.at > _at, offered.at), else_=_at),
        },
    )
)
_LAST = Query(select(_at, _before).where(house_visit.c.account_id == bindparam("who")))


# Why: docs/decisions.md#a-visit-ends-with-half-an-hour-away
class Visits:
    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._noted: OrderedDict[int, Instant] = OrderedDict()

    def seen(self, account_id: int) -> None:
        """Somebody has a page before his eyes; written now and then, and lost where the database is away."""
        now = self._clock.now()
        if 0 <= now - self._noted.get(account_id, -NOTED_EVERY) < NOTED_EVERY:
            return
        self._noted[account_id] = now
        self._noted.move_to_end(account_id)
        if len(self._noted) > REMEMBERED:
            self._noted.popitem(last=False)
        row = {"account_id": account_id, "at": now, "before": _first_look(now)}

        def written(error: Exception | None) -> None:
            if error is not None:
                self._noted.pop(account_id, None)
                log.warning("visit_not_noted", account=account_id, error=str(error))

        self._store.submit(Unit(writes=[Write(_SEEN, row)]), written)

    async def last(self, account_id: int) -> Instant:
        """When the visit before this one ended; the same for as long as this one lasts."""
        now = self._clock.now()
        found = await self._store.one(_LAST, who=account_id)
        if found is None:
            return _first_look(now)
        return int(found.at if now - found.at > AWAY_FOR else found.before)


def _first_look(now: Instant) -> Instant:
    """The same all day long, so that nothing seems new by the mere passing of time."""
    return (now // DAY - FIRST_LOOK_BACK) * DAY
