"""Somebody's challenges, as they are shown to him."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from tablee.club.people import Account
from tablee.tables import Challenge

from ..shapes import ChallengeInfo, Person, person

if TYPE_CHECKING:
    from ..house import House


async def challenges_of(house: House, account_id: int) -> list[ChallengeInfo]:
    """What he has offered and was offered, newest first."""
    return await shown_challenges(house, await house.tables.challenges.of(account_id), account_id)


async def challenge_shape(house: House, made: Challenge, account_id: int) -> ChallengeInfo:
    return (await shown_challenges(house, [made], account_id))[0]


async def shown_challenges(house: House, found: list[Challenge], account_id: int) -> list[ChallengeInfo]:
    """Challenges with the people whom they name."""
    if not found:
        return []
    people = await house.club.accounts.many({who for each in found for who in (each.from_id, each.to_id)})
    return [
        ChallengeInfo.of(
            each,
            challenger=_person(people, each.from_id),
            challenged=_person(people, each.to_id),
            mine=each.from_id == account_id,
            time_control=msgspec.to_builtins(each.time_control),
            table=each.table_id,
            side=_side(house, each),
        )
        for each in found
    ]


def _side(house: House, each: Challenge) -> str | None:
    rules = house.tables.games.get((each.game, each.variant))
    return None if rules is None else rules.first_plays(msgspec.convert(each.options, rules.options_type))


def _person(people: Mapping[int, Account], account_id: int) -> Person:
    found = people.get(account_id)
    return Person(id=account_id, pseudo="", kind="member") if found is None else person(found)
