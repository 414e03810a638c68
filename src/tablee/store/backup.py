"""Backups: one SQLite file, whichever database it comes from, that either database takes back."""

from __future__ import annotations

import asyncio
import os
import secrets
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import Boolean, Table

from tablee.store import postgresql_server, sqlite_file
from tablee.store.errors import NotEmpty, Refused, Unavailable
from tablee.store.migrate import demand_newest, migrate_postgresql, migrate_sqlite
from tablee.store.opening import is_postgresql, sqlite_path
from tablee.store.schema import metadata

Progress = Callable[[int, int], None]
"""Called with how much is done and how much there is."""

_ROWS_AT_ONCE = 2000
_PAGES_AT_ONCE = 2000
_MERGED = ("counter", "node")  # not replaced but joined: numbers never go back, running nodes stay
_NOT_CONTENT = ("counter", "node", "presence")
_COPIED = [table for table in metadata.sorted_tables if table.name not in _MERGED]


def _silent(done: int, total: int) -> None:
    pass


async def backup(where: str | Path, file: Path, progress: Progress = _silent) -> None:
    """Write all that the database holds at one moment to `file`, while everything goes on.

    The file is there complete or not at all, and for our eyes only. Raises Refused if it exists already,
    and Unavailable.
    """
    if await asyncio.to_thread(file.exists):
        raise Refused(f"{file} exists already: give the backup a new name.")
    partial = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    try:
        await asyncio.to_thread(partial.touch, mode=0o600)
        if is_postgresql(where):
            await _backup_postgresql(str(where), partial, progress)
        else:
            await asyncio.to_thread(_backup_sqlite, sqlite_path(where), partial, progress)
        await asyncio.to_thread(_finish, partial, file)
    except (sqlite3.Error, OSError) as error:
        raise Unavailable(f"The backup {file} cannot be written: {error}.") from error
    finally:
        partial.unlink(missing_ok=True)


async def restore(
    file: Path, where: str | Path, *, force: bool = False, progress: Progress = _silent
) -> None:
    """Put a backup in place of what the database holds, in one transaction; nodes that run start afresh.

    Raises NotEmpty unless forced where there is something to lose, Refused where the file is no backup,
    NewerDatabase and Unavailable.
    """
    with tempfile.TemporaryDirectory(prefix="tablee-restore-") as folder:
        source = Path(folder) / "backup.sqlite"
        await asyncio.to_thread(_checked_copy, file, source)
        if is_postgresql(where):
            await migrate_postgresql(str(where))
            await _restore_postgresql(source, str(where), force, progress)
        else:
            path = sqlite_path(where)
            sqlite_file.make_file(path)
            await asyncio.to_thread(migrate_sqlite, path)
            await asyncio.to_thread(_restore_sqlite, source, path, force, progress)


# --- backup ---------------------------------------------------------------------------------------------


def _backup_sqlite(path: Path, partial: Path, progress: Progress) -> None:
    if not path.exists():
        raise Unavailable(f"The database {path} is not there.")
    source, target = sqlite_file.open_to_read(path), sqlite3.connect(partial)
    try:
        # Without a transaction of our own the copying would begin anew at every commit of the server.
        source.execute("BEGIN")
        source.execute("SELECT count(*) FROM sqlite_master").fetchone()
        source.backup(
            target,
            pages=_PAGES_AT_ONCE,
            sleep=0,
            progress=lambda _, left, total: progress(total - left, total),
        )
        source.execute("COMMIT")
        target.execute("PRAGMA journal_mode = DELETE")
    finally:
        source.close()
        target.close()


async def _backup_postgresql(url: str, partial: Path, progress: Progress) -> None:
    await demand_newest(url)
    await asyncio.to_thread(migrate_sqlite, partial)
    target = sqlite3.connect(partial, isolation_level=None, check_same_thread=False)
    connection = await postgresql_server.connect(url)
    try:
        target.execute("BEGIN")
        async with connection.transaction(isolation="repeatable_read", readonly=True):
            tables = metadata.sorted_tables
            counts = [await connection.fetchval(f'SELECT count(*) FROM "{table.name}"') for table in tables]
            done, total = 0, sum(counts)
            for table in tables:
                target.execute(f'DELETE FROM "{table.name}"')
                cursor = await connection.cursor(f'SELECT {_columns(table)} FROM "{table.name}"')
                while found := await cursor.fetch(_ROWS_AT_ONCE):
                    await asyncio.to_thread(target.executemany, _insert_sqlite(table), found)
                    done += len(found)
                    progress(done, total)
        target.execute("COMMIT")
    except Exception as error:
        if postgresql_server.is_trouble(error) and not isinstance(error, sqlite3.Error):
            raise postgresql_server.explained(error, url) from error
        raise
    finally:
        target.close()
        connection.terminate()


def _finish(partial: Path, file: Path) -> None:
    """Make the file durable before it gets its name, and its name durable too."""
    for path in (partial, partial.parent):
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
            if path is partial:
                partial.rename(file)
        finally:
            os.close(handle)


# --- restore --------------------------------------------------------------------------------------------


