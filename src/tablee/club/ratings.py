"""Ratings and counts by game and variant: after each game a better guess at how strong everybody is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Column, ColumnElement, Label, Select, bindparam, case, func, insert, select, update

from tablee.clock import Clock, Instant
from tablee.rules.contract import Result, Seat
from tablee.skill import MU, PROVISIONAL_BELOW, RANKED_AFTER, SIGMA, Strength, margin, reckoned, shown
from tablee.store import Query, Store, Write, upsert
from tablee.store.query import Row
from tablee.store.schema import account, game_table, outcome, standing
from tablee.store.schema import seat as sitting

COURSE_MOST = 500
"""Games of which the course of a rating is told."""
END_OF_IDS = 2**53

_KEY = (
    (standing.c.account_id == bindparam("who"))
    & (standing.c.game == bindparam("in_game"))
    & (standing.c.variant == bindparam("in_variant"))
)
_INSERT = Query(upsert(standing, change=()))  # no row if somebody was faster: the unit is a Conflict then
_COUNTS = ("mu", "sigma", "played", "won", "lost", "drawn", "points", "version", "rated")
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


# Why: docs/decisions.md#ratings-are-earned
def _lines(by: str) -> Select[tuple[object, ...]]:
    is_in, worth = _IN_VARIANT[by]
    rank = func.rank().over(order_by=worth.desc()).label("rank")
    return (
        select(rank, account.c.pseudo, standing)
        .where(_RANKED, standing.c.variant == bindparam("in_variant"), is_in)
        .order_by(worth.desc(), standing.c.account_id)
    )


def _over_all(by: str) -> Select[tuple[object, ...]]:
    # Over all variants somebody is as strong as he is on average, each weighing his rated games of it.
    games = func.sum(standing.c.rated)

    def mean(column: Column[Any], newcomer: float) -> Label[Any]:
        weighed = func.sum(column * standing.c.rated) / func.nullif(games, 0)
        return func.coalesce(weighed, newcomer).label(column.name)

    whole = select(
        standing.c.account_id,
        account.c.pseudo,
        mean(standing.c.mu, MU),
        mean(standing.c.sigma, SIGMA),
        *(func.sum(standing.c[name]).label(name) for name in _SUMMED),
    )
    each = whole.where(_RANKED).group_by(standing.c.account_id, account.c.pseudo).subquery()
    is_in, worth = (each.c.played > 0, each.c.points) if by == "points" else _cautious(each.c)
    return (
        select(func.rank().over(order_by=worth.desc()).label("rank"), each)
        .where(is_in)
        .order_by(worth.desc(), each.c.account_id)
    )


def _cautious(columns: Any) -> tuple[ColumnElement[bool], ColumnElement[Any]]:
    """Who has shown enough to be ranked, and what he is worth at least: who is doubtful stands lower."""
    return columns.rated >= RANKED_AFTER, columns.mu - 2 * columns.sigma


def _part(lines: Select[tuple[object, ...]]) -> Query:
    return Query(lines.limit(bindparam("most")).offset(bindparam("skipped")))


def _place(lines: Select[tuple[object, ...]]) -> Query:
    line = lines.order_by(None).subquery()
    return Query(select(line).where(line.c.account_id == bindparam("who")))


def _number(lines: Select[tuple[object, ...]]) -> Query:
    return Query(select(func.count().label("number")).select_from(lines.order_by(None).subquery()))


_WORTH = ("rating", "points")
_SUMMED = ("played", "won", "lost", "drawn", "points", "rated")
_IN_VARIANT = {"rating": _cautious(standing.c), "points": (standing.c.played > 0, standing.c.points)}
_RANKING = {by: _part(_lines(by)) for by in _WORTH}
_RANKING_ALL = {by: _part(_over_all(by)) for by in _WORTH}
_PLACE = {by: _place(_lines(by)) for by in _WORTH}
_PLACE_ALL = {by: _place(_over_all(by)) for by in _WORTH}
_RANKED_COUNT = {by: _number(_lines(by)) for by in _WORTH}
_RANKED_COUNT_ALL = {by: _number(_over_all(by)) for by in _WORTH}
_MEMBERS = Query(
    select(account.c.id).where(account.c.id.in_(bindparam("ids", expanding=True)), account.c.kind == "member")
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
    select(outcome.c.at, outcome.c.table_id, outcome.c.rating_after, outcome.c.margin_after)
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
        outcome.c.margin_before,
        outcome.c.margin_after,
        outcome.c.unrated,
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
_OPPONENTS = Query(
    select(outcome.c.table_id, outcome.c.rank, account.c.pseudo.label("name"), sitting.c.robot)
    .join_from(outcome, game_table, outcome.c.table_id == game_table.c.id)
    .join(account, account.c.id == outcome.c.account_id)
    .outerjoin(  # who left has no seat there any more
        sitting,
        (sitting.c.table_id == outcome.c.table_id)
        & (sitting.c.seat == outcome.c.seat)
        & (sitting.c.account_id == outcome.c.account_id),
    )
    .where(
        outcome.c.table_id.in_(bindparam("ids", expanding=True)),
        outcome.c.account_id != bindparam("who"),
        ~game_table.c.anonymous,
    )
    .order_by(outcome.c.table_id, outcome.c.rank, outcome.c.seat)
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
    rated: int = 0
    """Of the games played, those by which the rating has changed."""

    @property
    def rating(self) -> int:
        return shown(self.mu)

    @property
    def margin(self) -> int:
        """By how much the rating may be wrong, either way."""
        return margin(self.sigma)

    @property
    def provisional(self) -> bool:
        """Whether the rating is only a first guess."""
        return self.rated < PROVISIONAL_BELOW

    @property
    def strength(self) -> Strength:
        return Strength(self.mu, self.sigma)


class Ranked(msgspec.Struct, frozen=True):
    """One line of a ranking; who is equal shares a rank."""

    rank: int
    account_id: int
    pseudo: str
    rating: int
    margin: int
    rated: int
    provisional: bool
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

    async def opponents(self, account_id: int, tables: Sequence[int]) -> list[Row]:
        """Whom somebody played with at these tables, the best first; of anonymous games nobody."""
        return await self._store.rows(_OPPONENTS, who=account_id, ids=sorted(tables)) if tables else []

    async def ranking(
        self, game: str, variant: str | None, *, offset: int = 0, limit: int = 50, by: str = "rating"
    ) -> list[Ranked]:
        """The best members of a variant by rating or by `points`; of the whole game where variant is None."""
        place = {"in_game": game, "most": max(1, min(limit, 500)), "skipped": max(0, min(offset, 2**31))}
        if variant is None:
            rows = await self._store.rows(_RANKING_ALL[by], **place)
        else:
            rows = await self._store.rows(_RANKING[by], in_variant=variant, **place)
        return [_ranked(row) for row in rows]

    async def place(
        self, account_id: int, game: str, variant: str | None, *, by: str = "rating"
    ) -> Ranked | None:
        """Somebody's own line in the ranking of a variant or a game; None for who is not in it."""
        if variant is None:
            row = await self._store.one(_PLACE_ALL[by], in_game=game, who=account_id)
        else:
            row = await self._store.one(_PLACE[by], in_game=game, in_variant=variant, who=account_id)
        return None if row is None else _ranked(row)

    async def ranked(self, game: str, variant: str | None, *, by: str = "rating") -> int:
        """How many are in the ranking of a variant or a game."""
        if variant is None:
            row = await self._store.one(_RANKED_COUNT_ALL[by], in_game=game)
        else:
            row = await self._store.one(_RANKED_COUNT[by], in_game=game, in_variant=variant)
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
        parts = parts_of(result, accounts, gone)
        before = await self.standings([part.account_id for part in parts], game, variant)
        members = await self._members(sorted(before))
        why = _unrated(result, rated, counted)
        changed: Mapping[int, Strength] = {}
        if why is None:
            found = reckoned(
                ((part.account_id, part.rank) for part in parts),
                members,
                {who: standing.strength for who, standing in before.items()},
                len(result.ranks),
            )
            why, changed = ("members", {}) if found is None else (None, found)
        after = {who: _after(standing, parts, changed.get(who)) for who, standing in before.items()}
        writes = [_guarded(before[each], after[each]) for each in sorted(after)] if counted else []
        if table_id is not None:
            when = at if at is not None else self._clock.now()
            for seat, who, rank, score in parts:
                row = {
                    "table_id": table_id,
                    "seat": seat,
                    "account_id": who,
                    "rank": rank,
                    "score": score,
                    "at": when,
                    "side": None if sides is None else sides.get(seat),
                    **_change(before[who], after[who], who in changed),
                    "unrated": None if who in changed else why or "not_member",
                }
                writes.append(Write(_OUTCOME, row))
        return writes

    async def _members(self, ids: Sequence[int]) -> frozenset[int]:
        found = await self._store.rows(_MEMBERS, ids=ids) if ids else []
        return frozenset(row.id for row in found)


