"""Looking ahead: alpha-beta within a number of positions, the same for all four variants."""

from __future__ import annotations

from random import Random

import chess

from tablee.rules.chess.boards import ClassicBoard

WON = 100_000
_VALUES = (0, 100, 320, 330, 500, 950, 0)
"""By kind of piece, in hundredths of a pawn; a king cannot be weighed."""
_CENTRE = chess.BB_D4 | chess.BB_E4 | chess.BB_D5 | chess.BB_E5
_WIDE_CENTRE = 0x00003C3C3C3C0000
_EDGE = chess.BB_RANK_1 | chess.BB_RANK_8 | chess.BB_FILE_A | chess.BB_FILE_H


class _Enough(Exception):
    """As many positions have been looked at as were allowed."""


class Search:
    """One search, with what is left to look at."""

    def __init__(self, nodes: int) -> None:
        self._left = nodes

    def best(self, board: ClassicBoard, depth: int, known: frozenset[str], rng: Random) -> chess.Move | None:
        """The best move, as `judged` finds it."""
        judged = self.judged(board, depth, known, rng)
        return None if judged is None else judged[0]

    def judged(
        self, board: ClassicBoard, depth: int, known: frozenset[str], rng: Random
    ) -> tuple[chess.Move, int] | None:
        """The best move and its worth, looking one deeper each time while there are positions left.

        `known` are keys of positions of this game: going back to one of them is worth no more than a draw.
        """
        moves = list(board.generate_legal_moves())
        rng.shuffle(moves)
        if not moves:
            return None
        score = worth(board)
        try:
            for ahead in range(1, depth + 1):
                scores = self._scores(board, moves, ahead, known)
                moves.sort(key=lambda move: -scores[move])
                score = scores[moves[0]]
                if abs(score) > WON // 2:
                    break
        except _Enough:
            pass
        return moves[0], score

    def _scores(
        self, board: ClassicBoard, moves: list[chess.Move], depth: int, known: frozenset[str]
    ) -> dict[chess.Move, int]:
        scores = {}
        alpha = -WON
        for move in moves:
            board.push(move)
            try:
                score = -self._ahead(board, depth - 1, -WON, -alpha, 1)
                if score > 0 and known and board.key() in known:
                    score = 0
            finally:
                board.pop()
            scores[move] = score
            alpha = max(alpha, score - 1)
        return scores

    def every(self, board: ClassicBoard, depth: int) -> dict[chess.Move, int]:
        """The worth of each move by itself, as far as there are positions left to look at."""
        scores = {}
        for move in board.generate_legal_moves():
            board.push(move)
            try:
                scores[move] = -self._ahead(board, depth - 1, -WON, WON, 1)
            except _Enough:
                scores[move] = -worth(board)
            finally:
                board.pop()
        return scores

    def _ahead(self, board: ClassicBoard, depth: int, alpha: int, beta: int, ply: int) -> int:
        if depth <= 0:
            return self._settle(board, alpha, beta, ply, 4)
        self._count()
        moves = sorted(board.generate_legal_moves(), key=lambda move: -_promise(board, move))
        if not moves:
            return _end(board, ply)
        if board.halfmove_clock >= 150:
            return 0
        for move in moves:
            board.push(move)
            try:
                score = -self._ahead(board, depth - 1, -beta, -alpha, ply + 1)
            finally:
                board.pop()
            if score >= beta:
                return score
            alpha = max(alpha, score)
        return alpha

    def _settle(self, board: ClassicBoard, alpha: int, beta: int, ply: int, depth: int) -> int:
        """Captures alone, until nothing hangs."""
        self._count()
        if not any(board.generate_legal_moves()):
            return _end(board, ply)
        standing = worth(board)
        if standing >= beta or depth == 0:
            return standing
        alpha = max(alpha, standing)
        enemies = board.occupied_co[not board.turn]
        captures = sorted(
            board.generate_legal_moves(to_mask=enemies), key=lambda move: -_promise(board, move)
        )
        for move in captures:
            board.push(move)
            try:
                score = -self._settle(board, -beta, -alpha, ply + 1, depth - 1)
            finally:
                board.pop()
            if score >= beta:
                return score
            alpha = max(alpha, score)
        return alpha

    def _count(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise _Enough


def _end(board: ClassicBoard, ply: int) -> int:
    """The worth of a position without a move, for the side to move: a draw, or lost so soon."""
    winner = board.winner()
    if winner is None:
        return 0
    return WON - ply if winner == board.turn else ply - WON


def _promise(board: ClassicBoard, move: chess.Move) -> int:
    """How early a move is worth looking at: great victims by small takers first."""
    victim = board.piece_type_at(move.to_square)
    taker = board.piece_type_at(move.from_square) or 0
    promise = _VALUES[move.promotion] if move.promotion else 0
    if victim is not None:
        promise += (10_000 if victim == chess.KING else 10 * _VALUES[victim]) - _VALUES[taker] // 10
    return promise


def worth(board: ClassicBoard) -> int:
    """A guess at who stands better, for the side to move."""
    white = _side(board, chess.WHITE)
    black = _side(board, chess.BLACK)
    balance = white - black
    if abs(balance) > 300:
        balance += _hunt(board, balance > 0)
    return balance if board.turn else -balance


def _side(board: ClassicBoard, color: chess.Color) -> int:
    own = board.occupied_co[color]
    pawns = board.pawns & own
    count = (
        100 * pawns.bit_count()
        + 320 * (board.knights & own).bit_count()
        + 330 * (board.bishops & own).bit_count()
        + 500 * (board.rooks & own).bit_count()
        + 950 * (board.queens & own).bit_count()
    )
    minors = own & (board.knights | board.bishops)
    home = chess.BB_RANK_1 if color else chess.BB_RANK_8
    count += 12 * (pawns & _CENTRE).bit_count() + 8 * (minors & _WIDE_CENTRE).bit_count()
    count -= 10 * (minors & home).bit_count()
    for row in range(8):
        steps = row if color else 7 - row
        count += (pawns & chess.BB_RANKS[row]).bit_count() * (steps * steps)
    return count


def _hunt(board: ClassicBoard, color: chess.Color) -> int:
    """What brings the side that is ahead nearer to the end, for White: a king at the edge, hunters near."""
    prey = board.king(not color)
    hunter = board.king(color)
    bonus = 0
    if prey is not None:
        file, row = chess.square_file(prey), chess.square_rank(prey)
        bonus += 12 * (max(3 - file, file - 4) + max(3 - row, row - 4))
        if hunter is not None:
            bonus += 5 * (14 - 2 * chess.square_distance(prey, hunter))
        bonus += 20 if chess.BB_SQUARES[prey] & _EDGE else 0
    return bonus if color else -bonus