def _checked_copy(file: Path, copy: Path) -> None:
    """A copy of the backup, brought up to date. Raises Refused where it is none, and NewerDatabase."""
    if not file.is_file():
        raise Refused(f"There is no backup {file}.")
    shutil.copyfile(file, copy)
    try:
        connection = sqlite3.connect(copy)
        try:
            ours = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'").fetchone()
            sound = connection.execute("PRAGMA quick_check").fetchone()[0] if ours else "no"
        finally:
            connection.close()
    except sqlite3.DatabaseError as error:
        raise Refused(f"{file} is no backup of Tablée: {error}.") from error
    if not ours:
        raise Refused(f"{file} is no backup of Tablée.")
    if sound != "ok":
        raise Refused(f"{file} is damaged: {sound}.")
    migrate_sqlite(copy)


def _restore_sqlite(source: Path, path: Path, force: bool, progress: Progress) -> None:
    connection = sqlite_file.open_to_write(path)
    try:
        connection.execute("ATTACH ? AS backup", (str(source),))
        connection.execute("BEGIN IMMEDIATE")
        if not force:
            for table in _COPIED:
                if table.name not in _NOT_CONTENT and _has_rows(connection, table):
                    raise _not_empty(str(path))
        for step, table in enumerate(_COPIED, start=1):
            columns = _columns(table)
            connection.execute(f'DELETE FROM main."{table.name}"')
            connection.execute(
                f'INSERT INTO main."{table.name}" ({columns}) SELECT {columns} FROM backup."{table.name}"'
            )
            progress(step, len(_COPIED))
        nodes = _columns(metadata.tables["node"])
        connection.executemany(_KEEP_HIGHER, connection.execute(_COUNTERS).fetchall())
        connection.execute(
            f"INSERT INTO main.node ({nodes}) SELECT {nodes} FROM backup.node WHERE true "
            "ON CONFLICT DO NOTHING"
        )
        connection.execute(
            "UPDATE main.counter SET value = ? WHERE name = 'store.epoch'", (secrets.randbits(62),)
        )
        connection.execute("COMMIT")
    except sqlite3.Error as error:
        raise sqlite_file.explained(error, path) from error
    finally:
        connection.close()


async def _restore_postgresql(source: Path, url: str, force: bool, progress: Progress) -> None:
    connection = await postgresql_server.connect(url)
    backup = sqlite3.connect(source, check_same_thread=False)
    try:
        async with connection.transaction():
            content = [table.name for table in _COPIED if table.name not in _NOT_CONTENT]
            found = " OR ".join(f'EXISTS (SELECT 1 FROM "{name}")' for name in content)
            if not force and await connection.fetchval(f"SELECT {found}"):
                raise _not_empty(postgresql_server.shown(url))
            names = ", ".join(f'"{table.name}"' for table in _COPIED)
            await connection.execute(f"TRUNCATE {names}", timeout=60)
            for step, table in enumerate(_COPIED, start=1):
                for rows in _rows_for_postgresql(backup, table):
                    await connection.copy_records_to_table(
                        table.name, records=rows, columns=table.columns.keys(), timeout=600
                    )
                progress(step, len(_COPIED))
            await connection.executemany(
                "INSERT INTO counter (name, value) VALUES ($1, $2) ON CONFLICT (name) "
                "DO UPDATE SET value = greatest(counter.value, excluded.value)",
                backup.execute(_COUNTERS.replace("backup.", "")).fetchall(),
            )
            node = metadata.tables["node"]
            places = ", ".join(f"${i}" for i in range(1, len(node.columns) + 1))
            await connection.executemany(
                f"INSERT INTO node ({_columns(node)}) VALUES ({places}) ON CONFLICT DO NOTHING",
                backup.execute(f"SELECT {_columns(node)} FROM node").fetchall(),
            )
            await connection.execute(
                "UPDATE counter SET value = $1 WHERE name = 'store.epoch'", secrets.randbits(62)
            )
    except Exception as error:
        raise postgresql_server.explained(error, url) from error
    finally:
        backup.close()
        connection.terminate()


_COUNTERS = "SELECT name, value FROM backup.counter WHERE name NOT IN ('store.epoch', 'store.house')"
_KEEP_HIGHER = (
    "INSERT INTO main.counter (name, value) VALUES (?, ?) ON CONFLICT (name) "
    "DO UPDATE SET value = max(value, excluded.value)"
)


def _rows_for_postgresql(backup: sqlite3.Connection, table: Table) -> Iterator[Sequence[Sequence[Any]]]:
    truths = [i for i, column in enumerate(table.columns) if isinstance(column.type, Boolean)]
    cursor = backup.execute(f'SELECT {_columns(table)} FROM "{table.name}"')
    while found := cursor.fetchmany(_ROWS_AT_ONCE):
        if truths:
            rows = [list(row) for row in found]
            for row in rows:
                for i in truths:
                    row[i] = None if row[i] is None else bool(row[i])
            yield rows
        else:
            yield found


def _has_rows(connection: sqlite3.Connection, table: Table) -> bool:
    return connection.execute(f'SELECT 1 FROM main."{table.name}" LIMIT 1').fetchone() is not None


def _not_empty(where: str) -> NotEmpty:
    return NotEmpty(
        f"The database {where} is not empty and what it holds would be lost: force it if you mean it."
    )


def _columns(table: Table) -> str:
    return ", ".join(f'"{name}"' for name in table.columns.keys())  # noqa: SIM118


def _insert_sqlite(table: Table) -> str:
    return f'INSERT INTO "{table.name}" ({_columns(table)}) VALUES ({", ".join("?" * len(table.columns))})'
