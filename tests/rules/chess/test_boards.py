"""What is particular to each board."""

from __future__ import annotations

import chess
import pytest

from tablee.rules.chess import model
from tablee.rules.chess.boards import (
    BOARDS,
    VARIANTS,
    AliceBoard,
    BadMove,
    DarkBoard,
    HordeBoard,
    read_move,
)
from tablee.rules.chess.model import keep, position


def names(squares: int) -> set[str]:
    return {chess.square_name(square) for square in chess.scan_forward(squares)}


def placements(board: chess.Board) -> tuple[str, ...]:
    return tuple(board.fen().split()[0].split("|"))


def moves(board: chess.Board) -> set[str]:
    return {move.uci() for move in board.generate_legal_moves()}


@pytest.mark.parametrize(
    ("text", "move"), [("e2e4", "e2e4"), ("E2E4", "e2e4"), ("E7E8h", "e7e8n"), ("a2a1Q", "a2a1q")]
)
def test_a_move_is_read_in_any_case_and_the_knight_by_two_letters(text: str, move: str) -> None:
    assert read_move(text).uci() == move


@pytest.mark.parametrize("text", ["", "e2", "e2e9", "e2e4e5", "e7e8k", "e7e8p", "0000", "P@e4", "é2e4"])
def test_what_is_no_move_is_refused(text: str) -> None:
    with pytest.raises(BadMove):
        read_move(text)


@pytest.mark.parametrize("variant", VARIANTS)
def test_castling_is_written_as_the_kings_two_steps_only(variant: str) -> None:
    fen = {
        "classic": "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        "alice": "4k3/8/8/8/8/8/8/4K2R|8/8/8/8/8/8/8/8 w K - 0 1",
        "dark": "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        "horde": "p7/8/8/8/8/8/8/4K2R w K - 0 1 -",
    }[variant]
    board = BOARDS[variant](fen)
    assert board.may_play(read_move("e1g1"))
    assert not board.may_play(read_move("e1h1"))


# --- Horde ----------------------------------------------------------------------------------------------


def test_the_horde_stands_as_the_document_wants_it() -> None:
    board = HordeBoard()
    files = dict.fromkeys("abcfgh", range(5, 9)) | dict.fromkeys("de", range(4, 8))
    expected = {f"{file}{row}" for file, rows in files.items() for row in rows}
    assert names(board.occupied_co[chess.BLACK]) == expected
    assert board.pieces(chess.PAWN, chess.BLACK) == chess.SquareSet(board.occupied_co[chess.BLACK])
    assert board.king(chess.BLACK) is None
    assert board.turn == chess.WHITE


def test_only_pawns_that_began_on_rank_seven_step_twice_and_only_once() -> None:
    board = HordeBoard("p7/1p6/8/8/8/8/8/4K3 b - - 0 1")
    assert moves(board) == {"a8a7", "b7b6", "b7b5"}
    board.push_uci("a8a7")
    board.push_uci("e1e2")
    assert moves(board) == {"a7a6", "b7b6", "b7b5"}
    board.push_uci("b7b6")
    board.push_uci("e2e1")
    assert moves(board) == {"a7a6", "b6b5"}
    for _ in range(4):
        board.pop()
    assert board.fen() == "p7/1p6/8/8/8/8/8/4K3 b - - 0 1 b"


def test_a_pawn_taken_on_rank_seven_takes_its_files_right_with_it() -> None:
    board = HordeBoard("1p6/1p6/8/8/8/8/8/1R2K3 w - - 0 1")
    board.push_uci("b1b7")
    assert board.fen().split()[6] == "-"


def test_both_sides_of_horde_take_in_passing_and_black_promotes_on_row_one() -> None:
    board = HordeBoard("8/3p4/8/4P3/5p2/8/4P1p1/K7 b - - 0 1 d")
    board.push_uci("d7d5")
    assert "e5d6" in moves(board)
    board.push_uci("e2e4")
    assert {"f4e3", "g2g1q", "g2g1r", "g2g1b", "g2g1n"} <= moves(board)
    assert "g2g1" not in moves(board)


def test_the_seventh_field_is_read_and_written() -> None:
    assert HordeBoard("8/pp6/8/8/8/8/8/4K3 b - - 0 1").fen().split()[6] == "ab"
    assert HordeBoard("8/pp6/8/8/8/8/8/4K3 b - - 0 1 b").fen().split()[6] == "b"
    assert HordeBoard("8/pp6/8/8/8/8/8/4K3 b - - 0 1 -").fen().split()[6] == "-"
    for wrong in ("c", "bb", "x", "a b", "A"):
        with pytest.raises(ValueError, match=r"twice|seven"):
            HordeBoard(f"8/pp6/8/8/8/8/8/4K3 b - - 0 1 {wrong}")


