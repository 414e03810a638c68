"""Brings a database to the schema of this version, all or nothing: an empty one at once, others in steps."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import asyncpg
from sqlalchemy import Connection, create_engine, event, text
from sqlalchemy.pool import NullPool

from tablee.store import fresh, postgresql_server, sqlite_file
from tablee.store.errors import NewerDatabase, Refused

MIGRATIONS = Path(__file__).parent / "migrations"
VERSIONS = MIGRATIONS / "versions"
_ADVISORY_LOCK = 7_461_626_525  # any number will do that nobody else takes


def newest(versions: Path = VERSIONS) -> str:
    """The last step, such as `0001_first`."""
    return max(_known(versions))


def migrate_sqlite(path: Path, versions: Path = VERSIONS) -> None:
    """Bring a file up to date. Raises NewerDatabase and Unavailable."""
    try:
        with sqlite3.connect(path, timeout=sqlite_file.LOCK_SECONDS) as connection:
            found = _version_of_sqlite(connection)
        connection.close()
        if _is_current(found, str(path), versions):
            return
        if found is None and versions == VERSIONS and _make_sqlite(path):
            return
        engine = create_engine(
            "sqlite://",
            poolclass=NullPool,
            creator=lambda: sqlite3.connect(path, isolation_level=None, timeout=sqlite_file.LOCK_SECONDS),
        )

        @event.listens_for(engine, "begin")
        def begin(connection: Connection) -> None:
            # The driver would leave changes of the schema outside of the transaction.
            connection.exec_driver_sql("BEGIN IMMEDIATE")

        with engine.begin() as opened:
            _upgrade(opened, versions)
    except Exception as error:
        raise _explained_by(sqlite_file, error, path) from error


def is_house_of_sqlite(path: Path) -> bool:
    """Whether a file has tables of ours; nothing is made of it. Raises Unavailable."""
    if not path.is_file():
        return False
    try:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True)
        try:
            return _version_of_sqlite(connection) is not None
        finally:
            connection.close()
    except sqlite3.Error as error:
        raise _explained_by(sqlite_file, error, path) from error


async def is_house_of_postgresql(url: str) -> bool:
    """Whether a database has tables of ours; nothing is made in it. Raises Unavailable."""
    return await _version_of_postgresql(url) is not None


async def demand_newest(url: str) -> None:
    """Raises Refused where a PostgreSQL database is not up to date, NewerDatabase and Unavailable."""
    if not _is_current(await _version_of_postgresql(url), postgresql_server.shown(url), VERSIONS):
        raise Refused(
            f"The database {postgresql_server.shown(url)} is of an older Tablée: start this one on it first."
        )


async def migrate_postgresql(url: str, versions: Path = VERSIONS) -> None:
    """Bring a database up to date, one node at a time. Raises NewerDatabase and Unavailable."""
    found = await _version_of_postgresql(url)
    if _is_current(found, postgresql_server.shown(url), versions):
        return
    if found is None and versions == VERSIONS and await _make_postgresql(url):
        return
    from sqlalchemy.ext.asyncio import create_async_engine  # brings the whole ORM along

    engine = create_async_engine(
        "postgresql+asyncpg://", poolclass=NullPool, async_creator=lambda: asyncpg.connect(url)
    )
    try:
        async with engine.begin() as opened:
            await opened.execute(text(f"SELECT pg_advisory_xact_lock({_ADVISORY_LOCK})"))
            await opened.run_sync(_upgrade, versions)
    except Exception as error:
        raise _explained_by(postgresql_server, error, url) from error
    finally:
        await engine.dispose()


def _known(versions: Path) -> set[str]:
    return {step.stem for step in versions.glob("[0-9]*.py")}


def _is_current(found: str | None, where: str, versions: Path) -> bool:
    if found is not None and found not in _known(versions):
        raise NewerDatabase(
            f"The database {where} was written by a newer Tablée (it is at {found}, this Tablée knows up to "
            f"{newest(versions)}): install the newer Tablée, or restore a backup of this one."
        )
    return found == newest(versions)


def _version_of_sqlite(connection: sqlite3.Connection) -> str | None:
    is_begun = _is_begun_sqlite(connection)
    found = connection.execute("SELECT version_num FROM alembic_version").fetchone() if is_begun else None
    return None if found is None else str(found[0])


def _is_begun_sqlite(connection: sqlite3.Connection) -> bool:
    """Whether Alembic was here, though it may have taken no step yet."""
    found = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'").fetchone()
    return found is not None


_IS_BEGUN = "SELECT to_regclass('alembic_version') IS NOT NULL"


async def _version_of_postgresql(url: str) -> str | None:
    connection = await postgresql_server.connect(url)
    try:
        return await _version_seen_by(connection)
    finally:
        await connection.close()


async def _version_seen_by(connection: postgresql_server.Connection) -> str | None:
    is_begun = await connection.fetchval(_IS_BEGUN)
    found = await connection.fetchval("SELECT version_num FROM alembic_version") if is_begun else None
    return None if found is None else str(found)


def _make_sqlite(path: Path) -> bool:
    """Make all tables of an empty file; false where there are some."""
    connection = sqlite3.connect(path, isolation_level=None, timeout=sqlite_file.LOCK_SECONDS)
    try:
        connection.execute("BEGIN IMMEDIATE")
        if _is_begun_sqlite(connection):
            return False
        for sentence in fresh.sentences_for_sqlite(newest()):
            connection.execute(sentence)
        connection.execute("COMMIT")
        return True
    finally:
        connection.close()


async def _make_postgresql(url: str) -> bool:
    """Make all tables of an empty database; false where there are some."""
    connection = await postgresql_server.connect(url)
    try:
        async with connection.transaction():
            await connection.execute(f"SELECT pg_advisory_xact_lock({_ADVISORY_LOCK})")
            if await connection.fetchval(_IS_BEGUN):
                return False
            await connection.execute(";".join(fresh.sentences_for_postgresql(newest())))
            return True
    except Exception as error:
        raise _explained_by(postgresql_server, error, url) from error
    finally:
        await connection.close()


def _upgrade(connection: Connection, versions: Path) -> None:
    # Loaded here because a database that is up to date, as nearly always, needs nothing of it.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "newline")
    config.set_main_option("version_locations", str(versions).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _explained_by(database: Any, error: Exception, where: object) -> Exception:
    cause = getattr(error, "orig", None) or error  # SQLAlchemy wraps the driver's own
    cause = getattr(cause, "__cause__", None) or cause
    if isinstance(error, NewerDatabase) or not database.is_trouble(cause):
        return error
    explained: Exception = database.explained(cause, where)
    return explained
