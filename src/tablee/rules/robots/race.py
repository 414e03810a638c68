"""A whole race between robot players, without a table: for measuring them and the boards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import msgspec

from tablee.rules.contract import Robot
from tablee.rules.robots.board import BoardDocument
from tablee.rules.robots.model import BoardSwapped, PracticeOptions, RaceOptions
from tablee.rules.robots.rules import PracticeRules, RaceRules


class Race(msgspec.Struct, frozen=True):
    """How a race went, by seat."""

    ranks: dict[int, int]
    arrived: dict[int, tuple[int, int] | None]
    """Round and register of the third law, None for who never had it."""
    rounds: int
    reason: str
    swaps: int
    thought: list[float]
    """What the watch said each decision took."""


def play_race(
    boards: Sequence[str | BoardDocument],
    players: Sequence[Robot],
    seed: int,
    watch: Callable[[], float] = float,
) -> Race:
    """One race of these players, seat 1 first; a single one practises.

    Without a `watch` thinking takes no time.
    """
    alone = len(players) == 1
    rules = PracticeRules() if alone else RaceRules()
    options: Any = (
        PracticeOptions(boards=tuple(boards))
        if alone
        else RaceOptions(seats=len(players), boards=tuple(boards))
    )
    rng = Random(seed)
    state: Any = None
    for fact in rules.setup(options, range(1, len(players) + 1), 0, rng):
        state = rules.evolve(state, fact)
    thought = []
    swaps = 0
    while state.ended is None:
        for seat in sorted(rules.waiting(state)):
            view, legal = rules.view(state, seat), rules.legal(state, seat)
            begun = watch()
            action = players[seat - 1].choose(view, legal, Random(rng.getrandbits(32)))
            thought.append(watch() - begun)
            assert action is not None, "a player that is waited for acts"
            for fact in rules.decide(state, seat, action, 0, rng):
                state = rules.evolve(state, fact)
                swaps += isinstance(fact, BoardSwapped)
    return Race(
        ranks=dict(state.ranks),
        arrived={robot.seat: robot.arrived for robot in state.robots},
        rounds=state.round,
        reason=state.ended,
        swaps=swaps,
        thought=thought,
    )
