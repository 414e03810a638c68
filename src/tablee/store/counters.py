"""Numbers that are never given twice, fetched in blocks so that most of them cost nothing."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from sqlalchemy.dialects.postgresql import insert

from tablee.store.query import Query
from tablee.store.schema import counter
from tablee.store.units import Write

if TYPE_CHECKING:
    from tablee.store.store import Store

_offer = insert(counter)
RAISE = Query(
    _offer.on_conflict_do_update(
        index_elements=["name"], set_={"value": counter.c.value + _offer.excluded.value}
    ).returning(counter.c.value)
)
"""Raise the counter `name` by `value`, from 0 if it is new."""

PROBE = Write(RAISE, {"name": "store.probe", "value": 1})
"""Something to write, to see whether a database that was in trouble takes it."""


# Why: docs/decisions.md#ids-come-in-blocks
class Counters:
    """This node's blocks of numbers. What is left of them when the node ends is not given."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._left: dict[str, tuple[int, int]] = {}  # next, end
        self._fetching: dict[str, asyncio.Lock] = {}

    async def next(self, name: str, block: int) -> int:
        given = self._take(name)
        if given is not None:
            return given
        async with self._fetching.setdefault(name, asyncio.Lock()):
            given = self._take(name)
            if given is not None:
                return given
            top = (await self._store.change(RAISE, name=name, value=block))[0].value
            self._left[name] = (top - block + 2, top)
            return int(top - block + 1)

    def forget(self) -> None:
        """Drop the blocks: the counters in the database were set back."""
        self._left.clear()

    def _take(self, name: str) -> int | None:
        first, last = self._left.get(name, (1, 0))
        if first > last:
            return None
        self._left[name] = (first + 1, last)
        return first
