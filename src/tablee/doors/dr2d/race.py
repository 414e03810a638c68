"""A table of robots and the consoles that play there: what is told becomes calls, replies become actions.

What is the same for all consoles is told to a spectator's chair, and encoded once; each console plays, and
is asked for its starting tile, on the chair of its own seat.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import structlog
from msgspec import Raw

from tablee.clock import Instant
from tablee.club import ClubError
from tablee.doors.dr2d import frames, telling
from tablee.doors.dr2d.console import REPLACED, Console
from tablee.doors.dr2d.sequencer import Call
from tablee.doors.dr2d.socket import REFUSED, RESTART
from tablee.doors.dr2d.uids import Player
from tablee.rules.contract import Action, Fact, Illegal, Seat
from tablee.rules.robots.model import (
    RECALLS,
    Asked,
    BoardSwapped,
    Ended,
    Feature,
    Left,
    Place,
    Program,
    RegisterPlayed,
    RoundEnded,
    Spot,
    TakenOver,
    TimeUp,
)
from tablee.rules.robots.views import (
    RobotsView,
    ToldBegan,
    ToldClashed,
    ToldProgrammed,
    ToldWished,
)
from tablee.tables import Answer, Chair, Listener, NoSuchTable, TableError, Told

if TYPE_CHECKING:
    from tablee.doors.dr2d.door import Dr2dDoor

log = structlog.get_logger("tablee.dr2d")

DOOR = "dr2d"
PATIENCE = 86_400_000
"""Milliseconds for which an action is sent again while the database is away: no console answers a call twice.
One that comes too late is refused, since it says which asking or which round it answers."""
FEATURES, LOCALIZATION, CARTOUCHE = "InitPlayerFeatures", "InitPlayerLocalization", "RoundRequireCartouche"
BREACHES = frozenset(
    ("cartouche_form", "too_many", "unknown_code", "not_programmable", "bad_register", "over_capacity")
)
"""What is wrong with a cartouche itself; other refusals say that the game no longer waits for it."""
GAVE_UP = 1000


class Race(Listener):
    """What this node has of one table. `view` is what the consoles have been told, up to the last event."""

    def __init__(self, door: Dr2dDoor, chair: Chair) -> None:
        self.door = door
        self.chair = chair
        self.table_id = chair.info.id
        self.consoles: dict[Seat, Console] = {}
        self._look()
        chair.listen(self)

    def _look(self) -> None:
        """The table as it is now, from where its next event goes on."""
        self._last: Told | None = None
        self._first: RobotsView | None = self.chair.view() if self.chair.has_begun else None
        self._round: list[tuple[str, Raw | None]] = []
        """The calls of the round that is being told."""
        self._asked_in = 0 if self._first is None else self._first.round
        """The newest round that somebody was asked for: nobody is behind in one that follows it at once.

        0 while the robots are placed."""
        self._asking = 0
        """How often those without a starting tile have been asked for one; 0 where that is not known."""
        if self._first is not None and self._first.phase == "placing":
            updates = self.chair.since(0)
            told = [fact for update in updates or () for fact in update.told]
            self._asking = sum(isinstance(fact, ToldBegan | ToldClashed) for fact in told)

    @property
    def view(self) -> RobotsView | None:
        """The race as everybody sees it; None before it has begun."""
        return self._first if self._last is None else self._last.view

    def close(self) -> None:
        self.chair.close()

    # --- coming and going -------------------------------------------------------------------------------

    def seated(self, chair: Chair, account_id: int) -> Console:
        """The console of this seat, made if need be."""
        console = self.consoles.get(chair.seat)
        if console is None or console.account_id != account_id:
            if console is not None:
                console.close(GAVE_UP, "somebody else plays this robot now")
            console = self.consoles[chair.seat] = Console(self, chair, account_id)
        return console

    def arrived(self, console: Console) -> None:
        """A console is connected: where it has not heard of the game, it does now."""
        view = self.view
        if view is not None and not console.is_briefed:
            self._brief(console, view, self.door.clock.ticks())
            console.do([])

    def recalled(self, console: Console) -> Any:
        """For a console that comes back and may have forgotten everything: its robot and the boards.

        One that will be asked for its name learns all of it from the calls.
        """
        view = self.view
        if view is None:
            return None
        is_new = view.phase == "placing" and console.seat in telling.awaited(view)
        if is_new and not console.is_briefed:
            return None
        return telling.recalled(view, console.seat)

    def let_go(self, seat: Seat) -> None:
        """Another node has the console of this seat now."""
        for console in self._at([seat]):
            self.forget(console)
            console.close(REPLACED, "another console plays this robot now")

    def left(self, console: Console) -> None:
        """A connection has ended: before the game its seat is free again."""
        has_begun = self.chair.has_begun
        if not has_begun or console.is_ending:
            self.forget(console)
        if not has_begun:
            self.door.spawn(self._give_up_seat(console))

    def forget(self, console: Console) -> None:
        if self.consoles.get(console.seat) is console:
            del self.consoles[console.seat]
            if not self.consoles:
                self.door.forget(self)

    async def _give_up_seat(self, console: Console) -> None:
        try:
            await self.door.tables.sitting.leave(self.table_id, console.account_id)
        except (Illegal, ClubError, TableError) as refusal:
            log.debug("dr2d_seat_kept", table=self.table_id, refusal=str(refusal))

    async def check_seats(self) -> None:
        """Send away whoever no longer sits where he sat."""
        asked_about = tuple(self.consoles.values())  # who comes meanwhile may not be in the answer
        try:
            info = await self.door.tables.info(self.table_id)
        except NoSuchTable:
            self.gone()
            return
        for console in asked_about:
            taken = info.seat_of(console.account_id)
            if info.status != "closed" and taken is not None and taken.seat == console.seat:
                continue
            if self.view is not None:
                console.end()
                console.do([])
            else:
                console.say("SentAway", "Vous n’êtes plus à cette table.")
                console.close(GAVE_UP, "the seat is no longer yours")
                self.forget(console)

    # --- what the table says ----------------------------------------------------------------------------

    def told(self, news: Sequence[Told]) -> None:
        for event in news:
            self._last = event
            at = self._tick_of(event.at)
            for fact in event.facts:
                self._tell(fact, event, at)
        self._go_on()

    def void(self, reason: str) -> None:
        self._end()
        self._go_on()

    def anew(self) -> None:
        """The database was replaced: whoever was told of the game comes again, and is told what it is now."""
        self._look()
        for console in tuple(self.consoles.values()):
            if console.is_briefed:
                console.close(RESTART, "the house closes this connection; come again")
                self.forget(console)

    def gone(self) -> None:
        for console in tuple(self.consoles.values()):
            console.say("SentAway", "Cette table n’existe plus.")
            console.close(REFUSED, "the table is gone")
        self.door.forget(self)

    def _go_on(self) -> None:
        for console in tuple(self.consoles.values()):
            console.do([])

    def _tell(self, fact: Fact, event: Told, at: int) -> None:
        match fact:
            case RegisterPlayed(_, _, steps):
                self._round += telling.movements(event.view, steps)
            case BoardSwapped(old, new):
                self._round.append(("RoundBoardAction", telling.board_swap(old, new)))
            case RoundEnded():
                self._round_ended(fact, event.view)
            case Asked():
                self._asked(fact, event, at)
            case ToldProgrammed(seat):
                self._withdraw([seat], CARTOUCHE)
            case ToldWished(seat):
                self._withdraw([seat], FEATURES, LOCALIZATION)
            case ToldClashed(seats):
                self._asking += 1 if self._asking else 0
                for console in self._at(seats):
                    self._ask_place(console, at)
            case TimeUp(seats):
                seqs = (CARTOUCHE,) if self._asked_in else (FEATURES, LOCALIZATION)
                for console in self._at(seats):
                    for seq in seqs:
                        console.do(console.sequencer.time_up(seq, at))
            case ToldBegan():
                self._asking = 1
                for console in tuple(self.consoles.values()):
                    self._brief(console, event.view, at)
            case Left(seat) | TakenOver(seat):
                for console in self._at([seat]):
                    if not console.chair.still_sits:
                        console.end()
            case Ended():
                self._end()

    def _end(self) -> None:
        for console in tuple(self.consoles.values()):
            console.end()

    def _at(self, seats: Iterable[Seat]) -> list[Console]:
        return [self.consoles[seat] for seat in seats if seat in self.consoles]

    def _withdraw(self, seats: Iterable[Seat], *seqs: str) -> None:
        for console in self._at(seats):
            for seq in seqs:
                console.sequencer.withdraw(seq)

    def _round_ended(self, fact: RoundEnded, view: RobotsView) -> None:
        robots = {robot.seat: robot for robot in fact.robots}
        self._round.append(("RoundStatusOfCompetitors", telling.competitors(view, robots)))
        there = [robot.seat for robot in fact.robots if robot.arrived and robot.arrived[0] == fact.round]
        if there:
            self._round.append(("QuestAchieved", telling.completed(view, there)))
        told, self._round = self._round, []
        time = self.door.settings.reply
        for console in tuple(self.consoles.values()):
            calls = [Call(seq, args, round=self._asked_in, time=time) for seq, args in told]
            console.do(console.sequencer.played(calls))

    def _asked(self, fact: Asked, event: Told, at: int) -> None:
        if fact.round == 1:
            told, time = telling.quest(event.view), self.door.settings.reply
            self._withdraw(self.consoles, FEATURES, LOCALIZATION)
            for console in self.consoles.values():
                for seq, args in told:
                    console.sequencer.ask(Call(seq, args, time=time))
        if fact.seats:
            self._asked_in = fact.round
        for console in self._at(fact.seats):
            self._ask_cartouche(console, fact.round, fact.until, at)

    # --- what is asked ----------------------------------------------------------------------------------

    def _tick_of(self, instant: Instant) -> int:
        """A date of the game in ticks, by which consoles are measured."""
        clock = self.door.clock
        return instant - clock.now() + clock.ticks()

    def _brief(self, console: Console, view: RobotsView, now: int) -> None:
        """Everything from the first call on, as far as the game has come."""
        console.is_briefed = True
        time = self.door.settings.reply
        uid = self.door.uids.of(Player(self.table_id, console.seat, console.account_id))
        sequencer = console.sequencer
        sequencer.ask(Call("GameInitialisation", frames.GameContext(None, uid), time=time))
        for board in telling.boards(view):
            sequencer.ask(Call("InitDeclareBoard", board, time=time))
        is_awaited = console.seat in telling.awaited(view)
        if view.phase == "placing":
            if is_awaited:
                until = now + time * (sequencer.waiting + 1)
                features = frames.Features(telling.avatar(view, console.seat))
                about = frames.Mcnd(view.robots[console.seat].number)
                sequencer.ask(Call(FEATURES, about, features, time=time, holds=True, until=until))
                self._ask_place(console, now)
            return
        for call in telling.briefing(view, time):
            sequencer.ask(call)
        if view.ended or self.chair.is_over:
            console.end()
        elif is_awaited:
            self._ask_cartouche(console, view.round, view.until, now)

    def _ask_place(self, console: Console, at: int) -> None:
        """Ask for a starting tile; the one proposed is nobody else's."""
        you, view = console.own(), self.view
        if view is None or you is None or you.proposed is None or you.wish is not None:
            return  # somebody has answered for it elsewhere
        console.places_asked += 1
        if console.places_asked > RECALLS + 1 or self._is_passed_over(console, view):
            self._place_by_default(console, you.proposed, self._asking)
            return
        settings, sequencer = self.door.settings, console.sequencer
        until = at + sequencer.waiting * settings.reply + settings.localization
        if view.until is not None:
            until = min(until, self._tick_of(view.until))
        asked = Call(
            LOCALIZATION,
            frames.Available(list(you.available)),
            telling.localization(you.proposed),
            time=settings.localization,
            holds=True,
            until=until,
            asking=self._asking,
        )
        sequencer.ask(asked)

    def _ask_cartouche(self, console: Console, number: int, ends: Instant | None, at: int) -> None:
        view = self.view
        if view is not None and self._is_passed_over(console, view):
            self._program(console, number)
            return
        until = at + self.door.settings.cartouche
        if ends is not None:
            tick = self._tick_of(ends)
            until = tick if self.chair.info.door != DOOR else min(until, tick)
        asked = Call(
            CARTOUCHE,
            None,
            frames.Cartouche([]),
            round=number,
            time=max(0, until - at),
            holds=True,
            until=until,
        )
        console.sequencer.ask(asked)

    def _is_passed_over(self, console: Console, view: RobotsView) -> bool:
        """Whether nobody waits for a console that is gone: there are people who would have to.

        Where all of them are gone the table keeps its time, so that they find their game when they return.
        """
        if not console.sequencer.is_gone:
            return False
        people = {taken.seat for taken in self.chair.info.taken if taken.robot is None} - {console.seat}
        return any(seat in people and not robot.away for seat, robot in view.robots.items())

    # --- what is answered -------------------------------------------------------------------------------

    def answered(self, console: Console, call: Call, args: Any) -> None:
        """A valid reply has come."""
        match args:
            case frames.RepliedFeatures(avatar):
                action = Feature(avatar.name, telling.color_text(avatar.argbBackColor))
                self._submit(console, action, call.token, partial(self._refused_features, console))
            case frames.RepliedLocalization(x, y, azimuth):
                refused = partial(self._refused_place, console)
                self._submit(console, Place(x, y, azimuth, call.asking), call.token, refused)
            case frames.RepliedCartouche(cartouche):
                self._program(console, call.round, cartouche, call)

    def timed_out(self, console: Console, call: Call) -> None:
        """The default is taken: a robot keeps its values, a cartouche is empty."""
        if call.seq == LOCALIZATION:
            place: frames.Localization = call.args_ref
            self._place_by_default(console, Spot(place.locX, place.locY, place.azimuth), call.asking)
        elif call.seq == CARTOUCHE:
            self._program(console, call.round)

    def console_gone(self, console: Console) -> None:
        """Nobody waits for what this console still owes."""
        view = self.view
        if view is None or console.seat not in telling.awaited(view):
            return
        if not self._is_passed_over(console, view):
            return
        for seq in (FEATURES, LOCALIZATION, CARTOUCHE):
            console.sequencer.withdraw(seq)
        if view.phase != "placing":
            self._program(console, view.round)
        elif (you := console.own()) is not None and you.proposed is not None:
            self._place_by_default(console, you.proposed, self._asking)

    def _place_by_default(self, console: Console, spot: Spot, asking: int) -> None:
        """Take what was proposed, unless a clash has had the question asked anew."""
        self._submit(console, Place(spot.x, spot.y, spot.azimuth, asking), None, _ignored)

    def _program(
        self,
        console: Console,
        number: int,
        cartouche: Iterable[Iterable[str | int]] = (),
        call: Call | None = None,
    ) -> None:
        """Play a cartouche for the round it was asked for: one that comes too late is not the next one's."""
        codes = tuple(tuple(_code(code) for code in register) for register in cartouche)
        refused = _ignored if call is None else partial(self._refused_cartouche, console, call)
        self._submit(console, Program(codes, number), None if call is None else call.token, refused)

    def _refused_features(self, console: Console, refusal: Illegal) -> None:
        console.say("BadFeatures", refusal.sentence("fr"))

    def _refused_place(self, console: Console, refusal: Illegal) -> None:
        """A tile that is not available is asked for again, if the game still waits for it."""
        view = self.view
        is_awaited = view is not None and console.seat in telling.awaited(view)
        if is_awaited and refusal.code == "not_available":
            console.say("BadLocalization", refusal.sentence("fr"))
            self._ask_place(console, self.door.clock.ticks())
            console.do([])

    def _refused_cartouche(self, console: Console, call: Call, refusal: Illegal) -> None:
        """A cartouche that breaks a rule: three calls in all within the time, then it is empty."""
        if refusal.code not in BREACHES:
            return
        console.say("BadCartouche", refusal.sentence("fr"))
        now = self.door.clock.ticks()
        if call.tries >= self.door.settings.bounds.cartouches or (call.until or now) <= now:
            self._program(console, call.round)
            return
        again = Call(
            CARTOUCHE,
            None,
            frames.Cartouche([]),
            round=call.round,
            time=call.time,
            holds=True,
            until=call.until,
            tries=call.tries + 1,
        )
        console.sequencer.ask_now(again)
        console.do([])

    # --- what is done -----------------------------------------------------------------------------------

    def _submit(
        self, console: Console, action: Action, token: str | None, refused: Callable[[Illegal], object]
    ) -> None:
        """Play an action once the loop is free."""

        def answered(answer: Answer) -> None:
            if isinstance(answer.error, Illegal):
                refused(answer.error)
            elif answer.error is not None:
                log.info("dr2d_action_refused", table=self.table_id, error=str(answer.error))

        request_id = None if token is None else f"dr2d-{token}"
        send = partial(console.chair.submit, action, request_id, answered, patience=PATIENCE)
        asyncio.get_running_loop().call_soon(send)


def _code(value: str | int) -> str:
    """A code as the rules read it; a number alone is as good as its text."""
    return value if isinstance(value, str) else f"0x{value:04X}"


def _ignored(refusal: Illegal) -> None:
    """The game went on without it."""
