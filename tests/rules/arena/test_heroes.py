"""Chapter 5 of the rules: the eight heroes and their powers."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace
from tests.rules.arena.arenas import Arena, kinds

from tablee.rules.arena import ArenaOptions, ArenaRules
from tablee.rules.arena.effects import is_at_work
from tablee.rules.arena.heroes import HEROES
from tablee.rules.arena.model import (
    Active,
    ChooseHero,
    Dealt,
    Discard,
    HeroChosen,
    Pass,
    Play,
    PlayTrump,
    Push,
    TrumpPlayed,
    UsePower,
)
from tablee.rules.arena.views import PowerView
from tablee.rules.contract import Leave, Seats


def heroes(*names: str, gauge: int = 40) -> Arena:
    """A game of these heroes, seat by seat; the first has a full gauge."""
    arena = Arena(max(3, len(names)))
    for seat, name in enumerate(names, 1):
        arena.put(seat, hero=name)
    return arena.put(1, gauge=gauge, trumps=("Tower Red", "Fortress Blue", "Blizzard", "Ram"))


def everybody_passes(arena: Arena) -> None:
    """Until it is seat 1's turn again."""
    seat = arena.turn
    while seat is not None:
        arena.act(seat, Pass())
        seat = arena.turn
        if seat == 1:
            return


# --- who plays whom ------------------------------------------------------------------------------------


def test_heroes_are_dealt_and_no_two_are_the_same() -> None:
    rules = ArenaRules()
    seen = set()
    for seed in range(30):
        dealt = rules.setup(ArenaOptions(heroes=True), range(1, 9), 0, Random(seed))[0]
        assert isinstance(dealt, Dealt)
        assert sorted(dealt.heroes.values()) == sorted(HEROES)
        seen.add(dealt.heroes[1])
    assert len(seen) > 4


def test_without_the_option_nobody_has_a_hero() -> None:
    assert [player.hero for player in Arena(4).state.players] == [None] * 4


def test_heroes_are_chosen_one_after_another_before_the_first_turn() -> None:
    arena = Arena(3, heroes=True, choose_heroes=True)
    arena.refuses(1, Pass(), "hero_first")
    arena.refuses(2, ChooseHero("Ulya"), "not_your_turn")
    arena.act(1, ChooseHero("Ulya"))
    arena.refuses(2, ChooseHero("Ulya"), "no_such_hero")
    arena.refuses(2, ChooseHero("Zorro"), "no_such_hero")
    assert "Ulya" not in arena.describe(2)["choose_hero"]
    arena.act(2, ChooseHero("Djor"))
    arena.act(3, ChooseHero("Luni"))
    assert kinds(arena.facts) == ["hero_chosen", "turn_began"]
    assert arena.turn == 1
    arena.refuses(1, ChooseHero("Garez"), "heroes_are_chosen")


def test_chance_chooses_for_whoever_lets_his_time_run_out() -> None:
    arena = Arena(2, heroes=True, choose_heroes=True)
    (chosen,) = arena.time_out(1)
    assert isinstance(chosen, HeroChosen)
    assert chosen.late
    arena.time_out(2)
    assert arena.turn == 1
    assert len({player.hero for player in arena.state.players} & set(HEROES)) == 2


def test_whoever_resigns_while_heroes_are_chosen_chooses_none() -> None:
    arena = Arena(3, heroes=True, choose_heroes=True)
    arena.act(3, Leave())
    arena.act(1, ChooseHero("Ulya"))
    arena.act(2, ChooseHero("Djor"))
    assert arena.turn == 1
    arena = Arena(3, heroes=True, choose_heroes=True)
    arena.act(1, Leave())
    assert arena.turn == 2
    arena.act(2, ChooseHero("Djor"))
    arena.act(3, Leave())
    assert arena.rules.result(arena.state) is not None


def test_a_hero_whose_card_or_trump_does_not_exist_is_not_offered() -> None:
    ours = ArenaRules().description
    plain = replace(
        ours, cards=tuple(card for card in ours.cards if card.name in ("King", "Wizard")), trumps=()
    )
    rules = ArenaRules("own", plain)
    assert rules.ground.heroes == ("Arline", "Kharliass", "Mirindrel")
    assert rules.seats(ArenaOptions(heroes=True)) == Seats(2, 3)
    assert rules.seats(ArenaOptions()) == Seats(2, 8)
    assert ArenaRules().ground.heroes == tuple(HEROES)


