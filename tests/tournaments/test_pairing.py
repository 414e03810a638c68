"""Who meets whom: everybody once, by the tables; the Swiss rules; brackets; boards."""

from __future__ import annotations

import time
from fractions import Fraction
from itertools import combinations
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tournaments.swiss import check, history_of, played

from tablee.tournaments.pairing import dutch
from tablee.tournaments.pairing.boards import past_of, seat, sizes_of
from tablee.tournaments.pairing.dutch import pair_dutch
from tablee.tournaments.pairing.history import Game, History, NoPairing, Player
from tablee.tournaments.pairing.house import pair_house
from tablee.tournaments.pairing.knockout import bracket, score_of, seeded
from tablee.tournaments.pairing.round_robin import berger, rounds_of

HALF = Fraction(1, 2)


# --- round robin ----------------------------------------------------------------------------------------


def test_the_tables_of_berger_for_six_are_those_of_the_handbook() -> None:
    assert [berger(6, number).pairs for number in range(1, 6)] == [
        [(1, 6), (2, 5), (3, 4)],
        [(6, 4), (5, 3), (1, 2)],
        [(2, 6), (3, 1), (4, 5)],
        [(6, 5), (1, 4), (2, 3)],
        [(3, 6), (4, 2), (5, 1)],
    ]


@pytest.mark.parametrize("entrants", range(3, 21))
def test_everybody_meets_everybody_once_and_twice_with_colours_turned(entrants: int) -> None:
    once = [pair for number in range(1, rounds_of(entrants) + 1) for pair in berger(entrants, number).pairs]
    assert sorted(map(sorted, once)) == [list(pair) for pair in combinations(range(1, entrants + 1), 2)]
    twice = [
        pair
        for number in range(1, rounds_of(entrants, double=True) + 1)
        for pair in berger(entrants, number, double=True).pairs
    ]
    assert sorted(twice) == sorted([*once, *((black, white) for white, black in once)])


@pytest.mark.parametrize("entrants", range(4, 21))
def test_nobody_has_a_colour_three_times_in_a_row_in_a_double_one(entrants: int) -> None:
    colours: dict[int, str] = dict.fromkeys(range(1, entrants + 1), "")
    for number in range(1, rounds_of(entrants, double=True) + 1):
        for white, black in berger(entrants, number, double=True).pairs:
            colours[white] += "w"
            colours[black] += "b"
    assert all("www" not in had and "bbb" not in had for had in colours.values())


def test_of_an_odd_number_each_is_free_once() -> None:
    assert sorted(berger(7, number).bye or 0 for number in range(1, 8)) == [1, 2, 3, 4, 5, 6, 7]
    with pytest.raises(NoPairing):
        berger(7, 8)


# --- Swiss ----------------------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(st.integers(4, 40), st.integers(0, 2**32))
def test_the_house_pairs_by_the_rules(entrants: int, seed: int) -> None:
    rounds = min(9, entrants // 2)
    assert len(played(pair_house, entrants, rounds, seed)) == entrants


@pytest.mark.skipif(not dutch.is_here(), reason="py4swiss has no build for this machine")
@pytest.mark.parametrize("seed", range(6))
def test_the_dutch_rules_pair_by_the_same_rules(seed: int) -> None:
    assert played(pair_dutch, 15 + seed, 7, seed)


@pytest.mark.skipif(not dutch.is_here(), reason="py4swiss has no build for this machine")
def test_the_first_round_is_the_same_by_both() -> None:
    for entrants in (8, 9, 25, 60):
        history = history_of({no: [] for no in range(1, entrants + 1)}, 5, 1)
        by_the_rules = pair_dutch(msgspec.structs.replace(history, apart=((9_998, 9_999),)))
        assert by_the_rules.pairs == pair_house(history).pairs == pair_dutch(history).pairs
        assert by_the_rules.bye == pair_house(history).bye == (entrants if entrants % 2 else None)


def test_a_round_is_found_where_only_one_is_left() -> None:
    """Six who play five rounds: the last is what the others left over, if colours let it be."""
    results: dict[int, list[Game]] = {no: [] for no in range(1, 7)}
    for number in range(1, 5):
        for white, black in berger(6, number).pairs:
            results[white].append(Game(black, "w", "="))
            results[black].append(Game(white, "b", "="))
    history = history_of(results, 5, 5)
    found = pair_house(history)
    check(history, found)
    assert sorted(map(sorted, found.pairs)) == sorted(map(sorted, berger(6, 5).pairs))


def test_where_no_round_is_left_that_is_said() -> None:
    results: dict[int, list[Game]] = {no: [] for no in range(1, 5)}
    for number in range(1, 4):
        for white, black in berger(4, number).pairs:
            results[white].append(Game(black, "w", "1"))
            results[black].append(Game(white, "b", "0"))
    for pairing in (pair_house, *([pair_dutch] if dutch.is_here() else [])):
        with pytest.raises(NoPairing):
            pairing(history_of(results, 5, 4))


def test_people_who_should_not_meet_do_not() -> None:
    players = tuple(Player(no) for no in range(1, 9))
    for pairing in (pair_house, *([pair_dutch] if dutch.is_here() else [])):
        found = pairing(History(5, 1, players, apart=((1, 5), (2, 6))))
        assert not {frozenset((1, 5)), frozenset((2, 6))} & set(map(frozenset, found.pairs))


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"round": 9}, "There is no round 9 of 8."),
        ({"absent": {"7": "H"}}, "Nobody has the number 7, which is absent."),
        ({"players": [{"no": 1}, {"no": 1}]}, "Two players have the same number."),
        ({"round": 2}, "Number 1 has 0 results before round 2."),
        ({"players": [{"no": 0}]}, "Expected `int` >= 1"),
        (
            {
                "round": 2,
                "players": [{"no": 1, "results": [[2, "w", "1"]]}, {"no": 2, "results": [[1, "b", "="]]}],
            },
            "“1” does not go with “=”.",
        ),
        (
            {
                "round": 2,
                "players": [{"no": 1, "results": [[2, "w", "1"]]}, {"no": 2, "results": [[1, "w", "0"]]}],
            },
            "both have the same colour.",
        ),
        (
            {
                "round": 2,
                "players": [{"no": 1, "results": [[3, "w", "1"]]}, {"no": 2, "results": [[0, "b", "U"]]}],
            },
            "there is no opponent 3.",
        ),
    ],
)
def test_a_history_that_cannot_be_is_refused(changed: dict[str, object], fault: str) -> None:
    form = {"rounds": 8, "round": 1, "players": [{"no": 1}, {"no": 2}]}
    with pytest.raises(msgspec.ValidationError) as refusal:
        msgspec.convert({**form, **changed}, History)
    assert fault in str(refusal.value)


