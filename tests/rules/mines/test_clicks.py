"""What a click opens, what it scores, and when it is refused."""

from __future__ import annotations

from random import Random

import pytest
from tests.rules.mines.matches import NOON, Match

from tablee.rules import rules_of
from tablee.rules.contract import Away, Illegal, Join
from tablee.rules.mines import ClassicOptions, Click, Finished, MineMoved, Missed, Opened
from tablee.rules.mines.board import MINE, mines_of

BOARD = """
*....
.....
....*
"""


def test_the_classic_board_has_480_squares_and_99_mines() -> None:
    rules = rules_of("mines", "classic")
    (laid,) = rules.setup(ClassicOptions(), (), NOON, Random(1))
    state = rules.evolve(None, laid)
    assert (state.width, state.height, len(mines_of(state.truth))) == (30, 16, 99)
    assert state.safe_left == 381
    assert rules.seats(ClassicOptions()).most == 10


def test_a_number_opens_alone_and_scores_itself() -> None:
    match = Match(BOARD).join("Ada")
    assert match.click(1, 1, 0) == [Opened(1, NOON, ((1, 0, 1, 1),))]
    assert match.rows() == ["X1XXX", "XXXXX", "XXXXX"]
    assert match.points(1) == 1


def test_an_empty_square_opens_its_region_without_diagonals() -> None:
    match = Match("""
        ....*
        .*...
        .....
        ....*
        """).join("Ada")
    # The region of the lower left corner: two empty squares and the numbers that share an edge with them.
    match.click(1, 0, 3)
    assert match.rows() == ["XXXXX", "XXXXX", "111XX", "0001X"]


def test_a_square_diagonal_to_an_empty_one_stays_hidden() -> None:
    match = Match("""
        .....
        ...*.
        ..*..
        *....
        """).join("Ada")
    match.click(1, 0, 0)
    assert match.rows() == ["001XX", "01XXX", "1XXXX", "XXXXX"]
    assert match.state.content(1, 0) == 0
    assert match.state.content(2, 1) is None


def test_every_square_that_a_click_opens_scores_for_the_clicker() -> None:
    match = Match(BOARD).join("Ada")
    (opened, _) = match.click(1, 4, 0)
    assert isinstance(opened, Opened)
    assert opened.squares[0] == (4, 0, 0, 1)
    assert all(points == (content or 1) for _, _, content, points in opened.squares)
    assert match.points(1) == sum(points for *_, points in opened.squares)


def test_a_mine_costs_ten() -> None:
    match = Match(BOARD).join("Ada")
    match.click(1, 1, 0)
    assert match.click(1, 0, 0) == [Opened(1, NOON, ((0, 0, -1, -10),))]
    assert match.points(1) == 1 - 10
    assert match.rows()[0] == "*1XXX"


def test_points_are_multiplied_by_the_active_players() -> None:
    match = Match(BOARD).join("Ada", "Bob", "Cyd")
    assert match.click(2, 1, 0) == [Opened(2, NOON, ((1, 0, 1, 3),))]
    match.click(3, 0, 0)
    assert match.points(3) == -30


def test_the_first_click_moves_a_mine_out_of_its_way() -> None:
    for seed in range(30):
        match = Match(BOARD).join("Ada")
        match.rng = Random(seed)
        moved, opened, *_ = match.click(1, 0, 0)
        assert isinstance(moved, MineMoved)
        assert isinstance(opened, Opened)
        assert opened.squares[0][2] >= 0
        assert len(mines_of(match.state.truth)) == 2
        assert match.state.truth[0] != MINE


def test_the_first_click_is_safe_on_a_board_with_a_single_free_square() -> None:
    match = Match("*****\n****.").join("Ada")
    moved, opened, finished = match.click(1, 0, 0)
    assert moved == MineMoved(0, 9)
    assert isinstance(opened, Opened)
    assert isinstance(finished, Finished)


def test_only_the_first_click_of_the_match_is_spared() -> None:
    match = Match(BOARD).join("Ada", "Bob")
    match.click(1, 1, 0)
    match.click(2, 0, 0)
    assert match.points(2) == -20


def test_a_second_click_on_an_open_square_is_late() -> None:
    match = Match(BOARD).join("Ada")
    match.click(1, 1, 0)
    with pytest.raises(Illegal) as refused:
        match.click(1, 1, 0)
    assert refused.value.code == "late"


