"""A game of chess for tests, begun anywhere, played by texts."""

from __future__ import annotations

from random import Random
from typing import Any

from tablee.rules.chess import BOARDS, Began, ChessRules, ChessState, Move
from tablee.rules.contract import CLOCK, Action, Alarm, Fact, Json, Seat

WHITE: Seat = 1
BLACK: Seat = 2
MINUTE = 60_000


class Game:
    """Facts are decided and taken; `at` is the time, which only the tests move."""

    def __init__(
        self, variant: str = "classic", fen: str | None = None, live: bool = True, turn_limit: int = 0
    ) -> None:
        self.rules = ChessRules(variant)
        self.at = 1_000
        fen = BOARDS[variant].starting_fen if fen is None else BOARDS[variant](fen).fen()
        self.state: ChessState = self.rules.evolve(None, Began(fen, WHITE, BLACK, live, turn_limit, self.at))

    def do(self, seat: Seat, action: Action) -> list[Fact]:
        """One action, decided and taken."""
        facts = self.rules.decide(self.state, seat, action, self.at, Random(1))
        for fact in facts:
            self.state = self.rules.evolve(self.state, fact)
        return facts

    def play(self, *moves: str) -> Game:
        """Moves of both sides in turn."""
        for move in " ".join(moves).split():
            self.do(self.state.turn, Move(move))
        return self

    def ring(self) -> list[Fact]:
        """Every alarm that is due, until none is."""
        facts: list[Fact] = []
        while due := [name for name, at in self.rules.alarms(self.state).items() if at <= self.at]:
            facts += self.do(CLOCK, Alarm(due[0]))
        return facts

    def view(self, seat: Seat) -> Any:
        return self.rules.view(self.state, seat)

    def can(self, seat: Seat) -> Json:
        return self.rules.legal(self.state, seat).describe()

    @property
    def end(self) -> tuple[str | None, Seat | None]:
        return self.state.ended, self.state.winner
