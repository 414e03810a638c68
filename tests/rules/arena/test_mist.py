"""Arline's night mist: what others see, hear and may do while it lasts."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace
from tests.rules.arena.arenas import Arena

from tablee.rules.arena.model import (
    Discard,
    Finished,
    Pass,
    Play,
    PlayTrump,
    Push,
    PushSkipped,
    SkipPush,
    UsePower,
)
from tablee.rules.arena.views import NamedCard, PlayedInMist, ToldDiscarded, ToldMistLifted, ToldPushed
from tablee.rules.contract import SPECTATOR, Leave


def misty(players: int = 3) -> Arena:
    """Seat 1 is Arline, in the mist, at (0,7)."""
    arena = Arena(players).put(1, hero="Arline", gauge=20, pawn=(0, 7), hand=["Queen BLUE", "Assassin BLUE"])
    arena.act(1, UsePower())
    return arena


def test_others_do_not_see_the_pawn_and_she_does() -> None:
    arena = misty()
    assert arena.view(1).players[1].pawn == (0, 7)
    for seat in (2, 3, SPECTATOR):
        assert arena.view(seat).players[1].pawn is None
        assert arena.view(seat).players[1].steps_home is None
        assert arena.view(seat).players[1].mist == 2


def test_others_learn_that_a_card_was_played_not_which_nor_where() -> None:
    arena = misty()
    before = arena.state
    arena.act(1, Play("Queen", "BLUE", 0, 5))
    for seat in (2, SPECTATOR):
        assert arena.told(seat, before) == [PlayedInMist(1)]
        shown = arena.view(seat).players[1]
        assert (shown.cards, shown.unseen, shown.played) == (1, 1, ())
        assert "Queen" not in msgspec.json.encode(replace(arena.view(seat), description="")).decode()
    (own,) = arena.told(1, before)
    assert (own.card, own.x, own.y) == ("Queen", 0, 5)


def test_whether_she_may_push_is_hers_to_know_and_a_push_is_told_without_its_card() -> None:
    arena = misty().put(2, pawn=(8, 4))
    before = arena.state
    arena.act(1, Play("Assassin", "BLUE", 0, 5))
    assert arena.told(2, before) == [PlayedInMist(1)]
    assert arena.view(2).strike is None
    assert arena.view(1).strike == "BLUE"
    before = arena.state
    arena.act(1, Push(2, 8, 5))
    assert arena.told(3, before) == [ToldPushed(1, 2, 8, 5)]


def test_that_she_pushes_nobody_is_not_told() -> None:
    arena = misty().put(2, pawn=(8, 4))
    arena.act(1, Play("Assassin", "BLUE", 0, 5))
    before = arena.state
    arena.act(1, SkipPush())
    assert arena.told(2, before) == []
    assert arena.told(1, before) == [PushSkipped(1)]


def test_no_trump_power_or_push_can_strike_her() -> None:
    arena = misty()
    arena.act(1, Pass())
    arena.put(2, trumps=("Tower Red", "Blizzard"), gauge=40, pawn=(4, 7), hand=["Assassin BLUE"])
    arena.refuses(2, PlayTrump("Blizzard", 1), "bad_target")
    arena.put(2, hero="Kharliass").refuses(2, UsePower(target=1), "bad_target")
    (square, *_) = arena.reach(2, "Assassin BLUE")
    arena.act(2, Play("Assassin", "BLUE", *square))
    assert "1" not in arena.describe(2).get("push", {}).get("targets", {})


def test_two_pawns_may_share_a_square_until_either_leaves() -> None:
    arena = misty()
    arena.act(1, Pass())
    arena.put(2, pawn=(0, 8), hand=["Warrior RED", "Wizard RED"])
    assert (0, 7) in arena.reach(2, "Warrior RED")
    arena.act(2, Play("Warrior", "RED", 0, 7))
    assert arena.pawn(1) == arena.pawn(2)
    arena.act(2, Play("Wizard", "RED", 1, 8))
    assert arena.pawn(1) == (0, 7)


def test_she_herself_may_not_land_on_those_whom_she_sees() -> None:
    arena = misty().put(2, pawn=(0, 6))
    assert (0, 6) not in arena.reach(1, "Queen BLUE")


def test_the_mist_lasts_this_turn_and_the_next_and_lifts_where_she_is() -> None:
    arena = misty()
    arena.act(1, Pass())
    assert arena.view(2).players[1].pawn is None
    arena.act(2, Pass())
    arena.act(3, Pass())
    assert arena.view(2).players[1].pawn is None
    before = arena.state
    arena.act(1, Pass())
    assert ToldMistLifted(1, 0, 7) in arena.told(2, before)
    assert arena.view(2).players[1].pawn == (0, 7)


def test_cards_played_in_the_mist_stay_unknown_when_it_has_lifted() -> None:
    arena = misty()
    arena.act(1, Play("Queen", "BLUE", 0, 5))
    for seat in (1, 2, 3, 1):
        arena.act(seat, Pass())
    shown = arena.view(2).players[1]
    assert (shown.pawn, shown.played, shown.unseen) == ((0, 5), (), 1)
    assert arena.view(1).hidden_plays == (NamedCard("Queen", "BLUE"),)


def test_coming_home_reveals_her() -> None:
    arena = misty().put(1, pawn=(16, 8))
    before = arena.state
    arena.act(1, Pass())
    arena.act(2, Pass())
    arena.act(3, Pass())
    assert Finished(1, 1) in arena.told(2, before)
    assert arena.view(2).players[1].rank == 1
    assert arena.view(2).players[1].mist == 0


def test_a_discard_in_the_mist_is_told_as_a_discard() -> None:
    arena = misty()
    before = arena.state
    arena.act(1, Discard("Queen", "BLUE"))
    assert arena.told(2, before) == [ToldDiscarded(1)]


def test_the_mist_may_be_called_again_while_it_lasts() -> None:
    arena = misty()
    for seat in (1, 2, 3):
        arena.act(seat, Pass())
    arena.act(1, UsePower())
    assert arena.player(1).mist == 2


@pytest.mark.parametrize("seat", [2, SPECTATOR])
def test_the_end_of_a_game_shows_a_pawn_that_was_in_the_mist(seat: int) -> None:
    arena = misty(2)
    assert arena.view(seat).players[1].pawn is None
    arena.act(2, Leave())
    assert arena.view(seat).players[1].pawn == (0, 7)
