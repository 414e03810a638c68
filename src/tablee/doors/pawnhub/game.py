"""Somebody's seat in a game of chess, from the moment he comes to its end."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

import structlog
from msgspec.structs import replace

from tablee.club import ClubError
from tablee.rules.chess import CancelPremove, DeclineTakeback, Move, OfferDraw, Premove
from tablee.rules.chess.model import Reason
from tablee.rules.chess.views import ChessView, ToldEnded
from tablee.rules.contract import Action, Actions, Illegal
from tablee.store import StoreError
from tablee.tables import Answer, Chair, Listener, Told

if TYPE_CHECKING:
    from tablee.doors.pawnhub.session import Session

log = structlog.get_logger("tablee.pawnhub")

PATIENCE = 60_000
"""Milliseconds for which a move is sent again that a database which is away has not taken.

No client of either dialect would do so itself."""

Refused = Callable[[Exception], None]
Done = Callable[[], None]


class Game(Listener):
    """A seat that is connected by this session. What it says comes from its chair alone."""

    def __init__(self, session: Session, chair: Chair) -> None:
        self.session = session
        self.chair = chair
        self.seat = chair.seat
        self.over = False

    # --- what is known of it ----------------------------------------------------------------------------

    @property
    def table_id(self) -> int:
        return self.chair.info.id

    @property
    def variant(self) -> str:
        return self.chair.info.variant

    @property
    def opponent(self) -> str:
        """The name of the other player."""
        return next((taken.name for taken in self.chair.info.seats if taken.seat != self.seat), "")

    @property
    def view(self) -> ChessView:
        """All that this side may know now."""
        view: ChessView = self.chair.view()
        return view

    @property
    def legal(self) -> Actions:
        return self.chair.legal()

    @property
    def is_my_turn(self) -> bool:
        return not self.over and self.seat in self.chair.waiting()

    @property
    def clock(self) -> int:
        """What is left of one's own clock in milliseconds; without clocks, of the turn; else 0."""
        face = self.chair.clock_faces().get(self.seat)
        if face is not None and face.left is not None:
            return face.left
        until = self.view.turn_until
        return 0 if until is None else max(0, until - self.chair.now())

    # --- life -------------------------------------------------------------------------------------------

    def open(self) -> None:
        """Hear of everything from now on, and be connected."""
        self.chair.stay()
        self.chair.listen(self)

    async def close(self) -> None:
        """The connection to this seat is gone, or the game is over."""
        self.chair.close()
        await self.chair.closed()

    async def resign(self) -> None:
        """Give the game up; raises StoreError, nothing if it is over."""
        try:
            await self.session.door.tables.sitting.leave(self.table_id, self._account_id)
        except (Illegal, ClubError) as refusal:
            log.debug("resignation_refused", table=self.table_id, refusal=str(refusal))

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
        def answered(answer: Answer) -> None:
            if answer.error is not None and not self.over:
                refused(answer.error)
            done()

        lag = self.session.voice.round_trip()
        self.chair.submit(action, request_id, answered, lag=lag, patience=PATIENCE)

    # --- what is heard ----------------------------------------------------------------------------------

    def told(self, news: Sequence[Told]) -> None:
        for event in news:
            if not self.over:
                view: ChessView = event.view
                self.over = view.ended is not None
                self.session.heard(self, event.facts, view, event.request_id)

    def void(self, reason: str) -> None:
        if not self.over:
            # Of an end that the house has made the position says nothing.
            self.over = True
            ended = ToldEnded(cast("Reason", reason), None)
            self.session.heard(self, [ended], replace(self.view, ended=reason, winner=None), None)

    def anew(self) -> None:
        """The position may be another: neither dialect can say so, and who comes again is shown it."""
        self.session.voice.send_away("closed", "the house went back to a backup; come again")

    def gone(self) -> None:
        self.session.voice.send_away("closed", "the table is no more; come again")


def _silently(error: Exception) -> None:
    if not isinstance(error, Illegal | ClubError | StoreError):
        raise error


def _nothing() -> None:
    """Nobody waits."""


def sentence_of(error: Exception) -> tuple[str, str]:
    """Code and English sentence of a refusal."""
    if isinstance(error, Illegal | ClubError):
        return error.code, error.sentence("en")
    return "unavailable", "The house cannot do this now; try again in a moment."


__all__ = ["Game", "sentence_of"]
