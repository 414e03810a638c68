"""How much of what was said in roles somebody has not read, at many tables at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from sqlalchemy import BindParameter, Text, bindparam, cast, func, literal, select

from tablee.rules.contract import MASTER
from tablee.store import Query
from tablee.store.schema import handover, message, reading
from tablee.tables.info import HouseTable
from tablee.tables.press import came_to, letters_channel, press_channel

if TYPE_CHECKING:
    from tablee.tables.hall import Tables

_CHANNELS = message.c.channel.in_(bindparam("channels", expanding=True)) & message.c.deleted_at.is_(None)
_WHO: BindParameter[int] = bindparam("who")
_line = (
    message.c.channel
    + literal(":")
    + cast(message.c.to_role, Text)
    + literal(":")
    + cast(message.c.author_role, Text)
)
_PRESS = Query(
    select(message.c.channel, func.count().label("number"))
    .select_from(message)
    .outerjoin(reading, (reading.c.account_id == _WHO) & (reading.c.channel == message.c.channel))
    .where(_CHANNELS, message.c.author_id != _WHO, message.c.id > func.coalesce(reading.c.message_id, 0))
    .group_by(message.c.channel)
)
_LETTERS = Query(
    select(message.c.channel, message.c.to_role, func.count().label("number"))
    .select_from(message)
    .outerjoin(reading, (reading.c.account_id == _WHO) & (reading.c.channel == _line))
    .where(_CHANNELS, message.c.id > func.coalesce(reading.c.message_id, 0))
    .group_by(message.c.channel, message.c.to_role)
)
_CHANGED_HANDS = Query(
    select(handover.c.table_id).where(handover.c.table_id.in_(bindparam("tables", expanding=True))).distinct()
)


async def unread_at(
    tables: Tables, account_id: int, roles: Mapping[int, tuple[int, ...]], infos: Mapping[int, HouseTable]
) -> Counter[int]:
    """Declarations and letters to roles of his that somebody has not read, by table.

    Who goes on in a role reads what was written to him alone: such tables, which are few, are asked singly.
    """
    spoken = {table_id: own for table_id, own in roles.items() if own}
    found: Counter[int] = Counter()
    if not spoken:
        return found
    store, who = tables.store, account_id
    press = {press_channel(table_id): table_id for table_id in spoken}
    for row in await store.rows(_PRESS, who=who, channels=list(press)):
        found[press[row.channel]] += row.number
    changed = {row.table_id for row in await store.rows(_CHANGED_HANDS, tables=list(spoken))}
    changed |= {table_id for table_id in spoken if came_to(infos[table_id], who)}
    letters = {letters_channel(table_id): table_id for table_id in spoken if table_id not in changed}
    if letters:
        for row in await store.rows(_LETTERS, who=who, channels=list(letters)):
            table_id = letters[row.channel]
            if row.to_role in spoken[table_id]:
                found[table_id] += row.number
    for table_id in changed:
        for role in spoken[table_id]:
            if role != MASTER or infos[table_id].master_id == who:
                marks = await tables.press.letter_marks(infos[table_id], who, role)
                found[table_id] += sum(marks.unread.values())
    return found