def test_positions_of_the_horde_differ_by_their_fresh_pawns() -> None:
    fresh, stale = (HordeBoard(f"8/pp6/8/8/8/8/8/4K3 b - - 0 1 {files}") for files in ("ab", "a"))
    assert fresh.key() != stale.key()
    assert fresh.copy().fen() == fresh.fen()


# --- Alice ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["e4 d5 Be2 dxe4 Bb5", "e4 e5 Qh5 g6 Qxe5"])
def test_the_two_known_mates_are_mates(game: str) -> None:
    board = AliceBoard()
    for san in game.split():
        assert not board.is_checkmate()
        board.push_san(san)
    assert board.is_checkmate()
    assert board.ending() == "mate"
    assert board.winner() == chess.WHITE


def test_a_piece_changes_board_with_every_move_and_back() -> None:
    board = AliceBoard()
    board.push_uci("e2e4")
    assert placements(board) == (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR",
        "8/8/8/8/4P3/8/8/8",
    )
    board.push_uci("a7a6")
    board.push_uci("e4e5")
    assert placements(board)[1] == "8/8/p7/8/8/8/8/8"
    board.pop()
    board.pop()
    board.pop()
    assert board.fen() == AliceBoard.starting_fen


def test_the_arrival_must_be_free_on_the_other_board_of_either_colour() -> None:
    for piece in "nN":
        board = AliceBoard(f"4k3/8/8/8/8/8/4P3/4K3|8/8/8/8/8/4{piece}3/8/8 w - - 0 1")
        assert "e2e3" not in moves(board)
        assert "e2e4" in moves(board), "what is merely passed does not matter"


def test_there_is_no_en_passant_in_alice() -> None:
    board = AliceBoard("4k3/3p4/8/4P3/8/8/8/4K3|8/8/8/8/8/8/8/8 b - - 0 1")
    board.push_uci("d7d5")
    assert "e5d6" not in moves(board)


def test_castling_takes_both_to_the_other_board() -> None:
    board = AliceBoard("4k3/8/8/8/8/8/8/4K2R|8/8/8/8/8/8/8/8 w K - 0 1")
    board.push_uci("e1g1")
    assert placements(board) == ("4k3/8/8/8/8/8/8/8", "8/8/8/8/8/8/8/5RK1")
    assert board.fen().split()[2] == "-"


@pytest.mark.parametrize(
    "fen",
    [
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K3|4r3/8/8/8/8/8/8/8 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K3|9/8/8/8/8/8/8/8 w - - 0 1",
        "",
    ],
)
def test_a_bad_fen_of_alice_is_refused(fen: str) -> None:
    with pytest.raises(ValueError, match=r"FEN|fen|square|row|position"):
        AliceBoard(fen)


@pytest.mark.parametrize(
    ("fen", "move", "may"),
    [
        ("4k3/8/8/8/8/8/r7/4K3|8/8/8/8/8/8/8/8 w - - 0 1", "e1d2", False),  # attacked where it leaves
        ("4k3/8/8/8/8/8/8/4K3|8/8/8/8/8/8/r7/8 w - - 0 1", "e1d2", False),  # and where it arrives
        ("4k3/8/8/8/8/8/8/4K3|8/8/8/8/8/8/r7/8 w - - 0 1", "e1d1", True),
        ("4k3/8/8/8/8/4r3/8/4K3|3R4/8/8/8/8/8/8/8 w - - 0 1", "d8d7", False),  # in check, and still
        ("4k3/8/8/8/8/4r3/8/4K3|8/8/R7/8/8/8/8/8 w - - 0 1", "a6e6", False),  # beyond the attacker
        ("4k3/8/8/4r3/8/8/8/4K3|8/8/8/8/R7/8/8/8 w - - 0 1", "a4e4", True),  # comes in between
        ("4k3/8/8/8/8/8/8/R3K3|3r4/8/8/8/8/8/8/1n6 w Q - 0 1", "e1c1", True),  # passed on board 2
        ("4k3/8/8/8/8/8/8/R3K3|8/8/8/8/8/8/8/3n4 w Q - 0 1", "e1c1", False),  # the rook's arrival
        ("4k3/8/8/8/8/8/8/R3K3|8/8/8/8/8/8/8/2n5 w Q - 0 1", "e1c1", False),  # the king's
        ("4k3/8/8/8/8/8/8/R3K3|2r5/8/8/8/8/8/8/8 w Q - 0 1", "e1c1", False),  # attacked there
        ("3rk3/8/8/8/8/8/8/R3K3|8/8/8/8/8/8/8/8 w Q - 0 1", "e1c1", False),  # attacked on the way
        ("1r2k3/8/8/8/8/8/8/R3K3|8/8/8/8/8/8/8/8 w Q - 0 1", "e1c1", True),
        ("4k3/8/8/8/8/8/8/Rn2K3|8/8/8/8/8/8/8/8 w Q - 0 1", "e1c1", False),
    ],
)
def test_where_a_king_may_go_through_the_looking_glass(fen: str, move: str, may: bool) -> None:
    assert (move in moves(AliceBoard(fen))) == may


