"""What one node does for all: it holds the lease, and says so again before that runs out."""

from __future__ import annotations

from sqlalchemy import bindparam, delete, or_, select
from sqlalchemy.dialects.postgresql import insert as insert_with_conflict

from tablee.clock import Clock
from tablee.store.query import Query
from tablee.store.schema import lease
from tablee.store.store import Store
from tablee.store.units import Unit, Write

_offered = insert_with_conflict(lease)
_TAKE = Query(
    _offered.on_conflict_do_update(
        index_elements=["name"],
        set_={"node_id": _offered.excluded.node_id, "until": _offered.excluded.until},
        where=or_(lease.c.node_id == _offered.excluded.node_id, lease.c.until < bindparam("now")),
    ).returning(lease.c.node_id)
)
_ANOTHERS = Query(
    select(lease.c.node_id).where(
        lease.c.name == bindparam("what"),
        lease.c.node_id != bindparam("whose"),
        lease.c.until >= bindparam("now"),
    )
)
_DROP = Query(delete(lease).where(lease.c.name == bindparam("what"), lease.c.node_id == bindparam("whose")))


class Lease:
    """The right to do something alone, for so many milliseconds at a time."""

    def __init__(self, store: Store, clock: Clock, name: str, length: int) -> None:
        self._store = store
        self._clock = clock
        self._name = name
        self._length = length

    async def take(self) -> bool:
        """Have it, or have it for longer; False while another node has it. Raises Unavailable."""
        now = self._clock.now()
        row = {"name": self._name, "node_id": self._store.node_id, "until": now + self._length}
        return bool(await self._store.change(_TAKE, **row, now=now))

    async def is_anothers(self) -> bool:
        """Whether another node has it. Raises Unavailable."""
        who = {"what": self._name, "whose": self._store.node_id}
        return await self._store.one(_ANOTHERS, **who, now=self._clock.now()) is not None

    async def give_up(self) -> None:
        """Let another node have it at once. Raises Unavailable."""
        given = {"what": self._name, "whose": self._store.node_id}
        await self._store.commit(Unit(writes=[Write(_DROP, given)]))
