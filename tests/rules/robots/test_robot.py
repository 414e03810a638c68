"""The players of the house: they know their way, they rest when they are low, they finish."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from tests.rules.robots.plain import board

from tablee.rules.robots.board import compile_board, number_of, place_of
from tablee.rules.robots.boards import shipped_boards
from tablee.rules.robots.cartouche import is_movement, read_cartouche
from tablee.rules.robots.checking import read_board
from tablee.rules.robots.model import Place, Program, RaceOptions
from tablee.rules.robots.planning import best_plans, plan, tolls
from tablee.rules.robots.race import play_race
from tablee.rules.robots.robot import STRENGTHS, read_view
from tablee.rules.robots.rules import RaceRules
from tablee.rules.robots.starts import starting_tiles
from tablee.rules.robots.turn import Mecha, placed, play_round
from tablee.rules.robots.ways import ways_of

PILOT, APPRENTICE = STRENGTHS["pilot"], STRENGTHS["apprentice"]
RESTED = (("Enrichment_Standby",),) * 5


def mecha(x: int, y: int, azimuth: Any = "North", seat: int = 1, energy: int = 7, laws: int = 0) -> Mecha:
    return Mecha(seat, x, y, azimuth, energy, laws, "racing", (1, 12, "North"))


@pytest.mark.parametrize("name", shipped_boards())
def test_alone_the_pilot_has_the_three_laws_within_25_rounds(name: str) -> None:
    for seed in range(3):
        race = play_race((name,), (PILOT,), seed)
        assert race.reason == "quest"
        assert race.rounds <= 25


@pytest.mark.parametrize("name", shipped_boards())
def test_alone_the_apprentice_arrives_too(name: str) -> None:
    for seed in range(10):
        assert play_race((name,), (APPRENTICE,), seed).reason == "quest"


@pytest.mark.parametrize("name", shipped_boards())
def test_alone_the_pilot_loses_hardly_a_register(name: str) -> None:
    """The way of the best starting tile, in whole rounds, and three rounds for sparing its energy."""
    document = shipped_boards()[name].document
    ways = ways_of(compile_board(document))
    first, second, _ = (number_of(*law) for law in compile_board(document).laws)
    longest = max(ways.registers[0][number] or 0 for number in starting_tiles(compile_board(document)))
    way = longest + (ways.registers[1][first] or 0) + (ways.registers[2][second] or 0)
    assert play_race((name,), (PILOT,), 7).rounds <= -(-way // 5) + 3


def test_eight_pilots_finish_a_race() -> None:
    race = play_race(("gare",), (PILOT,) * 8, 3)
    assert race.reason == "quest"
    assert sorted(race.ranks) == list(range(1, 9))
    assert sum(arrived is None for arrived in race.arrived.values()) <= 1


def test_boards_are_swapped_in_races_over_several() -> None:
    race = play_race(("entrepot", "usine"), (PILOT,) * 8, 1)
    assert race.reason == "quest"
    assert race.swaps >= 1


def test_the_same_seed_is_the_same_race() -> None:
    one, other = (play_race(("usine",), (PILOT, APPRENTICE), 11) for _ in range(2))
    assert (one.ranks, one.arrived) == (other.ranks, other.arrived)


def test_the_pilot_beats_the_apprentice_nearly_always() -> None:
    races = [play_race(("fonderie",), (PILOT, APPRENTICE)[:: 1 - 2 * (seed % 2)], seed) for seed in range(12)]
    won = sum(race.ranks[1 + seed % 2] == 1 for seed, race in enumerate(races))
    assert won >= 10


# --- plans ----------------------------------------------------------------------------------------------


def test_a_plan_goes_straight_for_the_law_and_stops_there() -> None:
    ground = compile_board(read_board(board()))
    cartouche = plan([ground], 0, [mecha(12, 4, "West", laws=0)], 1, 1)
    assert cartouche[0] == ("Move_90Right", "Move_Ahead")
    (after,) = play_round([ground], 0, [mecha(12, 4, "West")], {1: cartouche}, 1).mechas
    assert after.laws == 1


def test_a_plan_rides_the_belts() -> None:
    ground = compile_board(read_board(board(*[("conv_eOsE", x, 2) for x in range(2, 12)])))
    robot = mecha(1, 1)
    (after,) = play_round([ground], 0, [robot], {1: plan([ground], 0, [robot], 1, 1)}, 1).mechas
    left = ways_of(ground).registers[0]
    assert left[number_of(1, 1)] == 8
    assert left[number_of(after.x, after.y)] == 3


def test_a_plan_goes_around_a_pothole_where_that_takes_no_longer() -> None:
    ground = compile_board(read_board(board(*[("nid2poule", x, 2) for x in range(5, 9)])))
    robot = mecha(4, 2, "East")
    (after,) = play_round([ground], 0, [robot], {1: plan([ground], 0, [robot], 1, 1)}, 1).mechas
    assert after.energy == 7
    assert ways_of(ground).registers[0][number_of(after.x, after.y)] == 4


def test_the_third_law_is_worth_any_energy() -> None:
    beams = [("murLaser_NS", x, 1) for x in range(6, 11)]
    ground = compile_board(
        read_board(board(*beams, laws=(("loi_r3", 12, 3), ("loi_r1", 1, 1), ("loi_r2", 1, 12))))
    )
    robot = mecha(9, 3, "East", energy=4, laws=2)
    (after,) = play_round([ground], 0, [robot], {1: plan([ground], 0, [robot], 1, 1)}, 1).mechas
    assert after.status == "finished"


@pytest.mark.parametrize("name", shipped_boards())
def test_a_player_that_is_low_stands_by_unless_it_ends_the_round_on_a_repair_tile(name: str) -> None:
    ground = compile_board(shipped_boards()[name].document)
    rested = 0
    for number in starting_tiles(ground):
        robot = mecha(*place_of(number), energy=1)
        cartouche = plan([ground], 0, [robot], 1, 1)
        (after,) = play_round([ground], 0, [robot], {1: cartouche}, 1).mechas
        assert cartouche == RESTED or ground.repair[number_of(after.x, after.y)]
        rested += cartouche == RESTED
    assert rested >= len(starting_tiles(ground)) / 2


def test_a_player_that_is_low_in_a_beam_leaves_it_first() -> None:
    ground = compile_board(read_board(board(("murLaser_NS", 6, 1))))
    robot = mecha(6, 6, energy=2)
    cartouche = plan([ground], 0, [robot], 1, 1)
    assert is_movement(cartouche[0])
    (after,) = play_round([ground], 0, [robot], {1: cartouche}, 1).mechas
    assert after.status == "racing"
    assert after.x != 6


def test_a_plan_never_asks_more_than_the_energy_allows() -> None:
    ground = compile_board(shipped_boards()["gare"].document)
    for energy in range(1, 8):
        for cartouche in best_plans([ground], 0, [mecha(12, 6, energy=energy)], 1, 1):
            assert read_cartouche(cartouche, energy) == cartouche


def test_others_stand_still_in_a_plan_and_are_pushed() -> None:
    """Somebody stands before a wall on the straight way: pushing him is no use, so it goes around."""
    ground = compile_board(read_board(board(("mur_E", 6, 1))))
    robots = [mecha(4, 1, "East"), mecha(6, 1, seat=2)]
    after = play_round([ground], 0, robots, {1: plan([ground], 0, robots, 1, 1)}, 1).mechas
    assert tolls(ground)[0][number_of(after[0].x, after[0].y)] <= tolls(ground)[0][3] - 3


def test_a_plan_knows_which_board_it_ends_on() -> None:
    """On the other board a wall is before the law: whoever may end elsewhere does not swap the boards."""
    open_ground = compile_board(read_board(board(("action", 8, 1), ("action", 7, 2))))
    walls = [("mur_O", x, y) for x, y in ((10, 1), (10, 2), (10, 3), (10, 4), (10, 5), (10, 6))]
    walled = compile_board(read_board(board(*walls)))
    robot = mecha(3, 1, "East")
    played = play_round(
        [open_ground, walled], 0, [robot], {1: plan([open_ground, walled], 0, [robot], 1, 1)}, 1
    )
    assert played.swap is None
    one = play_round([open_ground], 0, [robot], {1: plan([open_ground], 0, [robot], 1, 1)}, 1)
    assert one.mechas[0].x + one.mechas[0].y == 9


# --- at the table ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("player", STRENGTHS)
def test_a_player_always_answers_with_something_that_is_allowed(player: str) -> None:
    rules, rng = RaceRules(), Random(5)
    state: Any = None
    for fact in rules.setup(RaceOptions(seats=8, boards=("fonderie",)), range(1, 9), 0, rng):
        state = rules.evolve(state, fact)
    kinds = set()
    for _ in range(200):
        seats = sorted(rules.waiting(state))
        if not seats:
            break
        legal = rules.legal(state, seats[0])
        action = STRENGTHS[player].choose(rules.view(state, seats[0]), legal, rng)
        assert action is not None
        assert legal.allows(action)
        kinds.add(type(action))
        for fact in rules.decide(state, seats[0], action, 0, rng):
            state = rules.evolve(state, fact)
    assert kinds == {Place, Program}


def test_a_view_is_read_by_the_numbers_of_the_robots() -> None:
    """Seats may have gaps; the order of play has none."""
    rules, rng = RaceRules(), Random(5)
    state: Any = None
    for fact in rules.setup(RaceOptions(seats=4), (2, 5), 0, rng):
        state = rules.evolve(state, fact)
    while state.phase == "placing":
        for seat in sorted(rules.waiting(state)):
            action = PILOT.choose(rules.view(state, seat), rules.legal(state, seat), rng)
            assert action is not None
            for fact in rules.decide(state, seat, action, 0, rng):
                state = rules.evolve(state, fact)
    sight = read_view(rules.view(state, 5))
    assert sight.me == 2
    assert [robot.seat for robot in sight.mechas] == [1, 2]
    assert sight.mechas[1] == placed(2, *(sight.mechas[1].start))


def test_a_player_that_is_not_asked_waits() -> None:
    rules, rng = RaceRules(), Random(5)
    state: Any = None
    for fact in rules.setup(RaceOptions(seats=2), (1, 2), 0, rng):
        state = rules.evolve(state, fact)
    for player in STRENGTHS.values():
        assert isinstance(player.choose(rules.view(state, 1), rules.legal(state, 1), rng), Place)
    wish = PILOT.choose(rules.view(state, 1), rules.legal(state, 1), rng)
    assert wish is not None
    for fact in rules.decide(state, 1, wish, 0, rng):
        state = rules.evolve(state, fact)
    for player in STRENGTHS.values():
        assert player.choose(rules.view(state, 1), rules.legal(state, 1), rng) is None
