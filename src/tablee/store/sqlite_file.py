"""The SQLite file: how it is opened, and what its errors mean."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from tablee.store.errors import Conflict, Duplicate, Refused, StoreError, Unavailable

LOCK_SECONDS = 5.0
"""How long the writer waits for another program, such as a restore, to let go of the file."""

# A whole batch is one statement: sqlite3 gives up and takes back the interpreter's lock once for each
# statement, and taking it back from a busy event loop is what costs. The statement is its own transaction.
# Why: docs/decisions.md#a-batch-is-one-statement
_BATCH = """
CREATE TEMP VIEW batch AS SELECT NULL AS epoch, NULL AS heads, NULL AS events;
CREATE TEMP TRIGGER batch_written INSTEAD OF INSERT ON batch BEGIN
  SELECT RAISE(ABORT, 'restored')
    WHERE new.epoch IS NOT (SELECT value FROM counter WHERE name = 'store.epoch');
  SELECT RAISE(ABORT, 'head differs')
    FROM json_each(new.heads) AS head
    LEFT JOIN game_table ON game_table.id = json_extract(head.value, '$[0]')
    WHERE game_table.seq IS NOT json_extract(head.value, '$[1]');
  INSERT INTO event (table_id, seq, at, seat, action, facts, request_id)
    SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]'),
      json_extract(value, '$[3]'), json_extract(value, '$[4]'), json_extract(value, '$[5]'),
      json_extract(value, '$[6]')
    FROM json_each(new.events);
  UPDATE game_table SET seq = moved.seq
    FROM (SELECT json_extract(value, '$[0]') AS id, json_extract(value, '$[2]') AS seq
          FROM json_each(new.heads)) AS moved
    WHERE game_table.id = moved.id;
END;
"""
BATCH = "INSERT INTO batch (epoch, heads, events) VALUES (?, ?, ?)"
HEADS = "SELECT id, seq FROM game_table WHERE id IN (SELECT value FROM json_each(?))"
EPOCH = "SELECT value FROM counter WHERE name = 'store.epoch'"


def open_to_write(path: Path) -> sqlite3.Connection:
    """The writer's connection. Raises Unavailable; never makes a new file."""
    connection = _connect(path, "rw", LOCK_SECONDS)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA temp_store = MEMORY")
        connection.execute("PRAGMA journal_size_limit = 67108864")
        connection.executescript(_BATCH)
    except sqlite3.Error as error:
        connection.close()
        raise explained(error, path) from error
    return connection


def open_to_read(path: Path) -> sqlite3.Connection:
    """A connection that only reads. Raises Unavailable."""
    connection = _connect(path, "rw", 1.0)
    connection.execute("PRAGMA query_only = ON")
    return connection


def make_file(path: Path) -> None:
    """Make sure that the file is there and can be written; a new one is for our eyes. Raises Unavailable."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600))
    except OSError as error:
        raise Unavailable(f"The database {path} cannot be written: {error.strerror}.") from error


def inode(path: Path) -> int | None:
    """Which file is at this path; None if there is none."""
    try:
        return os.stat(path).st_ino
    except OSError:
        return None


def _connect(path: Path, mode: str, timeout: float) -> sqlite3.Connection:
    try:
        return sqlite3.connect(
            f"{path.absolute().as_uri()}?mode={mode}",
            uri=True,
            isolation_level=None,
            check_same_thread=False,
            cached_statements=512,
            timeout=timeout,
        )
    except sqlite3.Error as error:
        raise explained(error, path) from error


_TROUBLES = {
    sqlite3.SQLITE_BUSY: "is locked by another program",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened",
    sqlite3.SQLITE_CORRUPT: "is damaged: restore a backup",
    sqlite3.SQLITE_FULL: "cannot grow: the disk is full",
    sqlite3.SQLITE_IOERR: "cannot be read or written: the disk reports an error or is full",
    sqlite3.SQLITE_LOCKED: "is locked",
    sqlite3.SQLITE_NOMEM: "needs more memory than there is",
    sqlite3.SQLITE_NOTADB: "is not an SQLite file",
    sqlite3.SQLITE_PERM: "may not be used by this account of the machine",
    sqlite3.SQLITE_PROTOCOL: "is locked by another program",
    sqlite3.SQLITE_READONLY: "is not writable",
}


def is_trouble(error: BaseException) -> bool:
    """Whether the file is to blame, and not what was asked of it."""
    return isinstance(error, Unavailable) or _code(error) in _TROUBLES


def explained(error: BaseException, path: Path) -> StoreError:
    """The error of `sqlite3` as one of ours."""
    if isinstance(error, StoreError):
        return error
    code = _code(error)
    if code in _TROUBLES:
        return Unavailable(f"The database {path} {_TROUBLES[code]}.")
    if isinstance(error, sqlite3.IntegrityError) and str(error).startswith("UNIQUE constraint failed: "):
        columns = str(error).removeprefix("UNIQUE constraint failed: ").split(", ")
        table = columns[0].partition(".")[0]
        names = tuple(column.partition(".")[2] for column in columns)
        if table == "event" and names == ("table_id", "seq"):
            return Conflict("another event has this number")
        return Duplicate(table, names)
    return Refused(f"The database does not take this: {error}.")


def _code(error: BaseException) -> int | None:
    code = getattr(error, "sqlite_errorcode", None)
    return code & 0xFF if isinstance(code, int) else None
