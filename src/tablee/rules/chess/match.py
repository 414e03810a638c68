"""A robot against a player who plays anything: how strong it is at least."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import msgspec

from tablee.rules.chess.model import ChessOptions, ChessState
from tablee.rules.chess.rules import ChessRules
from tablee.rules.chess.showing import ChessActions
from tablee.rules.contract import Action, Robot, Seat

_EVENTS_AT_MOST = 2_000


class Match(msgspec.Struct, frozen=True):
    """One game as it went for the robot: 1 won, 0.5 drawn, 0 lost."""

    points: float
    reason: str
    plies: int


def play_match(variant: str, robot: Robot, seed: int) -> Match:
    """One game against a random player, the robot White where the seed is even."""
    mine: Seat = 1 if seed % 2 == 0 else 2
    state = played_out(variant, {mine: robot}, seed)
    points = 0.5 if state.winner is None else float(state.winner == mine)
    return Match(points, state.ended or "unfinished", len(state.plies))


def played_out(variant: str, robots: Mapping[Seat, Robot], seed: int) -> ChessState:
    """A game to its end, or as far as it comes; a seat without a robot plays anything."""
    rules, rng = ChessRules(variant), Random(seed)
    state: Any = None
    for fact in rules.setup(ChessOptions(turn_minutes=0), (1, 2), 0, rng):
        state = rules.evolve(state, fact)
    for _ in range(_EVENTS_AT_MOST):
        if state.ended:
            break
        seat = state.turn
        legal = ChessActions(variant, state, seat)
        action: Action | None = None
        if seat in robots:
            action = robots[seat].choose(rules.view(state, seat), legal, Random(rng.getrandbits(32)))
        if action is None:
            action = legal.some_move(rng)
        for fact in rules.decide(state, seat, action, 0, rng):
            state = rules.evolve(state, fact)
    finished: ChessState = state
    return finished
