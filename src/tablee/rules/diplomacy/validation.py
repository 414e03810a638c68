"""Whether an order may be given, and if not, why not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tablee.rules.diplomacy.convoys import chain_among, flood, joined
from tablee.rules.diplomacy.model import DATC, Act, Choices, Order, Reason, Season, Situation, Unit
from tablee.rules.diplomacy.variant import ARMY, COAST, FLEET, LAND, SEA, Variant, members

MOVE, SUPPORT_MOVE, SUPPORT_HOLD = int(Act.MOVE), int(Act.SUPPORT_MOVE), int(Act.SUPPORT_HOLD)
HOLD, CONVOY = int(Act.HOLD), int(Act.CONVOY)
RETREAT, DISBAND, BUILD, REMOVE = int(Act.RETREAT), int(Act.DISBAND), int(Act.BUILD), int(Act.REMOVE)
MOVEMENT_ACTS = (MOVE, SUPPORT_MOVE, SUPPORT_HOLD, HOLD, CONVOY)

NOTHING: Mapping[str, int] = {}
NOWHERE: frozenset[int] = frozenset()


class Ground:
    """Who stands where, by region: what the legality of orders for moves depends on."""

    __slots__ = (
        "_groups",
        "_ports",
        "count",
        "fleets",
        "goes_at",
        "kind_at",
        "near_at",
        "role_at",
        "zone_at",
    )

    def __init__(self, variant: Variant, units: Sequence[Unit]) -> None:
        size = variant.regions + 1
        region_of, goes, goes_region = variant.region_of, variant.goes, variant.goes_region
        self.role_at = role_at = [0] * size
        self.kind_at = kind_at = [0] * size
        self.zone_at = zone_at = [0] * size
        self.goes_at = goes_at = [NOWHERE] * size
        """The zones that the unit here can go to by itself."""
        self.near_at = near_at = [NOWHERE] * size
        """The regions that the unit here can go to by itself."""
        self.count = len(units)
        fleets = 0
        for role, kind, zone in units:
            region = region_of[zone]
            role_at[region] = role
            kind_at[region] = kind
            zone_at[region] = zone
            goes_at[region] = goes[kind][zone]
            near_at[region] = goes_region[kind][zone]
            if kind == FLEET:
                fleets |= 1 << region
        self.fleets = fleets & variant.seas
        """The seas with a fleet."""
        self._groups: list[tuple[int, int]] | None = None
        self._ports: dict[int, int] = {}

    def groups(self, variant: Variant) -> list[tuple[int, int]]:
        """The fleets at sea that lie together, with the coasts they touch; found when first asked for."""
        if self._groups is None:
            self._groups = []
            left = self.fleets
            while left:
                group = flood(variant.sea_next, left & -left, left)
                coasts = 0
                for sea in members(group):
                    coasts |= variant.near[sea]
                self._groups.append((group, coasts & ~variant.seas))
                left ^= group
        return self._groups

    def ports(self, variant: Variant, origin: int) -> int:
        """The coasts that the fleets at sea could carry an army to from here, as bits."""
        found = self._ports.get(origin)
        if found is None:
            found = 0
            near = variant.seas_of[origin]
            if near & self.fleets:
                for group, coasts in self.groups(variant):
                    if near & group:
                        found |= coasts
            self._ports[origin] = found = found & ~(1 << origin)
        return found

    def between(self, variant: Variant, origin: int, destination: int) -> int:
        """The fleets at sea that are joined to both coasts."""
        near, far = variant.seas_of[origin], variant.seas_of[destination]
        found = 0
        for group, _ in self.groups(variant):
            if near & group and far & group:
                found |= group
        return found


def landing(variant: Variant, zone: int, destination: int) -> int:
    """Where a fleet's move ends: the only coast it can mean (DATC 4.B.2), 0 for none, −1 for several."""
    reach = variant.reach[FLEET][zone]
    if reach >> destination & 1:
        return destination
    if destination > variant.regions:
        return 0
    coasts = [coast for coast in variant.coasts_of[destination] if reach >> coast & 1]
    if len(coasts) > 1:
        return -1
    return coasts[0] if coasts else 0


def movement_fault(
    variant: Variant, ground: Ground, order: Order, choices: Choices = DATC
) -> tuple[str, Mapping[str, int]] | None:
    """Why an order for moves is illegal, or None. The unit it orders must stand there and be of its role."""
    _, act, zone, passive, destination, via_convoy, _ = order
    if act == HOLD:
        return None
    region = variant.region_of[zone]
    kind = ground.kind_at[region]
    if act == MOVE:
        return _move_fault(variant, ground, region, kind, destination, bool(via_convoy))
    if act not in MOVEMENT_ACTS:
        return "wrong-phase", {"act": act}
    if not 0 < passive <= variant.zones:
        return "no-such-zone", {"number": passive}
    helped = variant.region_of[passive]
    if act == SUPPORT_HOLD:
        if helped == region:
            return "self-support", NOTHING
        if not ground.role_at[helped]:
            return "nobody-there", {"passive": passive}
        if not variant.region_reach[kind][ground.zone_at[region]] >> helped & 1:
            return "support-out-of-reach", {"destination": helped}
        return None
    if not 0 < destination <= variant.zones:
        return "no-such-zone", {"number": destination}
    if act == SUPPORT_MOVE:
        return _support_fault(variant, ground, region, kind, helped, passive, destination, choices)
    return _convoy_fault(variant, ground, region, kind, helped, passive, destination)


