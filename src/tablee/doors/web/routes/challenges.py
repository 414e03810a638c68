"""Challenges: an offer to a friend to play, and to the opponent of a finished table to play again."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from ..api.ask import Ask
from ..api.errors import Refusal
from ..api.registry import Body, Id, Routes, Who
from ..shapes import ChallengeInfo, Shape, TableInfo
from ..tables.challenging import challenge_shape, challenges_of
from ..tables.visibility import must_see
from .tables import Word, shown_table

Json = Any
routes = Routes("challenges")


class ChallengeList(Shape, frozen=True):
    """Challenges and rematches, newest first."""

    challenges: list[ChallengeInfo]


@routes.get("/challenges")
async def challenges(ask: Ask) -> ChallengeList:
    """What one has offered and was offered, with what was answered in the last ten minutes."""
    return ChallengeList(challenges=await challenges_of(ask.house, ask.account_id))


class NewChallenge(Body, frozen=True):
    game: Word
    variant: Word
    account: Id | None = None
    pseudo: Annotated[str, msgspec.Meta(max_length=200)] | None = None
    options: dict[str, Json] = msgspec.field(default_factory=dict)
    time_control: dict[str, Json] | None = None
    rated: bool = True
    side: Word | None = None


@routes.post("/challenges", who=Who.MEMBER, status=201, refusals=(403, 404))
async def challenge_friend(ask: Ask, body: NewChallenge) -> ChallengeInfo:
    """Challenge a friend, by `account` or `pseudo`.

    The challenger has the first seat, and the `side` that he asks for (`white`, `black`, `lot`); White's in
    chess where he asks for none.
    """
    if (body.account is None) == (body.pseudo is None):
        raise Refusal("invalid", detail="give `account` or `pseudo`", at="$")
    club, tables = ask.house.club, ask.house.tables
    if body.pseudo is not None:
        whom = await club.accounts.by_pseudo(body.pseudo)
    else:
        whom = await club.accounts.by_id(body.account or 0)
    made = await tables.challenges.challenge(
        ask.account,
        whom,
        body.game,
        body.variant,
        body.options,
        body.time_control,
        rated=body.rated,
        side=body.side,
    )
    return await challenge_shape(ask.house, made, ask.account_id)


@routes.post("/challenges/{challenge_id}/accept", refusals=(403, 404))
async def accept_challenge(ask: Ask, challenge_id: Id) -> TableInfo:
    """Accept: the answer is the table, where the game has begun."""
    info = await ask.house.tables.challenges.accept(ask.account, challenge_id)
    return await shown_table(ask, info.id)


@routes.post("/challenges/{challenge_id}/refuse", refusals=(404,))
async def refuse_challenge(ask: Ask, challenge_id: Id) -> None:
    """Refuse what one was offered."""
    await ask.house.tables.challenges.refuse(ask.account, challenge_id)


@routes.post("/challenges/{challenge_id}/cancel", refusals=(404,))
async def cancel_challenge(ask: Ask, challenge_id: Id) -> None:
    """Call off what one has offered."""
    await ask.house.tables.challenges.cancel(ask.account, challenge_id)


@routes.post("/tables/{table_id}/rematch", refusals=(403, 404))
async def rematch(ask: Ask, table_id: Id) -> ChallengeInfo:
    """Offer the opponent of a finished game another one, or take up his offer; a robot agrees at once.

    The seats and the terms stay, colours change; `table` is the new one as soon as both have agreed.
    """
    await must_see(ask.house, table_id, ask.account_id, None, ask.is_administrator)
    made = await ask.house.tables.challenges.rematch(ask.account, table_id)
    return await challenge_shape(ask.house, made, ask.account_id)
