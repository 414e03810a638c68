"""The PostgreSQL server: how it is reached, and what its errors mean."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import asyncpg
from sqlalchemy import UniqueConstraint

from tablee.store.errors import Conflict, Duplicate, Refused, StoreError, Unavailable
from tablee.store.schema import metadata

CONNECT_SECONDS = 5.0
COMMAND_SECONDS = 15.0
"""A server that answers later than this counts as gone."""

if TYPE_CHECKING:
    Connection = asyncpg.Connection[asyncpg.Record]
else:
    Connection = asyncpg.Connection

# A whole batch in one statement and so in one round trip: the heads are locked in order, and only if all
# of them are where the batch expects them is anything written or told.
BATCH = """
WITH locked AS MATERIALIZED (
  SELECT id, seq FROM game_table WHERE id = ANY($2::bigint[]) ORDER BY id FOR UPDATE
), fits AS MATERIALIZED (
  SELECT count(*) = cardinality($2::bigint[])
    AND (SELECT value FROM counter WHERE name = 'store.epoch') = $1::bigint AS all_fit
  FROM locked JOIN unnest($2::bigint[], $3::bigint[]) AS wanted (id, seq) USING (id, seq)
), moved AS (
  UPDATE game_table SET seq = wanted.seq
  FROM unnest($2::bigint[], $4::bigint[]) AS wanted (id, seq), fits
  WHERE game_table.id = wanted.id AND all_fit
), written AS (
  INSERT INTO event (table_id, seq, at, seat, action, facts, request_id)
  SELECT rows.* FROM fits, unnest(
    $5::bigint[], $6::bigint[], $7::bigint[], $8::integer[], $9::text[], $10::text[], $11::text[]
  ) AS rows WHERE all_fit
), told AS MATERIALIZED (
  SELECT pg_notify($12::text, payload) FROM unnest($13::text[]) AS payload, fits WHERE all_fit
)
SELECT all_fit, (SELECT count(*) FROM told) FROM fits
"""
HEADS = "SELECT id, seq FROM game_table WHERE id = ANY($1::bigint[]) ORDER BY id FOR UPDATE"
EPOCH = "SELECT value FROM counter WHERE name = 'store.epoch'"
NOTIFY = "SELECT pg_notify($1::text, payload) FROM unnest($2::text[]) AS payload"


async def connect(url: str) -> Connection:
    """A connection of one's own. Raises Unavailable."""
    try:
        connection = await asyncpg.connect(url, timeout=CONNECT_SECONDS, command_timeout=COMMAND_SECONDS)
        await set_up(connection)
    except Exception as error:
        raise explained(error, url) from error
    return connection


async def set_up(connection: Any) -> None:
    """Sums and averages come as the numbers that SQLite gives, and a commit means that it is durable."""
    await connection.set_type_codec(
        "numeric", schema="pg_catalog", encoder=str, decoder=_number, format="text"
    )
    await connection.execute("SET synchronous_commit = on")


def shown(url: str) -> str:
    """The server as an error may name it: never with the password."""
    parts = urlsplit(url)
    return f"{parts.hostname or 'localhost'}:{parts.port or 5432}{parts.path}"


_RETRY = (asyncpg.DeadlockDetectedError, asyncpg.SerializationError)
_GONE = (
    OSError,  # TimeoutError among them
    asyncpg.PostgresConnectionError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    asyncpg.OperatorInterventionError,
    asyncpg.InsufficientResourcesError,
    asyncpg.ReadOnlySQLTransactionError,
    asyncpg.PostgresSystemError,
    asyncpg.InvalidAuthorizationSpecificationError,
    asyncpg.InvalidCatalogNameError,
    asyncpg.LockNotAvailableError,
    asyncpg.InternalServerError,
)


def is_trouble(error: BaseException) -> bool:
    """Whether the server is to blame, and not what was asked of it."""
    if isinstance(error, Unavailable):
        return True
    # asyncpg's errors about arguments derive from its interface error, but the server is not to blame.
    return isinstance(error, _GONE) and not isinstance(error, asyncpg.DataError | ValueError)


def may_pass(error: BaseException) -> bool:
    """Whether the same transaction may succeed at the next try."""
    return isinstance(error, _RETRY)


def explained(error: BaseException, url: str) -> StoreError:
    """The error of `asyncpg` as one of ours."""
    if isinstance(error, StoreError):
        return error
    if isinstance(error, asyncpg.DiskFullError):
        return Unavailable(f"The database {shown(url)} cannot grow: the disk of the server is full.")
    if isinstance(error, asyncpg.ReadOnlySQLTransactionError):
        return Unavailable(f"The database {shown(url)} is not writable.")
    if isinstance(error, asyncpg.TooManyConnectionsError):
        return Unavailable(f"The database {shown(url)} takes no more connections.")
    if isinstance(error, asyncpg.InvalidAuthorizationSpecificationError | asyncpg.InvalidCatalogNameError):
        return Unavailable(f"The database {shown(url)} does not let us in: {error}.")
    if isinstance(error, TimeoutError):
        return Unavailable(f"The database {shown(url)} does not answer.")
    if is_trouble(error) or may_pass(error):
        return Unavailable(f"The database {shown(url)} cannot be used: {_first_line(error)}.")
    if isinstance(error, asyncpg.UniqueViolationError):
        table, columns = _UNIQUE.get(error.constraint_name or "", (error.table_name or "the table", ()))
        if (table, columns) == ("event", ("table_id", "seq")):
            return Conflict("another event has this number")
        return Duplicate(table, columns)
    return Refused(f"The database does not take this: {_first_line(error)}.")


def _first_line(error: BaseException) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0].rstrip(".")


def _number(text: str) -> int | float:
    return float(text) if "." in text or "N" in text else int(text)


def _unique_rules() -> dict[str, tuple[str, tuple[str, ...]]]:
    rules = {}
    for table in metadata.tables.values():
        rules[str(table.primary_key.name)] = (table.name, tuple(table.primary_key.columns.keys()))
        for constraint in table.constraints:
            if isinstance(constraint, UniqueConstraint):
                rules[str(constraint.name)] = (table.name, tuple(constraint.columns.keys()))
        for index in table.indexes:
            if index.unique:
                rules[str(index.name)] = (table.name, tuple(index.columns.keys()))
    return rules


_UNIQUE = _unique_rules()
