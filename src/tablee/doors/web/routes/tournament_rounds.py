"""Rounds: drafted, moved, published, undone; and results that organisers set."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from tablee.tournaments.acts import Drafted
from tablee.tournaments.boards import BoardResult
from tablee.tournaments.rights import must_organise

from ..api.ask import Ask
from ..api.errors import Refusal
from ..api.registry import Body, Id, Routes, Who
from ..tournaments.bodies import Accounts, BoardNumber, Request, RoundNumber, WithReason
from ..tournaments.shapes import (
    DraftInfo,
    RoundList,
)
from ..tournaments.showing import (
    draft_of,
    must_be_next,
    rounds_of,
)

Json = Any
routes = Routes("tournaments")


Seated = Annotated[int, Meta(ge=0, le=2**53, description="An account; 0 is a robot that fills a board.")]


class PairingAsked(Body, frozen=True):
    request_id: Request | None = None


class RoundDraft(Body, frozen=True):
    version: Id
    boards: Annotated[tuple[Annotated[tuple[Seated, ...], Meta(max_length=20)], ...], Meta(max_length=5_000)]
    byes: Accounts = ()
    absent: Accounts = ()
    request_id: Request | None = None


class RoundPublication(Body, frozen=True):
    version: Id
    request_id: Request | None = None


class GivenResult(Body, frozen=True):
    reason: Annotated[str, Meta(max_length=300)] = ""
    marks: Annotated[tuple[Annotated[str, Meta(max_length=1)], ...], Meta(max_length=2)] = ()
    ranks: Annotated[tuple[Annotated[int, Meta(ge=1, le=100)], ...], Meta(max_length=100)] = ()
    scores: Annotated[tuple[Annotated[int, Meta(ge=-(10**6), le=10**6)], ...], Meta(max_length=100)] = ()
    tally: Json = None
    request_id: Request | None = None


class Substitution(Body, frozen=True):
    """One of the two goes on in the seat."""

    seat: Annotated[int, Meta(ge=1, le=100)]
    account: Id | None = None
    robot: Annotated[str, Meta(max_length=40)] = ""
    for_paired: bool = False  # what the board is worth stays with who was paired
    reason: Annotated[str, Meta(max_length=300)] = ""
    request_id: Request | None = None


@routes.post("/tournaments/{tournament_id}/rounds/{round}/pair", who=Who.MEMBER, refusals=(403, 404, 409))
async def pair_round(ask: Ask, tournament_id: Id, round: RoundNumber, body: PairingAsked) -> DraftInfo:
    """Draft the next round; nobody but organisers sees it."""
    state = await ask.house.tournaments.state(tournament_id)
    must_organise(state, ask.account)
    must_be_next(state, round)
    state = await ask.house.tournaments.pair(ask.account, tournament_id, body.request_id)
    return await draft_of(ask, tournament_id, state)


@routes.put("/tournaments/{tournament_id}/rounds/{round}/boards", who=Who.MEMBER, refusals=(403, 404, 409))
async def change_draft(ask: Ask, tournament_id: Id, round: RoundNumber, body: RoundDraft) -> DraftInfo:
    """The draft as one has changed it: everybody stands once, at a board, with a bye, or absent."""
    drafted = Drafted(round, body.boards, body.byes, body.absent, True)
    state = await ask.house.tournaments.move(
        ask.account, tournament_id, drafted, body.version, body.request_id
    )
    return await draft_of(ask, tournament_id, state)


@routes.post("/tournaments/{tournament_id}/rounds/{round}/publish", who=Who.MEMBER, refusals=(403, 404, 409))
async def publish_round(ask: Ask, tournament_id: Id, round: RoundNumber, body: RoundPublication) -> RoundList:
    """Publish the draft that one saw: boards, tables and notices at once."""
    state = await ask.house.tournaments.state(tournament_id)
    must_organise(state, ask.account)
    if round > len(state.published):
        must_be_next(state, round)
    await ask.house.tournaments.publish(ask.account, tournament_id, body.version, body.request_id)
    return await rounds_of(ask, tournament_id)


@routes.post("/tournaments/{tournament_id}/rounds/{round}/undo", who=Who.MEMBER, refusals=(403, 404, 409))
async def undo_round(ask: Ask, tournament_id: Id, round: RoundNumber, body: WithReason) -> None:
    """Take the last round back, while no move was made in it."""
    state = await ask.house.tournaments.state(tournament_id)
    must_organise(state, ask.account)
    if round != len(state.published):
        raise Refusal("not_found")
    await ask.house.tournaments.undo(ask.account, tournament_id, body.reason, body.request_id)


@routes.post(
    "/tournaments/{tournament_id}/rounds/{round}/boards/{board}/result",
    who=Who.MEMBER,
    refusals=(403, 404, 409),
)
async def set_result(
    ask: Ask, tournament_id: Id, round: RoundNumber, board: BoardNumber, body: GivenResult
) -> None:
    """How a board ended, as an organiser says; two play for `marks`, several have `ranks` or a `tally`."""
    given = BoardResult(body.ranks, body.scores, body.tally, body.marks)
    await ask.house.tournaments.set_result(
        ask.account, tournament_id, round, board, given, body.reason, body.request_id
    )


@routes.post(
    "/tournaments/{tournament_id}/rounds/{round}/boards/{board}/substitute",
    who=Who.MEMBER,
    refusals=(403, 404, 409),
)
async def substitute(
    ask: Ask, tournament_id: Id, round: RoundNumber, board: BoardNumber, body: Substitution
) -> None:
    """A member or a robot goes on in a seat; who sits at the end has the points, a robot for nobody."""
    await ask.house.tournaments.substitute(
        ask.account,
        tournament_id,
        round,
        board,
        body.seat,
        body.robot if body.account is None else body.account,
        for_paired=body.for_paired,
        reason=body.reason,
        request_id=body.request_id,
    )
