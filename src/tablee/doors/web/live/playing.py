"""A move on its way from somebody to the table where he sits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablee.rules.contract import SPECTATOR
from tablee.tables import Answer, Chair, NotSeated, Restored

from ..api.errors import Refusal
from ..tables.visibility import must_see
from .messages import Play, Played

if TYPE_CHECKING:
    from ..house import House
    from .connection import Connection


async def seated(house: House, table_id: int, account_id: int, is_administrator: bool) -> Chair:
    """The chair of a player or the master; raises NotSeated, or NoSuchTable where he may not even look."""
    chair = await house.tables.chair_of(table_id, account_id)
    if chair.seat == SPECTATOR:
        await must_see(house, table_id, account_id, None, is_administrator)
        raise NotSeated()
    return chair


async def looking_on(house: House, table_id: int, account_id: int | None) -> Chair:
    """A spectator's chair, which anybody may have who may see the table, its players too."""
    return await house.tables.chair(table_id, SPECTATOR, account_id)


def must_know(house: House, epoch: str | None) -> None:
    """Raises Restored where somebody plays by what he saw before the database was replaced."""
    if epoch is not None and epoch != house.epoch:
        raise Restored()


async def play_live(connection: Connection, message: Play) -> None:
    """Play a move that came over the WebSocket; the answer follows when it is durable."""
    house = connection.house
    if connection.plays_in_flight >= house.settings.most_plays_in_flight:
        raise Refusal("too_many", seconds=1)
    house.limits.take("web_play", connection.account_id)
    must_know(house, message.epoch)
    chair = await seated(house, message.table, connection.account_id, connection.is_administrator)
    # The message was looked at as a whole, this part of it too: it is small, and JSON.
    action = chair.read(message.action)

    def done(answer: Answer) -> None:
        connection.plays_in_flight -= 1
        if answer.error is not None:
            connection.fail(answer.error, message.id, message.request_id)
            return
        connection.send(
            Played(
                table=message.table,
                request_id=message.request_id,
                version=answer.version,
                duplicate=answer.duplicate,
                id=message.id,
            )
        )

    connection.plays_in_flight += 1
    chair.submit(action, message.request_id, done, lag=connection.lag)
