"""From the logs to the figures of the players: who was in time, each phase counted exactly once."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, func, insert, select, update

from tablee.breath import Breath
from tablee.club.conduct import REMEMBERED_WEEKS, WEEK
from tablee.rules.contract import Rules, State
from tablee.store import Conflict, Duplicate, Query, Unit, Write
from tablee.store.query import Row
from tablee.store.schema import game_table, seat, tally
from tablee.tables.info import HouseTable

if TYPE_CHECKING:
    from tablee.tables.hall import Tables

AT_ONCE = 100
READ_AT_ONCE = 250

_counted = func.coalesce(tally.c.seq, 0)
_BEHIND = Query(
    select(game_table.c.id, _counted.label("counted"))
    .join_from(game_table, tally, game_table.c.id == tally.c.table_id, isouter=True)
    .where(game_table.c.game.in_(bindparam("games", expanding=True)), game_table.c.seq > _counted)
    .order_by(game_table.c.id)
    .limit(bindparam("most"))
)
_ONE = Query(
    select(game_table.c.id, _counted.label("counted"))
    .join_from(game_table, tally, game_table.c.id == tally.c.table_id, isouter=True)
    .where(game_table.c.id == bindparam("which"), game_table.c.seq > _counted)
)
_HIS = Query(
    select(game_table.c.id, _counted.label("counted"))
    .join_from(seat, game_table, seat.c.table_id == game_table.c.id)
    .join(tally, game_table.c.id == tally.c.table_id, isouter=True)
    .where(
        seat.c.account_id == bindparam("who"),
        game_table.c.game.in_(bindparam("games", expanding=True)),
        game_table.c.seq > _counted,
        ~game_table.c.anonymous,
    )
    .distinct()
)
_FINISHED = Query(
    select(func.count(func.distinct(game_table.c.id)).label("number"))
    .select_from(seat)
    .join(game_table, seat.c.table_id == game_table.c.id)
    .where(
        seat.c.account_id == bindparam("who"),
        seat.c.left_at.is_(None),
        game_table.c.game.in_(bindparam("games", expanding=True)),
        game_table.c.status == "over",
        game_table.c.mastered,
        ~game_table.c.anonymous,
        game_table.c.ended_at > bindparam("after"),
    )
)
_FIRST = Query(insert(tally))
# Why: docs/decisions.md#counted-once
_NEXT = Query(
    update(tally)
    .where(tally.c.table_id == bindparam("which"), tally.c.seq == bindparam("was"))
    .values(seq=bindparam("now"))
)


class Reckoning:
    """Reads what the logs have gained; a node that is second to count a table counts nothing.

    Of anonymous tables nothing is counted: figures that move with their phases would tell who plays there.
    """

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._store = tables.store
        dated = (key for key, rules in tables.games.items() if type(rules).punctual is not Rules.punctual)
        self._games = sorted({game for game, _ in dated})

    async def up_to_date(self) -> int:
        """Count everything that is not counted yet; answers how many tables there were."""
        found = 0
        while self._games:
            behind = await self._store.rows(_BEHIND, games=self._games, most=AT_ONCE)
            for row in behind:
                await self._count(row)
            found += len(behind)
            if len(behind) < AT_ONCE:
                break
        return found

    async def of_account(self, account_id: int) -> None:
        """Count the tables at which somebody sits, before his figures are shown; anonymous ones move none."""
        if self._games:
            for row in await self._store.rows(_HIS, who=account_id, games=self._games):
                await self._count(row)

    async def finished(self, account_id: int) -> int:
        """How many games that count somebody has played to their end, over the time that figures remember."""
        if not self._games:
            return 0
        after = self._tables.clock.now() - REMEMBERED_WEEKS * WEEK
        found = await self._store.one(_FINISHED, who=account_id, games=self._games, after=after)
        return 0 if found is None else int(found.number)

    async def of_table(self, table_id: int) -> None:
        """Count one table, before somebody else sits in a seat of it."""
        row = await self._store.one(_ONE, which=table_id)
        if row is not None:
            await self._count(row)

    async def _count(self, row: Row) -> None:
        info = await self._tables.read_info(row.id)
        rules: Rules[Any] = self._tables.rules(info.game, info.variant)
        codec = self._tables.codec(info.game, info.variant)
        state: State | None = None
        seq = at = 0
        owed: Counter[int] = Counter()
        late: Counter[int] = Counter()
        breath = Breath()
        while True:
            events = await self._store.events(row.id, after=seq, limit=READ_AT_ONCE)
            for event in events:
                await breath.take()
                seq, at = event.seq, event.at
                for fact in codec.facts(event.facts):
                    if state is not None and seq > row.counted:
                        for seat, in_time in rules.punctual(state, fact).items():
                            account_id = _person(info, seat)
                            if account_id is not None:
                                owed[account_id] += 1
                                late[account_id] += not in_time
                    state = rules.evolve(state, fact)
            if len(events) < READ_AT_ONCE:
                break
        counted = {account_id: (number, late[account_id], 0) for account_id, number in owed.items()}
        # Why: docs/decisions.md#anonymous-games-move-no-figure
        if info.terms.anonymous:
            counted = {}
        writes = self._tables.club.conduct.writes(at, counted)
        if row.counted:
            writes.append(Write(_NEXT, {"which": row.id, "was": row.counted, "now": seq}, expect=1))
        else:
            writes.append(Write(_FIRST, {"table_id": row.id, "seq": seq}, expect=1))
        try:
            await self._store.commit(Unit(writes=writes))
        except (Conflict, Duplicate):
            return  # another node has counted this table a moment ago


def _person(info: HouseTable, seat: int) -> int | None:
    taken = info.at(seat)
    return taken.account_id if taken is not None and taken.robot is None else None
