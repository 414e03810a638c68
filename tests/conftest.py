"""What every test may ask for: a clock that stands still, real database servers, an open store."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from tests.kit.rooms import furnished
from tests.kit.scratch import prefer_memory
from tests.kit.servers import PostgresServer, ValkeyServer

from tablee.clock import HandClock
from tablee.store import Store, open_store
from tablee.store.migrate import migrate_postgresql

prefer_memory()

# How long an example takes says something about the machine, nothing about the code.
settings.register_profile("tablee", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("tablee")

FIRST = ("faults", "browser", "sixth_game", "app", "terminal")
"""Folders whose tests take seconds each: they begin, and the thousands of quick ones fill what they leave."""

LONGEST = ("test_every_screen",)
"""Tests that go on for minutes: whatever comes after them goes on beside them."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    def place(item: pytest.Item) -> int:
        if item.path.stem in LONGEST:
            return -1
        folder = item.path.relative_to(Path(__file__).parent).parts[0]
        return FIRST.index(folder) if folder in FIRST else len(FIRST)

    items.sort(key=place)


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """The PostgreSQL that the tests of one process share. Do not stop it: see `own_postgres`."""
    server = PostgresServer(hasty=True)
    try:
        server.start()
        yield server
    finally:
        server.close()


@pytest.fixture
def own_postgres() -> Iterator[PostgresServer]:
    """A running PostgreSQL of the test's own, to stop, kill and start again."""
    server = PostgresServer()
    try:
        server.start()
        yield server
    finally:
        server.close()


@pytest.fixture
def postgres_url(postgres_server: PostgresServer) -> Iterator[str]:
    """The URL of a new, empty PostgreSQL database."""
    url = postgres_server.create_database()
    yield url
    postgres_server.drop_database(url)


@pytest.fixture
def valkey_server() -> Iterator[ValkeyServer]:
    """A running Valkey of the test's own: channels know no databases, so no two tests share one."""
    server = ValkeyServer()
    try:
        server.start()
        yield server
    finally:
        server.close()


@pytest.fixture
def redis_url(valkey_server: ValkeyServer) -> str:
    return valkey_server.url


@pytest.fixture(params=["sqlite", "postgresql"])
def blank_database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database without any table: the test runs once on SQLite and once on PostgreSQL."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'tablee.sqlite'}"
    url = request.getfixturevalue("postgres_url")
    assert isinstance(url, str)
    return url


@pytest.fixture(scope="session")
def postgres_pattern(postgres_server: PostgresServer) -> str:
    """A database with our tables and nothing in them, to be copied; its name."""
    url = postgres_server.create_database()
    with ThreadPoolExecutor(1) as apart:  # a loop may be running here: that of a browser
        apart.submit(asyncio.run, migrate_postgresql(url)).result()
    return url.rpartition("/")[2]


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A database with our tables, empty: the test runs once on SQLite and once on PostgreSQL."""
    if request.param == "sqlite":
        yield str(furnished(f"sqlite:///{tmp_path / 'tablee.sqlite'}"))
        return
    server: PostgresServer = request.getfixturevalue("postgres_server")
    url = server.create_database(request.getfixturevalue("postgres_pattern"))
    yield url
    server.drop_database(url)


@pytest.fixture
async def store(database_url: str) -> AsyncIterator[Store]:
    """An open store on an empty database, once on SQLite and once on PostgreSQL."""
    store = await open_store(database_url)
    yield store
    await store.close()
