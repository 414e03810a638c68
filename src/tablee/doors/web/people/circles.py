"""Somebody's friends and requests, with who of them is here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..shapes import Friend, Person, person

if TYPE_CHECKING:
    from ..house import House


async def circle_of(house: House, account_id: int) -> list[Friend]:
    """Friends first, then requests received, then requests sent."""
    circle = await house.club.friends.circle(account_id)
    ties = [
        *((tie, "friends") for tie in circle.friends),
        *((tie, "asked_by_them") for tie in circle.received),
        *((tie, "asked_by_me") for tie in circle.sent),
    ]
    people = await house.club.accounts.many({tie.account_id for tie, _ in ties})
    here = await house.club.online.shown({tie.account_id for tie in circle.friends})
    return [
        Friend(
            person=person(people[tie.account_id])
            if tie.account_id in people
            else Person(id=tie.account_id, pseudo="", kind="member"),
            status=status,
            since=tie.at,
            here=tie.account_id in here,
        )
        for tie, status in ties
    ]
