"""Brings a database to the schema of this version."""

from __future__ import annotations

import secrets
import sqlite3
from pathlib import Path

from sqlalchemy import create_engine

from tablee.store.schema import metadata


def migrate_sqlite(path: Path) -> None:
    engine = create_engine(f"sqlite:///{path}")
    metadata.create_all(engine)
    engine.dispose()
    with sqlite3.connect(path) as connection:
        connection.executemany(
            "INSERT INTO counter (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING",
            [("store.epoch", secrets.randbits(62)), ("store.house", secrets.randbits(62))],
        )
    connection.close()
