"""Who counts: joining, going away, AFK, coming back, and matches that nobody plays any more."""

from __future__ import annotations

import pytest
from tests.rules.mines.matches import NOON, Match

from tablee.rules import rules_of
from tablee.rules.contract import (
    CLOCK,
    Alarm,
    Away,
    Back,
    Illegal,
    Join,
    Leave,
    Replace,
    TimeGivenBack,
    Timeout,
)
from tablee.rules.mines import (
    Abandoned,
    CameBack,
    Click,
    FellAsleep,
    Flag,
    Joined,
    Left,
    MinesRules,
    Missed,
    Opened,
    Returned,
    WentAway,
)

BOARD = """
*....
.....
....*
"""
RULES = rules_of("mines", "custom")


def afk_match(*names: str) -> Match:
    """A match whose players have all just fallen asleep."""
    match = Match(BOARD).join(*names)
    match.click(1, 1, 0)
    match.wait(30_000)
    assert not any(player.active for player in match.state.players)
    return match


def test_players_join_at_any_time() -> None:
    match = Match(BOARD).join("Ada")
    match.click(1, 1, 0)
    assert match.play(2, Join("Bob", 7)) == [Joined(2, "Bob", 7, NOON)]
    assert match.state.active == 2


def test_a_match_is_full_when_every_seat_is_taken() -> None:
    match = Match(BOARD, seats=2).join("Ada", "Bob")
    with pytest.raises(Illegal, match="full"):
        match.play(3, Join("Cyd"))


def test_nobody_joins_twice() -> None:
    match = Match(BOARD).join("Ada")
    with pytest.raises(Illegal, match="already_joined"):
        match.play(1, Join("Ada"))


def test_nobody_takes_the_seat_of_another() -> None:
    match = Match(BOARD).join("Ada")
    match.play(1, Away())
    with pytest.raises(Illegal, match="seat_taken"):
        match.play(1, Join("Bob"))
    with pytest.raises(Illegal, match="no_replacement"):
        match.play(1, Replace("Bob"))


def test_a_click_without_an_answer_of_thirty_seconds_makes_afk() -> None:
    match = Match(BOARD).join("Ada", "Bob")
    match.wait(20_000)
    match.click(1, 1, 0)
    assert match.wait(9_999) == []
    assert match.wait(1) == [FellAsleep(2, NOON + 30_000)]
    assert match.state.active == 1
    assert match.wait(20_000) == [FellAsleep(1, NOON + 50_000)]


def test_an_afk_player_does_not_count_in_the_multiplier() -> None:
    match = Match(BOARD).join("Ada", "Bob")
    match.wait(20_000)
    match.click(1, 1, 0)
    match.wait(11_000)
    (opened,) = match.click(1, 0, 1)
    assert isinstance(opened, Opened)
    assert opened.squares[0][3] == 1


def test_a_click_ends_afk_first_and_the_player_counts_in_it() -> None:
    match = afk_match("Ada", "Bob")
    returned, opened = match.click(1, 0, 1)
    assert returned == Returned(1, match.at)
    assert isinstance(opened, Opened)
    assert opened.squares == ((0, 1, 1, 1),)
    returned, opened = match.click(2, 1, 1)
    assert isinstance(opened, Opened)
    assert opened.squares == ((1, 1, 1, 2),)


@pytest.mark.parametrize(("x", "y", "reason"), [(1, 0, "late"), (99, 99, "out_of_range")])
def test_even_a_missed_click_ends_afk(x: int, y: int, reason: str) -> None:
    match = afk_match("Ada")
    returned, missed = match.click(1, x, y)
    assert returned == Returned(1, match.at)
    assert isinstance(missed, Missed)
    assert (missed.reason, missed.x, missed.y) == (reason, x, y)
    assert match.active(1)


def test_missed_clicks_keep_a_player_awake() -> None:
    match = Match(BOARD).join("Ada")
    match.click(1, 1, 0)
    for _ in range(5):
        assert match.wait(20_000) == []
        match.click(1, 1, 0)


def test_a_flag_is_a_click_too() -> None:
    match = afk_match("Ada")
    returned, _ = match.play(1, Flag(0, 0))
    assert returned == Returned(1, match.at)


def test_who_is_away_does_not_count_and_does_not_fall_asleep() -> None:
    match = Match(BOARD).join("Ada", "Bob")
    assert match.play(2, Away()) == [WentAway(2, NOON)]
    assert match.state.active == 1
    assert "afk:2" not in RULES.alarms(match.state)
    assert match.play(2, Away()) == []


def test_coming_back_is_a_fact_and_wakes_up() -> None:
    match = Match(BOARD).join("Ada", "Bob")
    match.play(2, Away())
    match.wait(25_000)
    assert match.play(2, Back()) == [CameBack(2, match.at)]
    assert match.active(2)
    assert RULES.alarms(match.state)["afk:2"] == match.at + 30_000
    assert match.play(2, Back()) == []


def test_a_new_connection_while_afk_comes_back() -> None:
    match = afk_match("Ada")
    assert match.play(1, Back()) == [CameBack(1, match.at)]
    assert match.active(1)


