"""How a tournament makes points of the end of a game: in exact fractions, each with the sum it comes from."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple, Protocol


class Term(NamedTuple):
    """A part of somebody's points."""

    name: str
    """A key of the game's words, after `term.`."""
    points: Fraction


class Scoring(Protocol):
    """A way to score a game that its players know by name."""

    def terms(self, tally: Any) -> Sequence[Sequence[Term]]:
        """What the points of each role add up from, role 1 first. `tally` is of the game's `tally_type`."""
        ...


def points_of(terms: Sequence[Term]) -> Fraction:
    """What these add up to."""
    return sum((term.points for term in terms), Fraction())


def shared_places(worths: Sequence[Any], prizes: Sequence[Fraction | int]) -> list[Fraction]:
    """The prize of each one's place, best worth first; who is level shares what their places hold."""
    order = sorted(worths, reverse=True)
    found = []
    for worth in worths:
        first, level = order.index(worth), order.count(worth)
        found.append(Fraction(sum(prizes[first : first + level])) / level)
    return found
