"""Units are all or nothing, in order, and told once they are durable."""

from __future__ import annotations

import asyncio

import pytest
from tests.kit.waiting import until
from tests.store.rows import (
    NAME,
    NOTICES,
    Told,
    appending,
    founding,
    head_of,
    make_tables,
    move,
    noticing,
    renaming,
    seqs_of,
)

from tablee.store import (
    Append,
    Conflict,
    Duplicate,
    EventRow,
    Hint,
    Refused,
    Store,
    StoreError,
    Unavailable,
    Unit,
    Write,
    open_store,
)
from tablee.store.query import Query


async def test_events_are_read_as_they_were_appended(store: Store) -> None:
    await make_tables(store, 7)
    events = [EventRow(7, 1, 5, 0, '{"do":"start"}', "[]"), EventRow(7, 2, 6, -1, "{}", '["é\\u0000"]', "r1")]
    await store.commit(Unit(appends=[Append(7, 0, events)]))
    assert await store.events(7) == events
    assert await store.events(7, after=1) == events[1:]
    assert await store.events(7, limit=1) == events[:1]
    assert await head_of(store, 7) == 2


async def test_an_append_at_another_place_than_the_head_is_a_conflict(store: Store) -> None:
    await make_tables(store, 7)
    await store.commit(move(7, 0, 3))
    for after in (0, 2, 4):
        with pytest.raises(Conflict, match="stands at event 3"):
            await store.commit(move(7, after))
    assert await seqs_of(store, 7) == [1, 2, 3]


async def test_an_append_to_no_table_is_a_conflict(store: Store) -> None:
    with pytest.raises(Conflict, match="no table 99"):
        await store.commit(move(99, 0))


async def test_events_with_a_gap_in_their_numbers_are_refused(store: Store) -> None:
    await make_tables(store, 7)
    with pytest.raises(Refused, match="numbered from 1 to 1"):
        await store.commit(Unit(appends=[Append(7, 0, [EventRow(7, 2, 1, 1, "{}", "[]")])]))
    assert await seqs_of(store, 7) == []


async def test_an_append_without_events_demands_the_head(store: Store) -> None:
    await make_tables(store, 7)
    await store.commit(Unit(appends=[Append(7, 0, [])], writes=[noticing(1)]))
    with pytest.raises(Conflict):
        await store.commit(Unit(appends=[Append(7, 1, [])], writes=[noticing(2)]))
    assert [row.id for row in await store.rows(NOTICES)] == [1]


async def test_units_submitted_together_are_chained(store: Store) -> None:
    await make_tables(store, 1, 2)
    told = Told()
    tables_moves: list[object] = [(1, after) for after in range(100)]
    for after in range(100):
        store.submit(move(1, after), told.about((1, after)))
        store.submit(move(2, after), told.about((2, after)))
    await until(lambda: len(told.ends) == 200, "all units have ended")
    assert set(told.kinds) == {None}
    assert [what for what in told.order if what in tables_moves] == tables_moves
    assert await seqs_of(store, 2) == list(range(1, 101))


async def test_a_unit_that_does_not_fit_takes_its_followers_down_and_nobody_else(store: Store) -> None:
    await make_tables(store, 1, 2)
    told = Told()
    for unit in (move(1, 0), move(2, 0), move(1, 5), move(1, 6), move(2, 1), move(1, 1)):
        store.submit(unit, told.about((unit.appends[0].table_id, unit.appends[0].after_seq)))
    await until(lambda: len(told.ends) == 6, "all units have ended")
    assert dict(zip(told.order, told.kinds, strict=True)) == {
        (1, 0): None, (2, 0): None, (1, 5): Conflict, (1, 6): Conflict, (2, 1): None, (1, 1): None,
    }  # fmt: skip
    assert await seqs_of(store, 1) == [1, 2]
    assert await seqs_of(store, 2) == [1, 2]


async def test_the_same_request_of_the_same_seat_is_a_duplicate(store: Store) -> None:
    await make_tables(store, 1, 2)
    told = Told()
    units = [
        move(1, 0, request="r1"),
        move(2, 0, request="r1"),
        move(1, 1, request="r1"),
        move(2, 1, request="r2"),
    ]
    for unit in units:
        store.submit(unit, told.about(unit))
    await until(lambda: len(told.ends) == 4, "all units have ended")
    assert told.kinds == [None, None, Duplicate, None]
    error = told.ends[2][1]
    assert isinstance(error, Duplicate)
    assert (error.table, error.columns) == ("event", ("table_id", "seat", "request_id"))
    other_seat = Unit(appends=[appending(1, 1, request="r1", seat=2)])
    await store.commit(other_seat)
    await store.commit(Unit(appends=[appending(1, 2), appending(2, 2)]))
    await store.commit(Unit(appends=[appending(1, 3), appending(2, 3)]))
    assert await head_of(store, 1) == 4


async def test_a_guarded_write_that_touches_another_count_undoes_its_whole_unit(store: Store) -> None:
    await make_tables(store, 1, 2)
    told = Told()
    units = [
        move(1, 0),
        Unit(appends=[appending(1, 1)], writes=[noticing(1), renaming(1, "autre", "x")], hints=[]),
        move(1, 2),
        Unit(appends=[appending(2, 0)], writes=[noticing(2), renaming(2, "Chez Léa", "Chez Max")]),
        move(2, 1),
    ]
    for unit in units:
        store.submit(unit, told.about(unit))
    await until(lambda: len(told.ends) == 5, "all units have ended")
    assert told.kinds == [None, Conflict, Conflict, None, None]
    assert await seqs_of(store, 1) == [1]
    assert await seqs_of(store, 2) == [1, 2]
    assert [row.id for row in await store.rows(NOTICES)] == [2]
    named = await store.one(NAME, id=2)
    assert named is not None
    assert named.name == "Chez Max"


