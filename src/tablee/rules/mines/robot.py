"""Robot players of mines: they see the view of their seat, like anybody."""

from __future__ import annotations

from random import Random

from msgspec import Struct

from tablee.rules.contract import Action, Actions
from tablee.rules.mines.board import FLAG, HIDDEN, around
from tablee.rules.mines.guess import best_guess
from tablee.rules.mines.model import Click, Unflag
from tablee.rules.mines.position import Position, read_position, settle
from tablee.rules.mines.solver import chances
from tablee.rules.mines.views import MinesView


class Sight(Struct, frozen=True):
    """A view, read."""

    width: int
    height: int
    mines: int
    shown: bytes
    start: tuple[int, int] | None

    def position(self) -> Position:
        return read_position(self.shown, self.width, self.height, self.mines)


def read_view(view: MinesView) -> Sight:
    shown = "".join(view.rows[str(y)] for y in range(view.height)).encode("ascii")
    return Sight(view.width, view.height, view.mines, shown, view.start)


def exact_square(sight: Sight) -> int:
    """The square that the exact robot opens: a safe one if there is any, else the best guess."""
    if sight.start is not None:
        return sight.start[1] * sight.width + sight.start[0]
    if all(letter in (HIDDEN, FLAG) for letter in sight.shown):
        # The first click never hits a mine, and a corner has the fewest neighbours: it is likeliest empty.
        return 0
    position = sight.position()
    certain = settle(position).safe
    if certain:
        return min(certain)
    known = chances(position)
    safe = known.safe
    if safe:
        return min(safe)
    return best_guess(position, known, around(sight.width, sight.height))


def novice_square(sight: Sight, rng: Random) -> int:
    """The square that the novice opens: what one number alone shows to be safe, else any."""
    if sight.start is not None:
        return sight.start[1] * sight.width + sight.start[0]
    position = sight.position()
    return rng.choice(_plain(position) or sorted(position.hidden))


def _plain(position: Position) -> list[int]:
    """Squares around numbers whose mines are all accounted for by numbers that have no other square left."""
    sure = {
        square for squares, lacking in position.constraints if lacking == len(squares) for square in squares
    }
    return sorted(
        {
            square
            for squares, lacking in position.constraints
            if lacking == sum(other in sure for other in squares)
            for square in squares
            if square not in sure
        }
    )


class ExactRobot:
    """Knows every chance, opens what is safe, guesses best."""

    def choose(self, view: MinesView, legal: Actions, rng: Random) -> Action | None:
        if not legal.describe():
            return None
        sight = read_view(view)
        return _opening(sight, exact_square(sight))


class NoviceRobot:
    """Looks at one number at a time."""

    def choose(self, view: MinesView, legal: Actions, rng: Random) -> Action | None:
        if not legal.describe():
            return None
        sight = read_view(view)
        return _opening(sight, novice_square(sight, rng))


def _opening(sight: Sight, square: int) -> Action:
    x, y = square % sight.width, square // sight.width
    return Unflag(x, y) if sight.shown[square] == FLAG else Click(x, y)
