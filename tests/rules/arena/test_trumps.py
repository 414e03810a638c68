"""Chapter 5 of the rules: the gauge, trumps and what they do."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from tests.rules.arena.arenas import Arena, kinds

from tablee.rules.arena import ArenaRules
from tablee.rules.arena.description import (
    ModifyNumberMoves,
    ModifyTrumpDurations,
    RemoveColor,
    RemoveEffects,
    Trump,
)
from tablee.rules.arena.effects import EFFECTS
from tablee.rules.arena.model import Active, Discard, Pass, Play, Played, PlayTrump
from tablee.rules.arena.trumps import deal_trumps
from tablee.rules.contract import Leave

OURS = ArenaRules().description.trumps


def armed(players: int = 3, gauge: int = 40, **options: Any) -> Arena:
    """A game whose first player has one trump of each kind and a full gauge."""
    arena = Arena(players, **options)
    return arena.put(1, trumps=("Tower Red", "Fortress Blue", "Blizzard", "Ram"), gauge=gauge)


# --- the gauge -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("card", "start", "end", "points"),
    [
        ("Queen BLUE", (0, 7), (0, 6), 1),
        ("Queen BLUE", (0, 7), (0, 5), 2),
        ("Queen BLUE", (0, 7), (1, 8), 1),
        ("King YELLOW", (0, 0), (30, 0), 2),
        ("Knight RED", (4, 1), (2, 2), 1),
        ("Wizard BLACK", (0, 3), (1, 4), 1),
    ],
)
def test_a_card_adds_the_least_steps_of_its_own_types(
    card: str, start: tuple[int, int], end: tuple[int, int], points: int
) -> None:
    arena = Arena(3).put(1, pawn=start, hand=[card])
    name, _, color = card.rpartition(" ")
    arena.act(1, Play(name, color, *end))
    assert arena.player(1).gauge == points


def test_the_gauge_counts_the_least_steps_even_where_colours_force_a_longer_way() -> None:
    arena = Arena(3)
    detours = []
    for color in arena.ground.colors:
        arena.put(1, hero="Ulya", hand=[f"Queen {color}"])
        for start in range(288):
            x, y = arena.ground.place(start)
            arena.put(1, pawn=(x, y))
            for square, way in arena.describe(1)["play"][0]["reach"].items():
                u, v = map(int, square.split(","))
                if len(way) == 3 and u // 4 == x // 4 and max(abs(u - x), abs(v - y)) == 2:
                    detours.append((color, (x, y), (u, v)))
    assert detours
    for color, begin, end in detours:
        arena.put(1, pawn=begin, hand=[f"Queen {color}"])
        (played, *_) = arena.rules.decide(arena.state, 1, Play("Queen", color, *end), 0, Random(1))
        assert isinstance(played, Played)
        assert played.gauge == 2


def test_the_gauge_holds_forty_and_the_rest_is_lost() -> None:
    arena = Arena(3).put(1, pawn=(0, 7), hand=["Queen BLUE"], gauge=39)
    arena.act(1, Play("Queen", "BLUE", 0, 5))
    assert arena.player(1).gauge == 40


def test_a_trump_takes_its_cost_and_is_refused_below_it() -> None:
    arena = armed(gauge=5)
    arena.refuses(1, PlayTrump("Blizzard", 2), "gauge_too_low")
    arena.put(1, gauge=6).act(1, PlayTrump("Blizzard", 2))
    assert arena.player(1).gauge == 0


# --- whom a trump may strike ---------------------------------------------------------------------------


def test_a_trump_is_played_on_another_who_is_still_on_his_way() -> None:
    arena = armed(4)
    arena.act(4, Leave())
    arena.refuses(1, PlayTrump("Tower Red"), "target_needed")
    for target in (1, 4, 5, 0, -1):
        arena.refuses(1, PlayTrump("Tower Red", target), "bad_target")
    assert arena.allows(1, PlayTrump("Tower Red", 2))


def test_a_trump_for_oneself_has_no_target() -> None:
    arena = armed()
    arena.refuses(1, PlayTrump("Ram", 2), "no_target")
    arena.refuses(1, PlayTrump("Ram", 1), "no_target")


def test_only_ones_own_four_trumps_are_played() -> None:
    arena = armed()
    arena.refuses(1, PlayTrump("Reinforcements"), "not_your_trump")
    arena.refuses(1, PlayTrump("Meteor"), "not_your_trump")


def test_one_trump_a_turn_and_it_is_not_used_up() -> None:
    arena = armed()
    arena.act(1, PlayTrump("Blizzard", 2))
    arena.refuses(1, PlayTrump("Tower Red", 2), "one_trump")
    assert arena.moves == 2
    for seat in (1, 2, 3):
        arena.act(seat, Pass())
    assert arena.allows(1, PlayTrump("Blizzard", 2))


def test_a_fifth_trump_on_one_player_is_refused_and_not_paid() -> None:
    arena = armed().under(2, *["Blizzard"] * 4)
    arena.refuses(1, PlayTrump("Tower Red", 2), "too_many_effects")
    assert arena.player(1).gauge == 40
    assert arena.allows(1, PlayTrump("Tower Red", 3))


def test_a_ram_is_played_with_four_trumps_on_oneself() -> None:
    arena = armed().under(1, *["Tower Red"] * 4)
    arena.act(1, PlayTrump("Ram"))
    assert arena.player(1).effects == ()


# --- what trumps do ------------------------------------------------------------------------------------


def test_a_tower_takes_its_colour_from_the_targets_cards_for_one_turn_of_his() -> None:
    arena = armed().put(2, pawn=(2, 4), hand=["Wizard BLACK", "Queen RED"])
    arena.act(1, PlayTrump("Tower Red", 2))
    arena.act(1, Pass())
    towered = arena.reach(2, "Wizard BLACK")
    assert "RED" not in {_color(arena, x, y) for x, y in towered}
    assert arena.reach(2, "Queen RED") == set()
    for seat in (2, 3, 1):
        arena.act(seat, Pass())
    assert arena.player(2).effects == ()
    arena.put(2, hand=["Wizard BLACK", "Queen RED"])
    again = arena.reach(2, "Wizard BLACK") - towered
    assert {_color(arena, x, y) for x, y in again} == {"RED"}
    assert arena.reach(2, "Queen RED")


def test_a_fortress_lasts_two_turns() -> None:
    arena = armed()
    arena.act(1, PlayTrump("Fortress Blue", 2))
    lefts = [arena.player(2).effects[0].left]
    for seat in (1, 2, 3, 1):
        arena.act(seat, Pass())
    lefts.append(arena.player(2).effects[0].left)
    arena.act(2, Pass())
    assert lefts == [2, 1]
    assert arena.player(2).effects == ()


def test_reinforcements_give_a_move_at_once_and_for_this_turn_alone() -> None:
    arena = Arena(3).put(1, trumps=("Reinforcements",), gauge=8)
    arena.act(1, PlayTrump("Reinforcements"))
    assert arena.moves == 3
    for _ in range(3):
        assert arena.turn == 1
        arena.act(1, Discard(*arena.hand(1)[0].rsplit(" ", 1)))
    assert arena.turn == 2
    assert len(arena.player(1).hand) == 5
    assert arena.player(1).effects == ()


def test_reinforcements_come_in_any_order_with_moves() -> None:
    arena = Arena(3).put(1, trumps=("Reinforcements",), gauge=8)
    arena.act(1, Discard(*arena.hand(1)[0].rsplit(" ", 1)))
    arena.act(1, PlayTrump("Reinforcements"))
    assert arena.moves == 2


def test_a_blizzard_takes_a_move_from_the_targets_next_turn() -> None:
    arena = armed()
    arena.act(1, PlayTrump("Blizzard", 2))
    assert arena.moves == 2
    arena.act(1, Pass())
    assert arena.moves == 1
    arena.act(2, Pass())
    arena.act(3, Pass())
    arena.act(1, Pass())
    assert arena.moves == 2


def test_blizzards_leave_one_move_at_least() -> None:
    arena = armed().under(2, *["Blizzard"] * 4)
    arena.act(1, Pass())
    assert arena.moves == 1
    arena.act(2, Discard(*arena.hand(2)[0].rsplit(" ", 1)))
    assert arena.turn == 3


def test_a_ram_takes_one_from_every_tower_and_fortress_at_once_and_leaves_nothing() -> None:
    arena = armed().put(
        1,
        effects=(
            Active("Tower Red", 1, 2),
            Active("Fortress Blue", 2, 3),
            Active("Blizzard", 1, 2),
        ),
    )
    arena.act(1, PlayTrump("Ram"))
    assert arena.player(1).effects == (Active("Fortress Blue", 1, 3), Active("Blizzard", 1, 2))
    assert arena.player(1).gauge == 36


def test_effects_come_and_go_exactly() -> None:
    arena = armed().put(1, pawn=(0, 3), hand=["Wizard BLACK"])
    free = arena.describe(1)["play"]
    arena.under(1, "Tower Red", "Fortress Blue", left=2)
    assert arena.describe(1)["play"] != free
    arena.act(1, PlayTrump("Ram"))
    arena.under(1)
    assert arena.describe(1)["play"] == free


def test_a_player_who_is_home_loses_his_effects() -> None:
    arena = armed().put(2, pawn=(24, 8)).under(2, "Blizzard", left=3)
    arena.act(1, Pass())
    assert arena.player(2).effects == ()
    assert arena.player(2).rank == 1


def _color(arena: Arena, x: int, y: int) -> str:
    return arena.ground.color_at(arena.square(x, y), arena.state.painted)


# --- the deal ------------------------------------------------------------------------------------------


def test_four_different_trumps_are_drawn_by_weight() -> None:
    rng = Random(5)
    drawn = Counter[str]()
    for _ in range(4000):
        dealt = deal_trumps(OURS, rng)
        assert len(set(dealt)) == 4
        drawn[dealt[0]] += 1
    weights = {trump.name: trump.weight for trump in OURS}
    total = sum(weights.values())
    assert total == 19
    for name, weight in weights.items():
        assert drawn[name] / 4000 == pytest.approx(weight / total, abs=0.03)


def test_a_game_with_at_most_four_trumps_deals_all_of_them() -> None:
    assert sorted(deal_trumps(OURS[:3], Random(1))) == sorted(trump.name for trump in OURS[:3])
    assert deal_trumps((), Random(1)) == ()


def test_the_trumps_of_the_standard_game_are_those_of_the_rules() -> None:
    table = {
        (trump.base, trump.weight, trump.cost, trump.duration, trump.must_target_player) for trump in OURS
    }
    assert table == {
        ("Tower", 1, 4, 1, True),
        ("Fortress", 1, 7, 2, True),
        ("Reinforcements", 3, 8, 1, False),
        ("Blizzard", 3, 6, 1, True),
        ("Ram", 5, 4, 1, False),
    }
    assert len(OURS) == 11


# --- a description combines effects without code -------------------------------------------------------


def own_game(*trumps: Trump) -> Arena:
    rules = ArenaRules("own", replace(ArenaRules().description, trumps=trumps))
    return Arena(3, rules=rules).put(1, gauge=40)


def test_every_effect_of_a_description_is_in_the_registry() -> None:
    kinds_of_effects = {ModifyNumberMoves, RemoveColor, RemoveEffects, ModifyTrumpDurations}
    assert {str(kind.__struct_config__.tag) for kind in kinds_of_effects} == set(EFFECTS)


def test_a_trump_of_ones_own_gives_another_more_moves() -> None:
    arena = own_game(Trump("Feast", "Feast", "", 3, ModifyNumberMoves(2), 2, must_target_player=True))
    arena.act(1, PlayTrump("Feast", 2))
    arena.act(1, Pass())
    assert arena.moves == 4


def test_a_trump_of_ones_own_takes_several_colours_from_oneself() -> None:
    arena = own_game(Trump("Fast", "Fast", "", 0, RemoveColor(("RED", "BLUE"))))
    arena.put(1, pawn=(0, 3), hand=["Wizard BLACK"])
    arena.act(1, PlayTrump("Fast"))
    assert {_color(arena, x, y) for x, y in arena.reach(1, "Wizard BLACK")} <= {"YELLOW", "BLACK"}


def test_a_trump_of_ones_own_takes_two_turns_off_anothers_feast_at_once() -> None:
    feast = Trump("Feast", "Feast", "", 3, ModifyNumberMoves(1), 3)
    thief = Trump("Thief", "Thief", "", 3, RemoveEffects(("Feast",)), 2, must_target_player=True)
    arena = own_game(feast, thief).put(2, effects=(Active("Feast", 3, 2),))
    arena.act(1, PlayTrump("Thief", 2))
    assert arena.player(2).effects == (Active("Feast", 1, 2),)


def test_losing_the_moves_that_were_used_ends_the_turn() -> None:
    feast = Trump("Feast", "Feast", "", 0, ModifyNumberMoves(1), 3)
    hunger = Trump("Hunger", "Hunger", "", 0, RemoveEffects(("Feast",)), 3)
    arena = own_game(feast, hunger).put(1, effects=(Active("Feast", 3, 1),))
    for _ in range(2):
        arena.act(1, Discard(*arena.hand(1)[0].rsplit(" ", 1)))
    arena.act(1, PlayTrump("Hunger"))
    assert kinds(arena.facts)[:2] == ["trump_played", "turn_ended"]


# --- durations changed -----------------------------------------------------------------------------------


def hourglass(delta: int, *names: str, target: bool = False) -> Arena:
    """A game of three whose first player may change durations: of these trumps, or of all."""
    made = Trump(
        name="Hourglass",
        base="Hourglass",
        description="Time goes faster.",
        cost=2,
        effect=ModifyTrumpDurations(delta, names),
        duration=3,
        must_target_player=target,
    )
    rules = ArenaRules("mine", replace(ArenaRules().description, trumps=(*OURS, made)))
    return Arena(3, rules=rules).put(1, trumps=("Hourglass", "Ram"), gauge=40)


def lefts(arena: Arena, seat: int) -> list[tuple[str, int]]:
    return [(each.trump, each.left) for each in arena.player(seat).effects]


def test_effects_of_the_named_trumps_last_less_long_at_once_and_nothing_of_the_trump_stays() -> None:
    arena = hourglass(-1, "Tower", "Fortress")
    arena.under(1, "Tower Red", "Fortress Blue", "Blizzard", "Fortress Red", left=2)
    arena.act(1, PlayTrump("Hourglass"))
    assert lefts(arena, 1) == [("Tower Red", 1), ("Fortress Blue", 1), ("Blizzard", 2), ("Fortress Red", 1)]
    assert arena.player(1).gauge == 38
    arena.under(1, "Tower Red", "Blizzard", left=1)
    arena.state = replace(arena.state, trumped=False)
    arena.act(1, PlayTrump("Hourglass"))
    assert lefts(arena, 1) == [("Blizzard", 1)]


def test_without_names_every_effect_on_the_target_changes_longer_ones_too() -> None:
    arena = hourglass(2, target=True).under(2, "Tower Red", "Blizzard", left=1)
    arena.act(1, PlayTrump("Hourglass", 2))
    assert lefts(arena, 2) == [("Tower Red", 3), ("Blizzard", 3)]


def test_what_is_firm_is_not_shortened_but_may_be_lengthened() -> None:
    for delta, left in ((-1, 2), (1, 3)):
        arena = hourglass(delta)
        arena.put(1, effects=(Active("Tower Red", 2, 2, firm=True),))
        arena.act(1, PlayTrump("Hourglass"))
        assert lefts(arena, 1) == [("Tower Red", left)]


def test_a_robot_shortens_a_blizzard_that_it_suffers() -> None:
    arena = hourglass(-2, "Blizzard").under(1, "Blizzard", "Blizzard", left=2)
    strong = arena.rules.robots["strong"]
    chosen = strong.choose(arena.view(1), arena.rules.legal(arena.state, 1), Random(1))
    assert chosen == PlayTrump("Hourglass")
