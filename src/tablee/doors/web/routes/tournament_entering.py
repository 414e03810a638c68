"""Entering a tournament, leaving it, being away, and penalties."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any

from msgspec import Meta
from starlette.responses import Response

from tablee.tournaments.plan import Amount
from tablee.wire.http.application import json_answer

from ..api.ask import Ask
from ..api.registry import Body, Id, Routes, Who
from ..tournaments.bodies import ONCE, Once, Reason, Request, RoundNumber
from ..tournaments.shapes import (
    TournamentCard,
)
from ..tournaments.showing import (
    card_of,
)

Json = Any
routes = Routes("tournaments")


class NewEntry(Body, frozen=True):
    account: Id | None = None  # by organisers: somebody else
    code: Annotated[str, Meta(max_length=40)] = ""
    team: Annotated[str, Meta(max_length=40)] = ""
    request_id: Request | None = None


class RoundAbsence(Body, frozen=True):
    away: bool
    half: bool = False  # half a point, once, in a Swiss tournament
    request_id: Request | None = None


class GivenPenalty(Body, frozen=True):
    points: Amount
    reason: Reason
    request_id: Request | None = None


@routes.post(
    "/tournaments/{tournament_id}/entries",
    who=Who.MEMBER,
    status=201,
    refusals=(403, 404, 409, 429),
    answer=TournamentCard,
)
async def enter_tournament(ask: Ask, tournament_id: Id, body: NewEntry) -> Response:
    """Enter oneself, organisers anybody; 202 where one waits for a place."""
    placed = await ask.house.tournaments.enter(
        ask.account, tournament_id, body.account, code=body.code, team=body.team, request_id=body.request_id
    )
    return json_answer(await card_of(ask, tournament_id), 201 if placed else 202)


@routes.delete("/tournaments/{tournament_id}/entries/{account_id}", who=Who.MEMBER, refusals=(403, 404, 409))
async def leave_tournament(ask: Ask, tournament_id: Id, account_id: Id) -> None:
    """Take an entry back, one's own or as an organiser anybody's; from a running tournament, withdraw."""
    await ask.house.tournaments.leave(ask.account, tournament_id, account_id)


@routes.put(
    "/tournaments/{tournament_id}/entries/{account_id}/check_in",
    who=Who.MEMBER,
    refusals=(403, 404, 409),
)
async def check_in(ask: Ask, tournament_id: Id, account_id: Id, body: Once = ONCE) -> None:
    """Say that one is there, or as an organiser that somebody is; who does not before it begins is out."""
    await ask.house.tournaments.check_in(ask.account, tournament_id, account_id, body.request_id)


@routes.put(
    "/tournaments/{tournament_id}/entries/{account_id}/rounds/{round}",
    who=Who.MEMBER,
    refusals=(403, 404, 409),
)
async def be_away(
    ask: Ask, tournament_id: Id, account_id: Id, round: RoundNumber, body: RoundAbsence
) -> None:
    """Be away for a round that is not paired yet, or there after all."""
    await ask.house.tournaments.go_away(
        ask.account,
        tournament_id,
        round,
        account_id,
        half=body.half,
        back=not body.away,
        request_id=body.request_id,
    )


@routes.post(
    "/tournaments/{tournament_id}/entries/{account_id}/penalties", who=Who.MEMBER, refusals=(403, 404, 409)
)
async def penalise(ask: Ask, tournament_id: Id, account_id: Id, body: GivenPenalty) -> None:
    """Take points from somebody, with a reason that everybody reads."""
    await ask.house.tournaments.penalise(
        ask.account, tournament_id, account_id, Fraction(body.points), body.reason, body.request_id
    )
