"""The console of one robot, connected or not: it does what its sequencer says, and keeps its time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from tablee.doors.dr2d.frames import service_text
from tablee.doors.dr2d.sequencer import Answered, Call, Close, Gone, Out, Returned, Send, Sequencer, TimedOut
from tablee.rules.robots.views import OwnView, RobotsView
from tablee.tables import Chair

if TYPE_CHECKING:
    from tablee.doors.dr2d.race import Race

REPLACED = 4000
OVER = 1000


class Link(Protocol):
    """A connection to a console."""

    def send(self, text: str) -> None: ...

    def close(self, code: int, reason: str) -> None: ...


class Console:
    """Lives from the moment its player sits down to the end of the game, over any number of connections."""

    def __init__(self, race: Race, chair: Chair, account_id: int) -> None:
        self.race = race
        self.chair = chair
        self.seat = chair.seat
        self.account_id = account_id
        self.is_briefed = False
        """Whether it was told of the game, which had begun by then."""
        self.is_ending = False
        """Whether its last call waits to be asked, or is."""
        self.places_asked = 0
        """How often it was asked for its starting tile, after clashes and after tiles that are not free."""
        door = race.door
        self.sequencer = Sequencer(door.settings.bounds, door.new_token)
        self._link: Link | None = None
        self._bell: _Bell | None = None

    # --- its connection ---------------------------------------------------------------------------------

    def connect(self, link: Link) -> None:
        """A console has come, or come back; an older connection of the same robot ends."""
        older, self._link = self._link, link
        if older is not None:
            older.close(REPLACED, "another console plays this robot now")
        self.do(self.sequencer.connect(self._now()))
        self._keep_present()

    def disconnect(self, link: Link) -> None:
        """A connection is gone."""
        if self._link is link:
            self._link = None
            self.sequencer.disconnect()
            self.race.left(self)
            self._keep_present()

    def receive(self, text: str) -> None:
        """A frame has come."""
        self.do(self.sequencer.receive(text, self._now()))

    def say(self, code: str, sentence: str) -> None:
        """A service message, if somebody is there to read it."""
        if self._link is not None:
            self._link.send(service_text(code, sentence))

    def close(self, code: int, reason: str) -> None:
        """End the connection; nothing more is asked."""
        if self._link is not None:
            self._link.close(code, reason)

    # --- what is asked ----------------------------------------------------------------------------------

    def own(self) -> OwnView | None:
        """What its seat alone knows now of a race that has begun."""
        view: RobotsView = self.chair.view()
        return view.you

    def end(self) -> None:
        """The game is over for this robot: the last call, and then the connection is closed."""
        if self.is_ending:
            return
        self.is_ending = True
        for seq in ("InitPlayerFeatures", "InitPlayerLocalization", "RoundRequireCartouche"):
            self.sequencer.withdraw(seq)
        last = Call("GameFinalisation", time=self.race.door.settings.reply)
        if not self.sequencer.is_connected:
            self._finish()
        elif self.sequencer.is_gone:
            self.sequencer.ask_only(last)
        else:
            self.sequencer.ask(last)

    def do(self, outs: list[Out]) -> None:
        """Do as the sequencer says, then let it go on."""
        for out in outs:
            match out:
                case Send(text):
                    if self._link is not None:
                        self._link.send(text)
                case Answered(call, args):
                    if call.seq == "GameFinalisation":
                        self._finish()
                    else:
                        self.race.answered(self, call, args)
                case TimedOut(call):
                    if call.seq == "GameFinalisation":
                        self._finish()
                    else:
                        self.race.timed_out(self, call)
                case Gone():
                    self._keep_present()
                    if self.is_ending:
                        self.sequencer.ask_only(Call("GameFinalisation", time=self.race.door.settings.reply))
                    else:
                        self.race.console_gone(self)
                case Returned():
                    self._keep_present()
                case Close(code, reason):
                    self.close(code, reason)
        for out in self.sequencer.advance(self._now()):
            if isinstance(out, Send) and self._link is not None:
                self._link.send(out.text)
        self._keep_time()

    def _finish(self) -> None:
        self.close(OVER, "the game is over")
        self.race.forget(self)

    # --- its time ---------------------------------------------------------------------------------------

    def _now(self) -> int:
        """In ticks: how long a console takes to answer is a duration."""
        return self.race.door.clock.ticks()

    def _keep_time(self) -> None:
        """Be called when something is due; a call that comes too early is cheaper than another timer."""
        due = self.sequencer.due
        if due is not None and (self._bell is None or due < self._bell.due):
            self._bell = _Bell(self, due)
            self.race.door.wheel.watch(self._bell, due)

    def rung(self, bell: _Bell, now: int) -> None:
        if bell is self._bell:
            self._bell = None
            self.do(self.sequencer.turn(now))

    # --- whether its robot has somebody -----------------------------------------------------------------

    def _keep_present(self) -> None:
        """Let the table know whether somebody is there."""
        if self.sequencer.is_connected and not self.sequencer.is_gone:
            self.chair.stay()
        else:
            self.chair.step_away()


class _Bell:
    """One entry of the wheel: when the console has another, this one is forgotten."""

    __slots__ = ("__weakref__", "_console", "due")

    def __init__(self, console: Console, due: int) -> None:
        self._console = console
        self.due = due

    def turn(self, now: int) -> None:
        self._console.rung(self, now)
