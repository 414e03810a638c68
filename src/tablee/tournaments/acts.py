"""What happens in a tournament, and what is true after it: facts in a log, as at a table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from tablee.rules.contract import Fact, Instant
from tablee.tournaments.plan import Plan

Status = Literal["draft", "announced", "check_in", "running", "over", "cancelled"]


class Created(Fact, frozen=True):
    plan: Plan
    organiser: int


class PlanChanged(Fact, frozen=True):
    plan: Plan


class Announced(Fact, frozen=True):
    """Everybody may see it, and enter."""


class OrganiserNamed(Fact, frozen=True):
    account: int


class OrganiserDismissed(Fact, frozen=True):
    account: int


class Entered(Fact, frozen=True):
    """Somebody plays along, or waits for a place."""

    account: int
    rating: int
    at: Instant
    waits: bool = False
    robot: str = ""
    team: str = ""


class MovedUp(Fact, frozen=True):
    """Who waited has a place."""

    account: int


class Left(Fact, frozen=True):
    """An entry is taken back before the tournament begins."""

    account: int


class Began(Fact, frozen=True):
    """The entries are complete but for late ones; in a round robin they are numbered for good."""

    rounds: int


class CheckInOpened(Fact, frozen=True):
    """Who has entered says that he is there; who does not is out when it begins."""


class CheckedIn(Fact, frozen=True):
    account: int


class Seeded(Fact, frozen=True):
    """Organisers have listed the seeds of a knockout, the best first."""

    accounts: tuple[int, ...]


class PrizeGiven(Fact, frozen=True):
    """Organisers give somebody a prize of their own."""

    name: str
    account: int


class PrizeTakenBack(Fact, frozen=True):
    name: str
    account: int


class WentAway(Fact, frozen=True):
    """Somebody does not play one round; in a Swiss tournament it may be worth half a point once."""

    account: int
    round: int
    half: bool = False


class CameBack(Fact, frozen=True):
    """He plays that round after all."""

    account: int
    round: int


class Withdrawn(Fact, frozen=True):
    """Somebody plays no round from this one on."""

    account: int
    round: int


class Drafted(Fact, frozen=True):
    """A round as it may be published, for organisers' eyes."""

    round: int
    boards: tuple[tuple[int, ...], ...]
    """Accounts, in the order of the seats; White is first."""
    byes: tuple[int, ...] = ()
    absent: tuple[int, ...] = ()
    by_hand: bool = False
    at: Instant = 0


class Published(Fact, frozen=True):
    """A round is there for everybody; its boards are rows beside the log."""

    round: int
    attempt: int
    byes: tuple[int, ...]
    absent: tuple[int, ...]
    at: Instant
    starts_at: Instant = 0
    """When its games begin; 0: at once."""


class RoundClosed(Fact, frozen=True):
    """The house has seen that every board of the last round has a result."""

    round: int
    at: Instant


class Forfeited(Fact, frozen=True):
    """Who was not there when his game began has lost it; both, if both were not."""

    round: int
    board: int
    absent: tuple[int, ...]


class Awaited(Fact, frozen=True):
    """The house has looked who is there in a round, and need not look again."""

    round: int


class RoundOverdue(Fact, frozen=True):
    """The time of a round is over, and some of its games are not: its organisers were told."""

    round: int


class Substituted(Fact, frozen=True):
    """Somebody goes on in a seat of a board: `scorer` has what it is worth, nobody if that is 0."""

    round: int
    board: int
    seat: int
    account: int
    scorer: int
    reason: str = ""


class Stuck(Fact, frozen=True):
    """The house cannot go on by itself: its organisers were told why."""

    why: str


class Undone(Fact, frozen=True):
    """The last round was not to be."""

    round: int
    reason: str


class ResultSet(Fact, frozen=True):
    """An organiser has said how a board ended."""

    round: int
    board: int
    reason: str


class Adopted(Fact, frozen=True):
    """A table that was played elsewhere counts as a board."""

    round: int
    board: int
    table: int
    reason: str