@pytest.mark.parametrize(("x", "y"), [(-1, 0), (5, 0), (0, 3), (0, -1), (10**9, 10**9)])
def test_a_click_off_the_board_is_out_of_range(x: int, y: int) -> None:
    match = Match(BOARD).join("Ada")
    with pytest.raises(Illegal) as refused:
        match.click(1, x, y)
    assert (refused.value.code, refused.value.parts) == ("out_of_range", {"x": x, "y": y})


def test_a_missed_click_is_written_down_once_a_second_at_most() -> None:
    match = Match(BOARD).join("Ada")
    match.click(1, 1, 0)
    written = 0
    for _ in range(100):
        match.at += 100
        try:
            assert match.click(1, 1, 0) == [Missed(1, match.at, "late", 1, 0)]
            written += 1
        except Illegal:
            pass
    assert written == 10


def test_who_has_not_joined_cannot_click() -> None:
    with pytest.raises(Illegal, match="not_joined"):
        Match(BOARD).click(1, 0, 0)


def test_the_match_ends_when_every_safe_square_is_open() -> None:
    match = Match(BOARD).join("Ada")
    match.clear(1)
    assert match.state.ended == "cleared"
    assert match.facts[-1] == Finished((), (), {1: match.points(1)})
    with pytest.raises(Illegal, match="over"):
        match.click(1, 0, 0)


def test_nobody_wins_a_bonus_alone() -> None:
    match = Match(BOARD).join("Ada")
    match.clear(1)
    assert match.points(1) == sum(
        points for f in match.facts if isinstance(f, Opened) for *_, points in f.squares
    )


def test_most_safe_squares_win_fifty_and_most_mines_lose_fifty() -> None:
    match = Match(BOARD).join("Ada", "Bob")
    match.click(1, 1, 0)
    match.click(2, 0, 0)
    match.clear(1)
    assert match.state.best == (1,)
    assert match.state.worst == (2,)
    assert match.points(2) == -20 - 50
    opened = [f for f in match.facts if isinstance(f, Opened) and f.seat == 1]
    assert match.points(1) == sum(points for f in opened for *_, points in f.squares) + 50


def test_everyone_who_ties_shares_the_bonus() -> None:
    match = Match("*.*.*\n.....\n.....").join("Ada", "Bob")
    match.click(1, 1, 0)
    match.click(2, 3, 0)
    match.click(1, 0, 0)
    match.click(2, 2, 0)
    for seat, x in ((1, 0), (2, 1), (1, 2), (2, 3), (1, 4)):
        match.click(seat, x, 1)
    match.click(2, 0, 2)
    assert match.state.ended == "cleared"
    assert match.state.worst == (1, 2)


def test_without_a_mine_hit_nobody_is_most_blown_up() -> None:
    match = Match(BOARD).join("Ada", "Bob")
    match.clear(1)
    assert match.state.best == (1,)
    assert match.state.worst == ()


def test_who_left_before_the_end_still_counts_as_having_joined() -> None:
    match = Match(BOARD).join("Ada", "Bob")
    match.play(2, Away())
    match.clear(1)
    assert match.state.best == (1,)


def test_the_total_is_what_one_came_with_and_the_points_of_the_match() -> None:
    match = Match(BOARD).join("Ada", total=500)
    match.click(1, 1, 0)
    (player,) = match.state.players
    assert (player.points, player.total) == (1, 501)


def test_completion_counts_open_mines_and_rounds_down() -> None:
    match = Match(BOARD).join("Ada")
    match.click(1, 1, 0)
    match.click(1, 0, 0)
    assert match.state.completion == 100 * 2 // 15


def test_the_result_ranks_by_points_and_counts_the_bonus() -> None:
    rules = rules_of("mines", "custom")
    match = Match(BOARD).join("Ada", "Bob")
    match.clear(2)
    result = rules.result(match.state)
    assert result is not None
    assert result.ranks == {1: 2, 2: 1}
    assert result.scores == {1: 0, 2: match.points(2)}
    assert (result.reason, result.rated) == ("cleared", True)


def test_a_match_alone_is_not_rated() -> None:
    match = Match(BOARD).join("Ada")
    match.clear(1)
    result = rules_of("mines", "custom").result(match.state)
    assert result is not None
    assert not result.rated


def test_any_action_after_the_end_is_refused() -> None:
    match = Match(BOARD).join("Ada")
    match.clear(1)
    for action in (Click(0, 0), Join("Bob")):
        with pytest.raises(Illegal, match="over"):
            match.play(2, action)
