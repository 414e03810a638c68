"""Somebody's own games, as they are shown to him."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablee.tables.own_games import Finished, Invitation, OwnGame

from .. import shapes
from .challenging import shown_challenges

if TYPE_CHECKING:
    from ..house import House


async def own_games(house: House, account_id: int, language: str) -> shapes.OwnGames:
    """Everything that somebody comes for, in the words of a language."""
    own = await house.tables.own_games.of(account_id, language)
    return shapes.OwnGames(
        games=[_game(house, each, account_id) for each in own.games],
        more=own.has_more,
        waiting=own.waiting,
        invitations=[_invitation(house, each) for each in own.invitations],
        challenges=await shown_challenges(house, own.challenges, account_id),
        finished=[_finished(each) for each in own.finished],
        since=own.since,
    )


def _game(house: House, game: OwnGame, account_id: int) -> shapes.OwnGame:
    info, seen, glance = game.info, game.seen, game.seen.glance
    return shapes.OwnGame(
        table=info.id,
        name=info.name,
        game=info.game,
        variant=info.variant,
        status=info.status,
        master=info.master_id == account_id,
        by_days=house.tables.is_by_days(info),
        people=len(info.taken),
        seats=info.seats_most,
        waits=game.waits,
        until=seen.until,
        late=seen.is_late,
        plays=glance.plays,
        moment=glance.moment,
        waiting=list(seen.waiting),
        others=seen.others,
        given=glance.given,
        owed=glance.of,
        given_in=glance.is_in,
        final=glance.is_final,
        unread=game.unread,
        latest=seen.latest,
        latest_at=seen.latest_at,
    )


def _invitation(house: House, invitation: Invitation) -> shapes.TableInvitation:
    info = invitation.info
    return shapes.TableInvitation(
        table=info.id,
        name=info.name,
        game=info.game,
        variant=info.variant,
        by=invitation.by_name,
        seat=invitation.seat,
        has_code=bool(info.terms.access_code),
        by_days=house.tables.is_by_days(info),
        people=len(info.taken),
        seats=info.seats_most,
    )


def _finished(finished: Finished) -> shapes.EndedGame:
    info = finished.info
    result = info.result
    return shapes.EndedGame(
        table=info.id,
        name=info.name,
        game=info.game,
        variant=info.variant,
        ended_at=info.ended_at or info.created_at,
        reason="" if result is None else result.reason,
        players=0 if result is None else len(result.ranks),
        rank=finished.rank,
        tied=0 if result is None or finished.rank is None else result.tied(finished.rank),
        decided=result is not None and result.rated,
        rating_before=finished.rating_before,
        rating_after=finished.rating_after,
    )
