"""Whole games between players who are programs: how long they last, who wins, how long a decision takes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random

import msgspec

from tablee.rules.arena.ground import ground_of
from tablee.rules.arena.model import HAND, MOST_EFFECTS, MOST_GAUGE, ArenaOptions, ArenaState, TurnBegan
from tablee.rules.arena.rules import ArenaRules
from tablee.rules.arena.views import ArenaView
from tablee.rules.contract import Action, Actions, Robot, Seat


class RandomPlayer:
    """Anything that is allowed."""

    def choose(self, view: ArenaView, legal: Actions, rng: Random) -> Action | None:
        return legal.sample(rng)


class Match(msgspec.Struct, frozen=True):
    """How a game went. `places` are the seats in the order of play."""

    seed: int
    ranks: dict[Seat, int]
    places: tuple[Seat, ...]
    reason: str
    rounds: int
    turns: int
    broken: list[str]
    """What should never be so in the arena and was."""
    seconds: list[float]
    """What each decision took, by the timer that was passed in."""


def play_match(
    rules: ArenaRules,
    robots: Sequence[Robot],
    seed: int,
    options: ArenaOptions,
    timer: Callable[[], float],
) -> Match:
    """One game of this seed, seat by seat with these players, looked at in every turn."""
    rng, thoughts = Random(seed), Random(seed)
    state: ArenaState | None = None
    for fact in rules.setup(options, range(1, len(robots) + 1), 0, rng):
        state = rules.evolve(state, fact)
    assert state is not None
    seconds: list[float] = []
    broken: list[str] = []
    turns, at = 0, 0
    while (result := rules.result(state)) is None:
        at += 1_000
        (seat,) = rules.waiting(state)
        view, legal = rules.view(state, seat), rules.legal(state, seat)
        begun = timer()
        action = robots[seat - 1].choose(view, legal, thoughts)
        seconds.append(timer() - begun)
        assert action is not None, "a robot always answers"
        if not legal.allows(action):
            broken.append(f"{action} of seat {seat} is not allowed")
        for fact in rules.decide(state, seat, action, at, rng):
            state = rules.evolve(state, fact)
            if isinstance(fact, TurnBegan):
                turns += 1
                broken += breaches(state)
    places = tuple(player.seat for player in state.players)
    return Match(seed, result.ranks, places, result.reason, state.round, turns, broken, seconds)


def breaches(state: ArenaState) -> list[str]:
    """What is so at the beginning of a turn, and never should be."""
    ground = ground_of(state.description)
    deck = Counter(ground.deck_without(()))
    found = []
    for player in state.players:
        cards = Counter((*player.hand, *player.stock, *player.shown, *player.misty, *player.discarded))
        if cards != deck:
            found.append(f"the cards of seat {player.seat} are not a deck")
        if len(player.hand) != HAND:
            found.append(f"seat {player.seat} holds {len(player.hand)} cards")
        if not 0 <= player.gauge <= MOST_GAUGE:
            found.append(f"the gauge of seat {player.seat} is {player.gauge}")
        if len(player.effects) > MOST_EFFECTS or any(each.left < 1 for each in player.effects):
            found.append(f"what acts on seat {player.seat} is {player.effects}")
        if not player.on_board and player.effects:
            found.append(f"seat {player.seat} is home and something acts on it")
    pawns = [player.pawn for player in state.players if player.on_board]
    if len(set(pawns)) < len(pawns) and not any(player.hero for player in state.players):
        found.append("two pawns share a square without any mist")
    ranks = [player.rank for player in state.players if player.rank is not None]
    if len(set(ranks)) < len(ranks):
        found.append(f"the ranks are {ranks}")
    return found
