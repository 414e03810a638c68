"""Lists that are searched: people by the beginning of their name, and what administrators look through."""

from __future__ import annotations

from sqlalchemy import bindparam, func, select

from tablee.club.fields import pseudo_key
from tablee.club.people import COLUMNS, Account, account_of
from tablee.store import Query, Store
from tablee.store.query import Row
from tablee.store.schema import account, game_table, node, outbox, outcome

END = "\U0010ffff"
"""Sorts behind every letter that a name may have."""

_BETWEEN = (account.c.pseudo_key >= bindparam("low")) & (account.c.pseudo_key < bindparam("high"))
_NAMED = Query(
    select(*COLUMNS)
    .where(_BETWEEN, account.c.deleted_at.is_(None), account.c.kind.in_(("member", "robot")))
    .order_by(account.c.pseudo_key)
    .limit(bindparam("most"))
)
_MEMBERS = Query(
    select(account.c.id, account.c.pseudo)
    .where(account.c.kind == "member", account.c.deleted_at.is_(None))
    .order_by(account.c.id)
)
_ACCOUNTS = Query(
    select(*COLUMNS)
    .where(
        _BETWEEN | (account.c.email_key == bindparam("mail")),
        account.c.kind.in_(bindparam("kinds", expanding=True)),
        account.c.id < bindparam("before"),
    )
    .order_by(account.c.id.desc())
    .limit(bindparam("most"))
)
_TABLES = Query(
    select(game_table)
    .where(
        game_table.c.status.in_(bindparam("statuses", expanding=True)),
        game_table.c.id < bindparam("before"),
    )
    .order_by(game_table.c.id.desc())
    .limit(bindparam("most"))
)
_OUTCOMES = Query(
    select(outcome, account.c.pseudo)
    .outerjoin(account, account.c.id == outcome.c.account_id)
    .where(outcome.c.table_id == bindparam("which"))
    .order_by(outcome.c.seat, outcome.c.rank, outcome.c.account_id)
)
_OUTBOX = Query(
    select(outbox)
    .where(outbox.c.id < bindparam("before"), outbox.c.kind == "mail")
    .order_by(outbox.c.id.desc())
    .limit(bindparam("most"))
)
_KINDS = Query(
    select(account.c.kind, func.count().label("number"))
    .where(account.c.deleted_at.is_(None))
    .group_by(account.c.kind)
)
_STATUSES = Query(
    select(game_table.c.status, func.count().label("number"))
    .where(game_table.c.status.in_(("open", "running")))
    .group_by(game_table.c.status)
)
_UNSENT = Query(
    select(func.count(outbox.c.id).label("number"), func.count(outbox.c.due_at).label("due"))
    .select_from(outbox)
    .where(outbox.c.done_at.is_(None), outbox.c.kind == "mail")
)
_NODES = Query(select(node).order_by(node.c.started_at))

LAST = 2**53


async def people_named(store: Store, beginning: str, limit: int) -> list[Account]:
    """Members and robots whose name begins like this, whatever the case."""
    key = pseudo_key(beginning)
    return [account_of(row) for row in await store.rows(_NAMED, low=key, high=key + END, most=limit)]


async def members(store: Store) -> list[tuple[int, str]]:
    """Number and name of every member."""
    return [(row.id, row.pseudo) for row in await store.rows(_MEMBERS)]


async def accounts(
    store: Store, search: str, kinds: list[str], before: int | None, limit: int
) -> list[Account]:
    """Accounts by the beginning of the name or the whole e-mail address, newest first."""
    key = pseudo_key(search)
    rows = await store.rows(
        _ACCOUNTS,
        low=key,
        high=key + END,
        mail=search.strip().lower(),
        kinds=kinds,
        before=before or LAST,
        most=limit,
    )
    return [account_of(row) for row in rows]


async def table_ids(store: Store, statuses: list[str], before: int | None, limit: int) -> list[int]:
    """Tables of any access, newest first."""
    rows = await store.rows(_TABLES, statuses=statuses, before=before or LAST, most=limit)
    return [row.id for row in rows]


async def outcomes(store: Store, table_id: int) -> list[Row]:
    """What a finished table meant to each of its players, with the names that they have now."""
    return await store.rows(_OUTCOMES, which=table_id)


async def errands(store: Store, before: int | None, limit: int) -> list[Row]:
    """The outbox, newest first."""
    return await store.rows(_OUTBOX, before=before or LAST, most=limit)


async def account_counts(store: Store) -> dict[str, int]:
    """How many accounts there are, by kind."""
    return {row.kind: row.number for row in await store.rows(_KINDS)}


async def table_counts(store: Store) -> dict[str, int]:
    """How many tables are open and running."""
    return {row.status: row.number for row in await store.rows(_STATUSES)}


async def unsent(store: Store) -> tuple[int, int]:
    """Errands that will be tried again, and those that were given up."""
    row = await store.one(_UNSENT)
    return (0, 0) if row is None else (row.due, row.number - row.due)


async def nodes(store: Store) -> list[Row]:
    """Every server process that has a heartbeat."""
    return await store.rows(_NODES)
