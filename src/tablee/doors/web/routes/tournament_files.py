"""Files of a tournament: for FIDE, for a spreadsheet, and for programs."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from tablee.tournaments import files
from tablee.tournaments.boards import entrants_of

from ..api.ask import Ask
from ..api.errors import Refusal
from ..api.registry import Id, Routes, Who
from ..tournaments.showing import (
    file_of,
    names_of,
    rules_of,
    seen_by,
)

Json = Any
routes = Routes("tournaments")


@routes.get(
    "/tournaments/{tournament_id}/export.trf",
    who=Who.ANYONE,
    refusals=(404, 409),
    media_type="text/plain",
    answer=str,
)
async def export_trf(ask: Ask, tournament_id: Id) -> Response:
    """The report of a tournament for two, as FIDE wants it (TRF16)."""
    state = await seen_by(ask, tournament_id)
    if state.plan.format not in files.REPORTED:
        raise Refusal("not_found")
    boards = await ask.house.tournaments.boards(tournament_id)
    entrants = entrants_of(state, rules_of(ask, state), boards)
    lines = ask.house.tournaments.lines(state, boards)
    names = await names_of(ask, state.entries)
    return file_of(
        files.trf(state, entrants, lines, names), "text/plain; charset=utf-8", f"tournoi-{tournament_id}.trf"
    )


@routes.get(
    "/tournaments/{tournament_id}/export.csv",
    who=Who.ANYONE,
    refusals=(404,),
    media_type="text/csv",
    answer=str,
)
async def export_csv(ask: Ask, tournament_id: Id) -> Response:
    """The standings for a spreadsheet: semicolons, UTF-8."""
    state = await seen_by(ask, tournament_id)
    lines = ask.house.tournaments.lines(state, await ask.house.tournaments.boards(tournament_id))
    names = await names_of(ask, state.entries)
    text = files.spreadsheet(lines, names, len(state.published))
    return file_of(text, "text/csv; charset=utf-8", f"tournoi-{tournament_id}.csv")


@routes.get(
    "/tournaments/{tournament_id}/export.json", who=Who.ANYONE, refusals=(404,), answer=dict[str, Json]
)
async def export_json(ask: Ask, tournament_id: Id) -> Response:
    """All public facts, from which anybody can reckon the standings again."""
    state = await seen_by(ask, tournament_id)
    boards, rules = await ask.house.tournaments.boards(tournament_id), rules_of(ask, state)
    entrants = entrants_of(state, rules, boards)
    lines = ask.house.tournaments.lines(state, boards)
    names = await names_of(ask, state.entries)
    made = files.facts(tournament_id, state, entrants, lines, state.plan.counting(rules), names)
    return file_of(made, "application/json", f"tournoi-{tournament_id}.json")
