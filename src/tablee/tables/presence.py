"""Who is connected to which seat. What presence means to a game is in its log, as `Away` and `Back`."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

import structlog

from tablee.rules.contract import Action, Away, Back, Illegal, Seat
from tablee.store import Hint, StoreError, Unavailable, Unit, Write
from tablee.tables import rows
from tablee.tables.errors import TableError
from tablee.tables.submission import Attachment
from tablee.tasks import insist

if TYPE_CHECKING:
    from tablee.tables.hall import Tables

log = structlog.get_logger("tablee.tables")


class Presence:
    """Connections of this node, counted by seat; a row in the database for every seat with at least one."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._store = tables.store
        self._here: dict[int, Counter[tuple[Seat, int]]] = {}
        self._hidden: Counter[tuple[int, Seat, int]] = Counter()
        """Of the connections, those of pages that are open and not before anybody's eyes."""
        self._locks: WeakValueDictionary[tuple[int, Seat], asyncio.Lock] = WeakValueDictionary()

    def tables(self) -> Iterable[int]:
        """The tables to which somebody is connected here."""
        return self._here.keys()

    def anybody_at(self, table_id: int) -> bool:
        return table_id in self._here

    def is_here(self, table_id: int, seat: Seat) -> bool:
        """Whether this seat is connected to this node."""
        return any(taken == seat for taken, _ in self._here.get(table_id, ()))

    async def arrive(self, table_id: int, seat: Seat, account_id: int) -> None:
        """One more connection of a seat; the first brings it back into the game."""
        self._tables.looks.note(table_id)
        here = self._here.setdefault(table_id, Counter())
        here[seat, account_id] += 1
        if here[seat, account_id] > 1:
            if (table_id, seat, account_id) in self._hidden:
                await self._note_looks(table_id, seat, account_id)
            return
        try:
            async with self._turn(table_id, seat):
                await self._enter(table_id, seat, account_id)
        except BaseException:
            self._count_off(table_id, seat, account_id)
            raise

    async def come_back(self, table_id: int, seat: Seat, account_id: int) -> bool:
        """Bring a seat back that is away or inattentive; False where it is active already, at any node.

        That it is connected here is written in the same transaction; `arrive` counts the connection.
        """
        here = Attachment([self._tables.club.online.row("table", account_id, table_id, seat)])
        loaded = await self._tables.open(table_id)
        if (await self._tables.submit(loaded, seat, Back(), attached=here)).happened is not None:
            return True
        if seat in await self.present(table_id):
            return False
        # A node that was killed just after it let him in could not say that he is away.
        await self._tables.submit(loaded, seat, Away())
        await self._tables.submit(loaded, seat, Back(), attached=here)
        return True

    async def look(self, table_id: int, seat: Seat, account_id: int, *, hides: bool) -> None:
        """A page that is connected was hidden, or is seen again: who sees none of his is called by letter."""
        self._hidden[table_id, seat, account_id] += 1 if hides else -1
        await self._note_looks(table_id, seat, account_id)

    async def _note_looks(self, table_id: int, seat: Seat, account_id: int) -> None:
        key = (table_id, seat, account_id)
        looks = self._hidden[key] < self._here.get(table_id, Counter())[seat, account_id]
        if not self._hidden[key]:
            del self._hidden[key]
        who = {"b_account_id": account_id, "b_table_id": table_id}
        writes = [Write(rows.LOOK, {**who, "b_node": self._store.node_id, "b_looks": looks})]
        if not looks:
            writes.append(Write(rows.SEEN_SEAT, {**who, "b_at": self._tables.clock.now()}))
        await self._store.commit(Unit(writes=writes))

    async def depart(self, table_id: int, seat: Seat, account_id: int) -> None:
        """One connection less; the last one, on whichever node, takes the seat out of the game."""
        self._tables.looks.note(table_id)
        if not self._count_off(table_id, seat, account_id):
            if (table_id, seat, account_id) in self._hidden:
                await self._note_looks(table_id, seat, account_id)
            return
        try:
            await self._go(table_id, seat, account_id)
        except Unavailable as error:
            log.warning("departure_not_written", table=table_id, seat=seat, error=str(error))
            going = insist(
                lambda: self._go(table_id, seat, account_id),
                StoreError,
                wanted=lambda: not self.is_here(table_id, seat),
            )
            self._tables.spawn(going, f"departure from table {table_id}")

    async def reaped(self, table_id: int, seat: Seat, dead_node: str) -> None:
        """A node died to which this seat was connected."""
        if not self.is_here(table_id, seat) and not await self._is_elsewhere(table_id, seat, dead_node):
            try:
                await self._say(table_id, seat, Away())
            except Unavailable:
                raise
            except Exception:
                log.exception("left_table_unreadable", table=table_id, seat=seat)

    async def enter_again(self) -> None:
        """The others took this node for dead and forgot who is connected to it: say it again."""
        for table_id, here in tuple(self._here.items()):
            for seat, account_id in tuple(here):
                async with self._turn(table_id, seat):
                    if here[seat, account_id]:
                        await self._enter(table_id, seat, account_id)

    async def present(self, table_id: int) -> dict[Seat, int]:
        """The seats connected to any node, with who sits there; of the spectators only one."""
        found = await self._store.rows(rows.PRESENT, b_table_id=table_id)
        return {row.seat: row.account_id for row in found}

    async def spectators(self, table_id: int) -> list[int]:
        """The accounts that look on, at any node."""
        found = await self._store.rows(rows.PRESENT, b_table_id=table_id)
        return sorted({row.account_id for row in found if row.seat < 0})

    async def close(self) -> None:
        """This node ends in order: its seats are away unless they are connected elsewhere."""
        gone = [(table_id, *who) for table_id, here in self._here.items() for who in here]
        self._here.clear()
        results = await asyncio.gather(*(self._go(*who) for who in gone), return_exceptions=True)
        failed = [error for error in results if isinstance(error, BaseException)]
        if failed:
            log.warning("departures_not_written", count=len(failed), error=str(failed[0]))

    def _turn(self, table_id: int, seat: Seat) -> asyncio.Lock:
        """Comings and goings of one seat are written one after the other."""
        return self._locks.setdefault((table_id, seat), asyncio.Lock())

    def _count_off(self, table_id: int, seat: Seat, account_id: int) -> bool:
        """Take one connection off; answers whether it was the last."""
        here = self._here.get(table_id)
        if here is None or (seat, account_id) not in here:
            return False
        here[seat, account_id] -= 1
        if here[seat, account_id]:
            return False
        del here[seat, account_id]
        if not here:
            del self._here[table_id]
        return True

    async def _enter(self, table_id: int, seat: Seat, account_id: int) -> None:
        row = self._tables.club.online.row("table", account_id, table_id, seat)
        await self._store.commit(Unit(writes=[row]))
        await self._say(table_id, seat, Back())

    async def _go(self, table_id: int, seat: Seat, account_id: int) -> None:
        async with self._turn(table_id, seat):
            if self.is_here(table_id, seat):
                return
            if not await self._is_elsewhere(table_id, seat):
                await self._say(table_id, seat, Away())
                await self._drop(table_id, account_id)
                return
            await self._drop(table_id, account_id)
            # Two nodes may see each other's rows while both go: whoever looks last says it.
            if not await self._is_elsewhere(table_id, seat):
                await self._say(table_id, seat, Away())

    async def _is_elsewhere(self, table_id: int, seat: Seat, dead_node: str = "") -> bool:
        here = [self._store.node_id, dead_node]
        row = await self._store.one(rows.PRESENT_ELSEWHERE, b_table_id=table_id, b_seat=seat, b_nodes=here)
        return row is not None

    async def _drop(self, table_id: int, account_id: int) -> None:
        gone = {"b_node": self._store.node_id, "b_account_id": account_id, "b_table_id": table_id}
        seen = {"b_account_id": account_id, "b_table_id": table_id, "b_at": self._tables.clock.now()}
        await self._store.commit(Unit(writes=[Write(rows.DROP_PRESENCE, gone), Write(rows.SEEN_SEAT, seen)]))

    async def _say(self, table_id: int, seat: Seat, action: Action) -> None:
        """Presence means nothing to some games, before the start and after the end: no is a fine answer."""
        if seat < 1:
            return
        loaded = await self._tables.open(table_id)
        if loaded.state is None or loaded.is_over:
            return
        try:
            await self._tables.submit(loaded, seat, action)
        except (Illegal, TableError) as refusal:
            log.debug("presence_refused", table=table_id, seat=seat, refusal=str(refusal))