class Penalised(Fact, frozen=True):
    """Points are taken from somebody, as a fraction."""

    account: int
    points: str
    reason: str


class Ended(Fact, frozen=True):
    """All rounds are played, or organisers end it here."""


class Cancelled(Fact, frozen=True):
    reason: str


TournamentFact = (
    CheckInOpened | CheckedIn | RoundClosed | Forfeited | Awaited | RoundOverdue | Substituted | Stuck |
    Created | PlanChanged | Announced | OrganiserNamed | OrganiserDismissed | Entered | MovedUp | Left | Began
    | Seeded | PrizeGiven | PrizeTakenBack | WentAway | CameBack | Withdrawn | Drafted | Published | Undone
    | ResultSet | Adopted | Penalised | Ended | Cancelled
)  # fmt: skip


class Entry(msgspec.Struct, frozen=True):
    """Somebody who has entered."""

    account: int
    rating: int
    at: Instant
    waits: bool
    robot: str
    team: str
    late: bool
    """He came after the beginning."""
    from_round: int = 1
    out_from: int = 0
    """The first round that he no longer plays; 0 where he plays to the end."""
    away: Mapping[int, bool] = {}
    """Rounds for which he is away, and whether he asked for half a point."""
    is_here: bool = False
    """He has checked in."""

    def plays(self, number: int) -> bool:
        """Whether a round counts with him, be he away or not."""
        return (
            not self.waits and self.from_round <= number and not (self.out_from and number >= self.out_from)
        )


class RoundState(msgspec.Struct, frozen=True):
    """A round that was published."""

    attempt: int
    byes: tuple[int, ...]
    absent: tuple[int, ...]
    at: Instant
    starts_at: Instant = 0
    closed_at: Instant = 0
    """When the house saw that all its games were over; 0: it has not."""
    awaited: bool = False
    overdue: bool = False
    scorers: Mapping[str, int] = {}
    """By board and seat, as `3.1`: who has what it is worth instead of who was paired; 0: nobody."""


class TournamentState(msgspec.Struct, frozen=True):
    """All that the log says."""

    plan: Plan
    organisers: tuple[int, ...]
    status: Status = "draft"
    entries: Mapping[int, Entry] = {}
    """By account, in the order of coming."""
    rounds: int = 0
    """How many there will be; 0 before it begins."""
    published: tuple[RoundState, ...] = ()
    attempts: Mapping[int, int] = {}
    """How often each round was published."""
    draft: Drafted | None = None
    draft_version: int = 0
    penalties: tuple[Penalised, ...] = ()
    seeds: tuple[int, ...] = ()
    """Of a knockout, as organisers have listed them."""
    gifts: tuple[tuple[str, int], ...] = ()
    """Prizes that organisers give freely: what it is called, and whose it is."""
    seq: int = 0
    stuck: str = ""
    """Why the house does not go on by itself, until somebody does something."""

    @property
    def next_round(self) -> int:
        return len(self.published) + 1

    @property
    def active(self) -> list[Entry]:
        """Who plays the next round, be he away or not."""
        return [entry for entry in self.entries.values() if entry.plays(self.next_round)]

    @property
    def waiting(self) -> list[int]:
        return [entry.account for entry in self.entries.values() if entry.waits]

    @property
    def numbers(self) -> dict[int, int]:
        """Accounts by rank of rating, from 1; who came later than round 4 stands behind those before him."""
        order = sorted(
            (entry for entry in self.entries.values() if not entry.waits),
            key=lambda entry: (
                entry.from_round if entry.from_round > 4 else 1,
                -entry.rating,
                entry.at,
                entry.account,
            ),
        )
        return {entry.account: number for number, entry in enumerate(order, 1)}


def evolve(state: TournamentState | None, fact: Any, seq: int) -> TournamentState:
    """The state after a fact. Never fails on facts that were written."""
    if isinstance(fact, Created):
        return TournamentState(fact.plan, (fact.organiser,), seq=seq)
    assert state is not None
    return replace(_evolve(state, fact, seq), seq=seq, stuck=fact.why if isinstance(fact, Stuck) else "")


