import time
from typing import Any

import msgspec
import pytest
from sqlalchemy import update
from structlog.testing import capture_logs
from tests.kit.playing import play
from tests.kit.waiting import until
from tests.tables.conftest import Node, Opener
from tests.tables.nim import NimRules, Note, Take

from tablee.rules.contract import Illegal
from tablee.store import Append, EventRow, Query, Store, Unit, Write
from tablee.store.schema import snapshot
from tablee.tables.loaded import SNAPSHOT_EVERY


def counted(store: Store, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many events each reading of the log brings from now on."""
    reads: list[int] = []
    events = store.events

    async def reading(table_id: int, after: int = 0, limit: int | None = None) -> list[EventRow]:
        found = await events(table_id, after, limit)
        reads.append(len(found))
        return found

    monkeypatch.setattr(store, "events", reading)
    return reads


async def grow(node: Node, table_id: int, upto: int) -> None:
    """Write the log directly, a thousand notes at a time."""
    head = len(await node.store.events(table_id))
    while head < upto:
        rows = [
            EventRow(
                table_id,
                seq,
                node.clock.now(),
                1,
                f'{{"do":"note","text":"{seq % 7}"}}',
                f'[{{"is":"noted","seat":1,"text":"{seq % 7}"}}]',
            )
            for seq in range(head + 1, min(head + 1000, upto) + 1)
        ]
        await node.store.commit(Unit(appends=[Append(table_id, head, rows)]))
        head += len(rows)


class Forgetful(NimRules):
    """Nim whose players keep their last notes only, so that a long log has a small state."""

    def evolve(self, state: Any, fact: Any) -> Any:
        after = super().evolve(state, fact)
        notes = {seat: texts[-3:] for seat, texts in after.notes.items()}
        return msgspec.structs.replace(after, notes=notes)


GAMES = {("nim", "plain"): Forgetful()}


@pytest.mark.parametrize("length", [5_000, pytest.param(100_000, marks=pytest.mark.long)])
async def test_a_long_log_is_reloaded_from_its_snapshot(
    open_node: Opener, monkeypatch: pytest.MonkeyPatch, length: int
) -> None:
    node = await open_node(games=GAMES)
    info = await node.nim(*await node.people(2))
    await grow(node, info.id, length)
    live = await node.tables.open(info.id)
    await node.tables.hints.check_heads()
    await play(node.tables, info.id, 1, Note("last"))
    await play(node.tables, info.id, 1, Take(1))
    await grow(node, info.id, length + 202)
    await node.tables.hints.check_heads()
    await until(lambda: live.seq == length + 202)
    assert (live.version(1), live.version(2)) == (length + 201, 1)
    await node.crash()
    again = await open_node(games=GAMES)
    reads = counted(again.store, monkeypatch)
    began = time.perf_counter()
    reloaded = await again.tables.open(info.id)
    took = time.perf_counter() - began
    print(f"reloaded {length + 202} events in {1000 * took:.1f} ms ({again.store.kind}), {sum(reads)} read")
    assert 200 <= sum(reads) <= SNAPSHOT_EVERY
    assert reloaded.state == live.state
    assert (reloaded.seq, reloaded.version(1), reloaded.version(2)) == (length + 202, length + 201, 1)


async def test_a_snapshot_is_kept_every_so_many_events_in_the_transaction_of_the_last(node: Node) -> None:
    info = await node.nim(*await node.people(2), options={"matches": 3000})
    for i in range(SNAPSHOT_EVERY * 2 + 10):
        await play(node.tables, info.id, 1 + i % 2, Take(1))
    kept = await node.store.load_snapshot(info.id)
    assert kept is not None
    assert kept.seq == SNAPSHOT_EVERY * 2
    assert kept.rules_version == NimRules.version


async def test_a_snapshot_of_another_version_of_the_rules_is_dropped(
    open_node: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    node = await open_node()
    info = await node.nim(*await node.people(2), options={"matches": 3000})
    for i in range(SNAPSHOT_EVERY + 5):
        await play(node.tables, info.id, 1 + i % 2, Take(1))
    live = await node.tables.open(info.id)
    await node.crash()

    class NewerNim(NimRules):
        version = 2

    again = await open_node(games={("nim", "plain"): NewerNim()})
    reads = counted(again.store, monkeypatch)
    reloaded = await again.tables.open(info.id)
    assert sum(reads) == live.seq
    assert reloaded.state == live.state
    assert reloaded.version(1) == live.version(1)


async def test_a_snapshot_that_cannot_be_read_is_no_loss(open_node: Opener) -> None:
    node = await open_node()
    info = await node.nim(*await node.people(2), options={"matches": 3000})
    for i in range(SNAPSHOT_EVERY + 5):
        await play(node.tables, info.id, 1 + i % 2, Take(1))
    spoil = Query(update(snapshot).values(content='{"state":{}}'))
    await node.store.commit(Unit(writes=[Write(spoil, {}, expect=1)]))
    live = await node.tables.open(info.id)
    await node.crash()
    again = await open_node()
    with capture_logs() as logs:
        reloaded = await again.tables.open(info.id)
    assert [line["event"] for line in logs] == ["snapshot_unreadable"]
    assert reloaded.state == live.state


async def test_tables_that_nobody_needs_are_put_away_and_come_back(node: Node, clock: Any) -> None:
    info = await node.nim(*await node.people(2))
    watched = await node.nim(*await node.people(2))
    stop = (await node.tables.open(watched.id)).subscribe(lambda _: None)
    await play(node.tables, info.id, 1, Take(1))
    await clock.advance(61_000)
    await node.tables.put_away()
    assert set(node.tables.loaded) == {watched.id}
    with pytest.raises(Illegal):
        await play(node.tables, info.id, 1, Take(1))
    await play(node.tables, info.id, 2, Take(1))
    stop()
    await clock.advance(100)
    assert await node.tables.put_away() == 0, "it was listened to a moment ago"
    await clock.advance(61_000)
    await node.tables.put_away()
    assert node.tables.loaded == {}
