"""A board as both dialects write it (document, chapter 6.5)."""

from __future__ import annotations

from functools import lru_cache

from tablee.rules.chess.views import ChessView

COLUMNS = "ABCDEFGH"


def boards_of(view: ChessView) -> list[str]:
    """The text of each board of a view: two in Alice, one elsewhere."""
    boards = view.boards
    return [board_text(boards[number]) for number in sorted(boards)]


@lru_cache(maxsize=4096)
def board_text(placement: str) -> str:
    """White pieces, `!`, black pieces, `#`; each is a letter and its square, by column, then by row.

    `placement` is the first field of a FEN, with `?` for a square that is not seen. An order by piece
    would tell in Dark which of two pieces has moved.
    """
    pieces: list[tuple[int, int, str]] = []
    for below, row in enumerate(placement.split("/")):
        column = 0
        for letter in row:
            if letter.isdigit():
                column += int(letter)
                continue
            if letter != "?":
                pieces.append((column, 8 - below, letter))
            column += 1
    pieces.sort()
    white = "".join(_text(*piece) for piece in pieces if piece[2].isupper())
    black = "".join(_text(*piece) for piece in pieces if piece[2].islower())
    return f"{white}!{black}#"


def _text(column: int, row: int, letter: str) -> str:
    kind = letter.lower()
    return f"{'h' if kind == 'n' else kind}{COLUMNS[column]}{row}"
