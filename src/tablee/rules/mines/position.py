"""What can be known of a board, and what simple reasoning makes of it."""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct

from tablee.rules.mines.board import EMPTY, FLAG, HIDDEN, MINE, around

Constraint = tuple[tuple[int, ...], int]
"""Hidden squares, in order, and how many mines are among them."""

_CLOSED = (HIDDEN, FLAG)


class Contradiction(ValueError):
    """No layout of mines fits what is shown."""


class Position(Struct, frozen=True):
    """What can be known about a board: its hidden squares, the mines among them, and what numbers say."""

    hidden: frozenset[int]
    mines: int
    constraints: tuple[Constraint, ...]


def read_position(shown: bytes, width: int, height: int, mines: int) -> Position:
    """The position that a board shows. Flags say nothing; mines that were hit are known."""
    near = around(width, height)
    hidden: list[int] = []
    constraints: dict[tuple[int, ...], int] = {}
    left = mines
    for square, letter in enumerate(shown):
        if letter in _CLOSED:
            hidden.append(square)
        elif letter == MINE:
            left -= 1
        else:
            closed: list[int] = []
            lacking = letter - EMPTY
            for neighbour in near[square]:
                other = shown[neighbour]
                if other in _CLOSED:
                    closed.append(neighbour)
                elif other == MINE:
                    lacking -= 1
            if closed:
                constraints[tuple(closed)] = lacking
    return Position(frozenset(hidden), left, tuple(constraints.items()))


class Settled(NamedTuple):
    """A position after simple reasoning: what is certain, and what is left to count."""

    safe: frozenset[int]
    mined: frozenset[int]
    rest: Position


def settle(position: Position) -> Settled:
    """Find what single numbers, and numbers within numbers, make certain. Raises Contradiction.

    A number whose hidden squares are all among those of another says what the others hold: the larger one is
    replaced by the difference. That loses nothing, and leaves smaller components to count.
    """
    if not position.mines:
        return Settled(position.hidden, frozenset(), Position(frozenset(), 0, ()))
    groups = [set(squares) for squares, _ in position.constraints]
    lacking = [number for _, number in position.constraints]
    touching: dict[int, set[int]] = {}
    for index, group in enumerate(groups):
        for square in group:
            touching.setdefault(square, set()).add(index)
    safe: set[int] = set()
    mined: set[int] = set()
    pending = list(range(len(groups)))
    while pending:
        index = pending.pop()
        group, number = groups[index], lacking[index]
        if not 0 <= number <= len(group):
            raise Contradiction("A number cannot be right: it has too few hidden squares, or too many mines.")
        if not group:
            continue
        if not number or number == len(group):
            (mined if number else safe).update(group)
            for square in group.copy():
                for other in touching.pop(square):
                    groups[other].discard(square)
                    lacking[other] -= 1 if number else 0
                    pending.append(other)
            continue
        for other in set.intersection(*(touching[square] for square in group)):
            if other != index:
                groups[other] -= group
                lacking[other] -= number
                for square in group:
                    touching[square].discard(other)
                pending.append(other)
    constraints = tuple((tuple(sorted(g)), n) for g, n in zip(groups, lacking, strict=True) if g)
    rest = Position(position.hidden - safe - mined, position.mines - len(mined), constraints)
    return Settled(frozenset(safe), frozenset(mined), rest)
