"""The door to what lasts: one call for a file or a server."""

from __future__ import annotations

import secrets
from pathlib import Path

from sqlalchemy import select

from tablee.store import postgresql_server
from tablee.store.bus import Bus, InProcessBus
from tablee.store.errors import Refused
from tablee.store.listening import ListeningBus
from tablee.store.migrate import (
    is_house_of_postgresql,
    is_house_of_sqlite,
    migrate_postgresql,
    migrate_sqlite,
)
from tablee.store.postgresql import PostgresqlStore
from tablee.store.postgresql_bus import PostgresqlBus
from tablee.store.query import Query
from tablee.store.schema import counter
from tablee.store.sqlite import SqliteStore
from tablee.store.sqlite_file import make_file
from tablee.store.store import Store


async def open_store(where: str | Path, *, node_id: str | None = None, redis: str | None = None) -> Store:
    """Open the database at a path or URL, made and brought up to date as needed.

    The bus is Redis where its URL is given, else PostgreSQL itself, else this process.
    Raises Unavailable and NewerDatabase.
    """
    node_id = node_id or secrets.token_hex(8)
    if is_postgresql(where):
        return await _open_postgresql(str(where), node_id, redis)
    path = sqlite_path(where)
    make_file(path)
    migrate_sqlite(path)
    store = SqliteStore(path, node_id, InProcessBus())
    if redis is not None:
        await _join_redis(store, redis)
    return store


async def demand_house(where: str | Path) -> None:
    """Raises Refused where no house has ever been opened on this database, and makes nothing of it.

    Raises Unavailable too.
    """
    if is_postgresql(where):
        place, is_there = postgresql_server.shown(str(where)), await is_house_of_postgresql(str(where))
    else:
        path = sqlite_path(where)
        place, is_there = str(path), is_house_of_sqlite(path)
    if not is_there:
        raise Refused(f"There is no house in {place}: `tablee serve` makes one.")


def is_postgresql(where: str | Path) -> bool:
    return str(where).startswith(("postgresql://", "postgres://"))


def sqlite_path(where: str | Path) -> Path:
    """The file that a path or `sqlite:///path` names. Raises ValueError for any other URL."""
    text = str(where).removeprefix("sqlite:///")
    if "://" in text:
        scheme = text.partition("://")[0]
        raise ValueError(f"{scheme}:// is no database of ours: give a file, sqlite:///FILE or postgresql://…")
    return Path(text)


async def _open_postgresql(url: str, node_id: str, redis: str | None) -> Store:
    await migrate_postgresql(url)
    bus: Bus = InProcessBus() if redis is not None else PostgresqlBus(url, node_id)
    store = await PostgresqlStore.open(url, node_id, bus)
    if isinstance(bus, ListeningBus):
        await bus.start()
    if redis is not None:
        await _join_redis(store, redis)
    return store


async def _join_redis(store: Store, redis: str) -> None:
    from tablee.store.redis_bus import RedisBus  # its library takes a tenth of a second to load

    house = await store.one(Query(select(counter.c.value).where(counter.c.name == "store.house")))
    assert house is not None  # written by the first migration
    bus = RedisBus(redis, house.value, store.node_id)
    store.bus = bus
    await bus.start()
