"""Keys that all nodes of the house share, kept in its database."""

from __future__ import annotations

import secrets

from sqlalchemy import bindparam, select

from tablee.store.query import Query, upsert
from tablee.store.schema import house_secret
from tablee.store.store import Store
from tablee.store.units import Unit, Write

_KEEP = Query(upsert(house_secret, change=[]))
_RENEW = Query(upsert(house_secret))
_KEPT = Query(select(house_secret.c.value).where(house_secret.c.name == bindparam("which")))


async def shared_key(store: Store, name: str, proposed: str = "") -> str:
    """The key of this name; the first who asks brings the one proposed, or makes one. Raises Unavailable."""
    made = proposed or secrets.token_urlsafe(32)
    await store.commit(Unit(writes=[Write(_KEEP, {"name": name, "value": made})]))
    row = await store.one(_KEPT, which=name)
    assert row is not None
    return str(row.value)


async def renew_key(store: Store, name: str) -> str:
    """Make another key of this name, for whoever asks from now on."""
    made = secrets.token_urlsafe(32)
    await store.commit(Unit(writes=[Write(_RENEW, {"name": name, "value": made})]))
    return made