# --- knockout -------------------------------------------------------------------------------------------


def test_the_best_have_the_byes_and_meet_last() -> None:
    assert seeded(8) == [1, 8, 4, 5, 2, 7, 3, 6]
    first = bracket(range(1, 12), {})[0]
    assert [(match.upper, match.lower) for match in first if not match.is_bye] == [(8, 9), (7, 10), (6, 11)]
    assert sorted(match.winner or 0 for match in first if match.is_bye) == [1, 2, 3, 4, 5]


def test_who_wins_goes_on_and_the_losers_of_the_last_four_play_for_the_third_place() -> None:
    winners = {(1, 1): 1, (1, 2): 4, (1, 3): 2, (1, 4): 6, (2, 1): 4, (2, 2): 2}
    rounds = bracket(range(1, 9), winners, third_place=True)
    assert [(match.upper, match.lower) for match in rounds[2]] == [(4, 2), (1, 6)]
    assert all(match.is_open for match in rounds[2])
    corrected = bracket(range(1, 9), {**winners, (1, 2): 5}, third_place=True)
    assert corrected[1][0].winner is None, "the winner of a match that was never played"


@pytest.mark.parametrize(
    ("results", "best_of", "winner", "by_lot"),
    [
        ([1], 1, 1, False),
        ([HALF], 1, 0, False),
        ([1, HALF], 3, 0, False),
        ([1, 1], 3, 1, False),
        ([0, HALF, HALF], 3, 2, False),
        ([1, 0], 2, 0, False),
        ([1, 0, HALF, 1], 2, 1, False),
        ([HALF, 1, 0], 1, 0, False),
        ([HALF, 1, 0, HALF, HALF], 1, 0, True),
        ([HALF, 1, 0, 0, HALF], 1, 2, False),
    ],
)
def test_a_match_ends_when_one_is_ahead(
    results: list[Fraction], best_of: int, winner: int, by_lot: bool
) -> None:
    score = score_of([Fraction(each) for each in results], best_of)
    assert (score.winner, score.by_lot) == (winner, by_lot)


# --- boards ---------------------------------------------------------------------------------------------


def seated(entrants: int, size: int, rounds: int, seed: int, steps: int = 4_000) -> list[list[list[int]]]:
    """Rounds of boards; time is a count of how often it is asked for, so the same seed gives the same."""
    rng, made = Random(seed), list[list[list[int]]]()
    for _ in range(rounds):
        ticks = iter(range(10**9))
        sizes = sizes_of(entrants, 2, size)
        made.append(
            seat(range(1, entrants + 1), sizes, past_of(made), rng, steps, lambda: float(next(ticks)))  # noqa: B023
        )
    return made


@pytest.mark.parametrize(
    ("entrants", "rounds", "twice"), [(21, 3, 45), (28, 4, 72), (35, 4, 60), (42, 4, 36)]
)
def test_few_people_meet_again_as_seldom_as_can_be(entrants: int, rounds: int, twice: int) -> None:
    past = past_of(seated(entrants, 7, rounds, 1, 250))
    assert sum(times == 2 for times in past.met.values()) == twice
    assert max(past.met.values()) == 2
    assert all(times == 1 for had in past.roles.values() for times in had.values())


def test_a_hundred_and_forty_never_meet_again_nor_play_a_role_twice() -> None:
    past = past_of(seated(140, 7, 5, 1))
    assert set(past.met.values()) == {1}
    assert all(times == 1 for had in past.roles.values() for times in had.values())


def test_everybody_sits_once_a_round_at_boards_that_differ_by_one_at_most() -> None:
    for boards in seated(19, 6, 3, 5, 200):
        assert sorted(no for board in boards for no in board) == list(range(1, 20))
        assert sorted(map(len, boards)) == [4, 5, 5, 5]
    with pytest.raises(NoPairing):
        sizes_of(8, 7, 7)
    with pytest.raises(NoPairing):
        sizes_of(3, 4, 6)


def test_the_same_seed_seats_the_same() -> None:
    assert seated(21, 7, 2, 3, 100) == seated(21, 7, 2, 3, 100)


def test_pairs_to_keep_apart_sit_apart() -> None:
    apart = [(1, 2), (3, 4), (1, 3)]
    started = time.monotonic()
    boards = seat(range(1, 15), [7, 7], past_of([], apart), Random(2), 60, lambda: time.monotonic() - started)
    assert all(not {one, other} <= set(board) for board in boards for one, other in apart)
