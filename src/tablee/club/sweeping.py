"""What nobody needs any more is swept out, a little every hour."""

from __future__ import annotations

from sqlalchemy import BindParameter, bindparam, delete, exists, select

from tablee.clock import Clock
from tablee.club.deeds import VISIT
from tablee.store import Query, Store, Unit, Write
from tablee.store.schema import (
    account,
    challenge,
    deed,
    game_table,
    mail_code,
    message,
    notice,
    outbox,
    outcome,
    said,
    seat,
    session,
)

DAY = 86_400_000

_BEFORE: BindParameter[int] = bindparam("before")
_NOWHERE = ~(
    exists(select(seat.c.table_id).where(seat.c.account_id == account.c.id))
    | exists(select(outcome.c.table_id).where(outcome.c.account_id == account.c.id))
    | exists(select(message.c.id).where(message.c.author_id == account.c.id))
    | exists(select(game_table.c.id).where(game_table.c.host_id == account.c.id))
    | exists(select(session.c.id).where(session.c.account_id == account.c.id, session.c.used_at >= _BEFORE))
)
_SWEPT = [
    (
        Query(delete(session).where((session.c.expires_at < _BEFORE) | (session.c.revoked_at < _BEFORE))),
        30 * DAY,
    ),
    (Query(delete(mail_code).where(mail_code.c.expires_at < _BEFORE)), DAY),
    (Query(delete(said).where(said.c.at < _BEFORE)), DAY),
    (Query(delete(challenge).where(challenge.c.ended_at < _BEFORE)), 30 * DAY),
    (Query(delete(notice).where(notice.c.read_at < _BEFORE)), 90 * DAY),
    (Query(delete(outbox).where(outbox.c.due_at.is_(None), outbox.c.created_at < _BEFORE)), 30 * DAY),
    (
        Query(delete(account).where(account.c.kind == "visitor", account.c.seen_at < _BEFORE, _NOWHERE)),
        90 * DAY,
    ),
    (Query(delete(deed).where(deed.c.what == VISIT, deed.c.at < _BEFORE)), 90 * DAY),
]


async def sweep(store: Store, clock: Clock) -> None:
    """Delete sessions, codes and challenges long over, notices read, letters sent, visitors never seated
    and the deeds that say when visitors came."""
    now = clock.now()
    await store.commit(Unit(writes=[Write(query, {"before": now - age}) for query, age in _SWEPT]))
