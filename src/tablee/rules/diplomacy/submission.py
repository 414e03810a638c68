"""A player's whole submission: every fault of it, not the first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tablee.rules.diplomacy.adjustments import balance
from tablee.rules.diplomacy.model import DATC, Act, Choices, Order, Reason, Season, Situation
from tablee.rules.diplomacy.validation import Ground, check
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
    said = zip(orders, order_faults(variant, advancement, situation, role, orders, choices), strict=True)
    found = [Fault(order, reason) for order, reason in said if reason is not None]
    lacking = unordered(variant, advancement, situation, role, orders)
    found += [Fault(None, Reason("order-missing", {"zone": zone})) for zone in lacking]
    number = wrong_number(variant, advancement, situation, role, orders)
    return (*found, Fault(None, number)) if number is not None else tuple(found)


def order_faults(
    variant: Variant,
    advancement: int,
    situation: Situation,
    role: int,
    orders: Sequence[Order],
    choices: Choices = DATC,
) -> list[Reason | None]:
    """What is wrong with each of these orders of one role."""
    found: list[Reason | None] = []
    ordered: set[int] = set()
    ground = Ground(variant, situation.units)
    for order in orders:
        reason = Reason("not-your-role", {"role": order.role}) if order.role != role else None
        reason = reason or check(variant, advancement, situation, order, choices, ground)
        if reason is None and variant.region_of[order.zone] in ordered:
            reason = Reason("already-ordered", {})
        if 0 < order.zone <= variant.zones:
            ordered.add(variant.region_of[order.zone])
        found.append(reason)
    return found


def unordered(
    variant: Variant, advancement: int, situation: Situation, role: int, orders: Sequence[Order]
) -> list[int]:
    """The zones of this role's units that still need an order; none among adjustments."""
    if advancement % 5 == Season.ADJUSTMENTS:
        return []
    ordered = {variant.region_of[order.zone] for order in orders if 0 < order.zone <= variant.zones}
    retreats = advancement % 5 in (Season.SUMMER_RETREATS, Season.WINTER_RETREATS)
    return [
        unit.zone
        for unit in (situation.dislodged if retreats else situation.units)
        if unit.role == role and variant.region_of[unit.zone] not in ordered
    ]


def wrong_number(
    variant: Variant, advancement: int, situation: Situation, role: int, orders: Sequence[Order]
) -> Reason | None:
    """Whether these are more builds than are due, or not exactly the removals owed."""
    if advancement % 5 != Season.ADJUSTMENTS:
        return None
    number = balance(variant, situation).get(role, 0)
    given = len([order for order in orders if order.act == (Act.BUILD if number > 0 else Act.REMOVE)])
    if number > 0 and given > number:
        return Reason("too-many", {"number": given, "most": number})
    if number < 0 and given != -number:
        return Reason("removals-owed", {"number": given, "most": -number})
    return None
