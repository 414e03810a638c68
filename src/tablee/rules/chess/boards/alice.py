"""The board of Alice chess: two boards, and every piece that moves goes through the looking-glass.

No two pieces ever share a square of both boards, so the two are kept as one, with `beyond` the squares whose
piece stands on board 2.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

import chess

from tablee.rules.chess.boards.classic import ClassicBoard, placement

_PROMOTIONS = (chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT)


class AliceBoard(ClassicBoard):
    """A move is made on the board where the piece stands; then the piece is on the other one."""

    uci_variant = "alice"
    starting_fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR|8/8/8/8/8/8/8/8 w KQkq - 0 1"

    def __init__(self, fen: str | None = starting_fen, *, chess960: bool = False) -> None:
        self.beyond: chess.Bitboard = chess.BB_EMPTY
        self._was_beyond: list[chess.Bitboard] = []
        super().__init__(fen, chess960=chess960)

    # --- moves ------------------------------------------------------------------------------------------

    def generate_pseudo_legal_moves(
        self, from_mask: chess.Bitboard = chess.BB_ALL, to_mask: chess.Bitboard = chess.BB_ALL
    ) -> Iterator[chess.Move]:
        """Moves that are possible on the board of the piece and end on a square free on the other."""
        own, pawns = self.occupied_co[self.turn], self.pawns
        enemies = self.occupied_co[not self.turn]
        for here, there in (
            (self.occupied & ~self.beyond, self.beyond),
            (self.beyond, self.occupied & ~self.beyond),
        ):
            free = ~(own | there) & to_mask
            for origin in chess.scan_reversed(own & here & ~pawns & from_mask):
                for target in chess.scan_reversed(self._reach(origin, here) & free):
                    yield chess.Move(origin, target)
            movers = own & here & pawns & from_mask
            if movers:
                yield from self._pawn_moves(movers, here, there, enemies & here & to_mask, to_mask)
        if from_mask & self.kings & ~self.beyond:
            yield from self.generate_castling_moves(from_mask, to_mask)

    def _reach(self, square: chess.Square, occupied: chess.Bitboard) -> chess.Bitboard:
        bit = chess.BB_SQUARES[square]
        if self.knights & bit:
            return chess.BB_KNIGHT_ATTACKS[square]
        if self.kings & bit:
            return chess.BB_KING_ATTACKS[square]
        reach = 0
        if bit & (self.bishops | self.queens):
            reach = chess.BB_DIAG_ATTACKS[square][chess.BB_DIAG_MASKS[square] & occupied]
        if bit & (self.rooks | self.queens):
            reach |= (
                chess.BB_RANK_ATTACKS[square][chess.BB_RANK_MASKS[square] & occupied]
                | chess.BB_FILE_ATTACKS[square][chess.BB_FILE_MASKS[square] & occupied]
            )
        return reach

    def _pawn_moves(
        self,
        movers: chess.Bitboard,
        here: chess.Bitboard,
        there: chess.Bitboard,
        enemies: chess.Bitboard,
        to_mask: chess.Bitboard,
    ) -> Iterator[chess.Move]:
        # A square that is merely passed matters on the board of the pawn alone.
        if self.turn:
            steps = movers << 8 & ~here
            twice = (steps & chess.BB_RANK_3) << 8 & ~here & ~there & to_mask
            left, right = (movers & ~chess.BB_FILE_A) << 7, (movers & ~chess.BB_FILE_H) << 9
            sign = -1
        else:
            steps = movers >> 8 & ~here
            twice = (steps & chess.BB_RANK_6) >> 8 & ~here & ~there & to_mask
            left, right = (movers & ~chess.BB_FILE_H) >> 7, (movers & ~chess.BB_FILE_A) >> 9
            sign = 1
        steps = steps & ~there & to_mask
        for targets, step in ((left & enemies, 7), (right & enemies, 9), (steps, 8), (twice, 16)):
            for target in chess.scan_reversed(targets):
                origin = target + sign * step
                if target < 8 or target >= 56:
                    for kind in _PROMOTIONS:
                        yield chess.Move(origin, target, kind)
                else:
                    yield chess.Move(origin, target)

    def generate_castling_moves(
        self, from_mask: chess.Bitboard = chess.BB_ALL, to_mask: chess.Bitboard = chess.BB_ALL
    ) -> Iterator[chess.Move]:
        """On board 1, by the usual conditions there; both squares of arrival are free on board 2."""
        row = chess.BB_RANK_1 if self.turn else chess.BB_RANK_8
        rights = self.clean_castling_rights() & row & ~self.beyond
        king = self.occupied_co[self.turn] & self.kings & row & from_mask & ~self.beyond
        if not rights or not king:
            return
        here = self.occupied & ~self.beyond
        home = chess.msb(king)
        for corner in chess.scan_reversed(rights):
            side = -1 if corner < home else 1
            arrival, passed = home + 2 * side, home + side
            arrivals = chess.BB_SQUARES[arrival] | chess.BB_SQUARES[passed]
            if (
                not chess.BB_SQUARES[arrival] & to_mask
                or chess.between(home, corner) & here
                or arrivals & self.beyond
                or any(self._attacked(square, here ^ king, here) for square in (home, passed, arrival))
            ):
                continue
            yield chess.Move(home, arrival)

    def generate_pseudo_legal_ep(
        self, from_mask: chess.Bitboard = chess.BB_ALL, to_mask: chess.Bitboard = chess.BB_ALL
    ) -> Iterator[chess.Move]:
        return iter(())

    # --- the king ---------------------------------------------------------------------------------------

    def _attacked(self, square: chess.Square, occupied: chess.Bitboard, among: chess.Bitboard) -> bool:
        """Whether an enemy among these pieces attacks a square of their board, so occupied."""
        enemies = self.occupied_co[not self.turn] & among
        straight = enemies & (self.rooks | self.queens)
        slanting = enemies & (self.bishops | self.queens)
        return bool(
            chess.BB_KNIGHT_ATTACKS[square] & self.knights & enemies
            or chess.BB_PAWN_ATTACKS[self.turn][square] & self.pawns & enemies
            or chess.BB_KING_ATTACKS[square] & self.kings & enemies
            or (
                straight
                and (
                    chess.BB_RANK_ATTACKS[square][chess.BB_RANK_MASKS[square] & occupied] & straight
                    or chess.BB_FILE_ATTACKS[square][chess.BB_FILE_MASKS[square] & occupied] & straight
                )
            )
            or (slanting and chess.BB_DIAG_ATTACKS[square][chess.BB_DIAG_MASKS[square] & occupied] & slanting)
        )

    def _screens(self, king: chess.Square, here: chess.Bitboard) -> chess.Bitboard:
        """Pieces of the king's board without which, alone or two together, a line to the king may open."""
        enemies = self.occupied_co[not self.turn] & here
        sliders = (
            (chess.BB_RANK_ATTACKS[king][0] | chess.BB_FILE_ATTACKS[king][0])
            & enemies
            & (self.rooks | self.queens)
        ) | (chess.BB_DIAG_ATTACKS[king][0] & enemies & (self.bishops | self.queens))
        screens = 0
        for slider in chess.scan_reversed(sliders):
            between = chess.between(king, slider) & here
            if chess.popcount(between) <= 2:
                screens |= between
        return screens

    def generate_legal_moves(
        self, from_mask: chess.Bitboard = chess.BB_ALL, to_mask: chess.Bitboard = chess.BB_ALL
    ) -> Iterator[chess.Move]:
        kings = self.kings & self.occupied_co[self.turn]
        if not kings:
            return
        king = chess.msb(kings)
        mirrored = bool(kings & self.beyond)
        here = self.beyond if mirrored else self.occupied & ~self.beyond
        there = self.occupied & ~here
        in_check = self._attacked(king, here, here)
        screens = self._screens(king, here)
        squares = chess.BB_SQUARES
        for move in self.generate_pseudo_legal_moves(from_mask, to_mask):
            origin, target = squares[move.from_square], squares[move.to_square]
            if origin & kings:
                safe = self._king_is_safe(move, kings, here, there)
            elif origin & here:
                # The piece leaves the king's board, and takes a captured one with it.
                left = here & ~(origin | target)
                safe = not (in_check or (origin | target) & screens) or not self._attacked(king, left, left)
            else:
                safe = not in_check or not self._attacked(king, here | target, here)
            if safe:
                yield move

    def _king_is_safe(
        self, move: chess.Move, king: chess.Bitboard, here: chess.Bitboard, there: chess.Bitboard
    ) -> bool:
        """Neither attacked where it arrives on the board that it leaves, nor on the one that it reaches."""
        target = move.to_square
        if abs(move.to_square - move.from_square) == 2:
            rook = chess.BB_SQUARES[(move.from_square + target) // 2]
            return not self._attacked(target, there | rook, there)
        left = here & ~(king | chess.BB_SQUARES[target])
        return not self._attacked(target, left, left) and not self._attacked(target, there, there)

    def is_pseudo_legal(self, move: chess.Move) -> bool:
        """Whether it is among the moves; castling, too, is written as the king's two steps."""
        return move in self.generate_pseudo_legal_moves(
            chess.BB_SQUARES[move.from_square], chess.BB_SQUARES[move.to_square]
        )

    def is_legal(self, move: chess.Move) -> bool:
        return move in self.generate_legal_moves(
            chess.BB_SQUARES[move.from_square], chess.BB_SQUARES[move.to_square]
        )

    def checkers_mask(self) -> chess.Bitboard:
        kings = self.kings & self.occupied_co[self.turn]
        if not kings:
            return chess.BB_EMPTY
        here = self.beyond if kings & self.beyond else self.occupied & ~self.beyond
        king = chess.msb(kings)
        return self.attackers_mask(not self.turn, king, here) & here

    def was_into_check(self) -> bool:
        self.turn = not self.turn
        try:
            return self.is_check()
        finally:
            self.turn = not self.turn

    def is_into_check(self, move: chess.Move) -> bool:
        return not self.is_legal(move)

    def gives_check(self, move: chess.Move) -> bool:
        self.push(move)
        try:
            return self.is_check()
        finally:
            self.pop()

    # --- the change of board ----------------------------------------------------------------------------

    def push(self, move: chess.Move) -> None:
        beyond = self.beyond
        self._was_beyond.append(beyond)
        origin, target = chess.BB_SQUARES[move.from_square], chess.BB_SQUARES[move.to_square]
        castles = self.kings & origin and abs(move.from_square - move.to_square) == 2
        super().push(move)
        if castles:
            self.beyond = beyond | target | chess.BB_SQUARES[(move.from_square + move.to_square) // 2]
        elif move:
            self.beyond = beyond & ~(origin | target) | (0 if beyond & origin else target)

    def pop(self) -> chess.Move:
        self.beyond = self._was_beyond.pop()
        return super().pop()

    # --- ends -------------------------------------------------------------------------------------------

    def has_insufficient_material(self, color: chess.Color) -> bool:
        """A bare king; what less than that could mate across two boards is left to be played."""
        return self.occupied_co[color] == self.kings & self.occupied_co[color]

    def is_insufficient_material(self) -> bool:
        return self.occupied == self.kings

    # --- two boards in one FEN --------------------------------------------------------------------------

    def fen(
        self,
        *,
        shredder: bool = False,
        en_passant: chess.EnPassantSpec = "legal",
        promoted: bool | None = None,
    ) -> str:
        turn = "w" if self.turn else "b"
        boards = f"{placement(self, ~self.beyond)}|{placement(self, self.beyond)}"
        return f"{boards} {turn} {self.castling_xfen()} - {self.halfmove_clock} {self.fullmove_number}"

    def set_fen(self, fen: str) -> None:
        """The position of a FEN whose first field has two placements with `|` between them."""
        fields = fen.split()
        first, bar, second = fields[0].partition("|") if fields else ("", "", "")
        if not bar:
            raise ValueError(f"a FEN of Alice begins with two boards, PLACEMENT|PLACEMENT: {fen!r}")
        mirrored = chess.BaseBoard(second)
        super().set_fen(" ".join([first, *fields[1:]]))
        if mirrored.occupied & self.occupied:
            raise ValueError(f"two pieces stand on the same square of both boards: {fen!r}")
        rights = self.castling_rights
        for square, piece in mirrored.piece_map().items():
            self._set_piece_at(square, piece.piece_type, piece.color)
        self.castling_rights = rights
        self.ep_square = None
        self.beyond = mirrored.occupied
        # Who stands beyond the looking-glass has moved: nobody castles from there.
        self.castling_rights = self.clean_castling_rights() & ~self.beyond
        for color, row in ((chess.WHITE, chess.BB_RANK_1), (chess.BLACK, chess.BB_RANK_8)):
            if self.kings & self.occupied_co[color] & self.beyond:
                self.castling_rights &= ~row

    def reset(self) -> None:
        self.set_fen(self.starting_fen)

    def clear_board(self) -> None:
        super().clear_board()
        self.beyond = chess.BB_EMPTY

    def clear_stack(self) -> None:
        super().clear_stack()
        self._was_beyond.clear()

    def copy(self, *, stack: bool | int = True) -> Self:
        board = super().copy(stack=stack)
        board.beyond = self.beyond
        board._was_beyond = self._was_beyond[-len(board.move_stack) :] if board.move_stack else []
        return board
