"""What happens in a championship, and what is true after it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from tablee.rules.contract import Fact
from tablee.tournaments.plan import NAME_MOST

TOURNAMENTS_MOST = 100
ORGANISERS_MOST = 10


class ChampionshipPlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All that its organisers choose."""

    name: Annotated[str, Meta(min_length=1, max_length=NAME_MOST, pattern=r"\S")]
    description: Annotated[str, Meta(max_length=4_000)] = ""
    best: Annotated[int, Meta(ge=0, le=TOURNAMENTS_MOST)] = 0
    """So many tournaments count, the best; 0: all."""


class ChampionshipOpened(Fact, frozen=True):
    plan: ChampionshipPlan
    organiser: int


class ChampionshipChanged(Fact, frozen=True):
    plan: ChampionshipPlan


class TournamentAdded(Fact, frozen=True):
    """A tournament counts, with a weight."""

    tournament: int
    weight: str = "1"


class TournamentRemoved(Fact, frozen=True):
    tournament: int


class OrganiserJoined(Fact, frozen=True):
    account: int


class OrganiserParted(Fact, frozen=True):
    account: int


class PointsTaken(Fact, frozen=True):
    """Points are taken from somebody, as a fraction."""

    account: int
    points: str
    reason: str


class ChampionshipClosed(Fact, frozen=True):
    """No tournament comes to it any more: its places stand."""


ChampionshipFact = (
    ChampionshipOpened | ChampionshipChanged | TournamentAdded | TournamentRemoved | OrganiserJoined
    | OrganiserParted | PointsTaken | ChampionshipClosed
)  # fmt: skip


class ChampionshipState(msgspec.Struct, frozen=True):
    """All that the log says."""

    plan: ChampionshipPlan
    organisers: tuple[int, ...]
    status: Literal["open", "over"] = "open"
    tournaments: Mapping[int, Fraction] = {}
    """Those that count, in the order of coming, with their weights."""
    penalties: tuple[PointsTaken, ...] = ()
    seq: int = 0


def evolve(state: ChampionshipState | None, fact: Any, seq: int) -> ChampionshipState:
    """The state after a fact. Never fails on facts that were written."""
    if isinstance(fact, ChampionshipOpened):
        return ChampionshipState(fact.plan, (fact.organiser,), seq=seq)
    assert state is not None
    return replace(_evolve(state, fact), seq=seq)


def _evolve(state: ChampionshipState, fact: Any) -> ChampionshipState:
    match fact:
        case ChampionshipChanged(plan):
            return replace(state, plan=plan)
        case TournamentAdded(tournament, weight):
            return replace(state, tournaments={**state.tournaments, tournament: Fraction(weight)})
        case TournamentRemoved(tournament):
            left = {number: weight for number, weight in state.tournaments.items() if number != tournament}
            return replace(state, tournaments=left)
        case OrganiserJoined(account):
            return replace(state, organisers=(*state.organisers, account))
        case OrganiserParted(account):
            return replace(state, organisers=tuple(each for each in state.organisers if each != account))
        case PointsTaken():
            return replace(state, penalties=(*state.penalties, fact))
        case ChampionshipClosed():
            return replace(state, status="over")
    return state


def rebuilt(acts: Iterable[tuple[int, str]]) -> ChampionshipState:
    """The state from the rows of the log, number and JSON of the facts."""
    state: ChampionshipState | None = None
    for seq, text in acts:
        for fact in msgspec.json.decode(text, type=list[ChampionshipFact]):
            state = evolve(state, fact, seq)
    assert state is not None
    return state
