"""The history of a table, from its log, as somebody may know it."""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import AsyncIterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from tablee.breath import Breath
from tablee.clock import Instant
from tablee.rules.contract import MASTER, SPECTATOR, Beat, Chronicle, Fact, Json, Rules, Seat, State, View
from tablee.tables.clocks import NO_CLOCK, Budget
from tablee.tables.codec import Codec
from tablee.tables.errors import NoSuchGame
from tablee.tables.happened import Happened, Views
from tablee.tables.info import HouseTable
from tablee.tables.loaded import LoadedTable
from tablee.tables.patch import merge_patch
from tablee.tables.searching import outcomes

if TYPE_CHECKING:
    from tablee.tables.hall import Tables

STEPS_MOST = 1000
"""Steps of one page."""

READ_AT_ONCE = 250
CHRONICLES_KEPT = 64
FILMS_KEPT = 32
HASTE = 60 * 60_000
"""Where something is due within so long, nobody has the time to look back first."""
LOGS_KEPT = 16
MOMENTS_MOST = 64
MOMENT_EVERY = 256
"""Of the logs last asked for, so many moments are kept with their state, at first one in so many events: who
asks for the hundredth page of a long log does not make the house read the ninety-nine before it."""


class Step(msgspec.Struct, frozen=True):
    """One event as it was told, with the patch that it made to the view."""

    version: int
    at: Instant
    told: list[Fact]
    patch: Json


class Shot(msgspec.Struct, frozen=True):
    """One step in the film of a game."""

    version: int
    at: Instant
    beat: Beat


class Seen(NamedTuple):
    """What a seat saw after so many steps; nothing before the game began."""

    version: int
    view: Any


class Page(msgspec.Struct, frozen=True):
    """Steps in order. `view` is the one before the first of them; `more` says whether others follow."""

    view: Any
    """Of the game's `view_type`; None before the game began."""
    steps: list[Step]
    more: bool


