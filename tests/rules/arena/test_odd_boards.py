"""Games on boards as odd as a description allows."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rules.arena.spoiling import GONE, SMALL, spoiled

from tablee.rules.arena import ArenaOptions, ArenaRules
from tablee.rules.arena.loading import load
from tablee.rules.arena.match import Match, play_match
from tablee.rules.arena.robot import STRENGTHS


def played(description: dict[str, Any], strength: str, seats: int = 2, rounds: int = 60) -> Match:
    """A whole game of robots on this description."""
    rules = ArenaRules("odd", load(description, "odd")["odd"])
    return play_match(rules, [STRENGTHS[strength]] * seats, 1, ArenaOptions(rounds=rounds), lambda: 0.0)


@pytest.mark.parametrize("strength", STRENGTHS)
def test_where_no_way_leads_to_an_aim_the_game_ends_after_its_rounds_and_the_rank_is_shared(
    strength: str,
) -> None:
    match = played(spoiled(("board.inner_circle_colors", []), ("board.svg", GONE)), strength, rounds=5)
    assert (match.ranks, match.rounds, match.broken) == ({1: 1, 2: 1}, 5, [])


@pytest.mark.parametrize("strength", STRENGTHS)
def test_two_arms_of_two_columns_are_enough(strength: str) -> None:
    match = played(SMALL, strength)
    assert match.broken == []
    assert sorted(match.ranks.values()) == [1, 2]


@pytest.mark.parametrize("strength", STRENGTHS)
def test_arms_of_one_column_and_a_game_of_one_colour_and_no_trumps_are_played(strength: str) -> None:
    board = {
        "number_arms": 3,
        "arms_width": 1,
        "arms_length": 0,
        "inner_circle_colors": ["RED"],
        "arms_colors": ["RED", "RED"],
    }
    # Pawns pass over one another, so that they do not block their one lane for ever.
    runner = {"name": "Runner", "number_of_movements": 3, "movements_type": ["line"]}
    cards = {"number_cards_per_color": 5, "cards": [runner]}
    game = {"colors": "RED", "board": board, "movements_cards": cards, "trumps": []}
    match = played(game, strength, seats=3)
    assert match.broken == []
    assert sorted(match.ranks.values()) == [1, 2, 3]
