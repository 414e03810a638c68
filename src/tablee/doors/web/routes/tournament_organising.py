"""Making a tournament, beginning and ending it, and its organisers."""

from __future__ import annotations

from typing import Any

from tablee.tournaments.plan import Plan

from ..api.ask import Ask
from ..api.registry import Id, Routes, Who
from ..tournaments.bodies import ONCE, Once, WithReason
from ..tournaments.shapes import (
    TournamentCard,
)
from ..tournaments.showing import (
    card_of,
)

Json = Any
routes = Routes("tournaments")


@routes.post("/tournaments", who=Who.MEMBER, status=201, refusals=(404, 409))
async def create_tournament(ask: Ask, body: Plan) -> TournamentCard:
    """A draft of a tournament, which its organisers alone see until it is announced."""
    number = await ask.house.tournaments.create(ask.account, body)
    return await card_of(ask, number)


@routes.put("/tournaments/{tournament_id}/plan", who=Who.MEMBER, refusals=(403, 404, 409))
async def change_tournament(ask: Ask, tournament_id: Id, body: Plan) -> TournamentCard:
    """Another plan, before it begins."""
    await ask.house.tournaments.change(ask.account, tournament_id, body)
    return await card_of(ask, tournament_id)


@routes.post("/tournaments/{tournament_id}/announce", who=Who.MEMBER, refusals=(403, 404, 409))
async def announce_tournament(ask: Ask, tournament_id: Id, body: Once = ONCE) -> None:
    """Let everybody see it, and enter."""
    await ask.house.tournaments.announce(ask.account, tournament_id, body.request_id)


@routes.post("/tournaments/{tournament_id}/check_in", who=Who.MEMBER, refusals=(403, 404, 409))
async def open_check_in(ask: Ask, tournament_id: Id, body: Once = ONCE) -> None:
    """From now on entrants say that they are there."""
    await ask.house.tournaments.open_check_in(ask.account, tournament_id, body.request_id)


@routes.post("/tournaments/{tournament_id}/begin", who=Who.MEMBER, refusals=(403, 404, 409))
async def begin_tournament(ask: Ask, tournament_id: Id, body: Once = ONCE) -> None:
    """Close the entries."""
    await ask.house.tournaments.begin(ask.account, tournament_id, body.request_id)


@routes.post("/tournaments/{tournament_id}/end", who=Who.MEMBER, refusals=(403, 404, 409))
async def end_tournament(ask: Ask, tournament_id: Id, body: Once = ONCE) -> None:
    """Close it: everybody is told his place."""
    await ask.house.tournaments.end(ask.account, tournament_id, body.request_id)


@routes.post("/tournaments/{tournament_id}/cancel", who=Who.MEMBER, refusals=(403, 404, 409))
async def cancel_tournament(ask: Ask, tournament_id: Id, body: WithReason) -> None:
    """Call it off, by its first organiser or an administrator; running tables are void."""
    await ask.house.tournaments.cancel(ask.account, tournament_id, body.reason, body.request_id)


@routes.put("/tournaments/{tournament_id}/organisers/{account_id}", who=Who.MEMBER, refusals=(403, 404))
async def name_organiser(ask: Ask, tournament_id: Id, account_id: Id) -> None:
    """Another organiser, named by the first one or an administrator; ten at most."""
    await ask.house.tournaments.name_organiser(ask.account, tournament_id, account_id)


@routes.delete("/tournaments/{tournament_id}/organisers/{account_id}", who=Who.MEMBER, refusals=(403, 404))
async def dismiss_organiser(ask: Ask, tournament_id: Id, account_id: Id) -> None:
    """No longer an organiser; the first one stays."""
    await ask.house.tournaments.dismiss_organiser(ask.account, tournament_id, account_id)
