"""The rules of Puissance 4: two players let discs fall into a grid; four in a line win."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from msgspec.structs import replace

from tablee.rules.contract import (
    Action,
    Alarm,
    Away,
    Back,
    Fact,
    Glance,
    Illegal,
    Instant,
    Join,
    Json,
    Leave,
    Replace,
    Result,
    Robot,
    Rules,
    Seat,
    Seats,
    TimeGivenBack,
    Timeout,
)
from tablee.rules.words import load_words

from .model import (
    EMPTY,
    SIGNS,
    Began,
    Drop,
    Dropped,
    Ended,
    GridState,
    GridView,
    Options,
    Replaced,
    dropped,
    free_columns,
    has_four,
    other,
)
from .robot import Looking

WORDS = load_words(__package__)


class Columns:
    """What a seat may do now: let a disc fall into a column that has room."""

    def __init__(self, columns: list[int]) -> None:
        self.columns = columns

    def allows(self, action: Action) -> bool:
        return isinstance(action, Drop) and action.column in self.columns

    def sample(self, rng: Random) -> Action | None:
        return Drop(rng.choice(self.columns)) if self.columns else None

    def describe(self) -> Json:
        """By the name of the action, the values of its field: the plain board makes a button of each."""
        return {"drop": self.columns} if self.columns else {}


class Puissance4Rules(Rules[GridState]):
    name = "puissance4"
    variant = "classic"
    options_type = Options
    state_type = GridState
    action_type = Drop | Join | Leave | Replace | Away | Back | Alarm | Timeout | TimeGivenBack
    fact_type = told_type = Began | Dropped | Replaced | Ended
    view_type = GridView
    robots: Mapping[str, Robot] = {"novice": Looking(1), "thinker": Looking(4)}

    def seats(self, options: Options) -> Seats:
        return Seats(2, 2)

    def setup(self, options: Options, seats: Sequence[Seat], at: Instant, rng: Random) -> list[Fact]:
        return [Began(options.width, options.height)]

    def decide(self, state: GridState, seat: Seat, action: Action, at: Instant, rng: Random) -> list[Fact]:
        if state.ended is not None:
            raise Illegal("over")
        match action:
            case Drop(column):
                return self._drop(state, seat, column)
            case Leave():
                return [Ended(other(seat), "left")]
            case Timeout(late):
                return [Ended(other(late), "time")]
            case Replace(name) if seat in SIGNS:
                return [Replaced(seat, name)]
            case Away() | Back() | TimeGivenBack():
                return []
        raise Illegal("not_here")

    def _drop(self, state: GridState, seat: Seat, column: int) -> list[Fact]:
        if seat != state.turn:
            raise Illegal("not_your_turn")
        if not 1 <= column <= len(state.rows[0]):
            raise Illegal("no_such_column", column=column)
        if column not in free_columns(state.rows):
            raise Illegal("column_full", column=column)
        rows = dropped(state.rows, column, SIGNS[seat])
        facts: list[Fact] = [Dropped(seat, column)]
        if has_four(rows, SIGNS[seat]):
            facts.append(Ended(seat, "four"))
        elif not free_columns(rows):
            facts.append(Ended(0, "full"))
        return facts

    def evolve(self, state: GridState | None, fact: Fact) -> GridState:
        if isinstance(fact, Began):
            return GridState((EMPTY * fact.width,) * fact.height)
        assert state is not None
        match fact:
            case Dropped(seat, column):
                return replace(state, rows=dropped(state.rows, column, SIGNS[seat]), turn=other(seat))
            case Ended():
                return replace(state, ended=fact)
        return state

    def legal(self, state: GridState, seat: Seat) -> Columns:
        is_turn = state.ended is None and seat == state.turn
        return Columns(free_columns(state.rows) if is_turn else [])

    def view(self, state: GridState, seat: Seat) -> GridView:
        if state.ended is None:
            return GridView(state.rows, SIGNS, state.turn, None)
        return GridView(state.rows, SIGNS, None, state.ended.winner or None)

    def tell(self, before: GridState | None, fact: Fact, after: GridState, seat: Seat) -> Fact:
        return fact

    def waiting(self, state: GridState) -> frozenset[Seat]:
        return frozenset() if state.ended is not None else frozenset({state.turn})

    def result(self, state: GridState) -> Result | None:
        if state.ended is None:
            return None
        winner = state.ended.winner
        return Result({seat: 1 if winner in (0, seat) else 2 for seat in SIGNS}, state.ended.reason)

    def glance(self, view: GridView, language: str) -> Glance:
        discs = sum(square != EMPTY for row in view.rows for square in row)
        return Glance(moment=WORDS[language]["glance.move"].format(move=discs + 1))

    def words(self, language: str) -> Mapping[str, str]:
        return WORDS[language]
