"""Queries, counters and snapshots give the same on both databases."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import bindparam, func, insert, select
from tests.store.rows import NEW_NOTICE, NOTICES, make_tables, noticing, table_row

from tablee.store import Duplicate, Query, Refused, Store, Unit, Write, keep_snapshot, open_store, upsert
from tablee.store.schema import game_table, reading, standing


async def test_a_row_has_names_places_and_real_truth_values(store: Store) -> None:
    await make_tables(store, 5)
    query = Query(
        select(game_table.c.id, game_table.c.name, game_table.c.rated, game_table.c.result).where(
            game_table.c.id == bindparam("id")
        )
    )
    row = await store.one(query, id=5)
    assert row is not None
    assert tuple(row) == (5, "Chez Léa", True, None)
    assert row.rated is True
    assert row._asdict() == {"id": 5, "name": "Chez Léa", "rated": True, "result": None}
    assert await store.one(query, id=6) is None


async def test_a_list_can_be_asked_for_whatever_its_length(store: Store) -> None:
    await make_tables(store, 1, 2, 3)
    query = Query(
        select(game_table.c.id)
        .where(game_table.c.id.in_(bindparam("ids", expanding=True)), game_table.c.game == "mines")
        .order_by(game_table.c.id)
    )
    for ids, found in (([3, 1], [1, 3]), ([], []), ([2], [2]), ([9, 2], [2]), (range(500), [1, 2, 3])):
        assert [row.id for row in await store.rows(query, ids=list(ids))] == found


async def test_sums_and_means_are_the_same_numbers(store: Store) -> None:
    for table_id, least in ((1, 1), (2, 2)):
        await store.commit(
            Unit(writes=[Write(Query(insert(game_table)), table_row(table_id, seats_least=least))])
        )
    query = Query(
        select(
            func.sum(game_table.c.id).label("total"),
            func.avg(game_table.c.seats_least).label("mean"),
            func.count().label("n"),
        )
    )
    row = await store.one(query)
    assert row == (3, 1.5, 2)
    assert row is not None
    assert [type(value) for value in row] == [int, float, int]


async def test_a_query_that_writes_gives_what_it_returns(store: Store) -> None:
    put = Query(insert(reading).returning(reading.c.channel, reading.c.message_id))
    assert await store.change(put, account_id=1, channel="global", message_id=9) == [("global", 9)]
    with pytest.raises(Duplicate):
        await store.change(put, account_id=1, channel="global", message_id=9)
    assert await store.change(NEW_NOTICE, **noticing(1).params) == []


async def test_reading_does_not_write(store: Store) -> None:
    with pytest.raises(Refused, match="change"):
        await store.rows(Query(insert(reading)), account_id=1, channel="global", message_id=9)


async def test_an_upsert_changes_the_row_that_is_there(store: Store) -> None:
    query = Query(upsert(reading, where=lambda offered: reading.c.message_id < offered.message_id))
    read = Query(select(reading.c.message_id))
    for message_id, kept in ((5, 5), (9, 9), (7, 9)):
        row = {"account_id": 1, "channel": "global", "message_id": message_id}
        await store.commit(Unit(writes=[Write(query, row)]))
        assert await store.rows(read) == [(kept,)]


async def test_an_upsert_of_nothing_but_its_key_leaves_the_row_alone(store: Store) -> None:
    query = Query(upsert(reading, change=[]))
    for message_id in (5, 6):
        row = {"account_id": 1, "channel": "global", "message_id": message_id}
        await store.commit(Unit(writes=[Write(query, row)]))
    assert await store.rows(Query(select(reading.c.message_id))) == [(5,)]


async def test_fractions_and_large_numbers_come_back_as_they_were(store: Store) -> None:
    row = {
        "account_id": 2**62, "game": "mines", "variant": "é", "mu": 25.123456789012345, "sigma": 25 / 3,
        "played": 1, "won": 1, "lost": 0, "drawn": 0, "points": -(2**40), "version": 1, "rated": 1,
    }  # fmt: skip
    await store.commit(Unit(writes=[Write(Query(insert(standing)), row)]))
    found = await store.one(Query(select(standing)))
    assert found is not None
    assert found._asdict() == row


async def test_numbers_are_given_once_to_everybody(database_url: str) -> None:
    first, second = await open_store(database_url), await open_store(database_url)
    try:
        given = await asyncio.gather(
            *(store.new_id("essai", block=7) for store in (first, second) for _ in range(50))
        )
        assert len(set(given)) == 100
        assert min(given) == 1
        assert [await first.new_id("partie", block=1) for _ in range(3)] == [1, 2, 3]
        assert await second.new_id("partie", block=1) == 4
    finally:
        await first.close()
        await second.close()


async def test_the_latest_snapshot_stands(store: Store) -> None:
    assert await store.load_snapshot(1) is None
    for seq, content in ((256, "a"), (512, "b"), (300, "c")):
        await store.commit(Unit(writes=[keep_snapshot(1, seq, 1, content)]))
    assert await store.load_snapshot(1) == (512, 1, "b")


async def test_what_is_done_can_be_read(store: Store) -> None:
    for number in range(50):
        await store.commit(Unit(writes=[noticing(number)]))
        assert len(await store.rows(NOTICES)) == number + 1