def _unrated(result: Result, rated: bool, counted: bool) -> str | None:
    """Why a game changes nobody's rating, whoever played it."""
    if not counted:
        return "anonymous"
    if not rated:
        return "chosen"
    return None if result.rated else "stopped"


def _change(before: Standing, after: Standing, is_rated: bool) -> dict[str, int | None]:
    return {
        "rating_before": before.rating if is_rated else None,
        "rating_after": after.rating if is_rated else None,
        "margin_before": before.margin if is_rated else None,
        "margin_after": after.margin if is_rated else None,
    }


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


def _after(before: Standing, parts: Sequence[Part], strength: Strength | None) -> Standing:
    """A standing after a game. A robot may have several seats."""
    firsts = sum(part.rank == 1 for part in parts)
    own = [part for part in parts if part.account_id == before.account_id]
    won = lost = drawn = 0
    if len(parts) > 1:
        for part in own:
            if part.rank != 1:
                lost += 1
            elif firsts == 1:
                won += 1
            else:
                drawn += 1
    mu, sigma = before.strength if strength is None else strength
    return msgspec.structs.replace(
        before,
        mu=mu,
        sigma=sigma,
        rated=before.rated + (strength is not None),
        played=before.played + len(own),
        won=before.won + won,
        lost=before.lost + lost,
        drawn=before.drawn + drawn,
        points=before.points + sum(part.score or 0 for part in own),
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
    return Ranked(
        rank=row.rank,
        account_id=row.account_id,
        pseudo=row.pseudo,
        rating=shown(row.mu),
        margin=margin(row.sigma),
        provisional=row.rated < PROVISIONAL_BELOW,
        **{name: int(getattr(row, name)) for name in _SUMMED},
    )
