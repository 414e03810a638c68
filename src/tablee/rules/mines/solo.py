"""One robot alone on the classic board: how often it comes through without hitting a mine."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from msgspec import Struct

from tablee.rules.contract import Join, Robot
from tablee.rules.mines.model import ClassicOptions, MinesState
from tablee.rules.mines.rules import MinesRules

SEAT = 1


class Solo(Struct, frozen=True):
    """How a board went: won means every safe square open and no mine hit."""

    seed: int
    won: bool
    clicks: int
    seconds: list[float]
    """What each decision took, by the timer that was passed in."""


def play_alone(seed: int, robot: Robot, timer: Callable[[], float]) -> Solo:
    """Play the board of this seed until it is cleared or the first mine is hit."""
    rules = MinesRules()
    rng = Random(seed)
    state: MinesState | None = None
    for fact in rules.setup(ClassicOptions(flags=False), (), 0, rng):
        state = rules.evolve(state, fact)
    assert state is not None
    for fact in rules.decide(state, SEAT, Join("robot", robot=True), 0, rng):
        state = rules.evolve(state, fact)
    thoughts = Random(seed)
    seconds: list[float] = []
    while state.ended is None and not state.players[0].mines:
        begun = timer()
        action = robot.choose(rules.view(state, SEAT), rules.legal(state, SEAT), thoughts)
        seconds.append(timer() - begun)
        assert action is not None, "a robot always answers"
        for fact in rules.decide(state, SEAT, action, 0, rng):
            state = rules.evolve(state, fact)
    return Solo(seed, state.ended is not None and not state.players[0].mines, len(seconds), seconds)
