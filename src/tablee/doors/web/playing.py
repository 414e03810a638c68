"""A move on its way from somebody to the table where he sits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablee.rules.contract import (
    MASTER,
    SPECTATOR,
    Action,
    Alarm,
    Away,
    Back,
    Join,
    Leave,
    Replace,
    Seat,
    TimeGivenBack,
    Timeout,
)
from tablee.tables import (
    BadAction,
    LiveTable,
    NotAdmitted,
    NotSeated,
    Outcome,
    PlaysHere,
    SeatInfo,
    TableClosed,
    TableInfo,
)
from tablee.tables.happened import Update
from tablee.wire.json_bounds import quoted

from .errors import Refusal
from .messages import Play, Played
from .sight import must_see

if TYPE_CHECKING:
    from .house import House
    from .live import Connection

Json = Any
NOT_PLAYED = (Alarm, Away, Back, Join, Leave, Replace, TimeGivenBack, Timeout)
"""What tables do themselves, each in its own way: nobody sends it as a move."""


async def seated(
    house: House, table_id: int, account_id: int, is_administrator: bool
) -> tuple[LiveTable, SeatInfo]:
    """The live table and where somebody sits; raises NotSeated, or NoSuchTable where he may not even look."""
    live = await house.tables.open(table_id)
    house.tables.looks.note(table_id)
    sitting = live.info.seat_of(account_id)
    if sitting is None and live.info.master_id == account_id:
        return live, SeatInfo(MASTER, account_id, "", None, live.info.created_at)
    if sitting is None:
        await must_see(house, table_id, account_id, None, is_administrator)
        raise NotSeated()
    return live, sitting


def seat_at(info: TableInfo, account_id: int) -> Seat:
    """From where somebody looks at a table: his seat, the master's, or from outside."""
    sitting = info.seat_of(account_id)
    if sitting is not None:
        return sitting.seat
    return MASTER if info.master_id == account_id else SPECTATOR


def may_look_on(live: LiveTable, account_id: int | None) -> None:
    """Raises PlaysHere for a player who would learn something by looking on at his own game."""
    if account_id is None or live.is_over or not live.rules.outsiders_see_more:
        return
    if live.info.seat_of(account_id) is not None:
        raise PlaysHere()


def came_later(live: LiveTable, seat: Seat) -> bool:
    """Whether who sits there goes on for somebody else, in a game that is not over."""
    sitting, info = live.info.at(seat), live.info
    if sitting is None or live.is_over or info.seats_least == 0 or info.terms.handed_on:
        return False
    return sitting.joined_at > (info.started_at or 0)


def updates_since(live: LiveTable, account_id: int | None, seat: Seat, since: int) -> list[Update] | None:
    """What a seat was told after a version; None where the whole view must be sent.

    That is so too for who came to the seat later: what it was told before was told to somebody else.
    """
    updates = None if live.state is None else live.since(seat, since)
    sitting = live.info.at(seat)
    if updates and sitting is not None and sitting.account_id == account_id:
        return None if updates[0].at < sitting.joined_at else updates
    return updates


def read_action(live: LiveTable, value: Json) -> Action:
    """An action of this table's game; raises BadAction."""
    try:
        action = live.codec.read_action(value)
    except msgspec.ValidationError as error:
        raise BadAction(reason=quoted(str(error))) from None
    if isinstance(action, live.rules.guarded) and live.info.terms.position_code:
        raise NotAdmitted("position_code")
    if isinstance(action, NOT_PLAYED):
        raise BadAction(reason="this is done by joining, leaving or waiting, not by a move")
    return action


async def play_live(connection: Connection, message: Play) -> None:
    """Play a move that came over the WebSocket; the answer follows when it is durable."""
    house = connection.house
    account_id = connection.account_id
    if connection.plays_in_flight >= house.settings.most_plays_in_flight:
        raise Refusal("too_many", seconds=1)
    house.limits.take("web_play", account_id)
    live, sitting = await seated(house, message.table, account_id, connection.is_administrator)
    # The message was looked at as a whole, this part of it too: it is small, and JSON.
    action = read_action(live, msgspec.json.decode(message.action))
    beside = await house.tables.mastering.told(live, sitting.seat, action)

    def done(outcome: Outcome) -> None:
        connection.plays_in_flight -= 1
        if outcome.error is not None:
            connection.fail(outcome.error, message.id, message.request_id)
            return
        happened = outcome.happened
        version = live.version(sitting.seat) if happened is None else live.version_of(happened, sitting.seat)
        connection.send(
            Played(
                table=message.table,
                request_id=message.request_id,
                version=version,
                duplicate=outcome.duplicate,
                id=message.id,
            )
        )

    def done_or_again(outcome: Outcome) -> None:
        # The node put the table away in this very moment: the client sends the same request again.
        if isinstance(outcome.error, TableClosed):
            outcome = outcome._replace(error=Refusal("unavailable", seconds=1))
        done(outcome)

    connection.plays_in_flight += 1
    live.submit(sitting.seat, action, message.request_id, done_or_again, beside, connection.lag)
