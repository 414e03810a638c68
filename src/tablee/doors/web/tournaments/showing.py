"""Tournaments, rounds and standings in the words of the API."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from starlette.responses import Response

from tablee.tournaments.acts import TournamentState
from tablee.tournaments.boards import BoardRow, standing
from tablee.tournaments.plan import public
from tablee.tournaments.points import plain
from tablee.tournaments.standings import Line, Tie

from ..api.ask import Ask
from ..api.errors import Refusal
from ..shapes import Person
from .shapes import (
    BoardInfo,
    CountedInfo,
    DraftInfo,
    DraftWarning,
    PartInfo,
    RoundInfo,
    RoundList,
    StandingInfo,
    TieInfo,
    TournamentCard,
    TournamentInfo,
)


async def seen_by(ask: Ask, number: int) -> TournamentState:
    who = None if ask.identity is None else ask.identity.account
    return await ask.house.tournaments.seen(number, who)


def rules_of(ask: Ask, state: TournamentState) -> Any:
    return ask.house.tables.rules(state.plan.game, state.plan.variant)


def is_organiser(ask: Ask, state: TournamentState) -> bool:
    return ask.is_administrator or ask.account_id_if_any in state.organisers


def must_be_next(state: TournamentState, number: int) -> None:
    if number != state.next_round:
        raise Refusal("not_found")


async def people_of(ask: Ask, accounts: Iterable[int]) -> dict[int, Person]:
    found = await ask.house.club.accounts.many(sorted(set(accounts)))
    return {who.id: Person.of(who) for who in found.values()}


async def names_of(ask: Ask, accounts: Iterable[int]) -> dict[int, str]:
    wanted = list(accounts)
    found = await ask.house.club.accounts.many(wanted)
    return {number: found[number].pseudo if number in found else f"№ {number}" for number in wanted}


def info_of(number: int, state: TournamentState, people: dict[int, Person]) -> TournamentInfo:
    return TournamentInfo(**_in_short(number, state, people))


def _in_short(number: int, state: TournamentState, people: dict[int, Person]) -> dict[str, Any]:
    plan = state.plan
    return {
        "id": number,
        "name": plan.name,
        "game": plan.game,
        "variant": plan.variant,
        "format": plan.format,
        "status": state.status,
        "rounds": state.rounds or plan.rounds,
        "round": len(state.published),
        "entrants": len(state.entries) - len(state.waiting),
        "waiting": len(state.waiting),
        "limit": plan.limit,
        "organisers": [people[who] for who in state.organisers if who in people],
    }


async def card_of(ask: Ask, number: int) -> TournamentCard:
    state = await seen_by(ask, number)
    rules, organises = rules_of(ask, state), is_organiser(ask, state)
    plan = msgspec.to_builtins(state.plan)
    mine = state.entries.get(ask.account_id_if_any or 0)
    people = await people_of(ask, state.organisers)
    return TournamentCard(
        **_in_short(number, state, people),
        description=state.plan.description,
        plan=plan if organises else public(plan),
        points=state.plan.points_of(rules),
        ties=list(state.plan.ties_of(rules)),
        has_code=bool(state.plan.code),
        organises=organises,
        entered=mine is not None and not mine.out_from,
        waits=mine is not None and mine.waits,
        draft=state.draft_version,
        seq=state.seq,
    )


async def rounds_of(ask: Ask, tournament_id: int) -> RoundList:
    """The rounds that were published, with their boards and results."""
    state = await seen_by(ask, tournament_id)
    boards = standing(state, await ask.house.tournaments.boards(tournament_id))
    return RoundList(
        rounds=[
            RoundInfo(
                round=number,
                attempt=each.attempt,
                published_at=each.at,
                boards=[board_of(board) for board in boards if board.round == number],
                byes=list(each.byes),
                absent=list(each.absent),
            )
            for number, each in enumerate(state.published, 1)
        ],
        people=await names_of(ask, state.entries),
    )


def board_of(board: BoardRow) -> BoardInfo:
    return BoardInfo(
        round=board.round,
        board=board.board,
        seats=list(board.seats),
        table=board.table_id,
        result=None if board.result is None else msgspec.to_builtins(board.result),
    )


async def draft_of(ask: Ask, number: int, state: TournamentState) -> DraftInfo:
    if state.draft is None:
        raise Refusal("not_found")
    boards = await ask.house.tournaments.boards(number)
    return DraftInfo(
        round=state.draft.round,
        version=state.draft_version,
        boards=[list(board) for board in state.draft.boards],
        byes=list(state.draft.byes),
        absent=list(state.draft.absent),
        by_hand=state.draft.by_hand,
        warnings=[
            DraftWarning(what=what, accounts=list(accounts))
            for what, accounts in ask.house.tournaments.warnings(state, boards)
        ],
    )


def line_of(line: Line, names: dict[int, str], terms: dict[tuple[int, int], Any]) -> StandingInfo:
    return StandingInfo(
        place=line.place,
        account=line.entrant,
        pseudo=names[line.entrant],
        points=plain(line.points),
        exact=str(line.points),
        rounds=[
            CountedInfo(
                round=each.number,
                points=plain(each.points),
                exact=str(each.points),
                weight=str(each.weight),
                counts=each.counts,
                is_mean=each.is_mean,
                terms=[
                    PartInfo(source=part.name, points=plain(part.points))
                    for part in terms.get((line.entrant, each.number), ())
                ],
            )
            for each in line.rounds
        ],
        penalties=[PartInfo(source=reason, points=plain(amount)) for reason, amount in line.penalties],
        ties=[_tie(tie) for tie in line.ties],
    )


def _tie(tie: Tie) -> TieInfo:
    return TieInfo(
        name=tie.name,
        value=[plain(value) for value in tie.value],
        parts=[PartInfo(source=str(of), points=plain(points)) for of, points in tie.parts],
    )


def file_of(content: str | bytes, media_type: str, name: str) -> Response:
    """An answer that a browser saves."""
    header = f'attachment; filename="{name}"'
    return Response(content, media_type=media_type, headers={"Content-Disposition": header})
