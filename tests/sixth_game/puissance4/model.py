"""What Puissance 4 is about: a grid of discs, what players do, what happens, what they see."""

from __future__ import annotations

from typing import Annotated

import msgspec

from tablee.rules.contract import Action, Fact, Seat, State, View

EMPTY = "."
SIGNS = {1: "X", 2: "O"}
IN_A_ROW = 4

Rows = tuple[str, ...]
"""The grid, its top row first, a letter a square."""


class Options(msgspec.Struct, frozen=True):
    width: Annotated[int, msgspec.Meta(ge=4, le=12)] = 7
    height: Annotated[int, msgspec.Meta(ge=4, le=12)] = 6


class Drop(Action, frozen=True):
    """Let a disc fall into a column, counted from 1."""

    column: int


class Began(Fact, frozen=True):
    width: int
    height: int


class Dropped(Fact, frozen=True):
    seat: Seat
    column: int


class Replaced(Fact, frozen=True):
    seat: Seat
    name: str


class Ended(Fact, frozen=True):
    """`winner` is 0 where nobody won."""

    winner: Seat
    reason: str


class GridState(State, frozen=True):
    rows: Rows
    turn: Seat = 1
    ended: Ended | None = None


class GridView(View, frozen=True):
    """Nothing is hidden: every seat sees the same."""

    rows: Rows
    signs: dict[Seat, str]
    turn: Seat | None
    winner: Seat | None


def other(seat: Seat) -> Seat:
    return 3 - seat


def free_columns(rows: Rows) -> list[int]:
    return [column for column, top in enumerate(rows[0], 1) if top == EMPTY]


def dropped(rows: Rows, column: int, sign: str) -> Rows:
    """The grid after a disc has fallen into a column that has room."""
    lowest = max(y for y, row in enumerate(rows) if row[column - 1] == EMPTY)
    row = rows[lowest]
    return (*rows[:lowest], row[: column - 1] + sign + row[column:], *rows[lowest + 1 :])


def has_four(rows: Rows, sign: str) -> bool:
    """Whether four discs of a player stand in a line, in any direction."""
    height, width = len(rows), len(rows[0])
    return any(
        all(
            0 <= y + i * dy < height and 0 <= x + i * dx < width and rows[y + i * dy][x + i * dx] == sign
            for i in range(IN_A_ROW)
        )
        for y in range(height)
        for x in range(width)
        if rows[y][x] == sign
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))
    )
