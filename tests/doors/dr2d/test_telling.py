"""What the calls say of a race, made from what everybody sees of it."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from tests.rules.robots.races import AHEAD, FIELD, Race, field

from tablee.doors.dr2d import telling
from tablee.rules.contract import SPECTATOR, Leave
from tablee.rules.robots import RaceOptions


def listed(race: Race) -> list[Any]:
    view = race.view(SPECTATOR)
    told = msgspec.json.decode(telling.competitors(view, telling.standing(view)))
    return [tuple(each.values()) for each in told["competitors"]]


def test_a_frozen_robot_is_listed_on_its_starting_tile_without_energy() -> None:
    hole = field(("nid2poule", 6, 5))
    race = Race(1, 2, options=RaceOptions(seats=2, boards=(hole,))).placed()
    x, y, azimuth = race.state.robots[0].start
    race.put(1, x=6, y=6, azimuth="North", energy=1)
    race.round(s1=[AHEAD])
    assert race.state.robots[0].status == "frozen"
    assert listed(race)[0] == ("01", x, y, azimuth, 0)


def test_a_robot_that_has_arrived_is_listed_on_its_last_tile() -> None:
    race = Race(1, 2, 3).placed().before_law(2)
    race.round(s2=[AHEAD])
    assert listed(race)[1] == ("02", 11, 10, "North", 7)


def test_who_comes_to_a_running_race_hears_of_the_board_the_status_and_who_has_arrived() -> None:
    race = Race(1, 2, 3, options=RaceOptions(seats=3, boards=(FIELD, FIELD))).placed()
    begun = [call.seq for call in telling.briefing(race.view(SPECTATOR), 1)]
    assert begun == ["InitStatusOfCompetitors", "InitLocateArtefacts", "QuestStart"]
    race.before_law(2).round(s2=[AHEAD])
    race.state = replace(race.state, board=1)
    later = telling.briefing(race.view(SPECTATOR), 1)
    assert [call.seq for call in later[3:]] == [
        "RoundBoardAction",
        "RoundStatusOfCompetitors",
        "QuestAchieved",
    ]
    assert msgspec.json.decode(later[3].args_in)["action"] == {"name": "BoardSwap", "args": "0=>1"}
    assert msgspec.json.decode(later[5].args_in) == {"completed": ["02"]}


@pytest.mark.parametrize("seed", range(8))
def test_who_is_awaited_is_seen_by_everybody(seed: int) -> None:
    rng, race = Random(seed), Race(1, 2, 4, options=RaceOptions(seats=4, boards=("usine",), rounds=6))
    while race.state.ended is None:
        view, waiting = race.view(SPECTATOR), race.rules.waiting(race.state)
        assert set(telling.awaited(view)) == waiting
        seat = rng.choice(sorted(waiting))
        action = race.rules.legal(race.state, seat).sample(rng)
        assert action is not None
        race.do(seat, action if rng.random() > 0.03 else Leave())
    assert not telling.awaited(race.view(SPECTATOR))
