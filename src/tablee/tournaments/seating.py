"""The tables of boards: how one is made, and how they are closed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from tablee.club.bounds import TABLE_NAME_MOST
from tablee.rules.contract import Rules
from tablee.tables import TablePlan, Tables
from tablee.tournaments.acts import TournamentState
from tablee.tournaments.boards import (
    BoardRow,
)

DOOR = "tournament"
"""Where a table was made that belongs to a board."""
OWN_REASONS = frozenset({"round_undone", "tournament_cancelled", "board_forfeited"})
"""Why a tournament itself closes a table."""


def table_plan(
    state: TournamentState,
    rules: Rules[Any],
    number: int,
    board: int,
    seats: Sequence[int],
    *,
    waits: bool = False,
) -> TablePlan:
    """What the table of a board is to be, from the plan of its tournament."""
    plan = state.plan
    options = plan.options
    if rules.roles:
        chosen = msgspec.convert(plan.options or {}, rules.options_type)
        options = msgspec.to_builtins(rules.dealt(chosen, range(1, rules.roles + 1)))
    ending = f"_R{number}_{board:02}"
    return TablePlan(
        plan.game,
        plan.variant,
        options,
        access="invited",
        time_control=plan.time_control,
        rated=plan.rated,
        door=DOOR,
        name=plan.name[: TABLE_NAME_MOST - len(ending)] + ending,
        seats=len(seats),
        waits=waits,
        people=[state.entries[account].robot or account for account in seats],
    )


async def close_tables(tables: Tables, boards: Sequence[BoardRow], reason: str) -> None:
    """End what runs at them, unrated."""
    for board in boards:
        if board.table_id is not None:
            await tables.calling_off.call_off(board.table_id, reason)
