"""Hands, stocks, discards, trumps, gauges and pawns in the mist never leak, however hasty the game."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from tests.rules.arena.arenas import Arena

from tablee.rules.arena import ArenaOptions, ArenaRules, ArenaState
from tablee.rules.arena.ground import ground_of
from tablee.rules.arena.model import Dealt, Discard, Pass
from tablee.rules.arena.views import ArenaView, NamedCard, ToldRefilled
from tablee.rules.conformance import Breach, examine
from tablee.rules.contract import (
    CLOCK,
    SPECTATOR,
    Action,
    Alarm,
    Fact,
    Instant,
    Seat,
    Timeout,
)

HASTE = 12_000
SLEEPER = 1


class HastyRules(ArenaRules):
    """The same game with full gauges from the start and short turns, kept as alarms for the kit to ring.

    Seat 1 sleeps: his turns run out of time at once, until a robot goes on for him. So no game goes on
    elsewhere without haste, as one of the arena does.
    """

    resumes = False

    def evolve(self, state: ArenaState | None, fact: Fact) -> ArenaState:
        after = super().evolve(state, fact)
        if isinstance(fact, Dealt):
            return replace(after, players=tuple(replace(player, gauge=40) for player in after.players))
        return after

    def alarms(self, state: ArenaState) -> dict[str, Instant]:
        if state.ended or state.choosing:
            return {}
        player = state.current
        haste = 0 if player.seat == SLEEPER and not player.stood_in else HASTE
        turn = f"turn {state.round} {player.seat}"
        return {**super().alarms(state), turn: state.began_at + haste}

    def decide(self, state: ArenaState, seat: Seat, action: Action, at: Instant, rng: Random) -> list[Fact]:
        if isinstance(action, Alarm) and seat == CLOCK and action.name.startswith("turn "):
            due = self.alarms(state).get(action.name)
            return [] if due is None or at < due else super().decide(
                state, CLOCK, Timeout(state.current.seat), at, rng
            )  # fmt: skip
        return super().decide(state, seat, action, at, rng)


@pytest.mark.parametrize("seed", range(1, 6))
def test_games_of_heroes_under_pressure_keep_every_promise(seed: int) -> None:
    examine(HastyRules(), seed, ArenaOptions(heroes=True, rounds=14), robot_share=0.3)


def test_random_games_meet_every_fact_of_the_arena() -> None:
    missing = {str(fact.__struct_config__.tag) for fact in HastyRules.fact_type.__args__}
    rare_first = (115, 101, 103)  # a card of mist, a power, somebody who gives up: the fewer games then
    for seed in (*rare_first, *range(100, 160)):
        options = ArenaOptions(heroes=True, choose_heroes=seed % 2 == 0, rounds=20)
        missing -= examine(HastyRules(), seed, options, robot_share=0.8).facts.keys()
        if not missing:
            break
    assert missing == set()


def showing_more(view: ArenaView, more: Sequence[int]) -> ArenaView:
    """A view that says something else where it speaks of cards put away, which no robot looks at."""
    return replace(view, put_away=tuple(NamedCard(str(each), "") for each in more))


class ShowsTheStock(HastyRules):
    """Tells everybody which card the current player will draw."""

    def view(self, state: ArenaState, seat: Seat) -> ArenaView:
        return showing_more(super().view(state, seat), state.current.stock[:1])


class ShowsTheGauge(HastyRules):
    def view(self, state: ArenaState, seat: Seat) -> ArenaView:
        return showing_more(super().view(state, seat), [player.gauge for player in state.players])


class ShowsThroughTheMist(HastyRules):
    def view(self, state: ArenaState, seat: Seat) -> ArenaView:
        return showing_more(super().view(state, seat), [player.pawn for player in state.players])


class TellsTheDiscard(HastyRules):
    def tell(self, before: ArenaState | None, fact: Fact, after: ArenaState, seat: Seat) -> Fact | None:
        told = super().tell(before, fact, after, seat)
        if isinstance(told, ToldRefilled):
            pile = [ground_of(after.description).cards[card] for p in after.players for card in p.discarded]
            return replace(told, cards=tuple(pile))
        return told


@pytest.mark.parametrize(
    "rules", [ShowsTheStock(), ShowsTheGauge(), ShowsThroughTheMist(), TellsTheDiscard()]
)
def test_a_leak_would_be_found(rules: HastyRules) -> None:
    def search() -> None:
        for seed in (1, 6, *range(2, 20)):  # the sixth lays its mist so that it matters who sees through it
            examine(rules, seed, ArenaOptions(heroes=True, rounds=20), robot_share=0.0)

    with pytest.raises(Breach, match="leak"):
        search()


def private(view: ArenaView) -> set[str]:
    shown: dict[str, Any] = msgspec.to_builtins(view, str_keys=True)
    return {"hand", "gauge", "trumps", "power", "put_away", "hidden_plays", "private"} & shown.keys()


def test_only_a_player_sees_his_hand_his_trumps_his_gauge_and_his_discards() -> None:
    arena = Arena(3)
    card = arena.hand(1)[0]
    arena.act(1, Discard(*card.rsplit(" ", 1)))
    assert private(arena.view(1)) == {"hand", "gauge", "trumps", "power", "put_away", "hidden_plays"}
    assert arena.view(1).put_away == (NamedCard(*card.rsplit(" ", 1)),)
    assert private(arena.view(SPECTATOR)) == set()
    assert arena.view(2).players[1].discarded == 1
    shown = arena.view(2).players[1]
    assert msgspec.json.encode(shown).decode().count('"card"') == 0


def test_nobody_is_told_what_another_draws_and_nobody_knows_the_stock() -> None:
    arena = Arena(3)
    before = arena.state
    for _ in range(2):
        arena.act(1, Discard(*arena.hand(1)[0].rsplit(" ", 1)))
    before_last = before
    told = {seat: arena.told(seat, before_last) for seat in (1, 2, SPECTATOR)}
    (drawn,) = [fact for fact in told[1] if isinstance(fact, ToldRefilled)]
    assert isinstance(drawn.cards, tuple)
    assert len(drawn.cards) == 2
    for seat in (2, SPECTATOR):
        (drawn,) = [fact for fact in told[seat] if isinstance(fact, ToldRefilled)]
        assert drawn == ToldRefilled(1, count=2, anew=False)


def test_the_order_of_the_stock_is_no_part_of_any_view() -> None:
    arena = Arena(3)
    other = arena.rules.shuffle_hidden(arena.state, 1, Random(4))
    assert other != arena.state
    assert other.players[0].stock != arena.state.players[0].stock
    assert sorted(other.players[0].stock) == sorted(arena.state.players[0].stock)
    assert arena.rules.view(other, 1) == arena.view(1)


def test_effects_heroes_pawns_and_played_cards_are_everybodys() -> None:
    arena = Arena(3, heroes=True)
    arena.act(1, Pass())
    for seat in (1, 2, 3, SPECTATOR):
        shown = arena.view(seat).players
        assert all(each.hero and each.pawn and each.cards == 5 for each in shown.values())
