"""Rows and units that the tests of the store share."""

from __future__ import annotations

from typing import Any

from sqlalchemy import bindparam, insert, select, update

from tablee.store import Append, EventRow, Hint, Query, Store, Unit, Write
from tablee.store.schema import game_table, notice

NEW_TABLE = Query(insert(game_table))
HEAD = Query(select(game_table.c.seq).where(game_table.c.id == bindparam("id")))
RENAME = Query(
    update(game_table)
    .where(game_table.c.id == bindparam("table"), game_table.c.name == bindparam("was"))
    .values(name=bindparam("becomes"))
)
NAME = Query(select(game_table.c.name).where(game_table.c.id == bindparam("id")))
NEW_NOTICE = Query(insert(notice))
NOTICES = Query(select(notice.c.id, notice.c.about).order_by(notice.c.id))


def table_row(table_id: int, **changed: Any) -> dict[str, Any]:
    return {
        "id": table_id, "game": "mines", "variant": "classic", "door": "web", "name": "Chez Léa",
        "host_id": None, "access": "open", "invitation": "", "options": "{}", "time_control": "{}",
        "rated": True, "seats_least": 1, "seats_most": 10, "status": "running", "seq": 0, "due_at": None,
        "created_at": 1, "started_at": None, "ended_at": None, "result": None,
        "terms": None, "name_key": None, "looked_at": None, "sweep_at": None, "warned_at": None,
        "mastered": False, "anonymous": False, **changed,
    }  # fmt: skip


def founding(table_id: int, **changed: Any) -> Write:
    return Write(NEW_TABLE, table_row(table_id, **changed), expect=1)


def renaming(table_id: int, was: str, becomes: str) -> Write:
    return Write(RENAME, {"table": table_id, "was": was, "becomes": becomes}, expect=1)


def noticing(notice_id: int, about: str = "{}") -> Write:
    row = {"id": notice_id, "account_id": 1, "kind": "essai", "about": about, "at": 1}
    row |= {"read_at": None, "names_id": None}
    return Write(NEW_NOTICE, row)


def appending(table_id: int, after: int, count: int = 1, request: str | None = None, seat: int = 1) -> Append:
    events = [
        EventRow(table_id, after + i, 1_700_000_000_000 + i, seat, '{"do":"é"}', '[{"is":"1"}]', request)
        for i in range(1, count + 1)
    ]
    return Append(table_id, after, events)


def move(table_id: int, after: int, count: int = 1, request: str | None = None) -> Unit:
    return Unit(
        appends=[appending(table_id, after, count, request)], hints=[Hint("table", table_id, after + count)]
    )


async def make_tables(store: Store, *table_ids: int) -> None:
    await store.commit(Unit(writes=[founding(table_id) for table_id in table_ids]))


async def head_of(store: Store, table_id: int) -> int:
    row = await store.one(HEAD, id=table_id)
    assert row is not None
    return int(row.seq)


async def seqs_of(store: Store, table_id: int) -> list[int]:
    return [event.seq for event in await store.events(table_id)]


class Told:
    """Collects how units ended, in the order in which it was told."""

    def __init__(self) -> None:
        self.ends: list[tuple[object, Exception | None]] = []

    def about(self, what: object) -> Any:
        return lambda error: self.ends.append((what, error))

    @property
    def kinds(self) -> list[type[Exception] | None]:
        return [None if error is None else type(error) for _, error in self.ends]

    @property
    def order(self) -> list[object]:
        return [what for what, _ in self.ends]
