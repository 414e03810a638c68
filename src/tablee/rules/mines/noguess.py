"""Boards that can be opened from a given square by reasoning alone.

A random board is played by the solver; where it would have to guess, the hidden neighbours of some number
there are made all mines or all safe, whichever is nearer, and mines elsewhere make up for it. The board that
comes out is played once more from the start before it is handed out.
"""

from __future__ import annotations

from random import Random

from msgspec import Struct

from tablee.rules.mines.board import EMPTY, HIDDEN, around, mines_of, numbered, opening
from tablee.rules.mines.position import Position, read_position, settle
from tablee.rules.mines.solver import chances

DENSEST = 0.25
"""The share of mines up to which a board without guessing is looked for."""
REPAIRS = 60
"""Repairs of one board after which a new one is begun."""
BOARDS = 400
"""Boards that are begun at most."""


class NoBoard(ValueError):
    """No board without guessing was found."""


class Effort(Struct):
    """What it took to make a board."""

    boards: int = 0
    repairs: int = 0


def most_mines(width: int, height: int) -> int:
    """How many mines a board without guessing may have."""
    return max(1, int(width * height * DENSEST))


def is_solvable(truth: bytes, start: int, width: int, height: int) -> bool:
    """Whether the solver opens every safe square from this one without a guess."""
    return not _stuck(truth, bytearray(b"X" * len(truth)), start, width, height)


def generate(
    width: int, height: int, mines: int, start: int, rng: Random, effort: Effort | None = None
) -> list[int]:
    """Mines for a board that needs no guess from the square `start`. Raises NoBoard."""
    effort = Effort() if effort is None else effort
    if mines > most_mines(width, height):
        raise NoBoard(
            f"A board of {width} × {height} without guessing has {most_mines(width, height)} mines at most."
        )
    near = around(width, height)
    kept_clear = {start, *near[start]}
    ground = [square for square in range(width * height) if square not in kept_clear]
    for _ in range(BOARDS):
        effort.boards += 1
        laid = _Laid(width, height, rng.sample(ground, mines), frozenset(kept_clear))
        if _repaired(laid, start, rng, effort):
            return sorted(laid.mines)
    raise NoBoard(f"No board of {width} × {height} with {mines} mines and without guessing was found.")


class _Laid:
    """A board that is being repaired."""

    def __init__(self, width: int, height: int, mines: list[int], kept_clear: frozenset[int]) -> None:
        self.width, self.height = width, height
        self.mines = set(mines)
        self.kept_clear = kept_clear
        self.truth = numbered(width, height, mines)

    def change(self, taken: list[int], put: list[int]) -> None:
        self.mines.difference_update(taken)
        self.mines.update(put)
        self.truth = numbered(self.width, self.height, self.mines)


def _repaired(laid: _Laid, start: int, rng: Random, effort: Effort) -> bool:
    """Play and repair until the board can be played from the start without repair."""
    size = laid.width * laid.height
    shown = bytearray(b"X" * size)
    clean = True
    for _ in range(REPAIRS):
        position = _stuck(laid.truth, shown, start, laid.width, laid.height)
        if position is None:
            if clean:
                return True
            shown = bytearray(b"X" * size)
            clean = True
            continue
        effort.repairs += 1
        if not _repair(laid, position, shown, rng):
            return False
        clean = False
        # What is open stays open, with the numbers that the repair has made of it.
        for square, letter in enumerate(shown):
            if letter != HIDDEN:
                shown[square] = laid.truth[square]
    return False


def _stuck(truth: bytes, shown: bytearray, start: int, width: int, height: int) -> Position | None:
    """Open all that is certain, from `start` on; the position where a guess is needed, None at the end."""
    if shown[start] == HIDDEN:
        _open(truth, shown, [start], width, height)
    mines = len(mines_of(truth))
    while True:
        position = read_position(bytes(shown), width, height, mines)
        if len(position.hidden) == mines:
            return None
        safe = sorted(settle(position).safe) or chances(position).safe
        if not safe:
            return position
        _open(truth, shown, safe, width, height)


def _open(truth: bytes, shown: bytearray, squares: list[int], width: int, height: int) -> None:
    closed = [square for square in squares if shown[square] == HIDDEN]
    for square in opening(truth, bytes(shown), closed, width, height):
        shown[square] = truth[square]


def _repair(laid: _Laid, position: Position, shown: bytearray, rng: Random) -> bool:
    """Make the hidden squares around one open number all mines or all safe; False where nothing can move."""
    known = chances(position)
    unsure = [
        squares
        for squares, _ in position.constraints
        if any(0.0 < known.mine[square] < 1.0 for square in squares)
    ]
    free = [square for square in known.free if square not in laid.kept_clear]
    if not unsure:
        # An island that touches no open number: one mine of its rim, if it has any, lets the solver in.
        rim = [square for square in known.free if square in laid.mines]
        outside = [s for s in range(len(shown)) if shown[s] != HIDDEN and s not in laid.kept_clear]
        if not rim or not outside:
            return False
        taken, put = [rng.choice(rim)], [rng.choice(outside)]
        shown[put[0]] = HIDDEN
        laid.change(taken, put)
        return True
    squares = rng.choice(unsure)
    mined = [square for square in squares if square in laid.mines]
    safe = [square for square in squares if square not in laid.mines]
    room = [square for square in free if square not in laid.mines and square not in squares]
    spare = [square for square in free if square in laid.mines and square not in squares]
    fill = len(mined) * 2 > len(squares) or (len(mined) * 2 == len(squares) and rng.random() < 0.5)
    if fill and len(spare) >= len(safe):
        laid.change(rng.sample(spare, len(safe)), safe)
        return True
    if len(room) >= len(mined):
        laid.change(mined, rng.sample(room, len(mined)))
        return True
    # Near the end no free square is left: a mine of the pocket changes places with an open square.
    opened = [
        s
        for s, letter in enumerate(shown)
        if letter > EMPTY and letter != HIDDEN and s not in laid.kept_clear
    ]
    if not mined or not opened:
        return False
    put = [rng.choice(opened)]
    shown[put[0]] = HIDDEN
    laid.change([rng.choice(mined)], put)
    return True
