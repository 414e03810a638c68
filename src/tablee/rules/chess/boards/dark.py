"""The board of Dark chess: no check, no en passant, and each side sees only where it could go."""

from __future__ import annotations

from collections.abc import Iterator

import chess

from tablee.rules.chess.boards.classic import ClassicBoard, Ending, placement

HIDDEN = "?"


class DarkBoard(ClassicBoard):
    """Moves need not care for the king; who takes it wins."""

    uci_variant = "dark"
    has_check = False

    def generate_legal_moves(
        self, from_mask: chess.Bitboard = chess.BB_ALL, to_mask: chess.Bitboard = chess.BB_ALL
    ) -> Iterator[chess.Move]:
        if self.is_variant_end():
            return iter(())
        return self.generate_pseudo_legal_moves(from_mask, to_mask)

    def generate_pseudo_legal_ep(
        self, from_mask: chess.Bitboard = chess.BB_ALL, to_mask: chess.Bitboard = chess.BB_ALL
    ) -> Iterator[chess.Move]:
        return iter(())

    def is_variant_end(self) -> bool:
        occupied = self.occupied_co
        return not (self.kings & occupied[chess.WHITE] and self.kings & occupied[chess.BLACK])

    def is_legal(self, move: chess.Move) -> bool:
        return not self.is_variant_end() and self.is_pseudo_legal(move)

    def checkers_mask(self) -> chess.Bitboard:
        return chess.BB_EMPTY

    def gives_check(self, move: chess.Move) -> bool:
        return False

    def is_into_check(self, move: chess.Move) -> bool:
        return False

    def was_into_check(self) -> bool:
        return False

    def _attacked_for_king(self, path: chess.Bitboard, occupied: chess.Bitboard) -> bool:
        return False

    def ending(self) -> Ending | None:
        if self.is_variant_end():
            return "king_taken"
        return None if any(self.generate_legal_moves()) else "stalemate"

    def winner(self) -> chess.Color | None:
        return (not self.turn) if self.is_variant_end() else None

    def can_win(self, color: chess.Color) -> bool:
        return True

    def faults(self) -> list[str]:
        """A king may be taken: with one of them only, the game is over, and that can be shown."""
        found = super().faults()
        counts = [chess.popcount(self.kings & self.occupied_co[color]) for color in chess.COLORS]
        if max(counts) == 1:
            found = [fault for fault in found if "kings" not in fault]
        return found

    # --- what is seen -----------------------------------------------------------------------------------

    def visible(self, color: chess.Color) -> chess.Bitboard:
        """The squares that a side sees: its own pieces, and where they could move if it were its turn."""
        own, free = self.occupied_co[color], ~self.occupied & chess.BB_ALL
        seen = own
        # Where a king would castle to, its rook sees already.
        for square in chess.scan_forward(own & ~self.pawns):
            seen |= self.attacks_mask(square)
        pawns = own & self.pawns
        steps = (pawns << 8 if color else pawns >> 8) & free
        twice = (steps & chess.BB_RANK_3) << 8 if color else (steps & chess.BB_RANK_6) >> 8
        seen |= steps | twice & free
        for square in chess.scan_forward(pawns):
            seen |= chess.BB_PAWN_ATTACKS[color][square] & self.occupied_co[not color]
        return seen

    def seen(self, color: chess.Color | None) -> chess.Bitboard:
        """What a side sees; None is whoever looks on, who sees nothing.

        What both sides see alike would tell a player what the other sees.
        """
        return chess.BB_EMPTY if color is None else self.visible(color)

    def sight(self, seen: chess.Bitboard) -> str:
        """The placement of the pieces on these squares, `?` for each of the others."""
        return placement(self, seen, HIDDEN)
