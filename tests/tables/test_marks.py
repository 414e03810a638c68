"""What a seat marks for itself alone is kept, but not in the log."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select
from tests.kit.playing import play
from tests.kit.waiting import until
from tests.tables.conftest import Node, Opener

from tablee.clock import HandClock
from tablee.rules.contract import SPECTATOR, Illegal
from tablee.rules.mines.model import Click, Flag, Unflag
from tablee.rules.mines.views import ToldFlagged
from tablee.store import Append, EventRow, Query, Unit
from tablee.store.schema import mark
from tablee.tables import LoadedTable

Json = Any


async def _begun(node: Node) -> tuple[LoadedTable, int]:
    """A match of two; both have come."""
    live = await node.mines(*await node.people(2))
    return live, live.info.id


def flags(live: LoadedTable, seat: int) -> int:
    return sum(row.count("F") for row in live.view(seat).rows.values())


async def test_flags_set_and_taken_away_without_end_do_not_swell_the_log(node: Node) -> None:
    live, table_id = await _begun(node)
    before = live.seq, live.version(1), live.version(2), live.version(SPECTATOR)
    for _ in range(200):
        await play(node.tables, table_id, 1, Flag(3, 4))
        await play(node.tables, table_id, 1, Unflag(3, 4))
    played = await play(node.tables, table_id, 1, Flag(3, 4))
    assert played.told == [ToldFlagged(1, 3, 4)]
    assert (live.seq, live.version(1), live.version(2), live.version(SPECTATOR)) == before
    assert len(await node.store.events(table_id)) == live.seq
    assert [flags(live, seat) for seat in (1, 2, SPECTATOR)] == [1, 0, 0]
    rows = await node.store.rows(Query(select(mark.c.seat, mark.c.content)))
    assert [(row.seat, row.content) for row in rows] == [(1, f"[{4 * 30 + 3}]")]


async def test_flags_are_there_again_after_a_restart(open_node: Opener) -> None:
    node = await open_node()
    _, table_id = await _begun(node)
    for x in range(5):
        await play(node.tables, table_id, 2, Flag(x, 0))
    await node.crash()
    after = await (await open_node()).tables.open(table_id)
    assert [flags(after, seat) for seat in (1, 2, SPECTATOR)] == [0, 5, 0]


async def test_a_flag_keeps_its_owner_and_nobody_else_from_opening_the_square(node: Node) -> None:
    live, table_id = await _begun(node)
    await play(node.tables, table_id, 1, Flag(3, 4))
    assert not live.legal(1).allows(Click(3, 4))
    with pytest.raises(Illegal) as refusal:
        await play(node.tables, table_id, 1, Click(3, 4))
    assert refusal.value.code == "flagged"
    await play(node.tables, table_id, 2, Click(3, 4))
    assert flags(live, 1) == 0
    with pytest.raises(Illegal):
        await play(node.tables, table_id, 1, Unflag(9, 9))


async def test_who_may_have_missed_a_flag_is_shown_everything(node: Node) -> None:
    live, table_id = await _begun(node)
    version = live.version(1)
    await play(node.tables, table_id, 1, Flag(3, 4))
    assert live.since(1, version) is None
    assert live.since(2, live.version(2)) == []
    await play(node.tables, table_id, 2, Click(20, 10))
    assert live.since(1, version) is None
    assert live.since(1, live.version(1)) == []


async def test_a_seat_hears_of_its_own_flags_and_nobody_else_does(node: Node) -> None:
    live, table_id = await _begun(node)
    heard: list[tuple[int, Json, Json]] = []
    events: list[Json] = []
    live.on_marks(lambda seat, told, patch: heard.append((seat, told, patch)))
    live.subscribe(events.append)
    await play(node.tables, table_id, 1, Flag(3, 0))
    assert [(seat, told) for seat, told, _ in heard] == [(1, [ToldFlagged(1, 3, 0)])]
    assert heard[0][2] == {"rows": {"0": "XXXF" + "X" * 26}}
    assert events == []


async def test_a_flag_sent_again_with_its_request_is_answered_and_not_refused(node: Node) -> None:
    _, table_id = await _begun(node)
    first = await play(node.tables, table_id, 1, Flag(3, 4), "f1")
    again = await play(node.tables, table_id, 1, Flag(3, 4), "f1")
    assert (first.duplicate, again.duplicate, again.version) == (False, True, first.version)
    with pytest.raises(Illegal):
        await play(node.tables, table_id, 1, Flag(3, 4), "f2")


async def test_flags_of_an_older_log_are_there_and_can_be_taken_away(open_node: Opener) -> None:
    node = await open_node()
    live, table_id = await _begun(node)
    at = node.clock.now()
    rows = [
        EventRow(
            table_id,
            live.seq + n + 1,
            at,
            1,
            f'{{"do":"flag","x":{n},"y":0}}',
            f'[{{"is":"flagged","seat":1,"at":{at},"x":{n},"y":0}}]',
        )
        for n in range(3)
    ]
    await node.store.commit(Unit(appends=[Append(table_id, live.seq, rows)]))
    await node.crash()
    node = await open_node()
    live = await node.tables.open(table_id)
    assert flags(live, 1) == 3
    await play(node.tables, table_id, 1, Unflag(1, 0))
    assert live.view(1).rows["0"] == "FXF" + "X" * 27


async def test_who_only_flags_is_not_away(node: Node, clock: HandClock) -> None:
    live, table_id = await _begun(node)
    before = live.seq
    for second in range(1, 61):
        await clock.advance(1_000)
        await play(node.tables, table_id, 1, Flag(second % 30, second // 30) if second % 60 else Flag(0, 5))
        await play(node.tables, table_id, 2, Flag(second % 30, second // 30) if second % 60 else Flag(0, 5))
    await until(lambda: not live.is_busy)
    assert all(player.active for player in live.view(1).players.values())
    assert live.seq - before <= 2 * 6  # one line in ten seconds each


async def test_flags_set_at_one_node_are_seen_at_the_other(open_node: Opener, database_url: str) -> None:
    if database_url.startswith("sqlite"):
        pytest.skip("one node at a time on SQLite")
    one, other = await open_node(), await open_node()
    _, table_id = await _begun(one)
    there = await other.tables.open(table_id)
    await play(one.tables, table_id, 1, Flag(3, 4))
    await until(lambda: flags(there, 1) == 1)
    assert flags(there, 2) == 0
