"""Tournaments to look at: what there is, who plays, pairings, standings and the log."""

from __future__ import annotations

from typing import Any

from tablee.tournaments.boards import entrants_of, standing
from tablee.tournaments.points import plain

from ..api.ask import Ask
from ..api.errors import Refusal
from ..api.registry import Body, Id, Limit, Routes, Who
from ..tournaments.shapes import (
    ActInfo,
    ActList,
    CellInfo,
    CrossLine,
    CrossTable,
    DraftInfo,
    EntryInfo,
    EntryList,
    RoundList,
    Standings,
    TournamentCard,
    TournamentList,
)
from ..tournaments.showing import (
    card_of,
    draft_of,
    info_of,
    is_organiser,
    line_of,
    names_of,
    people_of,
    rounds_of,
    rules_of,
    seen_by,
)

Json = Any
routes = Routes("tournaments")


class TournamentsQuery(Body, frozen=True):
    before: Id | None = None
    limit: Limit = 50


@routes.get("/tournaments", who=Who.ANYONE)
async def list_tournaments(ask: Ask, query: TournamentsQuery) -> TournamentList:
    """The tournaments that were announced, newest first; before them one's own drafts."""
    found = await ask.house.tournaments.listed(query.before or 2**53, query.limit)
    if ask.identity is not None and query.before is None:
        found = [*await ask.house.tournaments.drafts_of(ask.account), *found]
    people = await people_of(ask, (who for _, state in found for who in state.organisers))
    return TournamentList(tournaments=[info_of(number, state, people) for number, state in found])


@routes.get("/tournaments/{tournament_id}", who=Who.ANYONE, refusals=(404,))
async def tournament(ask: Ask, tournament_id: Id) -> TournamentCard:
    """A tournament: its plan, where it stands, and whether one plays in it."""
    return await card_of(ask, tournament_id)


@routes.get("/tournaments/{tournament_id}/entries", who=Who.ANYONE, refusals=(404,))
async def list_entries(ask: Ask, tournament_id: Id) -> EntryList:
    """Who has entered, in the order of coming; who waits comes in that order too."""
    state = await seen_by(ask, tournament_id)
    names, numbers = await names_of(ask, state.entries), state.numbers
    return EntryList(
        entries=[
            EntryInfo.of(
                entry,
                pseudo=names[entry.account],
                number=numbers.get(entry.account, 0),
                away=sorted(entry.away),
            )
            for entry in state.entries.values()
        ]
    )


@routes.get("/tournaments/{tournament_id}/rounds", who=Who.ANYONE, refusals=(404,))
async def list_rounds(ask: Ask, tournament_id: Id) -> RoundList:
    """The rounds that were published, with their boards and results."""
    return await rounds_of(ask, tournament_id)


@routes.get("/tournaments/{tournament_id}/standings", who=Who.ANYONE, refusals=(404,))
async def tournament_standings(ask: Ask, tournament_id: Id) -> Standings:
    """Who stands where; every figure with the sum it comes from."""
    state = await seen_by(ask, tournament_id)
    boards = await ask.house.tournaments.boards(tournament_id)
    names = await names_of(ask, state.entries)
    terms = {
        (entrant.number, each.number): each.terms
        for entrant in entrants_of(state, rules_of(ask, state), boards)
        for each in entrant.rounds
    }
    lines = ask.house.tournaments.lines(state, boards)
    return Standings(round=len(state.published), lines=[line_of(line, names, terms) for line in lines])


@routes.get("/tournaments/{tournament_id}/crosstable", who=Who.ANYONE, refusals=(404,))
async def cross_table(ask: Ask, tournament_id: Id) -> CrossTable:
    """Everybody by place, with what each round was to him."""
    state = await seen_by(ask, tournament_id)
    boards = await ask.house.tournaments.boards(tournament_id)
    names = await names_of(ask, state.entries)
    tables = {(board.round, board.board): board.table_id for board in standing(state, boards)}
    rounds = {each.number: each.rounds for each in entrants_of(state, rules_of(ask, state), boards)}
    return CrossTable(
        lines=[
            CrossLine(
                place=line.place,
                account=line.entrant,
                pseudo=names[line.entrant],
                points=plain(line.points),
                cells=[
                    CellInfo(
                        round=each.number,
                        board=each.board,
                        table=tables.get((each.number, each.board)),
                        mark=each.mark,
                        points=None if each.points is None else plain(each.points),
                        opponents=list(each.opponents),
                        role=each.role,
                    )
                    for each in rounds[line.entrant]
                ],
            )
            for line in ask.house.tournaments.lines(state, boards)
        ]
    )


@routes.get("/tournaments/{tournament_id}/log", who=Who.ANYONE, refusals=(404,))
async def tournament_log(ask: Ask, tournament_id: Id) -> ActList:
    """What was done, by whom and why; drafts and secrets of the plan for organisers alone."""
    state = await seen_by(ask, tournament_id)
    found = await ask.house.tournaments.log(tournament_id, is_organiser(ask, state))
    acts = [ActInfo(seq=seq, at=at, account=who, facts=said) for seq, at, who, said in found]
    named = {*state.entries, *state.organisers, *(act.account for act in acts if act.account is not None)}
    return ActList(acts=acts, people=await names_of(ask, named))


@routes.get("/tournaments/{tournament_id}/draft", who=Who.MEMBER, refusals=(403, 404, 409))
async def tournament_draft(ask: Ask, tournament_id: Id) -> DraftInfo:
    """The draft of the next round, for organisers."""
    state = await seen_by(ask, tournament_id)
    if not is_organiser(ask, state):
        raise Refusal("not_allowed")
    return await draft_of(ask, tournament_id, state)
