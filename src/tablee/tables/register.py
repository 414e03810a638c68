"""The tables of one game by name, as a door of members lists them, and those where somebody is."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import bindparam, or_, select

from tablee.store import Query, Store
from tablee.store.query import Row
from tablee.store.schema import account, game_table, seat
from tablee.tables.creating import name_key

_SHOWN = select(game_table.c.id, game_table.c.name).where(
    game_table.c.game == bindparam("of_game"),
    game_table.c.access == "open",
    game_table.c.status.in_(("open", "running", "over")),
)
_GUEST_SITS = (
    select(seat.c.table_id)
    .join_from(seat, account, seat.c.account_id == account.c.id)
    .where(seat.c.table_id == game_table.c.id, seat.c.left_at.is_(None), account.c.kind != "member")
)
_GUEST_MADE_IT = select(account.c.id).where(account.c.id == game_table.c.host_id, account.c.kind != "member")
_HAS_MEMBERS_ALONE = ~or_(_GUEST_SITS.exists(), _GUEST_MADE_IT.exists())
_LISTED = _SHOWN.where(_HAS_MEMBERS_ALONE)
_ALL = Query(_LISTED.order_by(game_table.c.id))
_SOME = Query(_LISTED.where(game_table.c.id.in_(bindparam("ids", expanding=True))))
_WHERE_THEY_ARE = Query(
    select(seat.c.table_id)
    .where(seat.c.account_id.in_(bindparam("ids", expanding=True)))
    .union(select(game_table.c.id).where(game_table.c.host_id.in_(bindparam("hosts", expanding=True))))
)
_KEYED = Query(_SHOWN.where(game_table.c.name_key == bindparam("key")))
_BY_ID = Query(_SHOWN.where(game_table.c.id == bindparam("which")))

_of_this_game = (
    (game_table.c.game == bindparam("of_game"))
    & (game_table.c.access == "open")
    & (game_table.c.status != "closed")
    & _HAS_MEMBERS_ALONE
)
_HOSTED = Query(
    select(game_table.c.id).where(
        game_table.c.host_id == bindparam("who"), _of_this_game, game_table.c.mastered
    )
)
_seated = (
    select(game_table.c.id)
    .join_from(seat, game_table, seat.c.table_id == game_table.c.id)
    .where(seat.c.account_id == bindparam("who"), seat.c.left_at.is_(None), _of_this_game)
)
_OWN = Query(_seated)
_SEEN = Query(_seated.where(or_(~game_table.c.anonymous, game_table.c.host_id == bindparam("reader"))))

_sits = select(seat.c.table_id).where(seat.c.account_id == bindparam("who"), seat.c.left_at.is_(None))
_BUSY = Query(
    select(game_table.c.id)
    .where(
        game_table.c.status.in_(("open", "running")),
        or_(game_table.c.id.in_(_sits), (game_table.c.host_id == bindparam("who")) & game_table.c.mastered),
    )
    .limit(1)
)


class Register:
    """Only tables where all are members are listed: no visitor and no robot sits at one or has made it."""

    def __init__(self, store: Store, game: str) -> None:
        self._store = store
        self._game = game

    async def all(self) -> list[Row]:
        """Number and name of every listed table, the oldest first."""
        return await self._store.rows(_ALL, of_game=self._game)

    async def some(self, ids: Sequence[int]) -> list[Row]:
        """Those of these tables that are listed."""
        return await self._store.rows(_SOME, ids=ids, of_game=self._game)

    async def where_they_are(self, accounts: Sequence[int]) -> list[int]:
        """The tables, of whichever game, where these people sit or that they have made."""
        found = await self._store.rows(_WHERE_THEY_ARE, ids=accounts, hosts=accounts)
        return [int(row.table_id) for row in found]

    async def named(self, name: str) -> list[Row]:
        """The table that alone may be called so, listed or not."""
        return await self._store.rows(_KEYED, key=name_key(self._game, name), of_game=self._game)

    async def numbered(self, table_id: int) -> Row | None:
        """A table by its number, listed or not."""
        return await self._store.one(_BY_ID, which=table_id, of_game=self._game)

    async def hosted_by(self, account_id: int) -> list[int]:
        """The listed tables of which somebody is the master."""
        found = await self._store.rows(_HOSTED, who=account_id, of_game=self._game)
        return [int(row.id) for row in found]

    async def seats_of(self, account_id: int, reader: int | None) -> list[int]:
        """The listed tables where somebody sits, as far as the reader may know it.

        No other is opened: it would be in memory then and answer faster, which tells whose tables were
        looked for.
        """
        if reader == account_id:
            found = await self._store.rows(_OWN, who=account_id, of_game=self._game)
        else:
            found = await self._store.rows(_SEEN, who=account_id, reader=reader or 0, of_game=self._game)
        return [int(row.id) for row in found]


async def is_busy(store: Store, account_id: int) -> bool:
    """Whether somebody plays at a table that goes on, or is its master."""
    return await store.one(_BUSY, who=account_id) is not None
