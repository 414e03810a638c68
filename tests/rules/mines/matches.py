"""A match of mines in a test's hands: a drawn board, players who come, and a clock moved by hand."""

from __future__ import annotations

from random import Random
from typing import Any

from tablee.rules.contract import CLOCK, Action, Alarm, Fact, Join, Seat
from tablee.rules.mines import Click, CustomMinesRules, Laid, MinesState
from tablee.rules.mines.board import MINE

RULES = CustomMinesRules()
NOON = 1_700_000_000_000


class Match:
    """Plays actions through the rules and keeps the state, the facts and the time."""

    def __init__(self, drawing: str, **options: Any) -> None:
        """`drawing` has a line a row, `*` for a mine and anything else for a safe square."""
        rows = drawing.split()
        text = "".join(rows)
        self.width, self.height = len(rows[0]), len(rows)
        mines = tuple(square for square, letter in enumerate(text) if letter == "*")
        self.at = NOON
        self.rng = Random(1)
        laid = Laid(
            width=self.width,
            height=self.height,
            mines=mines,
            seats=options.get("seats", 10),
            chording=options.get("chording", True),
            flags=options.get("flags", True),
            at=self.at,
            start=options.get("start"),
        )
        self.state: MinesState = RULES.evolve(None, laid)
        self.facts: list[Fact] = [laid]

    def play(self, seat: Seat, action: Action) -> list[Fact]:
        facts = RULES.decide(self.state, seat, action, self.at, self.rng)
        for fact in facts:
            self.state = RULES.evolve(self.state, fact)
        self.facts += facts
        return facts

    def join(self, *names: str, total: int = 0) -> Match:
        for name in names:
            self.play(len(self.state.players) + 1, Join(name, total))
        return self

    def click(self, seat: Seat, x: int, y: int) -> list[Fact]:
        return self.play(seat, Click(x, y))

    def wait(self, milliseconds: int) -> list[Fact]:
        """Time passes, and what falls due meanwhile rings at its instant."""
        end = self.at + milliseconds
        rung: list[Fact] = []
        while True:
            due = sorted((when, name) for name, when in RULES.alarms(self.state).items() if when <= end)
            if not due:
                break
            self.at = max(self.at, due[0][0])
            rung += self.play(CLOCK, Alarm(due[0][1]))
        self.at = end
        return rung

    def points(self, seat: Seat) -> int:
        player = self.state.player(seat)
        assert player is not None
        return player.points

    def active(self, seat: Seat) -> bool:
        player = self.state.player(seat)
        assert player is not None
        return player.active

    def clear(self, seat: Seat) -> None:
        """This seat opens every safe square that is left."""
        for square, letter in enumerate(self.state.truth):
            if letter != MINE and self.state.content(square % self.width, square // self.width) is None:
                self.click(seat, square % self.width, square // self.width)

    def rows(self) -> list[str]:
        return [self.state.row(y) for y in range(self.height)]
