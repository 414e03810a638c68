"""Who loses is out: a bracket from seeds, byes to the best, matches of several games, the third place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from tablee.tournaments.pairing.history import NoPairing


class Match(NamedTuple):
    """Two who meet until one of them has won; None where nobody is known yet, or nobody comes."""

    round: int
    place: int
    """From 1, top to bottom; in the last round 2 is the match for the third place."""
    upper: int | None
    lower: int | None
    winner: int | None
    """Of a match that is decided; who has a bye has won."""
    is_bye: bool = False
    is_last: bool = False
    """Whether nothing follows on it."""

    @property
    def loser(self) -> int | None:
        if self.winner is None or self.is_bye:
            return None
        return self.lower if self.winner == self.upper else self.upper

    @property
    def is_open(self) -> bool:
        """Both are known, and neither has won."""
        return self.winner is None and self.upper is not None and self.lower is not None


def rounds_of(entrants: int) -> int:
    """How many rounds until one is left. Raises NoPairing below two."""
    if entrants < 2:
        raise NoPairing("A knockout needs two entrants.")
    return (entrants - 1).bit_length()


def seeded(count: int) -> list[int]:
    """The places of the first round, top to bottom, by seed: the two best meet in the last match only."""
    order = [1]
    while len(order) < count:
        size = 2 * len(order) + 1
        order = [seed for one in order for seed in (one, size - one)]
    return order


def bracket(
    seeds: Sequence[int], winners: Mapping[tuple[int, int], int], third_place: bool = False
) -> list[list[Match]]:
    """Every match of every round, as far as they are known; `seeds` are entrants, the best first.

    `winners` has who won, by round and place.
    """
    count = rounds_of(len(seeds))
    size = 2**count
    slots: list[int | None] = [seeds[seed - 1] if seed <= len(seeds) else None for seed in seeded(size)]
    found: list[list[Match]] = []
    for number in range(1, count + 1):
        matches = []
        for place in range(1, size // 2**number + 1):
            upper, lower = slots[2 * place - 2], slots[2 * place - 1]
            bye = number == 1 and (upper is None or lower is None)
            winner = (upper or lower) if bye else winners.get((number, place))
            if winner is not None and winner not in (upper, lower):
                winner = None  # what went before was corrected: this match is another one now
            matches.append(Match(number, place, upper, lower, winner, bye, number == count))
        found.append(matches)
        slots = [match.winner for match in matches]
    if third_place and count > 1:
        upper, lower = (match.loser for match in found[-2])
        winner = winners.get((count, 2))
        known = winner if winner in (upper, lower) else None
        found[-1].append(Match(count, 2, upper, lower, known, is_last=True))
    return found


class Score(NamedTuple):
    """How a match stands."""

    upper: Fraction
    lower: Fraction
    games: int
    winner: int
    """1 the upper, 2 the lower, 0 while it goes on."""
    by_lot: bool = False
    """Level after everything: a lot decides."""


def score_of(results: Sequence[Fraction], best_of: int) -> Score:
    """How a match stands after games of which the upper has won so much each (1, ½, 0).

    It ends when one cannot be caught any more. Level after all games: two pairs more, each decided as soon
    as one is ahead after it; then by lot.
    """
    upper = sum(results, Fraction())
    games = len(results)
    lower = games - upper
    if games < best_of:
        left = best_of - games
        ahead = 1 if upper > lower + left else 2 if lower > upper + left else 0
        return Score(upper, lower, games, ahead)
    for end in (best_of, best_of + 2, best_of + 4):
        if games < end:
            break
        so_far = sum(results[:end], Fraction())
        if 2 * so_far != end:
            return Score(so_far, end - so_far, end, 1 if 2 * so_far > end else 2)
    if games >= best_of + 4:
        return Score(upper, lower, games, 0, by_lot=True)
    return Score(upper, lower, games, 0)


def is_white_above(game: int) -> bool:
    """Whether the upper of a match has White in its game of this number, from 1: colours alternate."""
    return game % 2 == 1
