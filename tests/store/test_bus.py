"""Hints reach everybody who listens, in one process and between nodes, and a cut line is owned up to."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest
from tests.kit.servers import PostgresServer, ValkeyServer
from tests.kit.waiting import until
from tests.store.rows import make_tables, move, noticing, seqs_of

from tablee.store import Hint, InProcessBus, Store, Unit, open_store
from tablee.store.postgresql_bus import MOST_BYTES, payloads


@asynccontextmanager
async def nodes(url: str, count: int, redis: str | None = None) -> AsyncIterator[list[Store]]:
    stores = [await open_store(url, redis=redis) for _ in range(count)]
    try:
        yield stores
    finally:
        for store in stores:
            await store.close()


@pytest.fixture(params=["postgresql", "redis"])
def line(request: pytest.FixtureRequest) -> str | None:
    """The URL of Redis, or None for PostgreSQL alone."""
    return str(request.getfixturevalue("redis_url")) if request.param == "redis" else None


def heard_by(store: Store, topic: str = "table") -> list[tuple[int | str, int | str]]:
    heard: list[tuple[int | str, int | str]] = []
    store.bus.subscribe(topic, lambda key, value: heard.append((key, value)))
    return heard


def test_who_unsubscribes_hears_nothing_more() -> None:
    bus = InProcessBus()
    heard: list[object] = []
    leave = bus.subscribe("table", lambda key, value: heard.append((key, value)))
    bus.publish([Hint("table", 1, 2), Hint("chat", "global", 3)])
    leave()
    leave()
    bus.publish([Hint("table", 1, 3)])
    assert heard == [(1, 2)]


async def test_a_subscriber_that_fails_does_not_keep_the_others_from_hearing() -> None:
    bus = InProcessBus()
    reported: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: reported.append(context))
    heard: list[object] = []

    def fails(key: int | str, value: int | str) -> None:
        raise RuntimeError("broken")

    bus.subscribe("table", fails)
    bus.subscribe("table", lambda key, value: heard.append(key))
    bus.publish([Hint("table", 1, 2)])
    assert heard == [1]
    assert len(reported) == 1


async def test_a_commit_is_heard_by_every_node(postgres_url: str, line: str | None) -> None:
    async with nodes(postgres_url, 3, line) as stores:
        await make_tables(stores[0], 1)
        heard = [heard_by(store) for store in stores]
        for after in range(5):
            await stores[after % 3].commit(move(1, after))
        await until(lambda: all(len(each) >= 5 for each in heard), "all nodes have heard")
        for each in heard:
            assert sorted(each) == [(1, 1), (1, 2), (1, 3), (1, 4), (1, 5)]


async def test_a_hint_means_that_the_log_can_be_read(postgres_url: str, line: str | None) -> None:
    async with nodes(postgres_url, 2, line) as (writer, reader):
        await make_tables(writer, 1)
        seen: list[tuple[int, int]] = []
        reading: set[asyncio.Task[None]] = set()

        async def read(version: int) -> None:
            seen.append((version, len(await seqs_of(reader, 1))))

        reader.bus.subscribe("table", lambda key, value: reading.add(asyncio.create_task(read(int(value)))))
        for after in range(100):
            writer.submit(move(1, after), lambda error: None)
        await until(lambda: any(version == 100 for version, _ in seen), "the last move was read")
        assert all(found >= version for version, found in seen)


async def test_a_unit_that_fails_is_not_heard(postgres_url: str, line: str | None) -> None:
    async with nodes(postgres_url, 2, line) as (writer, listener):
        await make_tables(writer, 1, 2)
        heard = heard_by(listener)
        ends: list[Exception | None] = []
        for unit in (move(1, 0), move(2, 7), move(1, 1)):
            writer.submit(unit, ends.append)
        await writer.commit(move(2, 0))
        await until(lambda: (2, 1) in heard, "the last unit was heard")
        assert [type(end).__name__ for end in ends] == ["NoneType", "Conflict", "NoneType"]
        assert (2, 8) not in heard


async def test_what_is_published_without_a_commit_is_heard_too(postgres_url: str, line: str | None) -> None:
    async with nodes(postgres_url, 2, line) as (speaker, listener):
        heard, own = heard_by(listener, "chat"), heard_by(speaker, "chat")
        speaker.bus.publish([Hint("chat", "global", 5), Hint("chat", "privé:1:2", "écrit")])
        assert own == [("global", 5), ("privé:1:2", "écrit")]
        await until(lambda: len(heard) == 2, "the other node has heard")
        assert heard == own


async def test_thousands_of_hints_in_one_batch_are_all_heard(postgres_url: str, line: str | None) -> None:
    async with nodes(postgres_url, 2, line) as (speaker, listener):
        heard = heard_by(listener, "account")
        for number in range(3000):
            unit = Unit(writes=[noticing(number)], hints=[Hint("account", number, "notice")])
            speaker.submit(unit, lambda error: None)
        await until(lambda: len(heard) == 3000, "all hints were heard")


async def test_houses_on_one_redis_do_not_hear_each_other(
    postgres_server: PostgresServer, redis_url: str
) -> None:
    urls = [postgres_server.create_database() for _ in range(2)]
    async with nodes(urls[0], 2, redis_url) as (ours, also_ours), nodes(urls[1], 1, redis_url) as (theirs,):
        heard, overheard = heard_by(also_ours), heard_by(theirs)
        ours.bus.publish([Hint("table", 1, 1)])
        await until(lambda: heard, "our other node has heard")
        assert overheard == []


@pytest.fixture
def own_valkey(valkey_server: ValkeyServer) -> Iterator[ValkeyServer]:
    yield valkey_server
    valkey_server.start()


async def test_when_redis_comes_back_everybody_is_told_that_hints_were_lost(
    postgres_url: str, own_valkey: ValkeyServer
) -> None:
    async with nodes(postgres_url, 2, own_valkey.url) as stores:
        await make_tables(stores[0], 1)
        lost: list[int] = []
        for number, store in enumerate(stores):
            store.bus.on_lost(lambda number=number: lost.append(number))  # type: ignore[misc]
        heard = heard_by(stores[1])
        own_valkey.stop()
        await until(lambda: stores[0].bus.healthy() and stores[1].bus.healthy(), "the cut is noticed")
        await stores[0].commit(move(1, 0))
        assert stores[0].healthy() is None
        own_valkey.start()
        await until(lambda: {0, 1} <= set(lost), "both nodes know that they may have missed something")
        await until(lambda: not stores[1].bus.healthy(), "the line is up")
        await stores[0].commit(move(1, 1))
        await until(lambda: (1, 2) in heard, "hints are heard again")


async def test_when_postgresql_comes_back_everybody_is_told_that_hints_were_lost(
    own_postgres: PostgresServer,
) -> None:
    async with nodes(own_postgres.create_database(), 2) as stores:
        lost: list[int] = []
        for number, store in enumerate(stores):
            store.bus.on_lost(lambda number=number: lost.append(number))  # type: ignore[misc]
        heard = heard_by(stores[1])
        own_postgres.stop()
        await until(lambda: stores[0].bus.healthy() and stores[1].bus.healthy(), "the cut is noticed")
        own_postgres.start()
        await until(lambda: {0, 1} <= set(lost), "both nodes know that they may have missed something")
        stores[0].bus.publish([Hint("table", 1, 1)])
        await until(lambda: (1, 1) in heard, "hints are heard again")


def test_notifications_stay_below_what_the_server_takes() -> None:
    hints = [Hint("chat", f"privé:{number}:{number}", number) for number in range(1000)]
    sent = payloads("noeud", hints)
    assert all(len(payload.encode()) <= MOST_BYTES for payload in sent)
    assert 4 <= len(sent) <= 20
    assert payloads("noeud", []) == []
