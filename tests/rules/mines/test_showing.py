"""What a seat sees, hears and may do."""

from __future__ import annotations

from random import Random

from msgspec import UNSET
from tests.rules.mines.matches import NOON, Match

from tablee.rules.contract import CLOCK, MASTER, SPECTATOR, TimeGivenBack
from tablee.rules.mines import (
    Chord,
    Click,
    ClockMoved,
    CustomMinesRules,
    Flag,
    Laid,
    MineMoved,
    Missed,
    Unflag,
)
from tablee.rules.mines.views import PlayerView, ToldMissed, ToldOpened

BOARD = """
*....
.....
....*
"""
RULES = CustomMinesRules()


def test_a_view_has_what_a_host_tells_of_each_player() -> None:
    match = Match(BOARD).join("Ada", "Bob", total=40)
    match.click(1, 1, 0)
    match.click(2, 0, 0)
    match.wait(30_000)
    match.click(1, 0, 1)
    view = RULES.view(match.state, 2)
    assert view.players == {
        "1": PlayerView("Ada", points=3, total=43, safe=2, mines=0, present=True, active=True, robot=False),
        "2": PlayerView(
            "Bob", points=-20, total=20, safe=0, mines=1, present=True, active=False, robot=False
        ),
    }
    assert view.rows == {"0": "*1XXX", "1": "1XXXX", "2": "XXXXX"}
    assert (view.you, view.multiplier, view.safe_left, view.completion) == (2, 1, 11, 20)


def test_only_the_master_sees_the_mines() -> None:
    match = Match(BOARD).join("Ada")
    assert RULES.view(match.state, MASTER).truth == {"0": "*1000", "1": "11011", "2": "0001*"}
    for seat in (1, SPECTATOR):
        assert RULES.view(match.state, seat).truth is UNSET
        assert "*" not in "".join(RULES.view(match.state, seat).rows.values())


def test_where_the_mines_lie_is_never_told() -> None:
    match = Match(BOARD).join("Ada")
    laid = match.facts[0]
    assert isinstance(laid, Laid)
    for fact in (laid, MineMoved(0, 1)):
        for seat in (1, SPECTATOR, MASTER):
            assert RULES.tell(None, fact, match.state, seat) is None


def test_a_view_shows_who_opened_each_square() -> None:
    match = Match(BOARD, seats=40).join(*(f"J{seat}" for seat in range(1, 41)))
    for seat, x, y in ((1, 1, 0), (9, 0, 1), (10, 1, 1), (35, 3, 1), (36, 4, 1), (40, 3, 2), (2, 4, 2)):
        match.click(seat, x, y)
    for seat in (2, SPECTATOR):
        view = RULES.view(match.state, seat)
        assert view.openers == {"0": ".1...", "1": "9a.z+", "2": "...+2"}
        assert view.rows == {"0": "X1XXX", "1": "11X11", "2": "XXX1*"}


def test_what_spreads_belongs_to_who_clicked() -> None:
    match = Match(BOARD).join("Ada", "Bob")
    match.click(1, 3, 1)
    match.click(2, 2, 0)
    assert RULES.view(match.state, 1).openers == {"0": ".2222", "1": "22212", "2": "2222."}


def test_everybody_sees_the_mines_and_the_least_clicks_once_the_match_has_ended() -> None:
    match = Match(BOARD).join("Ada", "Bob")
    match.click(1, 1, 0)
    assert RULES.view(match.state, 1).bbbv is None
    match.clear(2)
    for seat in (1, 2, SPECTATOR):
        view = RULES.view(match.state, seat)
        assert view.truth == {"0": "*1000", "1": "11011", "2": "0001*"}
        assert view.bbbv == 1
    abandoned = Match(BOARD).join("Ada")
    abandoned.wait(90_000)
    assert abandoned.state.ended == "abandoned"
    truth = RULES.view(abandoned.state, 1).truth
    assert truth
    assert truth["0"] == "*1000"


def test_a_view_has_the_time_of_the_first_opening_and_of_the_end() -> None:
    match = Match(BOARD).join("Ada")
    match.wait(2_000)
    match.play(1, Flag(0, 0))
    view = RULES.view(match.state, SPECTATOR)
    assert (view.begun_at, view.ended_at) == (None, None)
    match.click(1, 1, 0)
    match.wait(3_000)
    match.play(CLOCK, TimeGivenBack(3_600_000))
    match.at += 3_600_000
    match.wait(1_500)
    match.clear(1)
    view = RULES.view(match.state, SPECTATOR)
    assert view.begun_at is not None
    assert view.ended_at == match.at
    assert view.ended_at - view.begun_at == 4_500


def test_an_abandoned_match_ended_a_minute_after_the_last_player_fell_asleep() -> None:
    match = Match(BOARD).join("Ada")
    match.click(1, 1, 0)
    match.wait(500_000)
    view = RULES.view(match.state, 1)
    assert (view.begun_at, view.ended_at) == (NOON, NOON + 90_000)


def test_time_that_is_given_back_is_told_to_all() -> None:
    state = Match(BOARD).join("Ada").state
    for seat in (1, SPECTATOR):
        assert RULES.tell(state, ClockMoved(5), state, seat) == ClockMoved(5)


def test_a_click_is_told_to_all_with_its_squares_and_its_points() -> None:
    match = Match(BOARD).join("Ada", "Bob")
    (fact,) = match.click(1, 1, 0)
    told = ToldOpened(seat=1, squares=((1, 0, 1, 2),), points=2)
    for seat in (1, 2, SPECTATOR):
        assert RULES.tell(None, fact, match.state, seat) == told


def test_a_miss_is_told_to_who_missed() -> None:
    state = Match(BOARD).join("Ada", "Bob").state
    fact = Missed(1, NOON, "late", 0, 0)
    assert RULES.tell(state, fact, state, 1) == ToldMissed(1, "late", 0, 0)
    assert RULES.tell(state, fact, state, 2) is None


def test_legal_actions_are_described_by_the_letters_they_can_be_done_on() -> None:
    match = Match(BOARD).join("Ada")
    assert RULES.legal(match.state, 1).describe() == {
        "click": {"on": "X"},
        "flag": {"on": "X"},
        "unflag": {"on": "F"},
        "chord": {"on": "012345678", "opens": "X"},
    }
    assert RULES.legal(match.state, 2).describe() == {}
    assert RULES.legal(match.state, SPECTATOR).sample(Random(1)) is None
    started = Match(BOARD, start=(4, 0), flags=False, chording=False).join("Ada")
    assert RULES.legal(started.state, 1).describe() == {"click": {"on": "X", "only": [4, 0]}}


def test_what_is_allowed_follows_the_board() -> None:
    match = Match(BOARD).join("Ada")
    match.click(1, 1, 0)
    match.play(1, Flag(0, 0))
    legal = RULES.legal(match.state, 1)
    assert legal.allows(Click(0, 1))
    assert not legal.allows(Click(1, 0))
    assert not legal.allows(Click(0, 0))
    assert not legal.allows(Click(-1, 0))
    assert legal.allows(Unflag(0, 0))
    assert not legal.allows(Unflag(0, 1))
    assert legal.allows(Chord(1, 0, ((0, 1), (1, 1))))
    assert not legal.allows(Chord(1, 0, ((0, 0),)))
    assert not legal.allows(Chord(1, 0, ((3, 0),)))
