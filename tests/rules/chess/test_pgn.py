"""Games leave the house as PGN, and other programs read them."""

from __future__ import annotations

import io

import chess.pgn
from tests.rules.chess.games import WHITE, Game

from tablee.rules.chess.pgn import write_pgn

TAGS = {"White": "Zoé", "Black": "Adil", "Date": "2026.11.16", "TimeControl": "300+3"}


def test_a_classic_game_is_read_by_the_library() -> None:
    game = Game().play("f2f3 e7e5 g2g4 d8h4")
    text = write_pgn(game.view(WHITE), TAGS)
    read = chess.pgn.read_game(io.StringIO(text))
    assert read is not None
    assert read.errors == []
    assert read.headers["White"] == TAGS["White"]
    assert read.headers["Result"] == "0-1"
    assert read.headers["Variant"] == "Standard"
    assert read.headers["TimeControl"] == "300+3"
    assert [move.uci() for move in read.mainline_moves()] == ["f2f3", "e7e5", "g2g4", "d8h4"]


def test_the_variant_has_its_tag_and_its_position() -> None:
    alice = write_pgn(Game("alice").play("e2e4").view(WHITE), {})
    assert '[Variant "Alice"]' in alice
    assert '[FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR|8/8/8/8/8/8/8/8 w KQkq - 0 1"]' in alice
    assert alice.endswith("\n\n1. e4 *\n")
    assert '[Variant "Pawn Hub Horde"]' in write_pgn(Game("horde").view(WHITE), {})


def test_a_game_that_black_begins_is_numbered_from_its_fen() -> None:
    game = Game("classic", "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 7").play("d7d5 e5d6 e8d7")
    assert write_pgn(game.view(WHITE), {}).splitlines()[-1] == "7... d5 8. exd6 Kd7 *"


def test_lines_are_not_longer_than_eighty_letters() -> None:
    game = Game(live=False)
    for _ in range(3):
        game.play("g1f3 g8f6 f3g1 f6g8")
    text = write_pgn(game.view(WHITE), {"Event": "a\nb", "Site": 'chez "Zoé" \\'})
    assert '[Site "chez \\"Zoé\\" \\\\"]' in text
    assert all(len(line) <= 80 for line in text.splitlines())
    assert '[Event "a b"]' in text
