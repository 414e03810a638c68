"""Ratings and counts by game and variant: after each game a better guess at how strong everybody is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from openskill.models import PlackettLuce
from sqlalchemy import Column, Select, bindparam, case, func, insert, select, update

from tablee.clock import Clock, Instant
from tablee.rules.contract import Result, Seat
from tablee.store import Query, Store, Write, upsert
from tablee.store.query import Row
from tablee.store.schema import account, game_table, outcome, standing

MU, SIGMA = 25.0, 25.0 / 3
_MODEL = PlackettLuce(mu=MU, sigma=SIGMA)
COURSE_MOST = 500
"""Games of which the course of a rating is told."""
END_OF_IDS = 2**53

_KEY = (
    (standing.c.account_id == bindparam("who"))
    & (standing.c.game == bindparam("in_game"))
    & (standing.c.variant == bindparam("in_variant"))
)
_INSERT = Query(upsert(standing, change=()))  # no row if somebody was faster: the unit is a Conflict then
_COUNTS = ("mu", "sigma", "played", "won", "lost", "drawn", "points", "version")
_UPDATE = Query(
    update(standing)
    .where(_KEY, standing.c.version == bindparam("was"))
    .values({standing.c[name]: bindparam(f"new_{name}") for name in _COUNTS})
)
_ONE = Query(select(standing).where(_KEY))
_SEVERAL = Query(
    select(standing).where(
        standing.c.account_id.in_(bindparam("ids", expanding=True)),
        standing.c.game == bindparam("in_game"),
        standing.c.variant == bindparam("in_variant"),
    )
)
_OF_ACCOUNT = Query(
    select(standing)
    .where(standing.c.account_id == bindparam("who"))
    .order_by(standing.c.game, standing.c.variant)
)
_OUTCOME = Query(insert(outcome))
_RANKED = (
    (standing.c.account_id == account.c.id)
    & (standing.c.game == bindparam("in_game"))
    & (account.c.kind == "member")
    & account.c.deleted_at.is_(None)
)


def _lines(by: str) -> Select[tuple[object, ...]]:
    worth = standing.c[by]
    rank = func.rank().over(order_by=worth.desc()).label("rank")
    return (
        select(rank, account.c.pseudo, standing)
        .where(_RANKED, standing.c.variant == bindparam("in_variant"), standing.c.played > 0)
        .order_by(worth.desc(), standing.c.account_id)
    )


def _over_all(by: str) -> Select[tuple[object, ...]]:
    # Over all variants somebody is as strong as he is on average, each variant weighing what he played of it.
    games = func.sum(standing.c.played)
    strength = func.sum(standing.c.mu * standing.c.played) / games
    whole = select(
        standing.c.account_id,
        account.c.pseudo,
        strength.label("mu"),
        *(func.sum(standing.c[name]).label(name) for name in ("played", "won", "lost", "drawn", "points")),
    )
    each = whole.where(_RANKED).group_by(standing.c.account_id, account.c.pseudo).having(games > 0).subquery()
    worth = each.c[by]
    return select(func.rank().over(order_by=worth.desc()).label("rank"), each).order_by(
        worth.desc(), each.c.account_id
    )


def _part(lines: Select[tuple[object, ...]]) -> Query:
    return Query(lines.limit(bindparam("most")).offset(bindparam("skipped")))


def _place(lines: Select[tuple[object, ...]]) -> Query:
    line = lines.order_by(None).subquery()
    return Query(select(line).where(line.c.account_id == bindparam("who")))


_WORTH = ("mu", "points")
_RANKING = {by: _part(_lines(by)) for by in _WORTH}
_RANKING_ALL = {by: _part(_over_all(by)) for by in _WORTH}
_PLACE = {by: _place(_lines(by)) for by in _WORTH}
_PLACE_ALL = {by: _place(_over_all(by)) for by in _WORTH}
_RANKED_COUNT = Query(
    select(func.count().label("number")).where(
        _RANKED, standing.c.variant == bindparam("in_variant"), standing.c.played > 0
    )
)
_RANKED_COUNT_ALL = Query(
    select(func.count(standing.c.account_id.distinct()).label("number")).where(_RANKED, standing.c.played > 0)
)
_TOTALS = Query(
    select(account.c.pseudo, standing.c.points, standing.c.account_id)
    .where(_RANKED, standing.c.variant == bindparam("in_variant"))
    .order_by(standing.c.points.desc(), standing.c.account_id)
)


def _counts_by(column: Column[Any]) -> Select[tuple[object, ...]]:
    others = outcome.alias()
    level = (
        select(func.count())
        .where(others.c.table_id == outcome.c.table_id, others.c.rank == 1)
        .scalar_subquery()
    )
    first = outcome.c.rank == 1
    return (
        select(
            column,
            func.count().label("played"),
            func.sum(case((first & (level == 1), 1), else_=0)).label("won"),
            func.sum(case((~first, 1), else_=0)).label("lost"),
            func.sum(case((first & (level > 1), 1), else_=0)).label("drawn"),
        )
        .join_from(outcome, game_table, outcome.c.table_id == game_table.c.id)
        .where(
            outcome.c.account_id == bindparam("who"),
            column.is_not(None),
            ~game_table.c.anonymous,
            game_table.c.game == bindparam("in_game"),
            game_table.c.variant == bindparam("in_variant"),
        )
        .group_by(column)
        .order_by(column)
    )


_BY_SEAT = Query(_counts_by(outcome.c.seat))
_BY_SIDE = Query(_counts_by(outcome.c.side))


_COURSE = Query(
    select(outcome.c.at, outcome.c.table_id, outcome.c.rating_after)
    .join_from(outcome, game_table, outcome.c.table_id == game_table.c.id)
    .where(
        outcome.c.account_id == bindparam("who"),
        game_table.c.game == bindparam("in_game"),
        game_table.c.variant == bindparam("in_variant"),
        game_table.c.access == "open",
        ~game_table.c.anonymous,
        outcome.c.rating_after.is_not(None),
    )
    .order_by(outcome.c.at.desc(), outcome.c.table_id.desc())
    .limit(COURSE_MOST)
)
_FINISHED = Query(
    select(
        outcome.c.table_id,
        outcome.c.seat,
        outcome.c.rank,
        outcome.c.score,
        outcome.c.rating_before,
        outcome.c.rating_after,
        outcome.c.at,
        game_table.c.game,
        game_table.c.variant,
        game_table.c.name,
    )
    .join_from(outcome, game_table, outcome.c.table_id == game_table.c.id)
    .where(
        outcome.c.account_id == bindparam("who"),
        outcome.c.table_id < bindparam("before"),
        ((game_table.c.access == "open") & ~game_table.c.anonymous)
        | (outcome.c.account_id == bindparam("reader")),
    )
    .order_by(outcome.c.table_id.desc(), outcome.c.seat)
    .limit(bindparam("most"))
)


class Standing(msgspec.Struct, frozen=True):
    """Where somebody stands in one variant; version 0 is one that has not been written yet."""

    account_id: int
    game: str
    variant: str
    mu: float = MU
    sigma: float = SIGMA
    played: int = 0
    won: int = 0
    lost: int = 0
    drawn: int = 0
    points: int = 0
    version: int = 0

    @property
    def rating(self) -> int:
        return shown(self.mu)


class Ranked(msgspec.Struct, frozen=True):
    """One line of a ranking; who is equal shares a rank."""

    rank: int
    account_id: int
    pseudo: str
    rating: int
    played: int
    won: int
    lost: int
    drawn: int
    points: int


class Counted(msgspec.Struct, frozen=True):
    """How somebody fared in one seat, or on one side."""

    place: Seat | str
    played: int
    won: int
    lost: int
    drawn: int


class Gone(NamedTuple):
    """Somebody who has left a seat of a game before its end: he resigned, or was taken out."""

    seat: Seat
    account_id: int
    resigned: bool


class Part(NamedTuple):
    """What a game was to somebody who had a part in it."""

    seat: Seat
    account_id: int
    rank: int
    score: int | None


class Total(NamedTuple):
    pseudo: str
    points: int
    account_id: int


class Ratings:
    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def standing(self, account_id: int, game: str, variant: str) -> Standing:
        """Where somebody stands; who never played stands in the middle."""
        row = await self._store.one(_ONE, who=account_id, in_game=game, in_variant=variant)
        return Standing(*row) if row is not None else Standing(account_id, game, variant)

    async def standings(self, ids: Sequence[int], game: str, variant: str) -> dict[int, Standing]:
        """Where several people stand."""
        found = {account_id: Standing(account_id, game, variant) for account_id in ids}
        wanted = sorted(found)
        for start in range(0, len(wanted), 500):
            rows = await self._store.rows(
                _SEVERAL, ids=wanted[start : start + 500], in_game=game, in_variant=variant
            )
            found |= {row.account_id: Standing(*row) for row in rows}
        return found

    async def statistics(self, account_id: int) -> list[Standing]:
        """Every variant that somebody has a standing in."""
        return [Standing(*row) for row in await self._store.rows(_OF_ACCOUNT, who=account_id)]

    async def by_seat(self, account_id: int, game: str, variant: str) -> list[Counted]:
        """How somebody fared in each seat."""
        return await self._counted(_BY_SEAT, account_id, game, variant)

    async def by_side(self, account_id: int, game: str, variant: str) -> list[Counted]:
        """How somebody fared on each side, in a game that has sides (`Rules.side`)."""
        return await self._counted(_BY_SIDE, account_id, game, variant)

    async def _counted(self, query: Query, account_id: int, game: str, variant: str) -> list[Counted]:
        rows = await self._store.rows(query, who=account_id, in_game=game, in_variant=variant)
        return [Counted(row[0], *(int(value) for value in row[1:])) for row in rows]

    async def course(self, account_id: int, game: str, variant: str) -> list[Row]:
        """The rating after each of somebody's last rated games that anybody may know of, oldest first."""
        found = await self._store.rows(_COURSE, who=account_id, in_game=game, in_variant=variant)
        return found[::-1]

    async def finished(self, account_id: int, reader: int, before: int | None, limit: int) -> list[Row]:
        """What somebody's finished games meant to him, newest first; private ones only for himself."""
        return await self._store.rows(
            _FINISHED, who=account_id, reader=reader, before=before or END_OF_IDS, most=limit
        )

    async def ranking(
        self, game: str, variant: str | None, *, offset: int = 0, limit: int = 50, by: str = "mu"
    ) -> list[Ranked]:
        """The best members of a variant by rating or by `points`; of the whole game where variant is None."""
        place = {"in_game": game, "most": max(1, min(limit, 500)), "skipped": max(0, min(offset, 2**31))}
        if variant is None:
            rows = await self._store.rows(_RANKING_ALL[by], **place)
        else:
            rows = await self._store.rows(_RANKING[by], in_variant=variant, **place)
        return [_ranked(row) for row in rows]

    async def place(
        self, account_id: int, game: str, variant: str | None, *, by: str = "mu"
    ) -> Ranked | None:
        """Somebody's own line in the ranking of a variant or a game; None for who is not in it."""
        if variant is None:
            row = await self._store.one(_PLACE_ALL[by], in_game=game, who=account_id)
        else:
            row = await self._store.one(_PLACE[by], in_game=game, in_variant=variant, who=account_id)
        return None if row is None else _ranked(row)

    async def ranked(self, game: str, variant: str | None) -> int:
        """How many are in the ranking of a variant or a game."""
        if variant is None:
            row = await self._store.one(_RANKED_COUNT_ALL, in_game=game)
        else:
            row = await self._store.one(_RANKED_COUNT, in_game=game, in_variant=variant)
        return 0 if row is None else int(row.number)

    async def totals(self, game: str, variant: str) -> list[Total]:
        """Everybody with a standing, played or not, most points first."""
        rows = await self._store.rows(_TOTALS, in_game=game, in_variant=variant)
        return [Total(*row) for row in rows]

    async def after_game(
        self,
        result: Result,
        accounts: Mapping[Seat, int],
        game: str,
        variant: str,
        *,
        table_id: int | None = None,
        at: Instant | None = None,
        rated: bool = True,
        counted: bool = True,
        sides: Mapping[Seat, str | None] | None = None,
        gone: Sequence[Gone] = (),
    ) -> list[Write]:
        """What the end of a game changes: standings, and the outcomes of the table if it is named.

        The writes are guarded: if another game of one of the players ends first, their unit is a Conflict,
        and one asks again. Points and counts are kept even where the game does not change ratings, but where
        it is not `counted` no standing changes at all.
        """
        parts = dict(enumerate(parts_of(result, accounts, gone)))
        before = await self.standings([part.account_id for part in parts.values()], game, variant)
        strengths = {
            n: (before[part.account_id].mu, before[part.account_id].sigma) for n, part in parts.items()
        }
        if rated and result.rated and len(before) > 1:
            strengths = rate(strengths, {n: part.rank for n, part in parts.items()})
        after = {account_id: _after(standing, parts, strengths) for account_id, standing in before.items()}
        if not counted:
            after = before
        writes = [_guarded(before[each], after[each]) for each in sorted(after)] if counted else []
        if table_id is not None:
            when = at if at is not None else self._clock.now()
            for seat, who, rank, score in parts.values():
                row = {
                    "table_id": table_id,
                    "seat": seat,
                    "account_id": who,
                    "rank": rank,
                    "score": score,
                    "rating_before": before[who].rating,
                    "rating_after": after[who].rating,
                    "at": when,
                    "side": None if sides is None else sides.get(seat),
                }
                writes.append(Write(_OUTCOME, row))
        return writes


