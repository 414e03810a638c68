"""Somebody's seat in a game of chess, from the moment he comes to its end."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

import structlog
from msgspec.structs import replace

from tablee.club import ClubError
from tablee.rules.chess import CancelPremove, DeclineTakeback, Move, OfferDraw, Premove
from tablee.rules.chess.model import Reason
from tablee.rules.chess.views import ChessView, ToldEnded
from tablee.rules.contract import Action, Actions, Illegal, Seat
from tablee.store import StoreError, Unavailable
from tablee.tables import Happened, LiveTable, Outcome, TableClosed

if TYPE_CHECKING:
    from tablee.doors.pawnhub.session import Session

log = structlog.get_logger("tablee.pawnhub")

AGAIN_AFTER = 1_000
"""Milliseconds after which a move is sent again that a database which is gone has not taken."""

Refused = Callable[[Exception], None]
Done = Callable[[], None]


class Game:
    """A seat that is connected by this session. What it says comes from `view`, `legal` and `told` alone."""

    def __init__(self, session: Session, live: LiveTable, seat: Seat) -> None:
        self.session = session
        self.live = live
        self.seat = seat
        self.over = False
        self._unsubscribe: Callable[[], None] | None = None
        self._arriving: asyncio.Task[None] | None = None

    # --- what is known of it ----------------------------------------------------------------------------

    @property
    def table_id(self) -> int:
        return self.live.info.id

    @property
    def variant(self) -> str:
        return self.live.info.variant

    @property
    def opponent(self) -> str:
        """The name of the other player."""
        return next((taken.name for taken in self.live.info.seats if taken.seat != self.seat), "")

    @property
    def view(self) -> ChessView:
        """All that this side may know now."""
        view: ChessView = self.live.view(self.seat)
        return view

    @property
    def legal(self) -> Actions:
        return self.live.legal(self.seat)

    @property
    def is_my_turn(self) -> bool:
        return not self.over and self.seat in self.live.waiting()

    @property
    def clock(self) -> int:
        """What is left of one's own clock in milliseconds; without clocks, of the turn; else 0."""
        face = self.live.clock_faces().get(self.seat)
        if face is not None and face.left is not None:
            return face.left
        until = self.view.turn_until
        return 0 if until is None else max(0, until - self.live.now())

    # --- life -------------------------------------------------------------------------------------------

    def open(self) -> None:
        """Hear of everything from now on, and be connected."""
        self._unsubscribe = self.live.subscribe(self._heard)
        self._arriving = self.session.door.spawn(self._arrive())

    async def close(self) -> None:
        """The connection to this seat is gone, or the game is over."""
        if self._unsubscribe is not None:
            self._unsubscribe()
            self._unsubscribe = None
            await self._depart()

    async def resign(self) -> None:
        """Give the game up; raises StoreError, nothing if it is over."""
        try:
            await self.session.door.tables.leave(self.table_id, self._account_id)
        except (Illegal, ClubError) as refusal:
            log.debug("resignation_refused", table=self.table_id, refusal=str(refusal))

    async def _arrive(self) -> None:
        await self.session.door.tables.arrive(self.table_id, self.seat, self._account_id)

    async def _depart(self) -> None:
        if self._arriving is not None:
            await asyncio.gather(self._arriving, return_exceptions=True)
        await self.session.door.tables.depart(self.table_id, self.seat, self._account_id)

    @property
    def _account_id(self) -> int:
        assert self.session.account is not None, "who plays is somebody"
        return self.session.account.id

    # --- what is done -----------------------------------------------------------------------------------

    def move(self, text: str, refused: Refused, done: Done) -> str:
        """Play a move; gives the id by which it is known when it comes. `done` is called in any case."""
        request_id = f"pawnhub-{secrets.token_hex(8)}"
        self._submit(Move(text), request_id, refused, done)
        return request_id

    def premove(self, text: str) -> None:
        """Play this as soon as it is one's turn; nothing is said where that cannot be."""
        self._submit(Premove(text), None, _silently, _nothing)

    def cancel_premove(self) -> None:
        self._submit(CancelPremove(), None, _silently, _nothing)

    def offer_draw(self, refused: Refused) -> None:
        self._submit(OfferDraw(), None, refused, _nothing)

    def decline_takeback(self) -> None:
        """Neither dialect can grant it: who asks shall not wait for an answer."""
        self._submit(DeclineTakeback(), None, _silently, _nothing)

    def _submit(self, action: Action, request_id: str | None, refused: Refused, done: Done) -> None:
        def answered(outcome: Outcome) -> None:
            if isinstance(outcome.error, Unavailable) and request_id is not None and not self.over:
                # Whether it was kept is not known: the same request again, and the log will tell.
                clock = self.session.door.clock
                clock.call_at(clock.now() + AGAIN_AFTER, again)
                return
            if outcome.error is not None:
                refused(outcome.error)
            done()

        def again() -> None:
            if self.over or self.session.closed:
                done()
            else:
                self.live.submit(self.seat, action, request_id, answered, lag=lag)

        lag = self.session.voice.round_trip()
        self.live.submit(self.seat, action, request_id, answered, lag=lag)

    # --- what is heard ----------------------------------------------------------------------------------

    def _heard(self, news: Sequence[Happened]) -> None:
        for happened in news:
            if self.over:
                return
            told = happened.told(self.seat)
            view = happened.view(self.seat)
            if told is None:
                reason = happened.void
                if reason is None:
                    continue
                # Of an end that the house has made the position says nothing.
                told = [ToldEnded(cast("Reason", reason), None)]
                view = replace(view, ended=reason, winner=None)
            self.over = view.ended is not None
            self.session.heard(self, told, view, happened.request_id)


def _silently(error: Exception) -> None:
    if not isinstance(error, Illegal | ClubError | StoreError | TableClosed):
        raise error


def _nothing() -> None:
    """Nobody waits."""


def sentence_of(error: Exception, live: LiveTable | None = None) -> tuple[str, str]:
    """Code and English sentence of a refusal."""
    if isinstance(error, Illegal):
        words = {} if live is None else live.rules.words("en")
        sentence = words.get(f"illegal.{error.code}", error.code)
        return error.code, sentence.format(**error.parts)
    if isinstance(error, ClubError):
        return error.code, error.sentence("en")
    return "unavailable", "The house cannot do this now; try again in a moment."


__all__ = ["Game", "sentence_of"]
