"""The history of a table, from its log, as somebody may know it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import AsyncIterator
from typing import Any

import msgspec

from tablee.clock import Instant
from tablee.rules.contract import Fact, Json, Rules, Seat, State
from tablee.rules.diplomacy.chronicle import Chronicle
from tablee.store import Store
from tablee.tables.codec import Codec
from tablee.tables.happened import Happened, Views
from tablee.tables.patch import merge_patch

READ_AT_ONCE = 1_000
CHRONICLES_KEPT = 64


class Step(msgspec.Struct, frozen=True):
    """One event as it was told, with the patch that it made to the view."""

    version: int
    at: Instant
    told: list[Json]
    patch: Json


class Page(msgspec.Struct, frozen=True):
    """Steps in order. `view` is the view before the first of them; `more` says whether others follow."""

    view: Json
    steps: list[Step]
    more: bool


class History:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._chronicles: OrderedDict[int, tuple[int, Chronicle]] = OrderedDict()
        """Of the tables last asked for, with the number of the last event in each."""

    async def facts(
        self, table_id: int, codec: Codec, after: int = 0
    ) -> AsyncIterator[tuple[int, Instant, list[Fact]]]:
        """The facts of each event in the log after one of them, with its number and its moment."""
        while True:
            events = await self._store.events(table_id, after=after, limit=READ_AT_ONCE)
            for event in events:
                after = event.seq
                yield after, event.at, codec.facts(event.facts)
            if len(events) < READ_AT_ONCE:
                return

    async def chronicle(self, table_id: int, codec: Codec) -> Chronicle:
        """A game of Diplomacy season by season; only what is new in its log is read."""
        seq, known = self._chronicles.pop(table_id, (0, None))
        # What is being read belongs to who reads it: another who asks meanwhile reads for himself.
        chronicle = Chronicle() if known is None else known
        async for number, at, facts in self.facts(table_id, codec, seq):
            for fact in facts:
                chronicle.take(fact, at)
            seq = number
        self._chronicles[table_id] = (seq, chronicle)
        while len(self._chronicles) > CHRONICLES_KEPT:
            self._chronicles.popitem(last=False)
        return chronicle

    def forget(self, table_id: int | None = None) -> None:
        """What is kept of a table's log, or of all, may no longer be true."""
        if table_id is None:
            self._chronicles.clear()
        else:
            self._chronicles.pop(table_id, None)

    async def page(
        self, table_id: int, rules: Rules[Any], codec: Codec, seat: Seat, after: int, limit: int
    ) -> Page:
        """The steps that `seat` was told after its version `after`, at most `limit`."""
        views = Views(rules)
        state: State | None = None
        version = seq = 0
        steps: list[Step] = []
        first_view: Json = {}
        shown: Json = {}
        while True:
            events = await self._store.events(table_id, after=seq, limit=READ_AT_ONCE)
            for event in events:
                seq = event.seq
                before = state
                facts = codec.facts(event.facts)
                for fact in facts:
                    state = rules.evolve(state, fact)
                assert state is not None, "the first event of a table always has facts"
                happened = Happened(
                    views, codec, seq, event.at, event.seat, None, event.action, facts, None, before, state
                )
                told = happened.told(seat)
                if not told:
                    continue
                version += 1
                if version <= after:
                    continue
                if len(steps) == limit:
                    return Page(first_view, steps, True)
                if not steps:
                    first_view = shown = {} if before is None else views.of(before, seat)
                steps.append(Step(version, event.at, told, merge_patch(shown, views.of(state, seat))))
                shown = views.of(state, seat)
            if len(events) < READ_AT_ONCE:
                break
        if not steps and state is not None:
            first_view = views.of(state, seat)
        return Page(first_view, steps, False)
