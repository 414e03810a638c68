"""A race for tests: facts are decided and taken, and only the tests move the time."""

from __future__ import annotations

from random import Random
from typing import Any

from msgspec.structs import replace

from tablee.rules.contract import CLOCK, Action, Alarm, Fact, Json, Seat
from tablee.rules.robots import Place, PracticeOptions, PracticeRules, Program, RaceOptions, RaceRules
from tablee.rules.robots.board import ActiveTile, BoardDocument, place_of
from tablee.rules.robots.model import RobotsState

START = 1_000_000
AHEAD = ("Move_Ahead",)
STANDBY = ("Enrichment_Standby",)
LAWS = ((11, 2), (2, 2), (11, 10))


def field(*tiles: tuple[str, int, int]) -> BoardDocument:
    """An open field with three laws, and these tiles besides."""
    laws = [(f"loi_r{law}", x, y) for law, (x, y) in enumerate(LAWS, 1)]
    return BoardDocument(boardIdx=0, boardActiveTiles=tuple(ActiveTile(*tile) for tile in (*laws, *tiles)))


FIELD = field()


class Race:
    """A game of robots, from its first fact on."""

    def __init__(self, *seats: Seat, options: RaceOptions | PracticeOptions | None = None) -> None:
        self.at = START
        alone = isinstance(options, PracticeOptions)
        self.rules = PracticeRules() if alone else RaceRules()
        options = options or RaceOptions(seats=max(2, len(seats)), boards=(FIELD,))
        self.facts: list[Fact] = self.rules.setup(options, seats, self.at, Random(1))
        state: RobotsState | None = None
        for fact in self.facts:
            state = self.rules.evolve(state, fact)
        assert state is not None
        self.state = state

    def do(self, seat: Seat, action: Action) -> list[Fact]:
        """One action, decided and taken."""
        facts = self.rules.decide(self.state, seat, action, self.at, Random(1))
        for fact in facts:
            self.state = self.rules.evolve(self.state, fact)
        self.facts += facts
        return facts

    def ring(self, name: str) -> list[Fact]:
        """Time goes on until this alarm is due."""
        self.at = self.rules.alarms(self.state)[name]
        return self.do(CLOCK, Alarm(name))

    def placed(self) -> Race:
        """Everybody takes the tile that was proposed."""
        for seat in self.state.awaited:
            spot = self.state.proposed[seat]
            self.do(seat, Place(spot.x, spot.y, spot.azimuth))
        assert self.state.phase == "programming"
        return self

    def round(self, **cartouches: Any) -> list[Fact]:
        """A whole round; `s2=[AHEAD]` is the cartouche of seat 2, and who is not named stands by."""
        facts: list[Fact] = []
        for seat in self.state.awaited:
            facts += self.do(seat, Program(tuple(cartouches.get(f"s{seat}", ()))))
        return facts

    def put(self, seat: Seat, **changes: Any) -> Race:
        """A robot is made other than it has become: elsewhere, weaker, further on its quest."""
        robots = tuple(
            replace(robot, **changes) if robot.seat == seat else robot for robot in self.state.robots
        )
        self.state = replace(self.state, robots=robots)
        return self

    def before_law(self, seat: Seat, law: int = 3) -> Race:
        """A robot stands one step from a law, looks at it and has all laws before it."""
        x, y = LAWS[law - 1]
        assert all((robot.x, robot.y) != (x, y + 1) for robot in self.state.robots)
        return self.put(seat, x=x, y=y + 1, azimuth="North", laws=law - 1)

    def view(self, seat: Seat) -> Any:
        return self.rules.view(self.state, seat)

    def can(self, seat: Seat) -> Json:
        return self.rules.legal(self.state, seat).describe()

    def wish(self, seat: Seat, number: int, azimuth: Any = "North") -> list[Fact]:
        """A wish for the tile of this number."""
        return self.do(seat, Place(*place_of(number), azimuth))
