"""The board of a description: its squares, colours, walls and the tables that reach reads.

A square is a number, `y * W + x`; a set of squares is an integer with their bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tablee.rules.arena.description import DIAGONAL, KNIGHT, LINE, Description, Plan

TYPES = {LINE: 1, DIAGONAL: 2, KNIGHT: 4}
"""A bit for each type of step; a set of them is their sum."""
LINE_OR_DIAGONAL = TYPES[LINE] | TYPES[DIAGONAL]
STEPS = {
    TYPES[LINE]: ((0, 1), (0, -1), (1, 0), (-1, 0)),
    TYPES[DIAGONAL]: ((1, 1), (1, -1), (-1, 1), (-1, -1)),
    TYPES[KNIGHT]: ((1, 2), (1, -2), (-1, 2), (-1, -2), (2, 1), (2, -1), (-2, 1), (-2, -1)),
}
FAR = 2
"""No step goes further than this, in rows or columns."""
WIDE_TABLES = 2_048
"""Up to so many squares a table holds whole sets; beyond, its size would grow with the square of theirs."""


class Square(NamedTuple):
    """Where a square is."""

    x: int
    y: int


def types_of(names: Sequence[str]) -> int:
    """The bits of these types of steps."""
    return sum(TYPES[name] for name in set(names))


def colors_by_square(plan: Plan) -> tuple[str, ...]:
    """The colour of each square, by its number."""
    return tuple(
        color for row in (*plan.circle_rows, *plan.arm_rows) for color in row * (plan.width // len(row))
    )


class Board:
    """A description's board; never changed after it is made."""

    __slots__ = ("W", "circle_rows", "color_of", "masks", "near", "plan", "rows", "squares", "starts")

    def __init__(self, description: Description) -> None:
        plan = description.board
        self.plan = plan
        self.W = plan.width
        self.rows = plan.rows
        self.circle_rows = len(plan.circle_rows)
        self.squares = self.W * self.rows
        self.color_of = colors_by_square(plan)
        self.masks = _masks(self.color_of, description.colors)
        """The squares of each colour, before anything changes them."""
        last_row = self.W * (self.rows - 1)
        self.starts = tuple(last_row + arm * plan.arms_width for arm in range(plan.number_arms))
        """By arm."""
        self.near = _near(plan)
        """By the types of steps, then by square: the squares one step away."""

    def square(self, x: int, y: int) -> int:
        return y * self.W + x % self.W

    def place(self, square: int) -> Square:
        """Where a square is."""
        y, x = divmod(square, self.W)
        return Square(x, y)

    def arm_of_seat(self, seat: int, seats: int) -> int:
        """The arm of a seat, counted from 0, at a table of so many."""
        return seat * self.plan.number_arms // seats

    def aims(self, arm: int) -> int:
        """Where the pawn that starts on this arm has to go: the last row of the opposite one."""
        opposite = (arm + self.plan.number_arms // 2) % self.plan.number_arms
        row = (1 << self.plan.arms_width) - 1
        return row << self.starts[opposite]


def _masks(color_of: Sequence[str], colors: Sequence[str]) -> dict[str, int]:
    """The squares of each colour, looked at once for all colours."""
    digits = {color: bytearray(b"0" * len(color_of)) for color in colors}
    for square, color in enumerate(color_of, 1):
        digits[color][-square] = 49
    return {color: int(found, 2) for color, found in digits.items()}


def squares_of(mask: int) -> list[int]:
    """The squares of a set, in ascending order."""
    found = []
    while mask:
        square = mask.bit_length() - 1
        found.append(square)
        mask ^= 1 << square
    found.reverse()
    return found


def lands(plan: Plan, x: int, y: int, step: tuple[int, int]) -> Square | None:
    """Where a step from a square lands, if the board and its walls allow it (spec, chapter 2)."""
    to_x, to_y = (x + step[0]) % plan.width, y + step[1]
    if not 0 <= to_y < plan.rows:
        return None
    if x // plan.arms_width != to_x // plan.arms_width:
        first_arm_row = len(plan.circle_rows)
        leaps_aside = abs(step[0]) == FAR
        if to_y >= first_arm_row and (leaps_aside or y >= first_arm_row):
            return None
    return Square(to_x, to_y)


class _Sliding(Sequence[int]):
    """Sets by square where each would be large: kept once for all squares alike, and slid into place."""

    __slots__ = ("lead", "shapes")

    def __init__(self, shapes: list[int], lead: int) -> None:
        self.shapes, self.lead = shapes, lead

    def __getitem__(self, square: int) -> int:  # type: ignore[override]
        slide = square - self.lead
        shape = self.shapes[square]
        return shape << slide if slide >= 0 else shape >> -slide

    def __len__(self) -> int:
        return len(self.shapes)


def _near(plan: Plan) -> tuple[Sequence[int], ...]:
    """For every set of types, the squares one step from each square."""
    circle, lead = len(plan.circle_rows), (FAR + 1) * plan.width
    kinds = [-1] * FAR + [int(y >= circle) for y in range(plan.rows)] + [-1] * FAR
    columns = [_column_kind(plan, x) for x in range(plan.width)]
    tables: list[list[int]] = [[] for _ in range(sum(STEPS) + 1)]
    known: dict[tuple[int, ...], list[list[int]]] = {}
    for y in range(plan.rows):
        # Rows with the same rows around them are alike.
        key = tuple(kinds[y : y + 2 * FAR + 1])
        if key not in known:
            known[key] = _row_shapes(plan, y, lead, columns)
        for table, row in zip(tables, known[key], strict=True):
            table += row
    sliding = [_Sliding(table, lead) for table in tables]
    return tuple(sliding) if plan.width * plan.rows > WIDE_TABLES else tuple(map(tuple, sliding))


def _column_kind(plan: Plan, x: int) -> tuple[int, ...]:
    """Columns of one kind lie alike: as far from walls, and from where x begins anew."""
    inside = x % plan.arms_width
    edges = (min(inside, FAR), min(plan.arms_width - 1 - inside, FAR))
    return (*edges, min(x, FAR), min(plan.width - 1 - x, FAR))


def _row_shapes(plan: Plan, y: int, lead: int, columns: list[tuple[int, ...]]) -> list[list[int]]:
    """For every set of types, the sets of a row's squares, each counted from `lead` before its square.

    A set is as large as some rows are wide. It is made once a kind of column and not once a column: of a
    board with thousands of columns the sets would take gigabytes before those alike are found.
    """
    made: dict[tuple[int, ...], list[int]] = {}
    for x, kind in enumerate(columns):
        if kind not in made:
            made[kind] = _shapes(plan, x, y, lead)
    return [[made[kind][types] for kind in columns] for types in range(sum(STEPS) + 1)]


def _shapes(plan: Plan, x: int, y: int, lead: int) -> list[int]:
    """By set of types, the squares one step from this one."""
    first = y * plan.width + x - lead
    single = dict.fromkeys(STEPS, 0)
    for types, steps in STEPS.items():
        for step in steps:
            end = lands(plan, x, y, step)
            if end:
                single[types] |= 1 << end.y * plan.width + end.x - first
    shapes = [0] * (sum(STEPS) + 1)
    for types in range(len(shapes)):
        for one, mask in single.items():
            if types & one:
                shapes[types] |= mask
    return shapes