def shown(mu: float) -> int:
    """The rating that people and protocols see."""
    return round(1500 + 60 * (mu - 25))


# Why: docs/decisions.md#who-leaves-has-lost
def parts_of(result: Result, accounts: Mapping[Seat, int], gone: Sequence[Gone] = ()) -> list[Part]:
    """Who had which part in a game: those who sit at its end, and those who have left a seat.

    Who resigned is behind all others, whoever went on in his seat. Who was taken out has the rank of the
    seat. A game that is not to be rated at all, because it was stopped say, nobody has lost by leaving it.
    """
    seats = sorted(seat for seat in result.ranks if seat in accounts)
    sitting = [Part(seat, accounts[seat], result.ranks[seat], result.scores.get(seat)) for seat in seats]
    if not gone or not result.rated:
        return sitting
    lost = {(each.seat, each.account_id) for each in gone if each.resigned}
    stayed = [part for part in sitting if (part.seat, part.account_id) not in lost]
    if len(stayed) < len(sitting):
        ranks = [part.rank for part in stayed]
        stayed = [part._replace(rank=1 + sum(rank < part.rank for rank in ranks)) for part in stayed]
    seat_ranks = {**result.ranks, **{part.seat: part.rank for part in stayed}}
    parts = list(stayed)
    known = {(part.seat, part.account_id) for part in stayed}
    for seat, account_id, resigned in sorted(gone):
        if seat not in result.ranks or (seat, account_id) in known:
            continue
        left_it = accounts.get(seat) == account_id  # nobody goes on in it
        score = result.scores.get(seat) if left_it else None
        parts.append(Part(seat, account_id, len(stayed) + 1 if resigned else seat_ranks[seat], score))
    return sorted(parts)


