"""A position of chess drawn: one board or two, with the last move, a check, and what is in the dark."""

from __future__ import annotations

import re

import chess
import chess.svg

from tablee.rules.chess.views import ChessView
from tablee.rules.plain_picture import svg_head

SIZE = 600
GAP = 20
FOG = "#6b7280"


def picture(view: ChessView) -> str:
    """The boards of a view side by side, White below."""
    boards = [_drawn(view, placement) for placement in view.boards.values()]
    width = len(boards) * (SIZE + GAP) - GAP
    nested = [
        board.replace("<svg ", f'<svg x="{number * (SIZE + GAP)}" ', 1) for number, board in enumerate(boards)
    ]
    return "\n".join([svg_head(width, SIZE), *nested, "</svg>\n"])


def _drawn(view: ChessView, placement: str) -> str:
    letters = re.sub(r"\d", lambda found: "1" * int(found[0]), placement).replace("/", "")
    board = chess.BaseBoard.empty()
    fog: dict[chess.Square, str] = {}
    for number, letter in enumerate(letters):
        square = chess.square_mirror(number)
        if letter == "?":
            fog[square] = FOG
        elif letter.isalpha():
            board.set_piece_at(square, chess.Piece.from_symbol(letter))
    last = chess.Move.from_uci(view.last) if view.last else None
    check = chess.parse_square(view.check) if view.check else None
    drawn: str = chess.svg.board(board, lastmove=last, check=check, fill=fog, size=SIZE)
    return drawn
