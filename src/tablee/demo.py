"""Tables against robots that the lobby always offers: whoever comes first finds somebody to play with."""

from __future__ import annotations

import asyncio
import tomllib
from importlib.resources import files

import msgspec
import structlog
from sqlalchemy import bindparam, delete, exists, select

from tablee.clock import Clock, Instant
from tablee.club import ClubError
from tablee.rules.contract import Illegal, Json
from tablee.store import Query, Store, StoreError, Unit, Write
from tablee.store.repeating import Repeating
from tablee.store.schema import event, game_table, outcome, seat, snapshot
from tablee.tables import LobbyFilter, TablePlan, Tables

log = structlog.get_logger("tablee.demo")

DOOR = "demo"
LOOK_EVERY = 10_000
KEPT = 3_600_000
"""A finished table at which no person ever sat is forgotten after so long."""
MOST_FORGOTTEN = 20


class DemoTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table that should always be there."""

    name: str
    game: str
    variant: str
    robots: list[str]
    options: Json = msgspec.field(default_factory=dict)
    seats: int | None = None
    """As many as the game can have, where nothing is said."""


def demo_tables() -> list[DemoTable]:
    """What `demo.toml` wishes for."""
    wished = tomllib.loads(files("tablee").joinpath("demo.toml").read_text("utf-8"))
    return msgspec.convert(wished["table"], list[DemoTable])


class Demo:
    """Lays the tables that are missing, again and again."""

    def __init__(self, store: Store, tables: Tables, clock: Clock) -> None:
        self._store = store
        self._tables = tables
        self._clock = clock
        self._wished = demo_tables()
        self._repeating = Repeating("demo", clock, self._turn, LOOK_EVERY)

    async def start(self) -> None:
        """Lay what is missing now, and look again from time to time."""
        await self.lay()
        self._repeating.start()
        self._leave = self._store.bus.subscribe("lobby", self._lobby_changed)

    async def stop(self) -> None:
        self._leave()
        await self._repeating.stop()

    async def lay(self) -> None:
        """Make every wished table that has no free seat. On many nodes one may come twice; so be it."""
        free = LobbyFilter(door=DOOR, with_free_seat=True, limit=200)
        there = {info.name for info in await self._tables.lobby.listing(free)}
        for wish in self._wished:
            if wish.name in there:
                continue
            try:
                await self._tables.creating.create(TablePlan(
                    wish.game, wish.variant, wish.options, None,
                    door=DOOR, name=wish.name, robots=wish.robots, rated=False, seats=wish.seats,
                ))  # fmt: skip
            except (ClubError, Illegal, StoreError) as error:
                log.warning("demo_table_not_laid", name=wish.name, error=str(error))

    def _lobby_changed(self, key: int | str, value: int | str) -> None:
        if value == "over":
            # Not at once: those who played see the end before the next table appears.
            asyncio.get_running_loop().call_later(3, self._repeating.wake)

    async def _turn(self) -> Instant:
        await self.lay()
        await self._forget()
        return self._clock.now() + LOOK_EVERY

    async def _forget(self) -> None:
        for row in await self._store.rows(_DESERTED, before=self._clock.now() - KEPT, most=MOST_FORGOTTEN):
            writes = [Write(query, {"which": row.id}) for query in _FORGET]
            await self._store.commit(Unit(writes=writes))


_DESERTED = Query(
    select(game_table.c.id)
    .where(
        game_table.c.door == DOOR,
        game_table.c.status == "over",
        game_table.c.ended_at < bindparam("before"),
        ~exists(select(seat.c.seat).where(seat.c.table_id == game_table.c.id, seat.c.robot.is_(None))),
    )
    .limit(bindparam("most"))
)
_FORGET = [
    Query(delete(table).where(column == bindparam("which")))
    for table, column in (
        (event, event.c.table_id),
        (snapshot, snapshot.c.table_id),
        (seat, seat.c.table_id),
        (outcome, outcome.c.table_id),
        (game_table, game_table.c.id),
    )
]
