"""Rounds: cartouches, what follows from them, who wins, and who goes."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from tests.rules.robots.races import AHEAD, FIELD, LAWS, STANDBY, Race, field

from tablee.rules.contract import CLOCK, SPECTATOR, Away, Back, Illegal, Join, Leave, Replace, TimeGivenBack
from tablee.rules.robots import PracticeOptions, Program, RaceOptions
from tablee.rules.robots.model import (
    Asked,
    BoardSwapped,
    CameBack,
    ClockMoved,
    Ended,
    Left,
    Programmed,
    RegisterPlayed,
    RoundEnded,
    TakenOver,
    TimeUp,
    WentAway,
)
from tablee.rules.robots.views import ToldProgrammed

# --- cartouches -----------------------------------------------------------------------------------------


def test_a_round_is_played_when_the_last_cartouche_is_in() -> None:
    race = Race(1, 2).placed()
    race.put(1, x=5, y=5, azimuth="East").put(2, x=5, y=8, azimuth="West")
    assert [type(fact) for fact in race.do(1, Program((AHEAD, AHEAD)))] == [Programmed]
    facts = race.do(2, Program((AHEAD,)))
    kinds = [type(fact) for fact in facts]
    assert kinds == [Programmed, *[RegisterPlayed] * 5, RoundEnded, Asked]
    assert facts[-1] == Asked(2, (1, 2), race.at + 60_000)
    robots = race.view(SPECTATOR).robots
    assert [(robots[seat].x, robots[seat].y) for seat in (1, 2)] == [(7, 5), (4, 8)]
    assert [each.register for each in race.view(SPECTATOR).played] == [1, 2, 3, 4, 5]


def test_a_cartouche_is_secret_and_stands() -> None:
    race = Race(1, 2).placed()
    race.do(1, Program((AHEAD,)))
    assert race.view(1).you.cartouche == (AHEAD,)
    for seat in (2, SPECTATOR):
        assert "Move_Ahead" not in str(race.view(seat))
        assert race.view(seat).robots[1].ready
        assert race.rules.tell(None, race.facts[-1], race.state, seat) == ToldProgrammed(1)
    with pytest.raises(Illegal, match="programmed_already"):
        race.do(1, Program(()))
    assert race.can(1)["program"] is None
    race.do(2, Program(()))
    assert race.view(1).you.cartouche is None, "the next round wants another"


@pytest.mark.parametrize(
    ("cartouche", "code"),
    [
        ((AHEAD,) * 6, "too_many"),
        ((("Move_Ahead", "Move_90Left"),), "bad_register"),
        ((("Move_Ahead", "Move_Ahead"),), "bad_register"),
        ((("Move_45Left",),), "not_programmable"),
        ((("Enrichment_Victory",),), "not_programmable"),
        ((("Fly",),), "unknown_code"),
        ((("",),), "unknown_code"),
        ((("0x9999",),), "unknown_code"),
    ],
)
def test_a_cartouche_that_breaks_a_rule_is_refused_and_still_waited_for(cartouche: Any, code: str) -> None:
    race = Race(1, 2).placed()
    with pytest.raises(Illegal, match=code):
        race.do(1, Program(cartouche))
    assert not race.rules.legal(race.state, 1).allows(Program(cartouche))
    assert 1 in race.rules.waiting(race.state)


def test_the_energy_is_the_capacity() -> None:
    race = Race(1, 2).placed().put(1, energy=1)
    assert race.can(1)["program"] == {"capacity": 3}
    assert race.view(1).you.capacity == 3
    with pytest.raises(Illegal, match="over_capacity"):
        race.do(1, Program((AHEAD,) * 4))
    race.do(1, Program((AHEAD, STANDBY, AHEAD, STANDBY, AHEAD)))


def test_codes_are_taken_as_numbers_names_or_both() -> None:
    race = Race(1, 2).placed()
    race.do(1, Program((("0x245A, Move_90Right", "0x2100"), ("Light_On",))))
    assert race.state.cartouches[1] == (("Move_90Right", "Move_Ahead"), ())


def test_who_sends_nothing_has_an_empty_cartouche() -> None:
    race = Race(1, 2, 3).placed()
    race.put(2, x=5, y=5, azimuth="East")
    before = {robot.seat: (robot.x, robot.y) for robot in race.state.robots}
    race.do(2, Program((AHEAD,)))
    facts = race.ring("programming")
    assert facts[0] == TimeUp((1, 3))
    assert {robot.seat: (robot.x, robot.y) for robot in race.state.robots} == {**before, 2: (6, 5)}
    assert race.state.round == 2


def test_the_order_of_play_goes_round() -> None:
    race = Race(1, 2, 3).placed()
    assert race.view(1).order == ((1, 2, 3), (2, 3, 1), (3, 1, 2), (1, 2, 3), (2, 3, 1))
    race.round()
    assert race.view(1).order[0] == (2, 3, 1)


def test_empty_seats_leave_no_gap_in_the_order_of_play() -> None:
    race = Race(2, 5, 7, options=RaceOptions(seats=8, boards=(FIELD,))).placed()
    assert race.view(2).order[:2] == ((2, 5, 7), (5, 7, 2))
    assert [race.view(2).robots[seat].number for seat in (2, 5, 7)] == ["01", "02", "03"]
    race.put(2, x=3, y=6, azimuth="East").put(5, x=5, y=6, azimuth="West").put(7, x=9, y=9)
    first = race.round(s2=[AHEAD], s5=[AHEAD])[3]
    assert isinstance(first, RegisterPlayed)
    assert [step.seat for step in first.steps if step.code == "Move_Ahead"][:1] == [2]
    assert {step.seat for step in first.steps} <= {2, 5, 7}
    assert [robot.seat for robot in race.state.robots] == [2, 5, 7]


# --- freezing -------------------------------------------------------------------------------------------


def frozen_race() -> Race:
    """Robot 1 of three has lost its energy to a pothole."""
    race = Race(1, 2, 3, options=RaceOptions(seats=3, boards=(field(("nid2poule", 6, 6)),))).placed()
    race.put(1, x=6, y=7, azimuth="North", energy=1).put(2, x=9, y=6)
    race.round(s1=[AHEAD])
    return race


def test_a_frozen_robot_is_not_asked_in_the_next_round_and_comes_back_after_it() -> None:
    race = frozen_race()
    robot = race.view(1).robots[1]
    assert (robot.status, robot.energy) == ("frozen", 0)
    assert race.rules.waiting(race.state) == {2, 3}
    assert race.can(1)["program"] is None
    with pytest.raises(Illegal, match="not_asked"):
        race.do(1, Program(()))
    assert all(1 not in order for order in race.view(1).order)
    race.round()
    robot = race.view(1).robots[1]
    assert (robot.status, robot.energy, race.state.asked) == ("racing", 4, (1, 2, 3))


def test_a_round_in_which_all_are_frozen_is_played_at_once() -> None:
    race = Race(1, options=PracticeOptions(boards=(field(("nid2poule", 6, 6)),))).placed()
    race.put(1, x=6, y=7, azimuth="North", energy=1)
    facts = race.round(s1=[AHEAD])
    assert [fact.round for fact in facts if isinstance(fact, RoundEnded)] == [1, 2]
    assert race.state.asked == (1,)
    assert race.state.round == 3
    assert race.view(1).robots[1].status == "racing"
    # Both are shown: who was frozen sees by what, and not only that it is awake again.
    view = race.view(1)
    assert [(each.round, each.register) for each in view.played] == [
        (number, register) for number in (1, 2) for register in range(1, 6)
    ]
    assert (view.before[1].x, view.before[1].energy) == (6, 1)
    race.round(s1=[STANDBY])
    assert [each.round for each in race.view(1).played] == [3] * 5
    assert race.view(1).before[1].energy == 4


# --- boards ---------------------------------------------------------------------------------------------


def test_an_action_tile_swaps_the_boards_in_turn() -> None:
    boards = (field(("action", 5, 5)), field(("action", 7, 7)))
    race = Race(1, 2, options=RaceOptions(boards=boards)).placed()
    race.put(1, x=5, y=6, azimuth="North")
    facts = race.round(s1=[AHEAD])
    assert BoardSwapped(0, 1) in facts
    assert (race.view(2).board, race.view(2).swap) == (1, (0, 1))
    race.round()
    assert (race.view(2).board, race.view(2).swap) == (1, None), "its action tile lies elsewhere"
    race.put(1, x=7, y=8, azimuth="North")
    assert BoardSwapped(1, 0) in race.round(s1=[AHEAD])


def test_a_board_alone_is_never_swapped() -> None:
    race = Race(1, 2, options=RaceOptions(boards=(field(("action", 5, 5)),))).placed()
    race.put(1, x=5, y=5)
    assert not any(isinstance(fact, BoardSwapped) for fact in race.round())


@pytest.mark.parametrize(
    ("boards", "code", "said"),
    [
        (("no-such",), "no_such_board", "no-such"),
        (("x" * 500,), "no_such_board", "xxx"),
        ((field(("presse", 5, 5)),), "bad_boards", "5"),
        ((field(("action", 5, 5)), field(("action", 5, 5))), "bad_boards", "action"),
        ((FIELD, "fonderie"), "bad_boards", "law"),
        ((replace(FIELD, boardActiveTiles=()),), "bad_boards", "Law 3"),
        ((replace(FIELD, boardWidth=13),), "bad_boards", "13"),
        ((field(("mur_N", 11, 2)),), "bad_boards", "11"),
        ((field(("mur_N", 99, 2)),), "bad_boards", "99"),
        ((field(("constructor", 3, 2)),), "bad_boards", "3"),
    ],
)
def test_boards_on_which_no_race_can_be_run_are_refused_before_the_table_is_laid(
    boards: Any, code: str, said: str
) -> None:
    with pytest.raises(Illegal, match=code) as refusal:
        Race(1, 2, options=RaceOptions(boards=boards))
    for language in ("fr", "en"):
        words = Race(1, 2).rules.words(language)
        sentence = words[f"illegal.{code}"].format_map(refusal.value.parts)
        assert len(sentence) < 2_000
    assert said in sentence


# --- the end --------------------------------------------------------------------------------------------


def ended(race: Race) -> Ended:
    fact = race.facts[-1]
    assert isinstance(fact, Ended)
    return fact


def test_the_first_at_the_third_law_wins_a_race_of_two() -> None:
    race = Race(1, 2).placed().before_law(2)
    race.round(s2=[AHEAD])
    assert ended(race) == Ended("quest", {1: 2, 2: 1})
    result = race.rules.result(race.state)
    assert result is not None
    assert result.rated
    assert result.ranks == {1: 2, 2: 1}
    shown = race.view(1).robots[2]
    assert (shown.status, shown.rank, shown.laws) == ("finished", 1, 3)
    with pytest.raises(Illegal, match="over"):
        race.do(1, Program(()))


def test_the_others_race_on_until_one_is_left() -> None:
    race = Race(1, 2, 3).placed().before_law(2)
    race.round(s2=[AHEAD])
    assert race.state.asked == (1, 3)
    with pytest.raises(Illegal, match="not_asked"):
        race.do(2, Program(()))
    race.before_law(3)
    race.round(s3=[AHEAD])
    assert ended(race) == Ended("quest", {1: 3, 2: 1, 3: 2})


def test_a_round_is_played_to_its_fifth_register_so_that_the_second_may_arrive_too() -> None:
    race = Race(1, 2).placed().before_law(2)
    x, y = LAWS[2]
    race.put(1, x=x - 2, y=y, azimuth="East", laws=2)
    race.round(s2=[AHEAD], s1=[(), (), AHEAD, AHEAD])
    assert ended(race) == Ended("quest", {1: 2, 2: 1})
    assert {robot.arrived for robot in race.state.robots} == {(1, 1), (1, 4)}


def test_after_the_last_round_laws_then_energy_decide() -> None:
    race = Race(1, 2, 3, 4, options=RaceOptions(seats=4, rounds=2, boards=(FIELD,))).placed()
    race.round()
    race.put(1, laws=1, energy=2).put(2, laws=2, energy=1).put(3, laws=1, energy=5).put(4, laws=1, energy=5)
    race.round()
    assert ended(race) == Ended("rounds", {1: 4, 2: 1, 3: 2, 4: 2})


def test_practice_ends_with_the_quest_and_is_not_rated() -> None:
    race = Race(1, options=PracticeOptions(boards=(FIELD,))).placed().before_law(1, law=1)
    race.round(s1=[AHEAD])
    assert race.state.ended is None
    assert race.view(1).robots[1].laws == 1
    race.before_law(1)
    race.round(s1=[AHEAD])
    assert ended(race) == Ended("quest", {1: 1})
    result = race.rules.result(race.state)
    assert result is not None
    assert not result.rated


# --- coming and going -----------------------------------------------------------------------------------


def test_who_is_away_is_shown_and_waited_for_until_time_is_up() -> None:
    race = Race(1, 2).placed()
    assert race.do(1, Away()) == [WentAway(1)]
    assert race.do(1, Away()) == []
    assert race.view(2).robots[1].away
    race.do(2, Program(()))
    assert race.rules.waiting(race.state) == {1}
    assert race.do(1, Back()) == [CameBack(1)]
    assert race.do(1, Back()) == []
    race.do(1, Away())
    race.do(1, Program(()))
    assert race.view(2).robots[1].away, "a cartouche may be handed in for who is away"


def test_a_cartouche_meant_for_another_round_is_refused() -> None:
    race = Race(1, 2).placed()
    with pytest.raises(Illegal, match="other_round"):
        race.do(1, Program((), 2))
    race.do(1, Program((), 1))
    race.do(2, Program((), 1))
    with pytest.raises(Illegal, match="other_round"):
        race.do(1, Program((), 1))


def test_who_leaves_a_race_of_two_loses_it() -> None:
    race = Race(1, 2).placed()
    assert race.do(1, Leave()) == [Left(1), Ended("left", {1: 2, 2: 1})]


def test_the_robot_of_who_has_left_stands_in_the_way_and_nobody_waits_for_it() -> None:
    race = Race(1, 2, 3).placed()
    race.do(2, Program(()))
    race.do(3, Program(()))
    facts = race.do(1, Leave())
    assert facts[0] == Left(1)
    assert isinstance(facts[-1], Asked), "the round was waiting for him alone"
    assert race.view(2).robots[1].status == "left"
    assert race.rules.waiting(race.state) == {2, 3}
    with pytest.raises(Illegal, match="gone"):
        race.do(1, Program(()))
    with pytest.raises(Illegal, match="gone"):
        race.do(1, Leave())
    assert race.can(1) == {"place": None, "program": None, "feature": False}


def test_who_has_left_ranks_behind_who_has_stayed_unless_his_robot_had_arrived() -> None:
    race = Race(1, 2, 3, 4).placed().before_law(1)
    race.round(s1=[AHEAD])
    race.do(1, Leave())
    race.put(2, laws=2)
    race.do(2, Leave())
    race.do(3, Leave())
    assert ended(race) == Ended("quest", {1: 1, 2: 3, 3: 4, 4: 2})


def test_nobody_takes_over_a_robot_that_has_arrived() -> None:
    race = Race(1, 2, 3).placed().before_law(1)
    race.round(s1=[AHEAD])
    race.do(1, Leave())
    with pytest.raises(Illegal, match="arrived"):
        race.do(1, Replace("somebody"))
    assert race.view(2).robots[1].status == "finished"


def test_a_left_seat_is_taken_over_and_waited_for_again() -> None:
    race = Race(1, 2, 3).placed()
    race.do(1, Leave())
    assert race.do(1, Replace("pilot", robot=True)) == [TakenOver(1)]
    assert race.view(2).robots[1].status == "racing"
    assert race.rules.waiting(race.state) == {1, 2, 3}
    race.do(1, Program((AHEAD,)))
    with pytest.raises(Illegal, match="not_playing"):
        race.do(5, Replace("somebody"))
    with pytest.raises(Illegal, match="no_roles"):
        race.do(1, Replace("somebody", role=2))
    with pytest.raises(Illegal, match="race_is_on"):
        race.do(4, Join("somebody"))


def test_time_without_a_node_is_given_back() -> None:
    race = Race(1, 2).placed()
    until = race.view(1).until
    assert race.do(CLOCK, TimeGivenBack(5_000)) == [ClockMoved(5_000)]
    assert race.view(1).until == race.rules.alarms(race.state)["programming"] == until + 5_000
    assert race.do(CLOCK, TimeGivenBack(0)) == []
    with pytest.raises(Illegal, match="clock_only"):
        race.do(1, TimeGivenBack(5_000))
    assert race.do(CLOCK, TimeGivenBack(-5_000)) == [ClockMoved(-5_000)], "a clock was set back"
    assert race.view(1).until == until
