"""The robot of Diplomacy plays every phase, legally, and better than chance."""

from __future__ import annotations

from random import Random

import pytest
from tests.rules.diplomacy.positions import random_situation

from tablee.rules.contract import Fact
from tablee.rules.diplomacy.adjustments import owed
from tablee.rules.diplomacy.game import DiplomacyOptions
from tablee.rules.diplomacy.legal import legal_orders
from tablee.rules.diplomacy.phases import active_roles, centre_counts, resolve, victor
from tablee.rules.diplomacy.rules import DiplomacyRules
from tablee.rules.diplomacy.strategy import orders_of
from tablee.rules.diplomacy.submission import faults
from tablee.rules.diplomacy.variant import Variant, load_variant, variant_names

YEARS = 12


def robot_has_most(variant: Variant, seed: int) -> bool:
    """A game of one robot against players of chance: has it a solo, or more centres than anybody?"""
    rng = Random(seed)
    situation = variant.start()
    robot = rng.randint(1, variant.roles)
    for advancement in range(5 * YEARS):
        orders = []
        for role in active_roles(variant, advancement, situation):
            if role == robot:
                mine = orders_of(variant, advancement, situation, role, rng)
                assert not faults(variant, advancement, situation, role, mine)
            else:
                legal = legal_orders(variant, advancement, situation, role)
                mine = [rng.choice(each) for each in legal.values()]
                if advancement % 5 == 4:
                    mine = mine[: abs(owed(variant, situation)[role])]
            orders += mine
        situation = resolve(variant, advancement, situation, orders).situation
        if victor(variant, situation, (len(variant.centres) - 1) // 2 + 1):
            break
    counts = centre_counts(variant, situation)
    others = [number for role, number in counts.items() if role != robot]
    return counts[robot] > max(others)


def test_of_fifty_games_against_six_players_of_chance_the_robot_is_ahead_in_45() -> None:
    standard = load_variant("standard")
    assert sum(robot_has_most(standard, seed) for seed in range(50)) >= 45


@pytest.mark.parametrize("name", variant_names())
def test_the_robot_is_ahead_on_every_board(name: str) -> None:
    variant = load_variant(name)
    assert sum(robot_has_most(variant, seed) for seed in range(100, 110)) >= 8


@pytest.mark.parametrize("name", variant_names())
def test_the_robot_s_orders_are_legal_wherever_it_finds_itself(name: str) -> None:
    variant = load_variant(name)
    for seed in range(60):
        rng = Random(seed)
        situation = random_situation(variant, rng)
        for advancement in (0, 2, 4):
            for role in active_roles(variant, advancement, situation):
                mine = orders_of(variant, advancement, situation, role, rng)
                assert not faults(variant, advancement, situation, role, mine)


@pytest.mark.parametrize("name", variant_names())
def test_robots_play_a_game_at_a_table_among_themselves(name: str) -> None:
    rules = DiplomacyRules(name)
    rng = Random(7)
    seats = list(range(1, load_variant(name).roles + 1))
    options = DiplomacyOptions(cycles=3)
    state = None

    def happen(facts: list[Fact]) -> None:
        nonlocal state
        for fact in facts:
            state = rules.evolve(state, fact)

    happen(rules.setup(options, seats, 0, rng))
    robot = rules.robots["strategist"]
    for _ in range(500):
        assert state is not None
        if state.ended:
            break
        for seat in seats:
            action = robot.choose(rules.view(state, seat), rules.legal(state, seat), rng)
            if action is not None:
                happen(rules.decide(state, seat, action, 0, rng))
    assert state is not None
    assert state.ended in ("cycles", "solo")