def test_a_promoted_piece_changes_board_as_well() -> None:
    board = AliceBoard("7k/P7/8/8/8/8/8/K7|8/8/8/8/8/8/8/8 w - - 0 1")
    board.push_uci("a7a8n")
    assert placements(board) == ("7k/8/8/8/8/8/8/K7", "N7/8/8/8/8/8/8/8")


def test_nobody_castles_from_beyond_the_looking_glass() -> None:
    board = AliceBoard("4k3/8/8/8/8/8/8/7R|8/8/8/8/8/8/8/4K3 w K - 0 1")
    assert board.fen().split()[2] == "-"
    assert "e1g1" not in moves(board)


# --- Dark -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fen", "seen"),
    [
        ("4k3/8/8/8/4p3/8/4P3/4K3 w - - 0 1", {"d1", "f1", "d2", "f2", "e1", "e2", "e3"}),
        ("4k3/8/8/8/8/4p3/4P3/4K3 w - - 0 1", {"d1", "f1", "d2", "f2", "e1", "e2"}),
        ("4k3/8/8/8/8/3p4/4P3/4K3 b - - 0 1", {"d1", "f1", "d2", "f2", "e1", "e2", "e3", "e4", "d3"}),
    ],
)
def test_a_side_sees_its_pieces_and_where_they_could_go(fen: str, seen: set[str]) -> None:
    assert names(DarkBoard(fen).visible(chess.WHITE)) == seen


def test_what_is_not_seen_is_a_question_mark() -> None:
    board = DarkBoard("4k3/8/8/8/8/3p4/4P3/4K3 w - - 0 1")
    sight = board.sight(board.visible(chess.WHITE))
    assert sight == "????????/????????/????????/????????/????1???/???p1???/???1P1??/???1K1??"


def test_castling_in_the_dark_asks_for_no_safety() -> None:
    board = DarkBoard("4k3/8/8/8/8/8/4r3/4K2R w K - 0 1")
    assert "e1g1" in moves(board)
    assert not board.is_check()


@pytest.mark.parametrize(
    ("variant", "fen"),
    [
        ("classic", "8/8/8/8/8/8/8/4K3 w - - 0 1"),
        ("classic", "4k3/8/8/8/8/8/8/P3K3 w - - 0 1"),
        ("classic", "4k3/8/8/8/8/8/8/4K3 w - e6 0 1"),
        ("classic", "4k3/4R3/8/8/8/8/8/4K3 w - - 0 1"),
        ("alice", "4k3/4R3/8/8/8/8/8/4K3|8/8/8/8/8/8/8/8 w - - 0 1"),
        ("dark", "8/8/8/8/8/8/8/8 w - - 0 1"),
        ("dark", "4kk2/8/8/8/8/8/8/4K3 w - - 0 1"),
        ("horde", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        ("horde", "8/8/8/8/8/8/8/p3K3 w - - 0 1"),
        ("horde", "8/8/8/8/8/8/3p4/4K3 b - - 0 1"),
    ],
)
def test_positions_that_cannot_be_played_have_their_faults_named(variant: str, fen: str) -> None:
    assert BOARDS[variant](fen).faults() != []


def test_a_position_that_comes_up_in_many_games_is_kept_once() -> None:
    fen = BOARDS["classic"]().fen()
    first = position("classic", fen)
    for _ in range(3):
        keep("classic", fen, BOARDS["classic"]())
    assert position("classic", fen) is first
    assert model._kept("classic", fen) == [first]
