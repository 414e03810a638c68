"""The board of Horde: White's army against thirty-two black pawns without a king."""

from __future__ import annotations

from collections.abc import Iterator

import chess

from tablee.rules.chess.boards.classic import ClassicBoard, Ending

_PROMOTIONS = (chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT)


class HordeBoard(ClassicBoard):
    """Only pawns that began on rank 7 may step twice, as their first move.

    That right is lost as the right to castle is, when something leaves or reaches the square: so both are
    kept in `castling_rights`, on rows of their own.
    """

    uci_variant = "horde"
    starting_fen = "ppp2ppp/pppppppp/pppppppp/pppppppp/3pp3/8/PPPPPPPP/RNBQKBNR w KQ - 0 1 abcdefgh"

    def __init__(self, fen: str | None = starting_fen, *, chess960: bool = False) -> None:
        super().__init__(fen, chess960=chess960)

    @property
    def fresh(self) -> chess.Bitboard:
        """The pawns that may still step twice."""
        return self.castling_rights & chess.BB_RANK_7

    def clean_castling_rights(self) -> chess.Bitboard:
        if self._stack:
            return self.castling_rights
        home = self.pawns & self.occupied_co[chess.BLACK]
        return super().clean_castling_rights() | self.fresh & home

    # --- moves ------------------------------------------------------------------------------------------

    def generate_pseudo_legal_moves(
        self, from_mask: chess.Bitboard = chess.BB_ALL, to_mask: chess.Bitboard = chess.BB_ALL
    ) -> Iterator[chess.Move]:
        if self.turn:
            yield from super().generate_pseudo_legal_moves(from_mask, to_mask)
            return
        pawns = self.pawns & self.occupied_co[chess.BLACK] & from_mask
        if self.occupied_co[chess.BLACK] & ~self.pawns & from_mask:
            yield from super().generate_pseudo_legal_moves(from_mask & ~self.pawns, to_mask)
        if pawns:
            yield from self._pawn_moves(pawns, to_mask)

    def _pawn_moves(self, pawns: chess.Bitboard, to_mask: chess.Bitboard) -> Iterator[chess.Move]:
        white, free = self.occupied_co[chess.WHITE] & to_mask, ~self.occupied
        steps = pawns >> 8 & free
        twice = (((pawns & self.castling_rights & chess.BB_RANK_7) >> 8 & free) >> 8) & free & to_mask
        targets = (
            ((pawns & ~chess.BB_FILE_A) >> 9 & white, 9),
            ((pawns & ~chess.BB_FILE_H) >> 7 & white, 7),
            (steps & to_mask, 8),
            (twice, 16),
        )
        for squares, step in targets:
            for square in chess.scan_reversed(squares):
                if square < 8:
                    for kind in _PROMOTIONS:
                        yield chess.Move(square + step, square, kind)
                else:
                    yield chess.Move(square + step, square)
        if self.ep_square is not None:
            yield from self.generate_pseudo_legal_ep(pawns, to_mask)

    def is_pseudo_legal(self, move: chess.Move) -> bool:
        return move in self.generate_pseudo_legal_moves(
            chess.BB_SQUARES[move.from_square], chess.BB_SQUARES[move.to_square]
        ) or (self.turn and super().is_pseudo_legal(move))

    # --- ends -------------------------------------------------------------------------------------------

    def is_variant_end(self) -> bool:
        return not self.occupied_co[chess.BLACK]

    def ending(self) -> Ending | None:
        if self.is_variant_end():
            return "horde_taken"
        if any(self.generate_legal_moves()):
            return None
        return "mate" if self.is_check() else "stalemate"

    def winner(self) -> chess.Color | None:
        match self.ending():
            case "horde_taken":
                return chess.WHITE
            case "mate":
                return chess.BLACK
        return None

    def has_insufficient_material(self, color: chess.Color) -> bool:
        """Whether Black, against a bare king, has but one knight, or bishops of one colour of squares."""
        black = self.occupied_co[chess.BLACK]
        if color or self.occupied_co[chess.WHITE] != self.kings:
            return False
        if black == self.knights:
            return chess.popcount(black) == 1
        return black == self.bishops and not (
            black & chess.BB_LIGHT_SQUARES and black & chess.BB_DARK_SQUARES
        )

    def is_insufficient_material(self) -> bool:
        """Never: what is left of the horde can be taken."""
        return False

    def faults(self) -> list[str]:
        found = []
        if chess.popcount(self.kings & self.occupied_co[chess.WHITE]) != 1:
            found.append("White must have one king.")
        if self.kings & self.occupied_co[chess.BLACK]:
            found.append("The horde has no king.")
        if self.pawns & self.occupied_co[chess.WHITE] & (chess.BB_RANK_1 | chess.BB_RANK_8):
            found.append("A white pawn stands on the first or the last row.")
        if self.pawns & self.occupied_co[chess.BLACK] & chess.BB_RANK_1:
            found.append("A black pawn stands on the first row.")
        if not found and self.was_into_check():
            found.append("White has left its king to be taken.")
        return found + self._en_passant_faults()

    # --- the seventh field ------------------------------------------------------------------------------

    def fen(
        self,
        *,
        shredder: bool = False,
        en_passant: chess.EnPassantSpec = "legal",
        promoted: bool | None = None,
    ) -> str:
        six = super().fen(shredder=shredder, en_passant=en_passant, promoted=promoted)
        files = "".join(chess.FILE_NAMES[chess.square_file(s)] for s in chess.scan_forward(self.fresh))
        return f"{six} {files or '-'}"

    def set_fen(self, fen: str) -> None:
        """The position of a FEN; its seventh field, where there is one, names the files of fresh pawns."""
        fields = fen.split()
        super().set_fen(" ".join(fields[:6]))
        home = self.pawns & self.occupied_co[chess.BLACK] & chess.BB_RANK_7
        if len(fields) < 7:
            self.castling_rights |= home
            return
        for file in fields[6] if fields[6] != "-" else "":
            square = (
                chess.BB_RANK_7 & chess.BB_FILES[chess.FILE_NAMES.index(file)] if file in "abcdefgh" else 0
            )
            if not square & home or square & self.fresh:
                raise ValueError(f"there is no pawn on {file}7 that could step twice: {fen!r}")
            self.castling_rights |= square
        if len(fields) > 7:
            raise ValueError(f"a FEN of Horde has seven fields: {fen!r}")

    def reset(self) -> None:
        self.set_fen(self.starting_fen)
