"""How turns come and go: whose is next, who is home, when it is over."""

from __future__ import annotations

from random import Random

from tablee.rules.arena.evolution import evolve
from tablee.rules.arena.ground import Ground, ground_of
from tablee.rules.arena.model import (
    HAND,
    ArenaState,
    Card,
    Ended,
    Finished,
    MistLifted,
    Player,
    Reason,
    Refilled,
    Resigned,
    TurnBegan,
    TurnEnded,
)
from tablee.rules.arena.moves import moves_left
from tablee.rules.contract import Fact, Instant, Seat


class Course:
    """What an action brings about, one fact after another, and the state that they lead to."""

    def __init__(self, state: ArenaState, at: Instant, rng: Random) -> None:
        self.state = state
        self.at = at
        self.rng = rng
        self.facts: list[Fact] = []

    @property
    def ground(self) -> Ground:
        return ground_of(self.state.description)

    def happens(self, fact: Fact) -> None:
        self.facts.append(fact)
        self.state = evolve(self.state, fact)

    def goes_on(self) -> None:
        """After a move: the turn ends by itself when none is left and nobody is to be pushed."""
        state = self.state
        if state.strike is None and moves_left(self.ground, state) <= 0:
            self.turn_ends()

    def turn_ends(self) -> None:
        """What acts on the player has one turn less, his hand is full again, the next is called."""
        player = self.state.current
        if player.mist == 1:
            self.happens(MistLifted(player.seat, player.pawn))
        self.happens(TurnEnded(player.seat))
        if len(self.state.current.hand) < HAND:
            self.happens(_refilled(self.ground, self.state.current, self.rng))
        self.next_turn()

    def next_turn(self) -> None:
        """The next who is on his way begins his turn, or is home; or the game ends."""
        state = self.state
        place, number = state.turn, state.round
        while True:
            if self._is_over():
                return
            place += 1
            if place == len(state.players):
                place, number = 0, number + 1
                if number > state.rounds:
                    self.happens(Ended("rounds", self._ranks_by_distance()))
                    return
            player = self.state.players[place]
            if not player.playing:
                continue
            if self.ground.is_aim(player.arm, player.pawn):
                self.happens(Finished(player.seat, self._best_rank()))
                continue
            self.happens(TurnBegan(player.seat, number, self.at))
            return

    def first_turn(self) -> None:
        """The game proper begins, once everybody has what he plays with."""
        player = next(player for player in self.state.players if player.playing)
        self.happens(TurnBegan(player.seat, 1, self.at))

    def resigns(self, seat: Seat) -> None:
        """The worst rank that is free; where it was his turn, the next is called."""
        state = self.state
        its_turn = state.current.seat == seat
        gone = sum(player.resigned for player in state.players)
        self.happens(Resigned(seat, len(state.players) - gone))
        if self._is_over():
            return
        if state.choosing:
            self.next_choice()
        elif its_turn:
            self.next_turn()

    def next_choice(self) -> None:
        """After the last hero is chosen, or its chooser gone, the first turn begins."""
        if all(player.hero is not None or not player.playing for player in self.state.players):
            self.first_turn()

    def _is_over(self) -> bool:
        """Whether one is left alone on his way: he takes the rank that is left."""
        state = self.state
        if state.ended:
            return True
        left = [player for player in state.players if player.playing]
        if len(left) > 1:
            return False
        reason: Reason = "resigned" if isinstance(self.facts[-1], Resigned) else "finished"
        ranks = {player.seat: player.rank for player in state.players if player.rank is not None}
        self.happens(Ended(reason, {**ranks, **{player.seat: self._best_rank() for player in left}}))
        return True

    def _best_rank(self) -> int:
        return 1 + sum(player.rank is not None and not player.resigned for player in self.state.players)

    def _ranks_by_distance(self) -> dict[Seat, int]:
        """Those on their way rank by the fewest line or diagonal steps to their aims; equals share."""
        players = self.state.players
        ranks = {player.seat: player.rank for player in players if player.rank is not None}
        steps = {p.seat: self.ground.steps_home(p.arm, p.pawn) for p in players if p.playing}
        best = self._best_rank()
        ranks |= {seat: best + sum(s < own for s in steps.values()) for seat, own in steps.items()}
        return ranks


def _refilled(ground: Ground, player: Player, rng: Random) -> Refilled:
    """The hand made full from the stock, which is made anew, when it is empty, of all that is not in hand."""
    stock, drawn = list(player.stock), list[Card]()
    anew = False
    while len(player.hand) + len(drawn) < HAND:
        if not stock:
            stock = ground.deck_without((*player.hand, *drawn))
            rng.shuffle(stock)
            anew = True
        drawn.append(stock.pop(0))
    return Refilled(player.seat, tuple(drawn), tuple(stock) if anew else None)
