"""Teams and prizes of a tournament, and tables played elsewhere that become its boards."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from tablee.tournaments.points import plain

from ..api.ask import Ask
from ..api.registry import Body, Id, Routes, Who
from ..tournaments.bodies import BoardNumber, RoundNumber
from ..tournaments.shapes import PrizeInfo, PrizeList, TeamInfo, TeamList, TeamRound
from ..tournaments.showing import names_of, seen_by

routes = Routes("tournaments")


class Gift(Body, frozen=True):
    name: Annotated[str, Meta(min_length=1, max_length=100, pattern=r"\S")]


class Adoption(Body, frozen=True):
    table: Id
    reason: Annotated[str, Meta(max_length=300)] = ""


@routes.get("/tournaments/{tournament_id}/teams", who=Who.ANYONE, refusals=(404,))
async def tournament_teams(ask: Ask, tournament_id: Id) -> TeamList:
    """The teams, best first: each round the best so many of their members count."""
    state = await seen_by(ask, tournament_id)
    boards = await ask.house.tournaments.boards(tournament_id)
    found = ask.house.tournaments.prizes.teams(state, boards, ask.house.tournaments.lines(state, boards))
    return TeamList(
        best=state.plan.team_best,
        teams=[
            TeamInfo(
                place=line.place,
                team=line.team,
                points=plain(line.points),
                exact=str(line.points),
                rounds=[
                    TeamRound(round=number, points=plain(points), accounts=list(members))
                    for number, points, members in line.rounds
                ],
            )
            for line in found
        ],
        people=await names_of(ask, state.entries),
    )


@routes.get("/tournaments/{tournament_id}/prizes", who=Who.ANYONE, refusals=(404,))
async def tournament_prizes(ask: Ask, tournament_id: Id) -> PrizeList:
    """Who has won what so far: `place.1`, `role.3` (the best of a role), and what is given freely."""
    state = await seen_by(ask, tournament_id)
    boards = await ask.house.tournaments.boards(tournament_id)
    found = ask.house.tournaments.prizes.won(state, boards, ask.house.tournaments.lines(state, boards))
    free = len(state.gifts)
    return PrizeList(
        prizes=[
            PrizeInfo(
                name=prize.name,
                free=index >= len(found) - free,
                accounts=list(prize.winners),
                points=None if prize.value is None else plain(prize.value),
            )
            for index, prize in enumerate(found)
        ],
        people=await names_of(ask, state.entries),
    )


@routes.post(
    "/tournaments/{tournament_id}/entries/{account_id}/prizes", who=Who.MEMBER, refusals=(403, 404, 409)
)
async def give_prize(ask: Ask, tournament_id: Id, account_id: Id, body: Gift) -> None:
    """Give somebody a prize that has a name of its own."""
    await ask.house.tournaments.prizes.give(ask.account, tournament_id, body.name, account_id)


@routes.delete(
    "/tournaments/{tournament_id}/entries/{account_id}/prizes", who=Who.MEMBER, refusals=(403, 404, 409)
)
async def take_prize_back(ask: Ask, tournament_id: Id, account_id: Id, body: Gift) -> None:
    """A free prize was given by mistake."""
    await ask.house.tournaments.prizes.take_back(ask.account, tournament_id, body.name, account_id)


@routes.post(
    "/tournaments/{tournament_id}/rounds/{round}/boards/{board}/adopt",
    who=Who.MEMBER,
    refusals=(403, 404, 409),
)
async def adopt_table(
    ask: Ask, tournament_id: Id, round: RoundNumber, board: BoardNumber, body: Adoption
) -> None:
    """Count a finished table of entrants as a board of this round, over whichever door it was played."""
    await ask.house.tournaments.adopting.adopt(
        ask.account, tournament_id, round, board, body.table, body.reason
    )
