"""Robots: a runner who takes the shortest way, and a strategist who plans turns, pushes and plays trumps."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from types import MappingProxyType

from tablee.rules.arena.board import squares_of
from tablee.rules.arena.ground import Ground, ground_of
from tablee.rules.arena.imagined import imagined
from tablee.rules.arena.model import (
    ArenaState,
    ChooseHero,
    Discard,
    Pass,
    Play,
    Player,
    SkipPush,
    TakeOver,
)
from tablee.rules.arena.moves import landings
from tablee.rules.arena.strategy import Strategist
from tablee.rules.arena.views import ArenaView
from tablee.rules.contract import Action, Actions, Robot

PREFERRED = ("Ulya", "Garez", "Razbrak", "Arline", "Djor", "Kharliass", "Mirindrel", "Luni")
"""Heroes in the order in which robots choose them."""


class GreedyRobot:
    """Goes as near to its aim as one card takes it; pushes nobody, plays no trump."""

    def choose(self, view: ArenaView, legal: Actions, rng: Random) -> Action | None:
        state = imagined(view)
        player = _called(state, view)
        if player is None:
            return _meanwhile(state, view)
        if state.strike is not None:
            return SkipPush()
        return _nearest(ground_of(state.description), state, player)


def _nearest(ground: Ground, state: ArenaState, player: Player) -> Action:
    """The move that leaves the fewest steps; where none brings it nearer, the card of least use goes."""
    here = ground.steps_home(player.arm, player.pawn)
    best: tuple[int, int, int] | None = None
    for card in sorted(set(player.hand)):
        for square in squares_of(landings(ground, state, player, card)):
            steps = ground.steps_home(player.arm, square)
            if best is None or steps < best[0]:
                best = (steps, card, square)
    if best is not None and best[0] < here:
        x, y = ground.place(best[2])
        return Play(**ground.named(best[1]), x=x, y=y)
    if not player.hand or here == 0:
        return Pass()
    return Discard(**ground.named(min(player.hand, key=lambda card: ground.printed[card].steps)))


def _called(state: ArenaState, view: ArenaView) -> Player | None:
    """Whom the robot plays, where it is his turn in the game proper."""
    player = None if view.you is None else state.player(view.you)
    return player if player is not None and view.turn == player.seat and not state.choosing else None


def _meanwhile(state: ArenaState, view: ArenaView) -> Action | None:
    """What is done out of one's turn, or while heroes are chosen."""
    you = view.you
    if you is None or view.ended:
        return None
    if state.choosing and view.turn == you:
        return ChooseHero(min(state.offered, key=PREFERRED.index))
    return TakeOver() if view.players[you].robot else None


class StrategicRobot:
    """Plans its whole turn by what its cards can do later, pushes, plays trumps and powers."""

    def choose(self, view: ArenaView, legal: Actions, rng: Random) -> Action | None:
        state = imagined(view)
        player = _called(state, view)
        if player is None:
            return _meanwhile(state, view)
        return Strategist(state, player, view.moves).action()


STRONGEST = "strong"
STRENGTHS: Mapping[str, Robot] = MappingProxyType(
    {"greedy": GreedyRobot(), STRONGEST: StrategicRobot()}
)  # fmt: skip
