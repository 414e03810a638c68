"""A table in memory: decides on what is queued, commits in groups, tells only what is durable.

One append of a table is on its way to the store at a time; what is decided meanwhile goes with the next one,
so that nothing decided on a lost append can slip into the log behind somebody else's event.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from typing import Any

import msgspec
import structlog

from tablee.clock import Instant
from tablee.rules.contract import (
    CLOCK,
    Action,
    Actions,
    Alarm,
    Illegal,
    Join,
    Json,
    Leave,
    Replace,
    Result,
    Rules,
    Seat,
    State,
    TimeGivenBack,
    Timeout,
)
from tablee.store import (
    Append,
    Conflict,
    Duplicate,
    EventRow,
    Hint,
    Refused,
    StoreError,
    Unavailable,
    Unit,
    Write,
    keep_snapshot,
)
from tablee.tables import rows
from tablee.tables.alarms import Alarms
from tablee.tables.announcing import announcements_of
from tablee.tables.audience import Audience, Listener
from tablee.tables.calling import begun_calls, calls_of
from tablee.tables.clocks import Clocks, Days, Face, faces
from tablee.tables.codec import Codec, Counts, Start, Void, tag_in, tag_of
from tablee.tables.errors import NotStarted, Over, RulesFailed, Started, TableClosed
from tablee.tables.happened import Happened, Update
from tablee.tables.info import HouseTable
from tablee.tables.marks import MarksListener, MarksTold, keep
from tablee.tables.marks import hint as marks_hint
from tablee.tables.pending import Pending
from tablee.tables.record import Record
from tablee.tables.requests import Requests
from tablee.tables.submission import NOTHING, Attachment, Done, Ending, Outcome, Submission
from tablee.tables.surroundings import Surroundings

log = structlog.get_logger("tablee.tables")

SNAPSHOT_EVERY = 256
APPEND_AT_MOST = 256
TAIL_AT_ONCE = 100
"""Events of others that are read at a time: in between the loop goes round."""
CLOCKS_DIFFER = 10_000
"""Milliseconds by which the clocks of nodes may differ (`store.nodes.DEAD_AFTER`)."""
GIVE_UP_AFTER = 50
"""Conflicts in a row after which those who wait are told so."""


class Mode(Enum):
    READY = "ready"
    ENDING = "ending"  # the last move is decided; what it means to the players is being reckoned
    RECOVERING = "recovering"  # what was pending is dropped, the tail of the log is being read
    CLOSED = "closed"


class LoadedTable:
    """One table on this node. `state`, `seq` and `info` are committed; what is pending is private."""

    def __init__(self, around: Surroundings, info: HouseTable, rules: Rules[Any], codec: Codec) -> None:
        self.rules = rules
        self.codec = codec
        self.update_info(info)
        self.result: Result | None = None
        self.used_at = around.clock.ticks()
        self.conflicts = 0
        self._around = around
        self._record = Record(rules, codec, info.seats_most)
        self._pending = Pending(self._record, rules, info.time_control)
        self._requests = Requests(info.id, self._record, around.store)
        self._alarms = Alarms(rules, info.due_at)
        self._mode = Mode.READY
        self.is_closed = False
        """Whether this node has let go of the table."""
        # On their way: not decided yet, decided, sent to the store; then told and answered.
        self._held: deque[Submission] = deque()
        self._decided: deque[Submission] = deque()
        self._flying: list[Submission] = []
        self._audience = Audience(info.id)
        self._reckoning: Happened | None = None
        self._suspect: Submission | None = None
        self._singly = 0
        self._failures = 0
        self._owed: dict[str, int] = {}
        """Milliseconds that are being given back, by request id: they are not in the log yet."""
        self._hinted = 0
        # Refusals that wait for a look at the log, and the last event that was learned from there.
        self._unsure: list[Submission] = []
        self._marks = MarksTold(self._record)
        self._closed_listeners: list[Callable[[], object]] = []
        self._is_looking_up = False
        self._followed = 0

    # --- what people ask --------------------------------------------------------------------------------

    @property
    def state(self) -> State | None:
        """None before the game has begun."""
        return self._record.state

    @property
    def seq(self) -> int:
        return self._record.seq

    @property
    def at(self) -> Instant:
        """When the last event happened."""
        return self._record.at

    @property
    def clocks(self) -> Clocks:
        return self._record.clocks

    @property
    def has_robots(self) -> bool:
        return bool(self._robots)

    @property
    def is_over(self) -> bool:
        return self.result is not None or self.info.status in ("over", "closed")

    @property
    def is_busy(self) -> bool:
        """Whether something waits to be committed, told or answered."""
        return bool(self._held or self._decided or self._flying or self._unsure or self._audience.waits)

    @property
    def is_idle(self) -> bool:
        """Whether nobody listens and nothing is on its way."""
        resting = self._mode in (Mode.READY, Mode.CLOSED)
        return resting and not self._audience.has_listeners and not self.is_busy

    def view(self, seat: Seat) -> Any:
        """All that `seat` may know now, of the game's `view_type`; raises NotStarted."""
        return self._record.views.of(self._begun(), seat)

    def legal(self, seat: Seat) -> Actions:
        """What `seat` may do now; raises NotStarted."""
        return self.rules.legal(self._record.views.marked(self._begun(), seat), seat)

    def waiting(self) -> frozenset[Seat]:
        """For whom the game waits; nobody before it has begun, nor when it is over."""
        return frozenset() if self.state is None or self.is_over else self.rules.waiting(self.state)

    @property
    def phase(self) -> int:
        """The number of what is played now; raises NotStarted."""
        return self.rules.phase(self._begun())

    def clock_faces(self) -> dict[Seat, Face]:
        """What the player clocks show now; nothing at a table without clocks."""
        seats = [taken.seat for taken in self.info.taken]
        return faces(self.info.time_control, self.clocks, seats, self.now())

    def now(self) -> Instant:
        """The date by which everything that the table shows is measured."""
        return self._around.clock.now() - sum(self._owed.values())

    def version(self, seat: Seat) -> int:
        """How many events have told `seat` something."""
        return self._record.version(seat)

    def version_of(self, happened: Happened, seat: Seat) -> int:
        """The version of `seat` when this (recent) event had happened."""
        return self._record.version_of(happened, seat)

    def since(self, seat: Seat, version: int) -> list[Update] | None:
        """What `seat` was told after `version`; None if that is too long ago (or not yet): send the view."""
        return self._record.since(seat, version)

    def newest(self) -> Iterator[Happened]:
        """The last events, the newest first: as many as are in memory."""
        return self._record.newest()

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` with every event committed from now on, in order, each once."""
        leave = self._audience.subscribe(listener, self.seq)

        def unsubscribe() -> None:
            leave()
            self.used_at = self._around.clock.ticks()

        return unsubscribe

    def _begun(self) -> State:
        if self.state is None:
            raise NotStarted()
        return self.state

    # --- submitting -------------------------------------------------------------------------------------

    def submit(
        self,
        seat: Seat,
        action: Action,
        request_id: str | None,
        done: Done,
        attached: Attachment = NOTHING,
        lag: int = 0,
        is_new: bool = False,
    ) -> None:
        """Play an action; `done` hears of it after the commit, or when it is refused.

        `lag` is how many milliseconds the door has measured to and from the player. A request that `is_new`
        was never sent before.
        """
        submission = Submission(seat, action, request_id, done, attached, lag, is_new)
        if request_id is not None and not self._requests.note(submission, request_id):
            if submission.duplicate:
                self._answer_in_turn(submission)
            return
        if self._mode is Mode.READY and not self._held:
            self._take(submission)
        elif self._mode is Mode.CLOSED:
            submission.error = TableClosed()
            self._answer(submission)
        else:
            self._held.append(submission)

    def _take(self, submission: Submission) -> None:
        """Decide on the pending state; what comes of it waits for its turn to be sent or answered."""
        pending = self._pending
        at = self._at(submission.action)
        if pending.has_clocks and submission.seat != CLOCK and pending.clocks.overdue(at):
            self._flags_fall(at)
            if self._mode is not Mode.READY:
                self._held.appendleft(submission)
                return
        try:
            if self.is_over:
                raise Over()
            decision = pending.decide(submission, at, self._around.rng)
        except (Illegal, Over, NotStarted, Started) as refusal:
            if isinstance(refusal, Illegal):
                refusal.rules = self.rules
            submission.error = refusal
            self._answer_in_turn(submission)
            return
        except Exception:
            log.exception("rules_failed", table=self.info.id, game=self.info.game, seat=submission.seat)
            submission.error = RulesFailed()
            self._answer_in_turn(submission)
            return
        if decision is None and submission.marking is not None:
            self._decided.append(submission)
            self._around.to_send(self)
            return
        if decision is None:
            self._answer_in_turn(submission)
            return
        submission.happened, submission.clocks, submission.ended = decision
        self._decided.append(submission)
        if submission.ended is not None:
            self._mode = Mode.ENDING
        self._around.to_send(self)

    def _at(self, action: Action) -> Instant:
        """Now, and not before the last event, where another node whose clock is a little ahead wrote it.

        An event further in the future was written before a clock was set back. What the table measures moves
        with that (`TimeGivenBack`), and the log goes on with the time as it is.
        """
        now, before = self._around.clock.now(), self._pending.at
        if isinstance(action, TimeGivenBack):
            before += min(0, action.milliseconds)
        return now if before - now > CLOCKS_DIFFER else max(now, before)

    def _flags_fall(self, at: Instant) -> None:
        """A player whose time is up is out of time before anything else is played."""
        pending = self._pending
        for ringing in self._alarms.ringing(pending.state, pending.clocks, at):
            if isinstance(ringing.action, Timeout) and self._mode is Mode.READY:
                self._ring(ringing.action)

    def _ring(self, action: Action) -> None:
        """Play something as CLOCK that will be thought of again if it does not come to be."""
        submission = Submission(CLOCK, action, None, _nobody)
        submission.internal = True
        self._take(submission)

    def _answer_in_turn(self, submission: Submission) -> None:
        """An answer that rests on events not yet committed (or not yet told) waits for them."""
        if self._is_unsure(submission):
            self._look_first(submission)
        elif self._requests.may_be_forgotten(submission):
            self._around.spawn(self._answer_after_log(submission), "look for a request id")
        elif self._decided or self._flying:
            self._decided.append(submission)
        elif self._audience.waits:
            self._audience.answers.append(submission)
        else:
            self._answer(submission)

    async def _answer_after_log(self, submission: Submission) -> None:
        """Nothing came of a request whose id may be older than memory: it may have been played long ago."""
        try:
            await self._requests.mark_played([submission])
        except Unavailable as error:
            submission.error = error
        self._audience.answers.append(submission)
        self._around.to_tell(self)

    # --- refusals that another node might not agree with ------------------------------------------------
    # What is refused on top of events of this node's own needs no look: their append fails if it is behind.

    # Why: docs/decisions.md#a-look-before-a-refusal
    def _is_unsure(self, submission: Submission) -> bool:
        return (
            isinstance(submission.error, Illegal | NotStarted)
            and self._around.store.is_shared
            and not submission.is_certain
            and not submission.internal
            and not self._decided
            and not self._flying
        )

    def _look_first(self, submission: Submission) -> None:
        submission.refused_at = self.seq
        self._unsure.append(submission)
        if not self._is_looking_up:
            self._is_looking_up = True
            self._around.spawn(self._look_up_head(), f"head of table {self.info.id}")

    async def _look_up_head(self) -> None:
        """Ask the log how far it is, once for all who were refused before the question."""
        try:
            while asked := [submission for submission in self._unsure if submission.head is None]:
                try:
                    found = await self._around.store.one(rows.HEADS, b_ids=[self.info.id])
                except StoreError as error:
                    self._fail([submission for submission in self._unsure if submission in asked], error)
                    continue
                head = 0 if found is None else int(found.seq)
                for submission in asked:
                    submission.head = head
                self.hint(head)
                self._settle_unsure()
        finally:
            self._is_looking_up = False

    def _settle_unsure(self, *, is_newest: bool = False) -> None:
        """Answer those who were refused rightly; decide again where the log had more than this node knew.

        What this node has itself written meanwhile is no reason: its append shows that nobody was ahead.
        """
        unsure, self._unsure = self._unsure, []
        for submission in unsure:
            if self._followed > submission.refused_at:
                submission.forget()
                submission.is_certain = True
                if self._mode is Mode.READY and not self._held:
                    self._take(submission)
                else:
                    self._held.append(submission)
            elif is_newest or (submission.head is not None and self.seq >= submission.head):
                submission.is_certain = True
                self._answer_in_turn(submission)
            else:
                self._unsure.append(submission)

    # --- to the store and back --------------------------------------------------------------------------

    def send(self) -> None:
        """Hand what is decided to the store, unless an append is on its way already."""
        if self._flying or self._mode is Mode.RECOVERING:
            return
        decided = self._decided
        batch: list[Submission] = []
        events: list[EventRow] = []
        table_id = self.info.id
        most = 1 if self._singly else APPEND_AT_MOST
        alone = False
        while decided and not alone and len(events) < most:
            submission = decided[0]
            happened = submission.happened
            if happened is not None and not submission.duplicate:
                alone = submission.is_alone
                if alone and events:
                    break
                if submission.ended is not None and submission.ending is None:
                    self._reckon(submission)
                    break
                events.append(submission.row(table_id, happened))
            batch.append(decided.popleft())
        markings = {s.marking.seat: s.marking for s in batch if s.marking is not None}
        if events or markings:
            self._flying = batch
            writes, hints = self._attachments(batch, events[-1].seq) if events else ([], [])
            if markings:
                writes += [keep(table_id, marking) for marking in markings.values()]
                hints.append(marks_hint(table_id, self._around.store.node_id))
            appends = [Append(table_id, self._record.seq, events)] if events else []
            self._around.store.submit(Unit(appends, writes, hints), self._settled)
        elif batch:
            self._audience.answers += batch
            self._around.to_tell(self)

    def _attachments(self, batch: list[Submission], last_seq: int) -> tuple[list[Write], list[Hint]]:
        """What goes with the events: writes of their own, a snapshot, the time when somebody must look."""
        last = next(submission for submission in reversed(batch) if submission.is_event)
        happened, clocks = last.happened, last.clocks
        assert happened is not None
        assert clocks is not None
        events = [s.happened for s in batch if s.happened and not s.duplicate]
        writes = [*last.attached.writes]
        # Nobody is called, and nothing announced, by a move amid a game that is played at one sitting.
        if self.is_by_days or last.ended is not None or events[0].before is None:
            writes += calls_of(self, events, clocks)
            writes += announcements_of(self, events, last.ended)
        hints = [Hint("table", self.info.id, last_seq), *last.attached.hints]
        if last.ending is not None:
            writes += last.ending.writes
            hints += last.ending.hints
        if last_seq - self._record.snapshot_seq >= SNAPSHOT_EVERY or last.ended is not None:
            content = self._record.snapshot(events, clocks)
            writes.append(keep_snapshot(self.info.id, last_seq, self.rules.version, content))
        if last.ended is None:
            due = self._alarms.due(happened.after, clocks, self._robots, happened.at)
            writes += self._alarms.store(self.info.id, due, happened.at)
        return writes, hints

    def _reckon(self, submission: Submission) -> None:
        """Everything before the last move is committed: find out what it means to the players."""
        # Why: docs/decisions.md#standings-belong-to-one-decision
        if self._reckoning is not submission.happened:
            self._reckoning = submission.happened
            self._around.spawn(self._end(submission), f"end of table {self.info.id}")

    async def _end(self, submission: Submission) -> None:
        happened, result = submission.happened, submission.ended
        assert happened is not None
        assert result is not None
        try:
            submission_ending = await self._around.end_of(self, happened, result)
        except Exception as error:
            if not isinstance(error, Conflict | Unavailable):
                log.exception("ending_failed", table=self.info.id, game=self.info.game)
            if self._reckoning is happened:
                self._drop_pending(error)
            return
        if self._reckoning is happened:  # else it was dropped meanwhile, and may have been decided otherwise
            self._reckoning = None
            submission.ending = submission_ending
            self.send()

    def _settled(self, error: Exception | None) -> None:
        if error is not None:
            self._drop_pending(error)
            return
        batch, self._flying = self._flying, []
        self._failures = 0
        self._singly = max(0, self._singly - 1)
        self._audience.answers += batch
        record = self._record
        for submission in batch:
            happened = submission.happened
            if submission.marking is not None:
                self._marks.made(submission.marking, submission.request_id)
            if happened is None or submission.duplicate:
                continue
            assert submission.clocks is not None
            # Why: docs/decisions.md#commit-then-tell
            record.commit(happened, submission.clocks)
            self._owed.pop(submission.request_id or "", None)
            self._audience.news.append(happened)
            if submission.attached.applied is not None:
                submission.attached.applied(self)
            if submission.ending is not None:
                self._ended(submission.ending)
        if record.seq - record.snapshot_seq >= SNAPSHOT_EVERY:
            record.snapshot_seq = record.seq
        self._around.to_tell(self)
        if self._unsure:
            self._settle_unsure()
        if self._hinted > record.seq:
            self._recover(None)
        elif self._decided:
            self.send()

    def _ended(self, ending: Ending) -> None:
        self.update_info(ending.info)
        self.result = ending.info.result
        if self._mode is Mode.ENDING:
            self._mode = Mode.READY
        late, self._held = self._held, deque()
        for submission in late:
            self._take(submission)

    # --- when the store says no -------------------------------------------------------------------------

    def _drop_pending(self, error: Exception) -> None:
        """What was sent did not come to be, or nobody knows: read the log, then decide again."""
        again = [*self._flying, *self._decided]
        events = [submission for submission in self._flying if submission.is_event]
        self._flying = []
        self._decided.clear()
        self._suspect = None
        if isinstance(error, Conflict | Duplicate):
            self.conflicts += 1
            self._failures += 1
            if len(events) == 1 and events[0].is_guarded:
                self._suspect = events[0]
        elif isinstance(error, Refused) and len(events) > 1:
            self._singly = len(events)  # one of them holds what the database cannot keep: find out which
        elif isinstance(error, Refused) and events:
            again.remove(events[0])
            events[0].forget()
            events[0].error = error
            self._audience.answers.append(events[0])
        else:
            # Whether it was kept may be unknown. Whoever asked must ask again: the log will tell.
            self._hold_again(again)
            self._fail_held(error if isinstance(error, Unavailable) else RulesFailed())
            again = []
        self._hold_again(again)
        self._recover(error)

    def _hold_again(self, again: Sequence[Submission]) -> None:
        for submission in reversed(again):
            if not submission.internal:
                if not submission.duplicate:
                    submission.forget()
                self._held.appendleft(submission)

    def _fail_held(self, error: Exception) -> None:
        self._fail([*self._held, *self._unsure], error)
        self._held.clear()

    def _fail(self, submissions: Sequence[Submission], error: Exception) -> None:
        for submission in submissions:
            submission.error = error
        self._unsure = [submission for submission in self._unsure if submission not in submissions]
        self._audience.answers += submissions
        self._around.to_tell(self)

    def _recover(self, error: Exception | None) -> None:
        """Drop what is pending, read what the log has gained, decide again what waits."""
        self._hold_again(self._decided)
        self._decided.clear()
        self._reckoning = None
        self._pending.drop()
        if self._mode is Mode.CLOSED:
            self._fail_held(TableClosed())
        else:
            self._mode = Mode.RECOVERING
            self._around.spawn(self._read_tail(error), f"tail of table {self.info.id}")

    async def _read_tail(self, error: Exception | None) -> None:
        pause = 0.05
        rng = self._around.rng
        while self._mode is Mode.RECOVERING:
            if isinstance(error, Unavailable):
                await asyncio.sleep(pause * (0.5 + rng.random()))
            elif self._failures > 1:
                # Two nodes want the same table: whoever waits a little at random lets the other through.
                await asyncio.sleep(rng.random() * min(0.001 * 2**self._failures, 0.1))
            hinted = self._hinted
            try:
                await self._catch_up(error)
                if self._hinted <= max(hinted, self.seq):
                    break
                error = None  # a hint came while the log was read, perhaps of what was written after that
            except Unavailable as unavailable:
                error = unavailable
                pause = min(pause * 2, 2.0)
                self._fail_held(unavailable)
            except Exception:
                log.exception("tail_unreadable", table=self.info.id, game=self.info.game)
                self._fail_held(RulesFailed())
                await asyncio.sleep(1)
        self._pending.drop()
        if self._mode is not Mode.RECOVERING:
            return
        self._mode = Mode.READY
        self._hinted = min(
            self._hinted, self.seq
        )  # hints of what the log does not have are no reason to loop
        self._around.to_tell(self)
        self._settle_unsure(is_newest=True)
        while self._held and self._mode is Mode.READY:
            self._take(self._held.popleft())
        self.send()
        self._around.after_news(self)

    async def _catch_up(self, error: Exception | None) -> None:
        for submission in self._held:
            submission.is_certain = True  # it will be decided on what the log has now
        has_moved = False
        while events := await self._around.store.events(self.info.id, after=self.seq, limit=TAIL_AT_ONCE):
            has_moved = True
            if any(_changes_info(event) for event in events):
                self.update_info(await self._around.read_info(self.info.id))
            self.follow(events)
            if len(events) < TAIL_AT_ONCE:
                break
            await asyncio.sleep(0)
        if isinstance(error, Duplicate):
            for submission in await self._requests.mark_played(tuple(self._held)):
                self._held.remove(submission)
                self._audience.answers.append(submission)
        suspect, self._suspect = self._suspect, None
        if suspect is not None and not has_moved and suspect in self._held:
            # The log has not moved: it was its own writes that somebody else was faster with.
            self._held.remove(suspect)
            suspect.error = error
            self._audience.answers.append(suspect)
        if error is not None and self._failures > GIVE_UP_AFTER:
            self._fail_held(error)
        if self.result is not None and self.info.status != "over":
            self.update_info(await self._around.read_info(self.info.id))

    def follow(self, events: Sequence[EventRow]) -> None:
        """Take over events that somebody else has written, or oneself without hearing of it."""
        self._pending.drop()
        for event in events:
            if event.seq != self.seq + 1:
                continue
            happened, clocks, _ = self._pending.follow(event)
            self._record.commit(happened, clocks)
            self._owed.pop(happened.request_id or "", None)
            self._audience.news.append(happened)
            self._followed = self.seq
            waiting = self._requests.waiting_for(happened)
            if waiting is not None and (waiting in self._held or waiting in self._unsure):
                (self._held if waiting in self._held else self._unsure).remove(waiting)
                waiting.forget()
                waiting.duplicate = True
                waiting.happened = happened
                self._audience.answers.append(waiting)
        if events:
            self._alarms.stored = None
            self._find_result()

    def hint(self, seq: int) -> None:
        """The log of this table is said to have reached `seq`."""
        if seq > self.seq:
            self._hinted = max(self._hinted, seq)
            if not self._flying and self._mode in (Mode.READY, Mode.ENDING):
                self._recover(None)

    # --- telling ----------------------------------------------------------------------------------------

    def tell(self) -> None:
        """Tell the listeners what is committed, then answer those who asked."""
        self.used_at = self._around.clock.ticks()
        has_news = bool(self._audience.news)
        answers = self._audience.tell()
        self._marks.tell()
        for submission in answers:
            self._answer(submission)
        if has_news:
            self._around.after_news(self)

    def on_marks(self, hear: MarksListener) -> Callable[[], None]:
        """Call `hear` with a seat, what it is told of its own marks, and the patch of its view."""
        return self._marks.subscribe(hear)

    def on_closed(self, hear: Callable[[], object]) -> Callable[[], None]:
        """Call `hear` when this node lets go of the table while somebody still listens to it."""
        self._closed_listeners.append(hear)
        return lambda: self._closed_listeners.remove(hear) if hear in self._closed_listeners else None

    def learn_marks(self, marks: dict[Seat, Json]) -> None:
        """Marks as the database has them: at loading, and when another node has kept others."""
        self._marks.learn(marks)
        self._pending.marks |= marks
        if self._marks.has_listeners:
            self._around.to_tell(self)

    def _answer(self, submission: Submission) -> None:
        self._requests.settled(submission)
        self._audience.answer(submission)

    # --- time -------------------------------------------------------------------------------------------

    def due(self) -> Instant | None:
        """When somebody must look at this table next."""
        if self.state is None or self.is_over:
            return None
        return self._alarms.due(self.state, self.clocks, self._robots, self._around.clock.now())

    @property
    def can_look(self) -> bool:
        """Whether what is due can be played now, nothing being on its way."""
        return self._mode is Mode.READY and not self._decided and not self._flying

    def look(self) -> None:
        """Play what is due, as CLOCK."""
        pending = self._pending
        if self._mode is not Mode.READY or pending.state is None or self.is_over:
            return
        now = self._at(_LOOK)
        for ringing in self._alarms.ringing(pending.state, pending.clocks, now):
            before = pending.seq
            if self._mode is Mode.READY and pending.is_due(ringing.action, now):
                self._ring(ringing.action)
                if pending.seq == before:
                    log.warning(
                        "alarm_unanswered", table=self.info.id, game=self.info.game, alarm=ringing.name
                    )
                    self._alarms.nobody_answers(ringing)
        if self.can_look:
            self._put_due_right(now)

    def _put_due_right(self, now: Instant) -> None:
        """The stored time was too early: move it on, so that sweeps leave this table alone until then."""
        writes = self._alarms.move_on(self.info.id, self.seq, self.due(), now)
        if writes:
            self._around.store.submit(Unit(writes=writes), _ignore)

    def leased(self) -> None:
        """A sweep has put the stored time on, only to keep others away: it must be put right."""
        self._alarms.stored = 0

    def give_back(self, milliseconds: int, request_id: str) -> asyncio.Future[Outcome] | None:
        """Time while no node ran does not count; the request id lets only one node say so.

        Until that is in the log, the table stands in the time from before.
        """
        if self.state is None or self.is_over:
            return None
        taken: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()

        def answered(outcome: Outcome) -> None:
            self._owed.pop(request_id, None)
            if not taken.done():
                taken.set_result(outcome)

        self._owed[request_id] = milliseconds
        self.submit(CLOCK, TimeGivenBack(milliseconds), request_id, answered)
        return taken

    # --- life -------------------------------------------------------------------------------------------

    def restore(self, state: State, seq: int, at: Instant, clocks: Clocks, counts: Counts) -> None:
        """Begin from a snapshot."""
        self._record.restore(state, seq, at, clocks, counts)
        self._pending.drop()

    def replay(self, events: Sequence[EventRow]) -> None:
        """Take over events of the log while loading: they are no news to anybody."""
        for event in events:
            happened, clocks, _ = self._pending.follow(event)
            self._record.commit(happened, clocks)

    def first_calls(self, events: Sequence[EventRow]) -> list[Write]:
        """Who is called by the first events of a table that is being written: they are replayed here."""
        if not self.is_by_days:
            return begun_calls(self.info, events[0].at)
        writes: list[Write] = []
        for event in events:
            happened, clocks, _ = self._pending.follow(event)
            writes += calls_of(self, [happened], clocks)
        return writes

    def complete(self, info: HouseTable) -> None:
        """Everything is read: the table is as the log has it."""
        self.update_info(info)
        self._alarms.stored = info.due_at
        self._find_result()

    def _find_result(self) -> None:
        """How the game has ended: as its rules say, or as the house did."""
        ended = None if self.state is None else self.rules.result(self.state)
        self.result = self.info.result if ended is None else ended

    def update_info(self, info: HouseTable) -> None:
        """Take over what the database says about the table and its seats."""
        self.info = info
        self._robots = info.robots
        self.is_by_days = by_days(self.rules, info)

    def close(self) -> None:
        """This node lets go of the table; later submissions are told to open it again."""
        self._mode = Mode.CLOSED
        self.is_closed = True
        self._audience.leave()
        self._marks.leave()
        listeners, self._closed_listeners = self._closed_listeners, []
        for hear in listeners:
            hear()
        self._fail_held(TableClosed())


def by_days(rules: Rules[Any], info: HouseTable) -> bool:
    """Whether people look in at a table once a day or less."""
    return isinstance(info.time_control, Days) or rules.by_days(
        msgspec.convert(info.options, rules.options_type)
    )


_LOOK = Alarm("")
_CHANGING = frozenset(tag_of(action) for action in (Join, Leave, Replace, Start, Void))


def _changes_info(event: EventRow) -> bool:
    """Whether who sits there, or whether it goes on, is otherwise after this event."""
    return tag_in(event.action) in _CHANGING


def _nobody(_: Outcome) -> None:
    """Nobody waits for this answer."""


def _ignore(error: Exception | None) -> None:
    if error is not None:
        log.warning("due_not_moved", error=str(error))
