"""Knockouts from the seeds to the last place, as pure reckoning: byes, level matches, lots, who leaves."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest
from tests.tables.nim import NimRules

from tablee.tournaments import acts
from tablee.tournaments.acts import TournamentState, evolve
from tablee.tournaments.boards import (
    BoardResult,
    BoardRow,
    due_games,
    entrants_of,
    is_closed,
    matches_of,
    standing,
)
from tablee.tournaments.drafting import drafted
from tablee.tournaments.knockout import seeds_of
from tablee.tournaments.plan import Plan
from tablee.tournaments.rounds import rounds_to_play
from tablee.tournaments.standings import standings

RULES = NimRules()


class Evening:
    """A knockout of so many, of whom number 1 is the strongest."""

    def __init__(self, entrants: int, **plan: Any) -> None:
        wanted = Plan("Coupe", "nim", "plain", "knockout", seed=7, **plan)
        state = evolve(None, acts.Created(wanted, 0), 1)
        for fact in (
            acts.Announced(),
            *(acts.Entered(number, 2000 - number, number) for number in range(1, entrants + 1)),
            acts.Began(rounds_to_play(wanted, entrants)),
        ):
            state = evolve(state, fact, state.seq + 1)
        self.state: TournamentState = state
        self.boards: list[BoardRow] = []

    def happen(self, *facts: Any) -> None:
        for fact in facts:
            self.state = evolve(self.state, fact, self.state.seq + 1)

    def publish(self) -> acts.Drafted:
        draft = drafted(self.state, RULES, self.boards, lambda: 0.0)
        self.happen(acts.Published(draft.round, 1, draft.byes, draft.absent, 0))
        for board, seats in enumerate(draft.boards, 1):
            self.boards.append(BoardRow(draft.round, 1, board, seats, None, None, 0))
        return draft

    def end(self, marks: Any) -> None:
        """All games that go on end as `marks` says of White and Black."""
        self.boards = [
            board._replace(result=BoardResult(marks=marks(*board.seats))) if board.result is None else board
            for board in self.boards
        ]

    def play_round(self, marks: Any) -> int:
        """A round to its end; how many games it took."""
        self.publish()
        self.end(marks)
        while more := due_games(self.state, self.boards):
            self.boards += more
            self.end(marks)
        assert is_closed(self.state, self.boards)
        return sum(board.round == len(self.state.published) for board in self.boards)

    @property
    def places(self) -> dict[int, int]:
        counting = self.state.plan.counting(RULES)
        lines = standings(entrants_of(self.state, RULES, self.boards), counting, len(self.state.published))
        return {line.entrant: line.place for line in lines}


def stronger(white: int, black: int) -> tuple[str, str]:
    return ("1", "0") if white < black else ("0", "1")


def level(white: int, black: int) -> tuple[str, str]:
    return "=", "="


def test_of_eleven_the_five_best_have_a_bye_and_the_strongest_wins() -> None:
    evening = Evening(11, third_place=True)
    assert evening.state.rounds == 4
    first = evening.publish()
    assert sorted(first.byes) == [1, 2, 3, 4, 5]
    assert {frozenset(pair) for pair in first.boards} == {frozenset(p) for p in ((8, 9), (7, 10), (6, 11))}
    assert not is_closed(evening.state, evening.boards)
    evening.end(stronger)
    assert [evening.play_round(stronger) for _ in range(3)] == [4, 2, 2]
    assert [evening.places[number] for number in range(1, 12)] == [1, 2, 3, 4, 5, 5, 5, 5, 9, 9, 9]


def test_without_a_match_for_it_two_share_the_third_place() -> None:
    evening = Evening(4)
    for _ in range(2):
        evening.play_round(stronger)
    assert evening.places == {1: 1, 2: 2, 3: 3, 4: 3}


@pytest.mark.parametrize("best_of", range(1, 8))
def test_a_match_ends_when_one_cannot_be_caught_and_colours_alternate(best_of: int) -> None:
    evening = Evening(2, best_of=best_of)
    assert evening.play_round(stronger) == best_of // 2 + 1
    colours = [board.seats for board in evening.boards]
    assert colours == [(1, 2) if game % 2 == 0 else (2, 1) for game in range(len(colours))]


@pytest.mark.parametrize("best_of", [1, 2, 3])
def test_a_level_match_has_two_pairs_more_and_then_a_lot(best_of: int) -> None:
    evening = Evening(2, best_of=best_of)
    assert evening.play_round(level) == best_of + 4
    ((match,),) = matches_of(evening.state, evening.boards)
    assert match.by_lot
    expected = Random("7:lot:1:1").choice((1, 2))
    assert match.match.winner == expected
    assert evening.places[expected] == 1


def test_a_pair_more_is_decided_when_one_is_ahead_after_it() -> None:
    evening = Evening(2)
    evening.publish()
    for marks, more in (("==", 1), ("==", 1), ("10", 0)):
        evening.end(lambda *_, marks=marks: tuple(marks))
        found = due_games(evening.state, evening.boards)
        assert len(found) == more
        evening.boards += found
    ((match,),) = matches_of(evening.state, evening.boards)
    assert (match.match.winner, match.by_lot, match.score.games) == (1, False, 3)


def test_who_leaves_loses_his_match_and_who_left_before_the_next_too() -> None:
    evening = Evening(4, best_of=3)
    evening.publish()
    evening.end(stronger)
    evening.happen(acts.Withdrawn(1, 2))
    matches = matches_of(evening.state, evening.boards)[0]
    assert [(each.match.winner, each.walkover) for each in matches] == [(4, True), (None, False)]
    while more := due_games(evening.state, evening.boards):
        assert all(board.seats == (3, 2) for board in more)
        evening.boards += more
        evening.end(stronger)
    evening.happen(acts.Withdrawn(4, 2))
    final = evening.publish()
    assert (final.boards, final.byes) == ((), (2,))
    assert is_closed(evening.state, evening.boards)
    assert evening.places == {2: 1, 4: 2, 1: 3, 3: 3}


def test_a_result_that_is_put_right_draws_the_next_match_anew() -> None:
    evening = Evening(4)
    evening.play_round(stronger)
    evening.publish()
    assert [board.seats for board in evening.boards if board.round == 2] == [(1, 2)]
    wrong = next(board for board in evening.boards if 4 in board.seats)
    marks = ("0", "1") if wrong.seats[0] == 1 else ("1", "0")
    evening.boards[evening.boards.index(wrong)] = wrong._replace(result=BoardResult(marks=marks))
    assert [board.seats for board in standing(evening.state, evening.boards) if board.round == 2] == []
    (again,) = due_games(evening.state, evening.boards)
    assert (again.round, again.board, again.seats) == (2, 2, (4, 2))


def test_seeds_go_by_rating_by_lot_or_as_organisers_list_them() -> None:
    assert seeds_of(Evening(5).state) == [1, 2, 3, 4, 5]
    drawn = seeds_of(Evening(20, seeding="lot").state)
    assert drawn != sorted(drawn) == list(range(1, 21))
    listed = Evening(5)
    listed.happen(acts.Seeded((3, 5)))
    assert seeds_of(listed.state) == [3, 5, 1, 2, 4]


def test_no_play_is_a_point_for_the_other_and_where_both_stay_away_the_match_goes_on() -> None:
    evening = Evening(2)
    evening.publish()
    evening.end(lambda *_: ("+", "-"))
    ((match,),) = matches_of(evening.state, evening.boards)
    assert match.match.winner == 1
    (winner, *_) = (each for each in entrants_of(evening.state, RULES, evening.boards) if each.number == 1)
    assert [(each.mark, each.points) for each in winner.rounds] == [("+", Fraction(1))]
    both = Evening(2)
    both.publish()
    both.end(lambda *_: ("-", "-"))
    assert len(due_games(both.state, both.boards)) == 1


@pytest.mark.parametrize("entrants", range(2, 40))
def test_there_is_one_winner_of_however_many(entrants: int) -> None:
    rng = Random(entrants)
    evening = Evening(entrants, third_place=entrants % 2 == 0, best_of=1 + entrants % 3)
    games = sum(
        evening.play_round(lambda *_: rng.choice((("1", "0"), ("0", "1"), ("=", "="))))
        for _ in range(evening.state.rounds)
    )
    assert games >= entrants - 1
    assert [number for number, place in evening.places.items() if place == 1] == [
        matches_of(evening.state, evening.boards)[-1][0].match.winner
    ]
