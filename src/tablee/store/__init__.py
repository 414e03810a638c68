"""What lasts: one log and its rows, in an SQLite file or on PostgreSQL, and the hints between nodes."""

from tablee.store.bus import Bus, InProcessBus, Unsubscribe
from tablee.store.errors import Conflict, Duplicate, NewerDatabase, NotEmpty, Refused, StoreError, Unavailable
from tablee.store.nodes import Arrival, Nodes, Presence, TimeOwed
from tablee.store.opening import demand_house, open_store
from tablee.store.outbox import Errand, GiveUp, Outbox, errand
from tablee.store.postgresql_bus import PostgresqlBus
from tablee.store.query import Query, Row, upsert
from tablee.store.store import Store, keep_snapshot
from tablee.store.units import Append, EventRow, Hint, Unit, Write

__all__ = [
    "Append",
    "Arrival",
    "Bus",
    "Conflict",
    "Duplicate",
    "Errand",
    "EventRow",
    "GiveUp",
    "Hint",
    "InProcessBus",
    "NewerDatabase",
    "Nodes",
    "NotEmpty",
    "Outbox",
    "PostgresqlBus",
    "Presence",
    "Query",
    "Refused",
    "Row",
    "Store",
    "StoreError",
    "TimeOwed",
    "Unavailable",
    "Unit",
    "Unsubscribe",
    "Write",
    "demand_house",
    "errand",
    "keep_snapshot",
    "open_store",
    "upsert",
]
