"""One console's calls, one at a time: what waits, what is asked, what was answered or is late.

A pure object: calls, frames and the time go in, what to do comes out. Whoever drives it does as it says, and
then asks it to `advance`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

from msgspec import Struct

from tablee.doors.dr2d.frames import (
    ALIASES,
    RESERVED,
    BadFrame,
    Reply,
    call_text,
    read_arguments,
    read_frame,
    service_text,
)
from tablee.doors.dr2d.settings import Bounds

FLOODING = 1008
REMEMBERED = 16
"""Tokens that were good once, to tell a late reply from a wrong one."""
LASTING = ("RoundBoardAction", "QuestAchieved")
"""What a console that skips a round must hear all the same: the status does not tell it."""


class Call(Struct):
    """A question to a console. `holds`: the game waits for the reply, until the tick `until` at most."""

    seq: str
    args_in: Any = None
    args_ref: Any = None
    round: int = 0
    """The round that it is about; 0 before the first and after the last."""
    time: int = 0
    """Milliseconds that the console has from the moment it is sent."""
    holds: bool = False
    until: int | None = None
    """Of a call that holds the game up: when its time is over, sent or not."""
    tries: int = 1
    """Of a cartouche: how often it is asked for now, counted from 1."""
    asking: int = 0
    """Of a starting tile: how often the game itself has asked, once more after each clash."""
    token: str = ""


class Send(Struct):
    """A frame for the console."""

    text: str


class Answered(Struct):
    """A valid reply has come."""

    call: Call
    args: Any


class TimedOut(Struct):
    """The time of a call is over: its default is taken."""

    call: Call


class Gone(Struct):
    """The console counts as gone."""


class Returned(Struct):
    """The console counts as here again."""


class Close(Struct):
    """The connection is to be closed."""

    code: int
    reason: str


Out = Send | Answered | TimedOut | Gone | Returned | Close


class Sequencer:
    """The calls of one robot's console, whether it is connected just now or not."""

    def __init__(self, bounds: Bounds, new_token: Callable[[], str]) -> None:
        self._bounds = bounds
        self._new_token = new_token
        self.is_connected = False
        self.is_gone = False
        self.pending: Call | None = None
        self._sent_until: int | None = None
        self._queue: deque[Call] = deque()
        self._late = 0
        self._spent: deque[str] = deque(maxlen=REMEMBERED)
        self._idle: deque[int] = deque(maxlen=bounds.idle_frames)

    @property
    def is_quiet(self) -> bool:
        """Whether nothing is asked and nothing waits to be asked."""
        return self.pending is None and not self._queue

    @property
    def waiting(self) -> int:
        """How many calls come before one that is asked now."""
        return len(self._queue) + (self.pending is not None)

    @property
    def due(self) -> int | None:
        """When to `turn` at the latest."""
        times = [call.until for call in self._queue if call.until is not None]
        if self.pending is not None and self._sent_until is not None:
            times.append(self._sent_until)
        return min(times, default=None)

    # --- from the game ----------------------------------------------------------------------------------

    def ask(self, call: Call) -> None:
        """Ask this when all that was asked before is answered or late."""
        self._queue.append(call)

    def ask_now(self, call: Call) -> None:
        """Ask this before all that waits."""
        self._queue.appendleft(call)

    def ask_only(self, call: Call) -> None:
        """Ask this next, and nothing of what waits."""
        self._queue = deque([call])

    def played(self, calls: Iterable[Call]) -> list[Out]:
        """Tell a whole round; a console that has not even heard of the one before skips to the status."""
        told = list(calls)
        number = told[0].round
        if not any(0 < call.round < number for call in self._queue):
            self._queue.extend(told)
            return []
        kept = [call for call in self._queue if call.round == 0 or call.seq in LASTING]
        newest = [call for call in told if "Movement" not in call.seq]
        self._queue = deque([*kept, *newest])
        if not self.is_connected:
            return []
        sentence = f"Votre console a une manche de retard : elle passe à la fin de la manche {number}."
        return [Send(service_text("Skipped", sentence, {"round": number}))]

    def withdraw(self, seq: str) -> None:
        """The game no longer waits for a reply to this."""
        self._queue = deque(call for call in self._queue if call.seq != seq)
        if self.pending is not None and self.pending.seq == seq:
            self._spend()

    def time_up(self, seq: str, now: int) -> list[Out]:
        """The game itself has said that the time of this is over."""
        for call in self._queue:
            if call.seq == seq and call.holds:
                call.until = now
        if self.pending is not None and self.pending.seq == seq:
            self._sent_until = now
        return self.turn(now)

    # --- from the console -------------------------------------------------------------------------------

    def connect(self, now: int) -> list[Out]:
        """A console is there; the pending call is sent to it again."""
        self.is_connected = True
        self._late = 0
        self._idle.clear()
        outs: list[Out] = [Returned()] if self.is_gone else []
        self.is_gone = False
        if self.pending is not None:
            if not self.pending.holds:
                self._sent_until = now + self.pending.time
            outs.append(Send(self._text(self.pending)))
        return outs

    def disconnect(self) -> None:
        """The console is away: what it is told waits for it, what the game waits for keeps its time."""
        self.is_connected = False
        if self.pending is not None and not self.pending.holds:
            self._sent_until = None

    def receive(self, text: str, now: int) -> list[Out]:
        """Take a frame."""
        try:
            reply = read_frame(text)
            if reply is None or reply.seq == RESERVED:
                return self._answers_nothing(now)
            call, args = self._matched(reply)
        except BadFrame as error:
            asked = None
            if self.pending is not None:
                asked = {"seq": self.pending.seq, "token": self.pending.token}
            return [Send(service_text(error.code, str(error), asked)), *self._answers_nothing(now)]
        self._spend()
        self._late = 0
        outs: list[Out] = [Answered(call, args)]
        if self.is_gone:
            self.is_gone = False
            outs.insert(0, Returned())
        return outs

    def _matched(self, reply: Reply) -> tuple[Call, Any]:
        """The pending call, if this answers it; raises BadFrame."""
        call = self.pending
        if reply.token in self._spent:
            raise BadFrame("OldToken", f"L’appel de ce jeton est terminé ({reply.seq[:40]}).")
        if call is None:
            raise BadFrame("NoCall", "Aucun appel n’attend de réponse.")
        if reply.token != call.token:
            raise BadFrame("BadToken", f"Ce jeton n’est pas celui de l’appel en cours ({call.seq}).")
        if ALIASES.get(reply.seq, reply.seq) != call.seq:
            raise BadFrame("BadSequence", f"L’appel de ce jeton est {call.seq}, non {reply.seq[:40]}.")
        return call, read_arguments(call.seq, reply.argsRef)

    def _answers_nothing(self, now: int) -> list[Out]:
        """Count a frame that answers no pending call."""
        is_flood = len(self._idle) == self._idle.maxlen and now - self._idle[0] < 1_000
        self._idle.append(now)
        return [Close(FLOODING, "too many frames that answer no call")] if is_flood else []

    # --- from the clock ---------------------------------------------------------------------------------

    def turn(self, now: int) -> list[Out]:
        """What is late now."""
        outs: list[Out] = []
        call = self.pending
        if call is not None and self._sent_until is not None and self._sent_until <= now:
            self._spend()
            self._late += 1
            outs.append(TimedOut(call))
            if self.is_connected:
                sentence = f"Pas de réponse valable à {call.seq} à temps."
                outs.append(Send(service_text("TimedOut", sentence, {"seq": call.seq, "token": call.token})))
            if not self.is_gone and (self._late >= self._bounds.time_outs or not self.is_connected):
                self.is_gone = True
                outs.append(Gone())
        late = [call for call in self._queue if call.until is not None and call.until <= now]
        if late:
            self._queue = deque(call for call in self._queue if call not in late)
            outs += [TimedOut(call) for call in late]
            if not self.is_connected and not self.is_gone:
                self.is_gone = True
                outs.append(Gone())
        return outs

    def advance(self, now: int) -> list[Out]:
        """Send the next call, if the last is done with."""
        if self.pending is not None or not self._queue or not self.is_connected:
            return []
        call = self.pending = self._queue.popleft()
        call.token = self._new_token()
        until = now + call.time
        self._sent_until = until if call.until is None else min(until, call.until)
        return [Send(self._text(call))]

    def _text(self, call: Call) -> str:
        return call_text(call.seq, call.token, call.args_in, call.args_ref)

    def _spend(self) -> None:
        if self.pending is not None:
            self._spent.append(self.pending.token)
        self.pending = None
        self._sent_until = None
