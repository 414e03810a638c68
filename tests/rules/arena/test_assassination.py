"""Chapter 3 of the rules: what may follow an Assassin's move."""

from __future__ import annotations

from tests.rules.arena.arenas import Arena, kinds

from tablee.rules.arena.board import LINE_OR_DIAGONAL
from tablee.rules.arena.model import Discard, Pass, Play, PlayTrump, Push, PushSkipped, SkipPush
from tablee.rules.contract import Leave

STRIKE = Play("Assassin", "BLUE", 0, 5)


def poised(players: int = 3) -> Arena:
    """The first player holds a blue Assassin; the second stands beside blue squares, the last far away."""
    arena = Arena(players).put(1, pawn=(0, 7), hand=["Assassin BLUE", "King RED", "Wizard RED"])
    return arena.put(2, pawn=(8, 4))


def test_after_an_assassins_move_another_pawn_may_be_pushed_one_square_of_the_cards_colour() -> None:
    arena = poised()
    arena.act(1, STRIKE)
    assert arena.turn == 1
    described = arena.describe(1)
    assert described["push"]["color"] == "BLUE"
    assert described["push"]["targets"]["2"] == [[8, 5]]
    arena.act(1, Push(2, 8, 5))
    assert arena.pawn(2) == (8, 5)
    assert arena.moves == 1


def test_the_push_and_its_card_are_one_move_and_the_push_adds_no_gauge() -> None:
    arena = poised()
    arena.act(1, STRIKE)
    gauge = arena.player(1).gauge
    arena.act(1, Push(2, 8, 5))
    assert arena.player(1).gauge == gauge == 2
    assert arena.moves == 1


def test_until_it_is_played_or_skipped_nothing_else_may_be_done() -> None:
    arena = poised().put(1, trumps=("Ram",), gauge=40)
    arena.act(1, STRIKE)
    for action in (Pass(), Discard("King", "RED"), PlayTrump("Ram"), Play("Wizard", "RED", 0, 4)):
        arena.refuses(1, action, "push_first")
    arena.refuses(2, Push(1, 0, 6), "no_push")
    arena.act(1, SkipPush())
    assert arena.allows(1, Pass())


def test_the_last_move_of_a_turn_waits_for_its_push() -> None:
    arena = poised()
    arena.act(1, Discard("King", "RED"))
    arena.act(1, STRIKE)
    assert arena.turn == 1
    arena.act(1, SkipPush())
    assert arena.turn == 2


def test_walls_apply_and_only_free_squares_take_a_pawn() -> None:
    arena = poised().put(3, pawn=(8, 5))
    arena.act(1, STRIKE)
    assert "2" not in arena.describe(1)["push"]["targets"]
    arena.refuses(1, Push(2, 8, 5), "bad_push")
    arena.refuses(1, Push(2, 7, 5), "bad_push")


def test_nobody_pushes_himself_or_those_who_are_home_or_gone() -> None:
    arena = poised(4)
    arena.act(4, Leave())
    arena.act(1, STRIKE)
    for seat in (1, 4, 9):
        arena.refuses(1, Push(seat, 8, 5), "bad_push")


def test_the_colour_is_the_one_printed_whatever_towers_say() -> None:
    arena = poised().put(1, pawn=(0, 7)).under(1, "Tower Red")
    arena.act(1, STRIKE)
    arena.under(1, "Tower Blue")
    assert arena.allows(1, Push(2, 8, 5))


def test_a_pawn_may_be_pushed_off_its_aim_and_onto_it() -> None:
    arena = poised().put(2, pawn=(25, 8)).put(3, pawn=(4, 7))
    arena.act(1, STRIKE)
    targets = arena.describe(1)["push"]["targets"]
    assert arena.ground.is_aim(arena.player(2).arm, arena.square(25, 8))
    off = [place for place in targets.get("2", []) if place[1] == 7]
    assert off
    arena.act(1, Push(2, *off[0]))
    arena.act(1, Pass())
    assert arena.player(2).rank is None

    other = Arena(3).put(1, pawn=(0, 8), hand=["Assassin RED"]).put(2, pawn=(24, 7))
    other.put(1, pawn=(0, 7))
    other.act(1, Play("Assassin", "RED", 0, 8))
    assert [24, 8] in other.describe(1)["push"]["targets"]["2"]


def test_with_no_legal_push_it_is_skipped_by_itself() -> None:
    arena = poised()
    board, red = arena.ground.board, arena.ground.masks({})["RED"]
    safe = [s for s in range(board.squares) if not board.near[LINE_OR_DIAGONAL][s] & red]
    for seat, square in zip((2, 3), safe, strict=False):
        x, y = arena.ground.place(square)
        arena.put(seat, pawn=(x, y))
    arena.put(1, pawn=(0, 7), hand=["Assassin RED"])
    arena.act(1, Play("Assassin", "RED", 0, 8))
    assert arena.state.strike is None
    assert kinds(arena.facts) == ["played"]
    assert arena.allows(1, Pass())


def test_a_time_out_skips_it_and_then_passes() -> None:
    arena = poised()
    arena.act(1, STRIKE)
    arena.time_out(1)
    assert kinds(arena.facts)[:2] == ["push_skipped", "passed"]
    assert isinstance(arena.facts[0], PushSkipped)
    assert arena.turn == 2


def test_other_cards_push_nobody() -> None:
    arena = poised().put(1, pawn=(0, 7), hand=["Queen BLUE"])
    arena.act(1, Play("Queen", "BLUE", 0, 5))
    arena.refuses(1, SkipPush(), "no_push")
    arena.refuses(1, Push(2, 8, 5), "no_push")
