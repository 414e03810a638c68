"""Every order that may be given, unit by unit: exactly those that validation accepts."""

from __future__ import annotations

from tablee.rules.diplomacy.adjustments import balance, free_homes
from tablee.rules.diplomacy.convoys import chain_among, joined, joined_without
from tablee.rules.diplomacy.model import Act, Order, Season, Situation, Unit
from tablee.rules.diplomacy.retreats import closed_regions, options, retreat_zone
from tablee.rules.diplomacy.validation import (
    CONVOY,
    HOLD,
    MOVE,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
    Ground,
    landing,
)
from tablee.rules.diplomacy.variant import ARMY, COAST, FLEET, Variant, members

LegalOrders = dict[int, tuple[Order, ...]]
"""By the zone of the unit, or the region to build in.

Each order is given in one spelling: units by the zone they stand in, a fleet's move by its coast; a support
by the region it goes into and, for a fleet where there are several coasts, by each coast too. A move to a
place that only a convoy reaches is one by convoy without saying so.
"""

_new = tuple.__new__


def legal_orders(
    variant: Variant, advancement: int, situation: Situation, role: int | None = None
) -> LegalOrders:
    """What each unit may be ordered in this phase; of one role, or of all."""
    season = advancement % 5
    if season == Season.ADJUSTMENTS:
        return _adjustments(variant, situation, role)
    if season in (Season.SUMMER_RETREATS, Season.WINTER_RETREATS):
        return _retreats(variant, situation, role)
    return _Movement(variant, situation).orders(role)


def spelled(variant: Variant, situation: Situation, order: Order) -> Order:
    """An order in the one spelling that `legal_orders` has for it; what is not legal may stay as it is."""
    role, act, zone, passive, destination, via_convoy, _ = order
    if act == Act.BUILD:
        return order
    if act == Act.RETREAT:
        unit = next((each for each in situation.dislodged if each.zone == zone), None)
        found = retreat_zone(variant, situation, unit, destination) if unit is not None else 0
        destination = found if found > 0 else destination
    elif act == Act.MOVE and 0 < destination <= variant.zones:
        if any(unit.zone == zone and unit.kind == FLEET for unit in situation.units):
            found = landing(variant, zone, destination)
            destination = found if found > 0 else destination
        elif via_convoy and zone <= variant.regions and not variant.reach[ARMY][zone] >> destination & 1:
            via_convoy = False  # there is no other way
    return Order(role, int(act), zone, passive, destination, via_convoy)


