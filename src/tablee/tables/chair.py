"""A chair: where one person sits at one table, and all that a door gets of it.

Doors, robots, masters and spectators sit on chairs of the same kind. A chair sees by the eyes of its seat:
the state, the raw facts and the log stay inside `tables`. It keeps its person present, sends an action again
while the database is away, follows its table when that is put away and opened again, and tells in order.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Hashable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import count
from typing import TYPE_CHECKING, Any

import msgspec

from tablee.clock import Instant
from tablee.rules.contract import (
    MASTER,
    SPECTATOR,
    Action,
    Actions,
    Alarm,
    Away,
    Back,
    Chronicle,
    Fact,
    Join,
    Json,
    Leave,
    Occasion,
    Replace,
    Result,
    Seat,
    TimeGivenBack,
    Timeout,
    Written,
)
from tablee.store import Unavailable
from tablee.tables.clocks import SECOND, Face
from tablee.tables.errors import BadAction, NoAnalysis, NoExport, NotAdmitted, TableError
from tablee.tables.happened import Happened, Update
from tablee.tables.info import TOURNAMENT, HouseTable
from tablee.tables.listening import Listener, Told
from tablee.tables.presence import Stay
from tablee.tables.roles import is_role, roles_at
from tablee.tables.sending import PATIENCE, Answer, Done, Sending
from tablee.tasks import insist

if TYPE_CHECKING:
    from tablee.tables.hall import Tables
    from tablee.tables.loaded import LoadedTable

REASON_MOST = 300
NOT_PLAYED = (Alarm, Away, Back, Join, Leave, Replace, TimeGivenBack, Timeout)
"""What tables do themselves, each in its own way: nobody sends it as a move."""


class Chair:
    """Somebody's place at a table. `person` is his account; None looks on nameless, or is the house."""

    __slots__ = (
        "_closed",
        "_listener",
        "_loaded",
        "_stay",
        "_tables",
        "_unsubscribe",
        "_version",
        "epoch",
        "person",
        "request_ids",
        "seat",
    )

    def __init__(self, tables: Tables, loaded: LoadedTable, seat: Seat, person: int | None) -> None:
        self.seat = seat
        self.person = person
        self.epoch = tables.store.epoch
        """Of the database as it was when somebody sat down here; a restore begins another one."""
        self._tables = tables
        self._loaded = loaded
        self._listener: Listener | None = None
        self._unsubscribe: list[Callable[[], None]] = []
        self._version = 0
        self._stay: Stay | None = None
        self._closed = False
        self.request_ids = _request_ids()
        """Of actions that bring none: what may have to be sent again needs one that the log knows it by."""

    # --- what is seen -----------------------------------------------------------------------------------

    @property
    def _table(self) -> LoadedTable:
        if self._loaded.is_closed:  # put away, and perhaps opened again since
            self._loaded = self._tables.loaded.get(self._loaded.info.id, self._loaded)
        return self._loaded

    def of_nobody(self) -> Chair:
        """A chair in the same seat that is nobody's own, for what is told there to everybody alike."""
        return Chair(self._tables, self._loaded, self.seat, None)

    @property
    def info(self) -> HouseTable:
        """What everybody may know about the table and who sits there."""
        return self._table.info

    @property
    def has_begun(self) -> bool:
        return self._table.state is not None

    @property
    def is_over(self) -> bool:
        return self._table.is_over

    @property
    def result(self) -> Result | None:
        return self._table.result

    @property
    def version(self) -> int:
        """How many events have told this seat something."""
        return self._table.version(self.seat)

    def view(self) -> Any:
        """All that this seat may know now; raises NotStarted before the game has begun."""
        return self._table.view(self.seat)

    def legal(self) -> Actions:
        """What this seat may do now; raises NotStarted."""
        return self._table.legal(self.seat)

    def legal_json(self) -> Json:
        """The same for a page; None where there is nothing to be done."""
        if self.seat < MASTER or not self.has_begun or self.is_over:
            return None
        return self.legal().describe()

    @property
    def is_abortable(self) -> bool:
        """Whether the game has hardly begun, and can still be called off."""
        state = self._table.state
        if state is None or self.is_over or self.info.door == TOURNAMENT:
            return False
        return self._table.rules.is_abortable(state)

    def waiting(self) -> frozenset[Seat]:
        """For whom the game waits."""
        return self._table.waiting()

    def now(self) -> Instant:
        """The date by which everything that the table shows is measured."""
        return self._table.now()

    def clock_faces(self) -> dict[Seat, Face]:
        """What the player clocks show now; nothing at a table without clocks."""
        return self._table.clock_faces()

    def since(self, version: int) -> list[Update] | None:
        """What this seat was told after a version; None where the whole view must be shown.

        That is so too for who came to the seat later: what it was told before was told to somebody else.
        """
        updates = self._table.since(self.seat, version) if self.has_begun else None
        sitting = self.info.at(self.seat)
        if updates and sitting is not None and sitting.account_id == self.person:
            return None if updates[0].at < sitting.joined_at else updates
        return updates

    @property
    def came_later(self) -> bool:
        """Whether who sits here goes on for somebody else, in a game that is not over."""
        sitting, info = self.info.at(self.seat), self.info
        if sitting is None or self.is_over or info.seats_least == 0 or info.terms.handed_on:
            return False
        return sitting.joined_at > (info.started_at or 0)

    @property
    def still_sits(self) -> bool:
        """Whether this seat is still that of this person; who looks on has nothing to lose."""
        if self.seat == SPECTATOR:
            return True
        if self.seat == MASTER:
            return self.person == self.info.master_id
        sitting = self.info.at(self.seat)
        return sitting is not None and sitting.account_id == self.person and sitting.left_at is None

    @property
    def roles(self) -> tuple[int, ...]:
        """The roles of this person in a game that has some: 0 first, where he is its master."""
        return () if self.person is None else roles_at(self._table, self.person)

    def is_role(self, role: int) -> bool:
        """Whether somebody can be written to under this number."""
        return is_role(self._table, role)

    def role_named(self, text: str, language: str) -> int | None:
        """The role that is called so, in either language; None where none is."""
        wanted = text.strip().casefold()
        for each in (language, "fr", "en"):
            words = self._table.rules.words(each)
            for role in range(1, self._table.rules.roles + 1):
                if words.get(f"role.{role}", "").casefold() == wanted:
                    return role
        return None

    def role_name(self, role: int, language: str) -> str:
        """What a role is called."""
        return self._table.rules.words(language).get(f"role.{role}", str(role))

    @property
    def phase(self) -> int:
        """The number of what is played now; raises NotStarted."""
        return self._table.phase

    def written(self, role: int, language: str) -> Written:
        """What this seat has given and still owes, in lines; raises NotStarted."""
        return self._table.rules.written(self.view(), role, language)

    # --- the game as others read it ---------------------------------------------------------------------

    async def export(self, kind: str, site: str) -> str:
        """The game as a file of a kind that it has, with what this seat may know; once it is over, with all.

        Raises NoExport, too while what the file tells is hidden, and NotStarted.
        """
        table, info = self._table, self.info
        if kind not in table.rules.formats:
            raise NoExport()
        known = self._tables.reviews.of(info.id)
        began = datetime.fromtimestamp((info.started_at or info.created_at) / SECOND, UTC)
        occasion = Occasion(
            name=info.name,
            site=site,
            began=began.strftime("%Y-%m-%dT%H:%M:%S"),
            players={taken.seat: taken.name for taken in info.seats},
            time_control=msgspec.to_builtins(info.time_control),
            ratings={} if info.terms.anonymous else await self._tables.history.ratings(info),
            left=await self._tables.history.times_left(info),
            review=None if known is None else known.found,
        )
        text = table.rules.export(table.view(SPECTATOR if table.is_over else self.seat), kind, occasion)
        if text is None:
            raise NoExport("export_hidden")
        return text

    async def chronicle(self) -> Chronicle:
        """The game as its own chronicle tells it to this seat; raises NoSuchGame for one that has none."""
        return await self._tables.history.chronicle(self.info, self.seat)

    async def analyse(self, step: int, tried: Sequence[str], whose: Hashable) -> Any:
        """A finished game after so many steps and what is tried from there; raises NoAnalysis, ValueError."""
        table = self._table
        if not table.rules.is_analysed:
            raise NoAnalysis()
        if not table.is_over:
            raise NoAnalysis("still_played")
        view = table.view(SPECTATOR)
        return await self._tables.thinking.do(whose, table.rules.analyse, view, step, tuple(tried))

    # --- what is done -----------------------------------------------------------------------------------

    def read(self, text: bytes | str | msgspec.Raw) -> Action:
        """An action of this table's game, from the JSON that somebody sent; raises BadAction, NotAdmitted."""
        try:
            action = self._table.codec.read_action(text)
        except msgspec.DecodeError as error:
            # The sentence may repeat what was sent, which may be long.
            raise BadAction(reason=str(error)[:REASON_MOST]) from None
        return self._played(action)

    def _played(self, action: Action) -> Action:
        """The same action, if anybody may send it as a move; raises BadAction, NotAdmitted."""
        if isinstance(action, self._table.rules.guarded) and self.info.terms.position_code:
            raise NotAdmitted("position_code")
        if isinstance(action, NOT_PLAYED):
            raise BadAction(reason="this is done by joining, leaving or waiting, not by a move")
        return action

    def dictated(self, text: str, role: int, language: str) -> Action | None:
        """The action that a line of text means; None where it asks for nothing.

        Raises NotRead, BadAction, NotAdmitted, NotStarted.
        """
        action = self._table.rules.read(self.view(), self.legal(), role, text, language)
        return None if action is None else self._played(action)

    def finishing(self, role: int, final: bool, language: str) -> list[Action]:
        """What makes all that was given final, or no longer so; raises NotRead, NotStarted."""
        return self._table.rules.finishing(self.view(), role, final, language)

    async def play(
        self,
        action: Action,
        request_id: str | None = None,
        *,
        lag: int = 0,
        patience: int = PATIENCE,
    ) -> Answer:
        """Play an action and wait until it is durable; its clock is spared `lag` ms, half a second at most.

        Raises Illegal, NotStarted, Over, RulesFailed, Restored, NoSuchTable, Unavailable.
        """
        waiter: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()

        def done(answer: Answer) -> None:
            if not waiter.done():
                waiter.set_result(answer)

        self.submit(action, request_id, done, lag=lag, patience=patience)
        answer = await waiter
        if answer.error is not None:
            raise answer.error
        return answer

    def submit(
        self,
        action: Action,
        request_id: str | None,
        done: Done,
        *,
        lag: int = 0,
        patience: int = PATIENCE,
    ) -> None:
        """Play an action; `done` is called once: after what it changed was told, or with why it was not.

        While the database is away the same request is sent again for `patience` milliseconds.
        """
        Sending(self, action, request_id, done, lag, patience)

    # --- what is told -----------------------------------------------------------------------------------

    def listen(self, listener: Listener) -> None:
        """Tell this listener of every event from now on that tells its seat something, once, in order."""
        self._stop_listening()
        self._listener = listener
        self._bind(self._table)

    def _bind(self, loaded: LoadedTable) -> None:
        self._loaded = loaded
        self._version = loaded.version(self.seat)
        self._unsubscribe = [
            loaded.subscribe(self._heard),
            loaded.on_marks(self._marked),
            loaded.on_closed(self._lost),
        ]

    def _stop_listening(self) -> None:
        for unsubscribe in self._unsubscribe:
            unsubscribe()
        self._unsubscribe = []

    def _heard(self, news: Sequence[Happened]) -> None:
        assert self._listener is not None
        seat, told = self.seat, []
        for happened in news:
            facts = happened.told(seat)
            if facts:
                self._version += 1
                told.append(Told(happened, seat, facts, self._version))
        if told:
            self._listener.told(told)
        void = news[-1].void  # nothing happens after it
        if void is not None and self._listener is not None:
            self._listener.void(void)

    def _marked(self, seat: Seat, facts: list[Fact], patch: Json) -> None:
        if seat == self.seat and self._listener is not None:
            self._listener.marked(facts, patch)

    def _lost(self) -> None:
        """The table was let go of while somebody listened here: the database was replaced, or its rules."""
        self._unsubscribe = []
        finding = insist(self._find_again, Unavailable, wanted=lambda: self._listener is not None)
        self._tables.spawn(finding, f"chair at table {self.info.id}")

    async def _find_again(self) -> None:
        try:
            loaded = await self._tables.open(self.info.id)
        except TableError:
            if self._listener is not None:
                self._listener.gone()
            return
        if self._listener is not None:
            self.epoch = self._tables.store.epoch
            self._bind(loaded)
            self._listener.anew()

    # --- being here -------------------------------------------------------------------------------------

    @property
    def is_closed(self) -> bool:
        return self._closed

    def hide(self, hides: bool) -> None:
        """What this person has before him is out of sight, or in it again: letters come meanwhile."""
        if self._stay is not None:
            self._stay.hide(hides)

    def stay(self) -> None:
        """Be present until the chair is closed, or stepped away from; a database that is away only delays
        what is noted."""
        if self._stay is None and self.person is not None and not self._closed:
            self._stay = Stay(self._tables, self.info.id, self.seat, self.person)

    def step_away(self) -> None:
        """Be away until the next `stay`, if nobody else keeps this seat present; hear and play as before."""
        if self._stay is not None:
            self._stay.close()
            self._stay = None

    async def arrived(self) -> None:
        """Wait until it is noted that this person is here; `stay` comes first."""
        if self._stay is not None:
            await asyncio.shield(self._stay.noted)

    async def come_back(self) -> bool:
        """Be back in the game; False where this seat is active in it already, at whichever node.

        Raises Illegal, NoSuchTable, Unavailable.
        """
        assert self.person is not None, "nobody comes back who never came"
        return await self._tables.presence.come_back(self.info.id, self.seat, self.person)

    def close(self) -> None:
        """Get up: hear no more, and be away if nobody else keeps this seat present."""
        self._closed = True
        self._stop_listening()
        self._listener = None
        if self._stay is not None:
            self._stay.close()

    async def closed(self) -> None:
        """Wait until it is noted that this person got up; `close` comes first."""
        if self._stay is not None:
            await self._stay.noted


def _request_ids() -> Iterator[str]:
    name = secrets.token_hex(6)
    for number in count(1):
        yield f"{name}-{number}"
