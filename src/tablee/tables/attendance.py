"""Who is at a door that has one game of its own: available there, in a match, or at somebody else's host."""

from __future__ import annotations

from typing import Any

from sqlalchemy import BindParameter, and_, bindparam, delete, func, or_, select, union

from tablee.store import Query
from tablee.store.schema import account, game_table, presence, seat, standing

_him: BindParameter[Any] = bindparam("b_account_id")
_node: BindParameter[Any] = bindparam("b_node")


class Attendance:
    """The questions of one door. `b_account_id` is whom they are about, `b_node` the node that asks.

    At the place of the door are those who are available; at a place that begins with `elsewhere`, with
    address and port behind it, those who are in a match of somebody else's host.
    """

    def __init__(self, door: str, game: str, variant: str) -> None:
        self.elsewhere = f"{door} "
        at_door = presence.c.place == door
        hosted = presence.c.place.like(f"{self.elsewhere}%")
        about_him = presence.c.account_id == _him
        runs_here = and_(game_table.c.door == door, game_table.c.status == "running")
        in_match = and_(runs_here, seat.c.left_at.is_(None), seat.c.robot.is_(None))
        seats = seat.join(game_table, game_table.c.id == seat.c.table_id)
        # Those available at the node that asks are known better than their rows, which follow later.
        not_here = union(
            select(presence.c.account_id).where(or_(and_(at_door, presence.c.node_id != _node), hosted)),
            select(seat.c.account_id).select_from(seats).where(in_match),
        ).subquery()
        his_standing = and_(
            standing.c.account_id == account.c.id, standing.c.game == game, standing.c.variant == variant
        )
        self.count = Query(select(func.count().label("n")).select_from(not_here))
        """How many are available at other nodes, or in a match anywhere."""
        self.counted = Query(select(not_here.c.account_id).where(not_here.c.account_id == _him))
        self.matches_of = Query(
            select(game_table.c.id)
            .select_from(seats)
            .where(in_match, seat.c.account_id == _him)
            .order_by(game_table.c.id.desc())
        )
        self.host_of = Query(select(presence.c.place).where(hosted, about_him))
        self.available = Query(
            select(
                presence.c.node_id,
                presence.c.account_id,
                account.c.pseudo,
                account.c.pseudo_key,
                func.coalesce(standing.c.points, 0).label("points"),
            )
            .select_from(
                presence.join(account, account.c.id == presence.c.account_id).outerjoin(
                    standing, his_standing
                )
            )
            .where(at_door)
            .order_by(account.c.pseudo_key)
        )
        self.matches = Query(
            select(game_table.c.id, game_table.c.name).where(runs_here).order_by(game_table.c.id)
        )
        self.made_by = Query(select(func.count().label("n")).where(runs_here, game_table.c.host_id == _him))
        self.mine = Query(select(presence.c.account_id).where(at_door, presence.c.node_id == _node))
        self.drop_from_others = Query(delete(presence).where(at_door, about_him, presence.c.node_id != _node))
        self.drop_everywhere = Query(delete(presence).where(at_door, about_him))
        self.drop_hosted = Query(delete(presence).where(hosted, about_him, presence.c.node_id == _node))
