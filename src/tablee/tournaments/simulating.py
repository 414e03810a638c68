"""A plan tried out: tournaments played by chance, and what they were like."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from math import log
from random import Random
from typing import Annotated, Any

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from tablee.rules.contract import Json, Rules
from tablee.tournaments import acts
from tablee.tournaments.acts import TournamentState, evolve
from tablee.tournaments.boards import BoardResult, BoardRow, due_games, entrants_of
from tablee.tournaments.drafting import drafted
from tablee.tournaments.pairing.history import NoPairing
from tablee.tournaments.plan import Plan
from tablee.tournaments.rounds import rounds_to_play
from tablee.tournaments.standings import standings

NOISE = 200
"""How far one plays from one's rating, at a board of several."""

Tally = Callable[[Sequence[float], Random], Json]
"""An end of a game as its scorings want it, from how well each seat has played."""


class Crowd(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who comes."""

    number: Annotated[int, Meta(ge=2, le=1_000)]
    mean: Annotated[int, Meta(ge=0, le=5_000)] = 1500
    spread: Annotated[int, Meta(ge=0, le=1_000)] = 250
    away: Annotated[float, Meta(ge=0, le=0.5)] = 0.0
    """The chance that somebody misses a round."""


class Course(msgspec.Struct, frozen=True):
    """What one tournament was like."""

    rounds: int
    games: int
    met_twice: int
    met_more: int
    role_twice: int
    byes: int
    spearman: float
    """How places follow strength: 1 exactly, 0 not at all."""


class Unplayable(ValueError):
    """A plan with these people cannot be played."""


def simulated(
    plan: Plan,
    rules: Rules[Any],
    crowd: Crowd,
    seed: int,
    clock: Callable[[], float],
    tally: Tally | None = None,
) -> Course:
    """One tournament from its first round to its last. Raises Unplayable."""
    rng = Random(seed)
    strengths = strengths_of(crowd, rng)
    state = _begun(replace(plan, seed=seed), crowd.number, strengths)
    boards: list[BoardRow] = []
    for number in range(1, state.rounds + 1):
        for account in state.entries:
            if plan.format not in ("round_robin", "knockout") and rng.random() < crowd.away:
                state = evolve(state, acts.WentAway(account, number), state.seq + 1)
        try:
            draft = drafted(state, rules, boards, clock)
        except NoPairing as error:
            raise Unplayable(f"Round {number}: {error}") from None
        state = evolve(state, acts.Published(number, 1, draft.byes, draft.absent, number), state.seq + 1)
        for index, seats in enumerate(draft.boards, 1):
            result = _drawn(plan, [strengths.get(account, crowd.mean) for account in seats], rng, tally)
            boards.append(BoardRow(number, 1, index, seats, None, result, 1))
        while more := due_games(state, boards):
            for board in more:
                result = _drawn(
                    plan, [strengths.get(account, crowd.mean) for account in board.seats], rng, tally
                )
                boards.append(board._replace(result=result, version=1))
    return course_of(state, rules, boards, strengths)


def strengths_of(crowd: Crowd, rng: Random) -> dict[int, float]:
    """How strong everybody is, by number from 1."""
    return {number: rng.gauss(crowd.mean, crowd.spread) for number in range(1, crowd.number + 1)}


def _begun(plan: Plan, number: int, strengths: dict[int, float]) -> TournamentState:
    state = evolve(None, acts.Created(plan, 0), 1)
    facts: list[Any] = [
        acts.Entered(account, max(0, round(strength)), account) for account, strength in strengths.items()
    ]
    rounds = rounds_to_play(plan, number)
    for fact in [acts.Announced(), *facts, acts.Began(rounds)]:
        state = evolve(state, fact, state.seq + 1)
    return state


def _drawn(plan: Plan, strengths: Sequence[float], rng: Random, tally: Tally | None) -> BoardResult:
    """A result by chance, the stronger more often ahead."""
    if plan.is_duel:
        one, other = strengths
        wins = 1 / (1 + 10 ** ((other - one) / 400))
        draws = 0.6 * min(wins, 1 - wins)
        dice = rng.random()
        if dice < draws:
            return BoardResult(marks=("=", "="))
        return BoardResult(marks=("1", "0") if dice - draws < wins - draws / 2 else ("0", "1"))
    form = [strength - NOISE * log(-log(rng.random() or 0.5)) for strength in strengths]
    ranks = tuple(1 + sum(other > mine for other in form) for mine in form)
    scores = tuple(len(form) - rank for rank in ranks)
    return BoardResult(ranks, scores, None if tally is None else tally(form, rng))


def course_of(
    state: TournamentState, rules: Rules[Any], boards: Sequence[BoardRow], strengths: Mapping[int, float]
) -> Course:
    """What it was like, from its boards and how strong its entrants are."""
    met: dict[tuple[int, int], int] = {}
    roles: dict[tuple[int, int], int] = {}
    for board in boards:
        for one, other in combinations(sorted(filter(None, board.seats)), 2):
            met[one, other] = met.get((one, other), 0) + 1
        for role, account in enumerate(board.seats, 1):
            if not account:
                continue
            roles[account, role] = roles.get((account, role), 0) + 1
    lines = standings(entrants_of(state, rules, boards), state.plan.counting(rules), len(state.published))
    places = {line.entrant: line.place for line in lines}
    return Course(
        rounds=len(state.published),
        games=len(boards),
        met_twice=sum(times == 2 for times in met.values()),
        met_more=sum(times > 2 for times in met.values()),
        role_twice=0 if state.plan.is_duel else sum(times - 1 for times in roles.values()),
        byes=sum(len(each.byes) for each in state.published),
        spearman=_spearman(
            [-strengths[account] for account in places], [float(place) for place in places.values()]
        ),
    )


def _spearman(one: Sequence[float], other: Sequence[float]) -> float:
    """How two orders go together: the correlation of their ranks, shared ranks in the middle."""
    first, second = _ranks(one), _ranks(other)
    mean = (len(one) + 1) / 2
    both = sum((a - mean) * (b - mean) for a, b in zip(first, second, strict=True))
    spread = sum((a - mean) ** 2 for a in first) * sum((b - mean) ** 2 for b in second)
    return both / spread**0.5 if spread else 0.0


def _ranks(values: Sequence[float]) -> list[float]:
    ordered = sorted(values)
    return [ordered.index(value) + (ordered.count(value) + 1) / 2 for value in values]
