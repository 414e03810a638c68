"""What a seat may do in the arena now, and how that is described to a page or a robot."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from tablee.rules.arena.board import squares_of
from tablee.rules.arena.decision import decide
from tablee.rules.arena.ground import ground_of
from tablee.rules.arena.heroes import KHARLIASS, MIRINDREL, Hero, usable_power
from tablee.rules.arena.model import (
    ArenaState,
    ChooseHero,
    Discard,
    Pass,
    Play,
    PlayTrump,
    Push,
    SkipPush,
    TakeOver,
    UsePower,
)
from tablee.rules.arena.moves import landings, places, pushes, way
from tablee.rules.arena.trumps import cost_of, may_be_targeted, targets
from tablee.rules.contract import Action, Illegal, Json, Leave, Seat

_NO_CHANCE = Random(0)
"""What `decide` draws when it is only asked whether it would refuse."""


class ArenaActions:
    """The actions of one seat: described from its own cards, its own trumps and what it sees."""

    def __init__(self, state: ArenaState, seat: Seat) -> None:
        self._state = state
        self._seat = seat
        self._ground = ground_of(state.description)
        player = state.player(seat)
        self._player = player if player is not None and player.playing and not state.ended else None
        self._called = self._player is not None and state.current.seat == seat

    def allows(self, action: Action) -> bool:
        if isinstance(action, Leave):
            return self._player is not None
        if not isinstance(action, _GAME_ACTIONS):
            return False
        try:
            decide(self._state, self._seat, action, 0, _NO_CHANCE)
        except Illegal:
            return False
        return True

    def sample(self, rng: Random) -> Action | None:
        """A move more often than not, else a trump, a power, a discard or a pass."""
        if self._player is None:
            return None
        if not self._called:
            return TakeOver() if self._player.stood_in else None
        state = self._state
        if state.choosing:
            return ChooseHero(rng.choice(state.offered))
        if state.strike is not None:
            found: list[Action] = list(self._pushes())
            return rng.choice(found) if found and rng.random() < 0.8 else SkipPush()
        kind = rng.random()
        if kind < 0.3:
            special: list[Action] = [*self._trumps(), *self._powers(rng)]
            if special:
                return rng.choice(special)
        moves = list(self._moves())
        if moves and kind < 0.85:
            return rng.choice(moves)
        if self._player.hand and kind < 0.97:
            return Discard(**self._ground.named(rng.choice(self._player.hand)))
        return Pass()

    def describe(self) -> Json:
        """By what can be done: cards with the squares that they reach and the way there, and so on."""
        player, state, ground = self._player, self._state, self._ground
        if player is None:
            return {}
        described: dict[str, Json] = {"leave": True}
        if player.stood_in:
            described["take_over"] = True
        if not self._called:
            return described
        if state.choosing:
            return {**described, "choose_hero": list(state.offered)}
        if state.strike is not None:
            color = ground.colors[state.strike]
            found = pushes(ground, state, player, color)
            pushed = {str(seat): places(ground, squares) for seat, squares in found.items()}
            return {**described, "push": {"color": color, "targets": pushed}, "skip_push": True}
        hand = sorted(set(player.hand))
        described["play"] = [{**ground.named(card), "reach": self._ways(card)} for card in hand]
        described["discard"] = [ground.named(card) for card in hand]
        described["play_trump"] = [
            {
                "trump": name,
                "cost": cost_of(player, ground.trumps[name]),
                "targets": list(seats) if ground.trumps[name].must_target_player else [],
            }
            for name in player.trumps
            if (seats := targets(ground, state, player, name))
        ]
        power = self._power()
        if power is not None:
            described["use_power"] = self._described_power(*power)
        described["pass"] = True
        return described

    # --- what there is ----------------------------------------------------------------------------------

    def _ways(self, card: int) -> dict[str, list[list[int]]]:
        """By landing square the squares that the pawn steps on."""
        assert self._player is not None
        ground, state, player = self._ground, self._state, self._player
        return {
            "{},{}".format(*ground.place(square)): [
                ground.place(step) for step in way(ground, state, player, card, square)
            ]
            for square in squares_of(landings(ground, state, player, card))
        }

    def _moves(self) -> Iterator[Play]:
        assert self._player is not None
        for card in sorted(set(self._player.hand)):
            for square in squares_of(landings(self._ground, self._state, self._player, card)):
                x, y = self._ground.place(square)
                yield Play(**self._ground.named(card), x=x, y=y)

    def _pushes(self) -> Iterator[Push]:
        ground, state = self._ground, self._state
        assert self._player is not None
        assert state.strike is not None
        for seat, squares in pushes(ground, state, self._player, ground.colors[state.strike]).items():
            for square in squares_of(squares):
                yield Push(seat, *ground.place(square))

    def _trumps(self) -> Iterator[PlayTrump]:
        assert self._player is not None
        for name in self._player.trumps:
            for seat in targets(self._ground, self._state, self._player, name):
                aimed = self._ground.trumps[name].must_target_player
                yield PlayTrump(name, seat if aimed else None)

    def _power(self) -> tuple[Hero, int] | None:
        """The power that can be used and paid for now."""
        assert self._player is not None
        power = usable_power(self._player)
        if power is None or self._state.trumped or self._player.gauge < power[1]:
            return None
        if power[0].name == KHARLIASS and not may_be_targeted(self._state, self._player):
            return None
        return power

    def _powers(self, rng: Random) -> Iterator[UsePower]:
        power = self._power()
        if power is None:
            return
        ground, state = self._ground, self._state
        assert self._player is not None
        if power[0].name == KHARLIASS:
            for seat in may_be_targeted(state, self._player):
                yield UsePower(target=seat)
        elif power[0].name == MIRINDREL:
            x, y = ground.place(rng.randrange(ground.board.squares))
            paint = UsePower(x=x, y=y, color=rng.choice(ground.colors))
            if self.allows(paint):
                yield paint
        else:
            yield UsePower()

    def _described_power(self, hero: Hero, cost: int) -> Json:
        """Metamorphosis comes with its targets, Terraforming with the squares that stay as they are."""
        assert self._player is not None
        described: dict[str, Json] = {"hero": hero.name, "cost": cost}
        if hero.name == KHARLIASS:
            described["targets"] = list(may_be_targeted(self._state, self._player))
        if hero.name == MIRINDREL:
            aims = 0
            for player in self._state.players:
                aims |= self._ground.board.aims(player.arm)
            described["not_on"] = places(self._ground, aims)
            described["colors"] = list(self._ground.colors)
        return described


_GAME_ACTIONS = (
    Play, Discard, PlayTrump, UsePower, Push, SkipPush, Pass, ChooseHero, TakeOver,
)  # fmt: skip
