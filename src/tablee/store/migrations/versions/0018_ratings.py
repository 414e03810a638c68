"""Ratings are earned against members: all standings are reckoned anew from the outcomes that were kept."""

import json
from itertools import groupby
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0018_ratings"
down_revision = "0017_house_visits"

_account = sa.table("account", sa.column("id"), sa.column("kind"))
_table = sa.table(
    "game_table",
    *(sa.column(name) for name in ("id", "game", "variant", "result")),
    sa.column("rated", sa.Boolean),
    sa.column("anonymous", sa.Boolean),
)
_standing = sa.table(
    "standing", *(sa.column(name) for name in ("account_id", "game", "variant", "mu", "sigma", "rated"))
)
_outcome = sa.table(
    "outcome",
    *(sa.column(name) for name in ("table_id", "seat", "account_id", "rank", "at", "unrated")),
    *(sa.column(f"{what}_{when}") for what in ("rating", "margin") for when in ("before", "after")),
)


def upgrade() -> None:
    op.add_column("standing", sa.Column("rated", sa.Integer(), nullable=False, server_default="0"))
    for name in ("margin_before", "margin_after"):
        op.add_column("outcome", sa.Column(name, sa.Integer(), nullable=True))
    op.add_column("outcome", sa.Column("unrated", sa.Text(), nullable=True))
    _reckon_anew()


def _reckon_anew() -> None:
    from tablee.skill import NEWCOMER, Strength, margin, reckoned, shown

    connection = op.get_bind()
    is_member = sa.select(_account.c.id).where(_account.c.kind == "member")
    members = {row.id for row in connection.execute(is_member)}
    connection.execute(_standing.update().values(mu=NEWCOMER.mu, sigma=NEWCOMER.sigma))
    changes = ("rating_before", "rating_after", "margin_before", "margin_after")
    connection.execute(_outcome.update().values(**dict.fromkeys(changes), unrated="members"))
    strengths: dict[tuple[int, str, str], Strength] = {}
    games: dict[tuple[int, str, str], int] = {}
    kept = sa.select(
        _outcome.c.table_id, _outcome.c.seat, _outcome.c.account_id, _outcome.c.rank,
        _table.c.game, _table.c.variant, _table.c.result, _table.c.rated, _table.c.anonymous,
    )  # fmt: skip
    kept = kept.join_from(_outcome, _table, _outcome.c.table_id == _table.c.id)
    kept = kept.order_by(_outcome.c.at, _outcome.c.table_id, _outcome.c.seat)
    for _, found in groupby(connection.execute(kept).all(), key=lambda row: row.table_id):
        parts = list(found)
        first = parts[0]
        why = _unrated(first)
        place = (first.game, first.variant)
        before = {row.account_id: strengths.get((row.account_id, *place), NEWCOMER) for row in parts}
        after = None
        if why is None:
            seats = len(json.loads(first.result)["ranks"]) if first.result else len(parts)
            after = reckoned(((row.account_id, row.rank) for row in parts), members, before, seats)
            why = "members" if after is None else "not_member"
        for row in parts:
            who = row.account_id
            values: dict[str, Any] = {"unrated": why}
            if after is not None and who in after:
                figures = (shown(before[who].mu), shown(after[who].mu))
                margins = (margin(before[who].sigma), margin(after[who].sigma))
                values = {**dict(zip(changes, (*figures, *margins), strict=True)), "unrated": None}
            connection.execute(
                _outcome.update()
                .where(
                    _outcome.c.table_id == row.table_id,
                    _outcome.c.seat == row.seat,
                    _outcome.c.account_id == who,
                )
                .values(**values)
            )
        for who, strength in (after or {}).items():
            strengths[who, *place] = strength
            games[who, *place] = games.get((who, *place), 0) + 1
    for (who, game, variant), strength in strengths.items():
        connection.execute(
            _standing.update()
            .where(_standing.c.account_id == who, _standing.c.game == game, _standing.c.variant == variant)
            .values(mu=strength.mu, sigma=strength.sigma, rated=games[who, game, variant])
        )


def _unrated(row: Any) -> str | None:
    """Why a table is not rated, whoever played there."""
    if row.anonymous:
        return "anonymous"
    if not row.rated:
        return "chosen"
    was_rated = row.result is None or json.loads(row.result).get("rated", True)
    return None if was_rated else "stopped"
