"""Counting the ways on: the proof of a move generator."""

from __future__ import annotations

import chess


def perft(board: chess.Board, depth: int) -> int:
    """How many sequences of so many moves there are from this position."""
    if depth == 0:
        return 1
    if depth == 1:
        return sum(1 for _ in board.generate_legal_moves())
    count = 0
    for move in board.generate_legal_moves():
        board.push(move)
        count += perft(board, depth - 1)
        board.pop()
    return count


def perft_played_out(board: chess.Board, depth: int) -> int:
    """The same count with every last move played and taken back, for measuring how fast a board is."""
    if depth == 0:
        return 1
    count = 0
    for move in board.generate_legal_moves():
        board.push(move)
        count += perft_played_out(board, depth - 1)
        board.pop()
    return count
