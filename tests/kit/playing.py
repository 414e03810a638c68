"""One move at a table as a test makes it: sent once, as any seat."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from tablee.rules.contract import Action, Fact, Json, Seat
from tablee.tables import BadAction, Tables


class Played(NamedTuple):
    """The seat's version after the move, what it was told, whether it was a repeat."""

    version: int
    told: list[Fact]
    duplicate: bool


async def play(
    tables: Tables,
    table_id: int,
    seat: Seat,
    action: Action | Json,
    request_id: str | None = None,
    *,
    lag: int = 0,
) -> Played:
    """Play an action (or its JSON) as `seat`. Raises what the table says, `Unavailable` too."""
    live = await tables.open(table_id)
    if not isinstance(action, Action):
        try:
            action = live.codec.read_action(msgspec.json.encode(action))
        except msgspec.ValidationError as error:
            raise BadAction(reason=str(error)) from None
    attached = await tables.mastering.attached_to(live, seat, action)
    outcome = await tables.submit(live, seat, action, request_id, attached, lag)
    if outcome.happened is None:
        return Played(live.version(seat), list(outcome.marked), outcome.duplicate)
    told = (outcome.happened.told(seat) or []) + list(outcome.marked)
    return Played(live.version_of(outcome.happened, seat), told, outcome.duplicate)
