"""Boards as the server writes them, drawn for people."""

from __future__ import annotations

COLUMNS, ROWS = "ABCDEFGH", "12345678"
WHITE = dict(zip("kqrbhp", "♔♕♖♗♘♙", strict=True))
BLACK = dict(zip("kqrbhp", "♚♛♜♝♞♟", strict=True))


class BadBoard(ValueError):
    """A line that is no board."""


def read_board(text: str) -> dict[str, str]:
    """By square its piece, a capital letter for White's; raises BadBoard."""
    white, mark, rest = text.partition("!")
    black, end, nothing = rest.partition("#")
    if not mark or not end or nothing or len(white) % 3 or len(black) % 3:
        raise BadBoard(text)
    squares: dict[str, str] = {}
    for side, pieces in ((str.upper, white), (str.lower, black)):
        for start in range(0, len(pieces), 3):
            letter, square = pieces[start], pieces[start + 1 : start + 3]
            if letter not in WHITE or square[0] not in COLUMNS or square[1] not in ROWS:
                raise BadBoard(text)
            squares[square] = side(letter)
    return squares


def draw(squares: dict[str, str], *, from_white: bool, letters: bool = False) -> list[str]:
    """The board in lines, one's own side below; with letters for pieces where a terminal lacks them."""
    rows = ROWS[::-1] if from_white else ROWS
    columns = COLUMNS if from_white else COLUMNS[::-1]
    lines = []
    for row in rows:
        shown = " ".join(_shown(squares.get(column + row), letters) for column in columns)
        lines.append(f"  {row} {shown} {row}")
    return [*lines, "    " + " ".join(columns)]


def beside(blocks: list[list[str]]) -> list[str]:
    """Blocks of lines next to each other, each as wide as its longest line."""
    widths = [max(map(len, block)) for block in blocks]
    return [
        "  ".join(line.ljust(width) for line, width in zip(lines, widths, strict=True)).rstrip()
        for lines in zip(*blocks, strict=True)
    ]


def _shown(piece: str | None, letters: bool) -> str:
    if piece is None:
        return "·"
    if letters:
        return piece
    return WHITE[piece.lower()] if piece.isupper() else BLACK[piece]
