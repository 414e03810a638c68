"""Boards as text that a person can type: a line a row.

`X`, `?` or `#` hidden, `F` a flag, `0` or `.` empty, `1`…`8`, `*` a mine that was hit. A line `mines 99` says
how many mines there are in all.
"""

from __future__ import annotations

from msgspec import Struct

_LETTERS = {**{c: c for c in "XF012345678*"}, "?": "X", "#": "X", ".": "0", "x": "X", "f": "F"}


class BadBoard(ValueError):
    """A text that is no board; the sentence says where."""


class Drawn(Struct, frozen=True):
    """A board that was read."""

    width: int
    height: int
    shown: bytes
    mines: int | None


def read_board(text: str) -> Drawn:
    """The board in a text. Raises BadBoard."""
    rows: list[str] = []
    mines: int | None = None
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if not line:
            continue
        if line.startswith("mines"):
            count = line.removeprefix("mines").strip(" :=")
            if not count.isdecimal():
                raise BadBoard(f"Line {number}: after “mines” comes how many, not “{count}”.")
            mines = int(count)
            continue
        wrong = [letter for letter in line if letter not in _LETTERS]
        if wrong:
            raise BadBoard(f"Line {number}: “{wrong[0]}” is no square. Squares are X F 0 1 2 3 4 5 6 7 8 *.")
        if rows and len(line) != len(rows[0]):
            raise BadBoard(f"Line {number} has {len(line)} squares, the first row has {len(rows[0])}.")
        rows.append("".join(_LETTERS[letter] for letter in line))
    if not rows:
        raise BadBoard("There is no board in this text.")
    return Drawn(len(rows[0]), len(rows), "".join(rows).encode("ascii"), mines)


def write_board(board: bytes, width: int) -> str:
    """A board as lines of text."""
    text = board.decode("ascii")
    return "\n".join(text[start : start + width] for start in range(0, len(text), width))