def rate(
    strengths: Mapping[int, tuple[float, float]], ranks: Mapping[int, int]
) -> dict[int, tuple[float, float]]:
    """The strengths (mu, sigma) after a game that ended with these ranks."""
    seats = sorted(strengths)
    teams = [[_MODEL.rating(mu=strengths[seat][0], sigma=strengths[seat][1])] for seat in seats]
    rated = _MODEL.rate(teams, ranks=[float(ranks[seat]) for seat in seats])
    return {seat: (team[0].mu, team[0].sigma) for seat, team in zip(seats, rated, strict=True)}


def _after(
    before: Standing, parts: Mapping[int, Part], strengths: Mapping[int, tuple[float, float]]
) -> Standing:
    """A standing after a game. A robot may have several seats: then it is as strong as these on average."""
    firsts = sum(part.rank == 1 for part in parts.values())
    own = [n for n, part in parts.items() if part.account_id == before.account_id]
    won = lost = drawn = 0
    if len(parts) > 1:
        for n in own:
            if parts[n].rank != 1:
                lost += 1
            elif firsts == 1:
                won += 1
            else:
                drawn += 1
    return msgspec.structs.replace(
        before,
        mu=sum(strengths[n][0] for n in own) / len(own),
        sigma=sum(strengths[n][1] for n in own) / len(own),
        played=before.played + len(own),
        won=before.won + won,
        lost=before.lost + lost,
        drawn=before.drawn + drawn,
        points=before.points + sum(parts[n].score or 0 for n in own),
    )


def _guarded(before: Standing, after: Standing) -> Write:
    """The write from one standing to the next, which fails if somebody else has changed it meanwhile."""
    row = msgspec.structs.asdict(after) | {"version": before.version + 1}
    if before.version == 0:
        return Write(_INSERT, row, expect=1)
    key = {"who": row.pop("account_id"), "in_game": row.pop("game"), "in_variant": row.pop("variant")}
    params = {f"new_{name}": value for name, value in row.items()}
    return Write(_UPDATE, {**key, "was": before.version, **params}, expect=1)


def _ranked(row: Row) -> Ranked:
    counts = (int(row.played), int(row.won), int(row.lost), int(row.drawn), int(row.points))
    return Ranked(row.rank, row.account_id, row.pseudo, shown(row.mu), *counts)