class History:
    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._store = tables.store
        self._chronicles: OrderedDict[tuple[int, Seat], tuple[int, State | None, Chronicle]] = OrderedDict()
        """Of the tables last asked for, as a seat was told; with the last event in each, and the state."""
        self._moments: OrderedDict[tuple[int, Seat], _Moments] = OrderedDict()
        self._films: OrderedDict[tuple[int, Seat, str], tuple[int, State | None, tuple[Shot, ...]]] = (
            OrderedDict()
        )

    async def _facts(
        self, table_id: int, codec: Codec, after: int = 0
    ) -> AsyncIterator[tuple[int, Instant, list[Fact]]]:
        """The facts of each event in the log after one of them, with its number and its moment."""
        breath = Breath()
        while True:
            events = await self._store.events(table_id, after=after, limit=READ_AT_ONCE)
            for event in events:
                await breath.take()
                after = event.seq
                yield after, event.at, codec.facts(event.facts)
            if len(events) < READ_AT_ONCE:
                return

    async def times_left(self, info: HouseTable) -> dict[int, int]:
        """By phase, what who played it had left on his clock when he had; nothing without a budget."""
        if not isinstance(info.time_control, Budget):
            return {}
        rules, codec = (
            self._tables.rules(info.game, info.variant),
            self._tables.codec(info.game, info.variant),
        )
        table = LoadedTable(self._tables, info, rules, codec)
        left: dict[int, int] = {}
        breath, after = Breath(), 0
        while True:
            events = await self._store.events(info.id, after=after, limit=READ_AT_ONCE)
            for event in events:
                await breath.take()
                phase = 0 if table.state is None else rules.phase(table.state)
                running = set(table.clocks.since)
                table.replay([event])
                after = event.seq
                for seat in running - set(table.clocks.since):
                    left[phase] = table.clocks.left[seat]
            if len(events) < READ_AT_ONCE:
                return left

    async def ratings(self, info: HouseTable) -> dict[Seat, int]:
        """What people's ratings were before a game that was rated for them."""
        rows = await outcomes(self._store, info.id)
        return {row.seat: row.rating_before for row in rows if row.rating_before is not None}

    async def chronicle(self, info: HouseTable, seat: Seat = SPECTATOR) -> Chronicle:
        """A game as its chronicle tells it to a seat; only what is new in its log is read.

        Raises NoSuchGame for one that has none.
        """
        table_id, rules = info.id, self._tables.rules(info.game, info.variant)
        codec, empty = self._tables.codec(info.game, info.variant), rules.chronicle()
        if empty is None:
            raise NoSuchGame(game=info.game, variant=info.variant)
        # What is being read belongs to who reads it: another who asks meanwhile reads for himself.
        key = (table_id, seat)
        seq, state, chronicle = self._chronicles.pop(key, (0, None, empty))
        async for number, at, facts in self._facts(table_id, codec, seq):
            for fact in facts:
                before, state = state, rules.evolve(state, fact)
                told = rules.tell(before, fact, state, seat)
                if told is not None:
                    chronicle.take(told, at)
            seq = number
        self._chronicles[key] = (seq, state, chronicle)
        while len(self._chronicles) > CHRONICLES_KEPT:
            self._chronicles.popitem(last=False)
        return chronicle

    def looked_back_at(self, info: HouseTable, seat: Seat) -> Seat:
        """As whom somebody at this seat looks back: where the end has laid all open, nothing is hidden."""
        is_open = info.status == "over" and self._tables.rules(info.game, info.variant).is_laid_open
        return MASTER if seat == SPECTATOR and is_open else seat

    async def film(self, info: HouseTable, seat: Seat, language: str) -> list[Shot]:
        """Every step that `seat` was told, and what it is in the film; what is new in the log is read."""
        rules = self._tables.rules(info.game, info.variant)
        codec = self._tables.codec(info.game, info.variant)
        key = (info.id, seat, language)
        seq, state, shots = self._films.pop(key, (0, None, ()))
        new: list[Shot] = []
        views = Views(rules)
        async for happened in self._happened(info.id, views, codec, seq, state):
            seq, state = happened.seq, happened.after
            told = happened.told(seat)
            if told:
                beat = rules.beat(told, partial(happened.view, seat), language)
                new.append(Shot(len(shots) + len(new) + 1, happened.at, beat))
        shots = (*shots, *new)
        self._films[key] = (seq, state, shots)
        while len(self._films) > FILMS_KEPT:
            self._films.popitem(last=False)
        return list(shots)

    async def since_last_visit(self, info: HouseTable, shots: Sequence[Shot], account_id: int) -> int | None:
        """The last of these steps that he may have seen when he was here last.

        None where nothing has happened since, where it all began since, and in a game in haste, which wants
        him at the board at once.
        """
        left = await self._tables.club.visits.last(account_id)
        seen = [shot for shot in shots if shot.at <= left]
        missed = any(shot.beat.is_stop for shot in shots[len(seen) :])
        if not seen or not missed or await self._is_in_haste(info):
            return None
        return seen[-1].version

    async def _is_in_haste(self, info: HouseTable) -> bool:
        if info.status != "running" or self._tables.is_by_days(info):
            return False
        if info.time_control != NO_CLOCK:
            return True
        loaded, now = await self._tables.open(info.id), self._tables.clock.now()
        rules, state = loaded.rules, loaded.state
        # Where nobody is waited for, all play at any time.
        return (
            state is None
            or not rules.waiting(state)
            or any(due - now < HASTE for due in rules.alarms(state).values())
        )

    async def step(self, info: HouseTable, seat: Seat, step: int | None = None) -> Seen:
        """A step as `seat` saw it; the last one where there are not so many, or none is named."""
        last = (await self._tables.open(info.id)).version(seat)
        version = last if step is None else min(step, last)
        page = await self.page(info.id, seat, after=version, limit=1)
        return Seen(version, page.view)

    async def facts_until(self, info: HouseTable, seat: Seat, step: int) -> tuple[list[Fact], State] | None:
        """All that had happened, and what was true, at a step that `seat` was told; None: no such step."""
        codec, version = self._tables.codec(info.game, info.variant), 0
        facts: list[Fact] = []
        views = Views(self._tables.rules(info.game, info.variant))
        async for happened in self._happened(info.id, views, codec):
            facts += happened.facts
            version += bool(happened.told(seat))
            if version == step:
                return facts, happened.after
        return None

    def forget(self, table_id: int | None = None) -> None:
        """What is kept of a table's log, or of all, may no longer be true."""
        if table_id is None:
            self._chronicles.clear()
            self._moments.clear()
            self._films.clear()
        else:
            forgotten: list[OrderedDict[Any, Any]] = [self._chronicles, self._moments, self._films]
            for kept in forgotten:
                for key in [key for key in kept if key[0] == table_id]:
                    del kept[key]

    async def page(self, table_id: int, seat: Seat = SPECTATOR, after: int = 0, limit: int = 200) -> Page:
        """The steps that `seat` was told after its version `after`, at most `limit`; raises NoSuchTable."""
        info = await self._tables.info(table_id)
        rules, codec = (
            self._tables.rules(info.game, info.variant),
            self._tables.codec(info.game, info.variant),
        )
        after, limit = max(0, after), max(1, min(limit, STEPS_MOST))
        views = Views(rules)
        begun = await self._begin(table_id, rules, codec, seat, after)
        moments = self._moments_of(table_id, seat)
        state, version = begun.state, begun.version
        steps: list[Step] = []
        first_view: View | None = None
        shown: View | None = None
        async for happened in self._happened(table_id, views, codec, begun.seq, state):
            before, state = happened.before, happened.after
            told = happened.told(seat)
            if told:
                version += 1
            moments.note(Moment(happened.seq, version, state))
            if not told or version <= after:
                continue
            if len(steps) == limit:
                return Page(first_view, steps, True)
            if not steps:
                first_view = shown = None if before is None else views.of(before, seat)
            steps.append(Step(version, happened.at, told, merge_patch(shown, views.of(state, seat))))
            shown = views.of(state, seat)
        if not steps and state is not None:
            first_view = views.of(state, seat)
        return Page(first_view, steps, False)

    async def _happened(
        self, table_id: int, views: Views, codec: Codec, seq: int = 0, state: State | None = None
    ) -> AsyncIterator[Happened]:
        """The events of a log after one of them, at which the state was this."""
        breath = Breath()
        while True:
            events = await self._store.events(table_id, after=seq, limit=READ_AT_ONCE)
            for event in events:
                await breath.take()
                seq, before, facts = event.seq, state, codec.facts(event.facts)
                for fact in facts:
                    state = views.rules.evolve(state, fact)
                assert state is not None, "the first event of a table always has facts"
                yield Happened(
                    views, codec, seq, event.at, event.seat, None, event.action, facts, None, before, state
                )
            if len(events) < READ_AT_ONCE:
                return

    async def _begin(self, table_id: int, rules: Rules[Any], codec: Codec, seat: Seat, after: int) -> Moment:
        """The last known moment at which `seat` had not been told more than `after` versions."""
        known = self._moments_of(table_id, seat).before(after)
        snapshot = await self._store.load_snapshot(table_id)
        if snapshot is None or snapshot.rules_version != rules.version or snapshot.seq <= known.seq:
            return known
        try:
            state, _, counts, _ = codec.snapshot(snapshot.content)
        except msgspec.MsgspecError:
            return known
        kept = Moment(snapshot.seq, counts.of(seat), state)
        return kept if kept.version <= after else known

    def _moments_of(self, table_id: int, seat: Seat) -> _Moments:
        key = (table_id, seat)
        moments = self._moments.pop(key, None) or _Moments()
        self._moments[key] = moments
        while len(self._moments) > LOGS_KEPT:
            self._moments.popitem(last=False)
        return moments


class Moment(NamedTuple):
    """A moment in a log: the event, the version of the seat that asked, the state then."""

    seq: int
    version: int
    state: State | None


class _Moments:
    """Moments of one log as one seat was told it, from which reading can begin: few, and evenly spread."""

    def __init__(self) -> None:
        self._every = MOMENT_EVERY
        self._moments = [Moment(0, 0, None)]

    def before(self, version: int) -> Moment:
        """The last one at which the seat had not been told more than this."""
        return self._moments[bisect_right(self._moments, version, key=lambda each: each.version) - 1]

    def note(self, moment: Moment) -> None:
        """A moment was reached; it is kept where there is none near it."""
        place = bisect_right(self._moments, moment.seq, key=lambda each: each.seq)
        if moment.seq - self._moments[place - 1].seq < self._every:
            return
        if place < len(self._moments) and self._moments[place].seq - moment.seq < self._every:
            return
        self._moments.insert(place, moment)
        if len(self._moments) > MOMENTS_MOST:
            self._every *= 2
            del self._moments[1::2]
