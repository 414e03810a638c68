"""For administrators: tables, mail, messages, the log of deeds, the health of the house."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import msgspec

from tablee.store import Conflict, Unit
from tablee.store.outbox import retry_write
from tablee.tables import searching

from ..api.ask import Ask
from ..api.errors import Refusal
from ..api.registry import Body, Id, Limit, Routes, Who
from ..shapes import Shape, TableInfo
from ..tables.shapes import table_shape

Json = Any
routes = Routes("administration of the house")


async def _names(ask: Ask, ids: Iterable[int | None]) -> dict[int | None, str]:
    """How these accounts are called now."""
    found = await ask.house.club.accounts.many({each for each in ids if each is not None})
    return {account.id: account.pseudo for account in found.values()}


class AdminTablesQuery(Body, frozen=True):
    status: Literal["open", "running", "over", "closed", "all"] = "all"
    before: Id | None = None
    limit: Limit = 50


class AdminTables(Shape, frozen=True):
    """Tables of any access, newest first."""

    tables: list[TableInfo]


@routes.get("/admin/tables", who=Who.ADMINISTRATOR)
async def admin_tables(ask: Ask, query: AdminTablesQuery) -> AdminTables:
    """All tables, private ones too, without their invitations."""
    statuses: list[str] = ["open", "running", "over", "closed"] if query.status == "all" else [query.status]
    ids = await searching.table_ids(ask.house.store, statuses, query.before, query.limit)
    found = [await ask.house.tables.info(table_id) for table_id in ids]
    return AdminTables(tables=[table_shape(ask.house, info, None) for info in found])


@routes.post("/admin/tables/{table_id}/close", who=Who.ADMINISTRATOR, refusals=(403,))
async def admin_close_table(ask: Ask, table_id: Id) -> TableInfo:
    """Clear away a table whose game has not begun."""
    house = ask.house
    await house.tables.creating.close(table_id)
    deed = await house.club.deeds.write(
        "close_table", actor=ask.account_id, about={"table": table_id}, address=ask.address
    )
    await house.store.commit(Unit(writes=[deed]))
    return table_shape(house, await house.tables.info(table_id), None)


@routes.delete("/admin/messages/{message_id}", who=Who.ADMINISTRATOR)
async def admin_delete_message(ask: Ask, message_id: Id) -> None:
    """Take a message away for everybody."""
    await ask.house.club.messages.delete(ask.account, message_id, address=ask.address)


# --- mail -----------------------------------------------------------------------------------------------


class OutboxQuery(Body, frozen=True):
    before: Id | None = None
    limit: Limit = 50


class Errand(Shape, frozen=True):
    """A letter in the outbox; what is in it is its reader's business."""

    id: int
    kind: str
    account: int | None
    account_name: str | None
    to: str | None
    subject: str | None
    created_at: int
    due_at: int | None
    tries: int
    done_at: int | None
    error: str | None


class Outbox(Shape, frozen=True):
    """Letters, newest first."""

    errands: list[Errand]


class _Letter(msgspec.Struct):
    to: str | None = None
    subject: str | None = None


@routes.get("/admin/outbox", who=Who.ADMINISTRATOR)
async def admin_outbox(ask: Ask, query: OutboxQuery) -> Outbox:
    """The mail that goes out, is late or has failed; without the codes in it."""
    shown = []
    found = await searching.errands(ask.house.store, query.before, query.limit)
    names = await _names(ask, (row.account_id for row in found))
    for row in found:
        letter = msgspec.json.decode(row.payload, type=_Letter)
        shown.append(
            Errand.of(
                row,
                account=row.account_id,
                account_name=names.get(row.account_id),
                to=letter.to,
                subject=letter.subject,
            )
        )
    return Outbox(errands=shown)


@routes.post("/admin/outbox/{errand_id}/retry", who=Who.ADMINISTRATOR)
async def admin_retry(ask: Ask, errand_id: Id) -> None:
    """Try an errand again now."""
    write = retry_write(errand_id, "mail", ask.house.clock.now())
    deed = await ask.house.club.deeds.write(
        "retry_errand", actor=ask.account_id, about={"errand": errand_id}, address=ask.address
    )
    try:
        await ask.house.store.commit(Unit(writes=[write, deed]))
    except Conflict:
        raise Refusal("not_found") from None


# --- deeds and health -----------------------------------------------------------------------------------


class DeedsQuery(Body, frozen=True):
    account: Id | None = None
    before: Id | None = None
    limit: Limit = 100


class DeedLine(Shape, frozen=True):
    """Who did what, to whom, from where."""

    id: int
    at: int
    actor: int | None
    actor_name: str | None
    account: int | None
    account_name: str | None
    what: str
    about: dict[str, Json]
    address: str


class DeedLines(Shape, frozen=True):
    """The log of deeds, newest first."""

    deeds: list[DeedLine]


@routes.get("/admin/deeds", who=Who.ADMINISTRATOR)
async def admin_deeds(ask: Ask, query: DeedsQuery) -> DeedLines:
    """Who did what, of everybody or of one account."""
    found = await ask.house.club.deeds.list(account=query.account, before=query.before, limit=query.limit)
    names = await _names(ask, (who for deed in found for who in (deed.actor_id, deed.account_id)))
    return DeedLines(
        deeds=[
            DeedLine.of(
                deed,
                actor=deed.actor_id,
                actor_name=names.get(deed.actor_id),
                account=deed.account_id,
                account_name=names.get(deed.account_id),
            )
            for deed in found
        ]
    )


class NodeLine(Shape, frozen=True):
    """A server process of this house."""

    id: str
    started_at: int
    seen_at: int
    this: bool


class Counts(Shape, frozen=True):
    """How many there are of what."""

    members: int
    visitors: int
    tables_open: int
    tables_running: int
    mail_waiting: int  # will be tried, or tried again
    mail_failed: int  # given up


class Health(Shape, frozen=True):
    """How the house is."""

    database: str  # sqlite or postgresql
    trouble: str | None  # what is wrong with the database, if anything
    bus_trouble: str | None
    version: str
    now: int
    connections: int  # WebSockets of this node
    tables_in_memory: int
    nodes: list[NodeLine]
    counts: Counts


@routes.get("/admin/health", who=Who.ADMINISTRATOR)
async def admin_health(ask: Ask) -> Health:
    """The database, the bus, the nodes, and how much goes on here."""
    house = ask.house
    accounts = await searching.account_counts(house.store)
    tables = await searching.table_counts(house.store)
    waiting, failed = await searching.unsent(house.store)
    return Health(
        database=house.store.kind,
        trouble=house.store.healthy(),
        bus_trouble=house.store.bus.healthy(),
        version=house.version,
        now=house.clock.now(),
        connections=house.live.count(),
        tables_in_memory=len(house.tables.loaded),
        nodes=[
            NodeLine(
                id=row.id, started_at=row.started_at, seen_at=row.seen_at, this=row.id == house.store.node_id
            )
            for row in await searching.nodes(house.store)
        ],
        counts=Counts(
            members=accounts.get("member", 0),
            visitors=accounts.get("visitor", 0),
            tables_open=tables.get("open", 0),
            tables_running=tables.get("running", 0),
            mail_waiting=waiting,
            mail_failed=failed,
        ),
    )
