"""Before the race: names, colours, and who begins where."""

from __future__ import annotations

import pytest
from tests.rules.robots.races import Race

from tablee.rules.contract import SPECTATOR, Illegal, Leave
from tablee.rules.robots import Feature, Place, PracticeOptions, Program, RaceOptions
from tablee.rules.robots.board import number_of, place_of
from tablee.rules.robots.model import RECALLS, Asked, Clashed, Featured, Placed, Spot, TimeUp, Wished
from tablee.rules.robots.views import ToldWished


def test_everybody_is_proposed_another_tile_that_may_be_chosen() -> None:
    race = Race(1, 2, 3, 4, 5, 6, 7, 8)
    tiles = [number_of(spot.x, spot.y) for spot in race.state.proposed.values()]
    assert len(set(tiles)) == 8
    assert set(tiles) <= set(race.view(1).you.available) == set(race.can(1)["place"]["tiles"])
    assert len(race.state.starts) >= 16


def test_a_robot_is_called_and_painted_by_its_player_until_the_race_begins() -> None:
    race = Race(1, 2)
    assert race.view(SPECTATOR).robots[2].name == "mécanoïd02"
    assert race.do(2, Feature("  Terminator 2000 ", "#ff1e90ff")) == [Featured(2, "Terminator", "#FF1E90FF")]
    shown = race.view(1).robots[2]
    assert (shown.name, shown.color) == ("Terminator", "#FF1E90FF")
    race.placed()
    with pytest.raises(Illegal, match="race_began"):
        race.do(2, Feature("Gort", "#FF000000"))
    assert race.can(2)["feature"] is False


@pytest.mark.parametrize(
    ("name", "color", "code"),
    [
        ("", "#FF000000", "no_name"),
        (" \x00\n\u202e ", "#FF000000", "no_name"),
        ("Gort", "", "bad_color"),
        ("Gort", "#FFF", "bad_color"),
        ("Gort", "red", "bad_color"),
        ("Gort", "#FF00000G", "bad_color"),
        ("Gort", "#FF000000\n", "bad_color"),
        ("Gort", "url(javascript:1)", "bad_color"),
    ],
)
def test_a_name_or_a_colour_that_is_none_is_refused(name: str, color: str, code: str) -> None:
    race = Race(1, 2)
    with pytest.raises(Illegal, match=code):
        race.do(1, Feature(name, color))
    assert not race.rules.legal(race.state, 1).allows(Feature(name, color))


def test_a_name_is_cut_after_eleven_characters_whatever_they_are() -> None:
    race = Race(1, 2)
    race.do(1, Feature("e\u0301" * 30, "#00000000"))
    assert race.view(2).robots[1].name == "é" * 11


def test_wishes_are_secret_until_all_are_in() -> None:
    race = Race(1, 2)
    number = race.state.starts[0]
    race.wish(1, number, "West")
    x, y = race.state.wishes[1].x, race.state.wishes[1].y
    assert race.view(1).you.wish == Spot(x, y, "West")
    shown = race.view(2).robots[1]
    assert (shown.ready, shown.x, shown.start) == (True, None, None)
    assert number in race.view(2).you.available
    fact = race.facts[-1]
    assert isinstance(fact, Wished)
    assert race.rules.tell(race.state, fact, race.state, 2) == ToldWished(1)
    assert race.rules.tell(race.state, fact, race.state, 1) == ToldWished(1, x, y, "West")
    told = race.wish(2, race.state.starts[1])
    assert [type(each) for each in told] == [Wished, Placed, Asked]
    robot = race.view(2).robots[1]
    assert (robot.x, robot.y, robot.azimuth, robot.energy) == (x, y, "West", 7)
    assert robot.start == Spot(x, y, "West")


def test_a_wish_stands() -> None:
    race = Race(1, 2)
    race.wish(1, race.state.starts[0])
    with pytest.raises(Illegal, match="wished_already"):
        race.wish(1, race.state.starts[1])
    assert race.can(1) == {"place": None, "program": None, "feature": True}


@pytest.mark.parametrize("place", [(0, 1), (13, 1), (1, -5), (11, 2), (10**9, 10**9)])
def test_a_tile_that_is_no_start_is_refused(place: tuple[int, int]) -> None:
    race = Race(1, 2)
    with pytest.raises(Illegal, match="not_available"):
        race.do(1, Place(*place, "North"))
    assert not race.rules.legal(race.state, 1).allows(Place(*place, "North"))


