"""The last squares, searched to the end: with few layouts left, the best guess is the one that wins most."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from tablee.rules.mines.board import Near
from tablee.rules.mines.counting import components
from tablee.rules.mines.position import Constraint, Position, settle

MOST_NODES = 20_000


class TooDeep(Exception):
    """The search would take longer than a player waits."""


def layouts(position: Position, most: int) -> list[frozenset[int]] | None:
    """Every layout of mines that fits, or None if there are more than `most`, in all or in one component."""
    _, mined, rest = settle(position)
    grouped = components(rest.constraints)
    touched: set[int] = set()
    parts: list[list[frozenset[int]]] = []
    for component in grouped:
        squares = sorted({square for members, _ in component for square in members})
        touched.update(squares)
        part: list[frozenset[int]] = []
        for laid in _fillings(component, squares, rest.mines):
            part.append(laid)
            if len(part) > most:
                return None
        parts.append(part)
    free = sorted(rest.hidden - touched)
    found: list[frozenset[int]] = []
    for laid in _products(parts, mined):
        left = position.mines - len(laid)
        if 0 <= left <= len(free):
            for others in combinations(free, left):
                found.append(laid.union(others))
                if len(found) > most:
                    return None
    return found


def _products(parts: Sequence[list[frozenset[int]]], laid: frozenset[int]) -> Iterator[frozenset[int]]:
    if not parts:
        yield laid
        return
    for chosen in parts[0]:
        yield from _products(parts[1:], laid | chosen)


def _fillings(
    component: Sequence[Constraint], squares: Sequence[int], mines: int
) -> Iterator[frozenset[int]]:
    """Every way to lay mines on the squares of a component, square after square."""
    touching: dict[int, list[int]] = {square: [] for square in squares}
    for index, (members, _) in enumerate(component):
        for square in members:
            touching[square].append(index)
    lacking = [number for _, number in component]
    room = [len(members) for members, _ in component]
    order = _chained(component, squares)
    laid: list[int] = []

    def fill(depth: int) -> Iterator[frozenset[int]]:
        if depth == len(order):
            yield frozenset(laid)
            return
        square = order[depth]
        numbers = touching[square]
        for index in numbers:
            room[index] -= 1
        if all(lacking[index] <= room[index] for index in numbers):
            yield from fill(depth + 1)
        if len(laid) < mines and all(0 < lacking[index] <= room[index] + 1 for index in numbers):
            for index in numbers:
                lacking[index] -= 1
            laid.append(square)
            yield from fill(depth + 1)
            laid.pop()
            for index in numbers:
                lacking[index] += 1
        for index in numbers:
            room[index] += 1

    return fill(0)


def _chained(component: Sequence[Constraint], squares: Sequence[int]) -> list[int]:
    """The squares number after number, each number one that the last ones touch, to prune early."""
    order: dict[int, None] = {}
    waiting = list(component)
    while waiting:
        nearest = max(waiting, key=lambda c: (sum(square in order for square in c[0]), -len(c[0])))
        waiting.remove(nearest)
        order.update(dict.fromkeys(nearest[0]))
    return list(order)


def best_square(found: Sequence[frozenset[int]], hidden: Sequence[int], near: Near) -> tuple[int, float]:
    """The square to open and the chance to win that it gives. Raises TooDeep.

    A set of layouts is all that matters: what is safe in every one of them is opened at once and tells
    layouts apart by its numbers; when that no longer helps, some square must be guessed.
    """
    place = {square: index for index, square in enumerate(hidden)}
    masks = tuple(sum(1 << place[square] for square in layout) for layout in found)
    touching = [sum(1 << place[other] for other in near[square] if other in place) for square in hidden]
    search = _Search(touching)
    square, wins = search.guess(masks)
    return hidden[square], wins / len(masks)


class _Search:
    def __init__(self, touching: Sequence[int]) -> None:
        self._touching = touching
        self._known: dict[tuple[int, ...], int] = {}
        self._nodes = 0

    def guess(self, masks: tuple[int, ...]) -> tuple[int, int]:
        """The best square to guess, and in how many of the layouts it leads to the end."""
        counts = [
            (sum(not mask >> index & 1 for mask in masks), index) for index in range(len(self._touching))
        ]
        best, wins = -1, -1
        for safe, index in sorted(counts, reverse=True):
            if safe <= wins:
                break
            if safe == len(masks) and best >= 0:
                continue
            reached = sum(self._wins(part) for part in self._parts(masks, index))
            if reached > wins:
                best, wins = index, reached
        return best, wins

    def _wins(self, masks: tuple[int, ...]) -> int:
        if len(masks) == 1:
            return 1
        known = self._known.get(masks)
        if known is not None:
            return known
        self._nodes += 1
        if self._nodes > MOST_NODES:
            raise TooDeep
        wins = self._sure(masks)
        self._known[masks] = wins
        return wins

    def _sure(self, masks: tuple[int, ...]) -> int:
        """Wins after opening all that is safe in every layout, then guessing where it must be."""
        mined = 0
        for mask in masks:
            mined |= mask
        parts = [masks]
        for index in range(len(self._touching)):
            if not mined >> index & 1:
                parts = [smaller for part in parts for smaller in self._parts(part, index)]
        if len(parts) > 1:
            return sum(self._wins(part) for part in parts)
        always = masks[0]
        for mask in masks:
            always &= mask
        open_to_guess = mined & ~always
        best = 0
        for safe, index in sorted(
            (
                (sum(not mask >> index & 1 for mask in masks), index)
                for index in range(len(self._touching))
                if open_to_guess >> index & 1
            ),
            reverse=True,
        ):
            if safe <= best:
                break
            best = max(best, sum(self._wins(part) for part in self._parts(masks, index)))
        return best

    def _parts(self, masks: tuple[int, ...], index: int) -> list[tuple[int, ...]]:
        """The layouts in which this square is safe, apart by the number that it would show."""
        touching = self._touching[index]
        by_number: dict[int, list[int]] = {}
        for mask in masks:
            if not mask >> index & 1:
                by_number.setdefault((mask & touching).bit_count(), []).append(mask)
        return [tuple(part) for part in by_number.values()]
