"""The door to what lasts: one call for a file or a server."""

from __future__ import annotations

import secrets
from pathlib import Path

from tablee.store.bus import Bus, InProcessBus
from tablee.store.migrate import migrate_sqlite
from tablee.store.sqlite import SqliteStore
from tablee.store.sqlite_file import make_file
from tablee.store.store import Store


async def open_store(where: str | Path, *, node_id: str | None = None) -> Store:
    """Open the database at a path or URL, made and brought up to date as needed.

    Raises Unavailable and NewerDatabase.
    """
    node_id = node_id or secrets.token_hex(8)
    path = Path(str(where).removeprefix("sqlite:///"))
    make_file(path)
    migrate_sqlite(path)
    bus: Bus = InProcessBus()
    return SqliteStore(path, node_id, bus)