def test_joining_again_after_going_away_keeps_the_points() -> None:
    match = Match(BOARD).join("Ada", total=100)
    match.click(1, 1, 0)
    match.play(1, Away())
    assert match.play(1, Join("Ada", 900)) == [CameBack(1, NOON)]
    (player,) = match.state.players
    assert (player.points, player.total) == (1, 101)


def test_a_click_of_somebody_away_brings_him_back() -> None:
    match = Match(BOARD).join("Ada", "Bob")
    match.play(1, Away())
    back, opened = match.click(1, 1, 0)
    assert back == CameBack(1, NOON)
    assert isinstance(opened, Opened)
    assert opened.squares[0][3] == 2


def test_leaving_keeps_the_points() -> None:
    match = Match(BOARD).join("Ada", "Bob")
    match.click(1, 1, 0)
    assert match.play(1, Leave()) == [Left(1, NOON)]
    assert match.points(1) == 2
    assert match.state.active == 1


def test_a_match_that_nobody_joins_ends_after_a_minute() -> None:
    match = Match(BOARD)
    assert match.wait(59_999) == []
    assert match.wait(1) == [Abandoned({})]
    assert match.state.ended == "abandoned"
    result = RULES.result(match.state)
    assert result is not None
    assert (result.reason, result.scores, result.rated) == ("abandoned", {}, False)


def test_a_match_in_which_nobody_is_active_ends_after_a_minute() -> None:
    match = afk_match("Ada", "Bob")
    match.wait(59_999)
    assert match.state.ended is None
    match.wait(1)
    assert match.state.ended == "abandoned"


def test_coming_back_stops_the_minute() -> None:
    match = afk_match("Ada")
    match.wait(59_999)
    match.click(1, 0, 1)
    assert "abandon" not in RULES.alarms(match.state)
    match.wait(30_000 + 59_999)
    assert match.state.ended is None


def test_the_minute_runs_from_when_the_last_one_fell_away() -> None:
    match = Match(BOARD).join("Ada", "Bob")
    match.play(1, Away())
    match.wait(10_000)
    match.play(2, Away())
    match.wait(5_000)
    assert RULES.alarms(match.state) == {"abandon": NOON + 10_000 + 60_000}


def test_abandoning_takes_what_was_won_and_leaves_what_was_lost() -> None:
    match = Match(BOARD).join("Ada", "Bob", total=1000)
    match.click(1, 1, 0)
    match.click(2, 0, 0)
    match.wait(90_000)
    assert match.state.ended == "abandoned"
    assert [player.points for player in match.state.players] == [0, -20]
    assert [player.total for player in match.state.players] == [1000, 980]
    assert (match.state.best, match.state.worst) == ((), ())


def test_time_while_nobody_kept_the_house_is_given_back() -> None:
    match = Match(BOARD).join("Ada")
    match.at += 3_600_000
    match.play(CLOCK, TimeGivenBack(3_600_000))
    assert RULES.alarms(match.state) == {"afk:1": NOON + 3_600_000 + 30_000}
    empty = Match(BOARD)
    empty.play(CLOCK, TimeGivenBack(500))
    assert RULES.alarms(empty.state) == {"abandon": NOON + 60_500}


def test_an_alarm_before_its_time_changes_nothing() -> None:
    match = Match(BOARD).join("Ada")
    assert match.play(CLOCK, Alarm("afk:1")) == []
    assert match.play(CLOCK, Alarm("abandon")) == []
    assert match.play(CLOCK, Alarm("afk:x")) == []


@pytest.mark.parametrize("action", [Alarm("afk:1"), Timeout(1), TimeGivenBack(5)])
def test_only_the_clock_rings(action: Alarm | Timeout | TimeGivenBack) -> None:
    match = Match(BOARD).join("Ada")
    with pytest.raises(Illegal, match="clock_only"):
        match.play(1, action)


def test_there_is_no_player_clock() -> None:
    match = Match(BOARD).join("Ada")
    with pytest.raises(Illegal, match="no_player_clock"):
        match.play(CLOCK, Timeout(1))


def test_what_is_measured_moves_back_with_a_clock_that_was_set_back() -> None:
    match = Match(BOARD).join("Ada")
    before = MinesRules().alarms(match.state)
    match.play(CLOCK, TimeGivenBack(-5))
    assert MinesRules().alarms(match.state) == {name: when - 5 for name, when in before.items()}


def test_everybody_who_is_there_is_waited_for() -> None:
    match = Match(BOARD).join("Ada", "Bob")
    match.play(2, Away())
    assert RULES.waiting(match.state) == {1}
    match.clear(1)
    assert RULES.waiting(match.state) == frozenset()


def test_presence_after_the_end_is_nobodys_business() -> None:
    match = Match(BOARD).join("Ada")
    match.clear(1)
    assert match.play(1, Away()) == []
    assert match.play(1, Back()) == []
    assert match.play(CLOCK, TimeGivenBack(5)) == []
    assert RULES.alarms(match.state) == {}


def test_an_earlier_instant_of_another_node_does_not_move_the_afk_alarm_back() -> None:
    match = Match(BOARD).join("Ada")
    match.at -= 5_000
    match.play(1, Click(1, 0))
    assert RULES.alarms(match.state) == {"afk:1": NOON + 30_000}
