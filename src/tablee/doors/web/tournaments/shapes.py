"""What the API says of tournaments."""

from __future__ import annotations

from typing import Any

from ..shapes import Person, Shape

Json = Any
Points = int | float


class TournamentInfo(Shape, frozen=True):
    """A tournament in short."""

    id: int
    name: str
    game: str
    variant: str
    format: str
    status: str  # draft, announced, check_in, running, over, cancelled
    rounds: int  # how many there will be
    round: int  # the last that was published; 0 before the first
    entrants: int
    waiting: int
    limit: int  # 0: none
    organisers: list[Person]


class TournamentCard(TournamentInfo, frozen=True):
    """All that one reads before entering, and one's own part in it."""

    description: str
    plan: Json  # as it was given, without its secrets; whole for organisers
    points: str  # how points are made
    ties: list[str]
    has_code: bool
    organises: bool  # whether the reader is one of its organisers
    entered: bool
    waits: bool
    draft: int  # the version of the draft of a round, for organisers; 0 where there is none
    seq: int


class TournamentList(Shape, frozen=True):
    tournaments: list[TournamentInfo]


class EntryInfo(Shape, frozen=True):
    """Somebody who has entered."""

    account: int
    pseudo: str
    number: int  # by rating; 0 while he waits
    rating: int
    waits: bool
    robot: str
    team: str
    late: bool
    is_here: bool  # he has checked in
    out_from: int  # the first round that he no longer plays; 0: he plays
    away: list[int]


class EntryList(Shape, frozen=True):
    entries: list[EntryInfo]


class BoardInfo(Shape, frozen=True):
    """A board of a round: accounts in the order of the seats, White first."""

    round: int
    board: int
    seats: list[int]
    table: int | None
    result: Json  # marks, or ranks, scores and tally; `by` the organiser who set it; null while it goes on


class RoundInfo(Shape, frozen=True):
    round: int
    attempt: int
    published_at: int
    boards: list[BoardInfo]
    byes: list[int]
    absent: list[int]


class RoundList(Shape, frozen=True):
    rounds: list[RoundInfo]
    people: dict[int, str]


class DraftWarning(Shape, frozen=True):
    """Something to look at before a draft is published: rematch, third_colour, role_again."""

    what: str
    accounts: list[int]


class DraftInfo(Shape, frozen=True):
    round: int
    version: int
    boards: list[list[int]]
    byes: list[int]
    absent: list[int]
    by_hand: bool
    warnings: list[DraftWarning]


class PartInfo(Shape, frozen=True):
    """A part of a sum: it is from a term, an opponent or a round."""

    source: str
    points: Points


class CountedInfo(Shape, frozen=True):
    """A round in somebody's points."""

    round: int
    points: Points
    exact: str
    weight: str
    counts: bool
    is_mean: bool
    terms: list[PartInfo]


class TieInfo(Shape, frozen=True):
    name: str
    value: list[Points]
    parts: list[PartInfo]


class StandingInfo(Shape, frozen=True):
    """A line of the standings, with the sums of its figures."""

    place: int
    account: int
    pseudo: str
    points: Points
    exact: str
    rounds: list[CountedInfo]
    penalties: list[PartInfo]
    ties: list[TieInfo]


class Standings(Shape, frozen=True):
    round: int
    lines: list[StandingInfo]


class CellInfo(Shape, frozen=True):
    """What a round was to somebody."""

    round: int
    board: int
    table: int | None
    mark: str
    points: Points | None
    opponents: list[int]
    role: int


class CrossLine(Shape, frozen=True):
    place: int
    account: int
    pseudo: str
    points: Points
    cells: list[CellInfo]


class CrossTable(Shape, frozen=True):
    lines: list[CrossLine]


class ActInfo(Shape, frozen=True):
    seq: int
    at: int
    account: int | None
    facts: list[Json]


class ActList(Shape, frozen=True):
    acts: list[ActInfo]
    people: dict[int, str]


class MatchGame(Shape, frozen=True):
    """A game of a match in a knockout."""

    board: int
    table: int | None
    white: int
    points: Points | None  # White's; null while it goes on


class MatchInfo(Shape, frozen=True):
    """Two who meet until one of them has won."""

    round: int
    place: int  # from the top of the bracket
    third_place: bool
    upper: int | None  # null: nobody is known yet, or nobody comes
    lower: int | None
    winner: int | None
    is_bye: bool
    walkover: bool  # the other has left
    by_lot: bool  # level after everything
    upper_points: Points
    lower_points: Points
    games: list[MatchGame]


class Bracket(Shape, frozen=True):
    """A knockout: seeds, the best first, and every round of matches."""

    seeds: list[int]
    best_of: int
    rounds: list[list[MatchInfo]]
    people: dict[int, str]


class TeamRound(Shape, frozen=True):
    round: int
    points: Points
    accounts: list[int]  # whose points they are


class TeamInfo(Shape, frozen=True):
    place: int
    team: str
    points: Points
    exact: str
    rounds: list[TeamRound]


class TeamList(Shape, frozen=True):
    best: int  # so many members count each round; 0: there are no teams
    teams: list[TeamInfo]
    people: dict[int, str]


class PrizeInfo(Shape, frozen=True):
    name: str  # `place.1`, `role.3`, or as organisers call it
    free: bool
    accounts: list[int]
    points: Points | None


class PrizeList(Shape, frozen=True):
    prizes: list[PrizeInfo]
    people: dict[int, str]


class ChampionshipInfo(Shape, frozen=True):
    """A championship in short."""

    id: int
    name: str
    status: str  # open, over
    tournaments: int
    best: int  # so many of them count; 0: all


class ChampionshipTournament(Shape, frozen=True):
    """A tournament of a championship; only one that is over counts."""

    tournament: int
    name: str
    game: str
    variant: str
    status: str
    weight: str


class ChampionshipCard(ChampionshipInfo, frozen=True):
    description: str
    organisers: list[Person]
    organises: bool  # whether the reader is one of its organisers
    parts: list[ChampionshipTournament]
    seq: int


class ChampionshipList(Shape, frozen=True):
    championships: list[ChampionshipInfo]


class ChampionshipStandings(Shape, frozen=True):
    """Who stands where over several tournaments; round n of a line is the n-th of these."""

    tournaments: list[int]
    lines: list[StandingInfo]
