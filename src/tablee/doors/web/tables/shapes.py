"""A table as it is shown, to those who may see it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

from tablee.rules.contract import Result
from tablee.tables import HouseTable

from ..shapes import FormerInfo, Json, SeatInfo, TableInfo, TermsInfo

if TYPE_CHECKING:
    from ..house import House


def table_shape(
    house: House, info: HouseTable, account_id: int | None, present: Iterable[int] = ()
) -> TableInfo:
    """The table for one viewer: the secret of its link only for its host and those who sit there."""
    info = info.seen_by(account_id)
    here = frozenset(present)
    mine = None if account_id is None else info.seat_of(account_id)
    has_link = account_id is not None and (mine is not None or info.host_id == account_id)
    has_link = has_link and info.access != "invited"
    feed = house.live.feed_if_any(info.id)
    return TableInfo(
        id=info.id,
        name=info.name,
        game=info.game,
        variant=info.variant,
        door=info.door,
        status=info.status,
        access=info.access,
        host=info.host_id,
        host_name=info.host_name,
        master=info.master_id,
        options=info.options,
        time_control=msgspec.to_builtins(info.time_control),
        by_days=house.tables.is_by_days(info),
        rated=info.rated,
        unrated=info.unrated,
        seats_least=info.seats_least,
        seats_most=info.seats_most,
        seats=[
            SeatInfo(
                seat=taken.seat,
                account=taken.account_id,
                name=taken.name,
                kind=taken.kind,
                robot=taken.robot,
                here=info.knows(account_id, taken)
                and (taken.seat in here or (taken.robot is not None and taken.left_at is None)),
                left=taken.left_at is not None,
                rating=taken.rating,
                provisional=taken.provisional,
            )
            for taken in info.seats
        ],
        spectators=0 if feed is None else feed.spectators(),
        created_at=info.created_at,
        started_at=info.started_at,
        ended_at=info.ended_at,
        result=result_shape(info.result),
        terms=_terms_shape(info, account_id),
        my_seat=None if mine is None else mine.seat,
        invitation=info.invitation if has_link else None,
        former=[FormerInfo(each.seat, each.name, each.until) for each in info.former],
    )


def _terms_shape(info: HouseTable, account_id: int | None) -> TermsInfo:
    terms = info.terms
    is_master = account_id is not None and account_id == info.master_id
    return TermsInfo(
        mastered=terms.mastered,
        description=terms.description,
        anonymous=terms.anonymous,
        silent=terms.silent,
        manual=terms.manual,
        handed_on=terms.handed_on,
        fast=terms.fast,
        absences=terms.absences,
        extensions=terms.extensions,
        has_code=bool(terms.access_code),
        access_code=terms.access_code if is_master else None,
        reliability=terms.reliability,
        regularity=terms.regularity,
        performance=terms.performance,
        deal={str(role): seat for role, seat in info.dealt.items()} if is_master else None,
    )


def result_shape(result: Result | None) -> Json:
    """How a game ended, with seats as JSON keys."""
    return None if result is None else msgspec.to_builtins(result, str_keys=True)
