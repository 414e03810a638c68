"""The tables of boards: how one is made, and how they are closed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from tablee.club.bounds import TABLE_NAME_MOST
from tablee.rules.contract import Rules
from tablee.store import Unit, Write
from tablee.tables import TablePlan, Tables
from tablee.tournaments import rows
from tablee.tournaments.acts import TournamentState
from tablee.tournaments.boards import BoardRow, row_of
from tablee.tournaments.logbook import Logbook
from tablee.tournaments.plan import Plan

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
        people=[state.entries[account].robot or account if account else plan.fill for account in seats],
    )


def word_of_seat(plan: Plan, rules: Rules[Any], seat: int) -> str:
    """The key of the game's word for what a seat plays, a role or a side; empty where seats are alike."""
    if rules.roles:
        return f"role.{seat}"
    chosen = msgspec.convert(plan.options or {}, rules.options_type)
    first = rules.first_plays(chosen)
    if first not in rules.sides or seat > len(rules.sides):
        return ""
    begins = rules.sides.index(first) + seat - 1
    return f"side.{rules.sides[begins % len(rules.sides)]}"


async def add_board(book: Logbook, unit: Unit, number: int, state: TournamentState, board: BoardRow) -> None:
    """A board with its table, where it has one, and word of it to those who play there."""
    starts_at = state.published[board.round - 1].starts_at
    rules = book.rules(state.plan)
    if not state.plan.in_room and board.result is None:
        waits = starts_at > book.clock.now()
        plan = table_plan(state, rules, board.round, board.board, board.seats, waits=waits)
        info, made = await book.tables.creating.prepared(plan)
        unit.appends += made.appends
        unit.writes += made.writes
        unit.hints += made.hints
        board = board._replace(table_id=info.id)
    unit.writes.append(Write(rows.ADD_BOARD, row_of(number, board)))
    for seat, account in enumerate(board.seats, 1):
        entry = state.entries.get(account)
        if entry is not None and not entry.robot and entry.plays(board.round):
            about: dict[str, Any] = {"round": board.round, "board": board.board, "seat": seat}
            about |= {"at": starts_at or book.clock.now()}
            about["with"] = [each for each in board.seats if each and each != account]
            about |= {} if board.table_id is None else {"table": board.table_id}
            plays = word_of_seat(state.plan, rules, seat)
            if plays:
                about |= {"game": state.plan.game, "variant": state.plan.variant, "plays": plays}
            await book.tell(unit, number, state, account, "paired", about)


async def close_tables(tables: Tables, boards: Sequence[BoardRow], reason: str) -> None:
    """End what runs at them, unrated."""
    for board in boards:
        if board.table_id is not None:
            await tables.calling_off.call_off(board.table_id, reason)
