"""Places of several tournaments made into one standings."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from tablee.tournaments.championship import acts
from tablee.tournaments.championship.acts import ChampionshipPlan, ChampionshipState, evolve
from tablee.tournaments.championship.counting import Played, championship_standings, place_points


def test_places_are_worth_a_hundred_down_to_nothing_and_shared_ones_their_mean() -> None:
    assert place_points({1: 1, 2: 2, 3: 3, 4: 4, 5: 5}) == {1: 100, 2: 75, 3: 50, 4: 25, 5: 0}
    assert place_points({1: 1, 2: 2, 3: 2, 4: 4, 5: 5})[2] == Fraction(125, 2)
    assert place_points({1: 1}) == {1: 100}
    rng = Random(3)
    for _ in range(50):
        worths = [rng.randint(1, 5) for _ in range(rng.randint(2, 12))]
        places = {number: 1 + sum(other > mine for other in worths) for number, mine in enumerate(worths)}
        assert sum(place_points(places).values()) == 50 * len(places), "however they share them"


def season(best: int, weights: dict[int, str]) -> ChampionshipState:
    state = evolve(None, acts.ChampionshipOpened(ChampionshipPlan("Saison", best=best), 1), 1)
    for number, weight in weights.items():
        state = evolve(state, acts.TournamentAdded(number, weight), state.seq + 1)
    return state


PLAYED = [
    Played(10, {1: 1, 2: 2, 3: 3}),
    Played(20, {2: 1, 1: 2, 4: 3, 9: 4}, frozenset({9})),
    Played(30, {3: 1, 1: 2}),
]


def test_the_best_count_with_their_weights_and_robots_are_not_in_it() -> None:
    lines = championship_standings(season(2, {10: "1", 20: "1", 30: "2"}), PLAYED)
    points = {line.entrant: line.points for line in lines}
    assert points == {1: 100 + Fraction(200, 3), 2: 150, 3: 200, 4: Fraction(100, 3)}
    assert [line.place for line in lines] == [1, 2, 3, 4]


def test_who_was_first_more_often_is_ahead_of_who_has_the_same_points() -> None:
    played = [Played(10, {1: 1, 2: 2, 3: 3}), Played(20, {3: 1, 2: 2, 1: 3})]
    lines = championship_standings(season(0, {10: "1", 20: "1"}), played)
    assert [(line.entrant, line.place, int(line.points)) for line in lines] == [
        (1, 1, 100),
        (3, 1, 100),
        (2, 3, 100),
    ]
