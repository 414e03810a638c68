"""Who stands where and why; a second plain program comes to the same places."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tournaments.plain_standings import places
from tests.tournaments.swiss import played

from tablee.tournaments.pairing.history import POINTS, Game
from tablee.tournaments.pairing.house import pair_house
from tablee.tournaments.standings import (
    TIE_BREAKS,
    Counting,
    Entrant,
    Line,
    Round,
    prizes,
    standings,
    team_standings,
)

HALF = Fraction(1, 2)
SWISS = ("buchholz_cut1", "buchholz", "direct", "wins")


def entrants_of(results: dict[int, list[Game]]) -> list[Entrant]:
    return [
        Entrant(
            no,
            2500 - no,
            tuple(
                Round(
                    number,
                    1 if game.opponent else 0,
                    POINTS[game.mark],
                    game.mark,
                    (game.opponent,) if game.opponent else (),
                    {"w": 1, "b": 2, "-": 0}[game.colour],
                )
                for number, game in enumerate(games, 1)
            ),
        )
        for no, games in results.items()
    ]


def form_of(entrants: Sequence[Entrant], counting: Counting, rounds: int) -> str:
    """The same as JSON, for the plain program."""
    return json.dumps(
        {
            "entrants": [
                {
                    "number": entrant.number,
                    "rating": entrant.rating,
                    "penalties": [str(amount) for _, amount in entrant.penalties],
                    "rounds": [
                        {
                            **each._asdict(),
                            "points": None if each.points is None else str(each.points),
                            "terms": [],
                        }
                        for each in entrant.rounds
                    ],
                }
                for entrant in entrants
            ],
            "ties": list(counting.ties),
            "rounds": rounds,
            "draw": str(counting.draw),
            "best": counting.best,
            "weights": {number: str(weight) for number, weight in counting.weights.items()},
        }
    )


def is_a_sum(line: Line) -> bool:
    """Whether points and every tie-break that adds up are what their parts say."""
    counted = sum((each.points * each.weight for each in line.rounds if each.counts), Fraction())
    taken = sum((amount for _, amount in line.penalties), Fraction())
    added = [tie for tie in line.ties if tie.name not in ("best", "performance")]
    return line.points == counted - taken and all(
        tie.value[0] == sum((part for _, part in tie.parts), Fraction()) for tie in added
    )


@settings(max_examples=25, deadline=None)
@given(st.integers(4, 24), st.integers(0, 2**32), st.permutations(TIE_BREAKS[:6]))
def test_a_swiss_tournament_has_the_places_that_a_plain_program_gives(
    entrants: int, seed: int, ties: list[str]
) -> None:
    rounds = min(7, entrants // 2)
    found = entrants_of(played(pair_house, entrants, rounds, seed, away=0.1))
    counting = Counting(tuple(ties[:4]))
    lines = standings(found, counting, rounds)
    assert {line.entrant: line.place for line in lines} == places(form_of(found, counting, rounds))
    assert all(is_a_sum(line) for line in lines)
    assert [line.place for line in lines] == sorted(line.place for line in lines)


@st.composite
def board_entrants(draw: st.DrawFn) -> list[Entrant]:
    chance = Random(draw(st.integers(0, 2**32)))
    found = []
    for number in range(1, 22):
        rounds = []
        for each in range(1, 5):
            kind = chance.random()
            if kind < 0.1:
                rounds.append(Round(each, 0, None, "B"))
            elif kind < 0.15:
                rounds.append(Round(each, 0, Fraction(), "Z"))
            else:
                own, rank = chance.randint(0, 9), chance.randint(1, 7)
                points = Fraction(chance.randint(0, 6), chance.choice((1, 3)))
                rounds.append(Round(each, 1, points, "", (), 1 + number % 7, rank, own, own > 7, own > 8))
        penalties = (("late", Fraction(1, 2)),) if chance.random() < 0.1 else ()
        found.append(Entrant(number, 1500, tuple(rounds), penalties, f"Team {number % 4}"))
    return found


@settings(max_examples=60, deadline=None)
@given(board_entrants(), st.permutations(TIE_BREAKS[6:]), st.integers(0, 4))
def test_boards_have_the_places_that_a_plain_program_gives(
    entrants: list[Entrant], ties: list[str], best: int
) -> None:
    counting = Counting(tuple(ties), best=best, weights={4: Fraction(3, 2)})
    lines = standings(entrants, counting, 4)
    assert {line.entrant: line.place for line in lines} == places(form_of(entrants, counting, 4))
    assert all(is_a_sum(line) for line in lines)


def duel(number: int, rating: int, *rounds: tuple[str, int]) -> Entrant:
    found = [
        Round(each, 1 if opponent else 0, POINTS[mark], mark, (opponent,) if opponent else ())
        for each, (mark, opponent) in enumerate(rounds, 1)
    ]
    return Entrant(number, rating, tuple(found))


def tie_of(lines: list[Line], number: int, name: str) -> Any:
    line = next(line for line in lines if line.entrant == number)
    return next(tie for tie in line.ties if tie.name == name).value[0]


def test_an_opponents_absences_at_the_end_are_draws_and_ones_own_are_bounded() -> None:
    entrants = [
        duel(1, 2000, ("1", 2), ("1", 3), ("=", 4)),
        duel(2, 1900, ("0", 1), ("Z", 0), ("Z", 0)),
        duel(3, 1800, ("1", 4), ("0", 1), ("U", 0)),
        duel(4, 1700, ("0", 3), ("H", 0), ("=", 1)),
    ]
    lines = standings(entrants, Counting(("buchholz", "buchholz_cut1", "sonneborn")), 3)
    # 2 has 0 points, and two rounds missed at the end: 1. 3 has 2, 4 has 1.
    assert tie_of(lines, 1, "buchholz") == 1 + 2 + 1
    assert tie_of(lines, 1, "buchholz_cut1") == 2 + 1
    assert tie_of(lines, 1, "sonneborn") == 1 + 2 + HALF
    # 3: opponents with 1 and 2½; the bye is worth min(2, 1½).
    assert tie_of(lines, 3, "buchholz") == 1 + Fraction(5, 2) + Fraction(3, 2)
    # 4: 3 with 2, 1 with 2½, the half bye min(1, 1½); it is cut first, being his own absence.
    assert tie_of(lines, 4, "buchholz") == 2 + Fraction(5, 2) + 1
    assert tie_of(lines, 4, "buchholz_cut1") == 2 + Fraction(5, 2)
    # 2: his absences are worth min(0, 1½).
    assert tie_of(lines, 2, "buchholz") == Fraction(5, 2)


def test_a_forfeit_counts_the_scheduled_opponent_but_no_more_than_ones_own_points() -> None:
    entrants = [duel(1, 2000, ("+", 2)), duel(2, 1900, ("-", 1))]
    lines = standings(entrants, Counting(("buchholz", "wins", "performance")), 1)
    assert tie_of(lines, 1, "buchholz") == HALF, "2 missed the last round: a draw"
    assert tie_of(lines, 1, "wins") == 0
    assert tie_of(lines, 1, "performance") == 0


def test_direct_games_decide_only_if_all_who_are_level_have_met() -> None:
    entrants = [
        duel(1, 2000, ("0", 2), ("1", 3), ("1", 4)),
        duel(2, 1900, ("1", 1), ("0", 4), ("1", 3)),
        duel(3, 1800, ("1", 4), ("0", 1), ("0", 2)),
        duel(4, 1700, ("0", 3), ("1", 2), ("0", 1)),
    ]
    lines = standings(entrants, Counting(("direct",)), 3)
    assert [(line.place, line.entrant) for line in lines] == [(1, 2), (2, 1), (3, 3), (4, 4)]
    chain = [duel(1, 0, ("=", 2)), duel(2, 0, ("=", 1), ("H", 0)), duel(3, 0, ("Z", 0), ("=", 4))]
    chain += [duel(4, 0, ("Z", 0), ("=", 3))]
    level = [line for line in standings(chain, Counting(("direct",)), 2) if line.entrant != 2]
    assert [(line.place, line.entrant) for line in level] == [(2, 1), (2, 3), (2, 4)]


def test_performance_is_the_mean_rating_and_four_hundred_for_each_win_more() -> None:
    entrants = [duel(1, 1500, ("1", 2), ("=", 3)), duel(2, 1600, ("0", 1)), duel(3, 1700, ("Z", 0), ("=", 1))]
    assert tie_of(standings(entrants, Counting(("performance",)), 2), 1, "performance") == 1650 + 200


def test_who_is_equal_in_everything_shares_a_place() -> None:
    entrants = [duel(1, 1500, ("=", 2)), duel(2, 1500, ("=", 1)), duel(3, 1500, ("Z", 0))]
    lines = standings(entrants, Counting(SWISS), 1)
    assert [(line.place, line.entrant) for line in lines] == [(1, 1), (1, 2), (3, 3)]


def test_a_bye_of_boards_is_worth_the_mean_of_the_other_rounds() -> None:
    entrant = Entrant(1, 0, (Round(1, 1, Fraction(40)), Round(2, 0, None, "B"), Round(3, 1, Fraction(11))))
    line = standings([entrant], Counting(("best",), best=2), 3)[0]
    assert [(each.points, each.counts, each.is_mean) for each in line.rounds] == [
        (40, True, False),
        (Fraction(51, 2), True, True),
        (11, False, False),
    ]
    assert line.points == Fraction(131, 2)


@given(board_entrants())
def test_a_team_has_the_best_of_its_members_each_round(entrants: list[Entrant]) -> None:
    counting = Counting(("best",))
    lines = standings(entrants, counting, 4)
    teams = team_standings(entrants, lines, counting, 2)
    assert [line.points for line in teams] == sorted((line.points for line in teams), reverse=True)
    for line in teams:
        assert line.points == sum((points for _, points, _ in line.rounds), Fraction())
        for number, points, members in line.rounds:
            scores = {
                entrant.number: next(r.points for r in found.rounds if r.number == number)
                for entrant in entrants
                for found in lines
                if found.entrant == entrant.number and entrant.team == line.team
            }
            assert sum(sorted(scores.values())[-2:]) == points
            assert len(members) == min(2, len(scores))


def test_prizes_go_to_places_and_to_the_best_of_each_role_shared_where_they_are_level() -> None:
    entrants = [
        Entrant(1, 0, (Round(1, 1, Fraction(49), role=1), Round(2, 1, Fraction(5), role=2))),
        Entrant(2, 0, (Round(1, 1, Fraction(20), role=2), Round(2, 1, Fraction(49), role=1))),
        Entrant(3, 0, (Round(1, 0, None, "B"), Round(2, 1, Fraction(1), role=3))),
    ]
    lines = standings(entrants, Counting(("best",)), 2)
    found = prizes(entrants, lines, places=2, roles=3, free=[("Fair play", 3)])
    assert [(prize.name, prize.winners) for prize in found] == [
        ("place.1", (2,)),
        ("place.2", (1,)),
        ("role.1", (1, 2)),
        ("role.2", (2,)),
        ("role.3", (3,)),
        ("Fair play", (3,)),
    ]
