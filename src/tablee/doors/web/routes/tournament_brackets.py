"""Knockouts: the bracket with its matches and games, and the seeds."""

from __future__ import annotations

from tablee.tournaments.boards import matches_of
from tablee.tournaments.knockout import PlayedMatch, seeds_of
from tablee.tournaments.points import plain

from ..api.ask import Ask
from ..api.errors import Refusal
from ..api.registry import Body, Id, Routes, Who
from ..tournaments.bodies import Accounts, Request
from ..tournaments.shapes import Bracket, MatchGame, MatchInfo
from ..tournaments.showing import names_of, seen_by

routes = Routes("tournaments")


class Seeds(Body, frozen=True):
    accounts: Accounts  # the best first; who is not named follows by rating, or by lot
    request_id: Request | None = None


@routes.get("/tournaments/{tournament_id}/bracket", who=Who.ANYONE, refusals=(404,))
async def tournament_bracket(ask: Ask, tournament_id: Id) -> Bracket:
    """The bracket of a knockout, round by round, as far as its matches are known."""
    state = await seen_by(ask, tournament_id)
    if state.plan.format != "knockout" or len(seeds_of(state)) < 2:
        raise Refusal("not_found")
    boards = await ask.house.tournaments.boards(tournament_id)
    tables = {
        (board.round, board.board): board.table_id
        for board in boards
        if board.round <= len(state.published) and board.attempt == state.published[board.round - 1].attempt
    }
    return Bracket(
        seeds=seeds_of(state),
        best_of=state.plan.best_of,
        rounds=[[_match(each, tables) for each in row] for row in matches_of(state, boards)],
        people=await names_of(ask, state.entries),
    )


@routes.put("/tournaments/{tournament_id}/seeds", who=Who.MEMBER, refusals=(403, 404, 409))
async def list_seeds(ask: Ask, tournament_id: Id, body: Seeds) -> None:
    """List the seeds of a knockout, the best first, until its first round is published."""
    await ask.house.tournaments.matches.seed(ask.account, tournament_id, body.accounts, body.request_id)


def _match(played: PlayedMatch, tables: dict[tuple[int, int], int | None]) -> MatchInfo:
    match, score = played.match, played.score
    return MatchInfo(
        round=match.round,
        place=match.place,
        third_place=played.is_third,
        upper=match.upper,
        lower=match.lower,
        winner=match.winner,
        is_bye=match.is_bye,
        walkover=played.walkover,
        by_lot=played.by_lot,
        upper_points=plain(score.upper),
        lower_points=plain(score.lower),
        games=[
            MatchGame(
                board=game.board,
                table=tables.get((match.round, game.board)),
                white=game.white,
                points=None if game.points is None else plain(game.points),
            )
            for game in played.games
        ],
    )
