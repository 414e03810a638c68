"""How far a pawn is from home in moves, not in steps: what the cards of the deck can do is counted in.

Whoever holds a few cards at random and plays the best of them, or none, needs so many moves on average. The
squares are settled from the aims outward, each once: a card counts with the best square that it leads to.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from heapq import heappop, heappush

from tablee.rules.arena.board import squares_of
from tablee.rules.arena.ground import Ground
from tablee.rules.arena.heroes import GAREZ, KNIGHT, QUEEN, ULYA
from tablee.rules.arena.kept import Kept
from tablee.rules.arena.model import Card, Player
from tablee.rules.arena.reach import reach

CHOICE = 3
"""Of so many cards the best is played: fewer than a hand, for the others are wanted later."""
MOVES_A_STEP = 0.7
"""Where a board is too large to be settled, a step counts for so much of a move."""
MOST_WORK = 60_000
"""Cards times squares that are worth settling."""
KEPT_WORK = 2_000_000
"""Cards times squares of all that is kept settled: every arm of thirty boards like the standard one."""
HOPELESS = 1e6


class Outlook:
    """The moves that a pawn still needs, by square, for one arm and one kind of player."""

    def __init__(self, ground: Ground, arm: int, hero: str | None) -> None:
        self.size = len(ground.printed)
        self._sorted: dict[int, tuple[list[float], list[float], list[float]]] = {}
        if _work_of(ground) > MOST_WORK:
            squares = range(ground.board.squares)
            self.moves = [MOVES_A_STEP * ground.steps_home(arm, square) for square in squares]
            self.best: list[dict[Card, float]] = []
            return
        self.moves, self.best = _settled(ground, arm, hero)

    def with_hand(self, square: int, kept: Sequence[Card], drawn: int) -> float:
        """The moves needed from a square by one who keeps these cards and draws so many more."""
        moves = self.moves[square]
        if not self.best or moves == 0:
            return moves
        best = self.best[square]
        after = moves
        for card in kept:
            value = best.get(card, moves)
            if value < after:
                after = value
        values, chances, sums = self._ordered(square)
        place = bisect_left(values, after)
        # `drawn` cards are as good as any two: the chance that one of them beats what is kept.
        share = min(1.0, drawn / 2)
        luck = sums[place] + after * (1 - chances[place])
        return 1 + share * luck + (1 - share) * after

    def _ordered(self, square: int) -> tuple[list[float], list[float], list[float]]:
        """What single cards lead to, best first, with the chances and the sums of the best of two drawn."""
        if square not in self._sorted:
            values = sorted(self.best[square].values())
            chances, sums = [0.0], [0.0]
            for place, value in enumerate(values):
                missed = ((self.size - place) / self.size) ** 2 - ((self.size - place - 1) / self.size) ** 2
                chances.append(chances[-1] + missed)
                sums.append(sums[-1] + missed * value)
            self._sorted[square] = (values, chances, sums)
        return self._sorted[square]


def outlook_of(ground: Ground, player: Player) -> Outlook:
    """The outlook of a player, with his hero's own way of moving."""
    hero = next((hero for hero in (GAREZ, ULYA) if player.hero == hero), None)
    return _outlooks.made(
        (ground, player.arm, hero), lambda: Outlook(ground, player.arm, hero), lambda _: _size_of(ground)
    )


_outlooks: Kept[Outlook] = Kept(KEPT_WORK)
_known_arrivals: Kept[list[list[tuple[int, Card]]]] = Kept(KEPT_WORK)


def _work_of(ground: Ground) -> int:
    return len(ground.printed) * ground.board.squares


def _size_of(ground: Ground) -> int:
    """An outlook knows each card on each square, or, where it only counts steps, each square."""
    return _work_of(ground) if _work_of(ground) <= MOST_WORK else ground.board.squares


def _arrivals(ground: Ground, hero: str | None) -> list[list[tuple[int, Card]]]:
    """By square, from where it is reached, and with which card."""
    return _known_arrivals.made(
        (ground, hero), lambda: _all_arrivals(ground, hero), lambda _: _work_of(ground)
    )


def _all_arrivals(ground: Ground, hero: str | None) -> list[list[tuple[int, Card]]]:
    board = ground.board
    found: list[list[tuple[int, Card]]] = [[] for _ in range(board.squares)]
    everywhere = (1 << board.squares) - 1
    for card, printed in enumerate(ground.printed):
        steps, squares = printed.steps, 0
        for color in printed.colors:
            squares |= board.masks[color]
        if hero == GAREZ and printed.name == KNIGHT:
            squares = everywhere
        if hero == ULYA and printed.name == QUEEN:
            steps = max(3, steps)
        for start in range(board.squares):
            for square in squares_of(reach(board, start, steps, printed.types, squares)):
                found[square].append((start, card))
    return found


def _settled(ground: Ground, arm: int, hero: str | None) -> tuple[list[float], list[dict[Card, float]]]:
    size = len(ground.printed)
    chances = [((size - n) / size) ** CHOICE for n in range(size + 1)]
    moves = [HOPELESS] * ground.board.squares
    best: list[dict[Card, float]] = [{} for _ in moves]
    sums = [0.0] * len(moves)
    settled = [False] * len(moves)
    heap = [(0.0, square) for square in squares_of(ground.board.aims(arm))]
    for _, square in heap:
        moves[square] = 0.0
    arrivals = _arrivals(ground, hero)
    while heap:
        value, square = heappop(heap)
        if settled[square]:
            continue
        settled[square] = True
        for start, card in arrivals[square]:
            known = best[start]
            if card in known:
                continue
            known[card] = value
            if settled[start] or moves[start] == 0:
                continue
            count = len(known)
            sums[start] += (chances[count - 1] - chances[count]) * value
            moves[start] = (1 + sums[start]) / (1 - chances[count])
            heappush(heap, (moves[start], start))
    return moves, best
