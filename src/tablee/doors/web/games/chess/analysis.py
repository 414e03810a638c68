"""A finished game of chess looked at again: other moves tried, and what the house thinks of them."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from tablee.club.limits import network
from tablee.rules.chess.analysis import Analysis, analyse
from tablee.rules.chess.boards import BadMove
from tablee.rules.chess.importing import PLIES_MOST, Imported, read_game
from tablee.rules.chess.model import Variant
from tablee.rules.chess.review import Judge, Review
from tablee.rules.chess.rules import ChessRules
from tablee.tables.reviewing import Reviewing

from ...api.ask import Ask
from ...api.errors import Refusal
from ...api.registry import Body, Id, Invitation, Routes, Who
from ...routes.playing import viewpoint
from ...shapes import Shape

routes = Routes("analysis")

TRIED_MOST = 200
Ply = Annotated[int, msgspec.Meta(ge=0, le=100_000)]
Tried = Annotated[str, msgspec.Meta(max_length=6 * TRIED_MOST)]


class AnalysisQuery(Body, frozen=True):
    ply: Ply = 0
    tried: Tried = ""  # moves after that half-move, with spaces between: `e2e4 e7e5`
    invitation: Invitation | None = None


@routes.get("/tables/{table_id}/analysis", who=Who.ANYONE, waits=True, refusals=(403,))
async def analyse_game(ask: Ask, table_id: Id, query: AnalysisQuery) -> Analysis:
    """A position of a finished game of chess, with other moves tried after it and what is best then.

    An engine of the house says so where it has one for the variant; its own search says that it is weak.
    """
    whose = network(ask.address)
    ask.house.limits.take("web_analysis", whose)
    chair = await viewpoint(ask, table_id, None, query.invitation)
    try:
        found: Analysis = await chair.analyse(query.ply, query.tried.split(), whose)
    except BadMove as error:
        raise Refusal("invalid", detail=str(error), at="$.tried") from None
    return found


class ReviewStatus(Shape, frozen=True):
    """How far a finished game has been looked through, and what was found."""

    status: Literal["none", "waiting", "running", "done", "failed"]
    done: int  # positions that are judged
    total: int
    review: Review | None


class ReviewQuery(Body, frozen=True):
    invitation: Invitation | None = None


@routes.get("/tables/{table_id}/review", who=Who.ANYONE, refusals=(403,))
async def game_review(ask: Ask, table_id: Id, query: ReviewQuery) -> ReviewStatus:
    """How far the review of a finished game of chess is: curve, faults with the better line, accuracy."""
    chair = await viewpoint(ask, table_id, None, query.invitation)
    return _status(ask.house.tables.reviews.of(chair.info.id))


@routes.post("/tables/{table_id}/review", who=Who.ANYONE, refusals=(403, 404, 409))
async def review_game(ask: Ask, table_id: Id, body: ReviewQuery = ReviewQuery()) -> ReviewStatus:  # noqa: B008 - frozen
    """Look a finished game of chess through, with the engine of the house where it has one; one at a time."""
    ask.house.limits.take("web_analysis", network(ask.address))
    chair = await viewpoint(ask, table_id, None, body.invitation)
    return _status(await ask.house.tables.reviews.begin(chair.info.id))


def _status(known: Reviewing | None) -> ReviewStatus:
    if known is None:
        return ReviewStatus(status="none", done=0, total=0, review=None)
    status: Literal["waiting", "running", "done", "failed"] = "running" if known.done else "waiting"
    if known.failed:
        status = "failed"
    elif known.found is not None:
        status = "done"
    return ReviewStatus(status=status, done=known.done, total=known.of, review=known.found)


class GameText(Body, frozen=True):
    text: Annotated[str, msgspec.Meta(min_length=1, max_length=60_000)]
    variant: Variant = "classic"


@routes.post("/chess/games", who=Who.ANYONE)
async def read_chess_game(ask: Ask, body: GameText) -> Imported:
    """A game or a position from elsewhere, as PGN or FEN, read into moves; nothing of it is kept."""
    ask.house.limits.take("web_analysis", network(ask.address))
    try:
        return await ask.house.tables.workshop.do(network(ask.address), read_game, body.text, body.variant)
    except BadMove as error:
        raise Refusal("invalid", detail=str(error), at="$.text") from None


class PositionQuery(Body, frozen=True):
    start: Annotated[str, msgspec.Meta(max_length=200)]
    moves: Annotated[
        list[Annotated[str, msgspec.Meta(max_length=5)]], msgspec.Meta(max_length=PLIES_MOST)
    ] = msgspec.field(default_factory=list)
    tried: Tried = ""
    variant: Variant = "classic"


@routes.post("/chess/analysis", who=Who.ANYONE)
async def analyse_position(ask: Ask, body: PositionQuery) -> Analysis:
    """A position of a game from elsewhere, with what may be tried in it and what is best."""
    whose = network(ask.address)
    ask.house.limits.take("web_analysis", whose)
    rules = ask.house.tables.rules("chess", body.variant)
    assert isinstance(rules, ChessRules)
    moves = (*body.moves, *body.tried.split())
    try:
        return await ask.house.tables.thinking.do(
            whose, _analysed, body.variant, body.start, moves, rules.judge
        )
    except BadMove as error:
        raise Refusal("invalid", detail=str(error), at="$") from None


def _analysed(variant: Variant, start: str, moves: tuple[str, ...], judge: Judge) -> Analysis:
    read_game(start, variant)  # a position that can be played
    return analyse(variant, start, (), moves, judge)