def _evolve(state: TournamentState, fact: Any, seq: int) -> TournamentState:
    match fact:
        case PlanChanged(plan):
            return replace(state, plan=plan)
        case Announced():
            return replace(state, status="announced")
        case OrganiserNamed(account):
            return replace(state, organisers=(*state.organisers, account))
        case OrganiserDismissed(account):
            return replace(state, organisers=tuple(each for each in state.organisers if each != account))
        case Entered(account, rating, at, waits, robot, team):
            late = state.status == "running"
            entry = Entry(account, rating, at, waits, robot, team, late, state.next_round)
            others = {key: each for key, each in state.entries.items() if key != account}
            return replace(state, entries={**others, account: entry})
        case MovedUp(account):
            return _with(state, account, waits=False)
        case Left(account):
            return replace(
                state, entries={key: each for key, each in state.entries.items() if key != account}
            )
        case Began(rounds):
            return replace(state, status="running", rounds=rounds)
        case WentAway(account, number, half):
            return _with(state, account, away={**state.entries[account].away, number: half})
        case CameBack(account, number):
            away = {key: half for key, half in state.entries[account].away.items() if key != number}
            return _with(state, account, away=away)
        case Withdrawn(account, number):
            return _with(state, account, out_from=number)
        case Drafted():
            return replace(state, draft=fact, draft_version=seq)
        case CheckInOpened():
            return replace(state, status="check_in")
        case CheckedIn(account):
            return _with(state, account, is_here=True)
        case RoundClosed(number, at):
            return _with_round(state, number, closed_at=at)
        case Awaited(number):
            return _with_round(state, number, awaited=True)
        case RoundOverdue(number):
            return _with_round(state, number, overdue=True)
        case Substituted(number, board, seat, _, scorer):
            scorers = {**state.published[number - 1].scorers, f"{board}.{seat}": scorer}
            return _with_round(state, number, scorers=scorers)
        case Published(number, attempt, byes, absent, at, starts_at):
            round_state = RoundState(attempt, byes, absent, at, starts_at)
            published = (*state.published[: number - 1], round_state)
            attempts = {**state.attempts, number: attempt}
            return replace(state, published=published, attempts=attempts, draft=None, draft_version=0)
        case Undone(number):
            return replace(state, published=state.published[: number - 1], draft=None, draft_version=0)
        case Penalised():
            return replace(state, penalties=(*state.penalties, fact))
        case Seeded(accounts):
            return replace(state, seeds=accounts, draft=None, draft_version=0)
        case PrizeGiven(name, account):
            return replace(state, gifts=(*state.gifts, (name, account)))
        case PrizeTakenBack(name, account):
            return replace(state, gifts=tuple(each for each in state.gifts if each != (name, account)))
        case Ended():
            return replace(state, status="over", draft=None, draft_version=0)
        case Cancelled():
            return replace(state, status="cancelled", draft=None, draft_version=0)
    return state  # a result is a row of its board; the log keeps who set it, and why


def _with(state: TournamentState, account: int, **changed: Any) -> TournamentState:
    entry = replace(state.entries[account], **changed)
    return replace(state, entries={**state.entries, account: entry})


def _with_round(state: TournamentState, number: int, **changed: Any) -> TournamentState:
    changed_round = replace(state.published[number - 1], **changed)
    published = (*state.published[: number - 1], changed_round, *state.published[number:])
    return replace(state, published=published)


def rebuilt(acts: Iterable[tuple[int, str]], state: TournamentState | None = None) -> TournamentState:
    """The state from the rows of the log, number and JSON of the facts; from an earlier one on, if given."""
    for seq, text in acts:
        for fact in msgspec.json.decode(text, type=list[TournamentFact]):
            state = evolve(state, fact, seq)
    assert state is not None
    return state
