"""Where a piece might go in one's next turn, for all that one can tell: its way of moving alone."""

from __future__ import annotations

from functools import lru_cache

import chess

from tablee.rules.chess.boards import ClassicBoard
from tablee.rules.chess.boards.alice import AliceBoard


def premoves(board: ClassicBoard, color: chess.Color) -> dict[chess.Square, chess.Bitboard]:
    """By square of one's own pieces the squares that a premove may name: nothing of the enemy counts."""
    found = {}
    for square in chess.scan_forward(board.occupied_co[color]):
        kind = board.piece_type_at(square)
        assert kind is not None
        found[square] = _ways(kind, color, square)
        if kind == chess.KING and square == (chess.E1 if color else chess.E8):
            found[square] |= _castlings(board, color)
    return found


@lru_cache(maxsize=1024)
def _ways(kind: chess.PieceType, color: chess.Color, square: chess.Square) -> chess.Bitboard:
    if kind != chess.PAWN:
        board = chess.BaseBoard.empty()
        board.set_piece_at(square, chess.Piece(kind, color))
        return board.attacks_mask(square)
    ahead = 8 if color else -8
    ways = chess.BB_PAWN_ATTACKS[color][square]
    if 0 <= square + ahead < 64:
        ways |= chess.BB_SQUARES[square + ahead]
    if chess.square_rank(square) == (1 if color else 6):
        ways |= chess.BB_SQUARES[square + 2 * ahead]
    return ways


def _castlings(board: ClassicBoard, color: chess.Color) -> chess.Bitboard:
    row = chess.BB_RANK_1 if color else chess.BB_RANK_8
    rights = board.clean_castling_rights() & row
    if isinstance(board, AliceBoard):
        rights &= ~board.beyond
    ways = chess.BB_EMPTY
    if rights & chess.BB_FILE_A:
        ways |= row & chess.BB_FILE_C
    if rights & chess.BB_FILE_H:
        ways |= row & chess.BB_FILE_G
    return ways


def is_premove(board: ClassicBoard, color: chess.Color, move: chess.Move) -> bool:
    """Whether a premove may say this; a pawn that reaches the last row must say what it becomes."""
    ways = premoves(board, color).get(move.from_square, chess.BB_EMPTY)
    if not ways & chess.BB_SQUARES[move.to_square]:
        return False
    last = chess.square_rank(move.to_square) == (7 if color else 0)
    return (move.promotion is not None) == (last and board.piece_type_at(move.from_square) == chess.PAWN)
