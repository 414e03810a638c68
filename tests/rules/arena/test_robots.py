"""The robots answer with what is allowed, see only their view, and play well."""

from __future__ import annotations

import time
from random import Random

import pytest
from msgspec.structs import replace
from tests.rules.arena.arenas import Arena

from tablee.rules.arena import ArenaOptions, ArenaRules, description_names
from tablee.rules.arena.match import RandomPlayer, breaches, play_match
from tablee.rules.arena.model import (
    ChooseHero,
    Discard,
    Pass,
    Play,
    PlayTrump,
    Pushed,
    TakeOver,
    UsePower,
)
from tablee.rules.arena.outlook import outlook_of
from tablee.rules.arena.robot import STRENGTHS
from tablee.rules.contract import Action, Robot, Seat

GREEDY, STRONG = STRENGTHS["greedy"], STRENGTHS["strong"]


def wins(first: Robot, second: Robot, seeds: range, variant: str = "standard") -> int:
    """How many games of two seat 1 wins, wherever it sits."""
    rules = ArenaRules(variant)
    games = [
        play_match(rules, [first, second], seed, ArenaOptions(), time.perf_counter) for seed in seeds
    ]  # fmt: skip
    assert not any(game.broken for game in games)
    return sum(game.ranks[1] < game.ranks[2] for game in games)


def chosen(arena: Arena, seat: Seat, robot: Robot = STRONG) -> Action:
    legal = arena.rules.legal(arena.state, seat)
    action = robot.choose(arena.view(seat), legal, Random(1))
    assert action is not None
    assert legal.allows(action)
    return action


@pytest.mark.parametrize("robot", [GREEDY, STRONG])
@pytest.mark.parametrize("variant", description_names())
def test_a_robot_beats_a_random_player(robot: Robot, variant: str) -> None:
    assert wins(robot, RandomPlayer(), range(1, 9), variant) == 8


@pytest.mark.long
@pytest.mark.parametrize("robot", [GREEDY, STRONG])
def test_a_robot_beats_a_random_player_in_all_of_two_hundred_games(robot: Robot) -> None:
    assert wins(robot, RandomPlayer(), range(1, 201)) == 200


def test_the_strategist_beats_the_runner() -> None:
    assert wins(STRONG, GREEDY, range(1, 31)) >= 18


@pytest.mark.long
def test_the_strategist_beats_the_runner_in_sixty_of_a_hundred() -> None:
    assert wins(STRONG, GREEDY, range(1, 401)) >= 240


TABLES = [
    (variant, players, heroes)
    for variant in description_names()
    for players in (2, 3, 4, 6, 8)
    for heroes in (False, True)
    if players <= ArenaRules(variant).seats(ArenaOptions(heroes=heroes)).most
]


@pytest.mark.parametrize(("variant", "players", "heroes"), TABLES)
def test_robots_play_whole_games_and_break_no_rule(variant: str, players: int, heroes: bool) -> None:
    robots = [(STRONG, GREEDY)[seat % 2] for seat in range(players)]
    options = ArenaOptions(heroes=heroes)
    game = play_match(ArenaRules(variant), robots, players, options, time.perf_counter)
    assert game.broken == []
    assert game.reason == "finished"
    assert sorted(game.ranks.values()) == list(range(1, players + 1))


def test_what_should_never_be_is_seen() -> None:
    arena = Arena(3)
    assert breaches(arena.state) == []
    assert breaches(arena.put(1, gauge=41).state)
    assert breaches(Arena(3).put(1, hand=["King RED"] * 5).state)
    assert breaches(Arena(3).put(1, pawn=(0, 0)).put(2, pawn=(0, 0)).state)
    assert breaches(Arena(3).put(1, rank=1).put(2, rank=1).state)
    assert breaches(Arena(3).under(1, *["Ram"] * 5).state)


@pytest.mark.parametrize("robot", [GREEDY, STRONG])
def test_the_same_view_gives_the_same_action_whatever_is_hidden(robot: Robot) -> None:
    arena = Arena(3, heroes=True)
    for step in range(40):
        (seat,) = arena.rules.waiting(arena.state)
        twin = arena.rules.shuffle_hidden(arena.state, seat, Random(step))
        legal, other = arena.rules.legal(arena.state, seat), arena.rules.legal(twin, seat)
        action = robot.choose(arena.view(seat), legal, Random(1))
        assert action == robot.choose(arena.rules.view(twin, seat), other, Random(1))
        assert action is not None
        arena.act(seat, action)
        if arena.state.ended:
            break


