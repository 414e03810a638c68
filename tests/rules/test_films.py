"""Every game of the house has a film with marks, and what it counts has a name."""

from __future__ import annotations

from typing import Any

import pytest

from tablee.rules import GAMES
from tablee.rules.conformance import Examination
from tablee.rules.contract import SPECTATOR, Beat

SEEDS = {"arena": 2, "diplomacy": 1, "chess": 0, "mines": 0, "robots": 1}


class Filmed(Examination):
    """A random game, filmed for who looks on."""

    def __init__(self, rules: Any, seed: int) -> None:
        super().__init__(rules, seed, robot_share=0)
        self.beats: list[Beat] = []

    def take(self, facts: list[Any], attempt: Any) -> None:
        before = self.state
        super().take(facts, attempt)
        told = []
        for fact in facts:
            after = self.rules.evolve(before, fact)
            line = self.rules.tell(before, fact, after, SPECTATOR)
            told += [] if line is None else [line]
            before = after
        if told:
            self.beats.append(self.rules.beat(told, lambda: self.rules.view(self.state, SPECTATOR), "fr"))


@pytest.mark.parametrize("game", SEEDS)
def test_a_game_has_marks_and_figures_in_its_film(game: str) -> None:
    rules = next(rules for (name, _), rules in GAMES.items() if name == game)
    filmed = Filmed(rules, SEEDS[game])
    filmed.run(20_000)
    stops = [beat for beat in filmed.beats if beat.is_stop]
    assert stops
    assert any(beat.mark for beat in stops)
    assert any(beat.figures for beat in stops)
    assert len(stops) <= len(filmed.beats)
    assert rules.words("fr")["figure"]


def test_every_game_of_the_house_can_be_played_on() -> None:
    assert all(rules.resumes for rules in GAMES.values())
