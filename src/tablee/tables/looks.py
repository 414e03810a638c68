"""When somebody last looked at each table, kept to the half minute."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from tablee.clock import Clock
from tablee.store import Store, Unit, Write
from tablee.tables import rows
from tablee.tables.presence import Presence

AT_ONCE = 500


class Looks:
    """What this node has seen of it since the last sweep; a killed node takes half a minute with it."""

    def __init__(self, store: Store, clock: Clock, presence: Presence) -> None:
        self._store = store
        self._clock = clock
        self._presence = presence
        self._seen: set[int] = set()
        self._watched: Counter[int] = Counter()

    def note(self, table_id: int) -> None:
        """Somebody has looked at a table, or played there."""
        self._seen.add(table_id)

    def watch(self, table_id: int) -> Callable[[], None]:
        """Somebody looks at a table until he calls what this answers."""
        self._watched[table_id] += 1

        def gone() -> None:
            self._seen.add(table_id)
            self._watched[table_id] -= 1
            if self._watched[table_id] <= 0:
                del self._watched[table_id]

        return gone

    async def write(self) -> None:
        """Write down at which tables somebody was since the last time, or is now."""
        seen, self._seen = self._seen, set()
        ids = sorted(seen.union(self._watched, self._presence.tables()))
        now = self._clock.now()
        for start in range(0, len(ids), AT_ONCE):
            params = {"b_ids": ids[start : start + AT_ONCE], "b_at": now}
            await self._store.commit(Unit(writes=[Write(rows.LOOKED_AT, params)]))
