"""Who is here, as others may know it."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import bindparam, select

from tablee.club.people import HIDES_VISITS, Account
from tablee.store import Query, Store
from tablee.store.schema import account, presence

AT_ONCE = 500

_SHOWN = Query(
    select(presence.c.account_id)
    .join_from(presence, account, presence.c.account_id == account.c.id)
    .where(
        presence.c.account_id.in_(bindparam("ids", expanding=True)),
        account.c.settings.not_like(f'%"{HIDES_VISITS}":true%'),
    )
    .distinct()
)


async def shown_here(store: Store, ids: Iterable[int]) -> frozenset[int]:
    """Which of these are connected, through whichever door and to whichever node, and let others see it."""
    wanted = sorted(set(ids))
    found: set[int] = set()
    for start in range(0, len(wanted), AT_ONCE):
        rows = await store.rows(_SHOWN, ids=wanted[start : start + AT_ONCE])
        found |= {row.account_id for row in rows}
    return frozenset(found)


def knows_visits(viewer: Account | None, of: Account) -> bool:
    """Whether somebody may know when another was here: he himself and administrators always may."""
    if not of.hides_visits:
        return True
    return viewer is not None and (viewer.id == of.id or viewer.is_administrator)
