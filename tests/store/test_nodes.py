"""Nodes know who is alive, how long nobody was, and what the dead have left behind."""

from __future__ import annotations

from sqlalchemy import insert, select
from tests.kit.waiting import until

from tablee.clock import HandClock
from tablee.store import Nodes, Presence, Query, Store, Unit, Write, open_store
from tablee.store.schema import node, presence

PRESENT = Query(insert(presence))
PRESENT_ACCOUNTS = Query(select(presence.c.account_id).order_by(presence.c.account_id))
NODE_IDS = Query(select(node.c.id).order_by(node.c.id))


def at_table(store: Store, account_id: int, table_id: int = 12) -> Write:
    row = {
        "node_id": store.node_id, "place": "table", "account_id": account_id, "table_id": table_id,
        "seat": account_id, "since": 1, "looks": True,
    }  # fmt: skip
    return Write(PRESENT, row)


class Reaped:
    def __init__(self) -> None:
        self.accounts: list[int] = []

    async def __call__(self, found: Presence) -> None:
        self.accounts.append(found.account_id)


async def test_the_first_node_ever_finds_no_pause(store: Store, clock: HandClock) -> None:
    arrival = await Nodes(store, clock).register()
    assert (arrival.at, arrival.since, arrival.downtime) == (clock.now(), None, 0)


async def test_a_node_finds_how_long_nobody_was_there(database_url: str, clock: HandClock) -> None:
    first = await open_store(database_url)
    nodes = Nodes(first, clock)
    await nodes.register()
    await clock.advance(5_000)
    await nodes.beat()
    seen = clock.now()
    await first.close()  # killed, as far as its row tells
    await clock.advance(60_000)
    second = await open_store(database_url)
    arrival = await Nodes(second, clock).register()
    await second.close()
    assert (arrival.since, arrival.downtime) == (seen, 60_000)


async def test_a_node_that_ended_cleanly_is_dead_at_once(database_url: str, clock: HandClock) -> None:
    first = await open_store(database_url)
    nodes = Nodes(first, clock)
    await nodes.register()
    await nodes.stop()
    await first.close()
    await clock.advance(500)
    second = await open_store(database_url)
    arrival = await Nodes(second, clock).register()
    await second.close()
    assert arrival.downtime == 500


async def test_on_postgresql_nodes_live_side_by_side(postgres_url: str, clock: HandClock) -> None:
    stores = [await open_store(postgres_url) for _ in range(2)]
    both = [Nodes(store, clock) for store in stores]
    await both[0].register()
    arrival = await both[1].register()
    assert arrival.downtime == 0
    assert arrival.since is None
    assert sorted(await both[0].alive()) == sorted(store.node_id for store in stores)
    await clock.advance(9_999)
    assert len(await both[0].alive()) == 2
    await clock.advance(1)
    assert await both[0].alive() == [stores[0].node_id]
    for store in stores:
        await store.close()


async def test_what_a_dead_node_left_behind_is_handed_over_and_forgotten(
    database_url: str, clock: HandClock
) -> None:
    dead, living = await open_store(database_url), await open_store(database_url)
    await Nodes(dead, clock).register()
    await dead.commit(Unit(writes=[at_table(dead, 1), at_table(dead, 2)]))
    await dead.close()
    await clock.advance(10_000)
    nodes = Nodes(living, clock)
    await nodes.register()
    await living.commit(Unit(writes=[at_table(living, 3)]))
    reaped = Reaped()
    assert await nodes.reap(reaped) == 2
    assert sorted(reaped.accounts) == [1, 2]
    assert await living.rows(PRESENT_ACCOUNTS) == [(3,)]
    assert await living.rows(NODE_IDS) == [(living.node_id,)]
    assert await nodes.reap(reaped) == 0
    await living.close()


async def test_the_heartbeat_reaps_and_beats_by_itself(postgres_url: str, clock: HandClock) -> None:
    dead, living = await open_store(postgres_url), await open_store(postgres_url)
    await Nodes(dead, clock).register()
    await dead.commit(Unit(writes=[at_table(dead, 1)]))
    await dead.close()
    nodes = Nodes(living, clock)
    await nodes.register()
    reaped = Reaped()
    nodes.start(reaped)
    for _ in range(1000):
        if reaped.accounts:
            break
        await clock.advance(1_000)
    await until(lambda: reaped.accounts == [1], "the dead node was reaped")
    assert await nodes.alive() == [living.node_id]
    await nodes.stop()
    await living.close()


async def test_a_node_that_was_taken_for_dead_enters_itself_anew(postgres_url: str, clock: HandClock) -> None:
    paused, other = await open_store(postgres_url), await open_store(postgres_url)
    nodes = Nodes(paused, clock)
    evicted: list[bool] = []
    nodes.on_evicted(lambda: evicted.append(True))
    await nodes.register()
    await clock.advance(10_000)
    await Nodes(other, clock).reap(Reaped())
    await nodes.beat()
    assert evicted == [True]
    assert paused.node_id in await nodes.alive()
    await nodes.beat()
    assert evicted == [True]
    await paused.close()
    await other.close()
