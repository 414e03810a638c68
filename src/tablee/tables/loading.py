"""From the database to a loaded table: the last snapshot, then the tail of the log."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import structlog

from tablee.rules.contract import Rules
from tablee.store import Store
from tablee.tables import marks, rows
from tablee.tables.codec import Codec
from tablee.tables.errors import NoSuchTable
from tablee.tables.info import HouseTable, from_rows
from tablee.tables.loaded import LoadedTable
from tablee.tables.surroundings import Surroundings

log = structlog.get_logger("tablee.tables")

PAGE = 100
"""Events read at a time where there is no snapshot: in between the loop goes round."""


async def read_info(store: Store, table_id: int) -> HouseTable:
    """The table with its seats; raises NoSuchTable."""
    row = await store.one(rows.TABLE, b_id=table_id)
    if row is None:
        raise NoSuchTable(table=table_id)
    seats = await store.rows(rows.SEATS, b_id=table_id)
    return from_rows(row, seats, await store.rows(rows.DEPARTURES, b_id=table_id))


async def load(around: Surroundings, info: HouseTable, rules: Rules[Any], codec: Codec) -> LoadedTable:
    """The table as the log has it now."""
    store = around.store
    loaded = LoadedTable(around, info, rules, codec)
    snapshot = await store.load_snapshot(info.id)
    if snapshot is not None and snapshot.rules_version == rules.version:
        try:
            state, clocks, counts, at = codec.snapshot(snapshot.content)
        except msgspec.MsgspecError as error:
            log.warning("snapshot_unreadable", table=info.id, game=info.game, error=str(error))
        else:
            loaded.restore(state, snapshot.seq, at, clocks, counts)
    while True:
        events = await store.events(info.id, after=loaded.seq, limit=PAGE)
        loaded.replay(events)
        if len(events) < PAGE:
            break
        await asyncio.sleep(0)
    if rules.private:
        loaded.learn_marks(await marks.read(store, info.id))
    # Read last: what it says of the seats is then at least as new as the log.
    loaded.complete(await read_info(store, info.id))
    return loaded