class Stay:
    """One connection of a seat, for as long as somebody sits on its chair: from now until `close`."""

    __slots__ = ("_arrived", "_closed", "_hides", "_tables", "_who", "noted")

    def __init__(self, tables: Tables, table_id: int, seat: Seat, person: int) -> None:
        self._tables = tables
        self._who = (table_id, seat, person)
        self._arrived = False
        self._closed = False
        self._hides = False
        self.noted = tables.spawn(self._arrive(), f"arrival at table {table_id}")
        """What was last to be noted: the arrival, then the departure."""

    def close(self) -> None:
        """The connection is gone. If its arrival is just being noted, that is finished first."""
        if not self._closed:
            self._closed = True
            if self._arrived:
                self.noted = self._tables.spawn(self._depart(), f"departure from table {self._who[0]}")

    def hide(self, hides: bool) -> None:
        """The page is open and nobody sees it, or somebody does again."""
        if hides != self._hides and not self._closed:
            self._hides = hides
            if self._arrived:
                self._look(hides)

    def _look(self, hides: bool) -> None:
        table_id, seat, person = self._who
        look = self._tables.presence.look(table_id, seat, person, hides=hides)
        self._tables.spawn(look, f"look at table {table_id}")

    async def _arrive(self) -> None:
        await insist(self._note_arrival, StoreError, wanted=lambda: not self._closed)
        if self._arrived:
            self._tell()
            if self._hides:
                self._look(True)
            if self._closed:
                await self._depart()

    async def _note_arrival(self) -> None:
        await self._tables.presence.arrive(*self._who)
        self._arrived = True

    async def _depart(self) -> None:
        if self._hides:
            self._hides = False
            self._look(False)
        await self._tables.presence.depart(*self._who)
        self._tell()

    def _tell(self) -> None:
        """Whoever looks at who is there, at whichever node, looks again."""
        self._tables.store.bus.publish([Hint("seated", self._who[0], self._who[1])])
