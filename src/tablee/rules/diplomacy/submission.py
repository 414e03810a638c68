"""A player's whole submission: every fault of it, not the first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tablee.rules.diplomacy.adjustments import balance
from tablee.rules.diplomacy.model import DATC, Act, Choices, Order, Reason, Season, Situation
from tablee.rules.diplomacy.validation import check
from tablee.rules.diplomacy.variant import Variant


class Fault(NamedTuple):
    """What is wrong with an order, or with what is missing or too much where there is no order."""

    order: Order | None
    reason: Reason


def faults(
    variant: Variant,
    advancement: int,
    situation: Situation,
    role: int,
    orders: Sequence[Order],
    choices: Choices = DATC,
) -> tuple[Fault, ...]:
    """Everything that stands against these orders of one role, an order for each of its units being owed.

    Movement: an order for each unit; retreats: for each dislodged unit; adjustments: exactly the removals
    owed, builds may be fewer than allowed.
    """
    found: list[Fault] = []
    ordered: set[int] = set()
    for order in orders:
        reason = Reason("not-your-role", {"role": order.role}) if order.role != role else None
        reason = reason or check(variant, advancement, situation, order, choices)
        if reason is None:
            region = variant.region_of[order.zone]
            if region in ordered:
                reason = Reason("already-ordered", {})
            ordered.add(region)
        elif 0 < order.zone <= variant.zones:
            ordered.add(variant.region_of[order.zone])
        if reason is not None:
            found.append(Fault(order, reason))
    if advancement % 5 == Season.ADJUSTMENTS:
        found.extend(_wrong_number(variant, situation, role, orders))
    else:
        retreats = advancement % 5 in (Season.SUMMER_RETREATS, Season.WINTER_RETREATS)
        owing = situation.dislodged if retreats else situation.units
        found.extend(
            Fault(None, Reason("order-missing", {"zone": unit.zone}))
            for unit in owing
            if unit.role == role and variant.region_of[unit.zone] not in ordered
        )
    return tuple(found)


def _wrong_number(
    variant: Variant, situation: Situation, role: int, orders: Sequence[Order]
) -> tuple[Fault, ...]:
    number = balance(variant, situation).get(role, 0)
    given = len([order for order in orders if order.act == (Act.BUILD if number > 0 else Act.REMOVE)])
    if number > 0 and given > number:
        return (Fault(None, Reason("too-many", {"number": given, "most": number})),)
    if number < 0 and given != -number:
        return (Fault(None, Reason("removals-owed", {"number": given, "most": -number})),)
    return ()
