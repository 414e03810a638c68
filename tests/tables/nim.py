"""Nim with matches, for the tests of tables: turns, a player clock, secrets, replacement, and a fault."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace

from tablee.rules.contract import (
    Action,
    Alarm,
    Away,
    Back,
    Fact,
    Illegal,
    Instant,
    Join,
    Json,
    Leave,
    Replace,
    Result,
    Rules,
    Seat,
    Seats,
    State,
    TimeGivenBack,
    Timeout,
    View,
)


class NimOptions(msgspec.Struct, frozen=True):
    matches: int = 21
    stuck: bool = False
    slow: bool = False


class Take(Action, frozen=True):
    matches: int


class Note(Action, frozen=True):
    """Write something down for oneself: nobody else is told, not even that it happened."""

    text: str


class Stumble(Action, frozen=True):
    """A fault of the game: deciding raises what no game should."""


class Laid(Fact, frozen=True):
    matches: int
    seats: tuple[Seat, ...]
    stuck: bool
    at: Instant


class Taken(Fact, frozen=True):
    seat: Seat
    matches: int


class Noted(Fact, frozen=True):
    seat: Seat
    text: str


class Joined(Fact, frozen=True):
    seat: Seat
    name: str


class Lost(Fact, frozen=True):
    seat: Seat
    reason: str


class NimState(State, frozen=True):
    matches: int
    seats: tuple[Seat, ...]
    turn: Seat
    names: dict[Seat, str] = msgspec.field(default_factory=dict)
    notes: dict[Seat, tuple[str, ...]] = msgspec.field(default_factory=dict)
    lost: Seat | None = None
    reason: str = "last_match"
    stuck_at: Instant | None = None

    @property
    def winner(self) -> Seat | None:
        if self.lost is not None:
            return next(seat for seat in self.seats if seat != self.lost)
        if self.matches == 0:
            return self.seats[self.seats.index(self.turn) - 1]
        return None


class NimView(View, frozen=True):
    matches: int
    turn: Seat
    names: dict[Seat, str]
    notes: tuple[str, ...]
    lost: Seat | None


class NimActions:
    def __init__(self, state: NimState, seat: Seat) -> None:
        mine = state.turn == seat and state.winner is None
        self.most = min(3, state.matches) if mine else 0

    def allows(self, action: Action) -> bool:
        return isinstance(action, Take) and 1 <= action.matches <= self.most

    def sample(self, rng: Random) -> Action | None:
        return Take(rng.randint(1, self.most)) if self.most else None

    def describe(self) -> Json:
        return {"take": self.most}


class OneByOne:
    """A robot that takes one match."""

    def choose(self, view: NimView, legal: Any, rng: Random) -> Action | None:
        return Take(1)


class Dreamer:
    """A robot that never thinks of anything."""

    def choose(self, view: NimView, legal: Any, rng: Random) -> Action | None:
        return None


class Faulty:
    """A robot that fails to think."""

    def choose(self, view: NimView, legal: Any, rng: Random) -> Action | None:
        raise RuntimeError("the robot is out of order")


class NimRules(Rules[NimState]):
    name = "nim"
    variant = "plain"
    options_type = NimOptions
    state_type = NimState
    action_type = (
        Take | Note | Stumble | Join | Leave | Replace | Away | Back | Alarm | Timeout | TimeGivenBack
    )  # fmt: skip
    fact_type = Laid | Taken | Noted | Joined | Lost
    told_type = Taken | Noted | Joined | Lost
    view_type = NimView
    resigns = True
    robots: Mapping[str, Any] = {"one": OneByOne(), "dreamer": Dreamer(), "faulty": Faulty()}

    def seats(self, options: NimOptions) -> Seats:
        return Seats(2, 3)

    def setup_is_slow(self, options: NimOptions) -> bool:
        return options.slow

    def setup(self, options: NimOptions, seats: Sequence[Seat], at: Instant, rng: Random) -> list[Fact]:
        if options.matches < 1:
            raise Illegal("no_matches")
        return [Laid(options.matches, tuple(seats), options.stuck, at)]

    def decide(self, state: NimState, seat: Seat, action: Action, at: Instant, rng: Random) -> list[Fact]:
        if state.winner is not None:
            raise Illegal("over")
        match action:
            case Take(matches):
                if state.turn != seat:
                    raise Illegal("not_your_turn")
                if not 1 <= matches <= min(3, state.matches):
                    raise Illegal("too_many", most=min(3, state.matches))
                return [Taken(seat, matches)]
            case Note(text):
                return [Noted(seat, text)]
            case Stumble():
                raise ZeroDivisionError
            case Timeout(loser):
                return [Lost(loser, "time")]
            case Leave():
                return [Lost(seat, "left")]
            case Replace(name):
                return [Joined(seat, name)]
            case Away() | Back():
                return []
        raise Illegal("no_such_action")

    def evolve(self, state: NimState | None, fact: Fact) -> NimState:
        if isinstance(fact, Laid):
            stuck = fact.at + 5_000 if fact.stuck else None
            return NimState(fact.matches, fact.seats, fact.seats[0], stuck_at=stuck)
        assert state is not None
        match fact:
            case Taken(seat, matches):
                following = state.seats[(state.seats.index(seat) + 1) % len(state.seats)]
                return replace(state, matches=state.matches - matches, turn=following)
            case Noted(seat, text):
                return replace(state, notes={**state.notes, seat: (*state.notes.get(seat, ()), text)})
            case Joined(seat, name):
                return replace(state, names={**state.names, seat: name})
            case Lost(seat, reason):
                return replace(state, lost=seat, reason=reason)
        raise TypeError(fact)

    def legal(self, state: NimState, seat: Seat) -> NimActions:
        return NimActions(state, seat)

    def view(self, state: NimState, seat: Seat) -> NimView:
        return NimView(state.matches, state.turn, state.names, state.notes.get(seat, ()), state.lost)

    def tell(self, before: NimState | None, fact: Fact, after: NimState, seat: Seat) -> Fact | None:
        if isinstance(fact, Laid) or (isinstance(fact, Noted) and fact.seat != seat):
            return None
        return fact

    def alarms(self, state: NimState) -> dict[str, Instant]:
        return {} if state.stuck_at is None or state.winner else {"stuck": state.stuck_at}

    def waiting(self, state: NimState) -> frozenset[Seat]:
        return frozenset() if state.winner is not None else frozenset({state.turn})

    def words(self, language: str) -> Mapping[str, str]:
        return {
            "name": "Nim",
            "fact.laid": "{matches} allumettes.",
            "fact.taken": "{player} prend {matches}.",
            "fact.noted": "Noté.",
            "fact.joined": "{player} arrive.",
            "fact.lost": "{player} a perdu.",
            "result.last_match": "La dernière allumette est prise.",
            "illegal.not_your_turn": "It is the other's turn." if language == "en" else "À l’autre de jouer.",
            "illegal.too_many": "{most} matches at most."
            if language == "en"
            else "{most} allumettes au plus.",
        }

    def result(self, state: NimState) -> Result | None:
        if state.winner is None:
            return None
        ranks = {seat: 1 if seat == state.winner else 2 for seat in state.seats}
        return Result(ranks, state.reason)