async def test_a_unit_may_make_the_table_that_it_appends_to(store: Store) -> None:
    told = Told()
    for table_id in (1, 2, 3):
        store.submit(
            Unit(appends=[appending(table_id, 0)], writes=[founding(table_id)]), told.about(table_id)
        )
        store.submit(move(table_id, 1), told.about(table_id))
    await until(lambda: len(told.ends) == 6, "all units have ended")
    assert set(told.kinds) == {None}
    assert await seqs_of(store, 3) == [1, 2]


async def test_a_unit_that_makes_another_table_than_it_appends_to_leaves_nothing(store: Store) -> None:
    with pytest.raises(Conflict):
        await store.commit(Unit(appends=[appending(2, 0)], writes=[founding(1)]))
    assert await store.one(NAME, id=1) is None


async def test_a_unit_over_two_tables_is_all_or_nothing(store: Store) -> None:
    await make_tables(store, 1, 2)
    with pytest.raises(Conflict):
        await store.commit(Unit(appends=[appending(1, 0), appending(2, 1)]))
    assert await seqs_of(store, 1) == []
    await store.commit(Unit(appends=[appending(1, 0), appending(2, 0), appending(1, 1)]))
    assert await seqs_of(store, 1) == [1, 2]


async def test_a_row_that_must_be_unique_is_a_duplicate_and_others_are_kept(store: Store) -> None:
    told = Told()
    for number in (1, 2, 1, 3, 2, 4):
        store.submit(Unit(writes=[noticing(number)]), told.about(number))
    await until(lambda: len(told.ends) == 6, "all units have ended")
    assert told.kinds == [None, None, Duplicate, None, Duplicate, None]
    error = told.ends[2][1]
    assert isinstance(error, Duplicate)
    assert (error.table, error.columns) == ("notice", ("id",))
    assert [row.id for row in await store.rows(NOTICES)] == [1, 2, 3, 4]


async def test_a_value_that_the_database_cannot_hold_is_refused_and_others_are_kept(store: Store) -> None:
    told = Told()
    await make_tables(store, 1)
    bad = Unit(appends=[Append(1, 0, [EventRow(1, 1, 1, 1, "\ud800", "[]")])])
    for unit in (Unit(writes=[noticing(1)]), bad, Unit(writes=[noticing(2, "\ud800")]), move(1, 0)):
        store.submit(unit, told.about(unit))
    await until(lambda: len(told.ends) == 4, "all units have ended")
    assert told.kinds == [None, Refused, Refused, None]


async def test_a_write_with_a_missing_parameter_is_refused(store: Store) -> None:
    with pytest.raises(StoreError):
        await store.commit(Unit(writes=[Write(noticing(1).query, {"id": 1})]))
    await store.commit(Unit(writes=[noticing(1)]))


def test_a_select_is_no_write() -> None:
    with pytest.raises(TypeError, match="select"):
        Write(Query(NOTICES.statement), {})


async def test_hints_are_told_after_the_commit_and_after_done(store: Store) -> None:
    await make_tables(store, 1)
    heard: list[object] = []
    store.bus.subscribe("table", lambda key, value: heard.append((key, value)))
    store.bus.subscribe("chat", lambda key, value: heard.append((key, value)))
    for after in range(3):
        store.submit(move(1, after), lambda error: heard.append(error))
    unit = move(1, 3)
    unit.hints += [Hint("chat", "global", 5), Hint("chat", "global", 4), Hint("chat", "global", 5)]
    store.submit(unit, lambda error: heard.append(error))
    store.submit(move(1, 9), lambda error: heard.append(type(error)))
    await until(lambda: Conflict in heard and (1, 4) in heard, "all is told")
    assert heard.index((1, 4)) > [i for i, what in enumerate(heard) if what is None][-1]
    assert [what for what in heard if what in (("global", 5), ("global", 4))] == [
        ("global", 5),
        ("global", 4),
    ]
    assert (1, 10) not in heard


async def test_who_stops_waiting_for_a_commit_does_not_stop_it(store: Store) -> None:
    await make_tables(store, 1)
    waiting = [asyncio.create_task(store.commit(move(1, after))) for after in range(20)]
    await asyncio.sleep(0)
    for task in waiting[::2]:
        task.cancel()
    ends = await asyncio.gather(*waiting, return_exceptions=True)
    assert {type(end) for end in ends} == {type(None), asyncio.CancelledError}
    await store.commit(move(1, 20))
    assert await seqs_of(store, 1) == list(range(1, 22))


async def test_a_done_that_fails_does_not_keep_the_others_from_being_told(store: Store) -> None:
    await make_tables(store, 1)
    reported: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: reported.append(context))
    told = Told()

    def fails(error: Exception | None) -> None:
        raise RuntimeError("broken")

    store.submit(move(1, 0), fails)
    store.submit(move(1, 1), told.about(1))
    await until(lambda: told.ends, "the second unit has ended")
    assert told.kinds == [None]
    assert len(reported) == 1


async def test_closing_writes_what_is_queued_and_then_takes_nothing(database_url: str) -> None:
    store = await open_store(database_url)
    await make_tables(store, 1)
    told = Told()
    for after in range(500):
        store.submit(move(1, after), told.about(after))
    await store.close()
    assert told.kinds == [None] * 500
    with pytest.raises(Unavailable, match="closed"):
        await store.commit(move(1, 500))
    with pytest.raises(Unavailable, match="closed"):
        await store.events(1)
    await store.close()
    again = await open_store(database_url)
    assert len(await again.events(1)) == 500
    await again.close()
