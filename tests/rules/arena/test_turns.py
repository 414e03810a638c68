"""Chapters 3 and 4 of the rules: cards, hands, turns, ranks, the last round."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from tests.rules.arena.arenas import Arena, kinds

from tablee.rules.arena import ArenaOptions, ArenaRules, description_names
from tablee.rules.arena.board import LINE_OR_DIAGONAL
from tablee.rules.arena.model import Discard, Finished, Pass, Play, Refilled
from tablee.rules.arena.reach import distances
from tablee.rules.contract import Join, Leave, Replace


def play(card: str, x: int, y: int) -> Play:
    name, _, color = card.rpartition(" ")
    return Play(name, color, x, y)


# --- the start -----------------------------------------------------------------------------------------


def test_everybody_has_a_deck_of_his_own_with_every_card_in_every_colour() -> None:
    arena = Arena(4)
    for player in arena.state.players:
        assert Counter((*player.hand, *player.stock)) == Counter(range(28))
        assert len(player.hand) == 5
        assert player.gauge == 0


def test_seats_are_drawn_at_random_when_the_game_starts() -> None:
    rules = ArenaRules()
    orders = {rules.setup(ArenaOptions(), (1, 2, 3), 0, Random(seed))[0].order for seed in range(60)}  # type: ignore[attr-defined]
    assert len(orders) == 6


@pytest.mark.parametrize(
    ("players", "arms"), [(2, [0, 4]), (3, [0, 2, 5]), (4, [0, 2, 4, 6]), (8, list(range(8)))]
)
def test_players_start_on_arms_as_far_apart_as_can_be(players: int, arms: list[int]) -> None:
    arena = Arena(players)
    assert [player.arm for player in arena.state.players] == arms
    assert [arena.pawn(seat) for seat in range(1, players + 1)] == [(4 * arm, 8) for arm in arms]


def test_the_aim_is_the_whole_last_row_of_the_opposite_arm() -> None:
    arena = Arena(2)
    assert arena.view(1).players[1].aims == ((16, 8), (17, 8), (18, 8), (19, 8))
    assert arena.view(1).players[2].aims == ((0, 8), (1, 8), (2, 8), (3, 8))


def test_two_players_begin_with_one_move_more_with_two() -> None:
    assert Arena(2).moves == 1
    assert Arena(3).moves == 2
    arena = Arena(2)
    arena.act(1, Pass())
    assert arena.moves == 2
    arena.act(2, Pass())
    assert arena.moves == 2


# --- moves ---------------------------------------------------------------------------------------------


def test_a_card_takes_the_pawn_to_a_square_it_reaches() -> None:
    arena = Arena(3).put(1, pawn=(0, 7), hand=["Queen BLUE"])
    assert arena.reach(1, "Queen BLUE") == {(0, 6), (0, 5), (1, 7), (1, 8)}
    arena.act(1, play("Queen BLUE", 0, 5))
    assert arena.pawn(1) == (0, 5)
    assert arena.moves == 1


def test_pawns_are_passed_over_but_not_landed_on() -> None:
    arena = Arena(3).put(1, pawn=(0, 7), hand=["Queen BLUE"]).put(2, pawn=(0, 6))
    assert arena.reach(1, "Queen BLUE") == {(0, 5), (1, 7), (1, 8)}
    arena.refuses(1, play("Queen BLUE", 0, 6), "out_of_reach")


def test_a_square_off_the_board_or_the_pawns_own_is_out_of_reach() -> None:
    arena = Arena(3).put(1, pawn=(0, 7), hand=["Queen BLUE"])
    for x, y in [(0, 7), (0, 9), (-1, 7), (32, 7), (0, -1), (10**9, 0)]:
        arena.refuses(1, play("Queen BLUE", x, y), "out_of_reach")


def test_only_cards_of_the_hand_are_played_or_discarded() -> None:
    arena = Arena(3).put(1, pawn=(0, 7), hand=["Queen BLUE"])
    arena.refuses(1, play("Queen RED", 0, 5), "not_in_hand")
    arena.refuses(1, play("Jester BLUE", 0, 5), "not_in_hand")
    arena.refuses(1, Discard("Queen", "PURPLE"), "not_in_hand")


def test_a_discarded_card_costs_a_move_and_brings_nothing() -> None:
    arena = Arena(3).put(1, hand=["Queen BLUE", "King RED"])
    arena.act(1, Discard("King", "RED"))
    assert arena.moves == 1
    assert arena.hand(1) == ["Queen BLUE"]
    assert arena.player(1).gauge == 0


def test_the_turn_ends_by_itself_after_the_last_move_and_the_hand_is_refilled() -> None:
    arena = Arena(3)
    first, second = arena.hand(1)[:2]
    arena.act(1, Discard(*first.rsplit(" ", 1)))
    assert arena.turn == 1
    arena.act(1, Discard(*second.rsplit(" ", 1)))
    assert kinds(arena.facts) == ["discarded", "turn_ended", "refilled", "turn_began"]
    assert arena.turn == 2
    assert len(arena.player(1).hand) == 5


def test_a_pass_ends_the_turn() -> None:
    arena = Arena(3)
    arena.act(1, Pass())
    assert kinds(arena.facts) == ["passed", "turn_ended", "turn_began"]
    assert arena.turn == 2


def test_nobody_acts_out_of_turn() -> None:
    arena = Arena(3)
    arena.refuses(2, Pass(), "not_your_turn")
    arena.refuses(4, Pass(), "not_playing")


def test_an_empty_hand_with_moves_left_allows_a_pass() -> None:
    arena = Arena(3).put(1, hand=[])
    assert arena.describe(1)["play"] == []
    assert arena.describe(1)["discard"] == []
    arena.act(1, Pass())
    assert len(arena.player(1).hand) == 5


def test_a_card_that_reaches_nothing_can_still_be_discarded() -> None:
    arena = Arena(3).put(1, pawn=(0, 8), hand=["Warrior YELLOW"])
    assert arena.reach(1, "Warrior YELLOW") == set()
    assert arena.allows(1, Discard("Warrior", "YELLOW"))


# --- the stock -----------------------------------------------------------------------------------------


def test_an_empty_stock_is_made_anew_of_all_that_is_not_in_hand() -> None:
    arena = Arena(2)
    for _ in range(120):
        seat = arena.turn
        assert seat is not None
        hand = arena.hand(seat)
        arena.act(seat, Discard(*hand[0].rsplit(" ", 1)))
        refilled = [fact for fact in arena.facts if isinstance(fact, Refilled)]
        for fact in refilled:
            player = arena.player(fact.seat)
            if fact.stock is not None:
                assert Counter((*player.hand, *player.stock)) == Counter(range(28))
                assert (player.shown, player.discarded) == ((), ())
                return
    raise AssertionError("the stock was never made anew")


def test_the_hand_is_always_drawn_from_the_deck() -> None:
    arena = Arena(2)
    rng = Random(3)
    for _ in range(300):
        (seat,) = arena.rules.waiting(arena.state)
        action = arena.rules.legal(arena.state, seat).sample(rng)
        assert action is not None
        arena.act(seat, action)
        for player in arena.state.players:
            cards = (*player.hand, *player.stock, *player.shown, *player.misty, *player.discarded)
            assert not Counter(cards) - Counter(range(28))
            assert len(player.hand) <= 5
        if arena.state.ended:
            break


# --- ranks ---------------------------------------------------------------------------------------------


def test_a_pawn_on_its_aim_is_home_when_its_turn_begins() -> None:
    arena = Arena(3).put(2, pawn=(24, 8))
    assert arena.ground.is_aim(arena.player(2).arm, arena.square(24, 8))
    arena.act(1, Pass())
    assert Finished(2, 1) in arena.facts
    assert arena.turn == 3
    assert arena.view(1).players[2].pawn is None
    arena.refuses(2, Pass(), "out")


def test_reaching_the_aim_is_not_enough_before_the_next_turn() -> None:
    arena = Arena(2).put(1, pawn=(17, 7), hand=["Wizard RED"])
    arena.act(1, play("Wizard RED", 17, 8))
    assert arena.player(1).rank is None
    arena.act(2, Pass())
    assert arena.rules.result(arena.state) is not None


def test_the_last_on_his_way_takes_the_last_rank() -> None:
    arena = Arena(3).put(2, pawn=(24, 8)).put(3, pawn=(4, 8))
    arena.act(1, Pass())
    result = arena.rules.result(arena.state)
    assert result is not None
    assert (result.ranks, result.reason) == ({1: 3, 2: 1, 3: 2}, "finished")
    assert arena.rules.waiting(arena.state) == frozenset()


def test_resigning_takes_the_worst_free_rank_and_the_pawn_leaves() -> None:
    arena = Arena(4)
    arena.act(3, Leave())
    assert arena.player(3).rank == 4
    assert arena.turn == 1
    arena.act(1, Leave())
    assert arena.player(1).rank == 3
    assert arena.turn == 2
    assert arena.view(2).players[1].pawn is None
    arena.act(2, Leave())
    result = arena.rules.result(arena.state)
    assert result is not None
    assert (result.ranks, result.reason) == ({1: 3, 2: 2, 3: 4, 4: 1}, "resigned")


def test_who_resigned_cannot_resign_again_and_others_cannot_come_in() -> None:
    arena = Arena(3)
    arena.act(3, Leave())
    arena.refuses(3, Leave(), "out")
    arena.refuses(4, Join("Max"), "all_seated")


def test_somebody_else_may_go_on_in_a_seat() -> None:
    arena = Arena(3)
    assert arena.act(2, Replace("Max")) == []
    arena.refuses(2, Replace("Max", role=3), "no_roles")


def test_after_the_last_round_those_on_their_way_rank_by_their_steps() -> None:
    arena = Arena(4, rounds=1)
    arena.put(1, pawn=(16, 6)).put(2, pawn=(8, 8)).put(3, pawn=(0, 6)).put(4, pawn=(8, 7))
    for seat in (1, 2, 3, 4):
        assert arena.state.ended is None
        arena.act(seat, Pass())
    result = arena.rules.result(arena.state)
    assert result is not None
    assert result.reason == "rounds"
    assert result.ranks == {4: 1, 1: 2, 3: 2, 2: 4}


def test_those_who_are_home_or_gone_keep_their_ranks_after_the_last_round() -> None:
    arena = Arena(4, rounds=2).put(2, pawn=(24, 8)).put(3, pawn=(0, 6))
    arena.act(1, Pass())
    arena.act(4, Leave())
    arena.act(3, Pass())
    arena.act(1, Pass())
    arena.act(3, Pass())
    result = arena.rules.result(arena.state)
    assert result is not None
    assert result.ranks == {2: 1, 3: 2, 1: 3, 4: 4}


def test_a_round_is_over_when_everybody_on_his_way_had_his_turn() -> None:
    arena = Arena(3)
    rounds = []
    for seat in (1, 2, 3, 1, 2, 3):
        rounds.append(arena.view(0).round)
        arena.act(seat, Pass())
    assert rounds == [1, 1, 1, 2, 2, 2]


@pytest.mark.parametrize("variant", description_names())
def test_steps_to_the_aim_are_counted_alike_for_every_arm(variant: str) -> None:
    ground = Arena(2, variant=variant).ground
    for arm in range(ground.board.plan.number_arms):
        plain = distances(ground.board, LINE_OR_DIAGONAL, ground.board.aims(arm))
        assert {square: ground.steps_home(arm, square) for square in plain} == plain
        assert len(plain) == ground.board.squares