class _Movement:
    def __init__(self, variant: Variant, situation: Situation) -> None:
        self.variant = variant
        self.units = situation.units
        self.ground = ground = Ground(variant, situation.units)
        self.shipped: dict[int, int] = {}
        """Where the fleets at sea could carry each army, as bits."""
        self.convoys: dict[int, list[Order]] = {}
        """The orders to convoy that each fleet may be given."""
        for unit in situation.units:
            if unit.kind == ARMY and variant.seas_of[unit.zone] & ground.fleets:
                self.ship(unit.zone)
        self.comers: list[list[Unit]] = [[] for _ in range(variant.regions + 1)]
        """The units that can go to a region by themselves."""
        for unit in situation.units:
            for region in members(variant.region_reach[unit.kind][unit.zone]):
                self.comers[region].append(unit)

    def ship(self, army: int) -> None:
        """Note the coasts that the fleets at sea could carry this army to, and which fleets it takes."""
        variant, ground = self.variant, self.ground
        self.shipped[army] = ports = ground.ports(variant, army)
        fleets: dict[int, list[int]] = {}
        role_at, convoys = ground.role_at, self.convoys
        for there in members(ports):
            needed = chain_among(variant, ground.between(variant, army, there), army, there)
            if needed not in fleets:
                fleets[needed] = members(needed)
            for fleet in fleets[needed]:
                order = _new(Order, (role_at[fleet], CONVOY, fleet, army, there, False, 0))
                convoys.setdefault(fleet, []).append(order)

    def orders(self, role: int | None) -> LegalOrders:
        return {
            unit.zone: tuple(self.of_unit(unit)) for unit in self.units if role is None or unit.role == role
        }

    def of_unit(self, unit: Unit) -> list[Order]:
        variant, ground = self.variant, self.ground
        role, kind, zone = unit
        region = variant.region_of[zone]
        found = [_new(Order, (role, HOLD, zone, 0, 0, False, 0))]
        by_itself = variant.army_next[zone] if kind == ARMY else variant.fleet_next[zone]
        found += [_new(Order, (role, MOVE, zone, 0, there, False, 0)) for there in by_itself]
        if region in self.shipped and kind == ARMY:
            for there in members(self.shipped[region]):
                also = bool(variant.reach[ARMY][region] >> there & 1)
                found.append(_new(Order, (role, MOVE, zone, 0, there, also, 0)))
        carries = bool(ground.fleets >> region & 1)
        for there in members(variant.region_reach[kind][zone]):
            if ground.role_at[there]:
                found.append(_new(Order, (role, SUPPORT_HOLD, zone, ground.zone_at[there], 0, False, 0)))
            self.supports(found, unit, region, there, carries)
        found += self.convoys.get(region, ())
        return found

    def supports(self, found: list[Order], unit: Unit, region: int, there: int, carries: bool) -> None:
        """The supports of moves into this region."""
        variant, ground = self.variant, self.ground
        role, _, zone = unit
        for other in self.comers[there]:
            stands = other[2]
            if stands == zone:
                continue
            found.append(_new(Order, (role, SUPPORT_MOVE, zone, stands, there, False, 0)))
            if other[1] == FLEET and variant.coasts_of[there]:
                found.extend(
                    _new(Order, (role, SUPPORT_MOVE, zone, stands, coast, False, 0))
                    for coast in variant.coasts_of[there]
                    if variant.reach[FLEET][stands] >> coast & 1
                )
        for army, coasts in self.shipped.items():
            if not coasts >> there & 1 or army == region or variant.reach[ARMY][army] >> there & 1:
                continue
            if carries and not self.is_joined_without(region, army, there):
                continue
            found.append(_new(Order, (role, SUPPORT_MOVE, zone, ground.zone_at[army], there, False, 0)))

    def is_joined_without(self, fleet: int, army: int, there: int) -> bool:
        """Whether the fleets at sea could carry this army without the help of one of them."""
        return any(
            joined_without(self.variant, group, fleet, army, there)
            if group >> fleet & 1
            else joined(self.variant, group, army, there)
            for group, _ in self.ground.groups(self.variant)
        )


def _retreats(variant: Variant, situation: Situation, role: int | None) -> LegalOrders:
    closed = closed_regions(variant, situation)
    found = {}
    for unit in situation.dislodged:
        if role is None or unit.role == role:
            disband = Order(unit.role, Act.DISBAND, unit.zone)
            ways = options(variant, unit.kind, unit.zone, closed, unit.origin)
            goes = (Order(unit.role, Act.RETREAT, unit.zone, destination=zone) for zone in ways)
            found[unit.zone] = (disband, *goes)
    return found


def _adjustments(variant: Variant, situation: Situation, role: int | None) -> LegalOrders:
    found: LegalOrders = {}
    for each, number in balance(variant, situation).items():
        if role is not None and each != role:
            continue
        if number < 0:
            for unit in situation.units:
                if unit.role == each:
                    found[unit.zone] = (Order(each, Act.REMOVE, unit.zone),)
        elif number > 0:
            for region in free_homes(variant, situation, each):
                builds = [Order(each, Act.BUILD, region, kind=ARMY)]
                if variant.terrain[region] == COAST:
                    zones = variant.coasts_of[region] or (region,)
                    builds += [Order(each, Act.BUILD, zone, kind=FLEET) for zone in zones]
                found[region] = tuple(builds)
    return found