# --- what all powers share -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hero", "more"),
    [("Djor", 0), ("Razbrak", 1), ("Garez", 2), ("Ulya", 3), ("Arline", 0), ("Luni", 0), ("Mirindrel", 0)],
)
def test_a_passive_power_makes_trumps_dearer(hero: str, more: int) -> None:
    arena = heroes(hero)
    assert [each.cost for each in arena.view(1).trumps] == [4 + more, 7 + more, 6 + more, 4 + more]
    arena.put(1, gauge=3 + more).refuses(1, PlayTrump("Tower Red", 2), "gauge_too_low")
    arena.put(1, gauge=4 + more).act(1, PlayTrump("Tower Red", 2))
    assert arena.player(1).gauge == 0


def test_a_power_counts_as_the_one_trump_of_the_turn() -> None:
    arena = heroes("Arline")
    arena.act(1, UsePower())
    arena.refuses(1, PlayTrump("Blizzard", 2), "one_trump")
    arena = heroes("Arline")
    arena.act(1, PlayTrump("Blizzard", 2))
    arena.refuses(1, UsePower(), "one_trump")


@pytest.mark.parametrize(
    ("hero", "cost"), [("Arline", 10), ("Kharliass", 10), ("Luni", 10), ("Mirindrel", 8)]
)
def test_an_active_power_takes_its_cost_and_is_refused_below_it(hero: str, cost: int) -> None:
    power = {"Kharliass": UsePower(target=2), "Mirindrel": UsePower(x=0, y=0, color="RED")}.get(
        hero, UsePower()
    )
    arena = heroes(hero, "Djor", gauge=cost - 1)
    arena.refuses(1, power, "gauge_too_low")
    arena.put(1, gauge=cost).act(1, power)
    assert arena.player(1).gauge == 0


@pytest.mark.parametrize("hero", ["Djor", "Garez", "Razbrak", "Ulya"])
def test_a_passive_power_is_not_used(hero: str) -> None:
    heroes(hero).refuses(1, UsePower(), "no_power")
    Arena(3).refuses(1, UsePower(), "no_power")


def test_a_power_takes_just_what_it_asks_for() -> None:
    heroes("Arline").refuses(1, UsePower(target=2), "no_target")
    heroes("Luni").refuses(1, UsePower(x=1, y=1), "no_square")
    heroes("Mirindrel").refuses(1, UsePower(), "square_needed")
    heroes("Mirindrel").refuses(1, UsePower(x=1, y=1), "square_needed")
    heroes("Mirindrel").refuses(1, UsePower(target=2, x=1, y=1, color="RED"), "no_target")
    heroes("Kharliass", "Djor").refuses(1, UsePower(), "target_needed")
    heroes("Kharliass", "Djor").refuses(1, UsePower(target=2, color="RED"), "no_square")


# --- Djor and Razbrak ----------------------------------------------------------------------------------


def test_djors_towers_and_fortresses_cannot_be_rammed() -> None:
    arena = heroes("Djor", "Luni")
    arena.act(1, PlayTrump("Tower Red", 2))
    arena.act(1, Pass())
    arena.put(2, trumps=("Ram",), gauge=40, effects=(*arena.player(2).effects, Active("Tower Blue", 1, 3)))
    arena.act(2, PlayTrump("Ram"))
    assert [each.trump for each in arena.player(2).effects] == ["Tower Red"]


def test_towers_and_fortresses_are_paid_and_take_their_place_but_do_nothing_to_razbrak() -> None:
    arena = heroes("Luni", "Razbrak").put(2, pawn=(0, 3), hand=["Wizard RED"])
    arena.act(1, PlayTrump("Fortress Blue", 2))
    assert arena.player(1).gauge == 33
    assert arena.view(3).players[2].effects[0].acts is False
    arena.act(1, Pass())
    free = Arena(3).put(1, pawn=(0, 3), hand=["Wizard RED"])
    assert arena.reach(2, "Wizard RED") == free.reach(1, "Wizard RED")
    assert len(arena.player(2).effects) == 1


