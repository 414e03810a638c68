"""Retreats: where a dislodged unit may go, and what becomes of those who go to the same place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from tablee.rules.diplomacy.model import (
    Act,
    Dislodged,
    Order,
    Outcome,
    Reason,
    Resolution,
    Situation,
    Unit,
    Verdict,
)
from tablee.rules.diplomacy.variant import FLEET, Variant, bits


def options(variant: Variant, kind: int, zone: int, closed: int, origin: int) -> tuple[int, ...]:
    """The zones to retreat to; `closed` are regions that are occupied or in a stand-off, as bits."""
    region_of = variant.region_of
    beside = variant.fleet_next[zone] if kind == FLEET else variant.army_next[zone]
    return tuple(
        there for there in beside if not closed >> region_of[there] & 1 and region_of[there] != origin
    )


def closed_regions(variant: Variant, situation: Situation) -> int:
    """The regions nobody may retreat to: occupied, or empty after a stand-off."""
    return bits(variant.region_of[unit.zone] for unit in situation.units) | bits(situation.forbiddens)


def retreat_options(variant: Variant, situation: Situation, unit: Dislodged) -> tuple[int, ...]:
    """The zones that a dislodged unit may retreat to."""
    return options(variant, unit.kind, unit.zone, closed_regions(variant, situation), unit.origin)


def dislodged_unit(variant: Variant, situation: Situation, order: Order) -> Dislodged | None:
    """The dislodged unit that an order speaks to."""
    if not 0 < order.zone <= variant.zones:
        return None
    region = variant.region_of[order.zone]
    for unit in situation.dislodged:
        if unit.role == order.role and variant.region_of[unit.zone] == region:
            return unit if order.kind in (0, unit.kind) else None
    return None


def retreat_zone(variant: Variant, situation: Situation, unit: Dislodged, destination: int) -> int:
    """The zone that a retreat to here leads to: 0 where it may not go, −1 where it must name a coast."""
    found = retreat_options(variant, situation, unit)
    if destination in found:
        return destination
    coasts = [zone for zone in found if zone > variant.regions and variant.region_of[zone] == destination]
    if len(coasts) > 1:
        return -1
    return coasts[0] if coasts else 0


def retreat_fault(
    variant: Variant, situation: Situation, order: Order
) -> tuple[str, Mapping[str, int]] | None:
    """Why an order is illegal in a retreat phase, or None."""
    if not 0 < order.zone <= variant.zones:
        return "no-such-zone", {"number": order.zone}
    unit = dislodged_unit(variant, situation, order)
    if unit is None:
        return "not-dislodged", {"zone": order.zone}
    if order.act == Act.DISBAND:
        return None
    if order.act != Act.RETREAT:
        return "wrong-phase", {"act": order.act}
    if not 0 < order.destination <= variant.zones:
        return "no-such-zone", {"number": order.destination}
    found = retreat_zone(variant, situation, unit, order.destination)
    parts = {"destination": order.destination}
    if found > 0:
        return None
    if found < 0:
        return "coast-needed", parts
    region = variant.region_of[order.destination]
    reach = variant.region_reach[unit.kind][unit.zone]
    if not reach >> region & 1:
        return "not-adjacent", parts
    if region == unit.origin:
        return "retreat-to-attacker", parts
    if region in situation.forbiddens:
        return "retreat-to-stand-off", parts
    if closed_regions(variant, situation) >> region & 1:
        return "retreat-to-unit", parts
    return ("coast-unreachable" if unit.kind == FLEET else "army-to-coast"), parts


def resolve_retreats(variant: Variant, situation: Situation, orders: Sequence[Order]) -> Resolution:
    """Carry out the retreats; units without a legal order are disbanded."""
    goals: dict[Dislodged, int] = {}
    """The zone each dislodged unit with a legal order goes to, 0 to disband."""
    taken: list[tuple[Order, Dislodged | None, Reason | None]] = []
    torn: set[Dislodged] = set()
    """Units with several legal orders that differ: they follow none (DATC 4.D.3 c)."""
    for order in orders:
        unit = dislodged_unit(variant, situation, order)
        fault = retreat_fault(variant, situation, order)
        taken.append((order, unit, Reason(*fault) if fault else None))
        if unit is None or fault:
            continue
        retreats = order.act == Act.RETREAT
        goal = retreat_zone(variant, situation, unit, order.destination) if retreats else 0
        if goals.setdefault(unit, goal) != goal:
            torn.add(unit)
    for unit in torn:
        del goals[unit]
    several = Reason("several-orders", {})
    taken = [(order, unit, reason or several if unit in torn else reason) for order, unit, reason in taken]
    wanted = Counter(variant.region_of[zone] for zone in goals.values() if zone)
    arrived, destroyed = [], []
    for dislodged in situation.dislodged:
        zone = goals.get(dislodged, 0)
        if zone and wanted[variant.region_of[zone]] == 1:
            arrived.append(Unit(dislodged.role, dislodged.kind, zone))
        else:
            destroyed.append(Unit(dislodged.role, dislodged.kind, dislodged.zone))
    verdicts = []
    spoken_to = {unit for _, unit, _ in taken}
    for order, unit, reason in taken:
        if unit is None:
            verdicts.append(Verdict(order, Outcome.VOID, reason=reason))
        elif reason:
            verdicts.append(Verdict(order, Outcome.ILLEGAL, disbanded=unit not in goals, reason=reason))
        elif not goals[unit]:
            verdicts.append(Verdict(order, Outcome.SUCCEEDS, disbanded=True))
        else:
            bounced = wanted[variant.region_of[goals[unit]]] > 1
            outcome = Outcome.BOUNCES if bounced else Outcome.SUCCEEDS
            verdicts.append(Verdict(order, outcome, disbanded=bounced))
    for unit in situation.dislodged:
        if unit not in spoken_to:
            order = Order(unit.role, Act.DISBAND, unit.zone)
            verdicts.append(Verdict(order, Outcome.SUCCEEDS, by_default=True, disbanded=True))
    after = Situation(situation.ownerships, (*situation.units, *arrived))
    return Resolution(after, tuple(verdicts), tuple(destroyed))
