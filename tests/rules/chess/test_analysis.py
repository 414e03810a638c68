"""A position of a finished game, analysed: what may be tried there, what is best, and for whom."""

from __future__ import annotations

import pytest

from tablee.rules.chess.analysis import analyse
from tablee.rules.chess.boards import BOARDS, VARIANTS, BadMove

ALICE = "e2e4 d7d5 f1e2 d5e4"
FOOL = "f2f3 e7e5 g2g4"


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_start_is_even_and_has_its_moves(variant: str) -> None:
    board = BOARDS[variant]()
    found = analyse(variant, board.starting_fen, [], [])
    assert found.fen == board.starting_fen
    assert "|".join(found.boards.values()) == board.starting_fen.split()[0]
    assert {f"{a}{b}" for a, to in found.moves.items() for b in to} == {m.uci() for m in board.legal_moves}
    assert (found.turn, found.last, found.check, found.ended, found.line) == ("white", None, None, None, [])
    assert found.advice is not None
    assert found.advice.move[:2] in found.moves


@pytest.mark.parametrize(
    ("variant", "played", "move", "san", "wins_in"),
    [
        ("classic", FOOL, "d8h4", "Qh4#", -1),
        ("alice", ALICE, "e2b5", "Bb5#", 1),
        ("dark", "e2e4 f7f6 d1h5 a7a6", "h5e8", "Qxe8#", 1),
    ],
)
def test_a_win_in_one_is_advised_and_told_for_its_side(
    variant: str, played: str, move: str, san: str, wins_in: int
) -> None:
    advice = analyse(variant, BOARDS[variant].starting_fen, played.split(), []).advice
    assert advice is not None
    assert (advice.move, advice.san.rstrip("#"), advice.wins_in) == (move, san.rstrip("#"), wins_in)
    assert (advice.score > 0) == (wins_in > 0)


def test_what_is_tried_is_played_after_the_game_so_far() -> None:
    found = analyse("classic", BOARDS["classic"].starting_fen, FOOL.split(), ["d8h4"])
    assert (found.line, found.last, found.check, found.ended) == (["Qh4#"], "d8h4", "e1", "mate")
    assert found.moves == {}
    assert found.advice is None


def test_a_pawn_about_to_promote_is_named() -> None:
    found = analyse("classic", "8/P6k/8/8/8/8/8/K7 w - - 0 1", [], [])
    assert found.promotes == {"a7": ["a8"]}
    assert found.advice is not None
    assert found.advice.score > 300


@pytest.mark.parametrize("tried", [["e2e5"], ["castle"], ["e2e4", "e2e4"], ["0000"]])
def test_what_cannot_be_played_is_refused(tried: list[str]) -> None:
    with pytest.raises(BadMove):
        analyse("classic", BOARDS["classic"].starting_fen, [], tried)
