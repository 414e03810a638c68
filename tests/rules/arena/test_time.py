"""Turns that run out of time, and the robot that goes on for whoever lets four of them pass."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rules.arena.arenas import Arena, kinds

from tablee.rules.arena.model import Discard, Pass, Passed, Returned, StoodIn, TakeOver
from tablee.rules.contract import CLOCK, Alarm, Away, Back, Illegal, Leave, Replace, TimeGivenBack, Timeout


def asleep() -> Arena:
    """Seat 1 has let four turns pass, and it is his turn again."""
    arena = Arena(2)
    for _ in range(4):
        arena.time_out(1)
        arena.act(2, Pass())
    return arena


def rings(arena: Arena) -> list[Any]:
    """Let the alarm of the robot ring when it is due."""
    ((name, due),) = arena.rules.alarms(arena.state).items()
    arena.at = max(arena.at, due)
    return arena.act(CLOCK, Alarm(name))


def test_the_house_proposes_ninety_seconds_a_turn() -> None:
    assert Arena(2).rules.usual_clocks[0] == {"kind": "move", "seconds": 90}


def test_a_turn_that_runs_out_of_time_is_passed() -> None:
    arena = Arena(3)
    arena.time_out(1)
    assert arena.facts[0] == Passed(1, late=True)
    assert arena.turn == 2


def test_the_clock_of_somebody_whose_turn_it_is_not_changes_nothing() -> None:
    arena = Arena(3)
    assert arena.time_out(2) == []
    assert arena.time_out(9) == []


def test_only_the_clock_of_the_house_says_that_time_is_up() -> None:
    arena = Arena(3)
    for action in (Timeout(1), Alarm("stand_in"), TimeGivenBack(5)):
        with pytest.raises(Illegal, match="clock_only"):
            arena.act(1, action)
    assert arena.act(CLOCK, TimeGivenBack(-1)) == []
    assert arena.act(CLOCK, TimeGivenBack(60_000)) == []


def test_after_four_turns_in_a_row_a_robot_goes_on() -> None:
    arena = Arena(2)
    for turn in range(4):
        assert arena.rules.alarms(arena.state) == {}
        arena.time_out(1)
        assert (StoodIn(1) in arena.facts) == (turn == 3)
        arena.act(2, Pass())
    assert arena.view(2).players[1].robot is True
    assert rings(arena)[0].seat == 1


def test_whoever_acts_in_between_has_his_four_turns_again() -> None:
    arena = Arena(2)
    for _ in range(3):
        arena.time_out(1)
        arena.act(2, Pass())
    arena.act(1, Discard(*arena.hand(1)[0].rsplit(" ", 1)))
    arena.time_out(1)
    arena.act(2, Pass())
    assert arena.player(1).passed == 1
    for _ in range(3):
        assert not arena.player(1).stood_in
        arena.time_out(1)
        arena.act(2, Pass())
    assert arena.player(1).stood_in


def test_the_robot_plays_whole_turns_and_stays_until_he_comes_back() -> None:
    arena = asleep()
    for _ in range(3):
        while arena.turn == 1:
            before = arena.rules.alarms(arena.state)
            rings(arena)
            assert "returned" not in kinds(arena.facts)
            assert arena.rules.alarms(arena.state) != before
        arena.act(2, Pass())
    assert arena.player(1).stood_in
    arm, start = arena.player(1).arm, arena.ground.board.starts[arena.player(1).arm]
    assert arena.ground.steps_home(arm, arena.player(1).pawn) < arena.ground.steps_home(arm, start)


def test_an_alarm_before_its_time_or_unknown_changes_nothing() -> None:
    arena = asleep()
    arena.at = 0
    assert arena.act(CLOCK, Alarm("stand_in")) == []
    assert arena.act(CLOCK, Alarm("no-such-alarm")) == []


def test_he_is_back_when_he_connects_acts_or_says_so() -> None:
    for action in (Back(), TakeOver(), Pass(), Discard("", "")):
        arena = asleep()
        if isinstance(action, Discard):
            action = Discard(*arena.hand(1)[0].rsplit(" ", 1))
        assert arena.allows(1, TakeOver())
        arena.act(1, action)
        assert arena.facts[0] == Returned(1)
        assert not arena.player(1).stood_in
        assert arena.player(1).passed == 0


def test_he_may_take_over_again_out_of_his_turn() -> None:
    arena = asleep()
    while arena.turn == 1:
        rings(arena)
    arena.act(1, TakeOver())
    assert arena.turn == 2
    assert not arena.player(1).stood_in


def test_a_refused_action_does_not_bring_him_back() -> None:
    arena = asleep()
    arena.refuses(1, Discard("Jester", "RED"), "not_in_hand")
    assert arena.player(1).stood_in


def test_who_plays_himself_has_nothing_to_take_over() -> None:
    Arena(2).refuses(1, TakeOver(), "plays_himself")
    assert Arena(2).act(1, Back()) == []
    assert Arena(2).act(1, Away()) == []


def test_whoever_takes_the_seat_plays_for_himself() -> None:
    arena = asleep()
    assert arena.act(1, Replace("Max")) == [Returned(1)]


def test_a_robot_goes_on_for_several_at_once() -> None:
    arena = Arena(2)
    for _ in range(4):
        arena.time_out(1)
        arena.time_out(2)
    turns = 0
    while arena.state.ended is None:
        rings(arena)
        turns += 1
        assert turns < 500
    assert arena.state.ended == "finished"


def test_nothing_happens_after_the_end_even_if_he_comes_back() -> None:
    arena = asleep()
    arena.act(2, Leave())
    assert arena.state.ended == "resigned"
    assert arena.act(1, Back()) == []
    arena.refuses(1, TakeOver(), "over")
    assert arena.time_out(1) == []
    assert arena.rules.alarms(arena.state) == {}


def test_whoever_resigned_is_played_by_nobody() -> None:
    arena = Arena(3)
    for _ in range(4):
        for seat in (1, 2, 3):
            if seat == 1:
                arena.time_out(seat)
            else:
                arena.act(seat, Pass())
    arena.act(1, Leave())
    assert arena.rules.alarms(arena.state) == {}
    assert arena.view(2).players[1].robot is False