def test_a_blizzard_strikes_razbrak_like_anybody() -> None:
    arena = heroes("Luni", "Razbrak")
    arena.act(1, PlayTrump("Blizzard", 2))
    arena.act(1, Pass())
    assert arena.moves == 1


def test_a_fair_coin_says_whether_djors_towers_act_on_razbrak_for_their_whole_duration() -> None:
    held = 0
    for seed in range(400):
        arena = heroes("Djor", "Razbrak")
        arena.rng = Random(seed)
        (played,) = arena.act(1, PlayTrump("Fortress Blue", 2))
        assert isinstance(played, TrumpPlayed)
        assert played.firm
        held += played.holds
        acts = []
        for _ in range(2):
            player = arena.player(2)
            acts.append(is_at_work(arena.ground, player, player.effects[0]))
            everybody_passes(arena)
        assert acts == [played.holds] * 2
    assert 160 <= held <= 240


def test_who_plays_a_tower_hears_at_once_whether_it_acts() -> None:
    for hero, acts in (("Razbrak", False), ("Luni", True)):
        arena = heroes("Arline", hero)
        before = arena.state
        arena.act(1, PlayTrump("Tower Red", 2))
        (told,) = arena.told(3, before)
        assert told.acts is acts


# --- Garez and Ulya ------------------------------------------------------------------------------------


def test_garez_knights_land_on_any_colour_that_no_tower_takes_away() -> None:
    arena = heroes("Garez").put(1, pawn=(4, 1), hand=["Knight RED"])
    assert arena.reach(1, "Knight RED") == {(2, 0), (2, 2), (6, 0), (6, 2), (3, 3), (5, 3)}
    plain = Arena(3).put(1, pawn=(4, 1), hand=["Knight RED"])
    assert plain.reach(1, "Knight RED") == {(2, 2), (6, 2), (3, 3)}
    arena.under(1, "Tower Red")
    assert arena.reach(1, "Knight RED") == {(2, 0), (6, 0), (5, 3)}
    arena.under(1)
    assert len(arena.reach(1, "Knight RED")) == 6


def test_ulyas_queens_make_three_steps() -> None:
    arena = heroes("Ulya").put(1, pawn=(0, 8), hand=["Queen RED", "Assassin RED"])
    plain = Arena(3).put(1, pawn=(0, 8), hand=["Queen RED"])
    assert plain.reach(1, "Queen RED") < arena.reach(1, "Queen RED")
    assert arena.reach(1, "Assassin RED") == plain.reach(1, "Queen RED")
    assert max(len(way) for way in arena.describe(1)["play"][1]["reach"].values()) == 3


# --- Kharliass -----------------------------------------------------------------------------------------


def test_metamorphosis_copies_a_passive_power_with_its_surcharge_this_turn_and_the_next() -> None:
    arena = heroes("Kharliass", "Garez").put(1, pawn=(4, 1), hand=["Knight RED"])
    arena.act(1, UsePower(target=2))
    assert len(arena.reach(1, "Knight RED")) == 6
    assert arena.view(1).trumps[0].cost == 6
    assert arena.player(2).hero == "Garez"
    arena.act(1, Pass())
    arena.act(2, Pass())
    arena.act(3, Pass())
    arena.put(1, pawn=(4, 1), hand=["Knight RED"], gauge=40)
    assert len(arena.reach(1, "Knight RED")) == 6
    arena.refuses(1, UsePower(target=2), "power_runs")
    everybody_passes(arena)
    arena.put(1, pawn=(4, 1), hand=["Knight RED"])
    assert len(arena.reach(1, "Knight RED")) == 3
    assert arena.view(1).trumps[0].cost == 4
    assert arena.allows(1, UsePower(target=2))


def test_a_copied_active_power_is_played_next_turn_for_nothing() -> None:
    arena = heroes("Kharliass", "Arline", gauge=10)
    arena.act(1, UsePower(target=2))
    arena.refuses(1, UsePower(), "one_trump")
    everybody_passes(arena)
    assert arena.player(1).gauge == 0
    assert arena.view(1).power == PowerView("Arline", 0)
    arena.act(1, UsePower())
    arena.refuses(1, PlayTrump("Ram"), "one_trump")
    arena.act(1, Pass())
    assert arena.player(1).copy is None
    assert arena.player(1).mist == 1
    assert arena.view(2).players[1].pawn is None


