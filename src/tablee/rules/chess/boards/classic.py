"""The board of classic chess, with the few questions that our rules ask of every variant."""

from __future__ import annotations

from typing import Final, Literal

import chess

Ending = Literal["mate", "stalemate", "material", "king_taken", "horde_taken"]
"""How a position itself ends a game."""


EMPTY: Final = "1"


def placement(board: chess.BaseBoard, shown: chess.Bitboard = chess.BB_ALL, unseen: str = EMPTY) -> str:
    """The pieces on some squares as the first field of a FEN has them, each other square as `unseen`.

    The library's own `board_fen` asks for all 64 squares one by one; every move of every game needs this.
    """
    squares = [unseen] * 64
    if unseen != EMPTY:
        for square in chess.scan_forward(shown):
            squares[square] = EMPTY
    kinds = (board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings)
    for color, letters in ((chess.WHITE, "PNBRQK"), (chess.BLACK, "pnbrqk")):
        own = board.occupied_co[color] & shown
        for letter, kind in zip(letters, kinds, strict=True):
            for square in chess.scan_forward(kind & own):
                squares[square] = letter
    text = "/".join("".join(squares[row : row + 8]) for row in range(56, -1, -8))
    for length in range(8, 1, -1):
        text = text.replace(EMPTY * length, str(length))
    return text


def key_of(fen: str) -> str:
    """What two positions have in common if they are the same: all of the FEN but its two counters."""
    fields = fen.split(" ")
    return " ".join(fields[:4] + fields[6:])


class ClassicBoard(chess.Board):
    """Chess as everybody knows it."""

    has_check = True
    """Whether a king may not be left to be taken."""

    def board_fen(self, *, promoted: bool | None = False) -> str:
        return super().board_fen(promoted=promoted) if promoted else placement(self)

    def key(self) -> str:
        """What two positions have in common if they are the same."""
        return key_of(self.fen())

    def may_play(self, move: chess.Move) -> bool:
        """Whether this is one of the moves, castling written as the king's two steps and no other way."""
        return move in self.generate_legal_moves(chess.BB_SQUARES[move.from_square])

    def ending(self) -> Ending | None:
        """How the game ends with this position, if it does; draws by counting are not the board's."""
        if not any(self.generate_legal_moves()):
            return "mate" if self.is_check() else "stalemate"
        return "material" if self.is_insufficient_material() else None

    def winner(self) -> chess.Color | None:
        """Who has won by `ending`; None where it is a draw."""
        return (not self.turn) if self.ending() == "mate" else None

    def can_win(self, color: chess.Color) -> bool:
        """Whether this side could still win by some sequence of moves: if not, time alone does not win."""
        return not self.has_insufficient_material(color)

    def faults(self) -> list[str]:
        """What keeps this from being a position that can be played, as sentences."""
        found = [
            f"{'White' if color else 'Black'} has {count} kings, not one."
            for color in chess.COLORS
            if (count := chess.popcount(self.kings & self.occupied_co[color])) != 1
        ]
        if self.pawns & (chess.BB_RANK_1 | chess.BB_RANK_8):
            found.append("A pawn stands on the first or the last row.")
        if not found and self.has_check and self.was_into_check():
            found.append("The side that has just moved has left its king to be taken.")
        return found + self._en_passant_faults()

    def _en_passant_faults(self) -> list[str]:
        square = self.ep_square
        if square is None:
            return []
        behind = -8 if self.turn else 8
        passed = self.piece_at(square + behind) if 0 <= square + behind < 64 else None
        fits = (
            chess.square_rank(square) == (5 if self.turn else 2)
            and passed == chess.Piece(chess.PAWN, not self.turn)
            and not self.occupied & (chess.BB_SQUARES[square] | chess.BB_SQUARES[square - behind])
        )
        return [] if fits else [f"No pawn has just stepped over {chess.square_name(square)}."]
