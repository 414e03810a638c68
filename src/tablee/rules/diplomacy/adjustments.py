"""Adjustments: builds, removals, and what civil disorder removes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from tablee.rules.diplomacy.model import (
    DATC,
    Act,
    Choices,
    Order,
    Outcome,
    Reason,
    Resolution,
    Situation,
    Unit,
    Verdict,
)
from tablee.rules.diplomacy.variant import ARMY, FLEET, LAND, Variant


def balance(variant: Variant, situation: Situation) -> dict[int, int]:
    """Centres less units, by role: how many may be built, or with a minus must be removed."""
    owned = Counter(situation.ownerships.values())
    stand = Counter(unit.role for unit in situation.units)
    return {role: owned[role] - stand[role] for role in range(1, variant.roles + 1)}


def owed(variant: Variant, situation: Situation) -> dict[int, int]:
    """What each role has to order, where it has: builds it can make, or with a minus removals."""
    found = {}
    for role, number in balance(variant, situation).items():
        if number > 0:
            number = min(number, len(free_homes(variant, situation, role)))
        if number:
            found[role] = number
    return found


def free_homes(variant: Variant, situation: Situation, role: int) -> list[int]:
    """The regions where this role may build: home centres that it owns and nobody stands in."""
    stood = {variant.region_of[unit.zone] for unit in situation.units}
    return [
        variant.centres[centre]
        for centre in variant.home[role]
        if situation.ownerships.get(centre) == role and variant.centres[centre] not in stood
    ]


def removal_order(variant: Variant, situation: Situation, role: int, choices: Choices = DATC) -> list[Unit]:
    """This role's units as civil disorder would remove them, first to last (DATC 4.D.8)."""
    far = variant.zones + 1
    if choices.removals == "owned":
        owned = [variant.centres[centre] for centre, owner in situation.ownerships.items() if owner == role]
        armies = fleets = variant.distances(owned)
    else:
        home = [variant.centres[centre] for centre in variant.home[role]]
        armies, fleets = variant.distances(home), variant.fleet_distances(home)

    def place(unit: Unit) -> tuple[int, bool, str]:
        by_region = unit.kind == ARMY or choices.removals == "owned"
        zone = variant.region_of[unit.zone] if by_region else unit.zone
        distance = (armies if unit.kind == ARMY else fleets)[zone]
        return (-(distance if distance >= 0 else far), unit.kind == ARMY, variant.codes[unit.zone])

    return sorted((unit for unit in situation.units if unit.role == role), key=place)


def adjustment_fault(
    variant: Variant, situation: Situation, order: Order
) -> tuple[str, Mapping[str, int]] | None:
    """Why an order is illegal among adjustments, or None. Whether too many are given is not asked here."""
    role, act, zone = order.role, order.act, order.zone
    if not 0 < role <= variant.roles:
        return "no-such-role", {"number": role}
    if not 0 < zone <= variant.zones:
        return "no-such-zone", {"number": zone}
    number = balance(variant, situation)[role]
    region = variant.region_of[zone]
    if act == Act.REMOVE:
        unit = next((u for u in situation.units if variant.region_of[u.zone] == region), None)
        if unit is None:
            return "nobody-there", {"passive": zone}
        if unit.role != role:
            return "not-yours", {"owner": unit.role}
        if order.kind and order.kind != unit.kind:
            return "wrong-kind", {"kind": unit.kind}
        return None if number < 0 else ("no-removal-owed", {})
    if act != Act.BUILD:
        return "wrong-phase", {"act": act}
    if order.kind not in (ARMY, FLEET):
        return "kind-needed", {"zone": zone}
    if number <= 0:
        return "no-build-owed", {}
    centre = variant.centre_of[region]
    if centre not in variant.home[role]:
        return "not-home", {"zone": zone}
    if situation.ownerships.get(centre) != role:
        return "not-owned", {"zone": zone}
    if region not in free_homes(variant, situation, role):
        return "not-free", {"zone": zone}
    if order.kind == ARMY:
        return ("army-to-coast", {"destination": zone}) if zone > variant.regions else None
    if variant.terrain[region] == LAND:
        return "fleet-inland", {"destination": zone}
    needs_coast = zone == region and variant.coasts_of[region]
    return ("coast-needed", {"destination": zone}) if needs_coast else None


def resolve_adjustments(
    variant: Variant, situation: Situation, orders: Sequence[Order], choices: Choices = DATC
) -> Resolution:
    """Build and remove: the first legal orders count (DATC 4.D.4, 4.D.6), civil disorder removes the rest."""
    left = balance(variant, situation)
    touched: set[int] = set()
    built: list[Unit] = []
    verdicts: list[Verdict] = []
    for order in orders:
        fault = adjustment_fault(variant, situation, order)
        if fault:
            verdicts.append(Verdict(order, Outcome.ILLEGAL, reason=Reason(*fault)))
            continue
        region = variant.region_of[order.zone]
        if region in touched or not left[order.role]:
            code = "already-ordered" if region in touched else "too-many"
            verdicts.append(Verdict(order, Outcome.VOID, reason=Reason(code, {})))
            continue
        touched.add(region)
        if order.act == Act.BUILD:
            built.append(Unit(order.role, order.kind, order.zone))
            left[order.role] -= 1
        else:
            left[order.role] += 1
        verdicts.append(Verdict(order, Outcome.SUCCEEDS, disbanded=order.act == Act.REMOVE))
    gone = touched - {variant.region_of[unit.zone] for unit in built}
    for role, number in left.items():
        if number >= 0:
            continue
        for unit in removal_order(variant, situation, role, choices):
            if variant.region_of[unit.zone] not in gone:
                gone.add(variant.region_of[unit.zone])
                order = Order(role, Act.REMOVE, unit.zone)
                verdicts.append(Verdict(order, Outcome.SUCCEEDS, by_default=True, disbanded=True))
                number += 1
                if not number:
                    break
    stay = [unit for unit in situation.units if variant.region_of[unit.zone] not in gone]
    destroyed = [unit for unit in situation.units if variant.region_of[unit.zone] in gone]
    after = Situation(situation.ownerships, (*stay, *built), situation.dislodged, (), situation.forbiddens)
    return Resolution(after, tuple(verdicts), tuple(destroyed))