def test_a_copied_power_that_is_not_used_is_gone_after_the_next_turn() -> None:
    arena = heroes("Kharliass", "Luni", gauge=10)
    arena.act(1, UsePower(target=2))
    everybody_passes(arena)
    everybody_passes(arena)
    assert arena.view(1).power == PowerView("Kharliass", 10)


def test_force_of_nature_that_is_copied_works_while_it_lasts() -> None:
    arena = heroes("Kharliass", "Razbrak").put(1, pawn=(0, 3), hand=["Wizard RED"])
    free = arena.reach(1, "Wizard RED")
    arena.put(1, effects=(Active("Tower Black", 4, 2),))
    towered = arena.reach(1, "Wizard RED")
    assert towered < free
    arena.act(1, UsePower(target=2))
    assert arena.reach(1, "Wizard RED") == free
    everybody_passes(arena)
    everybody_passes(arena)
    arena.put(1, pawn=(0, 3), hand=["Wizard RED"])
    assert arena.reach(1, "Wizard RED") == towered


def test_impassable_that_is_copied_makes_towers_firm() -> None:
    arena = heroes("Kharliass", "Djor")
    arena.act(1, UsePower(target=2))
    everybody_passes(arena)
    arena.put(1, gauge=40).act(1, PlayTrump("Tower Red", 3))
    assert arena.player(3).effects[0].firm


# --- Luni and Mirindrel --------------------------------------------------------------------------------


def test_lunis_warriors_may_push_this_turn() -> None:
    arena = heroes("Luni").put(1, pawn=(0, 7), hand=["Warrior BLUE", "King RED"]).put(2, pawn=(8, 4))
    arena.act(1, UsePower())
    arena.act(1, Play("Warrior", "BLUE", 0, 6))
    arena.act(1, Push(2, 8, 5))
    assert arena.pawn(2) == (8, 5)
    everybody_passes(arena)
    arena.put(1, pawn=(0, 7), hand=["Warrior BLUE"])
    arena.act(1, Play("Warrior", "BLUE", 0, 6))
    assert arena.state.strike is None


def test_mirindrel_changes_a_square_for_good() -> None:
    arena = heroes("Mirindrel").put(1, pawn=(0, 7), hand=["Warrior YELLOW"])
    assert arena.reach(1, "Warrior YELLOW") == set()
    arena.act(1, UsePower(x=0, y=6, color="YELLOW"))
    assert arena.reach(1, "Warrior YELLOW") == {(0, 6)}
    assert arena.view(2).painted == {"0,6": "YELLOW"}
    everybody_passes(arena)
    assert arena.view(2).painted == {"0,6": "YELLOW"}
    arena.put(1, gauge=40).act(1, UsePower(x=0, y=6, color="BLUE"))
    assert arena.view(2).painted == {"0,6": "BLUE"}
    assert arena.ground.masks(arena.state.painted) == arena.ground.board.masks


def test_what_mirindrel_may_not_change() -> None:
    arena = heroes("Mirindrel")
    arena.refuses(1, UsePower(x=16, y=8, color="BLUE"), "aim_square")
    for x, y in ((26, 8), (5, 8)):
        arena.refuses(1, UsePower(x=x, y=y, color="BLUE"), "aim_square")
    arena.refuses(1, UsePower(x=0, y=6, color="BLUE"), "bad_color")
    arena.refuses(1, UsePower(x=0, y=6, color="PINK"), "bad_color")
    arena.refuses(1, UsePower(x=0, y=9, color="RED"), "off_the_board")
    x, y = arena.pawn(2)
    assert arena.allows(1, UsePower(x=x, y=y, color="BLACK")), "an occupied square may change"


def test_a_hand_that_is_emptied_still_allows_a_power() -> None:
    arena = heroes("Arline").put(1, hand=["King RED"])
    arena.act(1, Discard("King", "RED"))
    assert arena.allows(1, UsePower())
