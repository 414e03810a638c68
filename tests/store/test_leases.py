"""What one node does for all: one has the lease at a time, and another after it."""

from __future__ import annotations

from tablee.clock import HandClock
from tablee.store import Store, open_store
from tablee.store.leases import Lease


async def test_one_node_has_a_lease_until_it_gives_it_up_or_lets_it_run_out(
    store: Store, database_url: str, clock: HandClock
) -> None:
    other_store = await open_store(database_url, node_id="other")
    mine = Lease(store, clock, "mailbox", 60_000)
    other = Lease(other_store, clock, "mailbox", 60_000)
    try:
        assert await mine.take()
        assert await mine.take()
        assert not await other.take()
        assert await Lease(other_store, clock, "something else", 1_000).take()
        await clock.advance(60_001)
        assert await other.take()
        assert not await mine.take()
        await mine.give_up()
        assert not await mine.take()
        await other.give_up()
        assert await mine.take()
    finally:
        await other_store.close()
