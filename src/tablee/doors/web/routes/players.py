"""People as everybody may know them: profile, statistics, games; and the rankings."""

from __future__ import annotations

from collections import defaultdict
from typing import Annotated, Literal

import msgspec

from tablee.club.people import Account
from tablee.club.ratings import Ranked
from tablee.tables.searching import people_named

from ..api.ask import Ask
from ..api.errors import Refusal
from ..api.registry import Body, Id, Invitation, Limit, Offset, Routes, Who
from ..shapes import Person, Shape, person
from ..tables.visibility import must_see

routes = Routes("players")

Pseudo = Annotated[str, msgspec.Meta(max_length=120)]


DAY = 86_400_000


class Standing(Shape, frozen=True):
    """Where somebody stands in one variant."""

    game: str
    variant: str
    rating: int
    margin: int  # by how much the rating may be wrong, either way
    rated: int  # of the games played, those that changed the rating
    provisional: bool  # after so few of them that the rating is a first guess
    played: int
    won: int
    lost: int
    drawn: int
    points: int


class ConductShape(Shape, frozen=True):
    """How somebody kept deadlines and games over the last two years; anonymous games count for nothing."""

    reliability: int  # 0 to 100
    regularity: int  # 0 to 100
    owed: int  # deadlines by which something was owed
    late: int  # of them, those that were missed
    finished: int  # games with a master that were played to their end
    dropped: int  # those given up, or in which somebody else took over


class Profile(Shape, frozen=True):
    """The public facts about somebody."""

    id: int
    pseudo: str
    kind: str
    role: str
    country: str
    created_at: int
    seen_at: int | None  # the day of the last visit (its first instant, UTC), where it is shared
    here: bool  # never where its owner keeps to himself when he is
    standings: list[Standing]
    conduct: ConductShape | None  # of a member who has owed something by a date


class PlayersQuery(Body, frozen=True):
    search: Annotated[str, msgspec.Meta(min_length=1, max_length=60)]
    limit: Limit = 20


class FoundPlayers(Shape, frozen=True):
    """People whose name begins with what was searched."""

    players: list[Person]


@routes.get("/players", who=Who.ANYONE)
async def find_players(ask: Ask, query: PlayersQuery) -> FoundPlayers:
    """Members and robots whose name begins like this."""
    found = await people_named(ask.house.store, query.search, query.limit)
    return FoundPlayers(players=[person(each) for each in found])


async def _player(ask: Ask, pseudo: str) -> Account:
    account = await ask.house.club.accounts.by_pseudo(pseudo)
    if account.deleted_at is not None:
        raise Refusal("not_found")
    return account


@routes.get("/players/{pseudo}", who=Who.ANYONE)
async def profile(ask: Ask, pseudo: Pseudo) -> Profile:
    """The public facts about somebody, with ratings and counts by game."""
    account = await _player(ask, pseudo)
    found = await ask.house.club.ratings.statistics(account.id)
    here = await ask.house.club.online.shown([account.id])
    return Profile.of(
        account,
        seen_at=_day_seen(account),
        here=account.id in here,
        standings=[Standing.of(each) for each in found],
        conduct=await _conduct(ask, account),
    )


async def _conduct(ask: Ask, account: Account) -> ConductShape | None:
    if not account.is_member:
        return None
    await ask.house.tables.reckoning.of_account(account.id)
    kept = await ask.house.club.conduct.kept(account.id)
    if not kept.owed and not kept.dropped:
        return None
    return ConductShape(
        reliability=kept.reliability,
        regularity=kept.regularity,
        owed=kept.owed,
        late=kept.late,
        finished=await ask.house.tables.reckoning.finished(account.id),
        dropped=kept.dropped,
    )


class SeatConduct(Shape, frozen=True):
    """How far one may rely on who sits in a seat."""

    reliability: int
    regularity: int


class TableConduct(Shape, frozen=True):
    """By seat, of members who have owed something by a date; of an anonymous table nothing."""

    seats: dict[str, SeatConduct]


class ConductQuery(Body, frozen=True):
    invitation: Invitation | None = None


@routes.get("/tables/{table_id}/conduct", who=Who.ANYONE)
async def conduct_at_table(ask: Ask, table_id: Id, query: ConductQuery) -> TableConduct:
    """How reliable and regular those are who sit at a table; in an anonymous game nobody learns that."""
    house = ask.house
    info = await must_see(house, table_id, ask.account_id_if_any, query.invitation, ask.is_administrator)
    await house.tables.reckoning.of_table(table_id)
    seats: dict[str, SeatConduct] = {}
    for taken in () if info.terms.anonymous else info.taken:
        if taken.kind == "member":
            kept = await house.club.conduct.kept(taken.account_id)
            if kept.owed or kept.dropped:
                seats[str(taken.seat)] = SeatConduct(reliability=kept.reliability, regularity=kept.regularity)
    return TableConduct(seats=seats)


def _day_seen(account: Account) -> int | None:
    if account.is_robot or account.hides_visits:
        return None
    return account.seen_at - account.seen_at % DAY


class SeatCount(Shape, frozen=True):
    """How somebody fared in one seat."""

    seat: int
    played: int
    won: int
    lost: int
    drawn: int


class SideCount(Shape, frozen=True):
    """How somebody fared on one side: with White, say."""

    side: str
    played: int
    won: int
    lost: int
    drawn: int


class RatingPoint(Shape, frozen=True):
    """The rating after one game."""

    at: int
    table: int
    rating: int
    margin: int | None


