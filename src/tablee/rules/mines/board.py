"""The ground of minesweeper: squares, neighbours, numbers and what a click opens.

A board is `bytes`, row after row, one letter a square: `0`…`8`, `*` for a mine, `X` where nobody has looked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from random import Random

HIDDEN = ord("X")
MINE = ord("*")
EMPTY = ord("0")
FLAG = ord("F")
LETTERS = b"012345678*"
"""The letter of a content 0…8; −1, a mine, is the last."""

Near = tuple[tuple[int, ...], ...]


@lru_cache(maxsize=64)
def around(width: int, height: int) -> Near:
    """For each square the up to eight that touch it."""
    return tuple(
        tuple(
            v * width + u
            for v in range(max(0, y - 1), min(height, y + 2))
            for u in range(max(0, x - 1), min(width, x + 2))
            if (u, v) != (x, y)
        )
        for y in range(height)
        for x in range(width)
    )


@lru_cache(maxsize=64)
def beside(width: int, height: int) -> Near:
    """For each square the up to four that share an edge with it: the way that opening spreads."""
    return tuple(
        tuple(
            v * width + u
            for u, v in ((x, y - 1), (x - 1, y), (x + 1, y), (x, y + 1))
            if 0 <= u < width and 0 <= v < height
        )
        for y in range(height)
        for x in range(width)
    )


def numbered(width: int, height: int, mines: Iterable[int]) -> bytes:
    """The whole truth of a board with mines on these squares."""
    near = around(width, height)
    truth = bytearray(b"0" * (width * height))
    laid = set(mines)
    for mine in laid:
        for square in near[mine]:
            truth[square] += 1
    for mine in laid:
        truth[mine] = MINE
    return bytes(truth)


def mines_of(truth: bytes) -> list[int]:
    """The squares with a mine, in order."""
    return [square for square, letter in enumerate(truth) if letter == MINE]


def random_mines(width: int, height: int, mines: int, rng: Random) -> list[int]:
    """So many different squares, in order, every choice as likely."""
    return sorted(rng.sample(range(width * height), mines))


@lru_cache(maxsize=64)
def least_clicks(truth: bytes, width: int, height: int) -> int:
    """How many clicks open every safe square at least (3BV), by the way that opening spreads here: one for
    each region of empty squares joined by their edges, one for each number that borders none by an edge."""
    clicks = 0
    reached: set[int] = set()
    for square, letter in enumerate(truth):
        if letter == EMPTY and square not in reached:
            clicks += 1
            reached.update(opening(truth, b"X" * len(truth), [square], width, height))
    for square, letter in enumerate(truth):
        if letter != MINE and square not in reached:
            clicks += 1
    return clicks


def opening(truth: bytes, shown: bytes, squares: Sequence[int], width: int, height: int) -> list[int]:
    """What clicks on these hidden squares open, in order: themselves, and from an empty one on, without
    diagonals, the empty squares around it up to the numbers that border them."""
    near = beside(width, height)
    opened: list[int] = []
    reached: set[int] = set()
    for square in squares:
        if square in reached:
            continue
        reached.add(square)
        if truth[square] != EMPTY:
            opened.append(square)
            continue
        queue = [square]
        for current in queue:
            if truth[current] == EMPTY:
                for neighbour in near[current]:
                    if neighbour not in reached and shown[neighbour] == HIDDEN:
                        reached.add(neighbour)
                        queue.append(neighbour)
        opened += queue
    return opened


def square_name(x: int, y: int) -> str:
    """`K4` is the eleventh row and the fourth column; after Z comes AA. What is no square goes by numbers."""
    return f"{_row_name(y)}{x + 1}" if x >= 0 and y >= 0 else f"{x}, {y}"


def _row_name(y: int) -> str:
    return chr(ord("A") + y) if y < 26 else _row_name(y // 26 - 1) + _row_name(y % 26)