def test_those_who_wish_for_one_tile_are_asked_again_and_the_others_stand() -> None:
    race = Race(1, 2, 3)
    wanted, other = race.state.starts[3], race.state.starts[5]
    race.wish(1, wanted)
    race.wish(2, other)
    race.at += 5_000
    facts = race.wish(3, wanted)
    assert [type(each) for each in facts] == [Wished, Placed, Clashed]
    assert race.state.places.keys() == {2}
    assert race.rules.waiting(race.state) == {1, 3}
    assert race.state.until == race.at + 60_000, "they have all the time once more"
    assert other not in race.view(1).you.available
    assert wanted in race.view(1).you.available
    assert race.view(1).you.proposed != race.view(3).you.proposed
    offered = [number_of(spot.x, spot.y) for spot in race.state.proposed.values()]
    assert wanted not in offered, "they are offered tiles that nobody has asked for"
    with pytest.raises(Illegal, match="not_available"):
        race.wish(1, other)
    with pytest.raises(Illegal, match="wished_already"):
        race.wish(2, wanted)
    race.placed()


def test_on_a_clash_nobody_is_offered_the_tile_that_it_was_about_whichever_it_was() -> None:
    for wanted in Race(1, 2).state.starts:
        race = Race(1, 2)
        race.wish(1, wanted)
        race.wish(2, wanted)
        offered = [number_of(spot.x, spot.y) for spot in race.state.proposed.values()]
        assert wanted not in offered
        assert len(set(offered)) == 2


def test_a_wish_that_answered_an_earlier_asking_is_refused() -> None:
    race = Race(1, 2)
    x, y = place_of(race.state.starts[3])
    for seat in (1, 2):
        race.do(seat, Place(x, y, "North", 1))
    late, new = Place(x, y, "North", 1), Place(x, y, "North", 2)
    with pytest.raises(Illegal, match="other_asking"):
        race.do(1, late)
    assert not race.rules.legal(race.state, 1).allows(late)
    assert race.rules.legal(race.state, 1).allows(new)
    race.do(1, new)


def test_who_clashes_too_often_is_placed_on_the_first_free_tiles() -> None:
    race = Race(1, 2)
    for _ in range(RECALLS + 1):
        assert race.state.phase == "placing"
        wanted = race.state.starts[7]
        race.wish(1, wanted, "West")
        race.wish(2, wanted, "East")
    assert race.state.phase == "programming"
    places = {seat: number_of(spot.x, spot.y) for seat, spot in race.state.places.items()}
    assert places == {1: race.state.starts[0], 2: race.state.starts[1]}
    assert [robot.azimuth for robot in race.state.robots] == ["West", "East"]


def test_who_says_nothing_has_the_tile_that_was_proposed() -> None:
    race = Race(1, 2, 3)
    spots = dict(race.state.proposed)
    free = next(n for n in race.state.starts if n not in {number_of(s.x, s.y) for s in spots.values()})
    race.wish(2, free)
    facts = race.ring("placing")
    assert facts[0] == TimeUp((1, 3))
    assert {seat: race.state.places[seat] for seat in (1, 3)} == {1: spots[1], 3: spots[3]}


def test_a_silent_player_clashes_with_who_wished_for_his_tile() -> None:
    race = Race(1, 2)
    spot = race.state.proposed[1]
    race.do(2, Place(spot.x, spot.y, "North"))
    facts = race.ring("placing")
    assert isinstance(facts[-1], Clashed)
    assert facts[-1].seats == (1, 2)


def test_who_leaves_before_the_race_is_not_waited_for() -> None:
    race = Race(1, 2, 3)
    race.wish(1, race.state.starts[0])
    race.wish(2, race.state.starts[1])
    facts = race.do(3, Leave())
    assert race.state.phase in ("placing", "programming")
    assert not isinstance(facts[-1], Clashed) or 3 in facts[-1].seats
    assert 3 not in race.rules.waiting(race.state)


def test_without_a_limit_no_alarm_is_set() -> None:
    race = Race(1, 2, options=RaceOptions(localization_seconds=0, cartouche_seconds=0))
    assert race.rules.alarms(race.state) == {}
    race.placed()
    assert race.rules.alarms(race.state) == {}


def test_nobody_programs_before_the_race_and_nobody_else_plays() -> None:
    race = Race(1, 2)
    with pytest.raises(Illegal, match="race_not_begun"):
        race.do(1, Program(()))
    with pytest.raises(Illegal, match="not_playing"):
        race.wish(3, race.state.starts[0])
    with pytest.raises(Illegal, match="not_playing"):
        race.do(SPECTATOR, Feature("Gort", "#FF000000"))


def test_practice_begins_with_one_wish_and_no_hurry() -> None:
    race = Race(1, options=PracticeOptions())
    assert race.rules.alarms(race.state) == {}
    race.placed()
    assert race.state.asked == (1,)