class Statistics(Shape, frozen=True):
    """How somebody fares in one variant: by seat, and the rating over time."""

    game: str
    variant: str
    by_seat: list[SeatCount]
    by_side: list[SideCount]  # where the game has sides: white and black in chess
    ratings: list[RatingPoint]  # oldest first, the last 500 rated games


@routes.get("/players/{pseudo}/statistics/{game}/{variant}", who=Who.ANYONE)
async def statistics(ask: Ask, pseudo: Pseudo, game: str, variant: str) -> Statistics:
    """How somebody fares in one variant, for charts."""
    account = await _player(ask, pseudo)
    if (game, variant) not in ask.house.tables.games:
        raise Refusal("not_found")
    ratings = ask.house.club.ratings
    course = await ratings.course(account.id, game, variant)
    return Statistics(
        game=game,
        variant=variant,
        by_seat=[
            SeatCount(seat=int(c.place), played=c.played, won=c.won, lost=c.lost, drawn=c.drawn)
            for c in await ratings.by_seat(account.id, game, variant)
        ],
        by_side=[
            SideCount(side=str(c.place), played=c.played, won=c.won, lost=c.lost, drawn=c.drawn)
            for c in await ratings.by_side(account.id, game, variant)
        ],
        ratings=[
            RatingPoint(at=p.at, table=p.table_id, rating=p.rating_after, margin=p.margin_after)
            for p in course
        ],
    )


class GamesQuery(Body, frozen=True):
    before: Id | None = None
    limit: Limit = 50


class Opponent(Shape, frozen=True):
    """Somebody with whom a game was played; `robot` is the strength of one that is none."""

    name: str
    robot: str | None
    rank: int


class FinishedGame(Shape, frozen=True):
    """A finished game of somebody."""

    table: int
    game: str
    variant: str
    name: str
    seat: int
    rank: int
    score: int | None
    rating_before: int | None
    rating_after: int | None
    margin_before: int | None
    margin_after: int | None
    unrated: str | None  # why it changed no rating: chosen, anonymous, stopped, members, not_member
    ended_at: int
    opponents: list[Opponent]  # the best first; of an anonymous game nobody


class FinishedGames(Shape, frozen=True):
    """Finished games, newest first."""

    games: list[FinishedGame]


@routes.get("/players/{pseudo}/games", who=Who.ANYONE)
async def games_of(ask: Ask, pseudo: Pseudo, query: GamesQuery) -> FinishedGames:
    """Somebody's finished games, newest first; those at private tables only for himself."""
    account = await _player(ask, pseudo)
    reader = ask.account_id_if_any or 0
    rows = await ask.house.club.ratings.finished(account.id, reader, query.before, query.limit)
    others: dict[int, list[Opponent]] = defaultdict(list)
    for row in await ask.house.club.ratings.opponents(account.id, sorted({row.table_id for row in rows})):
        others[row.table_id].append(Opponent.of(row))
    return FinishedGames(
        games=[
            FinishedGame.of(row, table=row.table_id, ended_at=row.at, opponents=others[row.table_id])
            for row in rows
        ]
    )


# --- rankings -------------------------------------------------------------------------------------------


class RankingQuery(Body, frozen=True):
    offset: Offset = 0
    limit: Limit = 50
    by: Literal["rating", "points"] = "rating"


class RankLine(Shape, frozen=True):
    """One line of a ranking; who is equal shares a rank."""

    rank: int
    account: int
    pseudo: str
    rating: int
    margin: int  # by how much the rating may be wrong, either way
    rated: int
    provisional: bool
    played: int
    won: int
    lost: int
    drawn: int
    points: int


class Ranking(Shape, frozen=True):
    """A part of a ranking, the best first."""

    game: str
    variant: str | None  # null: over all variants of the game
    offset: int
    total: int  # how many are in the whole ranking
    lines: list[RankLine]
    mine: RankLine | None  # one's own line, wherever it is


@routes.get("/rankings/{game}/{variant}", who=Who.ANYONE)
async def ranking(ask: Ask, game: str, variant: str, query: RankingQuery) -> Ranking:
    """The members who play a variant, by rating or by points, and one's own place among them.

    By rating are those who have five rated games, by what they are worth at least: rating less margin.
    """
    if (game, variant) not in ask.house.tables.games:
        raise Refusal("not_found")
    return await _ranking(ask, game, variant, query)


@routes.get("/rankings/{game}", who=Who.ANYONE)
async def ranking_of_game(ask: Ask, game: str, query: RankingQuery) -> Ranking:
    """The same over all variants of a game, each weighing what somebody played of it; `variant` is null."""
    if not any(name == game for name, _ in ask.house.tables.games):
        raise Refusal("not_found")
    return await _ranking(ask, game, None, query)


async def _ranking(ask: Ask, game: str, variant: str | None, query: RankingQuery) -> Ranking:
    ratings = ask.house.club.ratings
    lines = await ratings.ranking(game, variant, offset=query.offset, limit=query.limit, by=query.by)
    reader = ask.account_id_if_any
    mine = None if reader is None else await ratings.place(reader, game, variant, by=query.by)
    return Ranking(
        game=game,
        variant=variant,
        offset=query.offset,
        total=await ratings.ranked(game, variant, by=query.by),
        lines=[_line(line) for line in lines],
        mine=None if mine is None else _line(mine),
    )


def _line(line: Ranked) -> RankLine:
    return RankLine.of(line, account=line.account_id)
