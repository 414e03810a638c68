"""Points as people and programs read them: exact inside, numbers outside."""

from __future__ import annotations

from fractions import Fraction


def plain(points: Fraction) -> int | float:
    """A number for JSON: whole where it is whole, else to all the digits that there are."""
    return points.numerator if points.denominator == 1 else float(points)
