"""Places in tournaments of any games made into points of one kind, and these into one standings."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from tablee.rules.contract import shared_places
from tablee.tournaments.championship.acts import ChampionshipState
from tablee.tournaments.standings import Counting, Entrant, Line, Part, Round, standings

TIES = ("firsts", "best")


class Played(NamedTuple):
    """A tournament that counts, and who came where in it."""

    tournament: int
    places: dict[int, int]
    """By account; equal ones are shared."""
    robots: frozenset[int] = frozenset()
    """Who takes a place there and no part in a championship."""


def place_points(places: dict[int, int]) -> dict[int, Fraction]:
    """100·(n − place)/(n − 1) for everybody; who shares places shares what they hold."""
    count = len(places)
    prizes = [Fraction(100 * (count - place), max(1, count - 1)) for place in range(1, count + 1)]
    if count == 1:
        prizes = [Fraction(100)]
    points = shared_places([-place for place in places.values()], prizes)
    return dict(zip(places, points, strict=True))


def contenders(state: ChampionshipState, played: Sequence[Played]) -> list[Entrant]:
    """Everybody who has played in one of them; a tournament is what a round is elsewhere, counted from 1."""
    found: dict[int, list[Round]] = {}
    for number, each in enumerate(played, 1):
        for account, points in place_points(each.places).items():
            if account not in each.robots:
                terms = (Part("places", points),)
                place = each.places[account]
                found.setdefault(account, []).append(Round(number, number, points, rank=place, terms=terms))
    return [
        Entrant(
            account,
            0,
            tuple(rounds),
            tuple(
                (each.reason, Fraction(each.points)) for each in state.penalties if each.account == account
            ),
        )
        for account, rounds in found.items()
    ]


def counting_of(state: ChampionshipState, played: Sequence[Played]) -> Counting:
    weights = {
        number: state.tournaments[each.tournament]
        for number, each in enumerate(played, 1)
        if state.tournaments[each.tournament] != 1
    }
    return Counting(TIES, state.plan.best, weights)


def championship_standings(state: ChampionshipState, played: Sequence[Played]) -> list[Line]:
    """Who stands where over all of them."""
    return standings(contenders(state, played), counting_of(state, played), len(played))
