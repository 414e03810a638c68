"""Who is here, as others may know it."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import bindparam, exists, select

from tablee.club.people import COLUMNS, Account, account_of
from tablee.store import Query, Store
from tablee.store.schema import account, presence

AT_ONCE = 500

_HERE = Query(
    select(*COLUMNS).where(
        account.c.id.in_(bindparam("ids", expanding=True)),
        exists(select(presence.c.node_id).where(presence.c.account_id == account.c.id)),
    )
)


async def shown_here(store: Store, ids: Iterable[int]) -> frozenset[int]:
    """Which of these are connected, through whichever door and to whichever node, and let others see it."""
    wanted = sorted(set(ids))
    found: set[int] = set()
    for start in range(0, len(wanted), AT_ONCE):
        here = map(account_of, await store.rows(_HERE, ids=wanted[start : start + AT_ONCE]))
        found |= {account.id for account in here if not account.hides_visits}
    return frozenset(found)


def knows_visits(viewer: Account | None, of: Account) -> bool:
    """Whether somebody may know when another was here: he himself and administrators always may."""
    if not of.hides_visits:
        return True
    return viewer is not None and (viewer.id == of.id or viewer.is_administrator)
