"""The sentences that make an empty database at once into what the steps of migration would make of it."""

from __future__ import annotations

import secrets
from collections.abc import Iterator

from sqlalchemy import Column, MetaData, PrimaryKeyConstraint, String, Table
from sqlalchemy.engine.interfaces import Dialect
from sqlalchemy.schema import CreateIndex, CreateTable

from tablee.store.query import POSTGRESQL, SQLITE
from tablee.store.schema import metadata

_VERSION = Table(
    "alembic_version",
    MetaData(),
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)
"""Where Alembic looks for the last step that was taken."""


def sentences_for_sqlite(version: str) -> list[str]:
    """Every table of ours in an SQLite file that has none, as the step `version` leaves it."""
    return list(_sentences(SQLITE, version))


def sentences_for_postgresql(version: str) -> list[str]:
    """The same for PostgreSQL."""
    return list(_sentences(POSTGRESQL, version))


def _sentences(dialect: Dialect, version: str) -> Iterator[str]:
    for table in (_VERSION, *metadata.sorted_tables):
        yield str(CreateTable(table).compile(dialect=dialect))
        for index in sorted(table.indexes, key=lambda index: str(index.name)):
            yield str(CreateIndex(index).compile(dialect=dialect))
    yield f"INSERT INTO alembic_version (version_num) VALUES ('{version}')"
    # Which house this is, and which of its pasts: a restore changes the latter.
    for name in ("store.house", "store.epoch"):
        yield f"INSERT INTO counter (name, value) VALUES ('{name}', {secrets.randbits(62)})"
