"""What lasts: one log and its rows, in an SQLite file or on PostgreSQL, and the hints between nodes."""

from tablee.store.bus import Bus, InProcessBus, Unsubscribe
from tablee.store.errors import Conflict, Duplicate, NewerDatabase, NotEmpty, Refused, StoreError, Unavailable
from tablee.store.opening import open_store
from tablee.store.query import Query, Row, upsert
from tablee.store.store import Store, keep_snapshot
from tablee.store.units import Append, EventRow, Hint, Unit, Write

__all__ = [
    "Append",
    "Bus",
    "Conflict",
    "Duplicate",
    "EventRow",
    "Hint",
    "InProcessBus",
    "NewerDatabase",
    "NotEmpty",
    "Query",
    "Refused",
    "Row",
    "Store",
    "StoreError",
    "Unavailable",
    "Unit",
    "Unsubscribe",
    "Write",
    "keep_snapshot",
    "open_store",
    "upsert",
]
