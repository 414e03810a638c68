"""How strong people are reckoned to be: who counts in a game, and what its ranks change."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from openskill.models import PlackettLuce

MU, SIGMA = 25.0, 25.0 / 3
RANKED_AFTER = 5
"""Rated games before somebody is in a ranking."""
PROVISIONAL_BELOW = 10
"""Rated games below which a rating is only a first guess, and is shown as one."""
LARGE = 7
"""From so many seats on a rated game needs four members: a game of Diplomacy with two is none."""

_MODEL = PlackettLuce(mu=MU, sigma=SIGMA)


class Strength(NamedTuple):
    """What is thought of somebody, and how far that may be wrong."""

    mu: float = MU
    sigma: float = SIGMA


NEWCOMER = Strength()


def shown(mu: float) -> int:
    """The rating that people and protocols see."""
    return round(1500 + 60 * (mu - 25))


def margin(sigma: float) -> int:
    """By how much a rating that is shown may be wrong, either way."""
    return round(120 * sigma)


def members_needed(seats: int) -> int:
    """How many members a game with so many seats needs to be rated."""
    return 4 if seats >= LARGE else 2


def reckoned(
    parts: Iterable[tuple[int, int]], members: Collection[int], strengths: Mapping[int, Strength], seats: int
) -> dict[int, Strength] | None:
    """What a game changes, by account; None where too few members played it to be rated.

    `parts` are accounts with their ranks, visitors and robots among them: these are left out. Somebody who
    had several parts is reckoned by the worst of them, and never against himself.
    """
    worst: dict[int, int] = {}
    for account_id, rank in parts:
        if account_id in members:
            worst[account_id] = max(rank, worst.get(account_id, rank))
    if len(worst) < members_needed(seats):
        return None
    return rate({who: strengths.get(who, NEWCOMER) for who in worst}, worst)


def rate(strengths: Mapping[int, Strength], ranks: Mapping[int, int]) -> dict[int, Strength]:
    """The strengths after a game that ended with these ranks."""
    players = sorted(strengths)
    teams = [[_MODEL.rating(mu=strengths[who].mu, sigma=strengths[who].sigma)] for who in players]
    rated = _MODEL.rate(teams, ranks=[float(ranks[who]) for who in players])
    return {who: Strength(team[0].mu, team[0].sigma) for who, team in zip(players, rated, strict=True)}
