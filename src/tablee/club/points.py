"""Points that are won without a game of the house: at somebody else's host, or brought in from elsewhere."""

from __future__ import annotations

from sqlalchemy import bindparam, case, func, select, update

from tablee.skill import MU, SIGMA
from tablee.store import Query, Store, Write, upsert
from tablee.store.schema import account, standing

_his = (
    (standing.c.account_id == bindparam("who"))
    & (standing.c.game == bindparam("in_game"))
    & (standing.c.variant == bindparam("in_variant"))
)
_KNOWN = Query(upsert(standing, change=()))
_ADD = Query(
    update(standing)
    .where(_his)
    .values(points=standing.c.points + bindparam("more"), version=standing.c.version + 1)
)
_SET = Query(update(standing).where(_his).values(points=bindparam("now"), version=standing.c.version + 1))
_POINTS = Query(select(standing.c.points).where(_his))
_PLAYERS = Query(
    select(
        account.c.pseudo,
        func.sum(case((standing.c.variant == bindparam("in_variant"), standing.c.points), else_=0)).label(
            "points"
        ),
    )
    .select_from(standing.join(account, account.c.id == standing.c.account_id))
    .where(standing.c.game == bindparam("in_game"), account.c.deleted_at.is_(None))
    .group_by(account.c.id, account.c.pseudo, account.c.pseudo_key)
    .order_by(account.c.pseudo_key)
)


def known_write(account_id: int, game: str, variant: str) -> Write:
    """Makes an account one of the players of a variant; those who are keep what they have."""
    return Write(
        _KNOWN,
        {
            "account_id": account_id,
            "game": game,
            "variant": variant,
            "mu": MU,
            "sigma": SIGMA,
            **dict.fromkeys(("played", "won", "lost", "drawn", "points", "rated"), 0),
            "version": 1,  # 0 would mean a standing that is not written yet
        },
    )


def add_write(account_id: int, game: str, variant: str, points: int) -> Write:
    """Adds to the points of somebody who is known."""
    return Write(_ADD, {**_of(account_id, game, variant), "more": points}, expect=1)


def set_write(account_id: int, game: str, variant: str, points: int) -> Write:
    """Sets the points of somebody who is known."""
    return Write(_SET, {**_of(account_id, game, variant), "now": points}, expect=1)


async def points_of(store: Store, account_id: int, game: str, variant: str) -> int:
    row = await store.one(_POINTS, **_of(account_id, game, variant))
    return int(row.points) if row is not None else 0


async def players_of(store: Store, game: str, variant: str) -> list[tuple[str, int]]:
    """Name and points in a variant of all who ever played the game or came in by its door."""
    rows = await store.rows(_PLAYERS, in_game=game, in_variant=variant)
    return [(row.pseudo, int(row.points)) for row in rows]


def _of(account_id: int, game: str, variant: str) -> dict[str, int | str]:
    return {"who": account_id, "in_game": game, "in_variant": variant}
