"""What both dialects have in common as connections: a session, a pace, an end."""

from __future__ import annotations

import math
import socket
from typing import TYPE_CHECKING, Any

from tablee.doors.pawnhub.game import Game
from tablee.doors.pawnhub.session import Session
from tablee.doors.pawnhub.settings import Bounds
from tablee.doors.pawnhub.talk import Said
from tablee.rules.chess.views import ChessView
from tablee.rules.contract import Fact
from tablee.wire.pace import Pace
from tablee.wire.stream import Stream

if TYPE_CHECKING:
    from tablee.doors.pawnhub.door import PawnhubDoor

KEEPALIVE = {"TCP_KEEPIDLE": 20, "TCP_KEEPINTVL": 10, "TCP_KEEPCNT": 3}
"""Neither dialect asks whether somebody is there: TCP itself does, and gives up after 50 s."""


class Connection(Stream):
    """A client of the Pawn Hub. Subclasses read its messages and tell it what happens."""

    __slots__ = ("_came", "_misread", "_pace", "bounds", "door", "session")
    resigns = False

    def __init__(self, door: PawnhubDoor) -> None:
        super().__init__(door.wheel)
        self.door = door
        self.bounds: Bounds = door.settings.bounds
        self.session = Session(door, self)
        clock = self.wheel.clock
        self._pace = Pace(self.bounds.a_second, self.bounds.at_once, lambda: clock.ticks() / 1000)
        self._came = 0
        self._misread = 0

    # --- for subclasses ---------------------------------------------------------------------------------

    def take(self, piece: Any) -> None:
        """One message has come."""
        raise NotImplementedError

    def began(self, game: Game) -> None:
        raise NotImplementedError

    def happened(self, game: Game, told: list[Fact], view: ChessView, request_id: str | None) -> None:
        raise NotImplementedError

    def back_in_menu(self) -> None:
        """The game is over."""

    def said(self, said: Said) -> None:
        raise NotImplementedError

    def friend(self, name: str, what: str) -> None:
        raise NotImplementedError

    def offered(self, name: str, variant: str) -> None:
        raise NotImplementedError

    def refused(self, name: str) -> None:
        raise NotImplementedError

    def send_away(self, code: str, sentence: str) -> None:
        raise NotImplementedError

    def misread(self) -> None:
        """A message that means nothing; so many in a row, and the connection closes."""
        self._misread += 1
        if self._misread >= self.bounds.misread:
            self.close()

    def understood(self) -> None:
        self._misread = 0

    # --- the stream -------------------------------------------------------------------------------------

    def opened(self) -> None:
        sock = None if self._transport is None else self._transport.get_extra_info("socket")
        if sock is not None:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            for name, value in KEEPALIVE.items():
                if hasattr(socket, name):
                    sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
        self.door.connections.add(self)
        self._came = self.heard
        self.wheel.watch(self, self.heard + self.bounds.identify)
        if self.door.is_full or self.door.stopping:
            self.send_away("full", "too many are connected: come again later")

    def gone(self) -> None:
        self.door.connections.discard(self)
        self.door.left(self.session)

    def looked_at(self, now: int) -> int | None:
        """Send away who does not say who he is."""
        if self.session.account is not None:
            self._came = 0
            return now + self.bounds.identify
        self._came = self._came or now  # who has logged out has the same time again
        due = self._came + self.bounds.identify
        if now < due or self.has_work():
            return max(due, now + 100)
        self.send_away("idle", "nobody said in time who is there")
        return None

    def piece(self, piece: Any) -> None:
        self.take(piece)
        seconds = self._pace.spend()
        if seconds and not self._held and not self.closing:
            self.pause()
            clock = self.wheel.clock
            clock.call_at(clock.now() + math.ceil(seconds * 1000), self._paced)

    def _paced(self) -> None:
        if not self.lost:
            self.go_on()
