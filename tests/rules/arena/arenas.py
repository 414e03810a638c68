"""Games of Arena of Titans laid out for a test: who stands where, holds what, plays whom."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from tablee.rules.arena import ArenaOptions, ArenaRules, ArenaState
from tablee.rules.arena.ground import Ground, ground_of
from tablee.rules.arena.model import Active, Player
from tablee.rules.contract import CLOCK, Action, Fact, Illegal, Json, Seat, Timeout

Place = tuple[int, int]


class Arena:
    """A game whose seats play in their order, so that seat 1 begins."""

    def __init__(
        self, players: int = 2, *, variant: str = "standard", rules: ArenaRules | None = None, **options: Any
    ) -> None:
        self.rules = rules or ArenaRules(variant)
        self.at = 0
        self.rng = Random(1)
        self.facts: list[Fact] = []
        seats = range(1, players + 1)
        seed = next(s for s in range(100_000) if list(seats) == Random(s).sample(list(seats), players))
        self.log = self.rules.setup(ArenaOptions(**options), seats, self.at, Random(seed))
        self.state: ArenaState = None  # type: ignore[assignment]
        for fact in self.log:
            self.state = self.rules.evolve(self.state, fact)

    @property
    def ground(self) -> Ground:
        return ground_of(self.state.description)

    def player(self, seat: Seat) -> Player:
        player = self.state.player(seat)
        assert player is not None
        return player

    def put(self, seat: Seat, **fields: Any) -> Arena:
        """Change what a player has: `pawn` and `hand` as people write them, the rest as the state has it."""
        if "pawn" in fields:
            fields["pawn"] = self.square(*fields["pawn"])
        if "hand" in fields:
            fields["hand"] = tuple(self.card(each) for each in fields["hand"])
        players = tuple(replace(p, **fields) if p.seat == seat else p for p in self.state.players)
        self.state = replace(self.state, players=players)
        return self

    def under(self, seat: Seat, *trumps: str, left: int = 1, by: Seat = 2) -> Arena:
        """Trumps that act on a player."""
        return self.put(seat, effects=tuple(Active(name, left, by) for name in trumps))

    def square(self, x: int, y: int) -> int:
        found = self.ground.square_at(x, y)
        assert found is not None
        return found

    def card(self, text: str) -> int:
        name, _, color = text.rpartition(" ")
        return self.ground.numbers[name, color]

    def pawn(self, seat: Seat) -> Place:
        x, y = self.ground.place(self.player(seat).pawn)
        return x, y

    def hand(self, seat: Seat) -> list[str]:
        return [" ".join(self.ground.named(card).values()) for card in self.player(seat).hand]

    # --- playing ----------------------------------------------------------------------------------------

    def act(self, seat: Seat, action: Action) -> list[Fact]:
        """Play an action; the facts that followed."""
        self.at += 1_000
        self.facts = self.rules.decide(self.state, seat, action, self.at, self.rng)
        for fact in self.facts:
            self.state = self.rules.evolve(self.state, fact)
        self.log += self.facts
        return self.facts

    def time_out(self, seat: Seat) -> list[Fact]:
        return self.act(CLOCK, Timeout(seat))

    def refuses(self, seat: Seat, action: Action, code: str) -> None:
        """An action is refused for this reason, and the legal actions do not have it."""
        before = self.state
        with pytest.raises(Illegal) as refusal:
            self.act(seat, action)
        assert refusal.value.code == code
        assert self.state == before
        assert not self.rules.legal(self.state, seat).allows(action)

    def allows(self, seat: Seat, action: Action) -> bool:
        return self.rules.legal(self.state, seat).allows(action)

    def describe(self, seat: Seat) -> Json:
        return self.rules.legal(self.state, seat).describe()

    def view(self, seat: Seat) -> Json:
        return self.rules.view(self.state, seat)

    def told(self, seat: Seat, before: ArenaState) -> list[Any]:
        """What a seat was told of the last action."""
        told = []
        state = before
        for fact in self.facts:
            after = self.rules.evolve(state, fact)
            heard = self.rules.tell(state, fact, after, seat)
            if heard is not None:
                told.append(heard)
            state = after
        return told

    def reach(self, seat: Seat, card: str) -> set[Place]:
        """Where a card of the hand leads, as the legal actions describe it."""
        name, _, color = card.rpartition(" ")
        for each in self.describe(seat)["play"]:
            if (each["card"], each["color"]) == (name, color):
                return {(int(x), int(y)) for x, y in (key.split(",") for key in each["reach"])}
        raise AssertionError(f"{card} is not in the hand")

    @property
    def turn(self) -> Seat | None:
        seat: Seat | None = self.view(0).turn
        return seat

    @property
    def moves(self) -> int:
        return int(self.view(0).moves)


def kinds(facts: list[Fact]) -> list[str]:
    return [str(fact.__struct_config__.tag) for fact in facts]
