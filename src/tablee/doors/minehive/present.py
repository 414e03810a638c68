"""Who is here: available at the server, or in a match, on this node and on the others."""

from __future__ import annotations

from contextlib import suppress
from typing import NamedTuple, Protocol

import structlog

from tablee.clock import Clock
from tablee.club import points
from tablee.club.online import Online
from tablee.store import Conflict, Hint, Store, Unavailable, Unit, Write
from tablee.tables.attendance import Attendance

log = structlog.get_logger("tablee.minehive")

DOOR = "minehive"
GAME, VARIANT = "mines", "classic"
AGAIN_AFTER = 1_000
"""Milliseconds after which what a database that is gone did not take is tried again."""
TOPIC = "minehive"
"""Hints about one account: `here NODE`, `playing`, `invited TABLE`."""
_ASK = Attendance(DOOR, GAME, VARIANT)


class Available(Protocol):
    """The connection of somebody who is available."""

    def superseded(self) -> None:
        """Another connection, or a match, has him now."""
        ...

    def invite(self, line: str) -> None: ...


class Whereabouts(NamedTuple):
    """The match that somebody is in: a table, or the address of somebody else's host."""

    table_id: int
    ip: str = ""
    port: int = 0


class Present:
    """The list of those present. What is said here of other nodes comes from the database."""

    def __init__(self, store: Store, clock: Clock, online: Online) -> None:
        self._store = store
        self._clock = clock
        self._online = online
        self.here: dict[int, Available] = {}
        """The available players of this node, by account."""
        self.out: set[tuple[int, int]] = set()
        """(table, account) of those whom the death of a host has put out of their match."""

    # --- asking -----------------------------------------------------------------------------------------

    async def count(self) -> int:
        """How many are available or in a match."""
        row = await self._store.one(_ASK.count, b_node=self._store.node_id)
        return len(self.here) + (int(row.n) if row is not None else 0)

    async def counts(self, account_id: int) -> bool:
        """Whether he is one of those counted."""
        if account_id in self.here:
            return True
        node = self._store.node_id
        return await self._store.one(_ASK.counted, b_account_id=account_id, b_node=node) is not None

    async def match_of(self, account_id: int) -> Whereabouts | None:
        """The match that he is in, connected or not."""
        for row in await self._store.rows(_ASK.matches_of, b_account_id=account_id):
            if (row.id, account_id) not in self.out:
                return Whereabouts(int(row.id))
        row_elsewhere = await self._store.one(_ASK.host_of, b_account_id=account_id)
        if row_elsewhere is None:
            return None
        ip, _, port = str(row_elsewhere.place).removeprefix(_ASK.elsewhere).rpartition(" ")
        return Whereabouts(0, ip, int(port))

    async def points(self, account_id: int) -> int:
        return await points.points_of(self._store, account_id, GAME, VARIANT)

    async def available(self) -> list[tuple[str, int]]:
        """Name and points of all who are available, on every node."""
        rows = await self._store.rows(_ASK.available)
        mine = self._store.node_id
        return [
            (row.pseudo, row.points) for row in rows if row.node_id != mine or row.account_id in self.here
        ]

    async def users(self) -> list[tuple[str, int]]:
        """Name and points of all who ever came in by this door or played mines."""
        return await points.players_of(self._store, GAME, VARIANT)

    async def matches(self) -> list[tuple[int, str]]:
        """Number and name of every table that is a running match."""
        return [(int(row.id), str(row.name)) for row in await self._store.rows(_ASK.matches)]

    async def made_by(self, account_id: int) -> int:
        """How many of the running matches he has made, on whichever node."""
        row = await self._store.one(_ASK.made_by, b_account_id=account_id)
        return int(row.n) if row is not None else 0

    # --- coming and going -------------------------------------------------------------------------------

    async def arrive(self, account_id: int, connection: Available) -> None:
        """He is available here, and nowhere else; raises Unavailable."""
        node = self._store.node_id
        await self._online.arrived(
            DOOR,
            account_id,
            Write(_ASK.drop_from_others, {"b_account_id": account_id, "b_node": node}),
            self.known(account_id),
            hints=[Hint(TOPIC, account_id, f"here {node}")],
        )
        older = self.here.get(account_id)
        self.here[account_id] = connection
        if older is not None and older is not connection:
            older.superseded()

    def depart(self, account_id: int, connection: Available) -> None:
        """His connection is gone."""
        if self.here.get(account_id) is connection:
            del self.here[account_id]
            self._online.depart(DOOR, account_id)

    def playing(self, account_id: int) -> None:
        """He is in a match now: his connections to the servers are closed."""
        drop = Write(_ASK.drop_everywhere, {"b_account_id": account_id})
        self._store.submit(Unit(writes=[drop], hints=[Hint(TOPIC, account_id, "playing")]), _complain)
        self.supersede(account_id)

    def supersede(self, account_id: int) -> None:
        connection = self.here.pop(account_id, None)
        if connection is not None:
            self._online.depart(DOOR, account_id)
            connection.superseded()

    def known(self, account_id: int) -> Write:
        """The row by which an account is one of the users of this door."""
        return points.known_write(account_id, GAME, VARIANT)

    # --- matches of other people's hosts ----------------------------------------------------------------

    async def enter_elsewhere(self, account_id: int, ip: str, port: int) -> None:
        """He is in a match of somebody else's host, at this address; raises Unavailable."""
        await self._store.commit(
            Unit(
                writes=[self._online.row(f"{_ASK.elsewhere}{ip} {port}", account_id), self.known(account_id)]
            )
        )

    def leave_elsewhere(self, account_id: int) -> None:
        """He is out of it; what cannot be written now is written when the database is back."""

        def written(error: Exception | None) -> None:
            if isinstance(error, Unavailable):
                again = self._clock.now() + AGAIN_AFTER
                self._clock.call_at(again, lambda: self.leave_elsewhere(account_id))
            else:
                _complain(error)

        row = {"b_account_id": account_id, "b_node": self._store.node_id}
        self._store.submit(Unit(writes=[Write(_ASK.drop_hosted, row)]), written)

    async def score(self, account_id: int, won: int) -> None:
        """Add what he won there to his points, and let him out; raises Unavailable."""
        await self._store.commit(self._scoring(account_id, won, None))

    async def score_once(self, account_id: int, won: int) -> None:
        """Score what may have been written already: that is so if he is out; raises Unavailable."""
        with suppress(Conflict):
            await self._store.commit(self._scoring(account_id, won, 1))

    def _scoring(self, account_id: int, won: int, let_out: int | None) -> Unit:
        row = {"b_account_id": account_id, "b_node": self._store.node_id}
        add = points.add_write(account_id, GAME, VARIANT, won)
        return Unit(writes=[self.known(account_id), add, Write(_ASK.drop_hosted, row, expect=let_out)])

    # --- between nodes ----------------------------------------------------------------------------------

    def invite(self, account_ids: list[int], table_id: int) -> None:
        """Tell the nodes where these people are available."""
        self._store.bus.publish([Hint(TOPIC, who, f"invited {table_id}") for who in account_ids])

    async def available_ids(self) -> dict[str, int]:
        """Who is available anywhere: account by key of the name."""
        return {row.pseudo_key: row.account_id for row in await self._store.rows(_ASK.available)}

    async def check(self) -> None:
        """After hints were lost: let go of those whom another node or a match has taken."""
        rows = await self._store.rows(_ASK.mine, b_node=self._store.node_id)
        kept = {row.account_id for row in rows}
        for account_id in [who for who in self.here if who not in kept]:
            self.supersede(account_id)


def _complain(error: Exception | None) -> None:
    if error is not None:
        log.warning("minehive_roll_not_written", error=str(error))