def _move_fault(
    variant: Variant, ground: Ground, region: int, kind: int, destination: int, via_convoy: bool
) -> tuple[str, Mapping[str, int]] | None:
    if not 0 < destination <= variant.zones:
        return "no-such-zone", {"number": destination}
    parts = {"destination": destination}
    if variant.region_of[destination] == region:
        return "same-place", parts
    if kind == FLEET:
        if variant.terrain[destination] == LAND:
            return "fleet-inland", parts
        found = landing(variant, ground.zone_at[region], destination)
        if found > 0:
            return ("fleet-by-convoy", NOTHING) if via_convoy else None
        if found < 0:
            return "coast-needed", parts
        beside = variant.region_reach[FLEET][ground.zone_at[region]] >> variant.region_of[destination] & 1
        return ("coast-unreachable" if beside else "not-adjacent"), parts
    if destination > variant.regions:
        return "army-to-coast", parts
    if variant.terrain[destination] == SEA:
        return "army-to-sea", parts
    if variant.reach[ARMY][region] >> destination & 1 and not via_convoy:
        return None
    if not ground.ports(variant, region) >> destination & 1:
        by_land = variant.terrain[region] == LAND or variant.terrain[destination] == LAND
        return ("not-adjacent" if by_land else "no-chain"), parts
    return None


def _support_fault(
    variant: Variant,
    ground: Ground,
    region: int,
    kind: int,
    helped: int,
    passive: int,
    destination: int,
    choices: Choices,
) -> tuple[str, Mapping[str, int]] | None:
    target = variant.region_of[destination]
    parts = {"passive": passive, "destination": destination}
    if helped == region:
        return "self-support", NOTHING
    if not ground.role_at[helped]:
        return "nobody-there", {"passive": passive}
    if target in (region, helped):
        return "support-impossible", parts
    if not variant.region_reach[kind][ground.zone_at[region]] >> target & 1:
        return "support-out-of-reach", {"destination": target}
    if destination > variant.regions and choices.wrong_coast == "void":
        if ground.kind_at[helped] == ARMY:
            return "army-to-coast", {"destination": destination}
        if not variant.reach[FLEET][ground.zone_at[helped]] >> destination & 1:
            return "support-impossible", parts
    if variant.region_reach[ground.kind_at[helped]][ground.zone_at[helped]] >> target & 1:
        return None
    # By convoy, but not by the supporter's own: it cannot do both (DATC 6.D.31).
    if ground.kind_at[helped] == ARMY and ground.ports(variant, helped) >> target & 1:
        others = ground.fleets & ~(1 << region)
        if others == ground.fleets or joined(variant, others, helped, target):
            return None
    return "support-impossible", parts


def _convoy_fault(
    variant: Variant, ground: Ground, region: int, kind: int, helped: int, passive: int, destination: int
) -> tuple[str, Mapping[str, int]] | None:
    parts = {"passive": passive, "destination": destination}
    if kind != FLEET:
        return "convoy-by-army", NOTHING
    if variant.terrain[region] != SEA:
        return "convoy-not-at-sea", NOTHING
    if not ground.role_at[helped]:
        return "nobody-there", {"passive": passive}
    if ground.kind_at[helped] != ARMY:
        return "convoy-of-fleet", {"passive": passive}
    if destination > variant.regions:
        return "army-to-coast", {"destination": destination}
    if destination == helped or variant.terrain[destination] != COAST:
        return "convoy-impossible", parts
    if (variant.seas_of[helped] & variant.seas_of[destination]) >> region & 1:
        return None
    both = ground.between(variant, helped, destination)
    if not both >> region & 1 or not chain_among(variant, both, helped, destination) >> region & 1:
        return "convoy-impossible", parts
    return None


def possession_fault(variant: Variant, ground: Ground, order: Order) -> tuple[str, Mapping[str, int]] | None:
    """Why nobody of that role can take this order, or None."""
    if not 0 < order.zone <= variant.zones:
        return "no-such-zone", {"number": order.zone}
    if not 0 < order.role <= variant.roles:
        return "no-such-role", {"number": order.role}
    region = variant.region_of[order.zone]
    if not ground.role_at[region]:
        return "nobody-there", {"passive": order.zone}
    if ground.role_at[region] != order.role:
        return "not-yours", {"owner": ground.role_at[region]}
    if order.kind and order.kind != ground.kind_at[region]:
        return "wrong-kind", {"kind": ground.kind_at[region]}
    return None


def check(
    variant: Variant,
    advancement: int,
    situation: Situation,
    order: Order,
    choices: Choices = DATC,
    ground: Ground | None = None,
) -> Reason | None:
    """Why this order may not be given in this phase, or None. Other orders do not matter here.

    `ground` is that of the units of this situation, for who checks many orders on it.
    """
    from tablee.rules.diplomacy.adjustments import adjustment_fault
    from tablee.rules.diplomacy.retreats import retreat_fault

    season = advancement % 5
    if season == Season.ADJUSTMENTS:
        fault = adjustment_fault(variant, situation, order)
    elif season in (Season.SUMMER_RETREATS, Season.WINTER_RETREATS):
        fault = retreat_fault(variant, situation, order)
    else:
        ground = ground or Ground(variant, situation.units)
        fault = possession_fault(variant, ground, order) or movement_fault(variant, ground, order, choices)
    return Reason(*fault) if fault else None
