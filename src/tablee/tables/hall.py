"""The hall where the tables stand: which of them this node has in memory, and how an action is submitted."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from random import Random
from typing import Any

import msgspec
import structlog

from tablee.clock import Clock, Instant
from tablee.club import Club
from tablee.club.workroom import Workroom
from tablee.rules import games_of, rules_of
from tablee.rules.calendar import Calendar
from tablee.rules.contract import Action, Condition, Result, Rules, Seat
from tablee.store import Conflict, Store, TimeOwed, Unit, Write
from tablee.store.nodes import Arrival
from tablee.store.nodes import Presence as LeftBehind
from tablee.store.repeating import Repeating
from tablee.tables import loading, rows
from tablee.tables.aborting import Aborting
from tablee.tables.admission import Admission
from tablee.tables.calendar import ClubCalendar
from tablee.tables.call_words import TableWords
from tablee.tables.calling_off import CallingOff
from tablee.tables.chair import Chair
from tablee.tables.challenges import Challenges
from tablee.tables.clocks import Days
from tablee.tables.codec import Codec
from tablee.tables.creating import Creating
from tablee.tables.deadlines import Deadlines
from tablee.tables.endings import Endings
from tablee.tables.errors import NoSuchGame
from tablee.tables.excusing import Excusing
from tablee.tables.following import Following
from tablee.tables.happened import Happened
from tablee.tables.hints import Hints
from tablee.tables.history import History
from tablee.tables.info import HouseTable
from tablee.tables.loaded import LoadedTable, by_days
from tablee.tables.lobby import Lobby
from tablee.tables.looks import Looks
from tablee.tables.mastering import Mastering
from tablee.tables.matchmaking import Matchmaking
from tablee.tables.notebooks import Notebooks
from tablee.tables.own_games import OwnGames
from tablee.tables.presence import Presence
from tablee.tables.press import Press
from tablee.tables.reckoning import Reckoning
from tablee.tables.replacing import Replacing
from tablee.tables.replies import Replies
from tablee.tables.resuming import Resuming
from tablee.tables.reviewing import Reviews
from tablee.tables.robots import HUMAN, Pace, Robots
from tablee.tables.roles import roles_at
from tablee.tables.sitting import SittingDown
from tablee.tables.standing_in import StandingIn
from tablee.tables.submission import NOTHING, Attachment, Ending, Outcome
from tablee.tables.sweeping import Sweeping
from tablee.tables.unsent import Unsent
from tablee.tasks import Tasks

log = structlog.get_logger("tablee.tables")

SWEEP_EVERY = 2_000
HEADS_EVERY = 5_000
MATCH_EVERY = 1_000
CHALLENGES_EVERY = 5_000
RECKON_EVERY = 60_000
UNWANTED_EVERY = 30_000
IDLE_AFTER = 60_000
"""A table that nobody listens to and nothing will soon happen at is put away after so long."""
KEEP_FOR_DUE = 30_000
CROWDED = 2_000
"""With so many tables in memory, those that nobody needs are put away much sooner."""

THINKING_AT_ONCE = 2
MAKING_AT_ONCE = 1
MAKING_WAIT_MOST = 4
"""Boards that take long to make and that one host may have waiting; for more he comes again later."""

Games = Mapping[tuple[str, str], Rules[Any]]


class Tables:
    """All tables of the house, as this node sees them."""

    def __init__(
        self,
        store: Store,
        club: Club,
        clock: Clock,
        rng: Random,
        games: Games,
        *,
        executor: Executor | None = None,
        pace: Pace = HUMAN,
        calendar: Calendar | None = None,
    ) -> None:
        self.store = store
        self.club = club
        self.clock = clock
        self.rng = rng
        self.calendar = calendar or ClubCalendar()
        self.always: Games = {key: rules.dated(self.calendar) for key, rules in games.items()}
        self.games: Games = dict(self.always)
        self.loaded: dict[int, LoadedTable] = {}
        # What robots think out and the boards that take long to make are kept apart: whoever has many boards
        # made must not silence every robot.
        self.thinking = Workroom("thinking", THINKING_AT_ONCE, executor)
        self.making = Workroom("making", MAKING_AT_ONCE, executor, waiting_each=MAKING_WAIT_MOST, again_in=10)
        # What anybody may ask that belongs to no game: one at a time, which bounds the memory too.
        self.workshop = Workroom("workshop", 1)
        self._codecs = {key: Codec(rules) for key, rules in self.games.items()}
        self.loading: dict[int, asyncio.Future[LoadedTable]] = {}
        self.tasks = Tasks("tablee.tables")
        self.spawn = self.tasks.spawn
        self._outgoing: dict[LoadedTable, None] = {}
        self._incoming: dict[LoadedTable, None] = {}
        self._rounds: list[Repeating] = []
        self._buried: set[str] = set()
        self._unsubscribe: list[Callable[[], None]] = []
        self.deadlines = Deadlines(store, clock, self.loaded, self.open)
        self.endings = Endings(store, club)
        self.admission = Admission(self)
        self.creating = Creating(self)
        self.resuming = Resuming(self)
        self.sitting = SittingDown(self)
        self.replacing = Replacing(self)
        self.aborting = Aborting(self)
        self.reviews = Reviews(self)
        self.presence = Presence(self)
        self.robots = Robots(self, pace)
        self.matchmaking = Matchmaking(self)
        self.challenges = Challenges(self)
        self.mastering = Mastering(self)
        self.press = Press(self)
        self.replies = Replies(self)
        self.unsent = Unsent(self)
        self.notebooks = Notebooks(self)
        self.excusing = Excusing(self)
        self.standing_in = StandingIn(self)
        self.reckoning = Reckoning(self)
        self.looks = Looks(store, clock, self.presence)
        self.sweeping = Sweeping(self)
        self.calling_off = CallingOff(self)
        self.call_words = TableWords(self)
        club.own_words.game_named = self.call_words.game_named
        club.own_words.game_word = self.call_words.game_word
        self.following = Following(self)
        self.deadlines.is_by_days = lambda loaded: loaded.is_by_days
        self.lobby = Lobby(store)
        self.own_games = OwnGames(self)
        self.history = History(self)
        self.hints = Hints(self)

    # --- life -----------------------------------------------------------------------------------------

    async def start(self, arrival: Arrival | None = None) -> None:
        """Begin to listen and to keep time; `arrival` says whether and since when no node ran."""
        self._unsubscribe = [*self.hints.subscribe(), self.store.on_restored(self._forget_all)]
        if arrival is not None and arrival.since is not None:
            for owed in arrival.earlier:
                await self.stepped(owed)
            await self.deadlines.give_back(arrival.pause)
            await self.matchmaking.house_was_empty(arrival.since)
            await self.sweeping.give_back(arrival.pause)
        await self.robots.resume()
        self._rounds = [
            self._round("sweep", SWEEP_EVERY, self.deadlines.sweep),
            self._round("heads", HEADS_EVERY, self.hints.check_heads),
            self._round("idle", IDLE_AFTER // 10, self.put_away),
            self._round("match", MATCH_EVERY, self.matchmaking.match),
            self._round("challenges", CHALLENGES_EVERY, self.challenges.sweep),
            self._round("reckoning", RECKON_EVERY, self.reckoning.up_to_date),
            self._round("unwanted", UNWANTED_EVERY, self.sweeping.sweep),
        ]
        self.club.caller.of_tables = self.call_words
        self.club.caller.wake()

    def _round(self, name: str, milliseconds: int, work: Callable[[], Awaitable[object]]) -> Repeating:
        """Do `work` again and again, with a little jitter so that nodes do not march in step."""

        async def turn() -> Instant:
            await work()
            return self.clock.now() + round(milliseconds * (0.8 + 0.4 * self.rng.random()))

        repeating = Repeating(f"tables-{name}", self.clock, turn, milliseconds)
        repeating.start()
        return repeating

    async def stepped(self, owed: TimeOwed) -> None:
        """The time of the house was changed: nobody who plays or waits loses or gains by it."""
        await self.deadlines.stepped(owed)
        moved = {"b_step": owed.milliseconds}
        waiting = [rows.MOVE_QUEUE, rows.MOVE_CHALLENGES, rows.MOVE_OUTBOX]
        writes = [Write(query, moved) for query in waiting]
        with suppress(Conflict):  # another node that found it has given it, or we have without hearing of it
            await self.store.commit(Unit(writes=[*owed.settled(), *writes]))

    async def reaped(self, left: LeftBehind) -> None:
        """Somebody was connected to a node that died: his seat is away, and he waits for no opponent."""
        if left.place == "table":
            await self.presence.reaped(left.table_id, left.seat, left.node_id)
        if left.node_id not in self._buried:
            self._buried.add(left.node_id)
            await self.matchmaking.node_died(left.node_id)

    async def stop(self) -> None:
        """Finish what is on its way, then let go of everything."""
        self.club.caller.of_tables = None
        for unsubscribe in self._unsubscribe:
            unsubscribe()
        for repeating in self._rounds:
            await repeating.stop()
        self.deadlines.close()
        self.robots.close()
        await self.quiet()
        await self.presence.close()
        await self.tasks.end()
        for loaded in self.loaded.values():
            loaded.close()
        self.loaded.clear()
        self.thinking.close()
        self.reviews.close()
        self.making.close()
        self.workshop.close()

    async def quiet(self, seconds: float = 5.0) -> bool:
        """Wait until nothing is on its way at any table, so long at most; answers whether that is so."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + seconds
        while any(loaded.is_busy for loaded in self.loaded.values()):
            if loop.time() > deadline:
                return False
            await asyncio.sleep(0.005)
        return True

    # --- tables in memory -----------------------------------------------------------------------------

    def offered(self, game: str, variant: str) -> Rules[Any]:
        """The rules of a variant of which a table can be opened; raises NoSuchGame."""
        try:
            return self.games[game, variant]
        except KeyError:
            raise NoSuchGame(game=game, variant=variant) from None

    def rules(self, game: str, variant: str) -> Rules[Any]:
        """The rules of a variant, be it one that is no longer offered; raises NoSuchGame."""
        try:
            return rules_of(game, variant, self.games)
        except KeyError:
            raise NoSuchGame(game=game, variant=variant) from None

    def is_by_days(self, info: HouseTable) -> bool:
        """Whether people look in at a table once a day or less, by its clock or by its game."""
        try:
            return by_days(self.rules(info.game, info.variant), info)
        except NoSuchGame:
            return isinstance(info.time_control, Days)

    def conditions(self, info: HouseTable, language: str) -> list[Condition]:
        """What the game says of how it is played at a table, for who has not sat down yet."""
        try:
            rules = self.rules(info.game, info.variant)
        except NoSuchGame:
            return []
        return rules.conditions(msgspec.convert(info.options, rules.options_type), language)

    def codec(self, game: str, variant: str) -> Codec:
        """How the log writes this variant."""
        if (game, variant) not in self._codecs:
            self._codecs[game, variant] = Codec(self.rules(game, variant))
        return self._codecs[game, variant]

    def lay_out(self, more: Sequence[Rules[Any]]) -> None:
        """Offer these variants beside those that the house always has, and no others any more.

        Tables that are open or running keep the rules that they have.
        """
        laid = games_of(*(rules.dated(self.calendar) for rules in more))
        self.games = {**self.always, **{key: laid[key] for key in laid if key not in self.always}}

    async def open(self, table_id: int) -> LoadedTable:
        """The table in memory, loaded if need be; raises NoSuchTable, Unavailable.

        Whoever keeps it must subscribe: a table to which nobody listens may be put away.
        """
        loaded = self.loaded.get(table_id)
        if loaded is not None:
            loaded.used_at = self.clock.ticks()
            return loaded
        loading_now = self.loading.get(table_id)
        if loading_now is None:
            loading_now = asyncio.get_running_loop().create_future()
            self.loading[table_id] = loading_now
            self.spawn(self._load(table_id, loading_now), f"load table {table_id}")
        return await asyncio.shield(loading_now)

    async def _load(self, table_id: int, waiter: asyncio.Future[LoadedTable]) -> None:
        try:
            info = await loading.read_info(self.store, table_id)
            rules = self.rules(info.game, info.variant)
            loaded = await loading.load(self, info, rules, self.codec(info.game, info.variant))
        except Exception as error:
            if not waiter.done():
                waiter.set_exception(error)
                waiter.exception()  # whoever waits gets it; nobody waiting is no fault
        else:
            self.loaded[table_id] = loaded
            self.deadlines.watch(loaded)
            loaded.hint(self.hints.meanwhile.get(table_id, 0))
            # Before its deadline can pass: the node that set it may have died before it looked.
            await self.excusing.excuse(loaded)
            self.after_news(loaded)
            if not waiter.done():
                waiter.set_result(loaded)
        finally:
            del self.loading[table_id]
            self.hints.meanwhile.pop(table_id, None)

    async def put_away(self) -> int:
        """Let go of the tables to which nobody listens and at which nothing will happen soon."""
        gone = [loaded for loaded in self.loaded.values() if self._may_go(loaded)]
        for loaded in gone:
            self.drop(loaded)
        return len(gone)

    def _may_go(self, loaded: LoadedTable) -> bool:
        patience = IDLE_AFTER if len(self.loaded) < CROWDED else IDLE_AFTER // 10
        if not loaded.is_idle or self.clock.ticks() - loaded.used_at < patience:
            return False
        if self.presence.anybody_at(loaded.info.id) or self.robots.thinks_at(loaded.info.id):
            return False
        due = loaded.due()
        return due is None or due > self.clock.now() + KEEP_FOR_DUE

    def _forget_all(self) -> None:
        """The database was replaced under us: what is in memory is no longer true."""
        self.history.forget()
        self.own_games.glances.forget()
        for loaded in tuple(self.loaded.values()):
            self.drop(loaded)

    def forget_variant(self, table_id: int) -> None:
        """An open table whose variant has changed is read again, with the rules of the new one."""
        loaded = self.loaded.get(table_id)
        if loaded is not None and loaded.seq == 0:
            self.drop(loaded)

    def drop_erased(self, table_id: int) -> None:
        self.history.forget(table_id)
        loaded = self.loaded.get(table_id)
        if loaded is not None:
            self.drop(loaded)

    def drop(self, loaded: LoadedTable) -> None:
        """This node lets go of a table."""
        loaded.close()
        del self.loaded[loaded.info.id]
        self.deadlines.forget(loaded.info.id)
        self.robots.forget(loaded.info.id)
        self.excusing.forget(loaded.info.id)

    async def read_info(self, table_id: int) -> HouseTable:
        return await loading.read_info(self.store, table_id)

    # --- what loaded tables need of the hall --------------------------------------------------------------

    def to_send(self, loaded: LoadedTable) -> None:
        """Send at the end of this round of the loop, so that what comes in together goes out together."""
        if not self._outgoing:
            asyncio.get_running_loop().call_soon(self._send)
        self._outgoing[loaded] = None

    def _send(self) -> None:
        outgoing, self._outgoing = self._outgoing, {}
        for loaded in outgoing:
            loaded.send()

    def to_tell(self, loaded: LoadedTable) -> None:
        if not self._incoming:
            asyncio.get_running_loop().call_soon(self._tell)
        self._incoming[loaded] = None

    def _tell(self) -> None:
        incoming, self._incoming = self._incoming, {}
        for loaded in incoming:
            loaded.tell()

    def after_news(self, loaded: LoadedTable) -> None:
        self.deadlines.schedule(loaded)
        if loaded.rules.postpones:
            self.excusing.consider(loaded)
        if loaded.has_robots:
            self.robots.consider(loaded)

    async def end_of(self, loaded: LoadedTable, happened: Happened, result: Result) -> Ending:
        sides = {seat: loaded.rules.side(happened.after, seat) for seat in result.ranks}
        return await self.endings.of(loaded.info, happened, result, sides)

    # --- chairs -----------------------------------------------------------------------------------------

    async def chair(self, table_id: int, seat: Seat, person: int | None = None) -> Chair:
        """A chair at a table, in a seat that the caller knows to be this person's; raises NoSuchTable."""
        loaded = await self.open(table_id)
        self.looks.note(table_id)
        return Chair(self, loaded, seat, person)

    async def chair_of(self, table_id: int, person: int | None) -> Chair:
        """The chair of somebody: in his seat, as master, or looking on from outside; raises NoSuchTable."""
        loaded = await self.open(table_id)
        self.looks.note(table_id)
        return Chair(self, loaded, loaded.info.place_of(person), person)

    async def roles_of(self, table_id: int, account_id: int) -> tuple[int, ...]:
        """The roles of somebody at a table, 0 first where he is its master; to ask this is no look at it."""
        return roles_at(await self.open(table_id), account_id)

    # --- submitting -----------------------------------------------------------------------------------

    async def submit(
        self,
        loaded: LoadedTable,
        seat: Seat,
        action: Action,
        request_id: str | None = None,
        attached: Attachment = NOTHING,
        lag: int = 0,
    ) -> Outcome:
        """Submit and wait; raises what the outcome says."""
        waiter: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()

        def done(outcome: Outcome) -> None:
            if not waiter.done():
                waiter.set_result(outcome)

        loaded.submit(seat, action, request_id, done, attached, lag)
        outcome = await waiter
        if outcome.error is not None:
            raise outcome.error
        return outcome

    # --- looking ----------------------------------------------------------------------------------------

    async def info(self, table_id: int) -> HouseTable:
        """What is known about a table; raises NoSuchTable."""
        loaded = self.loaded.get(table_id)
        if loaded is not None and loaded.state is not None:
            return loaded.info
        return await self.read_info(table_id)
