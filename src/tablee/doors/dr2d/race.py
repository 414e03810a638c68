"""A table of robots and the consoles that play there: its facts become calls, replies become actions."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import structlog
from msgspec import Raw

from tablee.clock import Instant
from tablee.club import ClubError
from tablee.doors.dr2d import frames, telling
from tablee.doors.dr2d.console import REPLACED, Console
from tablee.doors.dr2d.sequencer import Call
from tablee.doors.dr2d.uids import Player
from tablee.rules.contract import Action, Fact, Illegal, Seat
from tablee.rules.robots.model import (
    RECALLS,
    Asked,
    Began,
    BoardSwapped,
    Clashed,
    Ended,
    Feature,
    Left,
    Place,
    Program,
    Programmed,
    RegisterPlayed,
    RobotsState,
    RoundEnded,
    Spot,
    TakenOver,
    TimeUp,
    Wished,
)
from tablee.store import Unavailable
from tablee.tables import Happened, LiveTable, Outcome, TableError

if TYPE_CHECKING:
    from tablee.doors.dr2d.door import Dr2dDoor

log = structlog.get_logger("tablee.dr2d")

DOOR = "dr2d"
AGAIN_AFTER = 1_000
"""Milliseconds after which an action is tried again that a database which is gone has not taken."""
FEATURES, LOCALIZATION, CARTOUCHE = "InitPlayerFeatures", "InitPlayerLocalization", "RoundRequireCartouche"
BREACHES = frozenset(
    ("cartouche_form", "too_many", "unknown_code", "not_programmable", "bad_register", "over_capacity")
)
"""What is wrong with a cartouche itself; other refusals say that the game no longer waits for it."""
GAVE_UP = 1000


class Race:
    """What this node has of one table. `state` is what the consoles have been told, up to the last event."""

    def __init__(self, door: Dr2dDoor, live: LiveTable) -> None:
        self.door = door
        self.table_id = live.info.id
        self.consoles: dict[Seat, Console] = {}
        self._round: list[tuple[str, Raw | None]] = []
        """The calls of the round that is being told."""
        self._asked_in = 0
        """The newest round that somebody was asked for: nobody is behind in one that follows it at once."""
        self.bind(live)

    def bind(self, live: LiveTable) -> None:
        """Listen to this table, from its next event on."""
        self.live = live
        self.state = cast(RobotsState | None, live.state)
        self._asked_in = self.state.round if self.state is not None else 0
        self._unsubscribe = live.subscribe(self._heard)

    def close(self) -> None:
        self._unsubscribe()

    # --- coming and going -------------------------------------------------------------------------------

    def seated(self, seat: Seat, account_id: int) -> Console:
        """The console of this seat, made if need be, and told of the game if that has begun."""
        console = self.consoles.get(seat)
        if console is None or console.account_id != account_id:
            if console is not None:
                console.close(GAVE_UP, "somebody else plays this robot now")
            console = self.consoles[seat] = Console(self, seat, account_id)
        return console

    def arrived(self, console: Console) -> None:
        """A console is connected: where it has not heard of the game, it does now."""
        if self.state is not None and not console.is_briefed:
            self._brief(console, self.state, self.door.clock.ticks())
            console.do([])

    def recalled(self, console: Console) -> Any:
        """For a console that comes back and may have forgotten everything: its robot and the boards.

        One that will be asked for its name learns all of it from the calls.
        """
        if self.state is None:
            return None
        is_new = self.state.phase == "placing" and console.seat in self.state.awaited
        if is_new and not console.is_briefed:
            return None
        return telling.recalled(self.state, console.seat)

    def let_go(self, seat: Seat) -> None:
        """Another node has the console of this seat now."""
        for console in self._at([seat]):
            self.forget(console)
            console.close(REPLACED, "another console plays this robot now")

    def left(self, console: Console) -> None:
        """A connection has ended: before the game its seat is free again."""
        if self.state is None or console.is_ending:
            self.forget(console)
        if self.state is None:
            self.door.spawn(self._give_up_seat(console))

    def forget(self, console: Console) -> None:
        if self.consoles.get(console.seat) is console:
            del self.consoles[console.seat]
            if not self.consoles:
                self.door.forget(self)

    async def _give_up_seat(self, console: Console) -> None:
        try:
            await self.door.tables.leave(self.table_id, console.account_id)
        except (Illegal, ClubError, TableError) as refusal:
            log.debug("dr2d_seat_kept", table=self.table_id, refusal=str(refusal))

    def check_seats(self) -> None:
        """Send away whoever no longer sits where he sat."""
        for console in tuple(self.consoles.values()):
            if self.live.info.status != "closed" and self._still_sits(console):
                continue
            if self.state is not None:
                console.end()
                console.do([])
            else:
                console.say("SentAway", "Vous n’êtes plus à cette table.")
                console.close(GAVE_UP, "the seat is no longer yours")
                self.forget(console)

    def _still_sits(self, console: Console) -> bool:
        taken = self.live.info.seat_of(console.account_id)
        return taken is not None and taken.seat == console.seat

    # --- what the table says ----------------------------------------------------------------------------

    def _heard(self, news: Sequence[Happened]) -> None:
        evolve = self.live.rules.evolve
        for happened in news:
            state = cast(RobotsState | None, happened.before)
            for fact in happened.facts:
                state = evolve(state, fact)
                self.state = state
                self._tell(fact, state, self._tick_of(happened.at))
            if happened.void is not None:
                self._end()
        for console in tuple(self.consoles.values()):
            console.do([])

    def _tell(self, fact: Fact, state: RobotsState, at: int) -> None:
        match fact:
            case RegisterPlayed(_, _, steps):
                self._round += telling.movements(state, steps)
            case BoardSwapped(old, new):
                self._round.append(("RoundBoardAction", telling.board_swap(old, new)))
            case RoundEnded():
                self._round_ended(fact, state)
            case Asked():
                self._asked(fact, state, at)
            case Programmed(seat):
                self._withdraw([seat], CARTOUCHE)
            case Wished(seat):
                self._withdraw([seat], FEATURES, LOCALIZATION)
            case Clashed(seats):
                for console in self._at(seats):
                    self._ask_place(console, state, at)
            case TimeUp(seats):
                seqs = (FEATURES, LOCALIZATION) if state.phase == "placing" else (CARTOUCHE,)
                for console in self._at(seats):
                    for seq in seqs:
                        console.do(console.sequencer.time_up(seq, at))
            case Began():
                for console in tuple(self.consoles.values()):
                    self._brief(console, state, at)
            case Left(seat) | TakenOver(seat):
                for console in self._at([seat]):
                    if not self._still_sits(console):
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

    def _round_ended(self, fact: RoundEnded, state: RobotsState) -> None:
        self._round.append(("RoundStatusOfCompetitors", telling.competitors(state, fact.robots)))
        there = [robot.seat for robot in fact.robots if robot.arrived and robot.arrived[0] == fact.round]
        if there:
            self._round.append(("QuestAchieved", telling.completed(state, there)))
        told, self._round = self._round, []
        time = self.door.settings.reply
        for console in tuple(self.consoles.values()):
            calls = [Call(seq, args, round=self._asked_in, time=time) for seq, args in told]
            console.do(console.sequencer.played(calls))

    def _asked(self, fact: Asked, state: RobotsState, at: int) -> None:
        if fact.round == 1:
            self._withdraw(state.seats, FEATURES, LOCALIZATION)
            for console in self.consoles.values():
                for call in telling.briefing(state, self.door.settings.reply):
                    console.sequencer.ask(call)
        if fact.seats:
            self._asked_in = fact.round
        for console in self._at(fact.seats):
            self._ask_cartouche(console, state, at)

    # --- what is asked ----------------------------------------------------------------------------------

    def _tick_of(self, instant: Instant) -> int:
        """A date of the game in ticks, by which consoles are measured."""
        clock = self.door.clock
        return instant - clock.now() + clock.ticks()

    def _brief(self, console: Console, state: RobotsState, now: int) -> None:
        """Everything from the first call on, as far as the game has come."""
        console.is_briefed = True
        time = self.door.settings.reply
        uid = self.door.uids.of(Player(self.table_id, console.seat, console.account_id))
        sequencer = console.sequencer
        sequencer.ask(Call("GameInitialisation", frames.GameContext(None, uid), time=time))
        for board in telling.boards(state):
            sequencer.ask(Call("InitDeclareBoard", board, time=time))
        if state.phase == "placing":
            if console.seat in state.awaited:
                until = now + time * (sequencer.waiting + 1)
                features = frames.Features(telling.avatar(state, console.seat))
                about = frames.Mcnd(telling.number_of(state, console.seat))
                sequencer.ask(Call(FEATURES, about, features, time=time, holds=True, until=until))
                self._ask_place(console, state, now)
            return
        if len(state.places) == len(state.seats):
            for call in telling.briefing(state, time):
                sequencer.ask(call)
        if state.ended or self.live.is_over:
            console.end()
        elif console.seat in state.awaited:
            self._ask_cartouche(console, state, now)

    def _ask_place(self, console: Console, state: RobotsState, at: int) -> None:
        """Ask for a starting tile; the one proposed is nobody else's."""
        spot = state.proposed[console.seat]
        console.places_asked += 1
        if console.places_asked > RECALLS + 1 or self._is_passed_over(console, state):
            self._place_by_default(console, spot, state.recalls + 1)
            return
        settings, sequencer = self.door.settings, console.sequencer
        until = at + sequencer.waiting * settings.reply + settings.localization
        if state.until is not None:
            until = min(until, self._tick_of(state.until))
        asked = Call(
            LOCALIZATION,
            frames.Available(list(state.available)),
            telling.localization(spot),
            time=settings.localization,
            holds=True,
            until=until,
            asking=state.recalls + 1,
        )
        sequencer.ask(asked)

    def _ask_cartouche(self, console: Console, state: RobotsState, at: int, tries: int = 1) -> None:
        if self._is_passed_over(console, state):
            self._program(console, state.round)
            return
        settings = self.door.settings
        until = at + settings.cartouche
        if state.until is not None:
            ends = self._tick_of(state.until)
            until = ends if self.live.info.door != DOOR else min(until, ends)
        asked = Call(
            CARTOUCHE,
            None,
            frames.Cartouche([]),
            round=state.round,
            time=max(0, until - at),
            holds=True,
            until=until,
            tries=tries,
        )
        console.sequencer.ask(asked)

    def _is_passed_over(self, console: Console, state: RobotsState) -> bool:
        """Whether nobody waits for a console that is gone: there are people who would have to.

        Where all of them are gone the table keeps its time, so that they find their game when they return.
        """
        if not console.sequencer.is_gone:
            return False
        robots = {taken.seat for taken in self.live.info.robots}
        out = {console.seat, *robots, *state.left, *state.away}
        return any(seat not in out for seat in state.seats)

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

    def gone(self, console: Console) -> None:
        """Nobody waits for what this console still owes."""
        state = self.state
        if state is None or console.seat not in state.awaited or not self._is_passed_over(console, state):
            return
        for seq in (FEATURES, LOCALIZATION, CARTOUCHE):
            console.sequencer.withdraw(seq)
        if state.phase == "placing":
            self._place_by_default(console, state.proposed[console.seat], state.recalls + 1)
        else:
            self._program(console, state.round)

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
        console.say("BadFeatures", self._sentence(refusal))

    def _refused_place(self, console: Console, refusal: Illegal) -> None:
        """A tile that is not available is asked for again, if the game still waits for it."""
        state = self.state
        if state is not None and refusal.code == "not_available" and console.seat in state.awaited:
            console.say("BadLocalization", self._sentence(refusal))
            self._ask_place(console, state, self.door.clock.ticks())
            console.do([])

    def _refused_cartouche(self, console: Console, call: Call, refusal: Illegal) -> None:
        """A cartouche that breaks a rule: three calls in all within the time, then it is empty."""
        if refusal.code not in BREACHES:
            return
        console.say("BadCartouche", self._sentence(refusal))
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

    def _sentence(self, refusal: Illegal) -> str:
        words = self.live.rules.words("fr").get(f"illegal.{refusal.code}", refusal.code)
        return words.format(**refusal.parts)

    # --- what is done -----------------------------------------------------------------------------------

    def _submit(self, console: Console, action: Action, token: str | None, refused: Any) -> None:
        """Play an action once the loop is free; what the database cannot take now is tried again."""
        request_id = None if token is None else f"dr2d-{token}"

        def answered(outcome: Outcome) -> None:
            if isinstance(outcome.error, Unavailable):
                clock = self.door.clock
                clock.call_at(clock.now() + AGAIN_AFTER, again)
            elif isinstance(outcome.error, Illegal):
                refused(outcome.error)
            elif outcome.error is not None:
                log.info("dr2d_action_refused", table=self.table_id, error=str(outcome.error))

        def again() -> None:
            if console.seat in self.consoles:
                self.live.submit(console.seat, action, request_id, answered)

        asyncio.get_running_loop().call_soon(self.live.submit, console.seat, action, request_id, answered)


def _code(value: str | int) -> str:
    """A code as the rules read it; a number alone is as good as its text."""
    return value if isinstance(value, str) else f"0x{value:04X}"


def _ignored(refusal: Illegal) -> None:
    """The game went on without it."""
