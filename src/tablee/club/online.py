"""Who is online: connected to which node through which door, and which of it others may know."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import structlog
from sqlalchemy import bindparam, delete, exists, select

from tablee.clock import Clock
from tablee.club.people import COLUMNS, Account, account_of
from tablee.store import Hint, Query, Store, Unavailable, Unit, Write, upsert
from tablee.store.schema import account, presence

log = structlog.get_logger("tablee.club")

HINT = "presence"
"""Somebody has come or gone, through whichever door."""
AT_ONCE = 500
AGAIN_AFTER = 1_000
"""Milliseconds after which what a database that is away did not take is written again."""


class Online:
    """The accounts connected to this node, by door, and the rows by which the other nodes know of them.

    A door calls `arrive` with an account's first connection and `depart` after its last.
    """

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._here: set[tuple[str, int]] = set()

    # --- asking -----------------------------------------------------------------------------------------

    async def shown(self, ids: Iterable[int]) -> frozenset[int]:
        """Which of these are connected, through whichever door to whichever node, and let others see it."""
        wanted = sorted(set(ids))
        found: set[int] = set()
        for start in range(0, len(wanted), AT_ONCE):
            here = map(account_of, await self._store.rows(_HERE, ids=wanted[start : start + AT_ONCE]))
            found |= {account.id for account in here if not account.hides_visits}
        return frozenset(found)

    async def is_elsewhere(self, door: str, account_id: int) -> bool:
        """Whether somebody is connected through another door, at a table, or to another node."""
        return any(place != (self._store.node_id, door) for place in await self._places(account_id))

    async def is_at_another_node(self, door: str, account_id: int) -> bool:
        """Whether somebody is connected through this door to another node."""
        places = await self._places(account_id)
        return any(there == door and node != self._store.node_id for node, there in places)

    async def _places(self, account_id: int) -> list[tuple[str, str]]:
        rows = await self._store.rows(_PLACES, b_account_id=account_id)
        return [(row.node_id, row.place) for row in rows]

    # --- coming and going -------------------------------------------------------------------------------

    def arrive(self, door: str, account_id: int) -> None:
        """Somebody has connected through this door."""
        self._here.add((door, account_id))
        self._write(door, account_id)

    def depart(self, door: str, account_id: int) -> None:
        """His last connection through this door is gone."""
        self._here.discard((door, account_id))
        self._write(door, account_id)

    async def arrived(self, door: str, account_id: int, *beside: Write, hints: Sequence[Hint] = ()) -> None:
        """`arrive`, and wait until it is written, in one transaction with what is beside it.

        Raises Unavailable: he has not arrived then.
        """
        here = [*hints, Hint(HINT, account_id, "here")]
        await self._store.commit(Unit(writes=[*beside, self.row(door, account_id)], hints=here))
        self._here.add((door, account_id))

    async def arrive_alone(self, door: str, account_id: int) -> bool:
        """Be connected to this node and, through this door, to no other; False if he is.

        Two that come at the same moment to two nodes may both be refused, never both let in.
        """
        self._here.add((door, account_id))
        try:
            await self._store.commit(Unit(writes=[self.row(door, account_id)]))
            is_alone = not await self.is_at_another_node(door, account_id)
        except BaseException:
            self._here.discard((door, account_id))
            raise
        if is_alone:
            self._store.bus.publish([Hint(HINT, account_id, "here")])
        else:
            await self.departed(door, account_id)
        return is_alone

    async def departed(self, door: str, account_id: int) -> None:
        """`depart`, and wait until it is written, unless the database is away."""
        self._here.discard((door, account_id))
        try:
            await self._store.commit(self._unit(door, account_id))
        except Unavailable:
            self._write_later(door, account_id)

    def enter_again(self) -> None:
        """The others took this node for dead and forgot who is connected to it: say it again."""
        for door, account_id in self._here:
            self._write(door, account_id)

    # --- rows -------------------------------------------------------------------------------------------

    def row(self, place: str, account_id: int, table_id: int = 0, seat: int = 0) -> Write:
        """The row that says that somebody is connected here to a place: a door, or a seat at a table."""
        row = {"node_id": self._store.node_id, "place": place, "account_id": account_id}
        return Write(
            _PUT, {**row, "table_id": table_id, "seat": seat, "since": self._clock.now(), "looks": True}
        )

    def _unit(self, door: str, account_id: int) -> Unit:
        """What is so now, to be written: it may have changed since somebody asked for it."""
        if (door, account_id) in self._here:
            return Unit(writes=[self.row(door, account_id)], hints=[Hint(HINT, account_id, "here")])
        gone = {"b_node": self._store.node_id, "b_place": door, "b_account_id": account_id}
        return Unit(writes=[Write(_DROP, gone)], hints=[Hint(HINT, account_id, "gone")])

    def _write(self, door: str, account_id: int) -> None:
        def written(error: Exception | None) -> None:
            if isinstance(error, Unavailable):
                self._write_later(door, account_id)
            elif error is not None:
                log.warning("presence_not_written", door=door, account=account_id, error=str(error))

        self._store.submit(self._unit(door, account_id), written)

    def _write_later(self, door: str, account_id: int) -> None:
        self._clock.call_at(self._clock.now() + AGAIN_AFTER, lambda: self._write(door, account_id))


def knows_visits(viewer: Account | None, of: Account) -> bool:
    """Whether somebody may know when another was here: he himself and administrators always may."""
    if not of.hides_visits:
        return True
    return viewer is not None and (viewer.id == of.id or viewer.is_administrator)


_PUT = Query(upsert(presence))
_DROP = Query(
    delete(presence).where(
        presence.c.node_id == bindparam("b_node"),
        presence.c.place == bindparam("b_place"),
        presence.c.account_id == bindparam("b_account_id"),
    )
)
_PLACES = Query(
    select(presence.c.node_id, presence.c.place).where(presence.c.account_id == bindparam("b_account_id"))
)
_HERE = Query(
    select(*COLUMNS).where(
        account.c.id.in_(bindparam("ids", expanding=True)),
        exists(select(presence.c.node_id).where(presence.c.account_id == account.c.id)),
    )
)