def test_a_robot_waits_when_it_is_not_its_turn_and_takes_over_its_own_game() -> None:
    arena = Arena(2)
    legal = arena.rules.legal(arena.state, 2)
    for robot in (GREEDY, STRONG):
        assert robot.choose(arena.view(2), legal, Random(1)) is None
        assert robot.choose(arena.view(-2), legal, Random(1)) is None
    arena.put(2, stood_in=True)
    assert STRONG.choose(arena.view(2), legal, Random(1)) == TakeOver()


def test_robots_choose_a_hero_that_is_left() -> None:
    arena = Arena(2, heroes=True, choose_heroes=True)
    first = chosen(arena, 1)
    assert isinstance(first, ChooseHero)
    arena.act(1, first)
    second = chosen(arena, 2, GREEDY)
    assert isinstance(second, ChooseHero)
    assert second.hero != first.hero


def test_the_runner_goes_nearest_and_puts_away_what_brings_it_no_nearer() -> None:
    arena = Arena(2).put(1, pawn=(0, 7), hand=["Queen BLUE", "Warrior BLUE"])
    assert chosen(arena, 1, GREEDY) == Play("Queen", "BLUE", 0, 5)
    arena.put(1, pawn=(0, 7), hand=["Warrior YELLOW", "King YELLOW"])
    assert chosen(arena, 1, GREEDY) == Discard("Warrior", "YELLOW")
    assert chosen(arena.put(1, hand=[]), 1, GREEDY) == Pass()


@pytest.mark.parametrize("robot", [GREEDY, STRONG])
def test_whoever_stands_on_his_aim_stays_there(robot: Robot) -> None:
    arena = Arena(3).put(1, pawn=(17, 8))
    assert chosen(arena, 1, robot) == Pass()


def test_the_strategist_pushes_a_rival_off_his_aim_and_the_runner_does_not() -> None:
    for robot, pushed in ((STRONG, True), (GREEDY, False)):
        arena = Arena(3).put(1, pawn=(16, 3), hand=["Assassin BLUE", "Warrior BLACK"]).put(2, pawn=(25, 8))
        while arena.turn == 1:
            arena.act(1, chosen(arena, 1, robot))
        assert any(isinstance(fact, Pushed) and fact.target == 2 for fact in arena.log) == pushed
        assert (arena.player(2).rank is None) == pushed


def test_the_strategist_holds_up_a_rival_and_hurries_itself() -> None:
    arena = Arena(2).put(1, trumps=("Blizzard",), gauge=40)
    assert chosen(arena, 1) == PlayTrump("Blizzard", 2)
    assert chosen(arena.put(1, trumps=("Reinforcements",)), 1) == PlayTrump("Reinforcements")
    assert not isinstance(chosen(arena.put(1, trumps=("Ram",)), 1), PlayTrump)
    assert not isinstance(chosen(arena, 1, GREEDY), PlayTrump)


def test_the_strategist_rams_what_holds_it_up() -> None:
    arena = Arena(3).put(1, pawn=(0, 7), hand=["Queen BLUE"], trumps=("Ram",), gauge=40)
    assert not isinstance(chosen(arena, 1), PlayTrump)
    assert chosen(arena.under(1, "Tower Blue"), 1) == PlayTrump("Ram")


def test_the_strategist_uses_the_power_of_its_hero() -> None:
    arena = Arena(3).put(1, hero="Arline", gauge=40, trumps=())
    assert chosen(arena, 1) == UsePower()
    arena = Arena(3).put(1, hero="Kharliass", gauge=40, trumps=()).put(2, hero="Ulya").put(3, hero="Djor")
    assert chosen(arena, 1) == UsePower(target=2)
    arena = Arena(3).put(1, hero="Mirindrel", gauge=40, trumps=(), pawn=(0, 7), hand=["Warrior YELLOW"] * 5)
    power = chosen(arena, 1)
    assert isinstance(power, UsePower)
    assert power.color == "YELLOW"
    arena = Arena(3).put(1, hero="Luni", gauge=40, trumps=(), pawn=(0, 7), hand=["Warrior BLUE"] * 2)
    assert chosen(arena.put(2, pawn=(25, 8)), 1) == UsePower()


def test_the_outlook_counts_moves_from_the_aims_outward() -> None:
    arena = Arena(2)
    player = arena.player(1)
    outlook = outlook_of(arena.ground, player)
    assert all(outlook.moves[arena.square(x, 8)] == 0 for x in (16, 17, 18, 19))
    assert all(0 <= moves < 40 for moves in outlook.moves)
    assert outlook.moves[player.pawn] == max(
        outlook.moves[start] for start in (player.pawn, arena.square(16, 7), arena.square(16, 3))
    )
    rides = outlook_of(arena.ground, replace(player, hero="Garez"))
    assert sum(rides.moves) < sum(outlook.moves)
