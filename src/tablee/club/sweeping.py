"""What nobody needs any more is swept out, a little every hour."""

from __future__ import annotations

from sqlalchemy import BindParameter, bindparam, delete, exists, select

from tablee.clock import Clock
from tablee.club.deeds import VISIT
from tablee.store import Query, Store, Unit, Write
from tablee.store.schema import (
    account,
    announcement,
    block,
    call,
    challenge,
    deed,
    device,
    draft,
    game_table,
    house_visit,
    invitation,
    mail_code,
    mail_taken,
    message,
    notebook,
    notice,
    outbox,
    outcome,
    reading,
    reply_token,
    said,
    seat,
    session,
    unsent,
    visit,
    webhook,
    wish,
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
_OVER = select(game_table.c.id).where(game_table.c.ended_at < _BEFORE)
_ENDED = select(session.c.id).where((session.c.expires_at < _BEFORE) | session.c.revoked_at.is_not(None))
_SWEPT = [
    # Before the sessions themselves, by which they are known.
    (Query(delete(device).where(device.c.session_id.in_(_ENDED))), 0),
    (
        Query(delete(session).where((session.c.expires_at < _BEFORE) | (session.c.revoked_at < _BEFORE))),
        30 * DAY,
    ),
    (Query(delete(mail_code).where(mail_code.c.expires_at < _BEFORE)), DAY),
    (Query(delete(mail_taken).where(mail_taken.c.at < _BEFORE)), 30 * DAY),
    (Query(delete(reply_token).where(reply_token.c.made_at < _BEFORE)), 90 * DAY),
    (Query(delete(unsent).where(unsent.c.made_at < _BEFORE)), 30 * DAY),
    (Query(delete(said).where(said.c.at < _BEFORE)), DAY),
    (Query(delete(challenge).where(challenge.c.ended_at < _BEFORE)), 30 * DAY),
    (Query(delete(notice).where(notice.c.read_at < _BEFORE)), 90 * DAY),
    (
        Query(delete(call).where(call.c.mail_at.is_(None), call.c.push_at.is_(None), call.c.at < _BEFORE)),
        30 * DAY,
    ),
    (Query(delete(notice).where(notice.c.at < _BEFORE)), 365 * DAY),
    (Query(delete(deed).where(deed.c.what == VISIT, deed.c.at < _BEFORE)), 90 * DAY),
    (Query(delete(announcement).where(announcement.c.at < _BEFORE)), 7 * DAY),
    (Query(delete(webhook).where(webhook.c.table_id.in_(_OVER))), 30 * DAY),
    (Query(delete(outbox).where(outbox.c.due_at.is_(None), outbox.c.created_at < _BEFORE)), 30 * DAY),
]
VISITORS_AT_ONCE = 500
_GONE_VISITORS = Query(
    select(account.c.id)
    .where(account.c.kind == "visitor", account.c.seen_at < _BEFORE, _NOWHERE)
    .limit(VISITORS_AT_ONCE)
)
_IDS: BindParameter[int] = bindparam("ids", expanding=True)
_OWN = (session, notice, reading, block, invitation, visit, house_visit, notebook, draft, call, wish)
_OF_VISITORS = [
    *(Query(delete(table).where(table.c.account_id.in_(_IDS))) for table in _OWN),
    Query(delete(account).where(account.c.id.in_(_IDS), account.c.kind == "visitor")),
]


async def sweep(store: Store, clock: Clock) -> None:
    """Delete sessions, codes and challenges long over, notices read, letters sent, visits, visitors gone."""
    now = clock.now()
    await store.commit(Unit(writes=[Write(query, {"before": now - age}) for query, age in _SWEPT]))
    # A bounded number at once: others wait for the next hour.
    gone = [row.id for row in await store.rows(_GONE_VISITORS, before=now - 90 * DAY)]
    if gone:
        await store.commit(Unit(writes=[Write(query, {"ids": gone}) for query in _OF_VISITORS]))
